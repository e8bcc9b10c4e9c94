//! Actions on a whole file: all certain repairs at once, and the order of its includes.

use std::{collections::BTreeMap, sync::Arc};

use msl_diagnostics::{Diagnostic, Fix, Place, Severity, TextEdit, TextRange};
use msl_preproc::Include;
use rustc_hash::FxHashSet;

use super::{
    edits::{line_start, merged},
    offers::{Action, ActionKind},
    verify::EditMap,
};
use crate::{
    analysis::{Analysis, UnitRequest},
    view::View,
};

/// How many repairs are tried one by one if all together do not fit.
const MAX_TRIED: usize = 32;

impl Analysis {
    /// One action that makes all certain repairs of `findings` that stay within a file. A repair that meets another waits
    /// for the next time; one that brings an error is left out.
    pub fn fix_all<'f>(
        &self,
        request: &UnitRequest,
        path: &Arc<str>,
        findings: impl Iterator<Item = &'f Diagnostic>,
    ) -> Option<Action> {
        let mut chosen: Vec<&Fix> = Vec::new();
        for finding in findings.filter(|finding| finding.place.path == *path) {
            let Some(fix) = finding.fixes.iter().find(|fix| fix.preferred && !fix.edits.is_empty()) else { continue };
            let stays = fix.edits.iter().all(|edit| edit.place.path == *path);
            if stays && !chosen.contains(&fix) && !chosen.iter().any(|other| meet(other, fix)) {
                chosen.push(fix);
            }
        }
        if chosen.is_empty() {
            return None;
        }
        let before = self.errors(request);
        if !self.brings_no_error(request, before, &chosen) {
            chosen.truncate(MAX_TRIED);
            let mut kept: Vec<&Fix> = Vec::new();
            for fix in chosen {
                kept.push(fix);
                if !self.brings_no_error(request, before, &kept) {
                    kept.pop();
                }
            }
            chosen = kept;
        }
        let title = match chosen.len() {
            0 => return None,
            1 => "Make the one certain repair of this file".to_owned(),
            count => format!("Make all {count} certain repairs of this file"),
        };
        let edits = Ok(together(&chosen));
        Some(Action { id: "fix-all", title, kind: ActionKind::FixAll, edits, replacement: None, notes: Vec::new() })
    }

    /// An action that orders the includes of a file, block by block, and removes those that repeat an earlier one. `None`
    /// if there is nothing to do. Refused where the order matters.
    pub fn organize_includes(&self, request: &UnitRequest, path: &Arc<str>) -> Option<Action> {
        let view = View::new(self, request);
        let text = view.text(path)?;
        let edits = merged(ordered(&view, path, text)?);
        if edits.is_empty() {
            return None;
        }
        let map = EditMap::new(&edits);
        let edited = self.edited(request, &map);
        let keeps = spelled(&view, path) == spelled(&View::new(&edited, request), path);
        Some(Action {
            id: "organize-includes",
            title: "Order the includes".to_owned(),
            kind: ActionKind::OrganizeImports,
            edits: if keeps { Ok(edits) } else { Err("what is included depends on the order".to_owned()) },
            replacement: None,
            notes: Vec::new(),
        })
    }

    fn errors(&self, request: &UnitRequest) -> usize {
        let found = self.check_under(request, request.std.version).diagnostics;
        found.iter().filter(|finding| finding.severity == Severity::Error).count()
    }

    fn brings_no_error(&self, request: &UnitRequest, before: usize, fixes: &[&Fix]) -> bool {
        self.edited(request, &EditMap::new(&together(fixes))).errors(request) <= before
    }
}

fn together(fixes: &[&Fix]) -> Vec<TextEdit> {
    let mut edits: Vec<TextEdit> = fixes.iter().flat_map(|fix| fix.edits.iter().cloned()).collect();
    edits.sort_by(|a, b| a.place.cmp(&b.place));
    edits
}

/// Whether two repairs touch; two insertions at one place do, because their order would be a guess.
fn meet(a: &Fix, b: &Fix) -> bool {
    a.edits.iter().any(|a| {
        b.edits.iter().any(|b| {
            let (a, b) = (&a.place, &b.place);
            a.path == b.path && a.range.start <= b.range.end && b.range.start <= a.range.end
        })
    })
}

/// One include that has a line for itself.
struct Line<'t> {
    range: TextRange,
    text: &'t [u8],
    /// Headers of Metal, then others in angle brackets, then files; `metal_stdlib` in front of all.
    key: (u8, String),
    is_repeated: bool,
}

/// The edits that order a file's includes. Only lines that follow each other directly change places: an empty line or a
/// comment is how an author groups them.
fn ordered(view: &View<'_>, path: &Arc<str>, text: &[u8]) -> Option<Vec<TextEdit>> {
    let file = view.file(path)?;
    let mut lines: BTreeMap<u32, Line<'_>> = BTreeMap::new();
    let mut seen: FxHashSet<String> = FxHashSet::default();
    for include in view.preprocessed.includes.iter().filter(|include| include.file == file) {
        let (start, end) = (include.range.start as usize, include.range.end as usize);
        let first = line_start(text, start);
        // A file that is entered several times lists its directives as often.
        if lines.contains_key(&(first as u32)) {
            continue;
        }
        // A directive of several lines, or with something before it, stays where it is.
        let directive = text.get(start..end)?;
        if !text[first..start].iter().all(u8::is_ascii_whitespace) || directive.contains(&b'\n') {
            continue;
        }
        let rest = text[end..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |newline| end + newline + 1);
        let behind = text[end..rest].trim_ascii();
        if !behind.is_empty() && !behind.starts_with(b"//") {
            continue;
        }
        let class = match &include.target {
            Include::Library(_) if include.spelling.as_str() == "metal_stdlib" => 0,
            Include::Library(_) | Include::Sdk(_) => 1,
            _ if include.angled => 2,
            _ => 3,
        };
        let is_repeated = include.target != Include::NotFound && !seen.insert(format!("{:?}", include.target));
        let range = TextRange::new(first as u32, rest as u32);
        let key = (class, include.spelling.to_string());
        lines.insert(range.start, Line { range, text: &text[first..rest], key, is_repeated });
    }
    let mut edits = Vec::new();
    let lines: Vec<Line<'_>> = lines.into_values().collect();
    for block in lines.chunk_by(|a, b| a.range.end == b.range.start) {
        let range = TextRange::new(block[0].range.start, block[block.len() - 1].range.end);
        let mut kept: Vec<&Line<'_>> = block.iter().filter(|line| !line.is_repeated).collect();
        kept.sort_by(|a, b| a.key.cmp(&b.key));
        let mut new_text = String::new();
        for line in &kept {
            new_text.push_str(&String::from_utf8_lossy(line.text));
            if !new_text.ends_with('\n') {
                new_text.push('\n');
            }
        }
        if new_text.as_bytes() != &text[range.start as usize..range.end as usize] {
            edits.push(TextEdit { place: Place { path: Arc::clone(path), range }, new_text });
        }
    }
    Some(edits)
}

/// What the compiler sees: the tokens that come from the file itself in order, and all others in none.
fn spelled(view: &View<'_>, path: &Arc<str>) -> (Vec<String>, Vec<String>) {
    let file = view.file(path);
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for (token, &origin) in view.preprocessed.tokens.iter().zip(&view.preprocessed.origins) {
        let (outermost, _) = view.preprocessed.map.expansion_range(origin);
        let into = if Some(outermost) == file { &mut own } else { &mut others };
        into.push(token.text().to_owned());
    }
    others.sort_unstable();
    (own, others)
}
