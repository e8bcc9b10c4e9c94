//! The database: salsa's storage, and the table of files.

use std::sync::Arc;

use dashmap::{DashMap, mapref::entry::Entry};
use msl_preproc::{FileId, HeaderCache};
use rustc_hash::FxBuildHasher;
use salsa::{Durability, Setter};

use crate::{
    file_system::{FileSystem, normalize},
    inputs::{FileContent, SourceFile, Unit, UnitOptions},
};

/// What queries may ask for beside salsa's own.
#[salsa::db]
pub trait Db: salsa::Database {
    /// The file at a normalised path, read on first use.
    fn source_file(&self, path: &str) -> SourceFile;

    /// Numbers of paths, and what is shared between databases.
    fn shared(&self) -> &Shared;
}

/// The one database. Cloning gives another handle on the same storage, for another thread; a write waits until all
/// other handles are dropped.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    files: Arc<DashMap<Arc<str>, SourceFile, FxBuildHasher>>,
    units: Arc<DashMap<UnitKey, Unit, FxBuildHasher>>,
    shared: Arc<Shared>,
}

/// What tells units apart: the root file and how it is compiled.
type UnitKey = (SourceFile, Arc<UnitOptions>);

/// What does not depend on revisions: where contents come from, the numbers of paths, the tokens of headers. Several
/// databases may share it, as those of a batch run do, one for each unit.
pub struct Shared {
    system: Arc<dyn FileSystem>,
    ids: DashMap<Arc<str>, FileId, FxBuildHasher>,
    paths: boxcar::Vec<Arc<str>>,
    pub(crate) headers: Arc<HeaderCache>,
}

impl Shared {
    /// The number of a normalised path. Numbers are never given twice.
    pub fn file_id(&self, path: &str) -> FileId {
        if let Some(id) = self.ids.get(path) {
            return *id;
        }
        match self.ids.entry(path.into()) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let index = self.paths.push(entry.key().clone());
                *entry.insert(FileId(index as u32))
            }
        }
    }

    /// The path with this number; `None` for numbers that name no file of the user.
    pub fn path(&self, file: FileId) -> Option<&Arc<str>> {
        if file.is_real() { self.paths.get(file.0 as usize) } else { None }
    }
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {
    fn source_file(&self, path: &str) -> SourceFile {
        if let Some(file) = self.files.get(path) {
            return *file;
        }
        // Read before the entry is locked: reading may take long.
        let content = self.read(path);
        match self.files.entry(path.into()) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                // Files change rarely in comparison with the one being edited, which `set_content` makes so.
                let file = SourceFile::builder(entry.key().clone(), content).durability(Durability::MEDIUM).new(self);
                *entry.insert(file)
            }
        }
    }

    fn shared(&self) -> &Shared {
        &self.shared
    }
}

impl Database {
    pub fn new(system: Arc<dyn FileSystem>) -> Database {
        Database::with_events(system, None)
    }

    /// A database that reports what it does, for tests of what is computed again.
    pub fn with_events(
        system: Arc<dyn FileSystem>,
        events: Option<Box<dyn Fn(salsa::Event) + Send + Sync + 'static>>,
    ) -> Database {
        let shared = Shared {
            system,
            ids: DashMap::default(),
            paths: boxcar::Vec::new(),
            headers: Arc::new(HeaderCache::new()),
        };
        Database {
            storage: salsa::Storage::new(events),
            files: Arc::default(),
            units: Arc::default(),
            shared: Arc::new(shared),
        }
    }

    /// An empty database over the same files: what it computes is freed with it, what it shares stays.
    pub fn fresh(&self) -> Database {
        Database {
            storage: salsa::Storage::new(None),
            files: Arc::default(),
            units: Arc::default(),
            shared: self.shared.clone(),
        }
    }

    /// The translation unit with the file at `path` as its root; the same one for the same options.
    pub fn unit(&self, path: &str, options: UnitOptions) -> Unit {
        let key = (self.source_file(&normalize(path)), Arc::new(options));
        if let Some(unit) = self.units.get(&key) {
            return *unit;
        }
        match self.units.entry(key) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let (root, options) = entry.key().clone();
                let unit = Unit::builder(root, options).durability(Durability::HIGH).new(self);
                *entry.insert(unit)
            }
        }
    }

    /// Reads a path again after its content may have changed on disk or in an editor.
    pub fn refresh(&mut self, path: &str) {
        self.shared.system.forget(path);
        let content = self.read(path);
        self.set_content(path, content);
    }

    /// Sets the text of a path that is open in an editor: it is known to change often from now on.
    ///
    /// The first time this makes everything that depends on the file run once more, because results that were
    /// believed to be durable are not; so call it when a file is opened, not at the first edit.
    pub fn open(&mut self, path: &str, text: Arc<[u8]>) {
        let file = self.source_file(path);
        file.set_content(self).with_durability(Durability::LOW).to(FileContent::Text(text));
    }

    /// Sets the text of a path as an edit does.
    pub fn set_text(&mut self, path: &str, text: Arc<[u8]>) {
        self.set_content(path, FileContent::Text(text));
    }

    fn set_content(&mut self, path: &str, content: FileContent) {
        let file = self.source_file(path);
        if *file.content(self) != content {
            file.set_content(self).to(content);
        }
    }

    fn read(&self, path: &str) -> FileContent {
        match self.shared.system.read(path) {
            Ok(text) => FileContent::Text(text),
            Err(error) => FileContent::Unreadable(error),
        }
    }
}
