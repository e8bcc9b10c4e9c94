//! SARIF 2.1.0, for code scanning services.

use std::io::{self, BufWriter, Write};

use msl_diagnostics::{Code, Diagnostic, Fix, Place, Severity, TextEdit};
use serde_json::{Value, json};

use super::{Finding, Output};
use crate::cli::sources::{ColumnUnit, Sources};

pub(super) fn print(output: &Output, sources: &mut Sources, out: impl Write) -> io::Result<()> {
    let results: Vec<Value> = output.shown().iter().map(|finding| result(finding, sources)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "msl-analyzer",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": Code::ALL.iter().map(|&code| rule(code)).collect::<Vec<_>>(),
            }},
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    let mut out = BufWriter::new(out);
    serde_json::to_writer_pretty(&mut out, &log)?;
    writeln!(out)?;
    out.flush()
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": code.summary() },
        "defaultConfiguration": {
            "enabled": code.default_severity().is_some(),
            "level": level(code.default_severity().unwrap_or(Severity::Warning)),
        },
        "properties": { "tags": [code.group().as_str()] },
    })
}

fn result(finding: &Finding, sources: &mut Sources) -> Value {
    let Diagnostic { code, severity, place, message, related, fixes } = &finding.diagnostic;
    let related: Vec<Value> = related
        .iter()
        .enumerate()
        .map(|(index, related)| {
            let mut location = location(&related.place, sources);
            location["id"] = json!(index);
            location["message"] = json!({ "text": related.message });
            location
        })
        .collect();
    let mut result = json!({
        "ruleId": code.as_str(),
        "ruleIndex": Code::ALL.iter().position(|other| other == code),
        "level": level(*severity),
        "message": { "text": message },
        "locations": [location(place, sources)],
        "properties": { "std": finding.version.to_string() },
    });
    if !related.is_empty() {
        result["relatedLocations"] = Value::Array(related);
    }
    if !fixes.is_empty() {
        result["fixes"] = fixes.iter().map(|repair| fix(repair, sources)).collect();
    }
    result
}

fn fix(fix: &Fix, sources: &mut Sources) -> Value {
    let mut by_path: Vec<(&str, Vec<&TextEdit>)> = Vec::new();
    for edit in &fix.edits {
        match by_path.iter_mut().find(|(path, _)| *path == &*edit.place.path) {
            Some((_, edits)) => edits.push(edit),
            None => by_path.push((&edit.place.path, vec![edit])),
        }
    }
    let changes: Vec<Value> = by_path
        .into_iter()
        .map(|(path, edits)| {
            let replacements: Vec<Value> = edits
                .into_iter()
                .map(|edit| {
                    json!({
                        "deletedRegion": region(&edit.place, sources),
                        "insertedContent": { "text": edit.new_text },
                    })
                })
                .collect();
            json!({ "artifactLocation": { "uri": uri(path) }, "replacements": replacements })
        })
        .collect();
    json!({ "description": { "text": fix.title }, "artifactChanges": changes })
}

fn location(place: &Place, sources: &mut Sources) -> Value {
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": uri(&place.path) },
        "region": region(place, sources),
    }})
}

fn region(place: &Place, sources: &mut Sources) -> Value {
    let (start, end) = sources.positions(place, ColumnUnit::Utf16Units);
    json!({
        "startLine": start.line + 1,
        "startColumn": start.column + 1,
        "endLine": end.line + 1,
        "endColumn": end.column + 1,
        "byteOffset": place.range.start,
        "byteLength": place.range.end.saturating_sub(place.range.start),
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "note",
    }
}

/// A path as a URI reference: bytes that are not allowed in one are escaped.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for &byte in path.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris() {
        assert_eq!(uri("a b/\u{e9}.metal"), "a%20b/%C3%A9.metal");
        assert_eq!(uri("/a.metal"), "file:///a.metal");
    }
}
