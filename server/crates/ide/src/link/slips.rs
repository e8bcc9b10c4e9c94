//! Names that are almost another: a slip of the hand, most likely.

use msl_db::{Database, Unit};
use msl_diagnostics::{Code, Diagnostic, Fix, FixKind, Place, Severity, TextEdit};

use super::shader::{NamedPlace, groups_named_in};
use crate::view::View;

/// Groups of a unit that are named once and almost like another of it.
pub(crate) fn similar_groups_of(db: &Database, unit: Unit) -> Vec<Diagnostic> {
    // Hardly any shader names groups, and none is looked through for nothing.
    let text = unit.root(db).content(db).text().cloned().unwrap_or_default();
    let word = b"function_groups";
    if !text.windows(word.len()).any(|window| window == word) {
        return Vec::new();
    }
    similar_groups(&groups_named_in(&View::of(db, unit)))
}

/// Groups that are named once and almost like another.
pub(super) fn similar_groups(groups: &[NamedPlace]) -> Vec<Diagnostic> {
    let count = |name: &str| groups.iter().filter(|group| group.name == name).count();
    let mut found = Vec::new();
    for group in groups.iter().filter(|group| count(&group.name) == 1) {
        // Of two that are named once each, nobody knows which is meant: the later one is asked about.
        let others = groups
            .iter()
            .filter(|other| other.name != group.name && (count(&other.name) > 1 || other.place < group.place));
        let Some(similar) = closest(&group.name, others.map(|other| other.name.as_str())) else { continue };
        let message = format!("the group `{}` is named once; did you mean `{similar}`?", group.name);
        let mut diagnostic = Diagnostic::new(Code::SimilarGroupName, Severity::Hint, group.place.clone(), message);
        diagnostic.fixes.push(rename_fix(&group.place, similar));
        found.push(diagnostic);
    }
    found
}

pub(super) fn rename_fix(place: &Place, name: &str) -> Fix {
    Fix {
        title: format!("Change to `{name}`"),
        kind: FixKind::QuickFix,
        preferred: true,
        edits: vec![TextEdit { place: place.clone(), new_text: name.to_owned() }],
    }
}

/// The name that another is most likely a slip of: at most one letter in four differs, and no other is as close.
pub(super) fn closest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = (name.chars().count() / 4).clamp(1, 3);
    let mut best: Option<(usize, &str)> = None;
    for other in names {
        if other == name || other.len().abs_diff(name.len()) > allowed || name.chars().count() < 3 {
            continue;
        }
        let distance = distance(name, other);
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, other));
        }
    }
    // Names that differ in a number alone are a series.
    let digits = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    best.map(|(_, other)| other).filter(|other| digits(other) != digits(name))
}

/// Letters that are inserted, removed, replaced or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
