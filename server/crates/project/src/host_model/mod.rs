//! What host code does with functions of Metal: which it makes, links, puts into tables and binds.
//!
//! # Vocabulary
//!
//! * *Host code* makes functions by name out of libraries, lists them as linked functions of a pipeline, takes handles of
//!   them from the pipeline, and stores the handles in tables that it binds to buffer indices.
//! * A *setting* is a property of a descriptor: unset, known, or set to something that is not known here.
//! * A *list* of functions is complete if nothing else can be in it.
//!
//! # How it works
//!
//! One evaluator ([`expression`], [`walk`]) runs over the tokens of Swift, Objective-C, C++ with metal-cpp, and Rust with
//! `metal` or `objc2-metal`. It follows variables, members, literals, loops over literal lists and functions of the same
//! file; [`api`] says what Metal's own interfaces do, whose names are the same words in all the languages. Values that
//! depend on anything else are unknown, and nothing is concluded from them. A name that is put together at run time is
//! unknown as a whole.

mod api;
mod assign;
mod collect;
mod expression;
mod items;
mod value;
mod variables;
mod walk;

use std::sync::Arc;

use msl_diagnostics::Place;

use crate::{
    files::FileAccess,
    lexer::{Dialect, tokenize},
    tree::{SourceFile, Tree},
};

/// What one host source does with functions of Metal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostFile {
    pub path: Arc<str>,
    /// Every string that names something of a shader, in the order of the text.
    pub names: Vec<HostName>,
    pub functions: Vec<HostFunction>,
    pub pipelines: Vec<HostPipeline>,
    pub tables: Vec<HostTable>,
    pub libraries: Vec<HostLibrary>,
    /// Resources that are bound to indices.
    pub bindings: Vec<HostBinding>,
    /// Whether it compiles source at run time or loads libraries by path: functions may come from there.
    pub has_other_libraries: bool,
}

/// A string that names something of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostName {
    pub role: NameRole,
    pub text: String,
    /// Inside the quotes.
    pub place: Place,
    /// Whether the library that it is looked up in is the default one, which the project's shaders are compiled into.
    pub library: LibraryOrigin,
}

/// What a string names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRole {
    /// A function of a library.
    Function,
    /// A name that host code gives to a specialised function.
    SpecializedFunction,
    /// A group of linked functions.
    Group,
    /// A function constant.
    Constant,
}

/// Where a library comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LibraryOrigin {
    /// Shaders that the project compiles.
    Default,
    /// Source that is compiled at run time.
    Source,
    /// A file; its path if that is written out.
    File(Option<String>),
    Unknown,
}

/// A library that host code loads or compiles.
#[derive(Clone, Debug, PartialEq)]
pub struct HostLibrary {
    /// The call that makes it.
    pub place: Place,
    pub origin: LibraryOrigin,
    /// The value that its compile options get as language version.
    pub version: Option<Place>,
    /// Dynamic libraries that it is compiled against, by index into [`HostFile::libraries`].
    pub linked: Vec<usize>,
}

/// A function that host code makes.
#[derive(Clone, Debug, PartialEq)]
pub struct HostFunction {
    /// The call that makes it.
    pub place: Place,
    /// Each name that it may be looked up by; empty if the name is not known.
    pub names: Vec<(String, Place)>,
    /// Whether `names` are all that it can be.
    pub is_complete: bool,
    /// Under which name it is known after specialisation.
    pub specialized: Option<String>,
    pub library: LibraryOrigin,
    /// The library, by index into [`HostFile::libraries`], if it is made here.
    pub library_index: Option<usize>,
    /// Whether its descriptor asks for a binary of its own (`compileToBinary`).
    pub compiles_to_binary: bool,
}

/// A property of a descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting<T> {
    Unset,
    Known(T, Place),
    Unknown,
}

/// Functions, by index into [`HostFile::functions`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionList {
    pub functions: Vec<usize>,
    pub is_complete: bool,
    pub place: Option<Place>,
}

/// Functions that a pipeline is linked with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LinkList {
    pub place: Option<Place>,
    /// Copied into the pipeline.
    pub functions: FunctionList,
    /// Compiled on their own and called across.
    pub binary: FunctionList,
    /// Copied, and without handles.
    pub private: FunctionList,
    pub groups: Vec<HostGroup>,
    /// Whether `groups` are all there are.
    pub groups_are_complete: bool,
}

/// A group of linked functions.
#[derive(Clone, Debug, PartialEq)]
pub struct HostGroup {
    pub name: String,
    /// Inside the quotes.
    pub place: Place,
    pub members: FunctionList,
}

/// A stage of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostStage {
    Compute,
    Vertex,
    Fragment,
    Tile,
    Object,
    Mesh,
}

impl HostStage {
    pub const ALL: [HostStage; 6] = [
        HostStage::Compute,
        HostStage::Vertex,
        HostStage::Fragment,
        HostStage::Tile,
        HostStage::Object,
        HostStage::Mesh,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            HostStage::Compute => "compute",
            HostStage::Vertex => "vertex",
            HostStage::Fragment => "fragment",
            HostStage::Tile => "tile",
            HostStage::Object => "object",
            HostStage::Mesh => "mesh",
        }
    }
}

/// One entry point of a pipeline, and what it is linked with.
#[derive(Clone, Debug, PartialEq)]
pub struct PipelineStage {
    pub stage: HostStage,
    /// `None` if it is not known.
    pub function: Option<usize>,
    /// `None` if the descriptor has no list or one that is not known; see `is_link_known`.
    pub link: Option<LinkList>,
    /// Whether `link` is all that is linked.
    pub is_link_known: bool,
    pub max_call_stack_depth: Setting<u64>,
    pub supports_adding: Setting<bool>,
}

/// A pipeline that host code makes.
#[derive(Clone, Debug, PartialEq)]
pub struct HostPipeline {
    /// The call that makes it.
    pub place: Place,
    pub stages: Vec<PipelineStage>,
    /// The pipeline that functions are added to, by index.
    pub base: Option<usize>,
    /// Functions that are added as binaries.
    pub added: Option<FunctionList>,
    /// Dynamic libraries that are loaded with it, by index into [`HostFile::libraries`].
    pub preloaded: Vec<usize>,
}

/// A table of functions.
#[derive(Clone, Debug, PartialEq)]
pub struct HostTable {
    /// The call that makes it.
    pub place: Place,
    /// The pipeline that it belongs to, by index.
    pub pipeline: Option<usize>,
    pub is_intersection: bool,
    pub function_count: Setting<u64>,
    pub entries: Vec<TableEntry>,
    /// Buffer indices that it is bound to.
    pub indices: Vec<(u64, Place)>,
}

/// A function that is stored in a table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableEntry {
    pub place: Place,
    pub index: Option<u64>,
    /// By index into [`HostFile::functions`].
    pub function: Option<usize>,
}

/// A resource that is bound to an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostBinding {
    pub kind: BindingKind,
    pub index: u64,
    /// The number.
    pub place: Place,
}

/// Which argument table an index is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingKind {
    Buffer,
    Texture,
    Sampler,
}

/// What one host source says, if it is about Metal's functions at all.
pub fn read_host_file(path: &str, text: &str) -> Option<HostFile> {
    let dialect = dialect_of(path)?;
    if !is_about_functions(text) {
        return None;
    }
    let file = SourceFile { id: 0, path: Arc::from(path), text: Arc::from(text) };
    Some(read(&file, dialect))
}

/// What the host sources below a folder say.
pub fn read_host_files(root: &str, access: &dyn FileAccess) -> Vec<HostFile> {
    let tree = Tree::new(root, access);
    let mut found = Vec::new();
    for path in &tree.files {
        let Some(dialect) = dialect_of(path) else { continue };
        let Some(file) = tree.load(path) else { continue };
        if is_about_functions(&file.text) {
            found.push(read(&SourceFile { id: 0, ..file }, dialect));
        }
    }
    found
}

/// Whether a file of this name can be host code.
pub fn is_host_file(path: &str) -> bool {
    dialect_of(path).is_some()
}

fn dialect_of(path: &str) -> Option<Dialect> {
    Dialect::of(path).filter(|dialect| matches!(dialect, Dialect::C | Dialect::Swift | Dialect::Rust))
}

/// Words of Metal's interfaces without which a file makes no functions.
const INTERFACE_WORDS: &[&str] = &[
    "makeFunction",
    "makeIntersectionFunction",
    "newFunction",
    "newIntersectionFunction",
    "get_function",
    "new_function",
    "FunctionDescriptor",
    "LinkedFunctions",
    "FunctionTable",
    "ConstantValue",
    "constant_value",
];

fn is_about_functions(text: &str) -> bool {
    ["Metal", "metal", "MTL"].iter().any(|word| text.contains(word))
        && INTERFACE_WORDS.iter().any(|word| text.contains(word))
}

fn read(file: &SourceFile, dialect: Dialect) -> HostFile {
    let tokens = tokenize(file, dialect);
    let mut walker = walk::Walker::new(&tokens);
    walker.run();
    collect::collect(&tokens, walker.into_world())
}
