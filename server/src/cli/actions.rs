//! `actions`: every change that editors offer in a unit, for tests and for scripts that look around.

use std::{
    io::{BufWriter, Write},
    sync::Arc,
};

use msl_diagnostics::Levels;
use msl_ide::{
    Analysis, UnitRequest,
    file_system::{self, DiskFiles},
};
use serde::Serialize;

use super::{STACK_SIZE, Status, arguments::ActionsArguments, complain, output::json, sources::Sources};
use crate::workspace::Workspace;

/// The version of the JSON format.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    actions: Vec<Action<'a>>,
}

#[derive(Serialize)]
struct Action<'a> {
    id: &'static str,
    title: &'a str,
    kind: &'static str,
    edits: Option<Vec<json::Edit<'a>>>,
    refused: Option<&'a str>,
    notes: &'a [String],
}

pub(crate) fn run(arguments: &ActionsArguments) -> Status {
    let path: Arc<str> = file_system::normalize(&arguments.path.to_string_lossy()).into();
    let settings = Workspace::new(arguments.common.explicit(Levels::default()))
        .and_then(|mut workspace| workspace.settings(&path));
    let request = match settings.map(|settings| settings.requests(&path).into_iter().next()) {
        Ok(Some(request)) => request,
        Ok(None) => return Status::Usage,
        Err(error) => {
            complain(error);
            return Status::Usage;
        }
    };
    let files: Arc<DiskFiles> = Arc::default();
    let analysis = Analysis::new(files.clone());
    let refactorings = arguments.refactorings;
    let work = move || match refactorings {
        Some(count) => sampled_refactorings(&analysis, &request, count),
        None => analysis.all_actions(&request),
    };
    let joined = std::thread::Builder::new().stack_size(STACK_SIZE).spawn(work).map(std::thread::JoinHandle::join);
    let Ok(Ok(actions)) = joined else { return Status::Bug };
    let mut sources = Sources::new(files);
    let answer = Answer {
        schema: SCHEMA,
        actions: actions
            .iter()
            .map(|action| Action {
                id: action.id,
                title: &action.title,
                kind: action.kind.as_str(),
                edits: action
                    .edits
                    .as_ref()
                    .ok()
                    .map(|edits| edits.iter().map(|edit| json::edit(edit, &mut sources)).collect()),
                refused: action.edits.as_ref().err().map(String::as_str),
                notes: &action.notes,
            })
            .collect(),
    };
    let mut out = BufWriter::new(std::io::stdout().lock());
    let _ = serde_json::to_writer_pretty(&mut out, &answer).map_err(std::io::Error::from).and_then(|()| out.flush());
    Status::Clean
}

/// The refactorings of some selections of a unit that are spread over it, verified.
fn sampled_refactorings(analysis: &Analysis, request: &UnitRequest, count: usize) -> Vec<msl_ide::Action> {
    let selections = analysis.selections(request);
    // Multiples of the golden ratio lie everywhere and are the same each time.
    let spread = |number: usize| (number as f64 * 0.618_033_988_749_895).fract();
    let chosen = (0..count.min(selections.len()))
        .map(|number| selections[((spread(number) * selections.len() as f64) as usize).min(selections.len() - 1)]);
    chosen
        .flat_map(|range| {
            let offered = analysis.refactorings(request, &request.path, range);
            offered.into_iter().filter_map(move |action| match action.edits {
                Ok(_) => analysis.refactoring(request, &request.path, range, action.id),
                Err(_) => Some(action),
            })
        })
        .collect()
}
