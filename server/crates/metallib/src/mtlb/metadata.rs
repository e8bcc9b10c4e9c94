//! Private metadata of a function: where it was written.

use super::tags::{LengthWidth, Tags};
use super::{Function, Library, Section};
use crate::bytes;

/// Tags of a group that are looked at. A group has a handful; many functions may point at one long group.
const MAX_TAGS: usize = 32;

/// Where a function was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceReference {
    /// The path of the source as the compiler was given it, and the line of the function, from 1 (`DEBI`).
    pub source: Option<(String, u32)>,
    /// The `.air` file that the function was linked from (`DEPF`).
    pub object: Option<String>,
}

impl<'a> Library<'a> {
    /// Where a function was written. Present only in libraries that were compiled with debug information.
    pub fn source_reference(&self, function: &Function<'_>) -> Option<SourceReference> {
        let section = self.header?.private_metadata;
        let mut result = SourceReference { source: None, object: None };
        for tag in self.metadata(section, function.offsets?.private_metadata).take(MAX_TAGS) {
            match &tag.id {
                b"DEBI" if result.source.is_none() => {
                    let line = bytes::u32_le(tag.payload, 0);
                    result.source = tag.payload.get(4..).map(bytes::short_c_string).zip(line);
                }
                b"DEPF" if result.object.is_none() => result.object = Some(bytes::short_c_string(tag.payload)),
                _ => {}
            }
        }
        (result.source.is_some() || result.object.is_some()).then_some(result)
    }

    fn metadata(&self, section: Section, offset: u64) -> Tags<'a> {
        let section = bytes::clipped_range(self.bytes, section.offset, section.size);
        let size = usize::try_from(offset).ok().and_then(|offset| bytes::u32_le(section, offset)).unwrap_or(0);
        // Unlike in the function list, the size does not count itself.
        let group = bytes::clipped_range(section, offset.saturating_add(4), size.into());
        Tags::new(group, LengthWidth::Bits16)
    }
}
