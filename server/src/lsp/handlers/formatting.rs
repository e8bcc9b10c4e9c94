//! Formatting through clang-format.
//!
//! What clang-format gives is compared with the text line by line, so that an editor keeps cursors and marks where nothing
//! changes. While the user types, only white space may change.

use std::{ops::Range, path::Path};

use msl_ide::file_system;
use similar::{Algorithm, DiffOp, TextDiff};
use tower_lsp::{
    jsonrpc::{Error, Result},
    lsp_types::{
        self, DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams, TextEdit,
    },
};

use crate::lsp::{
    documents::Document,
    events::refused,
    external::{self, Failure},
    from_proto,
    snapshot::Snapshot,
    to_proto,
};

/// What triggers formatting while the user types: the first one, and the others.
pub(crate) const TRIGGERS: (&str, &[&str]) = ("}", &[";", "\n"]);

pub(crate) fn document(snapshot: &Snapshot, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
    let (path, document) = snapshot.document(&params.text_document.uri)?;
    Ok(Some(edits(snapshot, document, &formatted(snapshot, &path, document, None)?)))
}

pub(crate) fn range(snapshot: &Snapshot, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
    let (path, document) = snapshot.document(&params.text_document.uri)?;
    let range = from_proto::line_columns(params.range);
    // A selection of whole lines ends at the start of the next one.
    let last =
        if range.end.column == 0 && range.end.line > range.start.line { range.end.line - 1 } else { range.end.line };
    let lines = range.start.line..last + 1;
    Ok(Some(edits(snapshot, document, &formatted(snapshot, &path, document, Some(lines))?)))
}

pub(crate) fn on_type(snapshot: &Snapshot, params: DocumentOnTypeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
    let at = params.text_document_position;
    let (path, document) = snapshot.document(&at.text_document.uri)?;
    let position = from_proto::line_column(at.position);
    let lines = match params.ch.as_str() {
        // The line that was finished.
        "\n" => position.line.saturating_sub(1)..position.line,
        // The block that was closed, as far as the raw tree knows it.
        "}" => {
            let offset = document.text.offset(position, snapshot.encoding).saturating_sub(1);
            let pair = msl_syntax::matching_bracket(document.tree(), &document.text, offset);
            let first = pair.map_or(position.line, |pair| document.text.lines().line_of(pair.open.start));
            first.min(position.line)..position.line + 1
        }
        _ => position.line..position.line + 1,
    };
    let new_text = match formatted(snapshot, &path, document, Some(lines)) {
        Ok(new_text) => new_text,
        // Nobody asked for it by hand, so nobody wants to hear at each key that it cannot be done.
        Err(_) => return Ok(None),
    };
    let without_space = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    if without_space(&new_text) != without_space(document.text.to_str()) {
        return Ok(None);
    }
    Ok(Some(edits(snapshot, document, &new_text)))
}

/// The text as clang-format has it; only these lines, if there are any, counted from 0.
fn formatted(snapshot: &Snapshot, path: &str, document: &Document, lines: Option<Range<u32>>) -> Result<String> {
    let program = snapshot.settings.client.clang_format();
    let mut arguments = vec![format!("--assume-filename={path}"), "--fallback-style=LLVM".to_owned()];
    if let Some(lines) = lines {
        arguments.push(format!("--lines={}:{}", lines.start + 1, lines.end.max(lines.start + 1)));
    }
    let folder = Path::new(file_system::folder_of(path));
    let folder = if folder.is_dir() { folder } else { Path::new(".") };
    let input = document.text.to_str().as_bytes().to_vec();
    let output = external::run(program, &arguments, folder, input, || snapshot.is_cancelled());
    match output {
        Ok(output) if output.is_success => {
            String::from_utf8(output.stdout).map_err(|_| refused("clang-format gave what is not UTF-8"))
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(refused(format!(
                "clang-format failed: {}",
                said.trim().lines().next().unwrap_or("it does not say why")
            )))
        }
        Err(Failure::NotFound) => Err(refused(format!(
            "`{program}` was not found: install clang-format, or say where it is with the setting `msl-analyzer.clang-format`"
        ))),
        Err(Failure::TimedOut) => Err(refused("clang-format took too long")),
        Err(Failure::Cancelled) => Err(Error::request_cancelled()),
        Err(Failure::Io(message)) => Err(refused(format!("clang-format could not be run: {message}"))),
    }
}

/// The lines that differ, as edits.
fn edits(snapshot: &Snapshot, document: &Document, new_text: &str) -> Vec<TextEdit> {
    let old_text: &str = document.text.to_str();
    if old_text == new_text {
        return Vec::new();
    }
    let diff = TextDiff::configure().algorithm(Algorithm::Patience).diff_lines(old_text, new_text);
    let starts = |slices: &[&str]| {
        let mut at = 0;
        let mut starts = vec![0];
        starts.extend(slices.iter().map(|slice| {
            at += slice.len();
            at
        }));
        starts
    };
    let (old, new) = (starts(diff.old_slices()), starts(diff.new_slices()));
    let position = |offset: usize| to_proto::position(document.text.position(offset as u32, snapshot.encoding));
    let mut edits = Vec::new();
    for op in diff.ops() {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (from, to) = (op.old_range(), op.new_range());
        let range = lsp_types::Range::new(position(old[from.start]), position(old[from.end]));
        edits.push(TextEdit::new(range, new_text[new[to.start]..new[to.end]].to_owned()));
    }
    edits
}
