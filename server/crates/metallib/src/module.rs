//! What is known about one AIR module, whether it came as bitcode or as text.

use crate::problem::Problems;
use crate::symbol::Symbol;
use crate::version::Version;

/// In which form a module was stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModuleForm {
    /// Bitcode behind the 20-byte Darwin wrapper, which is what Apple's tools write.
    WrappedBitcode {
        /// The CPU type of the wrapper; Apple's tools write `0xFFFFFFFF`.
        cpu_type: u32,
    },
    /// Bitcode that starts with `BC C0 DE`.
    RawBitcode,
    /// LLVM assembly, `.ll`.
    Text,
}

/// Which compiler wrote a module, judged by `llvm.ident` and the identification block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Producer {
    /// Apple's Metal front end (`metalfe`).
    Apple,
    /// Something else that names itself.
    Foreign,
    /// The module does not say.
    Unknown,
}

/// `air.language_version`: the language and version that the module was compiled as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleLanguage {
    /// `Metal` in every file of Apple's.
    pub name: String,
    pub version: Version,
    pub patch: u32,
}

/// The facts that are read out of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module<'a> {
    pub form: ModuleForm,
    /// The string of the identification block. Apple's front end leaves it empty; LLVM writes `LLVM14.0.6`.
    pub identification: Option<String>,
    /// The target triple, such as `air64_v28-apple-macosx26.0.0`.
    pub triple: Option<String>,
    /// `source_filename` of the LLVM module. In a metallib this is the function's name.
    pub source_file_name: Option<String>,
    /// `air.source_file_name`: the Metal source. Kept in `.air` files and stripped from metallibs.
    pub air_source_file_name: Option<String>,
    /// `llvm.ident`, the compilers that took part.
    pub ident: Vec<String>,
    /// `air.version`.
    pub air_version: Option<Version>,
    /// `air.language_version`.
    pub language: Option<ModuleLanguage>,
    /// `air.compile_options`, such as `air.compile.fast_math_enable`.
    pub compile_options: Vec<String>,
    /// All global values, in the order of the module.
    pub symbols: Vec<Symbol<'a>>,
    pub problems: Problems,
}

impl<'a> Module<'a> {
    pub(crate) fn new(form: ModuleForm) -> Module<'a> {
        Module {
            form,
            identification: None,
            triple: None,
            source_file_name: None,
            air_source_file_name: None,
            ident: Vec::new(),
            air_version: None,
            language: None,
            compile_options: Vec::new(),
            symbols: Vec::new(),
            problems: Problems::default(),
        }
    }

    /// Symbols that other modules have to supply.
    pub fn imports(&self) -> impl Iterator<Item = &Symbol<'a>> {
        self.symbols.iter().filter(|symbol| symbol.is_import())
    }

    /// Symbols that other modules can link against.
    pub fn exports(&self) -> impl Iterator<Item = &Symbol<'a>> {
        self.symbols.iter().filter(|symbol| symbol.is_export())
    }

    /// Whether the target is Apple's GPU intermediate representation at all.
    pub fn is_air(&self) -> bool {
        self.triple.as_deref().is_some_and(|triple| triple.starts_with("air"))
    }

    /// Which compiler wrote the module.
    pub fn producer(&self) -> Producer {
        if self.ident.iter().any(|ident| ident.contains("metalfe") || ident.starts_with("Apple metal")) {
            Producer::Apple
        } else if !self.ident.is_empty() || self.identification.as_deref().is_some_and(|text| !text.is_empty()) {
            Producer::Foreign
        } else {
            Producer::Unknown
        }
    }
}
