//! Overloads that differ only in address spaces, made generic functions in a whole project.
//!
//! Units are worked on one after the other, each on the texts that the ones before left. A family goes only if every unit
//! that sees one of its files stays right.

use std::sync::Arc;

use msl_diagnostics::TextEdit;
use msl_ide::{Analysis, Depth, EditMap, UnitRequest, file_system::DiskFiles, file_system::FileSystem};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{backport::difference, migrate::Edited};

/// How many families of one unit are replaced.
const MAX_STEPS: usize = 64;

/// A unit with all its files, under a version with generic pointers.
pub(super) struct UnitFiles {
    pub(super) request: UnitRequest,
    pub(super) files: Vec<Arc<str>>,
}

/// What is left when no family is.
pub(super) struct Consolidated {
    /// The edits from the texts on disk, those that were there before included.
    pub(super) edits: Vec<TextEdit>,
    /// How many functions now stand for how many overloads.
    pub(super) functions: usize,
    pub(super) overloads: usize,
}

/// Replaces the families of some of the units, `with_families`, on top of edits.
pub(super) fn consolidated(
    disk: &Arc<DiskFiles>,
    units: &[UnitFiles],
    with_families: &[usize],
    edits: &[TextEdit],
) -> Consolidated {
    let mut texts: FxHashMap<Arc<str>, Arc<[u8]>> = FxHashMap::default();
    let before = EditMap::new(edits);
    for path in before.files() {
        if let Ok(text) = disk.read(path) {
            texts.insert(path.clone(), before.apply(path, &text).into());
        }
    }
    let (mut functions, mut overloads) = (0, 0);
    let mut changed: FxHashSet<Arc<str>> = FxHashSet::default();
    for &index in with_families {
        let unit = &units[index];
        // Names of families that another unit needs as they are.
        let mut kept: FxHashSet<String> = FxHashSet::default();
        for _ in 0..MAX_STEPS {
            let analysis = Analysis::new(Arc::new(Edited { below: disk.clone(), texts: texts.clone() }));
            let families = analysis.overload_families(&unit.request, Depth::Calls, &|_| true);
            let next = families.into_iter().find_map(|family| {
                let edits = family.edits.as_ref().ok()?;
                if kept.contains(&family.name) {
                    return None;
                }
                let touches = |other: &&UnitFiles| {
                    other.request != unit.request && edits.iter().any(|edit| other.files.contains(&edit.place.path))
                };
                let is_right = units
                    .iter()
                    .filter(touches)
                    .all(|other| analysis.fresh().verify(&other.request, edits, &family.replacement).is_ok());
                if !is_right {
                    kept.insert(family.name.clone());
                }
                is_right.then(|| (family.count, edits.clone()))
            });
            let Some((count, edits)) = next else { break };
            let map = EditMap::new(&edits);
            for path in map.files() {
                let text = analysis.text(path).unwrap_or_default();
                texts.insert(path.clone(), map.apply(path, &text).into());
                changed.insert(path.clone());
            }
            functions += 1;
            overloads += count;
        }
    }
    let mut result: Vec<TextEdit> = edits.iter().filter(|edit| !changed.contains(&edit.place.path)).cloned().collect();
    for path in &changed {
        result.extend(texts.get(path).into_iter().flat_map(|text| difference(disk, path, text)));
    }
    result.sort_by(|a, b| (&a.place, &a.new_text).cmp(&(&b.place, &b.new_text)));
    Consolidated { edits: result, functions, overloads }
}
