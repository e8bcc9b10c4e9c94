//! The baseline file: JSON, one entry for each kind of finding in a file, sorted, so that it merges well.

use std::path::Path;

use msl_diagnostics::{Baseline, BaselineEntry, Code};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct File {
    schema: u32,
    findings: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    path: String,
    code: String,
    message: String,
    count: u32,
}

/// Reads a baseline. Entries whose code is not known any more are left out: they cannot match anything.
pub(crate) fn read(path: &Path) -> Result<Baseline, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let file: File = serde_json::from_str(&text).map_err(|error| format!("not a baseline file: {error}"))?;
    let known = file.findings.into_iter().filter_map(|entry| {
        let code = Code::parse(&entry.code)?;
        Some(BaselineEntry { path: entry.path, code, message: entry.message, count: entry.count })
    });
    Ok(Baseline::from_entries(known))
}

pub(crate) fn write(path: &Path, baseline: &Baseline) -> Result<(), String> {
    let findings = baseline
        .entries()
        .map(|entry| Entry {
            path: entry.path,
            code: entry.code.as_str().to_owned(),
            message: entry.message,
            count: entry.count,
        })
        .collect();
    let text = serde_json::to_string_pretty(&File { schema: 1, findings }).map_err(|error| error.to_string())?;
    std::fs::write(path, text + "\n").map_err(|error| error.to_string())
}
