//! Embedded sources (`-frecord-sources`): the command that linked the library and archives of its sources.

use super::tags::{LengthWidth, Tags};
use super::{Function, Library};
use crate::bytes;

/// Archives that are kept. There is one for each `.air` file.
const MAX_ARCHIVES: usize = 1 << 14;

/// The embedded sources of a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbeddedSources<'a> {
    /// The command line of the linker, or only its options in old files.
    pub link_command: String,
    /// The directory in which the command ran.
    pub working_directory: Option<String>,
    /// In the order of the file, so that their offsets ascend.
    pub archives: Vec<SourceArchive<'a>>,
}

/// The archive of the sources of one `.air` file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceArchive<'a> {
    /// Where the archive starts, as the `SOFF` tag of a function counts it.
    pub offset: u64,
    /// The archive's name.
    pub id: &'a [u8],
    /// A bzip2-compressed archive, padded with zeros.
    pub compressed: &'a [u8],
}

impl<'a> Library<'a> {
    /// The embedded sources. They are not unpacked.
    pub fn embedded_sources(&self) -> Option<EmbeddedSources<'a>> {
        let section = self.extension.sources?;
        let bytes = bytes::clipped_range(self.bytes, section.offset, section.size);
        let count = bytes::u32_le(bytes, 0)?;
        let mut position = 4;
        let mut string = || {
            let text = bytes::until_nul(bytes.get(position..).unwrap_or_default());
            position += text.len() + 1;
            String::from_utf8_lossy(text).into_owned()
        };
        let link_command = string();
        let working_directory = self.extension.sources_have_directory.then(&mut string);
        let mut archives = Vec::new();
        for _ in 0..count.min(MAX_ARCHIVES as u32) {
            // Here, the size of a group does not count itself.
            let Some(size) = bytes::u32_le(bytes, position).map(u64::from) else { break };
            let start = position as u64 + 4;
            let group = bytes::clipped_range(bytes, start, size);
            if let Some(tag) = Tags::new(group, LengthWidth::Bits32).find(|tag| &tag.id == b"SARC") {
                let id = bytes::until_nul(tag.payload);
                let compressed = tag.payload.get(id.len() + 1..).unwrap_or_default();
                archives.push(SourceArchive { offset: start, id, compressed });
            }
            if group.is_empty() {
                break;
            }
            position = position + 4 + group.len();
        }
        Some(EmbeddedSources { link_command, working_directory, archives })
    }
}

impl<'a> EmbeddedSources<'a> {
    /// The archive that a function's source is in.
    pub fn archive_of(&self, function: &Function<'_>) -> Option<&SourceArchive<'a>> {
        let offset = function.source_offset?;
        let index = self.archives.binary_search_by_key(&offset, |archive| archive.offset).ok()?;
        self.archives.get(index)
    }
}
