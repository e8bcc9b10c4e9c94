//! `migrate`: what it prints, writes and how it exits.

use serde_json::Value;

use super::Folder;

const HEADER: &str = "\
struct Counter {
    float total;
    void add(float value) { bump(total, value); }
    void twice(float value) { add(value); add(value); }
    float get() const { return total; }
};
";

/// A header that breaks in one unit only, and spreads to the other.
fn project() -> Folder {
    Folder::with(&[
        ("msl-analyzer.toml", "std = \"metal4.0\"\n"),
        ("a.metal", "void bump(thread float &to, float by) { to += by; }\n#include \"counter.h\"\n"),
        (
            "b.metal",
            "template <typename T> void bump(T to, float by) {}\n#include \"counter.h\"\nstruct Pair { Counter a; void both() { a.twice(1); } };\n",
        ),
        ("counter.h", HEADER),
    ])
}

fn json(folder: &Folder, arguments: &[&str]) -> (i32, Value) {
    let run = folder.run(&[&["migrate", "--to", "metal4.1", "--format", "json"], arguments].concat());
    (run.status, serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}{}", run.stdout, run.stderr)))
}

#[test]
fn units_and_headers_are_migrated_together() {
    let folder = project();
    let (status, output) = json(&folder, &[]);
    assert_eq!((status, &output["schema"]), (1, &Value::from(1)));
    let edits: Vec<String> = output["edits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let start = &edit["range"]["start"];
            format!("{}:{}:{} {}", edit["path"].as_str().unwrap(), start["line"], start["column"], edit["newText"])
        })
        .collect();
    assert_eq!(
        edits,
        [
            "b.metal:3:37 \" thread\"",
            "counter.h:3:26 \" thread\"",
            "counter.h:4:28 \" thread\"",
            "msl-analyzer.toml:1:8 \"metal4.1\""
        ]
    );
    assert_eq!(output["remaining"], serde_json::json!([]));
    let codes: Vec<&str> =
        output["findings"].as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["becomes-generic-in-4.1", "breaks-in-4.1", "becomes-generic-in-4.1"]);
}

#[test]
fn writing_makes_the_edits_and_a_second_run_has_nothing_to_do() {
    let folder = project();
    let run = folder.run(&["migrate", "--to", "metal4.1", "--write"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout, "4 edits in 3 files made; 1 member function becomes generic and means what it did.\n");
    assert_eq!(folder.read("msl-analyzer.toml"), "std = \"metal4.1\"\n");
    assert!(folder.read("counter.h").contains("void add(float value) thread { bump(total, value); }"));
    let again = folder.run(&["migrate", "--to", "metal4.1"]);
    assert_eq!((again.status, again.stdout.contains("nothing to do for metal4.1")), (0, true), "{}", again.stdout);
    assert_eq!(folder.findings(&["--std", "metal4.1"]), Vec::<String>::new());
    assert_eq!(folder.findings(&["--std", "metal4.0"]), Vec::<String>::new());
}

#[test]
fn a_diff_is_printed_and_nothing_is_written() {
    let folder = project();
    let run = folder.run(&["migrate", "--to", "metal4.1", "--quiet"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("--- counter.h\n+++ counter.h\n"), "{}", run.stdout);
    assert!(run.stdout.contains("+    void add(float value) thread { bump(total, value); }\n"), "{}", run.stdout);
    assert_eq!(folder.read("counter.h"), HEADER);
}

#[test]
fn what_cannot_be_migrated_is_left_and_fails() {
    let text = "\
void set(thread float &value) { value = 1; }
#define RESET void reset() { set(value); }
struct Cell { float value; RESET };
";
    let folder = Folder::with(&[("a.metal", text)]);
    let (status, output) = json(&folder, &["--std", "metal4.0"]);
    assert_eq!((status, &output["edits"]), (1, &serde_json::json!([])));
    let codes: Vec<&str> =
        output["remaining"].as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["no-matching-function", "breaks-in-4.1"]);
    let run = folder.run(&["migrate", "--to", "metal4.1", "--write"]);
    assert_eq!((run.status, folder.read("a.metal").as_str()), (1, text));
}

#[test]
fn what_is_wrong_already_is_not_for_migration() {
    let folder = Folder::with(&[("a.metal", "kernel void k() { nothing(); }\n")]);
    let (status, output) = json(&folder, &["--std", "metal4.0"]);
    assert_eq!((status, &output["remaining"]), (0, &serde_json::json!([])));
    assert_eq!(folder.run(&["migrate"]).status, 2);
    assert_eq!(folder.run(&["migrate", "--to", "metal4.1", "gone"]).status, 2);
}

#[test]
fn builds_change_with_the_sources() {
    let makefile = "\
a.air: a.metal
\txcrun -sdk macosx metal -std=metal4.0 -c a.metal -o a.air
b.air: b.metal
\txcrun -sdk macosx metal -std=macos-metal2.4 -c b.metal -o b.air
all.metallib: a.air b.air
\txcrun -sdk macosx metallib a.air b.air -o all.metallib
";
    let member = "\
void set(thread float &value) { value = 1; }
struct Cell { float value; void reset() { set(value); } };
";
    let folder = Folder::with(&[("Makefile", makefile), ("a.metal", member), ("b.metal", "")]);
    let run = folder.run(&["migrate", "--to", "metal4.1", "--write"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert_eq!(run.stdout, "3 edits in 2 files made.\n");
    assert_eq!(folder.read("Makefile"), makefile.replace("macos-metal2.4", "metal4.1").replace("metal4.0", "metal4.1"));
    assert_eq!(folder.run(&["migrate", "--to", "metal4.1"]).status, 0);
}

#[test]
fn back_to_metal_4_0() {
    let text = "\
void scale(float *to, const float *from) { *to = *from * 2; }
float first(const float *p) { const float *q = p; return *q; }
struct Cell {
    float value;
    void set(float v) { value = v; }
};
kernel void k(device float *d [[buffer(0)]], threadgroup float *t [[threadgroup(0)]])
{
    float own = 1;
    scale(d, &own);
    scale(t, d);
    own = first(d);
    Cell cell;
    cell.set(own);
}
";
    let folder = Folder::with(&[("msl-analyzer.toml", "std = \"metal4.1\"\n"), ("a.metal", text)]);
    let run = folder.run(&["migrate", "--to", "metal4.0", "--write"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert_eq!(
        folder.read("a.metal"),
        text.replace(
            "void scale(float *to, const float *from) { *to = *from * 2; }\n",
            "\
void scale(device float *to, thread const float *from) { *to = *from * 2; }

void scale(threadgroup float *to, device const float *from) { *to = *from * 2; }
"
        )
        .replace("first(const float *p) { const", "first(device const float *p) { device const")
    );
    assert_eq!(folder.read("msl-analyzer.toml"), "std = \"metal4.0\"\n");
    assert_eq!(folder.findings(&[]), Vec::<String>::new());
    assert_eq!(folder.run(&["migrate", "--to", "metal4.0"]).status, 0);
}

/// What members do that Metal 4.1 breaks, and how few edits keep them as they are.
const BREAKING: &[(&str, usize, &str)] = &[
    (
        "a conversion operator that returns a reference",
        1,
        "\
struct OutSlot {
    float2 staged;
    operator thread float2 &() { return staged; }
};
static void fill(thread float2 &slot, float seed) { slot = float2(seed, seed * 0.5f); }
kernel void seed_pairs(device float2 *pairs [[buffer(0)]], uint gid [[thread_position_in_grid]]) {
    OutSlot slot;
    fill(slot, float(gid));
    pairs[gid] = slot.staged;
}
",
    ),
    (
        "an array of the object as a pointer",
        1,
        "\
static float edge_distance(thread const float2 *pts, int count, float2 p) {
    float best = distance(pts[0], p);
    for (int i = 1; i < count; ++i) best = min(best, distance(pts[i], p));
    return best;
}
struct ShapeJob {
    float2 corners[6];
    float width;
    void load(constant float2 *src) { for (int i = 0; i < 6; ++i) corners[i] = src[i]; }
    float coverage(float2 p) { return edge_distance(corners, 6, p) - width; }
};
kernel void cover(constant float2 *src [[buffer(0)]], device float *out [[buffer(1)]], uint gid [[thread_position_in_grid]]) {
    ShapeJob job;
    job.load(src);
    job.width = 0.25f;
    out[gid] = job.coverage(float2(float(gid), 0.0f));
}
",
    ),
    (
        "members that call one that returns the object, and one that does not",
        3,
        "\
struct Chain {
    float total;
    thread Chain &add(float value) { total += value; return *this; }
    void twice(float value) { add(value).add(value); }
    void thrice(float value) { twice(value); add(value); }
    float get() const { return total; }
};
kernel void k(device float *out [[buffer(0)]]) {
    Chain chain;
    chain.total = 0;
    chain.thrice(1);
    *out = chain.get();
}
",
    ),
    (
        "a call that would choose another overload",
        1,
        "\
float weight(thread const float *p) { return *p; }
template <typename T> float weight(T p) { return 2 * *p; }
struct Cell {
    float values[2];
    float sum() const { return weight(values); }
    float first() const { return values[0]; }
};
kernel void k(device float *out [[buffer(0)]]) {
    Cell cell;
    *out = cell.sum() + cell.first();
}
",
    ),
];

#[test]
fn no_edit_of_a_migration_can_be_left_out() {
    for (what, count, body) in BREAKING {
        let text = format!("#include <metal_stdlib>\nusing namespace metal;\n\n{body}");
        let folder = Folder::with(&[("a.metal", &text)]);
        let (_, output) = json(&folder, &["--std", "metal4.0"]);
        assert_eq!(output["remaining"], serde_json::json!([]), "{what}");
        let offsets: Vec<usize> = output["edits"]
            .as_array()
            .unwrap()
            .iter()
            .map(|edit| {
                assert_eq!(edit["newText"], " thread", "{what}");
                edit["range"]["start"]["offset"].as_u64().unwrap() as usize
            })
            .collect();
        assert_eq!(offsets.len(), *count, "{what}");
        let edited = |left_out: Option<usize>| {
            let mut text = text.clone();
            let kept = offsets.iter().enumerate().filter(|(index, _)| Some(*index) != left_out);
            kept.rev().for_each(|(_, &offset)| text.insert_str(offset, " thread"));
            text
        };
        folder.write("a.metal", edited(None).as_bytes());
        for std in ["metal4.0", "metal4.1"] {
            assert_eq!(folder.findings(&["--std", std]), Vec::<String>::new(), "{what}");
        }
        // Each of them takes away something that breaks or changes.
        for index in 0..offsets.len() {
            folder.write("a.metal", edited(Some(index)).as_bytes());
            let (status, _) = json(&folder, &["--std", "metal4.0"]);
            assert_eq!(status, 1, "{what}: without edit {index}");
        }
    }
}

#[test]
fn families_of_a_project_become_generic_functions() {
    let folder = Folder::with(&[
        ("msl-analyzer.toml", "std = \"metal4.0\"\n"),
        (
            "shared.h",
            "\
#pragma once
// Turns a value around.
inline void negate(thread float *value) { *value = -*value; }
inline void negate(device float *value) { *value = -(*value); }
inline float kept(thread const float *p) { return *p; }
inline float kept(device const float *p) { return *p; }
inline device int *step(device int *p) { return p + 1; }
inline thread int *step(thread int *p) { return p + 1; }
",
        ),
        (
            "a.metal",
            "#include \"shared.h\"\nkernel void a(device float *d [[buffer(0)]]) { negate(d); float own = *d; negate(&own); }\n",
        ),
        (
            "b.metal",
            "\
#include \"shared.h\"
float twice(device const float *p) { return kept(p) * 2; }
// One unit that needs the address space is enough: the family stays.
void first(device int *p) { device int *next = step(p); *next = 1; }
",
        ),
    ]);
    let run = folder.run(&["migrate", "--to", "metal4.1", "--consolidate", "--write"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{}", run.stdout);
    assert!(run.stdout.contains("2 generic functions for 4 overloads"), "{}", run.stdout);
    assert_eq!(
        folder.read("shared.h"),
        "\
#pragma once
// Turns a value around.
inline void negate(float *value) { *value = -*value; }
inline float kept(const float *p) { return *p; }
inline device int *step(device int *p) { return p + 1; }
inline thread int *step(thread int *p) { return p + 1; }
"
    );
    assert_eq!(folder.findings(&[]), ["shared.h:5:20 hint consolidatable-overloads"]);
    let again = folder.run(&["migrate", "--to", "metal4.1", "--consolidate"]);
    assert_eq!((again.status, again.stdout.contains("nothing to do")), (0, true), "{}", again.stdout);
}
