//! Tests of what the analyser reports, feature by feature.

mod casts;
mod check;
mod consolidate;
mod consolidate_meaning;
mod fixes;
mod flow;
mod flow_properties;
mod incremental;
mod inspect;
mod members;
mod refactor;
mod source_actions;
mod trial;

use std::{fmt::Write, sync::Arc};

use expect_test::Expect;
use msl_db::{UnitOptions, file_system::MemoryFiles};
use msl_diagnostics::{Diagnostic, Place};
use msl_preproc::LanguageVersion;

use crate::{Analysis, StdChoice, UnitReport, UnitRequest};

/// An analysis that sees these files.
fn analysis(files: &[(&str, &str)]) -> Analysis {
    let mut memory = MemoryFiles::default();
    for (path, text) in files {
        memory.insert(path, text);
    }
    Analysis::new(Arc::new(memory))
}

/// `main.metal` under a version.
fn request(std: &str) -> UnitRequest {
    let version = LanguageVersion::parse(std).unwrap();
    let std = StdChoice { version, source: "test".into(), stated: true };
    UnitRequest { path: "main.metal".into(), std, options: UnitOptions::new(version), thresholds: Default::default() }
}

/// Analyses `main.metal` of these files under a version.
fn report(files: &[(&str, &str)], std: &str) -> UnitReport {
    let (analysis, request) = (analysis(files), request(std));
    // Deeply nested sources need the stack that front ends give.
    let work = move || {
        let report = analysis.check(&request);
        // A server finds the same on the way that it takes, and what it says early it does not take back; later it may
        // know better repairs.
        let mut early = None;
        let staged = analysis.check_in_stages(&request, |report| early = Some(report));
        assert_eq!(staged.diagnostics, report.diagnostics);
        let early = early.map(|early| early.diagnostics).unwrap_or_default();
        let same = |a: &Diagnostic, b: &Diagnostic| {
            (a.code, a.severity, &a.place, &a.message) == (b.code, b.severity, &b.place, &b.message)
        };
        let is_kept = |finding| report.diagnostics.iter().any(|later| same(finding, later));
        assert!(early.iter().all(is_kept), "{early:?}");
        report
    };
    std::thread::Builder::new().stack_size(16 << 20).spawn(work).unwrap().join().unwrap()
}

/// Compares the findings, each with the text that it points at.
fn check(files: &[(&str, &str)], expected: Expect) {
    let report = report(files, "metal4.1");
    let mut out = String::new();
    let shown = |place: &Place| {
        let text = files.iter().find(|(path, _)| *path == &*place.path).map_or("", |(_, text)| text);
        let part = text.get(place.range.start as usize..place.range.end as usize).unwrap_or("?");
        let line = text[..place.range.start as usize].matches('\n').count() + 1;
        format!("{}:{line} `{part}`", place.path)
    };
    for finding in &report.diagnostics {
        let _ = writeln!(out, "{} {}: {}", shown(&finding.place), finding.code, finding.message);
        for related in &finding.related {
            let _ = writeln!(out, "    {}: {}", shown(&related.place), related.message);
        }
    }
    expected.assert_eq(&out);
}
