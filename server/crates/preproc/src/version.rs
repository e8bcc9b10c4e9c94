//! Language versions: what `-std=` names.

use std::fmt;

/// The platform family that a language version belongs to.
///
/// From Metal 3.0 on the language is the same everywhere and `-std` names no platform; feature macros and
/// since-versions below 3.0 differ between the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Platform {
    MacOs,
    Ios,
}

/// A version of the language together with the platform family it is judged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LanguageVersion {
    pub major: u8,
    pub minor: u8,
    pub platform: Platform,
}

impl LanguageVersion {
    /// The version assumed where nothing says which one a file is built for.
    pub const DEFAULT: LanguageVersion = LanguageVersion::new(4, 0, Platform::MacOs);

    pub const fn new(major: u8, minor: u8, platform: Platform) -> LanguageVersion {
        LanguageVersion { major, minor, platform }
    }

    /// Whether this version is `major.minor` or newer.
    pub const fn at_least(self, major: u8, minor: u8) -> bool {
        self.major > major || (self.major == major && self.minor >= minor)
    }

    /// Whether pointers without an address space are generic (MSL 4.1 and later).
    pub const fn has_generic_pointers(self) -> bool {
        self.at_least(4, 1)
    }

    /// The value of `__METAL_VERSION__` (MSL spec §1.6.2): major · 100 + minor · 10.
    pub const fn macro_value(self) -> u32 {
        self.major as u32 * 100 + self.minor as u32 * 10
    }

    /// The value of `__cplusplus` for this version's C++ base.
    pub const fn cplusplus(self) -> u32 {
        match self.major {
            0 | 1 => 201103,
            2 | 3 => 201402,
            _ => 201703,
        }
    }

    /// Reads a `-std=` value: `metal3.1`, `macos-metal2.4`, `ios-metal2.3`, `osx-metal1.2`, with or without a
    /// leading `-std=`. Versions that no compiler has give `None`, and so do bare names below 3.0.
    pub fn parse(text: &str) -> Option<LanguageVersion> {
        let text = text.trim();
        let text = text.strip_prefix("-std=").unwrap_or(text);
        let (prefix, version) = text.split_once("metal")?;
        let platform = match prefix {
            "" => None,
            "macos-" | "osx-" => Some(Platform::MacOs),
            "ios-" | "tvos-" | "watchos-" => Some(Platform::Ios),
            _ => return None,
        };
        let (major, minor) = version.split_once('.')?;
        let (major, minor) = (major.parse::<u8>().ok()?, minor.parse::<u8>().ok()?);
        let known = matches!((major, minor), (1, 0..=2) | (2, 0..=4) | (3, 0..=2) | (4, 0..=1));
        if !known || (platform.is_none() && major < 3) {
            return None;
        }
        Some(LanguageVersion::new(major, minor, platform.unwrap_or(Platform::MacOs)))
    }
}

impl fmt::Display for LanguageVersion {
    /// Writes the `-std` spelling: `metal4.1`, `macos-metal2.4`, `ios-metal2.3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.major < 3 {
            f.write_str(match self.platform {
                Platform::MacOs => "macos-",
                Platform::Ios => "ios-",
            })?;
        }
        write!(f, "metal{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_the_compiler() {
        for text in ["metal4.1", "metal3.0", "macos-metal2.4", "ios-metal1.0"] {
            assert_eq!(LanguageVersion::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(LanguageVersion::parse("-std=osx-metal1.2").unwrap().to_string(), "macos-metal1.2");
        for text in ["metal2.4", "metal3.3", "c++17", "metal", "metal4"] {
            assert_eq!(LanguageVersion::parse(text), None, "{text}");
        }
    }
}
