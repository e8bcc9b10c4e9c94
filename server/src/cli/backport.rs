//! Back from Metal 4.1: generic pointers get the address spaces that flow infers for them.
//!
//! A pointer that leads to one space gets its word; a generic function that is used with several becomes an overload for
//! each. Units are worked on one after the other, each on the texts that the ones before left, and every step has to take
//! an error away.

use std::sync::Arc;

use msl_diagnostics::{Code, Diagnostic, Place, Severity, TextEdit, TextRange};
use msl_ide::{
    Analysis, EditMap, StdChoice, UnitRequest,
    file_system::{DiskFiles, FileSystem},
};
use msl_preproc::LanguageVersion;
use rustc_hash::FxHashMap;
use similar::{DiffTag, TextDiff};

use super::migrate::Edited;

/// How many steps a unit gets.
const MAX_STEPS: usize = 64;

/// The edits that make units compile under a version without generic pointers, as far as that can be done.
pub(super) fn edits(disk: &Arc<DiskFiles>, units: &[UnitRequest], to: LanguageVersion) -> Vec<TextEdit> {
    let mut texts: FxHashMap<Arc<str>, Arc<[u8]>> = FxHashMap::default();
    for unit in units {
        let under = |version: LanguageVersion| {
            let std = StdChoice { version, source: "migration".into(), stated: true };
            UnitRequest { std, ..unit.clone() }
        };
        let platform = unit.std.version.platform;
        let (new, old) = (under(LanguageVersion::new(4, 1, platform)), under(LanguageVersion { platform, ..to }));
        for _ in 0..MAX_STEPS {
            let analysis = Analysis::new(Arc::new(Edited { below: disk.clone(), texts: texts.clone() }));
            let findings = analysis.check(&old).diagnostics;
            let missing = findings.iter().filter(|finding| finding.code == Code::MissingAddressSpace);
            if missing.clone().next().is_none() {
                break;
            }
            let errors = count_errors(&findings);
            let mut step: Vec<Vec<TextEdit>> = Vec::new();
            let certain: Vec<TextEdit> = missing
                .filter_map(|finding| finding.fixes.iter().find(|fix| fix.preferred))
                .flat_map(|fix| fix.edits.iter().cloned())
                .collect();
            if certain.is_empty() {
                let functions = analysis.generic_functions(&new);
                let all = functions.iter().filter_map(|name| analysis.specialization(&new, &|place| place == name));
                step.extend(all.filter_map(|found| found.overloads.ok()));
            } else {
                step.push(in_order(certain));
            }
            let better = step.into_iter().find_map(|edits| {
                let mut after = texts.clone();
                let map = EditMap::new(&edits);
                for path in map.files() {
                    let text = analysis.text(path)?;
                    after.insert(path.clone(), map.apply(path, &text).into());
                }
                let edited = Analysis::new(Arc::new(Edited { below: disk.clone(), texts: after.clone() }));
                (count_errors(&edited.check(&old).diagnostics) < errors).then_some(after)
            });
            match better {
                Some(after) => texts = after,
                None => break,
            }
        }
    }
    let mut edits: Vec<TextEdit> = texts.iter().flat_map(|(path, text)| difference(disk, path, text)).collect();
    edits.sort_by(|a, b| a.place.cmp(&b.place));
    edits
}

fn count_errors(findings: &[Diagnostic]) -> usize {
    findings.iter().filter(|finding| finding.severity == Severity::Error).count()
}

fn in_order(mut edits: Vec<TextEdit>) -> Vec<TextEdit> {
    edits.sort_by(|a, b| (&a.place, &a.new_text).cmp(&(&b.place, &b.new_text)));
    edits.dedup();
    edits
}

/// The edits, line by line, from the text on disk to another.
pub(super) fn difference(disk: &DiskFiles, path: &Arc<str>, new: &[u8]) -> Vec<TextEdit> {
    let Ok(old) = disk.read(path) else { return Vec::new() };
    let (Ok(old), Ok(new)) = (std::str::from_utf8(&old), std::str::from_utf8(new)) else { return Vec::new() };
    let lines = |text: &str| -> Vec<usize> {
        let mut at = 0;
        let mut starts = vec![0];
        for line in text.split_inclusive('\n') {
            at += line.len();
            starts.push(at);
        }
        starts
    };
    let (old_starts, new_starts) = (lines(old), lines(new));
    let diff = TextDiff::from_lines(old, new);
    diff.ops()
        .iter()
        .filter(|op| op.tag() != DiffTag::Equal)
        .filter_map(|op| {
            let (from, to) = (op.old_range(), op.new_range());
            let range = TextRange::new(*old_starts.get(from.start)? as u32, *old_starts.get(from.end)? as u32);
            let new_text = new.get(*new_starts.get(to.start)?..*new_starts.get(to.end)?)?.to_owned();
            Some(TextEdit { place: Place { path: path.clone(), range }, new_text })
        })
        .collect()
}
