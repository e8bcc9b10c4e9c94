//! The facade: a database and the requests that front ends make of it.

use std::sync::Arc;

use msl_db::{Database, Db, Unit, UnitOptions, file_system::FileSystem};
use msl_flow::Thresholds;
use msl_preproc::LanguageVersion;

/// The analyser. Cloning gives another handle on the same state, for another thread.
#[derive(Clone)]
pub struct Analysis {
    pub(crate) db: Database,
}

/// The language version that a file is judged under, and where that comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StdChoice {
    pub version: LanguageVersion,
    /// In the user's terms: `command line`, `msl-analyzer.toml:3`, `default`.
    pub source: Arc<str>,
    /// Whether something states the version. If nothing does, a finding that depends on it is only a hint.
    pub stated: bool,
}

impl StdChoice {
    /// What holds when nothing states a version.
    pub fn unstated() -> StdChoice {
        StdChoice { version: LanguageVersion::DEFAULT, source: "default".into(), stated: false }
    }
}

/// A translation unit to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitRequest {
    /// Normalised.
    pub path: Arc<str>,
    pub std: StdChoice,
    /// The version in here is replaced by the one of `std`.
    pub options: UnitOptions,
    /// From where on findings about costs are warnings.
    pub thresholds: Thresholds,
}

impl Analysis {
    pub fn new(files: Arc<dyn FileSystem>) -> Analysis {
        Analysis { db: Database::new(files) }
    }

    /// An analyser over the same files that keeps its results apart: they are freed with it.
    pub fn fresh(&self) -> Analysis {
        Analysis { db: self.db.fresh() }
    }

    /// Sets the text of a file that an editor opens. It is expected to change often from now on.
    pub fn open(&mut self, path: &str, text: Arc<[u8]>) {
        self.db.open(path, text);
    }

    /// Sets the text of a file that is open. Waits until all other handles are dropped, as every change does.
    pub fn edit(&mut self, path: &str, text: Arc<[u8]>) {
        self.db.set_text(path, text);
    }

    /// Reads a file again: it was closed, or it appeared, changed or vanished on disk.
    pub fn refresh(&mut self, path: &str) {
        self.db.refresh(path);
    }

    /// The text of a file as the analysis sees it: as the editor has it, else as it was read from disk.
    pub fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        self.db.source_file(path).content(&self.db).text().cloned()
    }

    /// Runs a reader. `None` if a change made on another handle ended it; whoever still wants the result asks again on
    /// a new handle.
    pub fn cancellable<T>(read: impl FnOnce() -> T) -> Option<T> {
        salsa::Cancelled::catch(std::panic::AssertUnwindSafe(read)).ok()
    }

    pub(crate) fn unit(&self, request: &UnitRequest, version: LanguageVersion) -> Unit {
        self.db.unit(&request.path, UnitOptions { version, ..request.options.clone() })
    }
}
