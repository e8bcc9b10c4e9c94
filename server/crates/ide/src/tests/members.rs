//! Member functions under Metal 4.1: verdicts, and the fewest annotations.

use std::{fmt::Write, sync::Arc};

use expect_test::{Expect, expect};
use msl_db::file_system::{FileSystem, MemoryFiles};
use msl_diagnostics::{Severity, TextEdit};
use rustc_hash::FxHashSet;

use super::{analysis, report, request};
use crate::{MemberVerdict, apply_edits};

/// Shows what becomes of each member, and the lines that change. After the edits the unit must be free of errors under
/// both versions and must need nothing more.
fn check(files: &[(&str, &str)], expected: Expect) {
    let judged = analysis(files).judge_members(&request("metal4.0"), &FxHashSet::default());
    let mut out = String::new();
    let mut edits: Vec<TextEdit> = Vec::new();
    for member in &judged.members {
        let verdict = match &member.verdict {
            MemberVerdict::Generic => "generic".to_owned(),
            MemberVerdict::Changes(calls) => format!("changes: {}", calls[0].message),
            MemberVerdict::Breaks(errors) => format!("breaks ({})", errors.len()),
            MemberVerdict::Follows(causes) => format!("follows {}", causes.join(", ")),
        };
        let _ = writeln!(out, "{}: {verdict}", member.name);
        if member.is_needed {
            match &member.own_annotation {
                Ok(own) => edits.extend(own.iter().cloned()),
                Err(reason) => {
                    let _ = writeln!(out, "    refused: {reason}");
                }
            }
        }
    }
    edits.sort_by(|a, b| a.place.cmp(&b.place));
    let mut memory = MemoryFiles::default();
    for (path, text) in files {
        memory.insert(path, text);
    }
    let memory = Arc::new(memory);
    let mut edited: Vec<(&str, String)> = Vec::new();
    for (path, text) in files {
        let of_file = edits.iter().filter(|edit| *edit.place.path == **path);
        let new = String::from_utf8(apply_edits(&memory.read(path).unwrap(), of_file)).unwrap();
        for (old, new) in text.lines().zip(new.lines()).filter(|(old, new)| old != new) {
            let _ = writeln!(out, "- {}\n+ {}", old.trim(), new.trim());
        }
        edited.push((path, new));
    }
    expected.assert_eq(&out);
    let edited: Vec<(&str, &str)> = edited.iter().map(|(path, text)| (*path, text.as_str())).collect();
    if out.contains("refused") {
        return;
    }
    for std in ["metal4.0", "metal4.1"] {
        let errors: Vec<String> = report(&edited, std)
            .diagnostics
            .into_iter()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| finding.message)
            .collect();
        assert_eq!(errors, Vec::<String>::new(), "under {std}");
    }
    let again = analysis(&edited).judge_members(&request("metal4.0"), &FxHashSet::default());
    assert!(again.members.iter().all(|member| !member.is_needed), "the edits are not enough");
}

fn one(text: &str, expected: Expect) {
    check(&[("main.metal", text)], expected);
}

#[test]
fn only_what_needs_it_is_annotated() {
    one(
        "\
void scale(thread float *values, float by) { values[0] *= by; }
struct Samples {
    float values[4];
    void fill(constant float *from) { values[0] = from[0]; }
    float first() const { return values[0]; }
    void halve() { scale(values, 0.5f); }
};
",
        expect![[r#"
            Samples::fill: generic
            Samples::first: generic
            Samples::halve: breaks (1)
            - void halve() { scale(values, 0.5f); }
            + void halve() thread { scale(values, 0.5f); }
        "#]],
    );
}

#[test]
fn annotations_spread_to_callers() {
    one(
        "\
void set(thread float &value) { value = 1; }
struct Inner {
    float value;
    Inner() { set(value); }
    void reset() { set(value); }
    void twice() { reset(); this->reset(); }
};
struct Outer {
    Inner inner;
    Outer() {}
    void clear() { inner.twice(); }
    void far() { clear(); }
    float get() const { return inner.value; }
};
",
        expect![[r#"
            Inner::Inner: breaks (1)
            Inner::reset: breaks (1)
            Inner::twice: follows Inner::reset
            Outer::Outer: follows Inner::Inner
            Outer::clear: follows Inner::twice
            Outer::far: follows Outer::clear
            Outer::get: generic
            - Inner() { set(value); }
            + Inner() thread { set(value); }
            - void reset() { set(value); }
            + void reset() thread { set(value); }
            - void twice() { reset(); this->reset(); }
            + void twice() thread { reset(); this->reset(); }
            - Outer() {}
            + Outer() thread {}
            - void clear() { inner.twice(); }
            + void clear() thread { inner.twice(); }
            - void far() { clear(); }
            + void far() thread { clear(); }
        "#]],
    );
}

#[test]
fn behind_const_and_in_every_declaration() {
    check(
        &[
            (
                "main.metal",
                "\
#include \"pair.h\"
thread const Pair &Pair::self() const { return *this; }
template <typename T> thread T *Box<T>::data() { return items; }
void use() { Box<float> box; box.data()[0] = 1; }
",
            ),
            (
                "pair.h",
                "\
struct Pair {
    float2 at;
    thread const Pair &self() const;
    thread float2 &operator()() { return at; }
    operator thread float2 &() { return at; }
    thread Pair &operator+=(float2 by) { at += by; return *this; }
};
template <typename T> struct Box {
    T items[2];
    thread T *data();
};
",
            ),
        ],
        expect![[r#"
            Pair::self: breaks (1)
            Pair::operator(): breaks (1)
            Pair::operator thread float2 &: breaks (1)
            Pair::operator+=: breaks (1)
            Box::data: breaks (1)
            - thread const Pair &Pair::self() const { return *this; }
            + thread const Pair &Pair::self() const thread { return *this; }
            - template <typename T> thread T *Box<T>::data() { return items; }
            + template <typename T> thread T *Box<T>::data() thread { return items; }
            - thread const Pair &self() const;
            + thread const Pair &self() const thread;
            - thread float2 &operator()() { return at; }
            + thread float2 &operator()() thread { return at; }
            - operator thread float2 &() { return at; }
            + operator thread float2 &() thread { return at; }
            - thread Pair &operator+=(float2 by) { at += by; return *this; }
            + thread Pair &operator+=(float2 by) thread { at += by; return *this; }
            - thread T *data();
            + thread T *data() thread;
        "#]],
    );
}

#[test]
fn what_breaks_in_an_instance_only() {
    one(
        "\
void set(thread float &value) { value = 1; }
void set(threadgroup int *value) {}
template <typename T> struct Cell {
    T value;
    void put() { set(value); }
};
void use() { Cell<float> cell; cell.put(); }
",
        expect![[r#"
            Cell::put: breaks (1)
            - void put() { set(value); }
            + void put() thread { set(value); }
        "#]],
    );
}

#[test]
fn a_call_that_would_choose_another_function() {
    one(
        "\
struct Any { Any(float) {} };
float weigh(thread float &value) { return value; }
float weigh(Any value) { return 0; }
struct Sample {
    float value;
    float weight() { return weigh(value); }
};
",
        expect![[r#"
            Any::Any: generic
            Sample::weight: changes: this called `float weigh(thread float &value)` and will call `float weigh(Any value)`
            - float weight() { return weigh(value); }
            + float weight() thread { return weigh(value); }
        "#]],
    );
}

#[test]
fn in_a_macro_nothing_is_edited() {
    one(
        "\
void set(thread float &value) { value = 1; }
#define RESET void reset() { set(value); }
struct Cell {
    float value;
    RESET
};
",
        expect![[r#"
            Cell::reset: breaks (1)
                refused: it stands in the definition of a macro, which is the same for all its uses
        "#]],
    );
}

#[test]
fn tokens_that_differ_between_the_versions() {
    one(
        "\
#if __METAL_VERSION__ >= 410
#define HAS_GENERIC 1
int generic_only() { return 1; }
#endif
void set(thread float &value) { value = 1; }
struct Cell {
    float value;
    void reset() { set(value); }
    float get() { return value; }
};
",
        expect![[r#"
            Cell::reset: breaks (1)
            Cell::get: generic
            - void reset() { set(value); }
            + void reset() thread { set(value); }
        "#]],
    );
}
