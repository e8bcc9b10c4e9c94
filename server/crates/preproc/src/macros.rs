//! Macro definitions and tables of them.
//!
//! A [`MacroTable`] has three layers, looked up in this order: what the unit itself defined and undefined, the
//! macros of the bundled library, and the predefined macros of the language version. The two lower layers are shared
//! between all units and never copied.

use std::{ops::Range, sync::Arc};

use msl_intern::Name;
use rustc_hash::FxHashMap;

use crate::{source::FileId, token::Token};

/// The number of a macro definition within one translation unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MacroId(pub u32);

/// How a macro is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MacroKind {
    Object,
    Function,
    /// Computed by the preprocessor: `__LINE__`, `__has_include` and the like.
    Builtin(Builtin),
}

/// The macros whose value depends on where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    Line,
    File,
    Counter,
    IncludeLevel,
    Pragma,
    HasInclude,
    HasIncludeNext,
    HasAttribute,
    HasCppAttribute,
    HasBuiltin,
    HasFeature,
    HasExtension,
    HasWarning,
    IsIdentifier,
    IsTargetOs,
    IsTargetArch,
    IsTargetVendor,
    /// A query that is always answered with no: about modules, embedded files, variants of the target.
    Never,
}

impl Builtin {
    /// All of them with their spelling.
    pub const ALL: &[(&str, Builtin)] = &[
        ("__LINE__", Builtin::Line),
        ("__FILE__", Builtin::File),
        ("__FILE_NAME__", Builtin::File),
        ("__BASE_FILE__", Builtin::File),
        ("__COUNTER__", Builtin::Counter),
        ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
        ("_Pragma", Builtin::Pragma),
        ("__has_include", Builtin::HasInclude),
        ("__has_include_next", Builtin::HasIncludeNext),
        ("__has_attribute", Builtin::HasAttribute),
        ("__has_declspec_attribute", Builtin::HasAttribute),
        ("__has_c_attribute", Builtin::HasAttribute),
        ("__has_cpp_attribute", Builtin::HasCppAttribute),
        ("__has_builtin", Builtin::HasBuiltin),
        ("__has_constexpr_builtin", Builtin::HasBuiltin),
        ("__has_feature", Builtin::HasFeature),
        ("__has_extension", Builtin::HasExtension),
        ("__has_warning", Builtin::HasWarning),
        ("__is_identifier", Builtin::IsIdentifier),
        ("__is_target_os", Builtin::IsTargetOs),
        ("__is_target_arch", Builtin::IsTargetArch),
        ("__is_target_vendor", Builtin::IsTargetVendor),
        ("__is_target_environment", Builtin::Never),
        ("__is_target_variant_os", Builtin::Never),
        ("__is_target_variant_environment", Builtin::Never),
        ("__building_module", Builtin::Never),
        ("__has_embed", Builtin::Never),
    ];
}

/// The number that stands for "no parameter" in [`MacroDef::parameter_of`].
pub(crate) const NO_PARAMETER: u16 = u16::MAX;

/// One `#define`. Its places are offsets into its file, so that a definition means the same in every unit.
#[derive(Debug, PartialEq, Eq)]
pub struct MacroDef {
    pub name: Name,
    pub kind: MacroKind,
    /// The parameters' names; the last one of a variadic macro is `__VA_ARGS__` or the GNU name.
    pub parameters: Box<[Name]>,
    /// Whether the last parameter takes all further arguments.
    pub variadic: bool,
    pub file: FileId,
    /// Where the name stands in the `#define`.
    pub name_range: Range<u32>,
    /// The directive from its `#` to its last token.
    pub range: Range<u32>,
    /// The replacement list.
    pub body: Box<[Token]>,
    /// Where each token of the replacement list stands, parallel to `body`.
    pub body_ranges: Box<[(u32, u32)]>,
    /// The parameter that each token of the replacement list names, parallel to `body`; empty if there is none.
    pub(crate) parameter_of: Box<[u16]>,
    /// The replacement list has `#`, `##` or `__VA_OPT__`.
    pub(crate) has_operators: bool,
}

impl MacroDef {
    /// Whether two definitions of a name may stand beside each other (C++17 [cpp.replace]): same kind, parameters
    /// and replacement list, white space at the same places.
    pub fn same_as(&self, other: &MacroDef) -> bool {
        let spacing = |token: &Token| token.flags.has(crate::token::TokenFlags::SPACE_BEFORE);
        self.kind == other.kind
            && self.parameters == other.parameters
            && self.variadic == other.variadic
            && self.body.len() == other.body.len()
            && self.body.iter().zip(&other.body).enumerate().all(|(index, (left, right))| {
                left.kind == right.kind && left.name == right.name && (index == 0 || spacing(left) == spacing(right))
            })
    }

    /// The parameter named by the token of the replacement list at `index`.
    pub(crate) fn parameter(&self, index: usize) -> Option<usize> {
        match self.parameter_of.get(index) {
            None | Some(&NO_PARAMETER) => None,
            Some(&parameter) => Some(parameter as usize),
        }
    }

    pub(crate) fn builtin(name: &str, builtin: Builtin) -> MacroDef {
        MacroDef {
            name: Name::new(name),
            kind: MacroKind::Builtin(builtin),
            parameters: Box::default(),
            variadic: false,
            file: FileId::PREDEFINED,
            name_range: 0..0,
            range: 0..0,
            body: Box::default(),
            body_ranges: Box::default(),
            parameter_of: Box::default(),
            has_operators: false,
        }
    }
}

/// A set of names by number, for a quick "certainly not".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct NameSet {
    words: Vec<u64>,
}

impl NameSet {
    #[inline]
    fn contains(&self, name: Name) -> bool {
        let index = name.index() as usize;
        self.words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0)
    }

    fn insert(&mut self, name: Name) {
        let index = name.index() as usize;
        if self.words.len() <= index / 64 {
            self.words.resize(index / 64 + 1, 0);
        }
        self.words[index / 64] |= 1 << (index % 64);
    }
}

/// The macros that are defined at one point of a translation unit.
#[derive(Clone, Debug, Default)]
pub struct MacroTable {
    /// Names that `own` says something about.
    touched: NameSet,
    /// The unit's own definitions; `None` for a name that was undefined.
    own: FxHashMap<Name, Option<Arc<MacroDef>>>,
    library: Option<Arc<MacroTable>>,
    predefined: Option<Arc<MacroTable>>,
}

impl MacroTable {
    /// An empty table over two shared layers.
    pub fn new(library: Option<Arc<MacroTable>>, predefined: Option<Arc<MacroTable>>) -> MacroTable {
        MacroTable { library, predefined, ..MacroTable::default() }
    }

    /// The definition of a name, if it is a macro.
    pub fn get(&self, name: Name) -> Option<&Arc<MacroDef>> {
        if let Some(entry) = self.get_own(name) {
            return entry.as_ref();
        }
        if let Some(entry) = self.library.as_ref().and_then(|library| library.get_below_unit(name)) {
            return entry.as_ref();
        }
        self.predefined.as_ref()?.get_own(name)?.as_ref()
    }

    /// Whether `name` may be a macro; false is certain.
    #[inline]
    pub(crate) fn may_contain(&self, name: Name) -> bool {
        self.touched.contains(name)
            || self.library.as_ref().is_some_and(|library| library.may_contain_below_unit(name))
            || self.predefined.as_ref().is_some_and(|predefined| predefined.touched.contains(name))
    }

    /// Defines a macro.
    pub fn define(&mut self, definition: Arc<MacroDef>) {
        self.touched.insert(definition.name);
        self.own.insert(definition.name, Some(definition));
    }

    /// Makes a name no macro, whatever the lower layers say.
    pub fn undefine(&mut self, name: Name) {
        self.touched.insert(name);
        self.own.insert(name, None);
    }

    /// All macros that are defined, in the order of their names' spelling; each once.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<MacroDef>> {
        let mut names: Vec<Name> = Vec::new();
        self.collect_names(&mut names);
        names.sort_unstable_by_key(|name| name.bytes());
        names.dedup();
        names.into_iter().filter_map(|name| self.get(name))
    }

    /// The macros of the unit itself, without the shared layers, in no particular order.
    pub fn own(&self) -> impl Iterator<Item = &Arc<MacroDef>> {
        self.own.values().flatten()
    }

    fn collect_names(&self, names: &mut Vec<Name>) {
        let mut tables = vec![self];
        while let Some(table) = tables.pop() {
            names.extend(table.own.keys());
            tables.extend(table.library.as_deref());
            tables.extend(table.predefined.as_deref());
        }
    }

    /// What this unit says about a name: nothing, that it is undefined, or its definition.
    #[inline]
    fn get_own(&self, name: Name) -> Option<&Option<Arc<MacroDef>>> {
        if self.touched.contains(name) { self.own.get(&name) } else { None }
    }

    /// As the library layer of a user's unit: the predefined macros that the library itself was read with do not
    /// count, since the user's unit may have another language version.
    fn get_below_unit(&self, name: Name) -> Option<&Option<Arc<MacroDef>>> {
        let mut table = self;
        loop {
            if let Some(entry) = table.get_own(name) {
                return Some(entry);
            }
            table = table.library.as_deref()?;
        }
    }

    fn may_contain_below_unit(&self, name: Name) -> bool {
        let mut table = self;
        loop {
            if table.touched.contains(name) {
                return true;
            }
            match table.library.as_deref() {
                Some(below) => table = below,
                None => return false,
            }
        }
    }
}
