//! `--fix` and `--fix-dry-run`: applying preferred fixes.

use std::{io::Write, sync::Arc};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use msl_diagnostics::{Diagnostic, Fix, TextEdit};
use rustc_hash::FxHashMap;
use similar::{ChangeTag, TextDiff};

use super::{arguments::ColorChoice, output::Finding, sources::Sources};

/// The new text of a file.
pub(crate) struct FixedFile {
    pub(crate) path: Arc<str>,
    pub(crate) text: Vec<u8>,
    /// How many fixes went into it.
    pub(crate) applied: usize,
}

/// The files as they are after the preferred fixes.
///
/// A fix is applied whole or not at all; one that touches text that an earlier one changes waits for another round.
/// With several versions, only a fix that every version asks for is safe.
pub(crate) fn apply(findings: &[Finding], versions: usize, sources: &mut Sources) -> Vec<FixedFile> {
    let mut edits: FxHashMap<Arc<str>, Vec<&TextEdit>> = FxHashMap::default();
    let mut applied: FxHashMap<Arc<str>, usize> = FxHashMap::default();
    for finding in findings {
        let Some(fix) = preferred(&finding.diagnostic) else { continue };
        let wanted_by = findings
            .iter()
            .filter(|other| other.diagnostic.place == finding.diagnostic.place)
            .filter(|other| preferred(&other.diagnostic).is_some_and(|other| other.edits == fix.edits))
            .count();
        let fits = |edit: &TextEdit| {
            edits.get(&edit.place.path).is_none_or(|others| others.iter().all(|other| !overlap(edit, other)))
        };
        if wanted_by < versions || fix.edits.is_empty() || !fix.edits.iter().all(fits) {
            continue;
        }
        *applied.entry(fix.edits[0].place.path.clone()).or_default() += 1;
        for edit in &fix.edits {
            edits.entry(edit.place.path.clone()).or_default().push(edit);
        }
    }
    let mut fixed: Vec<FixedFile> = edits
        .into_iter()
        .map(|(path, mut edits)| {
            edits.sort_by_key(|edit| edit.place.range);
            let old = sources.text(&path).bytes.clone();
            let mut text = Vec::with_capacity(old.len());
            let mut at = 0;
            for edit in edits {
                let (start, end) = (edit.place.range.start as usize, edit.place.range.end as usize);
                text.extend_from_slice(&old[at.min(old.len())..start.min(old.len())]);
                text.extend_from_slice(edit.new_text.as_bytes());
                at = end;
            }
            text.extend_from_slice(&old[at.min(old.len())..]);
            FixedFile { applied: applied.get(&path).copied().unwrap_or_default(), path, text }
        })
        .collect();
    fixed.sort_by(|a, b| a.path.cmp(&b.path));
    fixed
}

fn preferred(diagnostic: &Diagnostic) -> Option<&Fix> {
    diagnostic.fixes.iter().find(|fix| fix.preferred)
}

/// Whether two edits touch; two insertions at one place do, because their order would be a guess.
fn overlap(a: &TextEdit, b: &TextEdit) -> bool {
    a.place.range.start <= b.place.range.end && b.place.range.start <= a.place.range.end
}

/// Prints the changes as a unified diff.
pub(crate) fn print_diff(fixed: &[FixedFile], sources: &mut Sources, color: ColorChoice) {
    let mut out = AutoStream::new(std::io::stdout().lock(), color.for_stream());
    for file in fixed {
        let old_bytes = sources.text(&file.path).bytes.clone();
        let (old, new) = (String::from_utf8_lossy(&old_bytes), String::from_utf8_lossy(&file.text));
        let diff = TextDiff::from_lines(&*old, &*new);
        let heading = Style::new().bold();
        let _ = writeln!(out, "{heading}--- {path}\n+++ {path}{heading:#}", path = file.path);
        for hunk in diff.unified_diff().context_radius(3).iter_hunks() {
            let _ = writeln!(out, "{}", hunk.header());
            for change in hunk.iter_changes() {
                let (sign, style) = match change.tag() {
                    ChangeTag::Delete => ('-', AnsiColor::Red.on_default()),
                    ChangeTag::Insert => ('+', AnsiColor::Green.on_default()),
                    ChangeTag::Equal => (' ', Style::new()),
                };
                let line = change.to_string_lossy();
                let _ = writeln!(out, "{style}{sign}{}{style:#}", line.trim_end_matches(['\n', '\r']));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use msl_diagnostics::{Code, FixKind, Place, Severity, TextRange};
    use msl_ide::file_system::MemoryFiles;
    use msl_preproc::LanguageVersion;

    use super::*;

    fn finding(edits: &[(u32, u32, &str)], preferred: bool) -> Finding {
        let place = |start, end| Place { path: "a.metal".into(), range: TextRange::new(start, end) };
        let mut diagnostic = Diagnostic::new(Code::MissingAddressSpace, Severity::Error, place(edits[0].0, 9), "m");
        diagnostic.fixes.push(Fix {
            title: "t".into(),
            kind: FixKind::QuickFix,
            preferred,
            edits: edits
                .iter()
                .map(|&(start, end, text)| TextEdit { place: place(start, end), new_text: text.into() })
                .collect(),
        });
        Finding { version: LanguageVersion::DEFAULT, diagnostic }
    }

    fn fixed(findings: &[Finding], versions: usize) -> Option<String> {
        let mut files = MemoryFiles::default();
        files.insert("a.metal", "float *a; float *b;");
        let mut sources = Sources::new(Arc::new(files));
        let mut fixed = apply(findings, versions, &mut sources);
        fixed.pop().map(|file| String::from_utf8(file.text).unwrap())
    }

    #[test]
    fn preferred_fixes_that_do_not_touch_are_applied() {
        let all = [
            finding(&[(0, 0, "device ")], true),
            finding(&[(0, 0, "thread ")], true),
            finding(&[(10, 10, "thread "), (19, 19, " ")], true),
            finding(&[(5, 5, "x")], false),
        ];
        assert_eq!(fixed(&all, 1).as_deref(), Some("device float *a; thread float *b; "));
        assert_eq!(fixed(&all[3..], 1), None);
    }

    #[test]
    fn with_several_versions_all_must_agree() {
        let one = finding(&[(0, 0, "device ")], true);
        assert_eq!(fixed(std::slice::from_ref(&one), 2), None);
        assert_eq!(fixed(&[one.clone(), one], 2).as_deref(), Some("device float *a; float *b;"));
    }
}
