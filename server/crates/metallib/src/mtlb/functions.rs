//! The function list. The lists of exported variables and imported symbols have the same shape.

use std::borrow::Cow;
use std::fmt;

use super::Section;
use super::tags::{LengthWidth, Tags};
use crate::bytes;
use crate::version::{FunctionVersions, Side, Version};

/// What a function is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FunctionKind {
    Vertex,
    Fragment,
    Kernel,
    /// A function of a dynamic library without a stage.
    Unqualified,
    /// `[[visible]]` or `[[stitchable]]`.
    Visible,
    /// A Core Image function.
    Extern,
    Intersection,
    Mesh,
    Object,
    Other(u8),
}

impl FunctionKind {
    pub(super) fn from_code(code: u8) -> FunctionKind {
        match code {
            0 => FunctionKind::Vertex,
            1 => FunctionKind::Fragment,
            2 => FunctionKind::Kernel,
            3 => FunctionKind::Unqualified,
            4 => FunctionKind::Visible,
            5 => FunctionKind::Extern,
            6 => FunctionKind::Intersection,
            7 => FunctionKind::Mesh,
            8 => FunctionKind::Object,
            other => FunctionKind::Other(other),
        }
    }

    /// Whether other libraries can reach the function at run time: through linked functions, function tables or the
    /// dynamic linker. Entry points stand alone.
    pub const fn is_linkable(self) -> bool {
        matches!(
            self,
            FunctionKind::Unqualified | FunctionKind::Visible | FunctionKind::Extern | FunctionKind::Intersection
        )
    }
}

impl fmt::Display for FunctionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FunctionKind::Vertex => "vertex",
            FunctionKind::Fragment => "fragment",
            FunctionKind::Kernel => "kernel",
            FunctionKind::Unqualified => "unqualified",
            FunctionKind::Visible => "visible",
            FunctionKind::Extern => "extern",
            FunctionKind::Intersection => "intersection",
            FunctionKind::Mesh => "mesh",
            FunctionKind::Object => "object",
            FunctionKind::Other(code) => return write!(f, "type {code}"),
        })
    }
}

/// What is wrong with the entry of a function. Only the first defect of an entry is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Defect {
    /// The entry ends before its tags do.
    Truncated,
    /// The stated size of the entry differs from what its tags take.
    WrongSize,
    /// A tag has a payload of the wrong size. The tag counts as absent.
    WrongTagSize,
    /// A tag that may stand once stands twice. The first one counts.
    RepeatedTag,
    /// There is no name.
    NoName,
}

impl Defect {
    /// A sentence without its full stop.
    pub const fn message(self) -> &'static str {
        match self {
            Defect::Truncated => "the entry ends before its tags do",
            Defect::WrongSize => "the stated size of the entry is wrong",
            Defect::WrongTagSize => "a tag has a payload of the wrong size",
            Defect::RepeatedTag => "a tag stands twice",
            Defect::NoName => "the entry has no name",
        }
    }
}

/// Where the parts of a function start, in bytes from the start of the respective section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartOffsets {
    pub public_metadata: u64,
    pub private_metadata: u64,
    pub bitcode: u64,
}

/// An entry of the function list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function<'a> {
    /// The number of the entry, from 0.
    pub index: u32,
    /// Where the entry starts, in bytes from the start of the library.
    pub offset: u64,
    /// `NAME`, without its NUL. Entry points have plain names, others may have mangled ones.
    pub name: &'a [u8],
    /// `TYPE`.
    pub kind: Option<FunctionKind>,
    /// `VERS`.
    pub versions: Option<FunctionVersions>,
    /// `HASH`: the SHA-256 of the module.
    pub hash: Option<&'a [u8; 32]>,
    /// `OFFT`.
    pub offsets: Option<PartOffsets>,
    /// `MDSZ`: the size of the module, in bytes. Absent in libraries of AIR 1.8.
    pub module_size: Option<u64>,
    /// `SOFF`: where the source archive starts, in bytes from the start of the embedded sources.
    pub source_offset: Option<u64>,
    /// `RFLT`: where the reflection data starts, in bytes from the start of the reflection list.
    pub reflection_offset: Option<u64>,
    /// `TESS`: the patch type in the low two bits (1 triangle, 2 quad) and the number of control points above.
    pub tessellation: Option<u8>,
    /// `LAYR`: the type of the render target array index.
    pub layer: Option<u8>,
    pub defect: Option<Defect>,
}

impl<'a> Function<'a> {
    /// The name as text, with invalid UTF-8 replaced.
    pub fn name_lossy(&self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.name)
    }

    /// The side that `VERS` states.
    pub fn stated_side(&self) -> Side {
        self.versions.map_or(Side::Unknown, |versions| Side::of_language(versions.language))
    }

    fn read(index: u32, offset: u64, group: &'a [u8], is_whole: bool) -> Function<'a> {
        let mut function = Function {
            index,
            offset,
            name: &[],
            kind: None,
            versions: None,
            hash: None,
            offsets: None,
            module_size: None,
            source_offset: None,
            reflection_offset: None,
            tessellation: None,
            layer: None,
            defect: None,
        };
        let mut has_name = false;
        let mut tags = Tags::new(group, LengthWidth::Bits16);
        for tag in tags.by_ref() {
            let payload = tag.payload;
            match &tag.id {
                b"NAME" if has_name => function.note(Defect::RepeatedTag),
                b"NAME" => {
                    has_name = true;
                    function.name = bytes::until_nul(payload);
                }
                b"TYPE" => {
                    fill(&mut function.kind, u8_payload(payload).map(FunctionKind::from_code), &mut function.defect)
                }
                b"VERS" => fill(&mut function.versions, versions(payload), &mut function.defect),
                b"HASH" => fill(&mut function.hash, payload.try_into().ok(), &mut function.defect),
                b"OFFT" => fill(&mut function.offsets, part_offsets(payload), &mut function.defect),
                b"MDSZ" => fill(&mut function.module_size, u64_payload(payload), &mut function.defect),
                b"SOFF" => fill(&mut function.source_offset, u64_payload(payload), &mut function.defect),
                b"RFLT" => fill(&mut function.reflection_offset, u64_payload(payload), &mut function.defect),
                b"TESS" => fill(&mut function.tessellation, u8_payload(payload), &mut function.defect),
                b"LAYR" => fill(&mut function.layer, u8_payload(payload), &mut function.defect),
                // Newer tools add tags; they are no defect.
                _ => {}
            }
        }
        if !tags.is_complete() {
            function.note(Defect::Truncated);
        } else if !is_whole || tags.position() != group.len() {
            function.note(Defect::WrongSize);
        }
        if !has_name {
            function.note(Defect::NoName);
        }
        function
    }

    fn note(&mut self, defect: Defect) {
        self.defect.get_or_insert(defect);
    }
}

fn fill<T>(slot: &mut Option<T>, value: Option<T>, defect: &mut Option<Defect>) {
    match value {
        None => {
            defect.get_or_insert(Defect::WrongTagSize);
        }
        Some(_) if slot.is_some() => {
            defect.get_or_insert(Defect::RepeatedTag);
        }
        Some(value) => *slot = Some(value),
    }
}

fn u8_payload(payload: &[u8]) -> Option<u8> {
    if let [byte] = payload { Some(*byte) } else { None }
}

fn u64_payload(payload: &[u8]) -> Option<u64> {
    payload.try_into().ok().map(u64::from_le_bytes)
}

fn part_offsets(payload: &[u8]) -> Option<PartOffsets> {
    let at = |offset| bytes::u64_le(payload, offset);
    if payload.len() != 24 {
        return None;
    }
    Some(PartOffsets { public_metadata: at(0)?, private_metadata: at(8)?, bitcode: at(16)? })
}

fn versions(payload: &[u8]) -> Option<FunctionVersions> {
    let at = |offset| bytes::u16_le(payload, offset).map(u32::from);
    if payload.len() != 8 {
        return None;
    }
    Some(FunctionVersions { air: Version::new(at(0)?, at(2)?), language: Version::new(at(4)?, at(6)?) })
}

/// An iterator over a function list. It ends early when the list is damaged; compare the number of items with
/// [`Library::declared_function_count`](super::Library::declared_function_count).
#[derive(Clone, Debug)]
pub struct Functions<'a> {
    list: &'a [u8],
    base: u64,
    position: usize,
    index: u32,
    count: u32,
}

impl<'a> Functions<'a> {
    pub(super) fn empty() -> Functions<'a> {
        Functions { list: &[], base: 0, position: 0, index: 0, count: 0 }
    }

    pub(super) fn new(library: &'a [u8], section: Section) -> Functions<'a> {
        // The stated size leaves out the count in front.
        let list = bytes::clipped_range(library, section.offset, section.size.saturating_add(4));
        let count = bytes::u32_le(list, 0).unwrap_or(0);
        Functions { list, base: section.offset, position: 4, index: 0, count }
    }
}

impl<'a> Iterator for Functions<'a> {
    type Item = Function<'a>;

    fn next(&mut self) -> Option<Function<'a>> {
        if self.index >= self.count {
            return None;
        }
        let stated = bytes::u32_le(self.list, self.position)?;
        let rest = self.list.get(self.position + 4..)?;
        // The size counts itself; less than a size and an `ENDT` would not move on.
        let size = usize::try_from(stated).ok().and_then(|size| size.checked_sub(4)).filter(|&size| size >= 4)?;
        let group = rest.get(..size).unwrap_or(rest);
        let function = Function::read(self.index, self.base + self.position as u64, group, group.len() == size);
        self.position = self.position + 4 + group.len();
        self.index += 1;
        Some(function)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // An entry takes at least eight bytes.
        let possible = (self.list.len().saturating_sub(self.position)) / 8;
        (0, Some(possible.min((self.count - self.index) as usize)))
    }
}
