//! Where the `#include` lines of a file lead.

use std::sync::Arc;

use msl_diagnostics::TextRange;

use crate::{
    analysis::{Analysis, UnitRequest},
    navigation::included_path,
    view::View,
};

/// A name that is a link.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentLink {
    /// The header's name without its delimiters.
    pub range: TextRange,
    /// The path of the file; that of a header of the library is `<name>`.
    pub target: Arc<str>,
}

impl Analysis {
    /// The `#include` lines of a file of a unit that lead somewhere, in order.
    pub fn document_links(&self, request: &UnitRequest, path: &Arc<str>) -> Vec<DocumentLink> {
        let view = View::new(self, request);
        let Some(file) = view.file(path) else { return Vec::new() };
        let includes = view.preprocessed.includes.iter().filter(|include| include.file == file);
        let mut links: Vec<DocumentLink> = includes
            .filter_map(|include| {
                let (start, end) = (include.name_range.start, include.name_range.end);
                let inside =
                    if end - start >= 2 { TextRange::new(start + 1, end - 1) } else { TextRange::new(start, end) };
                Some(DocumentLink { range: inside, target: included_path(&view, &include.target)? })
            })
            .collect();
        // A file that is entered several times lists its directives as often.
        links.sort_by_key(|link| (link.range.start, link.range.end));
        links.dedup();
        links
    }
}
