//! Between URIs and the normalised paths that the analyser knows files by.
//!
//! A `file:` URI is its path. Any other URI, such as that of a text that was never saved, is its own path.

use std::sync::Arc;

use msl_ide::file_system;
use tower_lsp::lsp_types::Url;

/// The path of a document.
pub(crate) fn path_of(uri: &Url) -> Arc<str> {
    match uri.to_file_path() {
        Ok(path) if uri.scheme() == "file" => file_system::normalize(&path.to_string_lossy()).into(),
        _ => uri.as_str().into(),
    }
}

/// The URI of a path, as this server spells it. The client's own spelling of an open document goes before it.
pub(crate) fn uri_of(path: &str) -> Option<Url> {
    Url::from_file_path(path).or_else(|()| Url::parse(path).map_err(|_| ())).ok()
}

/// Whether this is a header by its name: a file that is judged through what includes it.
pub(crate) fn is_header(path: &str) -> bool {
    matches!(path.rsplit_once('.'), Some((_, "h" | "hpp" | "hh" | "hxx" | "metalh" | "inc" | "inl")))
}
