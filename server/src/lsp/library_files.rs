//! The declarations of the Metal library as files that an editor can open.
//!
//! They are written, read-only, into the user's cache folder at the first jump into the library: a `file:` URI is what
//! every editor can follow. A document that lies there is shown and navigated, but not judged.

use std::{
    borrow::Cow,
    path::{Path, PathBuf},
    sync::Arc,
};

use msl_builtins::{HeaderId, LibraryInclude, Visibility, headers, lookup_include};
use msl_ide::file_system;

/// The folder for the files of this version of the library, if the system has a place for such things.
pub(crate) fn folder() -> Option<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = variable("MSL_ANALYZER_CACHE_DIR").or_else(|| {
        let base = if cfg!(windows) {
            variable("LOCALAPPDATA")?
        } else if cfg!(target_os = "macos") {
            variable("HOME")?.join("Library/Caches")
        } else {
            variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")))?
        };
        Some(base.join("msl-analyzer"))
    })?;
    Some(cache.join(concat!("library-", env!("CARGO_PKG_VERSION"))))
}

/// The text of a header; for one that only stands for others, directives that include those.
pub(crate) fn text_of(name: &str) -> Option<Cow<'static, str>> {
    if let Some(header) = headers().map(HeaderId::header).find(|header| header.name == name) {
        return Some(Cow::Borrowed(header.text));
    }
    match lookup_include(name)? {
        LibraryInclude::Umbrella(_) => {
            let parts = headers().map(HeaderId::header).filter(|header| header.visibility == Visibility::Stdlib);
            let lines: Vec<String> = parts.map(|header| format!("#include <{}>\n", header.name)).collect();
            Some(Cow::Owned(lines.concat()))
        }
        LibraryInclude::Header(_) | LibraryInclude::Standard { .. } | LibraryInclude::Sdk => None,
    }
}

/// The path of a header of the library, which is written if need be. `name` is what stands between the angle brackets.
pub(crate) fn path_of(name: &str) -> Option<Arc<str>> {
    let text = text_of(name)?;
    // The suffix by which editors know the language.
    let file_name = format!("{}.metal", name.trim_end_matches(".h"));
    let path = folder()?.join(file_name);
    if std::fs::read(&path).ok().as_deref() != Some(text.as_bytes()) {
        write_read_only(&path, &text).ok()?;
    }
    Some(file_system::normalize(&path.to_string_lossy()).into())
}

/// Whether a path lies in the folder of the library.
pub(crate) fn is_library(path: &str) -> bool {
    folder().is_some_and(|folder| Path::new(path).starts_with(folder))
}

fn write_read_only(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    // Written beside and moved into place, so that nobody reads half a file.
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    std::fs::write(&beside, text)?;
    let mut permissions = std::fs::metadata(&beside)?.permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&beside, permissions)?;
    std::fs::rename(&beside, path)
}
