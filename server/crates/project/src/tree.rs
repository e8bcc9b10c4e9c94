//! The files of a project while it is read: which there are, and the texts that were loaded.

use std::{cell::RefCell, sync::Arc};

use msl_diagnostics::{Place, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    files::FileAccess,
    paths,
    text::{Origin, Text},
};

/// Build files and host sources larger than this are not read: generated data, not what people write.
const MAX_TEXT: usize = 4 << 20;
/// A tree has at most so many files; the rest is left out.
const MAX_FILES: usize = 400_000;

/// The files of a project.
pub(crate) struct Tree<'a> {
    access: &'a dyn FileAccess,
    pub(crate) root: String,
    absolute_root: String,
    /// Sorted.
    pub(crate) files: Vec<String>,
    known: FxHashSet<String>,
    loaded: RefCell<Loaded>,
}

#[derive(Default)]
struct Loaded {
    paths: Vec<Arc<str>>,
    texts: Vec<Arc<str>>,
    by_path: FxHashMap<String, Option<u32>>,
}

/// A text that was read.
#[derive(Clone)]
pub(crate) struct SourceFile {
    pub(crate) id: u32,
    pub(crate) path: Arc<str>,
    pub(crate) text: Arc<str>,
}

impl SourceFile {
    /// The folder that holds it.
    pub(crate) fn folder(&self) -> &str {
        paths::folder_of(&self.path)
    }

    /// A range of the text, as text with origin.
    pub(crate) fn slice(&self, range: std::ops::Range<usize>) -> Text {
        let origin = Origin::new(self.id, range.start, range.end);
        self.text.get(range).map_or_else(Text::default, |text| Text::known(text, origin))
    }

    /// All of the text.
    pub(crate) fn whole(&self) -> Text {
        // Longer than a text may be otherwise, so it is put together from slices where it is used.
        self.slice(0..self.text.len())
    }
}

impl<'a> Tree<'a> {
    pub(crate) fn new(root: &str, access: &'a dyn FileAccess) -> Tree<'a> {
        let root = paths::normalize(root);
        let mut files = access.files(&root);
        files.sort();
        files.dedup();
        files.truncate(MAX_FILES);
        let known = files.iter().cloned().collect();
        let absolute_root = paths::normalize(&access.absolute(&root));
        Tree { access, root, absolute_root, files, known, loaded: RefCell::default() }
    }

    /// A path as the tree names it, if it is an absolute one below the root. Build tools write such paths.
    pub(crate) fn localize(&self, path: String) -> String {
        let rest = path.strip_prefix(&self.absolute_root).filter(|_| self.absolute_root.len() > 1);
        match rest {
            Some("") => self.root.clone(),
            Some(rest) => rest.strip_prefix('/').map_or(path.clone(), |rest| paths::join(&self.root, rest)),
            None => path,
        }
    }

    /// The absolute form of a path of the tree.
    pub(crate) fn absolute(&self, path: &str) -> String {
        paths::normalize(&self.access.absolute(path))
    }

    pub(crate) fn exists(&self, path: &str) -> bool {
        self.known.contains(path)
    }

    /// The text at a path; bytes that are not UTF-8 are replaced one for one, so that offsets stay right.
    pub(crate) fn load(&self, path: &str) -> Option<SourceFile> {
        let known = self.loaded.borrow().by_path.get(path).copied();
        let id = match known {
            Some(known) => known?,
            None => {
                let text = self.read(path);
                let mut loaded = self.loaded.borrow_mut();
                let id = text.as_ref().map(|_| loaded.texts.len() as u32);
                loaded.by_path.insert(path.to_owned(), id);
                loaded.texts.push(text?);
                loaded.paths.push(Arc::from(path));
                id?
            }
        };
        let loaded = self.loaded.borrow();
        let index = id as usize;
        Some(SourceFile { id, path: loaded.paths[index].clone(), text: loaded.texts[index].clone() })
    }

    fn read(&self, path: &str) -> Option<Arc<str>> {
        let bytes = self.access.read(path)?;
        let bytes = (*bytes).as_ref();
        if bytes.len() > MAX_TEXT {
            return None;
        }
        Some(match std::str::from_utf8(bytes) {
            Ok(text) => Arc::from(text),
            Err(_) => bytes
                .iter()
                .map(|&byte| if byte.is_ascii() { char::from(byte) } else { '?' })
                .collect::<String>()
                .into(),
        })
    }

    pub(crate) fn path_of(&self, file: u32) -> Arc<str> {
        self.loaded.borrow().paths.get(file as usize).cloned().unwrap_or_else(|| Arc::from(""))
    }

    pub(crate) fn place(&self, origin: Origin) -> Place {
        Place { path: self.path_of(origin.file), range: TextRange::new(origin.start, origin.end) }
    }

    /// The line that an origin starts on, from 1.
    pub(crate) fn line(&self, origin: Origin) -> u32 {
        let loaded = self.loaded.borrow();
        let text = loaded.texts.get(origin.file as usize).map_or(&b""[..], |text| text.as_bytes());
        let before = &text[..(origin.start as usize).min(text.len())];
        before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1
    }

    /// Existing files that a pattern matches.
    pub(crate) fn glob(&self, pattern: &str) -> Vec<&String> {
        let pattern = paths::normalize(pattern);
        // Only what begins with the part before the first wildcard can match.
        let fixed = &pattern[..pattern.find(['*', '?', '[', '{']).unwrap_or(pattern.len())];
        let start = self.files.partition_point(|file| file.as_str() < fixed);
        self.files[start..]
            .iter()
            .take_while(|file| file.starts_with(fixed))
            .filter(|file| paths::glob_matches(&pattern, file))
            .take(20_000)
            .collect()
    }

    /// Files below a folder.
    pub(crate) fn below(&self, folder: &str) -> impl Iterator<Item = &String> {
        let prefix = if folder == "." { String::new() } else { format!("{folder}/") };
        let start = self.files.partition_point(|file| *file < prefix);
        self.files[start..].iter().take_while(move |file| file.starts_with(&prefix))
    }
}
