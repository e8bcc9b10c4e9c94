//! Which declarations exist in the language version in force.

use msl_builtins::Since;
use msl_parser::ast::DeclId;
use msl_preproc::LanguageVersion;

use crate::sema::Sema;

impl Sema<'_> {
    /// Whether a declaration exists in the version in force. Declarations of users always do.
    pub fn exists(&self, decl: DeclId) -> bool {
        if !self.is_library(decl) {
            return true;
        }
        self.has(self.since(decl))
            && self.env.library.facts(decl).and_then(|facts| facts.until).is_none_or(|until| !self.has(until))
    }

    /// The same of what is only suggested: that it may be something else under another version makes no finding differ.
    pub(crate) fn may_be_suggested(&self, decl: DeclId) -> bool {
        !self.is_library(decl) || self.env.library.exists_in(decl, self.env.version)
    }

    /// Whether a declaration that the version in force does not have is there in a newer one.
    pub(crate) fn comes_later(&self, decl: DeclId) -> bool {
        let platform = self.env.version.platform;
        let since = self.since(decl);
        let (major, minor) = since.on(platform).unwrap_or((3, 0));
        !self.has(since) && self.env.library.exists_in(decl, LanguageVersion::new(major, minor, platform))
    }

    /// When a library declaration came in, including what it stands in; users' declarations are as old as the
    /// language.
    pub fn since(&self, decl: DeclId) -> Since {
        if self.is_library(decl) { self.env.library.since(decl) } else { Since::ALWAYS }
    }

    /// The version to name in "needs …".
    pub(crate) fn needed_version(&self, since: Since) -> String {
        let platform = self.env.version.platform;
        let (major, minor) = since.on(platform).unwrap_or((3, 0));
        LanguageVersion::new(major, minor, platform).to_string()
    }
}
