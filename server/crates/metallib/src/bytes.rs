//! Bounds-checked access to a byte slice.
//!
//! Every read in this crate goes through these functions, so that no offset, size or count found in a file can make it
//! read outside the input: what does not fit is `None`.

/// The bytes `offset .. offset + size` of `bytes`, if all of them exist.
pub(crate) fn range(bytes: &[u8], offset: u64, size: u64) -> Option<&[u8]> {
    let start = usize::try_from(offset).ok()?;
    let end = usize::try_from(offset.checked_add(size)?).ok()?;
    bytes.get(start..end)
}

/// Like [`range`], but keeps what exists of a range that runs past the end.
pub(crate) fn clipped_range(bytes: &[u8], offset: u64, size: u64) -> &[u8] {
    let length = bytes.len() as u64;
    let start = offset.min(length);
    let end = offset.saturating_add(size).min(length);
    range(bytes, start, end - start).unwrap_or_default()
}

fn array<const N: usize>(bytes: &[u8], offset: usize) -> Option<[u8; N]> {
    bytes.get(offset..)?.first_chunk::<N>().copied()
}

pub(crate) fn u8_at(bytes: &[u8], offset: usize) -> Option<u8> {
    bytes.get(offset).copied()
}

pub(crate) fn u16_le(bytes: &[u8], offset: usize) -> Option<u16> {
    array(bytes, offset).map(u16::from_le_bytes)
}

pub(crate) fn u32_le(bytes: &[u8], offset: usize) -> Option<u32> {
    array(bytes, offset).map(u32::from_le_bytes)
}

pub(crate) fn u64_le(bytes: &[u8], offset: usize) -> Option<u64> {
    array(bytes, offset).map(u64::from_le_bytes)
}

pub(crate) fn u32_be(bytes: &[u8], offset: usize) -> Option<u32> {
    array(bytes, offset).map(u32::from_be_bytes)
}

pub(crate) fn u64_be(bytes: &[u8], offset: usize) -> Option<u64> {
    array(bytes, offset).map(u64::from_be_bytes)
}

/// The bytes before the first NUL, or all of them when there is none.
pub(crate) fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// The text before the first NUL, with invalid UTF-8 replaced.
pub(crate) fn c_string(bytes: &[u8]) -> String {
    String::from_utf8_lossy(until_nul(bytes)).into_owned()
}

/// Bytes that are kept of a text that many places may share, such as a path: four times `PATH_MAX` of Apple's systems.
/// Without a limit, a file could make a reader copy the same megabyte once for each of its functions.
const MAX_SHARED_TEXT: usize = 4096;

/// At most [`MAX_SHARED_TEXT`] bytes, as text with invalid UTF-8 replaced.
pub(crate) fn short_text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_SHARED_TEXT)]).into_owned()
}

/// At most [`MAX_SHARED_TEXT`] bytes before the first NUL, as text with invalid UTF-8 replaced.
pub(crate) fn short_c_string(bytes: &[u8]) -> String {
    c_string(&bytes[..bytes.len().min(MAX_SHARED_TEXT)])
}
