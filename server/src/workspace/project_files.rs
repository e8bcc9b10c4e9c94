//! The files of a project on disk, as the reader of build files sees them.

use std::{path::Path, sync::Arc};

use ignore::WalkBuilder;
use msl_ide::file_system;
use msl_project::{Bytes, FileAccess};

/// Files on disk. Ignored ones are left out, except for compilation databases in build folders.
pub(crate) struct DiskTree;

/// Where build systems put compilation databases, often in ignored folders.
const DATABASES: &[&str] = &["compile_commands.json", "build/compile_commands.json"];

/// Files larger than this are mapped, smaller ones are read.
const MAP_FROM: u64 = 1 << 20;

impl FileAccess for DiskTree {
    fn files(&self, root: &str) -> Vec<String> {
        let is_outside_git = |entry: &ignore::DirEntry| entry.file_name() != ".git";
        // Workflows live in a hidden folder.
        let walker = WalkBuilder::new(root).require_git(false).hidden(false).filter_entry(is_outside_git).build();
        let mut files: Vec<String> = walker
            .flatten()
            .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
            .filter_map(|entry| Some(file_system::normalize(entry.path().to_str()?)))
            .collect();
        for name in DATABASES {
            let path = file_system::join(root, name);
            if Path::new(&path).is_file() && !files.contains(&path) {
                files.push(path);
            }
        }
        files
    }

    fn read(&self, path: &str) -> Option<Bytes> {
        let file = std::fs::File::open(path).ok()?;
        let metadata = file.metadata().ok()?;
        if !metadata.is_file() {
            return None;
        }
        if metadata.len() < MAP_FROM {
            return Some(Arc::new(std::fs::read(path).ok()?));
        }
        // SAFETY: the bytes may change while they are mapped if somebody writes the file; the readers of Metal binaries
        // accept any bytes, and a file that is cut short ends the process, as it does for other tools that map files.
        let map = unsafe { memmap2::Mmap::map(&file) }.ok()?;
        Some(Arc::new(map))
    }

    fn absolute(&self, path: &str) -> String {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.into());
        file_system::normalize(&absolute.to_string_lossy())
    }
}
