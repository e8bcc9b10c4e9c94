//! Universal ("fat") files: one file that holds a slice for each architecture.
//!
//! GPU binaries use the magic number `0xCBFEBABE`, ordinary Mach-O files `0xCAFEBABE` (or `0xCAFEBABF` with 64-bit
//! offsets); all fields are big-endian. The slice for the architecture AIR64 is a whole metallib; the slices for real
//! GPUs are Mach-O files with machine code.

use crate::bytes;
use crate::problem::{ProblemKind, Problems};

const GPU_MAGIC: u32 = 0xCBFE_BABE;
const MACH_O_MAGIC: u32 = 0xCAFE_BABE;
const MACH_O_64_MAGIC: u32 = 0xCAFE_BABF;

/// A universal file has a handful of slices. Java class files share the magic number and have their version, at least
/// 45, in the place of the count.
const MAX_SLICES: u32 = 44;

/// CPU type of AIR64: the slice is a metallib.
const CPU_TYPE_AIR64: u32 = 0x0100_0017;

/// A slice of a universal file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slice<'a> {
    pub(crate) cpu_type: u32,
    pub(crate) cpu_subtype: u32,
    /// Where the slice starts, in bytes from the start of the file.
    pub(crate) offset: u64,
    pub(crate) bytes: &'a [u8],
}

impl Slice<'_> {
    /// A readable name of the architecture.
    pub(crate) fn architecture(&self) -> String {
        let subtype = self.cpu_subtype & 0x00FF_FFFF;
        match self.cpu_type {
            CPU_TYPE_AIR64 => match air_suffix(subtype) {
                Some(suffix) => format!("air64_{suffix}"),
                None => format!("air64 (subtype {subtype})"),
            },
            0x0100_0013 => format!("applegpu (subtype {subtype:#x})"),
            0x0100_0014 => format!("amdgpu (subtype {subtype:#x})"),
            0x0100_0015 => format!("intelgpu (subtype {subtype:#x})"),
            0x0000_0007 => "i386".to_owned(),
            0x0100_0007 => "x86_64".to_owned(),
            0x0000_000C => "arm".to_owned(),
            0x0100_000C => if subtype == 2 { "arm64e" } else { "arm64" }.to_owned(),
            cpu_type => format!("cpu {cpu_type:#010x} (subtype {subtype:#x})"),
        }
    }
}

/// The version suffix that a triple would carry. Subtypes from 11 on go on in steps of one; 12 as `v28` was seen in
/// real files.
fn air_suffix(subtype: u32) -> Option<&'static str> {
    const NAMES: [&str; 13] =
        ["v16", "v18", "v111", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29"];
    NAMES.get(usize::try_from(subtype).ok()?.checked_sub(1)?).copied()
}

/// Whether the bytes start with the header of a universal file.
pub(crate) fn is_fat(bytes: &[u8]) -> bool {
    matches!(bytes::u32_be(bytes, 0), Some(GPU_MAGIC | MACH_O_MAGIC | MACH_O_64_MAGIC))
        && bytes::u32_be(bytes, 4).is_some_and(|count| count <= MAX_SLICES)
}

/// The slices of a universal file.
pub(crate) fn slices<'a>(file: &'a [u8], problems: &mut Problems) -> Vec<Slice<'a>> {
    let is_64_bit = bytes::u32_be(file, 0) == Some(MACH_O_64_MAGIC);
    let entry_size = if is_64_bit { 32 } else { 20 };
    let count = bytes::u32_be(file, 4).unwrap_or(0).min(MAX_SLICES);
    let mut result: Vec<Slice<'a>> = Vec::new();
    for index in 0..count as usize {
        let at = 8 + index * entry_size;
        let word = |field: usize| bytes::u32_be(file, at + field).map(u64::from);
        let (offset, size) = match is_64_bit {
            true => (bytes::u64_be(file, at + 8), bytes::u64_be(file, at + 16)),
            false => (word(8), word(12)),
        };
        let (Some(cpu_type), Some(cpu_subtype), Some(offset), Some(size)) =
            (bytes::u32_be(file, at), bytes::u32_be(file, at + 4), offset, size)
        else {
            problems.add(ProblemKind::Truncated, at as u64, "the file ends inside the list of slices");
            break;
        };
        if bytes::range(file, offset, size).is_none() {
            problems.add(ProblemKind::OutOfRange, at as u64, format!("slice {index} reaches past the end of the file"));
        }
        let bytes = bytes::clipped_range(file, offset, size);
        let end = offset.saturating_add(bytes.len() as u64);
        let overlaps = |other: &Slice<'_>| offset < other.offset + other.bytes.len() as u64 && other.offset < end;
        if !bytes.is_empty() && result.iter().any(overlaps) {
            problems.add(ProblemKind::Malformed, at as u64, format!("slice {index} overlaps another slice"));
            continue;
        }
        result.push(Slice { cpu_type, cpu_subtype, offset, bytes });
    }
    result
}
