//! The database: salsa's storage, and the table of files.

use std::sync::Arc;

use dashmap::{DashMap, mapref::entry::Entry};
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
}

/// The one database. Cloning gives another handle on the same storage, for another thread; a write waits until all
/// other handles are dropped.
#[salsa::db]
#[derive(Clone)]
pub struct Database {
    storage: salsa::Storage<Self>,
    files: Arc<Files>,
}

struct Files {
    system: Arc<dyn FileSystem>,
    by_path: DashMap<Arc<str>, SourceFile, FxBuildHasher>,
}

#[salsa::db]
impl salsa::Database for Database {}

#[salsa::db]
impl Db for Database {
    fn source_file(&self, path: &str) -> SourceFile {
        if let Some(file) = self.files.by_path.get(path) {
            return *file;
        }
        // Read before the entry is locked: reading may take long.
        let content = self.read(path);
        match self.files.by_path.entry(path.into()) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                // Files change rarely in comparison with the one being edited, which `set_content` makes so.
                let file = SourceFile::builder(entry.key().clone(), content).durability(Durability::MEDIUM).new(self);
                *entry.insert(file)
            }
        }
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
        Database {
            storage: salsa::Storage::new(events),
            files: Arc::new(Files { system, by_path: DashMap::default() }),
        }
    }

    /// A translation unit with the file at `path` as its root.
    pub fn unit(&self, path: &str, options: UnitOptions) -> Unit {
        let root = self.source_file(&normalize(path));
        Unit::builder(root, Arc::new(options)).durability(Durability::HIGH).new(self)
    }

    /// Reads a path again after its content may have changed on disk or in an editor.
    pub fn refresh(&mut self, path: &str) {
        let content = self.read(path);
        self.set_content(path, content);
    }

    /// Sets the content of a path as an edit does: what depends on it is known to change often.
    pub fn set_text(&mut self, path: &str, text: Arc<[u8]>) {
        self.set_content(path, FileContent::Text(text));
    }

    fn set_content(&mut self, path: &str, content: FileContent) {
        let file = self.source_file(path);
        if *file.content(self) != content {
            file.set_content(self).with_durability(Durability::LOW).to(content);
        }
    }

    fn read(&self, path: &str) -> FileContent {
        match self.files.system.read(path) {
            Ok(text) => FileContent::Text(text),
            Err(error) => FileContent::Unreadable(error),
        }
    }
}
