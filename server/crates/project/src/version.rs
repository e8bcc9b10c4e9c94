//! Which language version a deployment target stands for.
//!
//! Without `-std` the compiler takes the newest version that the deployment target's operating system knows. The table
//! was checked against binaries that were compiled with a deployment target alone, up to 26.

use msl_metallib::{FIRST_VERSION_OF_NEW_ABI, Side, Version};
use msl_preproc::{LanguageVersion, Platform};

/// The side of the 4.1 boundary that a version stands on.
pub fn side_of(version: Option<LanguageVersion>) -> Side {
    version.map_or(Side::Unknown, |version| {
        Side::of_language(Version::new(u32::from(version.major), u32::from(version.minor)))
    })
}

/// An operating system that Metal runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum System {
    MacOs,
    Ios,
    TvOs,
    VisionOs,
}

impl System {
    pub const fn as_str(self) -> &'static str {
        match self {
            System::MacOs => "macOS",
            System::Ios => "iOS",
            System::TvOs => "tvOS",
            System::VisionOs => "visionOS",
        }
    }

    /// The system with a name as it stands in triples, SDK names and options: `macosx`, `ios`, `iphonesimulator`, `xros`.
    pub(crate) fn parse(name: &str) -> Option<System> {
        let name = name.to_ascii_lowercase();
        let name = name.trim_end_matches("-simulator").trim_end_matches("simulator");
        Some(match name {
            "macos" | "macosx" | "osx" | "maccatalyst" => System::MacOs,
            "ios" | "iphoneos" | "iphone" | "ipados" => System::Ios,
            "tvos" | "appletvos" | "appletv" => System::TvOs,
            "visionos" | "xros" | "xr" => System::VisionOs,
            _ => return None,
        })
    }
}

/// The oldest system that something is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeploymentTarget {
    pub system: System,
    pub major: u16,
    pub minor: u16,
}

impl std::fmt::Display for DeploymentTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}.{}", self.system.as_str(), self.major, self.minor)
    }
}

impl DeploymentTarget {
    /// Reads `14`, `14.0` or `10.15.7`.
    pub(crate) fn parse(system: System, text: &str) -> Option<DeploymentTarget> {
        let mut parts = text.trim().split('.');
        let major = parts.next()?.parse().ok()?;
        let minor = parts.next().map_or(Some(0), |minor| minor.parse().ok())?;
        Some(DeploymentTarget { system, major, minor })
    }

    /// Reads the system of a triple: `air64_v28-apple-macosx26.0.0`.
    pub(crate) fn of_triple(triple: &str) -> Option<DeploymentTarget> {
        triple.split('-').find_map(|part| {
            let digits = part.find(|c: char| !c.is_ascii_alphabetic())?;
            DeploymentTarget::parse(System::parse(part.get(..digits)?)?, part.get(digits..)?)
        })
    }

    /// The language version of a compile that states none. `None` for systems older than Metal and newer than the table.
    pub fn default_version(self) -> Option<LanguageVersion> {
        let platform = if self.system == System::MacOs { Platform::MacOs } else { Platform::Ios };
        let version = |major, minor| Some(LanguageVersion::new(major, minor, platform));
        // Since 26 all systems count alike; iOS and tvOS are three ahead of macOS before, and visionOS began at macOS 14.
        let generation = match (self.system, self.major) {
            (_, 26..) => self.major,
            (System::MacOs, 10) => {
                return match self.minor {
                    11 => version(1, 1),
                    12 => version(1, 2),
                    13 => version(2, 0),
                    14 => version(2, 1),
                    15 => version(2, 2),
                    16 => version(2, 3),
                    _ => None,
                };
            }
            (System::MacOs, 11..=15) => self.major,
            (System::Ios | System::TvOs, 14..=18) => self.major - 3,
            (System::Ios | System::TvOs, 8..=13) => {
                return match self.major {
                    8 => version(1, 0),
                    9 => version(1, 1),
                    10 => version(1, 2),
                    11 => version(2, 0),
                    12 => version(2, 1),
                    _ => version(2, 2),
                };
            }
            (System::VisionOs, 1..=2) => self.major + 13,
            _ => return None,
        };
        match generation {
            11 => version(2, 3),
            12 => version(2, 4),
            13 => version(3, 0),
            14 => version(3, 1),
            15 => version(3, 2),
            26 => version(4, 0),
            27 => version(4, 1),
            _ => None,
        }
    }

    /// The target that a compile gets: a version that needs a newer system raises a lower target without a word.
    pub(crate) fn raised_for(self, std: Option<LanguageVersion>) -> DeploymentTarget {
        let macos = match std.map(|std| (std.major, std.minor)) {
            Some((4.., minor)) => 26 + u16::from(minor),
            Some((3, 2)) => 15,
            Some((3, 1)) => 14,
            _ => return self,
        };
        let major = match self.system {
            _ if macos >= 26 => macos,
            System::MacOs => macos,
            System::Ios | System::TvOs => macos + 3,
            System::VisionOs => macos - 13,
        };
        if self.major >= major { self } else { DeploymentTarget { major, minor: 0, ..self } }
    }

    /// The first release of each system that loads code of the new side.
    pub(crate) fn loads_new_side(self) -> bool {
        self.major >= 27
    }
}

/// A version that an `MTLLanguageVersion` raw value stands for: (major << 16) + minor.
pub(crate) fn from_raw(value: i128) -> Option<LanguageVersion> {
    let (major, minor) = (value >> 16, value & 0xFFFF);
    from_numbers(u8::try_from(major).ok()?, u8::try_from(minor).ok()?)
}

/// A version that exists. Where the platform matters, macOS is meant.
pub(crate) fn from_numbers(major: u8, minor: u8) -> Option<LanguageVersion> {
    let prefix = if major < 3 { "macos-" } else { "" };
    LanguageVersion::parse(&format!("{prefix}metal{major}.{minor}"))
}

/// Reads a value of Xcode's `MTL_LANGUAGE_REVISION`: `Metal41`, `iOSMetal10`. `UseDeploymentTarget` is none.
pub(crate) fn from_revision(text: &str, system: Option<System>) -> Option<LanguageVersion> {
    let ios_only = text.starts_with("iOS");
    let digits = text.strip_prefix("iOS").unwrap_or(text).strip_prefix("Metal")?.as_bytes();
    let [major @ b'0'..=b'9', minor @ b'0'..=b'9'] = digits else { return None };
    let mut version = from_numbers(major - b'0', minor - b'0')?;
    if version.major < 3 && (ios_only || system.is_some_and(|system| system != System::MacOs)) {
        version.platform = Platform::Ios;
    }
    Some(version)
}

/// The boundary in words.
pub(crate) fn boundary() -> Version {
    FIRST_VERSION_OF_NEW_ABI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_of_deployment_targets() {
        for (system, text, expected) in [
            (System::MacOs, "10.15.7", "macos-metal2.2"),
            (System::MacOs, "11", "macos-metal2.3"),
            (System::MacOs, "14.0", "metal3.1"),
            (System::MacOs, "26.2", "metal4.0"),
            (System::MacOs, "27.0", "metal4.1"),
            (System::Ios, "12.4", "ios-metal2.1"),
            (System::Ios, "17.0", "metal3.1"),
            (System::Ios, "26", "metal4.0"),
            (System::VisionOs, "1.0", "metal3.1"),
            (System::VisionOs, "27.0", "metal4.1"),
        ] {
            let version = DeploymentTarget::parse(system, text).unwrap().default_version();
            assert_eq!(version.map(|version| version.to_string()).as_deref(), Some(expected), "{system:?} {text}");
        }
        for text in ["10.9", "19", "28.0"] {
            assert_eq!(DeploymentTarget::parse(System::MacOs, text).unwrap().default_version(), None, "{text}");
        }
        assert_eq!(DeploymentTarget::parse(System::MacOs, "$(X)"), None);
    }

    #[test]
    fn revisions_and_raw_values() {
        assert_eq!(from_revision("Metal41", None).unwrap().to_string(), "metal4.1");
        assert_eq!(from_revision("Metal24", Some(System::Ios)).unwrap().to_string(), "ios-metal2.4");
        assert_eq!(from_revision("iOSMetal10", None).unwrap().to_string(), "ios-metal1.0");
        assert_eq!(from_revision("UseDeploymentTarget", None), None);
        assert_eq!(from_raw((4 << 16) + 1).unwrap().to_string(), "metal4.1");
        assert_eq!(from_raw(7), None);
    }
}
