//! "Explain the address spaces of this function": a line above it, and the table behind that.
//!
//! The request `msl-analyzer/explainAddressSpaces` takes a document and a position, and gives `{ "title", "markdown" }`
//! about the function there: what each caller passes; `null` if nothing is generic in it.

use serde_json::{Value, json};
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{CodeLens, Command, TextDocumentPositionParams, Url, request::Request},
};

use crate::lsp::snapshot::{At, Snapshot};

/// The command of a client that asks for the table and shows it: arguments are a URI and a position.
pub(crate) const EXPLAIN_SPACES: &str = "msl-analyzer.explainAddressSpaces";

/// What each caller passes to the function at a position.
pub(crate) enum ExplainAddressSpaces {}

impl Request for ExplainAddressSpaces {
    type Params = TextDocumentPositionParams;
    type Result = Option<Value>;
    const METHOD: &'static str = "msl-analyzer/explainAddressSpaces";
}

/// The lines above the functions of a document that take generic pointers; behind each is the table, where the client
/// has the command that shows it.
pub(crate) fn lenses(snapshot: &Snapshot, uri: &Url, at: &At<'_>) -> Vec<CodeLens> {
    let lens = |lens: msl_ide::SpaceLens| {
        let range = snapshot.range(&at.path, lens.range);
        let command = match snapshot.client.explains_spaces {
            true => Command {
                title: lens.title,
                command: EXPLAIN_SPACES.to_owned(),
                arguments: Some(vec![json!(uri), json!(range.start)]),
            },
            false => Command { title: lens.title, command: String::new(), arguments: None },
        };
        CodeLens { range, command: Some(command), data: None }
    };
    snapshot.analysis.space_lenses(&at.unit, &at.path).into_iter().map(lens).collect()
}

pub(crate) fn explain(snapshot: &Snapshot, params: TextDocumentPositionParams) -> Result<Option<Value>> {
    let Some(at) = snapshot.at(&params)? else { return Ok(None) };
    let Some(found) = snapshot.analysis.explain_spaces(&at.unit, &at.path, at.offset) else { return Ok(None) };
    let markdown = found.markdown(|place| {
        let name = place.path.rsplit('/').next().unwrap_or(&place.path);
        match snapshot.location(place) {
            Some(location) => {
                let line = location.range.start.line + 1;
                format!("[{name}:{line}]({}#L{line})", location.uri)
            }
            None => name.to_owned(),
        }
    });
    Ok(Some(json!({ "title": format!("Address spaces of `{}`", found.name), "markdown": markdown })))
}
