//! The inputs of the analysis: files and translation units.

use std::{fmt, sync::Arc};

use msl_preproc::LanguageVersion;

use crate::file_system::ReadError;

/// A file, present or not: asking for a file that is not there makes the answer an input as well, so that creating
/// the file later changes what includes it.
#[salsa::input(debug)]
pub struct SourceFile {
    /// Normalised; see [`crate::file_system`].
    #[returns(ref)]
    pub path: Arc<str>,
    #[returns(ref)]
    pub content: FileContent,
}

/// What is at a path.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum FileContent {
    Text(Arc<[u8]>),
    Unreadable(ReadError),
}

impl FileContent {
    /// The text, if the file could be read.
    pub fn text(&self) -> Option<&Arc<[u8]>> {
        match self {
            FileContent::Text(text) => Some(text),
            FileContent::Unreadable(_) => None,
        }
    }
}

impl fmt::Debug for FileContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileContent::Text(text) => write!(f, "{} bytes", text.len()),
            FileContent::Unreadable(error) => write!(f, "unreadable: {error}"),
        }
    }
}

/// A translation unit: a file and how it is compiled.
///
/// The same file under two language versions is two units.
#[salsa::input(debug)]
pub struct Unit {
    #[returns(copy)]
    pub root: SourceFile,
    #[returns(ref)]
    pub options: Arc<UnitOptions>,
}

/// How a file is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UnitOptions {
    pub version: LanguageVersion,
    /// Searched in order for `#include`.
    pub include_dirs: Vec<Arc<str>>,
    /// Folders of frameworks, as by `-F`: `<Name/part.h>` is `Name.framework/Headers/part.h` in one of them. Searched in
    /// order, behind the include folders.
    pub framework_dirs: Vec<Arc<str>>,
    /// The folder of the project. Where no include folder has a file, the folders from the including file up to this one
    /// are tried, and the folder `include` in each, because sources are often looked at without their build.
    pub project_root: Option<Arc<str>>,
    /// As if by `#define` before the first line; later ones win.
    pub defines: Vec<Define>,
    /// Files included before the first line.
    pub forced_includes: Vec<Arc<str>>,
    /// It is built into a dynamic library: code of other libraries can call its functions.
    pub is_dynamic_library: bool,
}

impl UnitOptions {
    /// No include folders, no macros.
    pub fn new(version: LanguageVersion) -> UnitOptions {
        UnitOptions {
            version,
            include_dirs: Vec::new(),
            framework_dirs: Vec::new(),
            project_root: None,
            defines: Vec::new(),
            forced_includes: Vec::new(),
            is_dynamic_library: false,
        }
    }
}

/// A macro given outside the source, as by `-D`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Define {
    /// With its parameter list, if it has one: `F(x)`.
    pub name: Arc<str>,
    /// `None` is `1`, as for compilers.
    pub value: Option<Arc<str>>,
}

impl Define {
    /// Reads `NAME` or `NAME=VALUE`.
    pub fn parse(text: &str) -> Define {
        match text.split_once('=') {
            Some((name, value)) => Define { name: name.into(), value: Some(value.into()) },
            None => Define { name: text.into(), value: None },
        }
    }
}
