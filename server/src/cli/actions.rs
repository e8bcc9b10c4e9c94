//! `actions`: every change that editors offer in a unit, for tests and for scripts that look around.
//!
//! With `--try` many units are read from standard input, and every change is made in memory: one line of JSON a unit
//! says what became of them. That is one process, because most of the work on small units is to start one.

use std::{
    io::{self, BufRead, BufWriter, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex},
    time::Instant,
};

use msl_diagnostics::Levels;
use msl_ide::{
    Analysis, Define, StdChoice, Trial, TrialOutcome, UnitOptions, UnitRequest,
    file_system::{self, DiskFiles},
};
use msl_preproc::LanguageVersion;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

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
    match &arguments.path {
        Some(path) => list(arguments, path),
        None => try_units(arguments),
    }
}

/// A unit on a line of standard input.
#[derive(Deserialize)]
struct Unit {
    path: String,
    std: String,
    #[serde(default)]
    include: Vec<String>,
    #[serde(default)]
    define: Vec<String>,
}

impl Unit {
    fn request(&self) -> Option<UnitRequest> {
        let version = LanguageVersion::parse(&self.std)?;
        let options = UnitOptions {
            include_dirs: self.include.iter().map(|dir| file_system::normalize(dir).into()).collect(),
            defines: self.define.iter().map(|define| Define::parse(define)).collect(),
            ..UnitOptions::new(version)
        };
        Some(UnitRequest {
            path: file_system::normalize(&self.path).into(),
            std: StdChoice { version, source: "standard input".into(), stated: true },
            options,
            thresholds: msl_ide::Thresholds::default(),
        })
    }
}

/// What became of the changes of a unit.
#[derive(Serialize)]
struct Tried<'a> {
    path: &'a str,
    std: &'a str,
    define: &'a [String],
    milliseconds: u64,
    /// The analysis ended by a fault of its own.
    panicked: bool,
    trials: Vec<TriedAction<'a>>,
}

#[derive(Serialize)]
struct TriedAction<'a> {
    id: &'a str,
    title: &'a str,
    path: Option<&'a str>,
    offset: Option<u32>,
    /// `kept`, `refused` or `broken`.
    outcome: &'static str,
    reason: Option<&'a str>,
}

impl<'a> TriedAction<'a> {
    fn of(trial: &'a Trial) -> TriedAction<'a> {
        let (outcome, reason) = match &trial.outcome {
            TrialOutcome::Kept => ("kept", None),
            TrialOutcome::Refused(reason) => ("refused", Some(reason.as_str())),
            TrialOutcome::Broken(reason) => ("broken", Some(reason.as_str())),
        };
        TriedAction {
            id: trial.id,
            title: &trial.title,
            path: trial.place.as_ref().map(|place| &*place.path),
            offset: trial.place.as_ref().map(|place| place.range.start),
            outcome,
            reason,
        }
    }
}

fn try_units(arguments: &ActionsArguments) -> Status {
    let mut units: Vec<(Unit, UnitRequest)> = Vec::new();
    for line in io::stdin().lock().lines() {
        let unit = line.ok().and_then(|line| serde_json::from_str::<Unit>(&line).ok());
        let Some((unit, request)) = unit.and_then(|unit| unit.request().map(|request| (unit, request))) else {
            complain("a line of standard input is no unit");
            return Status::Usage;
        };
        units.push((unit, request));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.common.jobs).stack_size(STACK_SIZE).build();
    let Ok(pool) = pool else { return Status::Bug };
    let analysis = Analysis::new(Arc::new(DiskFiles::default()));
    let out = Mutex::new(io::stdout());
    let broken = pool.install(|| {
        units
            .par_iter()
            .map_with(analysis, |analysis, (unit, request)| {
                let started = Instant::now();
                let trials = catch_unwind(AssertUnwindSafe(|| analysis.fresh().try_actions(request)));
                let panicked = trials.is_err();
                let trials = trials.unwrap_or_default();
                let tried = Tried {
                    path: &unit.path,
                    std: &unit.std,
                    define: &unit.define,
                    milliseconds: started.elapsed().as_millis() as u64,
                    panicked,
                    trials: trials.iter().map(TriedAction::of).collect(),
                };
                let line = serde_json::to_string(&tried).unwrap_or_default();
                if let Ok(mut out) = out.lock() {
                    let _ = writeln!(out, "{line}");
                }
                panicked || trials.iter().any(|trial| matches!(trial.outcome, TrialOutcome::Broken(_)))
            })
            .collect::<Vec<bool>>()
    });
    if broken.contains(&true) { Status::Findings } else { Status::Clean }
}

/// Prints the changes that are offered in one unit.
fn list(arguments: &ActionsArguments, path: &std::path::Path) -> Status {
    let path: Arc<str> = file_system::normalize(&path.to_string_lossy()).into();
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
    let mut out = BufWriter::new(io::stdout().lock());
    let _ = serde_json::to_writer_pretty(&mut out, &answer).map_err(io::Error::from).and_then(|()| out.flush());
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
