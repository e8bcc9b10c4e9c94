//! Where file contents come from.
//!
//! The analysis reads files only through a [`FileSystem`]: the disk for the command line, the disk below unsaved
//! editor text for the language server, memory for tests. Paths are UTF-8, use `/` and are normalised lexically
//! ([`normalize`]); symbolic links are not followed to compare files, as compilers do not either.

use std::{collections::BTreeMap, fmt, io, sync::Arc};

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

/// Files larger than this are not read: 64 MB. The largest real shader sources are a few megabytes of generated
/// code.
pub const MAX_FILE_SIZE: u64 = 64 << 20;

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ReadError {
    NotFound,
    /// A folder, a device or the like.
    NotAFile,
    /// Larger than [`MAX_FILE_SIZE`]; the size in bytes.
    TooLarge(u64),
    /// What the operating system said.
    Io(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotFound => f.write_str("no such file"),
            ReadError::NotAFile => f.write_str("not a regular file"),
            ReadError::TooLarge(size) => {
                write!(f, "{} MB large, the limit is {} MB", size.div_ceil(1 << 20), MAX_FILE_SIZE >> 20)
            }
            ReadError::Io(message) => f.write_str(message),
        }
    }
}

/// A source of file contents.
pub trait FileSystem: Send + Sync {
    /// The bytes of the file at a normalised path.
    fn read(&self, path: &str) -> Result<Arc<[u8]>, ReadError>;

    /// Lets the next read of a path look again, if contents are kept.
    fn forget(&self, _path: &str) {}
}

/// The disk. Contents are kept once read, so that a header that many units include is read once.
#[derive(Default)]
pub struct DiskFiles {
    read: DashMap<Arc<str>, Result<Arc<[u8]>, ReadError>, FxBuildHasher>,
}

impl FileSystem for DiskFiles {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, ReadError> {
        if let Some(known) = self.read.get(path) {
            return known.clone();
        }
        let content = read_from_disk(path);
        self.read.insert(path.into(), content.clone());
        content
    }

    fn forget(&self, path: &str) {
        self.read.remove(path);
    }
}

fn read_from_disk(path: &str) -> Result<Arc<[u8]>, ReadError> {
    let describe = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::NotFound,
        io::ErrorKind::PermissionDenied => ReadError::Io("permission denied".to_owned()),
        _ => ReadError::Io(error.to_string()),
    };
    let metadata = std::fs::metadata(path).map_err(describe)?;
    if !metadata.is_file() {
        return Err(ReadError::NotAFile);
    }
    if metadata.len() > MAX_FILE_SIZE {
        return Err(ReadError::TooLarge(metadata.len()));
    }
    let bytes = std::fs::read(path).map_err(describe)?;
    if bytes.len() as u64 > MAX_FILE_SIZE {
        return Err(ReadError::TooLarge(bytes.len() as u64));
    }
    Ok(bytes.into())
}

/// Files in memory: for tests and for the examples of the documentation.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<String, Arc<[u8]>>,
}

impl MemoryFiles {
    pub fn insert(&mut self, path: &str, text: &str) {
        self.files.insert(normalize(path), text.as_bytes().into());
    }
}

impl FileSystem for MemoryFiles {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, ReadError> {
        self.files.get(path).cloned().ok_or(ReadError::NotFound)
    }
}

/// Texts that lie over another file system, as unsaved text in an editor does over the disk. A `None` hides the file
/// below.
pub struct OverlayFiles {
    below: Arc<dyn FileSystem>,
    over: DashMap<Arc<str>, Option<Arc<[u8]>>, FxBuildHasher>,
}

impl OverlayFiles {
    pub fn new(below: Arc<dyn FileSystem>) -> OverlayFiles {
        OverlayFiles { below, over: DashMap::default() }
    }

    /// Sets the text of a path, or hides the path.
    pub fn set(&self, path: &str, text: Option<Arc<[u8]>>) {
        self.over.insert(path.into(), text);
    }

    /// Uncovers what lies below.
    pub fn remove(&self, path: &str) {
        self.over.remove(path);
    }
}

impl FileSystem for OverlayFiles {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, ReadError> {
        match self.over.get(path) {
            Some(text) => text.clone().ok_or(ReadError::NotFound),
            None => self.below.read(path),
        }
    }

    fn forget(&self, path: &str) {
        self.below.forget(path);
    }
}

/// A path with `/`, without `.` and with `..` resolved where there is something to take away. The empty path is `.`.
pub fn normalize(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => {
                    parts.pop();
                }
                _ if absolute => {}
                _ => parts.push(".."),
            },
            _ => parts.push(part),
        }
    }
    match (absolute, parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => parts.join("/"),
    }
}

/// `path` as seen from the folder `folder`, where an empty one is the current folder; an absolute path stays as it is.
pub fn join(folder: &str, path: &str) -> String {
    let absolute = path.starts_with('/') || (cfg!(windows) && path.as_bytes().get(1) == Some(&b':'));
    if absolute || folder.is_empty() { normalize(path) } else { normalize(&format!("{folder}/{path}")) }
}

/// Where the header of a framework that an `#include` spells `Name/part.h` lies in a folder of frameworks; `headers` is
/// `Headers` or `PrivateHeaders`. `None` if the spelling names no framework.
pub fn framework_header(folder: &str, spelling: &str, headers: &str) -> Option<String> {
    let (framework, rest) = spelling.split_once('/')?;
    // A framework's name is one word: it leads to no other folder.
    let is_name = !framework.is_empty() && !framework.starts_with('.');
    is_name.then(|| join(folder, &format!("{framework}.framework/{headers}/{rest}")))
}

/// How an `#include` spells a header that lies in a framework of this folder: the reverse of [`framework_header`].
pub fn framework_spelling(folder: &str, path: &str) -> Option<String> {
    let (framework, rest) = path.strip_prefix(folder)?.strip_prefix('/')?.split_once(".framework/Headers/")?;
    (!framework.contains('/')).then(|| format!("{framework}/{rest}"))
}

/// Whether a file is part of a framework in this folder of frameworks.
pub fn is_in_framework(folder: &str, path: &str) -> bool {
    let rest = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
    rest.and_then(|rest| rest.split_once('/')).is_some_and(|(first, _)| first.ends_with(".framework"))
}

/// The folder that holds `path`.
pub fn folder_of(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) => "/",
        Some(slash) => &path[..slash],
        None => ".",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_normalised() {
        for (path, normal) in [
            ("a/./b//c", "a/b/c"),
            ("a/../b", "b"),
            ("../a/../../b", "../../b"),
            ("/../a", "/a"),
            ("./", "."),
            ("", "."),
        ] {
            assert_eq!(normalize(path), normal);
        }
        assert_eq!(join("a/b", "../c.h"), "a/c.h");
        assert_eq!(join("a/b", "/c.h"), "/c.h");
        assert_eq!(join(".", "c.h"), "c.h");
        assert_eq!(join("", "c.h"), "c.h");
        assert_eq!(folder_of("a/b.metal"), "a");
        assert_eq!(folder_of("b.metal"), ".");
    }

    #[test]
    fn overlays_cover_and_hide() {
        let mut disk = MemoryFiles::default();
        disk.insert("a.h", "saved");
        disk.insert("b.h", "saved");
        let files = OverlayFiles::new(Arc::new(disk));
        files.set("a.h", Some(b"unsaved"[..].into()));
        files.set("b.h", None);
        assert_eq!(&*files.read("a.h").unwrap(), b"unsaved");
        assert_eq!(files.read("b.h"), Err(ReadError::NotFound));
        files.remove("b.h");
        assert_eq!(&*files.read("b.h").unwrap(), b"saved");
    }
}
