//! Where the files of a workspace include each other, as far as their text tells.
//!
//! A header has no meaning alone: it is judged through a unit that includes it. Which those are is found by reading
//! the `#include` lines of all files once, without evaluating conditions: a unit that might include a header is good
//! enough, and the analysis decides what it really sees.

use std::{path::Path, sync::Arc};

use msl_ide::file_system;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{documents::Documents, paths, settings::Settings};
use crate::workspace::FileSettings;

/// Files over this size are not read: 16 MB.
pub(crate) const MAX_SIZE: u64 = 16 << 20;

/// At most so many files of a workspace are looked at.
const MAX_FILES: usize = 50_000;

/// Gives the settings of a file, if they are to be had.
pub(crate) type SettingsOf<'a> = &'a dyn Fn(&Arc<str>) -> Option<Arc<FileSettings>>;

/// The graph; see the module documentation. All paths are normalised.
#[derive(Clone, Debug, Default)]
pub(crate) struct IncludeGraph {
    /// Translation units by their names, sorted.
    pub(crate) units: Vec<Arc<str>>,
    /// All files that were looked at, headers too.
    known: FxHashSet<Arc<str>>,
    /// By included path: the files that may include it, sorted.
    includers: FxHashMap<Arc<str>, Vec<Arc<str>>>,
    /// By header: the unit that the user wants to look at it through.
    pub(crate) chosen: FxHashMap<Arc<str>, Arc<str>>,
}

impl IncludeGraph {
    /// Reads everything below these folders. `progress` is told how many files of how many are read.
    pub(crate) fn read(folders: &[String], settings: &Settings, progress: impl Fn(usize, usize)) -> IncludeGraph {
        let mut graph = IncludeGraph::default();
        let mut files: Vec<Arc<str>> = Vec::new();
        for folder in folders {
            for entry in ignore::WalkBuilder::new(folder).build().flatten().take(MAX_FILES) {
                let path = file_system::normalize(&entry.path().to_string_lossy());
                let fits = entry.file_type().is_some_and(|kind| kind.is_file())
                    && (is_unit(&path) || paths::is_header(&path))
                    && entry.metadata().is_ok_and(|metadata| metadata.len() <= MAX_SIZE);
                if fits {
                    files.push(path.into());
                }
            }
        }
        files.sort();
        files.dedup();
        graph.known = files.iter().cloned().collect();
        for (number, path) in files.iter().enumerate() {
            progress(number, files.len());
            if is_unit(path) {
                graph.units.push(path.clone());
            }
            if let Ok(text) = std::fs::read(Path::new(&**path)) {
                graph.add(path, &text, &|path| Some(settings.of(path)));
            }
        }
        for includers in graph.includers.values_mut() {
            includers.sort();
            includers.dedup();
        }
        graph
    }

    /// Reads one file again; whether anything changed.
    pub(crate) fn update(&mut self, path: &Arc<str>, text: &[u8], settings: SettingsOf<'_>) -> bool {
        let before = self.targets_of(path);
        for includers in self.includers.values_mut() {
            includers.retain(|includer| includer != path);
        }
        if self.known.insert(path.clone()) && is_unit(path) {
            self.units.push(path.clone());
            self.units.sort();
        }
        self.add(path, text, settings);
        self.includers.retain(|_, includers| !includers.is_empty());
        for includers in self.includers.values_mut() {
            includers.sort();
            includers.dedup();
        }
        before != self.targets_of(path)
    }

    /// Forgets a file.
    pub(crate) fn remove(&mut self, path: &Arc<str>) {
        self.known.remove(path);
        self.units.retain(|unit| unit != path);
        for includers in self.includers.values_mut() {
            includers.retain(|includer| includer != path);
        }
        self.includers.retain(|_, includers| !includers.is_empty());
    }

    fn targets_of(&self, path: &Arc<str>) -> Vec<Arc<str>> {
        let includes = self.includers.iter().filter(|(_, includers)| includers.contains(path));
        let mut targets: Vec<Arc<str>> = includes.map(|(target, _)| target.clone()).collect();
        targets.sort();
        targets
    }

    fn add(&mut self, path: &Arc<str>, text: &[u8], settings: SettingsOf<'_>) {
        let known = &self.known;
        for spelling in included(text) {
            let beside = file_system::join(file_system::folder_of(path), spelling);
            let target = if known.contains(beside.as_str()) {
                Some(beside)
            } else {
                let settings = settings(path);
                let options = settings.as_deref().map(|settings| &settings.options);
                let folders = options.iter().flat_map(|options| &options.include_dirs);
                let frameworks = options.iter().flat_map(|options| &options.framework_dirs);
                let in_frameworks =
                    frameworks.filter_map(|folder| file_system::framework_header(folder, spelling, "Headers"));
                let mut paths = folders.map(|folder| file_system::join(folder, spelling)).chain(in_frameworks);
                paths.find(|path| known.contains(path.as_str()))
            };
            if let Some(target) = target {
                self.includers.entry(target.into()).or_default().push(path.clone());
            }
        }
    }

    /// Whether a file was looked at.
    pub(crate) fn knows(&self, path: &str) -> bool {
        self.known.contains(path)
    }

    /// All files of the workspace that were looked at.
    pub(crate) fn files(&self) -> impl Iterator<Item = Arc<str>> {
        self.known.iter().cloned()
    }

    /// Whether any file may include this one.
    pub(crate) fn is_included(&self, path: &str) -> bool {
        self.includers.contains_key(path)
    }

    /// The root of the unit that a file is looked at through: for a header the unit that the user chose, else the one that
    /// includes it and is open, else the nearest; else the file itself.
    pub(crate) fn root_of(&self, path: &Arc<str>, open: &Documents) -> Arc<str> {
        if !paths::is_header(path) {
            return path.clone();
        }
        let units = self.units_including(path);
        if let Some(chosen) = self.chosen.get(path).filter(|chosen| units.contains(chosen)) {
            return chosen.clone();
        }
        units.iter().find(|unit| open.contains_key(*unit)).or(units.first()).unwrap_or(path).clone()
    }

    /// The units that may include a file, themselves or through others: nearest first, then by name.
    pub(crate) fn units_including(&self, path: &Arc<str>) -> Vec<Arc<str>> {
        let mut files = self.including(path);
        files.retain(|path| is_unit(path));
        files
    }

    /// The files that may include a file, themselves or through others: nearest first, then by name.
    pub(crate) fn including(&self, path: &Arc<str>) -> Vec<Arc<str>> {
        let mut found = Vec::new();
        let mut seen: FxHashSet<&Arc<str>> = FxHashSet::default();
        let mut level: Vec<&Arc<str>> = vec![path];
        while !level.is_empty() {
            let mut next: Vec<&Arc<str>> = level
                .iter()
                .filter_map(|path| self.includers.get(*path))
                .flatten()
                .filter(|path| seen.insert(path))
                .collect();
            next.sort();
            found.extend(next.iter().map(|path| (*path).clone()));
            level = next;
        }
        found
    }
}

/// Whether this is a translation unit by its name.
pub(crate) fn is_unit(path: &str) -> bool {
    matches!(path.rsplit_once('.'), Some((_, "metal" | "msl")))
}

/// What the `#include` and `#import` lines of a text name.
fn included(text: &[u8]) -> impl Iterator<Item = &str> {
    text.split(|&byte| byte == b'\n').filter_map(|line| {
        let line = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
        let rest = line.strip_prefix(b"include").or_else(|| line.strip_prefix(b"import"))?.trim_ascii_start();
        let close = match rest.first()? {
            b'"' => b'"',
            b'<' => b'>',
            _ => return None,
        };
        let end = rest[1..].iter().position(|&byte| byte == close)?;
        str::from_utf8(&rest[1..=end]).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn include_lines() {
        let text = b"#include \"a.h\"\n  #  import <b/c.h> // why\n#include NAME\n//#include \"no.h\"\n#include \"open";
        assert_eq!(included(text).collect::<Vec<_>>(), ["a.h", "b/c.h"]);
    }
}
