//! Edits of build files and host code that compile code as another version.

use msl_diagnostics::{Place, TextEdit};
use msl_preproc::LanguageVersion;

use crate::{
    Project,
    model::{Unit, UnitKind},
};

/// What it takes to compile units as one version.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VersionEdits {
    /// Each place once, sorted by path and position.
    pub edits: Vec<TextEdit>,
    /// Units that no edit reaches: the place that shows their version now, and why it stays. A unit without a place is
    /// named in the message.
    pub remaining: Vec<(Option<Place>, String)>,
}

impl Project {
    /// The edits after which every source, target and compile at run time that `selects` chooses has one version.
    /// Nothing is written. Units that have it already need no edit.
    pub fn version_edits(&self, version: LanguageVersion, selects: impl Fn(&Unit) -> bool) -> VersionEdits {
        version_edits(self.units.iter().filter(|unit| selects(unit)), version)
    }
}

pub(crate) fn version_edits<'a>(units: impl Iterator<Item = &'a Unit>, version: LanguageVersion) -> VersionEdits {
    let mut result = VersionEdits::default();
    // The platform in a version's name is the build's own business.
    let has_it = |unit: &Unit| unit.std.is_some_and(|std| (std.major, std.minor) == (version.major, version.minor));
    for unit in units.filter(|unit| !has_it(unit)) {
        let Some((path, range, form)) = unit.spelled.clone() else {
            let first = unit.evidence.first();
            let place = first.and_then(|first| Some(Place { path: first.path.clone(), range: first.range? }));
            let why = match unit.kind {
                UnitKind::Binary => "it is compiled already",
                _ => first.map_or("nothing states its version", |first| first.message.as_str()),
            };
            let remaining = (place, format!("`{}` stays {}: {why}", unit.path, unit.std_text()));
            if !result.remaining.contains(&remaining) {
                result.remaining.push(remaining);
            }
            continue;
        };
        let edit = TextEdit { place: Place { path, range }, new_text: form.write(version) };
        if !result.edits.contains(&edit) {
            result.edits.push(edit);
        }
    }
    result.edits.sort_by(|a, b| {
        (&a.place.path, a.place.range.start, a.place.range.end).cmp(&(
            &b.place.path,
            b.place.range.start,
            b.place.range.end,
        ))
    });
    result
}
