//! `abi`: the language version of everything that becomes Metal code, and whether what is linked together fits.

use std::{
    io::{self, BufWriter, Write},
    path::PathBuf,
    sync::Arc,
};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use msl_diagnostics::{Diagnostic, Place, Severity};
use msl_ide::file_system::{self, DiskFiles, FileSystem, ReadError};
use msl_preproc::{LanguageVersion, Platform};
use msl_project::{
    BinaryOptions, Evidence, FileAccess, LinkUnit, LinkVerdict, Project, Side, Unit, dot, is_build_file,
};
use serde::Serialize;

use super::{
    Status,
    arguments::{AbiArguments, Format},
    complain,
    output::{self, Finding, Output, Stats, json},
    silenced::is_silenced,
    sources::Sources,
};
use crate::workspace::{DiskTree, Workspace};

/// The version of the JSON format.
const SCHEMA: u32 = 1;

/// The version that findings are about: the first of the new side.
const BOUNDARY: LanguageVersion = LanguageVersion::new(4, 1, Platform::MacOs);

pub(crate) fn run(arguments: &AbiArguments) -> Status {
    let mut status = Status::Clean;
    let mut project = Project::default();
    let default = [PathBuf::from(".")];
    let paths = if arguments.paths.is_empty() { &default[..] } else { &arguments.paths };
    for path in paths {
        if let Err(message) = add_path(path, arguments, &mut project) {
            complain(format!("{}: {message}", path.display()));
            status = Status::Usage;
        }
    }
    let mut sources = Sources::new(Arc::new(TextFiles(DiskFiles::default())));
    let findings = match findings(&project, arguments, &mut sources) {
        Ok(findings) => findings,
        Err(message) => {
            complain(message);
            return Status::Usage;
        }
    };
    if findings.iter().any(|finding| finding.diagnostic.severity == Severity::Error) {
        status = status.max(Status::Findings);
    }
    // A closed pipe ends the printing and is no fault.
    let _ = print(&project, findings, &mut sources, arguments);
    status
}

/// Adds what a file or folder holds.
fn add_path(path: &std::path::Path, arguments: &AbiArguments, project: &mut Project) -> Result<(), String> {
    let options = BinaryOptions { functions: arguments.functions, verify_hashes: arguments.verify_hashes };
    let text = path.to_str().ok_or("the path is not UTF-8")?;
    let normal = file_system::normalize(text);
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "no such file or folder".to_owned(),
        _ => error.to_string(),
    })?;
    if metadata.is_dir() {
        let mut found = Project::load(&normal, &DiskTree);
        found.add_binaries(&normal, &DiskTree, options);
        project.append(found);
        return Ok(());
    }
    let bytes = DiskTree.read(&normal).ok_or("cannot be read")?;
    if is_build_file(&normal) {
        // Commands in it name files beside it.
        project.append(Project::load(file_system::folder_of(&normal), &OneBuildFile(&normal)));
    } else {
        project.add_binary(&normal, (*bytes).as_ref(), options);
    }
    Ok(())
}

/// A folder in which only one build file counts.
struct OneBuildFile<'a>(&'a str);

impl FileAccess for OneBuildFile<'_> {
    fn files(&self, root: &str) -> Vec<String> {
        let mut files = DiskTree.files(root);
        files.retain(|path| path == self.0 || !is_build_file(path));
        files
    }

    fn read(&self, path: &str) -> Option<msl_project::Bytes> {
        DiskTree.read(path)
    }

    fn absolute(&self, path: &str) -> String {
        DiskTree.absolute(path)
    }
}

/// Texts for the printers; binaries have none, so that no excerpt is printed of them.
struct TextFiles(DiskFiles);

impl FileSystem for TextFiles {
    fn read(&self, path: &str) -> Result<Arc<[u8]>, ReadError> {
        let bytes = self.0.read(path)?;
        let head = &bytes[..bytes.len().min(1024)];
        if head.contains(&0) { Ok(Arc::from(&b""[..])) } else { Ok(bytes) }
    }
}

/// The findings that are not silenced, at the levels of the configuration.
fn findings(project: &Project, arguments: &AbiArguments, sources: &mut Sources) -> Result<Vec<Finding>, String> {
    let explicit = arguments.common.explicit(arguments.levels());
    let mut workspace = Workspace::new(explicit).map_err(|error| error.to_string())?;
    let mut findings = Vec::new();
    for diagnostic in &project.diagnostics {
        if is_silenced(diagnostic, sources) {
            continue;
        }
        let levels = workspace.settings(&diagnostic.place.path).map_err(|error| error.to_string())?.levels;
        if let Some(severity) = levels.severity(diagnostic.code, diagnostic.severity) {
            let diagnostic = Diagnostic { severity, ..diagnostic.clone() };
            findings.push(Finding { version: BOUNDARY, diagnostic });
        }
    }
    Ok(findings)
}

fn print(project: &Project, findings: Vec<Finding>, sources: &mut Sources, arguments: &AbiArguments) -> io::Result<()> {
    let options = &arguments.common;
    if arguments.dot {
        return io::stdout().lock().write_all(dot(project).as_bytes());
    }
    match options.format {
        Format::Text => {
            let mut out = AutoStream::new(io::stdout().lock(), options.color.for_stream());
            print_table(project, sources, &mut out)?;
            out.flush()?;
        }
        Format::Json | Format::Jsonl => return print_json(project, &findings, sources, options.format),
        Format::Short | Format::Sarif | Format::Github => {}
    }
    let files = project.units.iter().map(|unit| &unit.path).collect::<std::collections::BTreeSet<_>>().len();
    let output = Output {
        functions: Vec::new(),
        findings,
        files: Vec::new(),
        stats: Stats { files: files as u64, ..Stats::default() },
        incomplete: Vec::new(),
        versions: 1,
        limit: None,
        show_stats: false,
    };
    output::print(&output, sources, options);
    Ok(())
}

fn place_text(evidence: &Evidence, sources: &mut Sources) -> String {
    let Some(range) = evidence.range else { return evidence.path.to_string() };
    let place = Place { path: evidence.path.clone(), range };
    let (start, _) = sources.positions(&place, super::sources::ColumnUnit::Utf8Bytes);
    format!("{}:{}", evidence.path, start.line + 1)
}

fn print_table(project: &Project, sources: &mut Sources, out: &mut impl Write) -> io::Result<()> {
    if project.units.is_empty() {
        return writeln!(out, "No Metal sources, builds, run-time compiles or binaries here.");
    }
    let strong = Style::new().bold();
    let side_style = |side: Side| match side {
        Side::From41 => AnsiColor::Cyan.on_default(),
        Side::Before41 => Style::new(),
        Side::Unknown => AnsiColor::Yellow.on_default(),
    };
    let name = |unit: &Unit| match &unit.function {
        Some(function) => format!("{} {function}", unit.path),
        None => unit.path.to_string(),
    };
    let width = project.units.iter().map(|unit| name(unit).chars().count()).max().unwrap_or(0).min(60);
    for unit in &project.units {
        let style = side_style(unit.side);
        let std = unit.std_text();
        write!(out, "{style}{std:18}{style:#} {:8} {:width$}", unit.kind.as_str(), name(unit))?;
        match unit.evidence.first() {
            Some(first) if first.range.is_some() => {
                writeln!(out, "  {} {}", place_text(first, sources), first.message)?
            }
            Some(first) => writeln!(out, "  {}", first.message)?,
            None => writeln!(out)?,
        }
    }
    if !project.link_units.is_empty() {
        writeln!(out, "\n{strong}Link units{strong:#}")?;
    }
    for link in &project.link_units {
        let style = match link.verdict {
            LinkVerdict::Consistent => AnsiColor::Green.on_default(),
            LinkVerdict::Mixed => AnsiColor::Red.on_default(),
            LinkVerdict::Unknown => AnsiColor::Yellow.on_default(),
        };
        let members = link.members.iter().filter_map(|&index| project.units.get(index));
        let mut by_version: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
        members.for_each(|unit| *by_version.entry(unit.std_text()).or_default() += 1);
        let versions: Vec<String> = by_version.iter().map(|(std, count)| format!("{count} of {std}")).collect();
        let verdict = link.verdict.as_str();
        writeln!(out, "{style}{verdict:10}{style:#} {}  {}", link.name, versions.join(", "))?;
    }
    writeln!(out)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    schema: u32,
    units: Vec<JsonUnit<'a>>,
    link_units: Vec<JsonLinkUnit<'a>>,
    diagnostics: Vec<json::Diagnostic<'a>>,
}

#[derive(Serialize)]
struct JsonUnit<'a> {
    id: String,
    kind: &'static str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<json::Range>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
    std: Option<String>,
    side: &'static str,
    evidence: Vec<JsonEvidence<'a>>,
}

#[derive(Serialize)]
struct JsonEvidence<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<json::Range>,
    message: &'a str,
}

#[derive(Serialize)]
struct JsonLinkUnit<'a> {
    id: String,
    name: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<json::Range>,
    members: Vec<String>,
    verdict: &'static str,
}

fn unit_id(index: usize) -> String {
    format!("unit-{index}")
}

fn range_of(path: &Arc<str>, range: Option<msl_diagnostics::TextRange>, sources: &mut Sources) -> Option<json::Range> {
    range.map(|range| json::range(&Place { path: path.clone(), range }, sources))
}

fn json_unit<'a>((index, unit): (usize, &'a Unit), sources: &mut Sources) -> JsonUnit<'a> {
    JsonUnit {
        id: unit_id(index),
        kind: unit.kind.as_str(),
        path: &unit.path,
        range: range_of(&unit.path, unit.range, sources),
        function: unit.function.as_deref(),
        std: unit.std.map(|std| std.to_string()),
        side: unit.side.as_str(),
        evidence: unit
            .evidence
            .iter()
            .map(|evidence| JsonEvidence {
                path: &evidence.path,
                range: range_of(&evidence.path, evidence.range, sources),
                message: &evidence.message,
            })
            .collect(),
    }
}

fn json_link<'a>((index, link): (usize, &'a LinkUnit), sources: &mut Sources) -> JsonLinkUnit<'a> {
    JsonLinkUnit {
        id: format!("link-{index}"),
        name: &link.name,
        path: &link.path,
        range: range_of(&link.path, link.range, sources),
        members: link.members.iter().map(|&index| unit_id(index)).collect(),
        verdict: link.verdict.as_str(),
    }
}

fn print_json(project: &Project, findings: &[Finding], sources: &mut Sources, format: Format) -> io::Result<()> {
    let report = Report {
        schema: SCHEMA,
        units: project.units.iter().enumerate().map(|unit| json_unit(unit, sources)).collect(),
        link_units: project.link_units.iter().enumerate().map(|link| json_link(link, sources)).collect(),
        diagnostics: findings.iter().map(|finding| json::diagnostic(finding, sources)).collect(),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    match format {
        Format::Jsonl => {
            for diagnostic in &report.diagnostics {
                serde_json::to_writer(&mut out, diagnostic)?;
                writeln!(out)?;
            }
        }
        _ => {
            serde_json::to_writer_pretty(&mut out, &report)?;
            writeln!(out)?;
        }
    }
    out.flush()
}
