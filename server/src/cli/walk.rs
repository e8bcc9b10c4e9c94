//! From the paths on the command line to the files to analyse.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use msl_ide::file_system::{self, ReadError};

/// Extensions of files that are translation units of their own.
const UNIT_EXTENSIONS: &[&str] = &["metal", "msl"];
/// Extensions of files that are Metal but are meant to be included.
const HEADER_EXTENSIONS: &[&str] = &["metalh"];

/// What the paths on the command line stand for.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// Normalised paths of files to analyse, each once.
    pub(crate) files: Vec<InputFile>,
    /// Whether a folder was walked, so that what includes a header is likely among the files.
    pub(crate) walked: bool,
    /// Named inputs that cannot be read: wrong usage.
    pub(crate) unreadable: Vec<String>,
    /// Entries met while walking that cannot be read.
    pub(crate) skipped: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct InputFile {
    pub(crate) path: String,
    pub(crate) role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// A translation unit.
    Unit,
    /// Checked through the units that include it, alone only if there is none.
    Header,
}

/// Collects the files; no path means the current folder.
pub(crate) fn collect(paths: &[PathBuf]) -> Inputs {
    let mut inputs = Inputs::default();
    if paths.is_empty() {
        collect_one(Path::new("."), &mut inputs);
    }
    for path in paths {
        collect_one(path, &mut inputs);
    }
    inputs.files.sort();
    inputs.files.dedup();
    inputs
}

fn collect_one(path: &Path, inputs: &mut Inputs) {
    let Some(text) = path.to_str() else {
        inputs.unreadable.push(format!("{}: the path is not UTF-8", path.display()));
        return;
    };
    let normal = file_system::normalize(text);
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => walk(&normal, inputs),
        Ok(metadata) if !metadata.is_file() => inputs.unreadable.push(format!("{text}: {}", ReadError::NotAFile)),
        Ok(metadata) if metadata.len() > file_system::MAX_FILE_SIZE => {
            inputs.unreadable.push(format!("{text}: {}", ReadError::TooLarge(metadata.len())));
        }
        Ok(_) => match std::fs::File::open(path) {
            Ok(_) => {
                let role = role(&normal).unwrap_or(role_of_named(&normal));
                inputs.files.push(InputFile { path: normal, role });
            }
            Err(error) => inputs.unreadable.push(format!("{text}: {}", describe(&error))),
        },
        Err(error) => inputs.unreadable.push(format!("{text}: {}", describe(&error))),
    }
}

fn walk(folder: &str, inputs: &mut Inputs) {
    inputs.walked = true;
    // Listed before anything is skipped silently: a folder that is named must be readable.
    if let Err(error) = std::fs::read_dir(folder) {
        inputs.unreadable.push(format!("{folder}: {}", describe(&error)));
        return;
    }
    let walker = WalkBuilder::new(folder).require_git(false).sort_by_file_path(Ord::cmp).build();
    for entry in walker {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                inputs.skipped.push(describe_walk(&error));
                continue;
            }
        };
        if entry.file_type().is_none_or(|kind| kind.is_dir()) {
            continue;
        }
        let Some(path) = entry.path().to_str() else {
            if entry.path().extension().is_some_and(|extension| extension == "metal") {
                inputs.skipped.push(format!("{}: the path is not UTF-8", entry.path().display()));
            }
            continue;
        };
        let Some(role) = role(path) else { continue };
        match std::fs::File::open(entry.path()).and_then(|file| file.metadata()) {
            Ok(metadata) if !metadata.is_file() => {}
            Ok(metadata) if metadata.len() > file_system::MAX_FILE_SIZE => {
                inputs.skipped.push(format!("{path}: {}", ReadError::TooLarge(metadata.len())));
            }
            Ok(_) => inputs.files.push(InputFile { path: file_system::normalize(path), role }),
            Err(error) => inputs.skipped.push(format!("{path}: {}", describe(&error))),
        }
    }
}

/// What a file is by its name, if it is Metal.
fn role(path: &str) -> Option<Role> {
    let extension = Path::new(path).extension()?.to_str()?.to_ascii_lowercase();
    if UNIT_EXTENSIONS.contains(&extension.as_str()) {
        Some(Role::Unit)
    } else if HEADER_EXTENSIONS.contains(&extension.as_str()) {
        Some(Role::Header)
    } else {
        None
    }
}

/// A file that is named is analysed whatever its name; one that looks like a header is one.
fn role_of_named(path: &str) -> Role {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if extension.is_empty() || extension.starts_with(['h', 'H']) || extension == "inc" {
        Role::Header
    } else {
        Role::Unit
    }
}

fn describe(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => "no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

fn describe_walk(error: &ignore::Error) -> String {
    let path = walk_error_path(error).map(|path| format!("{}: ", path.display())).unwrap_or_default();
    match error.io_error() {
        Some(io) => format!("{path}{}", describe(io)),
        None => error.to_string(),
    }
}

fn walk_error_path(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => walk_error_path(err),
        _ => None,
    }
}
