//! `actions`: every change that editors offer in a unit, for tests and for scripts that look around.

use std::{
    io::{BufWriter, Write},
    sync::Arc,
};

use msl_diagnostics::Levels;
use msl_ide::{
    Analysis,
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
    let work = move || analysis.all_actions(&request);
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
