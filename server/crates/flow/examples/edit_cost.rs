//! What the address-space flow adds to an edit: `edit_cost FILE [EDITS]`.
//!
//! Judges a file as Metal 4.1, edits bodies of functions one after the other, and times what flow does again after the
//! checks of types have been done again: summaries, contexts and findings. See `tests/bench/flow.py`.

#![allow(clippy::print_stdout, reason = "a measurement is there to be read")]

use std::{sync::Arc, time::Instant};

use msl_db::{Database, UnitOptions, file_system::DiskFiles, split_unit};
use msl_flow::{Thresholds, flow_findings, unit_flow};
use msl_preproc::LanguageVersion;
use msl_ty::{checked_body, checked_declarations, checked_inline_bodies, unit_instances};

/// The checks of types that flow builds on.
fn check_types(db: &Database, unit: msl_db::Unit) {
    checked_declarations(db, unit);
    checked_inline_bodies(db, unit);
    for &body in split_unit(db, unit).bodies(db).iter() {
        checked_body(db, body);
    }
    unit_instances(db, unit);
}

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which file?")?;
    let edits: usize = arguments.next().map_or(Ok(30), |count| count.parse()).map_err(|_| "how many edits?")?;
    let work = move || run(&path, edits);
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(work).map_err(|error| error.to_string())?;
    thread.join().map_err(|_| "the analysis failed".to_owned())?
}

fn run(path: &str, edits: usize) -> Result<(), String> {
    let mut text = std::fs::read(path).map_err(|error| error.to_string())?;
    let mut db = Database::new(Arc::new(DiskFiles::default()));
    db.open(path, text.clone().into());
    let version = LanguageVersion::parse("metal4.1").ok_or("no such version")?;
    let options = || UnitOptions::new(version);
    let unit = db.unit(&Arc::from(path), options());
    check_types(&db, unit);
    let started = Instant::now();
    let found = flow_findings(&db, unit, Thresholds::default()).len();
    let first = started.elapsed();
    let program = unit_flow(&db, unit);
    let accesses: usize = program.functions.iter().map(|(_, summary)| summary.accesses.len()).sum();
    println!(
        "{} functions and instances, {accesses} generic accesses, {found} findings; first: {:.2} ms",
        program.functions.len(),
        first.as_secs_f64() * 1e3
    );
    // Behind the semicolons of the file, spread over it.
    let places: Vec<usize> =
        (0..text.len()).filter(|&at| text[at] == b';' && text.get(at + 1) == Some(&b'\n')).collect();
    if places.is_empty() {
        return Err("nothing to edit".to_owned());
    }
    let mut times: Vec<f64> = Vec::new();
    for edit in 0..edits {
        let at = places[edit * places.len() / edits] + 1 + edit * 2;
        let declarations = std::ptr::from_ref(checked_declarations(&db, unit)).addr();
        text.splice(at..at, *b" ;");
        db.set_text(path, text.clone().into());
        check_types(&db, unit);
        if std::ptr::from_ref(checked_declarations(&db, unit)).addr() != declarations {
            // The edit was outside of bodies.
            flow_findings(&db, unit, Thresholds::default());
            continue;
        }
        let started = Instant::now();
        flow_findings(&db, unit, Thresholds::default());
        times.push(started.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    println!(
        "flow after an edit: median {:.2} ms, 95th percentile {:.2} ms, most {:.2} ms, of {} edits in bodies",
        times[times.len() / 2],
        times[times.len() * 95 / 100],
        times.last().copied().unwrap_or_default(),
        times.len()
    );
    Ok(())
}
