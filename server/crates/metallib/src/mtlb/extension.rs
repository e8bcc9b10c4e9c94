//! The header extension and the dynamic header.

use super::Header;
use super::functions::Functions;
use super::tags::{LengthWidth, Tags};
use crate::bytes;
use crate::problem::{ProblemKind, Problems};

/// Linked libraries that are kept. A library names a few.
const MAX_LINKED_LIBRARIES: usize = 1024;

/// A range of the library, in bytes from its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Section {
    pub offset: u64,
    pub size: u64,
}

impl Section {
    /// The bytes of the section, if all of them exist.
    pub fn bytes<'a>(&self, library: &'a [u8]) -> Option<&'a [u8]> {
        bytes::range(library, self.offset, self.size)
    }

    fn from_payload(payload: &[u8]) -> Option<Section> {
        if payload.len() != 16 {
            return None;
        }
        Some(Section { offset: bytes::u64_le(payload, 0)?, size: bytes::u64_le(payload, 8)? })
    }
}

/// `HDYN`: the name of a library and the libraries that it is linked with. Executables of container 1.2.9 have one
/// too, so that it does not make a library dynamic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DynamicHeader {
    /// `NAME`: the install name.
    pub name: Option<String>,
    /// `DYNL`: the install names of the dynamic libraries that are needed at load time.
    pub linked_libraries: Vec<String>,
}

/// The header extension. Files for old OS releases have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extension<'a> {
    /// Whether there is an extension at all.
    pub is_present: bool,
    /// `HDYN`, read.
    pub dynamic_header: Option<DynamicHeader>,
    /// `VLST`: exported variables.
    pub exported_variables: Option<Section>,
    /// `ILST`: imported symbols.
    pub imported_symbols: Option<Section>,
    /// `HSRC` or `HSRD`: embedded sources.
    pub sources: Option<Section>,
    /// Whether the embedded sources name a working directory (`HSRD`).
    pub sources_have_directory: bool,
    /// `RLST`: reflection data.
    pub reflection_list: Option<Section>,
    /// `SLST`: pipeline descriptor scripts.
    pub script_list: Option<Section>,
    /// `UUID`.
    pub uuid: Option<&'a [u8; 16]>,
    /// Ids of tags that are not known.
    pub unknown_tags: Vec<[u8; 4]>,
}

impl<'a> Extension<'a> {
    pub(super) fn read(library: &'a [u8], header: &Header, problems: &mut Problems) -> Extension<'a> {
        let mut extension = Extension::default();
        let list = header.function_list;
        let Some(start) = list.offset.checked_add(list.size).and_then(|end| end.checked_add(4)) else {
            return extension;
        };
        let end = header.public_metadata.offset;
        if start >= end {
            return extension;
        }
        extension.is_present = true;
        let bytes = bytes::clipped_range(library, start, end - start);
        let mut tags = Tags::new(bytes, LengthWidth::Bits16);
        let mut dynamic_header = None;
        for tag in tags.by_ref() {
            let slot = match &tag.id {
                b"HDYN" => &mut dynamic_header,
                b"VLST" => &mut extension.exported_variables,
                b"ILST" => &mut extension.imported_symbols,
                b"HSRC" => &mut extension.sources,
                b"HSRD" => {
                    extension.sources_have_directory = true;
                    &mut extension.sources
                }
                b"RLST" => &mut extension.reflection_list,
                b"SLST" => &mut extension.script_list,
                b"UUID" => {
                    extension.uuid = tag.payload.try_into().ok();
                    continue;
                }
                _ => {
                    if extension.unknown_tags.len() < 16 {
                        extension.unknown_tags.push(tag.id);
                    }
                    continue;
                }
            };
            let id = String::from_utf8_lossy(&tag.id);
            let section = Section::from_payload(tag.payload);
            if section.is_none_or(|section| section.bytes(library).is_none()) {
                problems.add(ProblemKind::OutOfRange, start, format!("the section {id} reaches outside the file"));
            }
            *slot = section;
        }
        if !tags.is_complete() {
            problems.add(ProblemKind::Truncated, start, "the header extension ends before its tags do");
        }
        extension.dynamic_header = dynamic_header.map(|section| read_dynamic_header(library, section));
        extension
    }

    /// The exported variables (`VLST`).
    pub fn exported_variables(&self, library: &'a [u8]) -> Functions<'a> {
        list(library, self.exported_variables)
    }

    /// The imported symbols (`ILST`).
    pub fn imported_symbols(&self, library: &'a [u8]) -> Functions<'a> {
        list(library, self.imported_symbols)
    }
}

/// Reads a list whose stated size, unlike that of the function list, may include its count: reading four bytes more
/// does no harm, because the count of entries ends the list.
fn list(library: &[u8], section: Option<Section>) -> Functions<'_> {
    section.map_or_else(Functions::empty, |section| Functions::new(library, section))
}

fn read_dynamic_header(library: &[u8], section: Section) -> DynamicHeader {
    let mut header = DynamicHeader::default();
    let bytes = bytes::clipped_range(library, section.offset, section.size);
    for tag in Tags::new(bytes, LengthWidth::Bits16) {
        match &tag.id {
            b"NAME" => header.name = Some(bytes::c_string(tag.payload)),
            b"DYNL" if header.linked_libraries.len() < MAX_LINKED_LIBRARIES => {
                header.linked_libraries.push(bytes::c_string(tag.payload));
            }
            _ => {}
        }
    }
    header
}
