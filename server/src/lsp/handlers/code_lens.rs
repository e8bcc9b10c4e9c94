//! Code lenses: how often a function or class is named, what an entry point takes, and what a name is joined to in other
//! files.

use serde_json::{Value, json};
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{CodeLens, CodeLensParams, Command, Location, Position, Url},
};

use super::{
    explain_spaces,
    references::{self, everywhere},
};
use crate::lsp::{events::invalid_params, project_links, snapshot::Snapshot};

/// The command of a client that shows places: arguments are a URI, a position and locations.
pub(crate) const SHOW_REFERENCES: &str = "msl-analyzer.showReferences";

pub(crate) fn code_lenses(snapshot: &Snapshot, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
    let mut lenses = project_links::code_lenses(snapshot, &params);
    let Some(at) = snapshot.whole(&params.text_document.uri)? else { return Ok(Some(lenses)) };
    at.document.text.lines();
    for declared in snapshot.analysis.declared(&at.unit, &at.path) {
        let range = snapshot.range(&at.path, declared.name_range);
        if let Some(entry_point) = &declared.entry_point {
            let command = Command { title: entry_point.summary(), command: String::new(), arguments: None };
            lenses.push(CodeLens { range, command: Some(command), data: None });
        }
        let data = json!({ "uri": params.text_document.uri, "position": range.start });
        lenses.push(CodeLens { range, command: None, data: Some(data) });
    }
    lenses.extend(explain_spaces::lenses(snapshot, &params.text_document.uri, &at));
    Ok(Some(lenses))
}

/// Counts references, for a lens that the user sees.
pub(crate) fn resolve(snapshot: &Snapshot, mut lens: CodeLens) -> Result<CodeLens> {
    let Some(data) = lens.data.take() else { return Ok(lens) };
    let read = |key: &str| data.get(key).cloned().unwrap_or(Value::Null);
    let uri: Url = serde_json::from_value(read("uri")).map_err(|error| invalid_params(error.to_string()))?;
    let position: Position =
        serde_json::from_value(read("position")).map_err(|error| invalid_params(error.to_string()))?;
    let locations = match snapshot.anywhere(&uri, position)? {
        Some(at) => {
            let mut places = Vec::new();
            everywhere(snapshot, &at, |_, _, found| {
                places.extend(references::uses(found));
                Ok(())
            })?;
            places.sort();
            places.dedup();
            places.iter().filter_map(|place| snapshot.location(place)).collect()
        }
        None => Vec::new(),
    };
    let title = match locations.len() {
        1 => "1 reference".to_owned(),
        count => format!("{count} references"),
    };
    lens.command = Some(show(snapshot, title, &uri, position, &locations));
    Ok(lens)
}

/// A command that shows places, or only its title where the client has no such command.
pub(crate) fn show(
    snapshot: &Snapshot,
    title: String,
    uri: &Url,
    position: Position,
    locations: &[Location],
) -> Command {
    if !snapshot.client.shows_references {
        return Command { title, command: String::new(), arguments: None };
    }
    let arguments = Some(vec![json!(uri), json!(position), json!(locations)]);
    Command { title, command: SHOW_REFERENCES.to_owned(), arguments }
}
