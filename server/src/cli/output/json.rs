//! JSON: one object for the run, or one line for each finding.

use std::io::{self, BufWriter, Write};

use msl_diagnostics::{Place, TextEdit};
use msl_ide::AccessCounts;
use serde::Serialize;

use super::{Finding, Output};
use crate::cli::sources::{ColumnUnit, LineColumn, Sources};

/// The version of the format.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Run<'a> {
    schema: u32,
    version: &'static str,
    files: Vec<File<'a>>,
    diagnostics: Vec<Diagnostic<'a>>,
    stats: Stats<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    path: &'a str,
    std: String,
    std_source: &'a str,
    complete: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Stats<'a> {
    files: u64,
    lines: u64,
    expressions: u64,
    unknown_expressions: u64,
    dependent_expressions: u64,
    template_expressions: u64,
    unknown_template_expressions: u64,
    milliseconds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    accesses: Option<Accesses>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    functions: Vec<Function<'a>>,
}

/// Accesses through generic pointers by resolution.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Accesses {
    #[serde(rename = "static")]
    is_static: u32,
    per_call: u32,
    runtime: u32,
    not_called: u32,
    limited: u32,
}

impl From<AccessCounts> for Accesses {
    fn from(of: AccessCounts) -> Accesses {
        Accesses {
            is_static: of.is_static,
            per_call: of.per_call,
            runtime: of.runtime,
            not_called: of.not_called,
            limited: of.limited,
        }
    }
}

#[derive(Serialize)]
struct Function<'a> {
    path: &'a str,
    range: Range,
    name: &'a str,
    accesses: Accesses,
}

#[derive(Serialize)]
pub(crate) struct Diagnostic<'a> {
    path: &'a str,
    range: Range,
    severity: &'static str,
    code: &'static str,
    std: String,
    message: &'a str,
    related: Vec<Related<'a>>,
    fixes: Vec<Fix<'a>>,
}

#[derive(Serialize)]
struct Related<'a> {
    path: &'a str,
    range: Range,
    message: &'a str,
}

#[derive(Serialize)]
struct Fix<'a> {
    title: &'a str,
    kind: &'static str,
    preferred: bool,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Edit<'a> {
    path: &'a str,
    range: Range,
    new_text: &'a str,
}

/// Lines and columns from 1, columns in bytes; offsets in bytes from 0.
#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    start: Position,
    end: Position,
}

#[derive(Serialize, Clone, Copy, Debug, PartialEq)]
struct Position {
    line: u32,
    column: u32,
    offset: u32,
}

/// A place as JSON gives it.
pub(crate) fn range(place: &Place, sources: &mut Sources) -> Range {
    let (start, end) = sources.positions(place, ColumnUnit::Utf8Bytes);
    let position = |at: LineColumn, offset| Position { line: at.line + 1, column: at.column + 1, offset };
    Range { start: position(start, place.range.start), end: position(end, place.range.end) }
}

pub(super) fn print(output: &Output, sources: &mut Sources, out: impl Write) -> io::Result<()> {
    let run = Run {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        files: output
            .files
            .iter()
            .map(|file| File {
                path: &file.path,
                std: file.std.to_string(),
                std_source: &file.std_source,
                complete: file.complete,
            })
            .collect(),
        diagnostics: output.shown().iter().map(|finding| diagnostic(finding, sources)).collect(),
        stats: Stats {
            files: output.stats.files,
            lines: output.stats.lines,
            expressions: output.stats.expressions,
            unknown_expressions: output.stats.unknown_expressions,
            dependent_expressions: output.stats.dependent_expressions,
            template_expressions: output.stats.template_expressions,
            unknown_template_expressions: output.stats.unknown_template_expressions,
            milliseconds: output.stats.milliseconds,
            accesses: output.show_stats.then(|| output.stats.accesses.into()),
            functions: output
                .functions
                .iter()
                .map(|function| Function {
                    path: &function.place.path,
                    range: range(&function.place, sources),
                    name: &function.name,
                    accesses: function.accesses.into(),
                })
                .collect(),
        },
    };
    let mut out = BufWriter::new(out);
    serde_json::to_writer_pretty(&mut out, &run)?;
    writeln!(out)?;
    out.flush()
}

pub(super) fn print_lines(output: &Output, sources: &mut Sources, out: impl Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    for finding in output.shown() {
        serde_json::to_writer(&mut out, &diagnostic(finding, sources))?;
        writeln!(out)?;
    }
    out.flush()
}

/// A finding as JSON gives it.
pub(crate) fn diagnostic<'a>(finding: &'a Finding, sources: &mut Sources) -> Diagnostic<'a> {
    let diagnostic = &finding.diagnostic;
    Diagnostic {
        path: &diagnostic.place.path,
        range: range(&diagnostic.place, sources),
        severity: diagnostic.severity.as_str(),
        code: diagnostic.code.as_str(),
        std: finding.version.to_string(),
        message: &diagnostic.message,
        related: diagnostic
            .related
            .iter()
            .map(|related| Related {
                path: &related.place.path,
                range: range(&related.place, sources),
                message: &related.message,
            })
            .collect(),
        fixes: diagnostic
            .fixes
            .iter()
            .map(|fix| Fix {
                title: &fix.title,
                kind: fix.kind.as_str(),
                preferred: fix.preferred,
                edits: fix.edits.iter().map(|it| edit(it, sources)).collect(),
            })
            .collect(),
    }
}

/// An edit as JSON gives it.
pub(crate) fn edit<'a>(edit: &'a TextEdit, sources: &mut Sources) -> Edit<'a> {
    Edit { path: &edit.place.path, range: range(&edit.place, sources), new_text: &edit.new_text }
}
