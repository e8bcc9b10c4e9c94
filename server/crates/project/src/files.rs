//! Where file contents come from: the disk for the command line, memory for tests.

use std::{collections::BTreeMap, sync::Arc};

/// The bytes of a file, which may be mapped.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A tree of files. Paths are normalised, with `/`, and as the user would type them.
pub trait FileAccess: Sync {
    /// Every file below `root` that counts; ignored files are left out.
    fn files(&self, root: &str) -> Vec<String>;

    /// The contents of a file, if it can be read.
    fn read(&self, path: &str) -> Option<Bytes>;

    /// The absolute path that a path stands for. Build tools write such paths into their files.
    fn absolute(&self, path: &str) -> String;
}

/// Files in memory: for tests and examples.
#[derive(Clone, Debug, Default)]
pub struct MemoryTree {
    files: BTreeMap<String, Arc<Vec<u8>>>,
}

impl MemoryTree {
    pub fn insert(&mut self, path: &str, contents: impl Into<Vec<u8>>) {
        self.files.insert(crate::paths::normalize(path), Arc::new(contents.into()));
    }
}

impl FileAccess for MemoryTree {
    fn files(&self, root: &str) -> Vec<String> {
        let inside = |path: &&String| root == "." || path.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'));
        self.files.keys().filter(inside).cloned().collect()
    }

    fn read(&self, path: &str) -> Option<Bytes> {
        self.files.get(path).map(|bytes| bytes.clone() as Bytes)
    }

    fn absolute(&self, path: &str) -> String {
        crate::paths::join("/project", path)
    }
}
