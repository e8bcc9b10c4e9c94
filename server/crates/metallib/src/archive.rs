//! `ar` archives, as written by `metal-ar` and `metal-libtool -static`.
//!
//! A member has a 60-byte header and is padded to an even size. Long names come in two dialects: BSD writes `#1/12` and
//! puts the name in front of the contents; GNU writes `/34`, an offset into the member `//`. The symbol tables (`/`,
//! `/SYM64/`, `__.SYMDEF…`) are not members in this sense and are left out. A *thin* archive names files instead of
//! holding them.

use crate::bytes;
use crate::problem::{ProblemKind, Problems};

pub(crate) const MAGIC: &[u8] = b"!<arch>\n";
pub(crate) const THIN_MAGIC: &[u8] = b"!<thin>\n";

const HEADER_SIZE: u64 = 60;

/// Bytes of a name that are kept. Many members may refer to one long name.
const MAX_NAME: usize = 1024;

/// A member of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member<'a> {
    pub(crate) name: String,
    /// Where the contents start, in bytes from the start of the archive.
    pub(crate) offset: u64,
    /// The contents; empty in a thin archive.
    pub(crate) bytes: &'a [u8],
}

/// The members of an archive, at most `limit` of them.
pub(crate) fn members<'a>(archive: &'a [u8], limit: usize, problems: &mut Problems) -> Vec<Member<'a>> {
    let is_thin = archive.starts_with(THIN_MAGIC);
    let mut result = Vec::new();
    let mut long_names: &[u8] = &[];
    let mut position = MAGIC.len() as u64;
    if is_thin {
        problems.add(ProblemKind::Unsupported, 0, "a thin archive only names its members");
    }
    while position < archive.len() as u64 {
        let Some(header) = bytes::range(archive, position, HEADER_SIZE) else {
            problems.add(ProblemKind::Truncated, position, "the archive ends inside the header of a member");
            break;
        };
        let (name, size) = (&header[..16], decimal(&header[48..58]));
        let (Some(size), [b'`', b'\n']) = (size, &header[58..60]) else {
            problems.add(ProblemKind::Malformed, position, "a member has no valid header");
            break;
        };
        let start = position + HEADER_SIZE;
        let name = name.trim_ascii_end();
        let is_table = matches!(name, b"/" | b"//" | b"/SYM64/") || name.starts_with(b"__.SYMDEF");
        let is_stored = !is_thin || is_table;
        let contents = if is_stored { bytes::clipped_range(archive, start, size) } else { &[] };
        if is_stored && (contents.len() as u64) < size {
            problems.add(ProblemKind::Truncated, position, "the archive ends inside a member");
        }
        position = start.saturating_add(if is_stored { size.saturating_add(size % 2) } else { 0 });
        if name == b"//" {
            long_names = contents;
        }
        if is_table {
            continue;
        }
        let (name, name_size) = member_name(name, contents, long_names);
        if name.starts_with("__.SYMDEF") {
            continue;
        }
        if result.len() == limit {
            problems.add(ProblemKind::LimitReached, start, "the archive has more members than are read");
            break;
        }
        let bytes = contents.get(name_size..).unwrap_or_default();
        result.push(Member { name, offset: start + name_size as u64, bytes });
    }
    result
}

/// The name of a member, and how many bytes of its contents belong to the name.
fn member_name(field: &[u8], contents: &[u8], long_names: &[u8]) -> (String, usize) {
    if let Some(size) = field.strip_prefix(b"#1/").and_then(decimal) {
        let size = usize::try_from(size).unwrap_or(usize::MAX).min(contents.len());
        return (bytes::c_string(&contents[..size.min(MAX_NAME)]), size);
    }
    if let Some(offset) = field.strip_prefix(b"/").filter(|rest| !rest.is_empty()).and_then(decimal) {
        let rest = usize::try_from(offset).ok().and_then(|offset| long_names.get(offset..)).unwrap_or_default();
        let rest = &rest[..rest.len().min(MAX_NAME)];
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let name = rest[..end].strip_suffix(b"/").unwrap_or(&rest[..end]);
        return (String::from_utf8_lossy(name).into_owned(), 0);
    }
    let name = field.strip_suffix(b"/").unwrap_or(field);
    (String::from_utf8_lossy(name).into_owned(), 0)
}

fn decimal(field: &[u8]) -> Option<u64> {
    std::str::from_utf8(field.trim_ascii()).ok()?.parse().ok()
}
