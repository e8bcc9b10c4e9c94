//! Units without their address spaces: `stripped [--write FOLDER] [--list] < UNITS`; see `tests/oracle/stripped.py`.
//!
//! Takes `device`, `thread` and `threadgroup` away from the pointers and references that the functions of a unit declare,
//! judges what is left as Metal 4.1, and compares what the flow infers with what was written.
//!
//! Vocabulary:
//!
//! * A [*site*](sites::Site) is one such word: of a parameter, a local variable, a result, or of `this`.
//! * A [*group*](sites::Group) is a function with its redeclarations.
//! * A site is *given back* where the language does not allow to take it away: an error appears that the unit did not have,
//!   or a call goes to another function. Who is to blame is found in rounds, each one check of the whole unit.
//!
//! A line of standard input is a unit: its name, its path, and options (`-IFOLDER`, `-DNAME=VALUE`), separated by tabs. The
//! answer is one line for each count (`count`, name, number) and each parameter that differs (`differs`, words).

#![allow(clippy::print_stdout, reason = "a measurement is there to be read")]

mod judged;
mod sites;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use msl_db::file_system::{DiskFiles, normalize};
use msl_db::{Database, Define, UnitOptions};
use msl_preproc::LanguageVersion;

use judged::{Fault, Judged};
use sites::{Sites, What};

/// How often a unit is checked, each time with fewer sites, before it is left out.
const MAX_ROUNDS: usize = 40;

/// What is counted, by name.
#[derive(Default)]
pub(crate) struct Counts(BTreeMap<&'static str, u64>);

impl Counts {
    pub(crate) fn add(&mut self, name: &'static str, count: usize) {
        *self.0.entry(name).or_default() += count as u64;
    }
}

fn main() -> Result<(), String> {
    let mut write_to = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match &*argument {
            "--write" => write_to = Some(PathBuf::from(arguments.next().ok_or("--write: which folder?")?)),
            other => return Err(format!("{other}: no such option")),
        }
    }
    let work = move || {
        let database = Database::new(Arc::new(DiskFiles::default()));
        let mut counts = Counts::default();
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| error.to_string())?;
            let mut fields = line.split('\t');
            let (Some(name), Some(path)) = (fields.next(), fields.next()) else { continue };
            let version = LanguageVersion::parse("metal4.1").ok_or("no such version")?;
            let mut options = UnitOptions::new(version);
            for field in fields {
                if let Some(folder) = field.strip_prefix("-I") {
                    options.include_dirs.push(normalize(folder).into());
                } else if let Some(define) = field.strip_prefix("-D") {
                    options.defines.push(Define::parse(define));
                }
            }
            let started = std::time::Instant::now();
            let differs = unit(&database, name, path, options, write_to.as_deref(), &mut counts)?;
            println!("unit\t{name}\t{}", started.elapsed().as_millis());
            for line in differs {
                println!("differs\t{line}");
            }
        }
        for (name, count) in counts.0 {
            println!("count\t{name}\t{count}");
        }
        Ok(())
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(work).map_err(|error| error.to_string())?;
    thread.join().map_err(|_| "the analysis failed".to_owned())?
}

/// Judges one unit. What differs, in words.
fn unit(
    database: &Database,
    name: &str,
    path: &str,
    options: UnitOptions,
    write_to: Option<&Path>,
    counts: &mut Counts,
) -> Result<Vec<String>, String> {
    let mut db = database.fresh();
    let path: Arc<str> = normalize(path).into();
    let unit = db.unit(&path, options);
    let mut sites = Sites::of(&db, unit, counts);
    counts.add("units", 1);
    if sites.sites.is_empty() {
        return Ok(Vec::new());
    }
    let before = Judged::of(&db, unit);
    let known: BTreeSet<_> = before.faults.iter().map(Fault::key).collect();
    let mut is_settled = false;
    for _ in 0..MAX_ROUNDS {
        overlay(&mut db, &sites);
        let after = Judged::of(&db, unit);
        // Errors of one round are looked at with the same sites, however many they are.
        let mut blamed: BTreeMap<(usize, What), &'static str> = BTreeMap::new();
        for fault in after.faults.iter().filter(|fault| !known.contains(&fault.key())) {
            let found = sites.to_blame(&before, fault);
            if found.is_empty() {
                // Nobody is to blame: nothing can be said about this unit.
                counts.add("given back: unit", sites.active().count());
                return Ok(vec![format!("{name}: gave up at {fault}")]);
            }
            for of in found {
                blamed.entry(of).or_insert(fault.code);
            }
        }
        if blamed.is_empty() {
            blamed.extend(sites.moved(&before, &after).into_iter().map(|of| (of, "another callee")));
        }
        if blamed.is_empty() {
            is_settled = true;
            break;
        }
        for (of, why) in blamed {
            counts.add(why, sites.take_back(of));
        }
    }
    if !is_settled {
        counts.add("given back: too many rounds", sites.active().count());
        return Ok(Vec::new());
    }
    if let Some(folder) = write_to {
        write(&sites, folder)?;
    }
    Ok(judged::compare(&db, unit, name, &sites, counts))
}

/// Sets the texts of the unit's files without the words of the active sites; what was given back is as it was.
fn overlay(db: &mut Database, sites: &Sites) {
    for (path, text) in sites.texts() {
        db.set_text(&path, text.into());
    }
}

/// Writes the texts of a unit below a folder, under their whole paths.
fn write(sites: &Sites, folder: &Path) -> Result<(), String> {
    for (path, text) in sites.texts() {
        let target = folder.join(path.trim_start_matches('/'));
        let parent = target.parent().ok_or("a file without a folder")?;
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&target, text))
            .map_err(|error| format!("{}: {error}", target.display()))?;
    }
    Ok(())
}
