//! `doctor`: what was detected for a file or folder, and why.

use std::{io::Write, sync::Arc};

use anstream::AutoStream;
use anstyle::Style;
use msl_diagnostics::Levels;

use super::{
    Status,
    arguments::{DoctorArguments, Format},
    complain, walk,
};
use crate::workspace::{FileSettings, Workspace, display};

/// A folder's report shows at most so many files; the rest is counted.
const SHOWN_FILES: usize = 20;

pub(crate) fn run(arguments: &DoctorArguments) -> Status {
    let inputs = walk::collect(std::slice::from_ref(&arguments.path));
    for line in inputs.unreadable.iter().chain(&inputs.skipped) {
        complain(line);
    }
    if !inputs.unreadable.is_empty() {
        return Status::Usage;
    }
    let mut workspace = match Workspace::new(arguments.common.explicit(Levels::default())) {
        Ok(workspace) => workspace,
        Err(error) => {
            complain(error);
            return Status::Usage;
        }
    };
    let mut reports = Vec::new();
    for file in &inputs.files {
        match workspace.settings(&file.path) {
            Ok(settings) => reports.push((Arc::<str>::from(file.path.as_str()), settings)),
            Err(error) => {
                complain(error);
                return Status::Usage;
            }
        }
    }
    let mut out = AutoStream::new(std::io::stdout().lock(), arguments.common.color.for_stream());
    let _ = match arguments.common.format {
        Format::Text | Format::Short => print_text(&mut out, &reports),
        _ => print_json(&mut out, &reports),
    };
    Status::Clean
}

fn print_text(out: &mut impl Write, reports: &[(Arc<str>, FileSettings)]) -> std::io::Result<()> {
    let strong = Style::new().bold();
    writeln!(out, "msl-analyzer {}", env!("CARGO_PKG_VERSION"))?;
    if reports.is_empty() {
        writeln!(out, "No Metal files here (.metal, .msl, .metalh).")?;
    }
    for (path, settings) in reports.iter().take(SHOWN_FILES) {
        writeln!(out, "\n{strong}{path}{strong:#}")?;
        for std in &settings.std {
            writeln!(out, "  language version  {} (from {})", std.version, std.source)?;
            if !std.stated {
                writeln!(out, "                    nothing states one; findings that depend on it are hints")?;
            }
        }
        for loser in settings.std_candidates.iter().skip(settings.std.len()) {
            writeln!(out, "                    overrides {} (from {})", loser.version, loser.source)?;
        }
        match &settings.config {
            Some(config) => writeln!(out, "  configuration     {}", display(config))?,
            None => writeln!(out, "  configuration     none")?,
        }
        for file in &settings.build_files {
            writeln!(out, "  build file        {}", display(file))?;
        }
        for folder in &settings.options.include_dirs {
            let missing = if std::path::Path::new(&**folder).is_dir() { "" } else { " (no such folder)" };
            writeln!(out, "  include folder    {folder}{missing}")?;
        }
        for folder in &settings.options.framework_dirs {
            let missing = if std::path::Path::new(&**folder).is_dir() { "" } else { " (no such folder)" };
            writeln!(out, "  framework folder  {folder}{missing}")?;
        }
        for define in &settings.options.defines {
            writeln!(out, "  macro             {}={}", define.name, define.value.as_deref().unwrap_or("1"))?;
        }
        for path in &settings.options.forced_includes {
            writeln!(out, "  forced include    {path}")?;
        }
        if let Some(limit) = settings.hot_loop.small_trip_count {
            writeln!(out, "  hot loops         more than {limit} iterations")?;
        }
    }
    if reports.len() > SHOWN_FILES {
        writeln!(out, "\nand {} more files", reports.len() - SHOWN_FILES)?;
    }
    Ok(())
}

fn print_json(out: &mut impl Write, reports: &[(Arc<str>, FileSettings)]) -> std::io::Result<()> {
    let files: Vec<serde_json::Value> = reports
        .iter()
        .map(|(path, settings)| {
            let choice = |std: &msl_ide::StdChoice| {
                serde_json::json!({ "std": std.version.to_string(), "stdSource": std.source, "stated": std.stated })
            };
            serde_json::json!({
                "path": path,
                "std": settings.std.iter().map(choice).collect::<Vec<_>>(),
                "candidates": settings.std_candidates.iter().map(choice).collect::<Vec<_>>(),
                "config": settings.config.as_deref().map(display),
                "buildFiles": settings.build_files.iter().map(|path| display(path)).collect::<Vec<_>>(),
                "includes": settings.options.include_dirs,
                "frameworks": settings.options.framework_dirs,
                "forcedIncludes": settings.options.forced_includes,
                "defines": settings.options.defines.iter().map(|define| {
                    format!("{}={}", define.name, define.value.as_deref().unwrap_or("1"))
                }).collect::<Vec<_>>(),
            })
        })
        .collect();
    let report = serde_json::json!({ "schema": 1, "version": env!("CARGO_PKG_VERSION"), "files": files });
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}
