//! `inspect`: what hover knows about a position, or about every name and access of a file.

use std::{
    io::{BufWriter, Write},
    sync::Arc,
};

use msl_diagnostics::{Levels, Place};
use msl_ide::{
    Analysis, Inspection, UnitRequest,
    file_system::{self, DiskFiles, FileSystem},
};
use serde::Serialize;

use super::{
    STACK_SIZE, Status,
    arguments::{Format, InspectArguments},
    complain,
    output::json,
    sources::{LineColumn, Sources},
};
use crate::workspace::Workspace;

pub(crate) fn run(arguments: &InspectArguments) -> Status {
    let (path, position) = match parse_position(&arguments.position, arguments.all) {
        Ok(parsed) => parsed,
        Err(message) => {
            complain(message);
            return Status::Usage;
        }
    };
    let files: Arc<dyn FileSystem> = Arc::new(DiskFiles::default());
    let path: Arc<str> = file_system::normalize(&path).into();
    if let Err(error) = files.read(&path) {
        complain(format!("{path}: {error}"));
        return Status::Usage;
    }
    let workspace = Workspace::new(arguments.common.explicit(Levels::default()));
    let request = match workspace.and_then(|mut workspace| workspace.settings(&path)) {
        Ok(settings) => settings.requests(&path).swap_remove(0),
        Err(error) => {
            complain(error);
            return Status::Usage;
        }
    };
    let mut sources = Sources::new(files.clone());
    let found = match position {
        None => on_large_stack(|| Analysis::new(files).inspect_all(&request, &path)),
        Some(position) => match sources.text(&path).offset(position) {
            Some(offset) => {
                Some(vec![on_large_stack(|| Analysis::new(files).inspect(&request, &path, offset)).unwrap_or_default()])
            }
            None => {
                complain(format!("{}: the file has no such position", arguments.position));
                return Status::Usage;
            }
        },
    };
    let Some(found) = found else { return Status::Bug };
    let mut out = BufWriter::new(std::io::stdout().lock());
    for inspection in &found {
        let printed = match arguments.common.format {
            Format::Text | Format::Short => print_text(&mut out, inspection, &request, &path, &mut sources),
            // One object is one line for everyone who reads lines.
            _ => print_json(&mut out, inspection, &request, &path, &mut sources),
        };
        if printed.is_err() {
            break;
        }
    }
    let _ = out.flush();
    Status::Clean
}

/// Runs on a thread with room for deeply nested sources; `None` if it panicked.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work).ok()?;
        thread.join().ok()
    })
}

/// Reads `FILE:LINE:COL`, or `FILE` if everything is asked for.
fn parse_position(text: &str, all: bool) -> Result<(String, Option<LineColumn>), String> {
    let mut parts = text.rsplitn(3, ':');
    let (column, line, file) = (parts.next(), parts.next(), parts.next());
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok()).and_then(|n| n.checked_sub(1));
    match (file, number(line), number(column)) {
        (Some(file), Some(line), Some(column)) => Ok((file.to_owned(), (!all).then_some(LineColumn { line, column }))),
        _ if all => Ok((text.to_owned(), None)),
        _ => Err(format!("`{text}` is not of the form FILE:LINE:COL; lines and columns count from 1")),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonInspection<'a> {
    path: &'a str,
    range: json::Range,
    #[serde(skip_serializing_if = "str::is_empty")]
    text: &'a str,
    kind: Option<&'static str>,
    #[serde(flatten)]
    facts: Option<JsonFacts<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonFacts<'a> {
    #[serde(rename = "type")]
    ty: Option<&'a str>,
    space: Option<&'static str>,
    storage: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inferred: Option<&'a [&'static str]>,
    resolution: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accesses: Option<json::Accesses>,
    contexts: Vec<JsonContext<'a>>,
    origins: Vec<JsonRelated<'a>>,
    definitions: Vec<JsonDefinition<'a>>,
    instantiation: Option<&'a str>,
    loops: Vec<JsonLoop>,
    std: String,
    std_source: &'a str,
    docs: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonContext<'a> {
    caller: JsonPlace<'a>,
    inferred: &'a [&'static str],
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    path: &'a str,
    range: json::Range,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    path: &'a str,
    range: json::Range,
    message: &'a str,
}

#[derive(Serialize)]
struct JsonDefinition<'a> {
    path: &'a str,
    range: json::Range,
    name: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonLoop {
    range: json::Range,
    depth: u32,
    trip_count: Option<u64>,
}

fn print_json(
    out: &mut impl Write,
    inspection: &Inspection,
    request: &UnitRequest,
    path: &Arc<str>,
    sources: &mut Sources,
) -> std::io::Result<()> {
    let mut range_in = |path: &Arc<str>, range| json::range(&Place { path: path.clone(), range }, sources);
    let facts = inspection.kind.map(|_| JsonFacts {
        ty: inspection.ty.as_deref(),
        space: inspection.space,
        storage: inspection.storage,
        inferred: inspection.inferred.as_deref(),
        resolution: inspection.resolution,
        limit: inspection.limit,
        accesses: inspection.accesses.map(json::Accesses::from),
        contexts: inspection
            .contexts
            .iter()
            .map(|context| JsonContext {
                caller: JsonPlace {
                    path: &context.caller.path,
                    range: range_in(&context.caller.path, context.caller.range),
                },
                inferred: &context.inferred,
            })
            .collect(),
        origins: inspection
            .origins
            .iter()
            .map(|origin| JsonRelated {
                path: &origin.place.path,
                range: range_in(&origin.place.path, origin.place.range),
                message: &origin.message,
            })
            .collect(),
        definitions: inspection
            .definitions
            .iter()
            .map(|definition| JsonDefinition {
                path: &definition.place.path,
                range: range_in(&definition.place.path, definition.place.range),
                name: &definition.name,
            })
            .collect(),
        instantiation: inspection.instantiation.as_deref(),
        loops: inspection
            .loops
            .iter()
            .map(|of| JsonLoop { range: range_in(path, of.range), depth: of.depth, trip_count: of.trip_count })
            .collect(),
        std: request.std.version.to_string(),
        std_source: &request.std.source,
        docs: inspection.docs.as_deref(),
    });
    let object = JsonInspection {
        path,
        range: range_in(path, inspection.range),
        text: &inspection.text,
        kind: inspection.kind,
        facts,
    };
    serde_json::to_writer(&mut *out, &object)?;
    writeln!(out)
}

fn print_text(
    out: &mut impl Write,
    inspection: &Inspection,
    request: &UnitRequest,
    path: &Arc<str>,
    sources: &mut Sources,
) -> std::io::Result<()> {
    let (start, _) = sources
        .positions(&Place { path: path.clone(), range: inspection.range }, super::sources::ColumnUnit::Utf8Bytes);
    write!(out, "{path}:{}:{}: ", start.line + 1, start.column + 1)?;
    let Some(kind) = inspection.kind else { return writeln!(out, "nothing is known here") };
    write!(out, "{kind} `{}`", inspection.text)?;
    if let Some(ty) = &inspection.ty {
        write!(out, " of type `{ty}`")?;
    }
    writeln!(out)?;
    let mut fact = |name: &str, value: Option<&str>| match value {
        Some(value) => writeln!(out, "  {name}: {value}"),
        None => Ok(()),
    };
    fact("space", inspection.space)?;
    fact("storage", inspection.storage)?;
    fact("inferred", inspection.inferred.as_ref().map(|spaces| spaces.join(" | ")).as_deref())?;
    fact("resolution", inspection.resolution)?;
    fact("limit", inspection.limit)?;
    fact("instantiation", inspection.instantiation.as_deref())?;
    for origin in &inspection.origins {
        fact("comes from", Some(&format!("{} ({})", origin.message, origin.place.path)))?;
    }
    for definition in &inspection.definitions {
        let (start, _) = sources.positions(&definition.place, super::sources::ColumnUnit::Utf8Bytes);
        let place = format!("{} at {}:{}:{}", definition.name, definition.place.path, start.line + 1, start.column + 1);
        fact("defined", Some(&place))?;
    }
    fact("std", Some(&format!("{} ({})", request.std.version, request.std.source)))?;
    fact("documentation", inspection.docs.as_deref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions() {
        let at = |line, column| Some(LineColumn { line, column });
        assert_eq!(parse_position("a:b.metal:3:1", false), Ok(("a:b.metal".into(), at(2, 0))));
        assert_eq!(parse_position("a.metal", true), Ok(("a.metal".into(), None)));
        assert_eq!(parse_position("a.metal:3:1", true), Ok(("a.metal".into(), None)));
        for wrong in ["a.metal", "a.metal:1", "a.metal:0:1", "a.metal:x:1"] {
            assert!(parse_position(wrong, false).is_err(), "{wrong}");
        }
    }
}
