//! The first query of a unit: preprocessing, with files and includes looked up in the database.

use std::sync::Arc;

use msl_builtins::{Library, LibraryInclude, lookup_include};
use msl_intern::Name;
use msl_preproc::{FileId, Include, IncludeRequest, Options, Preprocessed, SourceProvider};

use crate::{
    database::Db,
    file_system::{folder_of, framework_header, join},
    inputs::{Unit, UnitOptions},
};

/// The unit's expanded tokens, with origins, source map and the preprocessor's findings.
///
/// Never equal to what it was before: origins move with every edit. What does not depend on places is compared by the
/// queries behind this one.
#[salsa::tracked(returns(ref), no_eq)]
pub fn preprocessed(db: &dyn Db, unit: Unit) -> Arc<Preprocessed> {
    let unit_options = unit.options(db);
    let files = UnitFiles { db, options: unit_options };
    let mut options = Options::new(unit_options.version);
    options.defines = unit_options
        .defines
        .iter()
        .map(|define| (define.name.to_string(), define.value.as_ref().map(|value| value.to_string())))
        .collect();
    options.forced_includes = unit_options.forced_includes.iter().map(|path| db.shared().file_id(path)).collect();
    options.library_macros = Some(Library::get().macros(unit_options.version));
    options.header_cache = Some(db.shared().headers.clone());
    let root = db.shared().file_id(unit.root(db).path(db));
    Arc::new(msl_preproc::preprocess(root, &files, &options))
}

/// How many folders above an including file are tried.
const MAX_FOLDERS_ABOVE: usize = 16;

/// Gives the preprocessor texts and finds what `#include` names: beside the including file (for `"…"`), in the include
/// folders, in frameworks, in the bundled library, in the folders above the including file.
struct UnitFiles<'db> {
    db: &'db dyn Db,
    options: &'db UnitOptions,
}

impl UnitFiles<'_> {
    fn file_at(&self, path: &str) -> Option<FileId> {
        self.db.source_file(path).content(self.db).text()?;
        Some(self.db.shared().file_id(path))
    }

    /// Looks in the folders of frameworks, and among the frameworks that lie in the one that the including file is part
    /// of. `folder` is that of the including file.
    fn in_frameworks(&self, folder: &str, spelling: &str) -> Option<FileId> {
        let in_folder = |dir: &str| {
            let part = |headers: &str| self.file_at(&framework_header(dir, spelling, headers)?);
            part("Headers").or_else(|| part("PrivateHeaders"))
        };
        let mut dirs = self.options.framework_dirs.iter();
        dirs.find_map(|dir| in_folder(dir)).or_else(|| {
            let umbrella = &folder[..folder.rfind(".framework/")? + ".framework".len()];
            in_folder(&join(umbrella, "Frameworks"))
        })
    }

    /// Looks in the folders from `from` up to the project's root: for a name with folders in it in each of them, for any
    /// name in the folder `include` of each.
    fn above(&self, from: &str, spelling: &str) -> Option<FileId> {
        let root = self.options.project_root.as_deref()?;
        let mut folder = from;
        for _ in 0..MAX_FOLDERS_ABOVE {
            let inside = root == "." && !folder.starts_with("..") && !folder.starts_with('/')
                || folder == root
                || folder.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'));
            if !inside {
                return None;
            }
            let plain = spelling.contains('/').then(|| join(folder, spelling));
            let found = plain.and_then(|path| self.file_at(&path));
            if let Some(file) = found.or_else(|| self.file_at(&join(folder, &format!("include/{spelling}")))) {
                return Some(file);
            }
            if folder == root {
                return None;
            }
            folder = folder_of(folder);
        }
        None
    }
}

/// Whether a spelling is that of a framework's main header, `ARKit/ARKit.h`. In quotes other spellings are more likely
/// those of a folder of the project that happens to bear the name of a framework.
fn names_main_header(spelling: &str) -> bool {
    spelling.split_once('/').is_some_and(|(framework, rest)| rest.strip_suffix(".h") == Some(framework))
}

impl SourceProvider for UnitFiles<'_> {
    fn text(&self, file: FileId) -> Option<Arc<[u8]>> {
        let path = self.db.shared().path(file)?;
        self.db.source_file(path).content(self.db).text().cloned()
    }

    fn resolve_include(&self, request: &IncludeRequest<'_>) -> Include {
        let Ok(spelling) = std::str::from_utf8(request.spelling) else { return Include::NotFound };
        if spelling.is_empty() {
            return Include::NotFound;
        }
        let from = self.db.shared().path(request.from).map_or(".", |path| folder_of(path));
        let folders = self.options.include_dirs.iter().map(|folder| &**folder);
        let found = if request.next {
            // Behind the folder that the including file was found in; in front of it all if it was found beside its
            // includer.
            let found_in = |folder: &str| {
                let prefix = join(folder, ".");
                let path = self.db.shared().path(request.from);
                path.is_some_and(|path| {
                    prefix == "." || path.starts_with(&format!("{}/", prefix.trim_end_matches('/')))
                })
            };
            let skip = self.options.include_dirs.iter().position(|folder| found_in(folder)).map_or(0, |at| at + 1);
            folders.skip(skip).find_map(|folder| self.file_at(&join(folder, spelling)))
        } else if request.angled {
            folders.into_iter().find_map(|folder| self.file_at(&join(folder, spelling)))
        } else {
            std::iter::once(from).chain(folders).find_map(|folder| self.file_at(&join(folder, spelling)))
        };
        if let Some(file) = found.or_else(|| self.in_frameworks(from, spelling)) {
            return Include::File(file);
        }
        let known = lookup_include(spelling);
        match known {
            Some(LibraryInclude::Sdk) | None => {}
            Some(_) => return Include::Library(Name::new(spelling)),
        }
        match self.above(from, spelling) {
            Some(file) => Include::File(file),
            None if known.is_some() && (request.angled || names_main_header(spelling)) => {
                Include::Sdk(Name::new(spelling))
            }
            None => Include::NotFound,
        }
    }

    fn path(&self, file: FileId) -> Option<String> {
        self.db.shared().path(file).map(|path| path.to_string())
    }
}
