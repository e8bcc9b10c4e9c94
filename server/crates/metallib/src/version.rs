//! Versions of AIR and of the Metal Shading Language, and the side of the 4.1 boundary that a version stands on.

use std::fmt;

/// The first language version whose mangled names and pointer conventions differ from those before it.
pub const FIRST_VERSION_OF_NEW_ABI: Version = Version::new(4, 1);

/// The oldest AIR that can hold a function of language version 4.1 (AIR 2.9 belongs to OS 27).
pub const FIRST_AIR_OF_NEW_ABI: Version = Version::new(2, 9);

/// A `major.minor` version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
}

impl Version {
    pub const fn new(major: u32, minor: u32) -> Version {
        Version { major, minor }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// What the `VERS` tag of a metallib function states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionVersions {
    /// The version of AIR, Apple's LLVM dialect.
    pub air: Version,
    /// The version of the Metal Shading Language (`-std`).
    pub language: Version,
}

impl fmt::Display for FunctionVersions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AIR {}, MSL {}", self.air, self.language)
    }
}

/// On which side of the ABI change of Metal 4.1 something stands. Linking both sides together is undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// Language version 4.0 or older.
    Before41,
    /// Language version 4.1 or newer.
    From41,
    /// The file does not say, or contradicts itself.
    Unknown,
}

impl Side {
    /// The side of a language version.
    pub fn of_language(version: Version) -> Side {
        if version >= FIRST_VERSION_OF_NEW_ABI { Side::From41 } else { Side::Before41 }
    }

    /// The word used in JSON output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Side::Before41 => "before-4.1",
            Side::From41 => "4.1-or-later",
            Side::Unknown => "unknown",
        }
    }
}
