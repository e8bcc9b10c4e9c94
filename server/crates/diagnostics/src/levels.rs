//! Severities as the user wants them: by code, by group, or for all warnings.
//!
//! A [`Level`] is set for a [`Selector`]; later settings win over earlier ones, and a code wins over its group
//! wherever it was set, because a user who names one code means that code.

use crate::{Code, Diagnostic, Group, Severity};

/// What the user wants to hear of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// Not reported.
    Allow,
    Hint,
    Information,
    Warn,
    /// Reported as an error, and the exit status says so.
    Deny,
}

impl Level {
    /// Reads `allow`, `off`, `hint`, `information`, `info`, `warn`, `warning`, `deny`, `error`.
    pub fn parse(text: &str) -> Option<Level> {
        Some(match text {
            "allow" | "off" => Level::Allow,
            "hint" => Level::Hint,
            "information" | "info" => Level::Information,
            "warn" | "warning" => Level::Warn,
            "deny" | "error" => Level::Deny,
            _ => return None,
        })
    }

    /// The severity of what is reported at this level.
    pub const fn severity(self) -> Option<Severity> {
        match self {
            Level::Allow => None,
            Level::Hint => Some(Severity::Hint),
            Level::Information => Some(Severity::Information),
            Level::Warn => Some(Severity::Warning),
            Level::Deny => Some(Severity::Error),
        }
    }
}

/// What a level is set for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Selector {
    Code(Code),
    Group(Group),
    /// Whatever is reported as a warning; the way to let a build fail on them.
    Warnings,
    All,
}

impl Selector {
    /// Reads a code, a group, `warnings` or `all`.
    pub fn parse(text: &str) -> Option<Selector> {
        match text {
            "warnings" => Some(Selector::Warnings),
            "all" => Some(Selector::All),
            _ => Code::parse(text).map(Selector::Code).or_else(|| Group::parse(text).map(Selector::Group)),
        }
    }
}

/// The levels in force, in the order in which they were set.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Levels {
    settings: Vec<(Selector, Level)>,
}

impl Levels {
    pub fn set(&mut self, selector: Selector, level: Level) {
        self.settings.push((selector, level));
    }

    /// Adds settings that win over those that are here.
    pub fn extend(&mut self, stronger: &Levels) {
        self.settings.extend_from_slice(&stronger.settings);
    }

    /// The severity with which a finding is shown; `None` hides it.
    ///
    /// A finding that is reported below its code's default (because less is certain, or less is at stake) is never
    /// raised by a level, only lowered or hidden: `--deny address-space` must not turn a hint about something
    /// unmeasured into an error.
    pub fn severity(&self, code: Code, reported: Severity) -> Option<Severity> {
        let chosen = self.chosen(code);
        let severity = match (chosen, code.default_severity()) {
            (None, None) => return None,
            (None, Some(_)) => reported,
            (Some(level), default) => {
                let wanted = level.severity()?;
                let cautious = default.is_some_and(|default| reported > default);
                if cautious { wanted.max(reported) } else { wanted }
            }
        };
        if severity == Severity::Warning {
            let all_warnings = self.settings.iter().rev().find(|(selector, _)| *selector == Selector::Warnings);
            return match all_warnings {
                Some((_, level)) if !matches!(chosen, Some(Level::Warn)) => level.severity(),
                _ => Some(severity),
            };
        }
        Some(severity)
    }

    /// Whether findings of this code can be seen at all.
    pub fn is_on(&self, code: Code) -> bool {
        match self.chosen(code) {
            Some(level) => level != Level::Allow,
            None => code.default_severity().is_some(),
        }
    }

    /// Sets the severity of each finding and removes those that are not to be shown.
    pub fn apply(&self, diagnostics: &mut Vec<Diagnostic>) {
        diagnostics.retain_mut(|diagnostic| match self.severity(diagnostic.code, diagnostic.severity) {
            Some(severity) => {
                diagnostic.severity = severity;
                true
            }
            None => false,
        });
    }

    fn chosen(&self, code: Code) -> Option<Level> {
        let last = |wanted: &dyn Fn(Selector) -> bool| {
            self.settings.iter().rev().find(|(selector, _)| wanted(*selector)).map(|(_, level)| *level)
        };
        last(&|selector| selector == Selector::Code(code))
            .or_else(|| last(&|selector| selector == Selector::Group(code.group())))
            .or_else(|| last(&|selector| selector == Selector::All))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(settings: &[(&str, &str)]) -> Levels {
        let mut levels = Levels::default();
        for (selector, level) in settings {
            levels.set(Selector::parse(selector).unwrap(), Level::parse(level).unwrap());
        }
        levels
    }

    #[test]
    fn a_code_wins_over_its_group_and_later_wins_over_earlier() {
        let code = Code::InvalidAddressSpaceCast;
        let shown = |settings: &[(&str, &str)]| levels(settings).severity(code, Severity::Warning);
        assert_eq!(shown(&[]), Some(Severity::Warning));
        assert_eq!(shown(&[("address-space", "deny")]), Some(Severity::Error));
        assert_eq!(shown(&[("invalid-address-space-cast", "allow"), ("address-space", "deny")]), None);
        assert_eq!(shown(&[("address-space", "deny"), ("address-space", "hint")]), Some(Severity::Hint));
        assert_eq!(shown(&[("warnings", "deny")]), Some(Severity::Error));
        assert_eq!(shown(&[("warnings", "deny"), ("invalid-address-space-cast", "warn")]), Some(Severity::Warning));
    }

    #[test]
    fn codes_that_are_off_come_on_when_named() {
        let code = Code::UnannotatedMemberFunction;
        assert_eq!(Levels::default().severity(code, Severity::Warning), None);
        assert!(!Levels::default().is_on(code));
        assert_eq!(levels(&[("migration", "warn")]).severity(code, Severity::Warning), Some(Severity::Warning));
    }

    #[test]
    fn cautious_findings_are_never_raised() {
        let denied = levels(&[("address-space", "deny")]);
        assert_eq!(denied.severity(Code::AddressSpaceMismatch, Severity::Hint), Some(Severity::Hint));
        assert_eq!(levels(&[("all", "allow")]).severity(Code::AddressSpaceMismatch, Severity::Hint), None);
    }
}
