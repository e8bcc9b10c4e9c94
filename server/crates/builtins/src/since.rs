//! In which language versions a declaration exists.

use std::fmt;

use msl_preproc::{LanguageVersion, Platform};

/// The first version on each platform family. From 3.0 on the language is the same everywhere, so a name that one
/// family has at all exists on both from 3.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Since {
    /// `(major, minor)`; `None` if no `ios-metal` version has it.
    pub ios: Option<(u8, u8)>,
    /// `(major, minor)`; `None` if no `macos-metal` version has it.
    pub macos: Option<(u8, u8)>,
}

impl Since {
    /// As old as the language.
    pub const ALWAYS: Since = Since::both(1, 0);

    /// The same version on both families.
    pub const fn both(major: u8, minor: u8) -> Since {
        Since { ios: Some((major, minor)), macos: Some((major, minor)) }
    }

    /// Reads `2.1`, `ios 2.2, macos 2.3` or `macos 1.1`.
    pub fn parse(text: &str) -> Option<Since> {
        let version = |text: &str| {
            let (major, minor) = text.trim().split_once('.')?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        };
        if let Some((major, minor)) = version(text) {
            return Some(Since::both(major, minor));
        }
        let mut since = Since { ios: None, macos: None };
        for part in text.split(',') {
            let (platform, number) = part.trim().split_once(' ')?;
            match platform {
                "ios" => since.ios = Some(version(number)?),
                "macos" => since.macos = Some(version(number)?),
                _ => return None,
            }
        }
        Some(since)
    }

    /// The first version on a family, 3.0 where only the other one had it before.
    pub fn on(self, platform: Platform) -> Option<(u8, u8)> {
        let (this, other) = match platform {
            Platform::Ios => (self.ios, self.macos),
            Platform::MacOs => (self.macos, self.ios),
        };
        this.or(other.map(|version| version.max((3, 0))))
    }

    /// Whether a declaration of this age exists in a language version.
    pub fn includes(self, version: LanguageVersion) -> bool {
        self.on(version.platform).is_some_and(|(major, minor)| version.at_least(major, minor))
    }

    /// The age of something that needs both.
    pub fn and(self, other: Since) -> Since {
        let newest = |platform| Some(self.on(platform)?.max(other.on(platform)?));
        Since { ios: newest(Platform::Ios), macos: newest(Platform::MacOs) }
    }

    /// Whether it is no restriction at all.
    pub fn is_always(self) -> bool {
        self == Since::ALWAYS
    }
}

impl fmt::Display for Since {
    /// Writes the text that [`Since::parse`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.ios, self.macos) {
            (Some(ios), Some(macos)) if ios == macos => write!(f, "{}.{}", ios.0, ios.1),
            (Some(ios), Some(macos)) => write!(f, "ios {}.{}, macos {}.{}", ios.0, ios.1, macos.0, macos.1),
            (Some(ios), None) => write!(f, "ios {}.{}", ios.0, ios.1),
            (None, Some(macos)) => write!(f, "macos {}.{}", macos.0, macos.1),
            (None, None) => f.write_str("never"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        for text in ["2.1", "ios 2.2, macos 2.3", "macos 1.1", "ios 1.2"] {
            assert_eq!(Since::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "2", "tvos 2.0", "ios", "ios 2.2; macos 2.3"] {
            assert_eq!(Since::parse(text), None, "{text}");
        }
    }

    #[test]
    fn platforms_meet_at_3_0() {
        let since = Since::parse("macos 1.1").unwrap();
        let has = |text: &str| since.includes(LanguageVersion::parse(text).unwrap());
        assert!(has("macos-metal1.1") && !has("macos-metal1.0") && !has("ios-metal2.4") && has("metal3.0"));
        let split = Since::parse("ios 2.2, macos 2.3").unwrap();
        assert_eq!(since.and(split), Since { ios: Some((3, 0)), macos: Some((2, 3)) });
    }
}
