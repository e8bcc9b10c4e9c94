//! Baselines: findings that a project has decided to live with for now.
//!
//! A baseline names findings by file, code and message, with a count, and not by line, so that it survives edits
//! elsewhere in the file. A finding is known if the baseline still has one of its kind to give; the surplus is new.

use std::collections::BTreeMap;

use crate::{Code, Diagnostic};

/// So many findings of one kind in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineEntry {
    /// Relative to the folder of the baseline file, with `/`.
    pub path: String,
    pub code: Code,
    pub message: String,
    pub count: u32,
}

/// The findings that are known.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Baseline {
    known: BTreeMap<(String, Code, String), u32>,
}

impl Baseline {
    pub fn from_entries(entries: impl IntoIterator<Item = BaselineEntry>) -> Baseline {
        let mut baseline = Baseline::default();
        for entry in entries {
            *baseline.known.entry((entry.path, entry.code, entry.message)).or_default() += entry.count;
        }
        baseline
    }

    /// The baseline that makes all of these findings known. `name` gives a path as the baseline spells it.
    pub fn of<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>, name: impl Fn(&str) -> String) -> Baseline {
        let mut baseline = Baseline::default();
        for diagnostic in diagnostics {
            let key = (name(&diagnostic.place.path), diagnostic.code, diagnostic.message.clone());
            *baseline.known.entry(key).or_default() += 1;
        }
        baseline
    }

    pub fn entries(&self) -> impl Iterator<Item = BaselineEntry> + '_ {
        self.known.iter().map(|((path, code, message), &count)| BaselineEntry {
            path: path.clone(),
            code: *code,
            message: message.clone(),
            count,
        })
    }

    /// Takes one finding of this kind off the baseline; whether there was one.
    pub fn take(&mut self, path: &str, code: Code, message: &str) -> bool {
        match self.known.get_mut(&(path.to_owned(), code, message.to_owned())) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_each_finding_once() {
        let entry = BaselineEntry { path: "a.metal".into(), code: Code::TypeMismatch, message: "m".into(), count: 2 };
        let mut baseline = Baseline::from_entries([entry]);
        let mut take = |path| baseline.take(path, Code::TypeMismatch, "m");
        assert!(!take("b.metal"));
        assert!(take("a.metal"));
        assert!(take("a.metal"));
        assert!(!take("a.metal"));
    }
}
