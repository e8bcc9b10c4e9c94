//! `link-graph`: entry points, the tables that they call through, the functions that fit, and the host code that links
//! them, with what of it does not fit together.

use std::{
    io::{self, Write},
    path::PathBuf,
    sync::Arc,
};

use msl_diagnostics::{Diagnostic, Place, Severity};
use msl_ide::{
    Analysis, LinkGraph, LinkProgram,
    file_system::{self, DiskFiles},
    link_graph_dot, link_graph_text,
};
use msl_preproc::LanguageVersion;
use msl_project::FileAccess;
use serde::Serialize;

use super::{
    STACK_SIZE, Status,
    arguments::{Format, LinkGraphArguments},
    complain,
    output::{self, Finding, Output, Stats, json},
    silenced::is_silenced,
    sources::{ColumnUnit, Sources},
};
use crate::workspace::{DiskTree, Workspace, links};

/// The version of the JSON format.
const SCHEMA: u32 = 1;

pub(crate) fn run(arguments: &LinkGraphArguments) -> Status {
    let mut status = Status::Clean;
    let (paths, complaints) = paths_of(&arguments.paths);
    for complaint in complaints {
        complain(complaint);
        status = Status::Usage;
    }
    let explicit = arguments.common.explicit(arguments.levels());
    let mut workspace = match Workspace::new(explicit) {
        Ok(workspace) => workspace,
        Err(error) => {
            complain(error);
            return Status::Usage;
        }
    };
    let program = match load(&paths, &mut workspace, arguments.common.jobs) {
        Ok(program) => program,
        Err(message) => {
            complain(message);
            return Status::Usage;
        }
    };
    let mut sources = Sources::new(Arc::new(DiskFiles::default()));
    let mut findings = Vec::new();
    for diagnostic in program.findings() {
        if is_silenced(&diagnostic, &mut sources) {
            continue;
        }
        let Ok(settings) = workspace.settings(&diagnostic.place.path) else { continue };
        if let Some(severity) = settings.levels.severity(diagnostic.code, diagnostic.severity) {
            let diagnostic = Diagnostic { severity, ..diagnostic };
            findings.push(Finding { version: LanguageVersion::DEFAULT, diagnostic });
        }
    }
    if findings.iter().any(|finding| finding.diagnostic.severity == Severity::Error) {
        status = status.max(Status::Findings);
    }
    // A closed pipe ends the printing and is no fault.
    let _ = print(&program.graph(), findings, &mut sources, arguments);
    status
}

/// The files that paths stand for, of the current folder if there are none, and what is wrong with some of them.
pub(crate) fn paths_of(named: &[PathBuf]) -> (Vec<String>, Vec<String>) {
    let default = [PathBuf::from(".")];
    let named = if named.is_empty() { &default[..] } else { named };
    let (mut paths, mut complaints): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for path in named {
        match files_of(path) {
            Ok(found) => paths.extend(found),
            Err(message) => complaints.push(format!("{}: {message}", path.display())),
        }
    }
    paths.sort();
    paths.dedup();
    (paths, complaints)
}

/// The files that a path stands for.
fn files_of(path: &std::path::Path) -> Result<Vec<String>, String> {
    let text = path.to_str().ok_or("the path is not UTF-8")?;
    let normal = file_system::normalize(text);
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "no such file or folder".to_owned(),
        _ => error.to_string(),
    })?;
    Ok(if metadata.is_dir() { DiskTree.files(&normal) } else { vec![normal] })
}

/// Joins the shaders and host sources among these files.
pub(crate) fn load(paths: &[String], workspace: &mut Workspace, jobs: usize) -> Result<LinkProgram, String> {
    let analysis = Analysis::new(Arc::new(DiskFiles::default()));
    let mut requests = Vec::new();
    for path in links::shaders(paths) {
        let settings = workspace.settings(&path).map_err(|error| error.to_string())?;
        requests.extend(settings.requests(&path).into_iter().next().map(|request| (analysis.fresh(), request)));
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).stack_size(STACK_SIZE).build();
    let pool = pool.map_err(|error| format!("cannot start threads: {error}"))?;
    Ok(pool.install(|| links::join(requests, links::host_files(paths, &DiskTree), || ())))
}

fn print(
    graph: &LinkGraph,
    findings: Vec<Finding>,
    sources: &mut Sources,
    arguments: &LinkGraphArguments,
) -> io::Result<()> {
    let mut place_text = |place: &Place| {
        let (start, _) = sources.positions(place, ColumnUnit::Utf8Bytes);
        format!("{}:{}", place.path, start.line + 1)
    };
    if arguments.dot {
        return io::stdout().lock().write_all(link_graph_dot(graph, &mut place_text).as_bytes());
    }
    match arguments.common.format {
        Format::Text => {
            let text = link_graph_text(graph, &mut place_text);
            let text =
                if text.is_empty() { "No function tables or visible functions here.\n".to_owned() } else { text };
            io::stdout().lock().write_all(text.as_bytes())?;
        }
        Format::Json | Format::Jsonl => return print_json(graph, &findings, sources),
        Format::Short | Format::Sarif | Format::Github => {}
    }
    let output = Output {
        findings,
        files: Vec::new(),
        functions: Vec::new(),
        stats: Stats::default(),
        incomplete: Vec::new(),
        versions: 1,
        limit: None,
        show_stats: false,
    };
    output::print(&output, sources, &arguments.common);
    Ok(())
}

#[derive(Serialize)]
struct Report<'a> {
    schema: u32,
    nodes: Vec<JsonNode<'a>>,
    edges: Vec<JsonEdge>,
    diagnostics: Vec<json::Diagnostic<'a>>,
}

#[derive(Serialize)]
struct JsonNode<'a> {
    id: String,
    kind: &'static str,
    name: &'a str,
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<json::Range>,
}

#[derive(Serialize)]
struct JsonEdge {
    from: String,
    to: String,
}

fn print_json(graph: &LinkGraph, findings: &[Finding], sources: &mut Sources) -> io::Result<()> {
    let id = |index: usize| format!("node-{index}");
    let nodes = graph.nodes.iter().enumerate().map(|(index, node)| JsonNode {
        id: id(index),
        kind: node.kind.as_str(),
        name: &node.name,
        detail: &node.detail,
        path: node.place.as_ref().map(|place| &*place.path),
        range: node.place.as_ref().map(|place| json::range(place, sources)),
    });
    let nodes = nodes.collect();
    let report = Report {
        schema: SCHEMA,
        nodes,
        edges: graph.edges.iter().map(|&(from, to)| JsonEdge { from: id(from), to: id(to) }).collect(),
        diagnostics: findings.iter().map(|finding| json::diagnostic(finding, sources)).collect(),
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    serde_json::to_writer_pretty(&mut out, &report)?;
    writeln!(out)?;
    out.flush()
}
