//! Groups of tags.

use crate::bytes;

/// A tag: its id and payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    pub(super) id: [u8; 4],
    pub(super) payload: &'a [u8],
}

/// How wide the length of a tag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LengthWidth {
    Bits16,
    /// Only `SARC` tags, because an archive easily exceeds 64 kB.
    Bits32,
}

/// The tags of a group, up to `ENDT` or the end of the bytes.
#[derive(Clone, Debug)]
pub(super) struct Tags<'a> {
    bytes: &'a [u8],
    position: usize,
    width: LengthWidth,
    /// Whether the last call found `ENDT`, rather than the end of the bytes.
    ended: bool,
}

impl<'a> Tags<'a> {
    pub(super) fn new(bytes: &'a [u8], width: LengthWidth) -> Tags<'a> {
        Tags { bytes, position: 0, width, ended: false }
    }

    /// Whether the group was ended by `ENDT`.
    pub(super) fn is_complete(&self) -> bool {
        self.ended
    }

    /// How many bytes have been read.
    pub(super) fn position(&self) -> usize {
        self.position
    }
}

impl<'a> Iterator for Tags<'a> {
    type Item = Tag<'a>;

    fn next(&mut self) -> Option<Tag<'a>> {
        if self.ended {
            return None;
        }
        let id = *self.bytes.get(self.position..)?.first_chunk::<4>()?;
        if &id == b"ENDT" {
            self.ended = true;
            self.position += 4;
            return None;
        }
        let (start, length) = match self.width {
            LengthWidth::Bits16 => (self.position + 6, u64::from(bytes::u16_le(self.bytes, self.position + 4)?)),
            LengthWidth::Bits32 => (self.position + 8, u64::from(bytes::u32_le(self.bytes, self.position + 4)?)),
        };
        let payload = bytes::range(self.bytes, start as u64, length)?;
        self.position = start + payload.len();
        Some(Tag { id, payload })
    }
}
