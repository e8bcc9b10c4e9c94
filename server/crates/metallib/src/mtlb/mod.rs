//! MTLB, the container of `.metallib` files.
//!
//! A fixed header of 88 bytes names four sections: the *function list*, *public metadata*, *private metadata* and the
//! *bitcode*. Lists consist of *groups* of *tags*; a tag is a four-letter id, a 16-bit length and a payload, and `ENDT`,
//! which has no length, ends a group. Between the function list and the public metadata newer files have the *header
//! extension*, one more group of tags, which names further sections (dynamic header, embedded sources, reflection).
//!
//! [`read_library`] reads the header and the extension. Functions are read when [`Library::functions`] is iterated, and
//! their bitcode when [`Library::read_module`] is called, so that opening a file of any size takes the same time.

mod extension;
mod functions;
mod metadata;
mod modules;
mod sources;
mod tags;

use std::fmt;

pub use extension::{DynamicHeader, Extension, Section};
pub use functions::{Defect, Function, FunctionKind, Functions};
pub use metadata::SourceReference;
pub use modules::{HashCheck, ModuleList, ModuleRange};
pub use sources::{EmbeddedSources, SourceArchive};

use crate::bytes;
use crate::problem::{ProblemKind, Problems};

pub(crate) const MAGIC: &[u8] = b"MTLB";
pub(crate) const HEADER_SIZE: u64 = 88;

/// The version of the container format, such as 1.2.9. It follows the OS release that the library was built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContainerVersion {
    pub major: u16,
    pub minor: u16,
    pub patch: u16,
}

impl fmt::Display for ContainerVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// What kind of library a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileType {
    Executable,
    CoreImage,
    DynamicLibrary,
    /// A `.metallibsym` file, which holds sources and debug information.
    SymbolCompanion,
    Other(u8),
}

impl fmt::Display for FileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileType::Executable => f.write_str("executable"),
            FileType::CoreImage => f.write_str("Core Image library"),
            FileType::DynamicLibrary => f.write_str("dynamic library"),
            FileType::SymbolCompanion => f.write_str("symbol companion"),
            FileType::Other(code) => write!(f, "file type {code}"),
        }
    }
}

/// The platform that a library was built for, numbered as in Mach-O. Files older than container 1.2.6 do not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Platform(pub u8);

impl Platform {
    /// Apple's name of the platform, if the number is known.
    pub const fn name(self) -> Option<&'static str> {
        Some(match self.0 {
            1 => "macOS",
            2 => "iOS",
            3 => "tvOS",
            4 => "watchOS",
            5 => "bridgeOS",
            6 => "Mac Catalyst",
            7 => "iOS Simulator",
            8 => "tvOS Simulator",
            9 => "watchOS Simulator",
            10 => "DriverKit",
            11 => "visionOS",
            12 => "visionOS Simulator",
            _ => return None,
        })
    }
}

/// A version of an operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OsVersion {
    pub major: u16,
    pub minor: u8,
    pub update: u8,
}

impl fmt::Display for OsVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.update)
    }
}

/// The fixed header of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub version: ContainerVersion,
    /// Whether the library is for macOS, as opposed to iOS and its relatives.
    pub is_macos: bool,
    pub file_type: FileType,
    /// Whether the library has interfaces only.
    pub is_stub: bool,
    pub platform: Platform,
    pub is_64_bit: bool,
    /// The deployment target; zero in files older than container 1.2.6.
    pub deployment_target: OsVersion,
    /// The size of the file, in bytes, as the file states it.
    pub file_size: u64,
    /// The stated size excludes the count in front of the functions.
    pub function_list: Section,
    pub public_metadata: Section,
    pub private_metadata: Section,
    pub bitcode: Section,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Header> {
        let word = |offset| bytes::u16_le(bytes, offset);
        let section =
            |offset| Some(Section { offset: bytes::u64_le(bytes, offset)?, size: bytes::u64_le(bytes, offset + 8)? });
        let major = word(4)?;
        let kind = bytes::u8_at(bytes, 10)?;
        let platform = bytes::u8_at(bytes, 11)?;
        Some(Header {
            version: ContainerVersion { major: major & 0x7FFF, minor: word(6)?, patch: word(8)? },
            is_macos: major & 0x8000 != 0,
            file_type: match kind & 0x7F {
                0 => FileType::Executable,
                1 => FileType::CoreImage,
                2 => FileType::DynamicLibrary,
                3 => FileType::SymbolCompanion,
                other => FileType::Other(other),
            },
            is_stub: kind & 0x80 != 0,
            platform: Platform(platform & 0x7F),
            is_64_bit: platform & 0x80 != 0,
            deployment_target: OsVersion {
                major: word(12)?,
                minor: bytes::u8_at(bytes, 14)?,
                update: bytes::u8_at(bytes, 15)?,
            },
            file_size: bytes::u64_le(bytes, 16)?,
            function_list: section(24)?,
            public_metadata: section(40)?,
            private_metadata: section(56)?,
            bitcode: section(72)?,
        })
    }
}

/// An open library.
#[derive(Clone, Debug)]
pub struct Library<'a> {
    /// The bytes of the library, cut to the size that its header states.
    pub(crate) bytes: &'a [u8],
    /// `None` when the input is shorter than a header.
    pub header: Option<Header>,
    pub extension: Extension<'a>,
    /// What is wrong with the header and the extension.
    pub problems: Problems,
}

/// The bytes of the library that starts here, if its version is known and all its sections lie inside it. For finding
/// libraries among other data; takes constant time.
pub(crate) fn plausible_library(bytes: &[u8]) -> Option<&[u8]> {
    let header = Header::read(bytes).filter(|_| bytes.starts_with(MAGIC))?;
    let library = bytes::range(bytes, 0, header.file_size)?;
    let sections = [header.function_list, header.public_metadata, header.private_metadata, header.bitcode];
    let is_inside = |section: Section| section.offset >= HEADER_SIZE && section.bytes(library).is_some();
    let is_known = header.version.major == 1 && header.version.minor == 2;
    (is_known && sections.into_iter().all(is_inside)).then_some(library)
}

/// Opens a library.
pub fn read_library(bytes: &[u8]) -> Library<'_> {
    let mut problems = Problems::default();
    let header = Header::read(bytes);
    let Some(fields) = header.filter(|_| bytes.starts_with(MAGIC)) else {
        problems.add(ProblemKind::Truncated, 0, "the file is too short for the header of a metallib");
        return Library { bytes, header: None, extension: Extension::default(), problems };
    };
    let length = bytes.len() as u64;
    if fields.file_size > length {
        let message = format!("the header states {} bytes, the file has {length}", fields.file_size);
        problems.add(ProblemKind::Truncated, 16, message);
    } else if fields.file_size < length {
        let message = format!("{} bytes follow the end that the header states", length - fields.file_size);
        problems.add(ProblemKind::Inconsistent, 16, message);
    }
    let bytes = bytes::clipped_range(bytes, 0, fields.file_size.max(HEADER_SIZE));
    if fields.version.major != 1 || fields.version.minor != 2 {
        problems.add(ProblemKind::Unsupported, 4, format!("container version {} is not known", fields.version));
    }
    let sections = [
        ("function list", fields.function_list, 24),
        ("public metadata", fields.public_metadata, 40),
        ("private metadata", fields.private_metadata, 56),
        ("bitcode", fields.bitcode, 72),
    ];
    for (name, section, offset) in sections {
        if section.offset < HEADER_SIZE || section.bytes(bytes).is_none() {
            problems.add(ProblemKind::OutOfRange, offset, format!("the {name} reaches outside the file"));
        }
    }
    let extension = Extension::read(bytes, &fields, &mut problems);
    Library { bytes, header, extension, problems }
}

impl<'a> Library<'a> {
    /// The bytes of the library, cut to the size that its header states.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// How many functions the library says it has.
    pub fn declared_function_count(&self) -> u32 {
        let list = self.header.map(|header| header.function_list.offset);
        let list = list.and_then(|offset| usize::try_from(offset).ok());
        list.and_then(|offset| bytes::u32_le(self.bytes, offset)).unwrap_or(0)
    }

    /// The functions, read one by one.
    pub fn functions(&self) -> Functions<'a> {
        match self.header {
            Some(header) => Functions::new(self.bytes, header.function_list),
            None => Functions::empty(),
        }
    }
}
