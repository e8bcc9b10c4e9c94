//! Since-versions: when a declaration of the library came into the language.

use msl_parser::ast::DeclId;
use msl_preproc::{LanguageVersion, Platform};

use crate::sema::Sema;

/// The first version of a declaration on each platform family, and the version before which it exists.
/// `None` for a platform: not below 3.0, from where on there is one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    pub ios: Option<(u8, u8)>,
    pub macos: Option<(u8, u8)>,
    pub until: Option<(u8, u8)>,
}

impl Since {
    pub const ALWAYS: Since = Since { ios: Some((1, 0)), macos: Some((1, 0)), until: None };

    /// Reads the argument of `[[msl::since("…")]]`: `2.1` or `ios 2.2, macos 2.3`.
    pub fn parse(text: &str) -> Option<Since> {
        let version = |text: &str| -> Option<(u8, u8)> {
            let (major, minor) = text.trim().split_once('.')?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        };
        if let Some(both) = version(text) {
            return Some(Since { ios: Some(both), macos: Some(both), until: None });
        }
        let mut since = Since { ios: None, macos: None, until: None };
        for part in text.split(',') {
            let (platform, number) = part.trim().split_once(' ')?;
            match platform {
                "ios" => since.ios = version(number),
                "macos" => since.macos = version(number),
                _ => return None,
            }
        }
        Some(since)
    }

    /// Whether the declaration exists in a version.
    pub fn holds(self, version: LanguageVersion) -> bool {
        if let Some((major, minor)) = self.until
            && version.at_least(major, minor)
        {
            return false;
        }
        let first = match version.platform {
            Platform::MacOs => self.macos,
            Platform::Ios => self.ios,
        };
        match first {
            Some((major, minor)) => version.at_least(major, minor),
            None => version.at_least(3, 0),
        }
    }

    /// The version to name in "needs …".
    pub fn needed(self, platform: Platform) -> String {
        let first = match platform {
            Platform::MacOs => self.macos,
            Platform::Ios => self.ios,
        };
        let (major, minor) = first.unwrap_or((3, 0));
        LanguageVersion::new(major, minor, platform).to_string()
    }

    fn newer(self, other: Since) -> Since {
        let newest = |a: Option<(u8, u8)>, b: Option<(u8, u8)>| match (a, b) {
            (Some(a), Some(b)) => Some(a.max(b)),
            _ => None,
        };
        Since {
            ios: newest(self.ios, other.ios),
            macos: newest(self.macos, other.macos),
            until: match (self.until, other.until) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
        }
    }
}

impl Sema<'_> {
    /// Whether a declaration exists in the version in force. Declarations of users always do.
    pub fn exists(&self, decl: DeclId) -> bool {
        !self.is_library(decl) || self.since(decl).holds(self.env.version)
    }

    /// When a library declaration came in: the newest of its own version and those of what it stands in.
    pub fn since(&self, decl: DeclId) -> Since {
        if !self.is_library(decl) {
            return Since::ALWAYS;
        }
        if let Some(known) = self.env.caches.sinces.get(&decl) {
            return *known;
        }
        let names = &self.env.names;
        let mut since = Since::ALWAYS;
        if let Some(own) = self.msl_attr(decl, names.since).and_then(|attr| self.attr_string(attr)) {
            since = Since::parse(&own).unwrap_or(since);
        }
        if let Some(until) = self.msl_attr(decl, names.until).and_then(|attr| self.attr_string(attr)) {
            since.until = Since::parse(&until).and_then(|until| until.macos);
        }
        let mut scope = Some(self.ast[decl].scope);
        while let Some(id) = scope {
            if let Some(owner) = self.ast[id].owner
                && owner != decl
            {
                since = since.newer(self.since(owner));
                break;
            }
            scope = self.ast[id].parent;
        }
        self.env.caches.sinces.insert(decl, since);
        since
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_differ_below_three() {
        let since = Since::parse("ios 2.2, macos 2.3").unwrap();
        assert!(since.holds(LanguageVersion::new(2, 2, Platform::Ios)));
        assert!(!since.holds(LanguageVersion::new(2, 2, Platform::MacOs)));
        let mac_only = Since::parse("macos 1.1").unwrap();
        assert!(!mac_only.holds(LanguageVersion::new(2, 4, Platform::Ios)));
        assert!(mac_only.holds(LanguageVersion::new(3, 0, Platform::Ios)));
        assert_eq!(mac_only.needed(Platform::Ios), "metal3.0");
    }
}
