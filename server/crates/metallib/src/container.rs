//! What a file is, and what it holds.
//!
//! Binaries nest: a universal file holds a metallib, an archive holds bitcode, an executable carries metallibs among
//! its data. [`read`] opens them all; [`Container::leaves`] lists the libraries and modules at the bottom.

use crate::archive;
use crate::bitcode::{self, read_bitcode};
use crate::bytes;
use crate::fat::{self, Slice};
use crate::ir_text::{self, read_text};
use crate::module::Module;
use crate::mtlb::{self, Library, read_library};
use crate::problem::{ProblemKind, Problems};

/// How deep containers may nest. Real files nest twice.
const MAX_DEPTH: u32 = 4;

/// The kind of a file, judged by its contents alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// MTLB: `.metallib`.
    Library,
    /// Bitcode behind the Darwin wrapper: `.air`, `.ir`.
    WrappedBitcode,
    /// Bitcode without a wrapper: `.bc`.
    RawBitcode,
    /// LLVM assembly: `.ll`.
    LlvmAssembly,
    /// `ar` archive: `.metalar`, static libraries.
    Archive,
    /// `ar` archive that only names its members.
    ThinArchive,
    /// Universal file of GPU or CPU slices.
    Fat,
    /// Mach-O: machine code, which may carry metallibs among its data.
    MachO,
    /// Anything else, which may carry metallibs among its data.
    Other,
}

impl Kind {
    /// A readable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Library => "Metal library",
            Kind::WrappedBitcode => "AIR bitcode",
            Kind::RawBitcode => "raw LLVM bitcode",
            Kind::LlvmAssembly => "LLVM assembly",
            Kind::Archive => "archive",
            Kind::ThinArchive => "thin archive",
            Kind::Fat => "universal file",
            Kind::MachO => "Mach-O file",
            Kind::Other => "other file",
        }
    }
}

/// Tells what a file is from its contents. The name of a file says nothing: some tools write MTLB into `.air` files.
pub fn sniff(bytes: &[u8]) -> Kind {
    if bytes.starts_with(mtlb::MAGIC) {
        // The letters alone also begin names of classes in other files.
        return if mtlb_size(bytes).is_some() || bytes.len() < 24 { Kind::Library } else { Kind::Other };
    }
    if bytes.starts_with(bitcode::WRAPPER_MAGIC) {
        return Kind::WrappedBitcode;
    }
    if bytes.starts_with(bitcode::RAW_MAGIC) {
        return Kind::RawBitcode;
    }
    if bytes.starts_with(archive::MAGIC) {
        return Kind::Archive;
    }
    if bytes.starts_with(archive::THIN_MAGIC) {
        return Kind::ThinArchive;
    }
    if fat::is_fat(bytes) {
        return Kind::Fat;
    }
    if matches!(bytes::u32_le(bytes, 0), Some(0xFEED_FACE | 0xFEED_FACF)) {
        return Kind::MachO;
    }
    if ir_text::is_llvm_assembly(bytes) { Kind::LlvmAssembly } else { Kind::Other }
}

/// The stated size of the library that starts here, if a library starts here.
fn mtlb_size(bytes: &[u8]) -> Option<u64> {
    let major = bytes::u16_le(bytes, 4)? & 0x7FFF;
    let minor = bytes::u16_le(bytes, 6)?;
    let size = bytes::u64_le(bytes, 16)?;
    (major == 1 && minor < 16 && size >= mtlb::HEADER_SIZE).then_some(size)
}

/// How far to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether to search files of other kinds for metallibs among their data, which reads the whole file.
    pub search_other_files: bool,
    /// How many parts (members, slices, embedded libraries) are opened altogether.
    pub max_parts: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { search_other_files: true, max_parts: 1 << 16 }
    }
}

/// An open file or part of a file.
#[derive(Clone, Debug)]
pub struct Container<'a> {
    pub kind: Kind,
    pub bytes: &'a [u8],
    pub content: Content<'a>,
    pub problems: Problems,
}

/// What a container holds.
#[derive(Clone, Debug)]
pub enum Content<'a> {
    /// A metallib. Its own problems are in [`Library::problems`].
    Library(Box<Library<'a>>),
    /// One module, which [`Container::module`] reads.
    Module,
    /// Members of an archive, slices of a universal file, or metallibs that were found in another file.
    Parts(Vec<Part<'a>>),
}

/// A part of a container.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// The name of a member, the architecture of a slice, or the place of an embedded library.
    pub name: String,
    /// Where the part starts, in bytes from the start of the container around it.
    pub offset: u64,
    pub container: Container<'a>,
}

/// A library or module at the bottom of nested containers.
#[derive(Clone, Debug)]
pub struct Leaf<'c, 'a> {
    /// The names of the parts on the way, from the outside in; empty for the file itself.
    pub path: Vec<&'c str>,
    /// Where it starts, in bytes from the start of the file.
    pub offset: u64,
    pub container: &'c Container<'a>,
}

/// Opens a file.
pub fn read<'a>(bytes: &'a [u8], options: &Options) -> Container<'a> {
    let mut parts_left = options.max_parts;
    read_part(bytes, options, MAX_DEPTH, &mut parts_left)
}

fn read_part<'a>(bytes: &'a [u8], options: &Options, depth: u32, parts_left: &mut usize) -> Container<'a> {
    let kind = sniff(bytes);
    let mut problems = Problems::default();
    let found: Vec<(String, u64, &'a [u8])> = match kind {
        Kind::Library => {
            let library = Box::new(read_library(bytes));
            return Container { kind, bytes, content: Content::Library(library), problems };
        }
        Kind::WrappedBitcode | Kind::RawBitcode | Kind::LlvmAssembly => {
            return Container { kind, bytes, content: Content::Module, problems };
        }
        _ if depth == 0 => {
            if matches!(kind, Kind::Archive | Kind::ThinArchive | Kind::Fat) {
                problems.add(ProblemKind::LimitReached, 0, "containers nest too deep");
            }
            Vec::new()
        }
        Kind::Archive | Kind::ThinArchive => {
            let members = archive::members(bytes, *parts_left, &mut problems);
            members.into_iter().map(|member| (member.name, member.offset, member.bytes)).collect()
        }
        Kind::Fat => {
            let slices = fat::slices(bytes, &mut problems);
            slices.iter().map(|slice: &Slice<'a>| (slice.architecture(), slice.offset, slice.bytes)).collect()
        }
        Kind::MachO | Kind::Other if options.search_other_files => embedded(bytes, *parts_left, &mut problems),
        Kind::MachO | Kind::Other => Vec::new(),
    };
    let mut parts = Vec::new();
    for (name, offset, bytes) in found {
        let Some(left) = parts_left.checked_sub(1) else {
            problems.add(ProblemKind::LimitReached, offset, "the file has more parts than are read");
            break;
        };
        *parts_left = left;
        parts.push(Part { name, offset, container: read_part(bytes, options, depth - 1, parts_left) });
    }
    Container { kind, bytes, content: Content::Parts(parts), problems }
}

/// Metallibs among the data of another file. One counts only if it has a valid version and lies wholly inside.
fn embedded<'a>(bytes: &'a [u8], limit: usize, problems: &mut Problems) -> Vec<(String, u64, &'a [u8])> {
    let mut result = Vec::new();
    let mut position = 0;
    while let Some(found) = bytes.get(position..).and_then(|rest| memchr::memmem::find(rest, mtlb::MAGIC)) {
        let start = position + found;
        let rest = bytes.get(start..).unwrap_or_default();
        let Some(library) = mtlb::plausible_library(rest) else {
            position = start + mtlb::MAGIC.len();
            continue;
        };
        if result.len() == limit {
            problems.add(ProblemKind::LimitReached, start as u64, "the file has more metallibs than are read");
            break;
        }
        result.push((format!("metallib at byte {start}"), start as u64, library));
        position = start + library.len();
    }
    result
}

impl<'a> Container<'a> {
    /// The module, if the container is one. Reads the bitcode.
    pub fn module(&self) -> Option<Module<'a>> {
        match self.kind {
            Kind::WrappedBitcode | Kind::RawBitcode => Some(read_bitcode(self.bytes)),
            Kind::LlvmAssembly => Some(read_text(self.bytes)),
            _ => None,
        }
    }

    /// The library, if the container is one.
    pub fn library(&self) -> Option<&Library<'a>> {
        if let Content::Library(library) = &self.content { Some(library) } else { None }
    }

    /// The parts, if the container has any.
    pub fn parts(&self) -> &[Part<'a>] {
        if let Content::Parts(parts) = &self.content { parts } else { &[] }
    }

    /// All libraries and modules, in the order of the file.
    pub fn leaves(&self) -> Vec<Leaf<'_, 'a>> {
        let mut leaves = Vec::new();
        self.collect_leaves(&mut Vec::new(), 0, &mut leaves);
        leaves
    }

    // The depth of containers is bounded by `read`.
    fn collect_leaves<'c>(&'c self, path: &mut Vec<&'c str>, offset: u64, leaves: &mut Vec<Leaf<'c, 'a>>) {
        match &self.content {
            Content::Library(_) | Content::Module => leaves.push(Leaf { path: path.clone(), offset, container: self }),
            Content::Parts(parts) => {
                for part in parts {
                    path.push(&part.name);
                    part.container.collect_leaves(path, offset + part.offset, leaves);
                    path.pop();
                }
            }
        }
    }
}
