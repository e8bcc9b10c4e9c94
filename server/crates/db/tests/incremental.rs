//! What is computed again after an edit, query by query.

use std::sync::{Arc, Mutex};

use expect_test::{Expect, expect};
use msl_db::{Body, Database, Unit, UnitOptions, file_system::MemoryFiles, parsed_body, parsed_decls, split_unit};
use msl_preproc::LanguageVersion;
use salsa::Database as _;

/// A database that remembers which queries ran.
struct Watched {
    db: Database,
    ran: Arc<Mutex<Vec<String>>>,
}

impl Watched {
    fn new(files: &[(&str, &str)]) -> Watched {
        let mut memory = MemoryFiles::default();
        for (path, text) in files {
            memory.insert(path, text);
        }
        let ran: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = ran.clone();
        let events = move |event: salsa::Event| {
            if let salsa::EventKind::WillExecute { database_key } = event.kind {
                log.lock().unwrap().push(format!("{database_key:?}"));
            }
        };
        Watched { db: Database::with_events(Arc::new(memory), Some(Box::new(events))), ran }
    }

    fn unit(&self, path: &str) -> Unit {
        self.db.unit(path, UnitOptions::new(LanguageVersion::DEFAULT))
    }

    /// Asks for everything up to the syntax trees of these units.
    fn parse(&self, units: &[Unit]) {
        for &unit in units {
            parsed_decls(&self.db, unit);
            for &body in split_unit(&self.db, unit).bodies(&self.db).iter() {
                parsed_body(&self.db, body);
            }
        }
    }

    /// The queries that ran since the last time, with bodies by their numbers.
    fn expect_ran(&self, expected: Expect) {
        let ran = std::mem::take(&mut *self.ran.lock().unwrap());
        let mut lines = String::new();
        self.db.attach(|_| {
            for query in ran {
                lines.push_str(&query);
                lines.push('\n');
            }
        });
        expected.assert_eq(&lines);
    }

    fn edit(&mut self, path: &str, text: &str) {
        self.db.set_text(path, text.as_bytes().into());
    }
}

const SHARED: &str = "constant float scale = 2;\nfloat twice(float x) { return x * scale; }\n";
const A: &str =
    "#include \"shared.h\"\n\nfloat first(float x) { return x; }\nfloat second(float x) { return twice(x); }\n";
const B: &str = "float other() { return 1; }\n";

fn prepared() -> (Watched, [Unit; 2]) {
    let mut watched = Watched::new(&[("a.metal", A), ("b.metal", B), ("shared.h", SHARED)]);
    for (path, text) in [("a.metal", A), ("b.metal", B), ("shared.h", SHARED)] {
        watched.db.open(path, text.as_bytes().into());
    }
    let units = [watched.unit("a.metal"), watched.unit("b.metal")];
    watched.parse(&units);
    (watched, units)
}

fn numbers<'db>(db: &'db Database, bodies: &[Body<'db>]) -> Vec<u32> {
    bodies.iter().map(|body| body.number(db)).collect()
}

#[test]
fn everything_is_computed_once() {
    let (watched, units) = prepared();
    let bodies = split_unit(&watched.db, units[0]).bodies(&watched.db);
    assert_eq!(numbers(&watched.db, bodies), [0, 1, 2]);
    watched.expect_ran(expect![[r#"
        parsed_decls(Id(80))
        split_unit(Id(80))
        preprocessed(Id(80))
        included_frameworks(Id(80))
        parsed_body(Id(100))
        parsed_body(Id(101))
        parsed_body(Id(102))
        parsed_decls(Id(81))
        split_unit(Id(81))
        preprocessed(Id(81))
        included_frameworks(Id(81))
        parsed_body(Id(103))
    "#]]);
    watched.parse(&units);
    watched.expect_ran(expect![[r#""#]]);
    // Asking for a unit again gives the same one, with its results.
    assert_eq!([watched.unit("a.metal"), watched.unit("./b.metal")], units);
}

#[test]
fn an_edit_in_a_body_parses_that_body() {
    let (mut watched, units) = prepared();
    watched.expect_ran(expect![[r#"
        parsed_decls(Id(80))
        split_unit(Id(80))
        preprocessed(Id(80))
        included_frameworks(Id(80))
        parsed_body(Id(100))
        parsed_body(Id(101))
        parsed_body(Id(102))
        parsed_decls(Id(81))
        split_unit(Id(81))
        preprocessed(Id(81))
        included_frameworks(Id(81))
        parsed_body(Id(103))
    "#]]);
    watched.edit("a.metal", &A.replace("twice(x)", "twice(x) + 1"));
    watched.parse(&units);
    watched.expect_ran(expect![[r#"
        preprocessed(Id(80))
        split_unit(Id(80))
        included_frameworks(Id(80))
        parsed_body(Id(102))
    "#]]);
}

#[test]
fn an_edit_of_layout_and_comments_parses_nothing() {
    let (mut watched, units) = prepared();
    watched.expect_ran(expect![[r#"
        parsed_decls(Id(80))
        split_unit(Id(80))
        preprocessed(Id(80))
        included_frameworks(Id(80))
        parsed_body(Id(100))
        parsed_body(Id(101))
        parsed_body(Id(102))
        parsed_decls(Id(81))
        split_unit(Id(81))
        preprocessed(Id(81))
        included_frameworks(Id(81))
        parsed_body(Id(103))
    "#]]);
    watched.edit("a.metal", &A.replace("float second", "// What it does.\n   float second"));
    watched.parse(&units);
    watched.expect_ran(expect![[r#"
        preprocessed(Id(80))
        split_unit(Id(80))
        included_frameworks(Id(80))
    "#]]);
}

#[test]
fn an_edit_in_a_body_of_a_header_parses_that_body_in_its_units() {
    let (mut watched, units) = prepared();
    watched.expect_ran(expect![[r#"
        parsed_decls(Id(80))
        split_unit(Id(80))
        preprocessed(Id(80))
        included_frameworks(Id(80))
        parsed_body(Id(100))
        parsed_body(Id(101))
        parsed_body(Id(102))
        parsed_decls(Id(81))
        split_unit(Id(81))
        preprocessed(Id(81))
        included_frameworks(Id(81))
        parsed_body(Id(103))
    "#]]);
    watched.edit("shared.h", &SHARED.replace("x * scale", "x + scale"));
    watched.parse(&units);
    watched.expect_ran(expect![[r#"
        preprocessed(Id(80))
        split_unit(Id(80))
        included_frameworks(Id(80))
        parsed_body(Id(100))
    "#]]);
}

#[test]
fn an_edit_of_a_declaration_parses_its_unit() {
    let (mut watched, units) = prepared();
    watched.expect_ran(expect![[r#"
        parsed_decls(Id(80))
        split_unit(Id(80))
        preprocessed(Id(80))
        included_frameworks(Id(80))
        parsed_body(Id(100))
        parsed_body(Id(101))
        parsed_body(Id(102))
        parsed_decls(Id(81))
        split_unit(Id(81))
        preprocessed(Id(81))
        included_frameworks(Id(81))
        parsed_body(Id(103))
    "#]]);
    watched.edit("b.metal", &B.replace("other()", "other(int n)"));
    watched.parse(&units);
    watched.expect_ran(expect![[r#"
        preprocessed(Id(81))
        split_unit(Id(81))
        parsed_decls(Id(81))
        included_frameworks(Id(81))
        parsed_body(Id(103))
    "#]]);
}

#[test]
fn a_header_that_appears_is_noticed() {
    let mut watched = Watched::new(&[("a.metal", A)]);
    let unit = watched.unit("a.metal");
    watched.parse(&[unit]);
    assert_eq!(split_unit(&watched.db, unit).bodies(&watched.db).len(), 2);
    watched.edit("shared.h", SHARED);
    assert_eq!(split_unit(&watched.db, unit).bodies(&watched.db).len(), 3);
}
