//! What is said about generic pointers: origins, contexts, loops, counts, hints.

use expect_test::expect;

use super::*;
use crate::{InlayHintLabel, InlayHintOptions, Inspection};
use msl_diagnostics::TextRange;

/// What `inspect` says at the first place of `needle`, with the text of each place.
fn inspect(text: &str, needle: &str, expected: Expect) {
    let analysis = analysis(&[("main.metal", text)]);
    let offset = text.find(needle).unwrap() as u32;
    let found = analysis.inspect(&request("metal4.1"), &"main.metal".into(), offset);
    let at = |range: TextRange| {
        let line = text[..range.start as usize].matches('\n').count() + 1;
        format!("{line} `{}`", &text[range.start as usize..range.end as usize])
    };
    let mut out = format!(
        "{}: {:?} {}\n",
        found.text,
        found.inferred.clone().unwrap_or_default(),
        found.resolution.unwrap_or("no resolution")
    );
    let Inspection { origins, contexts, loops, .. } = found;
    for origin in origins {
        let _ = writeln!(out, "  {}: {}", at(origin.place.range), origin.message);
    }
    for context in contexts {
        let _ = writeln!(out, "  called at {}: {:?}", at(context.caller.range), context.inferred);
    }
    for of in loops {
        let _ = writeln!(out, "  loop {} depth {}, {:?} passes", at(of.range), of.depth, of.trip_count);
    }
    expected.assert_eq(&out);
}

const PROGRAM: &str = "\
struct Args { float *values; uint count; };
float *next(float *p) { return p + 1; }
void add(float *to, float by) { *next(to) += by; }
kernel void k(device Args &args [[buffer(0)]], device float *d [[buffer(1)]]) {
    float local[4] = {};
    for (uint i = 0; i < args.count; ++i) {
        add(args.values, 1);
    }
    add(d, 2);
    add(local, 3);
    d[0] = local[args.count & 3];
}
";

#[test]
fn a_parameter_leads_to_what_its_callers_pass() {
    inspect(
        PROGRAM,
        "to, float by",
        expect![[r#"
        to: ["device", "thread", "threadgroup"] no resolution
          7 `args.values`: parameter `to` of `add` ← this argument
          7 `args.values`: loaded from the field `Args::values`, stored in device memory
          9 `d`: parameter `to` of `add` ← this argument
          9 `d`: points to device memory
          10 `local`: parameter `to` of `add` ← this argument
          10 `local`: address of the local variable `local`, which is in thread memory
          called at 7 `add(args.values, 1)`: ["device", "thread", "threadgroup"]
          called at 9 `add(d, 2)`: ["device"]
          called at 10 `add(local, 3)`: ["thread"]
    "#]],
    );
}

#[test]
fn a_result_leads_into_the_function_and_out_again() {
    inspect(
        PROGRAM,
        "p + 1",
        expect![[r#"
        p: ["device", "thread", "threadgroup"] no resolution
          3 `to`: parameter `p` of `next` ← this argument
          7 `args.values`: parameter `to` of `add` ← this argument
          7 `args.values`: loaded from the field `Args::values`, stored in device memory
          9 `d`: parameter `to` of `add` ← this argument
          9 `d`: points to device memory
          10 `local`: parameter `to` of `add` ← this argument
          10 `local`: address of the local variable `local`, which is in thread memory
          called at 3 `next(to)`: ["device", "thread", "threadgroup"]
    "#]],
    );
}

#[test]
fn an_access_knows_its_loops() {
    let text = "\
struct Args { float *values; uint count; };
void add(float *to) {
    for (int j = 0; j < 8; ++j) to[j] += 1;
}
kernel void k(device Args &args [[buffer(0)]]) {
    for (uint i = 0; i < args.count; ++i) add(args.values);
}
";
    inspect(
        text,
        "to[j]",
        expect![[r#"
        to: ["device", "thread", "threadgroup"] runtime
          6 `args.values`: parameter `to` of `add` ← this argument
          6 `args.values`: loaded from the field `Args::values`, stored in device memory
          called at 6 `add(args.values)`: ["device", "thread", "threadgroup"]
          loop 6 `for (uint i = 0; i < args.count; ++i)` depth 1, None passes
          loop 3 `for (int j = 0; j < 8; ++j)` depth 2, Some(8) passes
    "#]],
    );
}

#[test]
fn counts_by_function() {
    let analysis = analysis(&[("main.metal", PROGRAM)]);
    let mut out = String::new();
    for function in analysis.flow_counts(&request("metal4.1")) {
        let _ = writeln!(out, "{}: {:?}", function.name, function.accesses);
    }
    expect![[r#"
        add: AccessCounts { is_static: 0, per_call: 0, runtime: 1, not_called: 0, limited: 0 }
    "#]]
    .assert_eq(&out);
}

#[test]
fn hints_say_the_spaces() {
    let text = "\
struct Box { float v; void set(float to) { v = to; } };
void put(float *p) { float *q = p; *q = 1; }
void idle(float *p) { *p = 1; }
kernel void k(device Box &b [[buffer(0)]], device float *d [[buffer(1)]], threadgroup float *t [[threadgroup(0)]]) {
    b.set(1);
    put(d);
    put(t);
}
";
    let analysis = analysis(&[("main.metal", text)]);
    let options =
        InlayHintOptions { parameters: false, types: false, spaces: true, template_arguments: false, slots: false };
    let all = TextRange::new(0, text.len() as u32);
    let mut out = text.to_owned();
    for hint in analysis.inlay_hints(&request("metal4.1"), &"main.metal".into(), all, options).iter().rev() {
        let InlayHintLabel::Spaces(label) = &hint.label else { continue };
        out.insert_str(hint.offset as usize, &format!(" {label}"));
    }
    expect![[r#"
        struct Box { float v; void set this ⟨device⟩(float to) { v = to; } };
        void put(float *p ⟨device | threadgroup⟩) { float *q ⟨device | threadgroup⟩ = p; *q = 1; }
        void idle(float *p) { *p = 1; }
        kernel void k(device Box &b [[buffer(0)]], device float *d [[buffer(1)]], threadgroup float *t [[threadgroup(0)]]) {
            b.set(1);
            put(d);
            put(t);
        }
    "#]].assert_eq(&out);
}

#[test]
fn this_before_and_after_generic_pointers() {
    let text = "\
struct Box { float v; void set(float to) { this->v = to; } };
kernel void k(device float *d [[buffer(0)]]) { Box b; b.set(1); d[0] = b.v; }
";
    let analysis = analysis(&[("main.metal", text)]);
    let mut out = String::new();
    for std in ["metal4.0", "metal4.1"] {
        for needle in ["set", "this"] {
            let offset = text.find(needle).unwrap() as u32;
            let hover = analysis.hover(&request(std), &"main.metal".into(), offset).unwrap();
            let _ = writeln!(out, "{std} {needle}: {}", hover.address_space.unwrap_or_default());
        }
    }
    expect![[r#"
        metal4.0 set: `this` points to `thread` memory, since the function is not annotated · under Metal 4.1 it points to generic memory: the function can be called on objects in `device`, `thread` and `threadgroup` memory
        metal4.0 this: `this` points to `thread` memory, since the function is not annotated · under Metal 4.1 it points to generic memory: the function can be called on objects in `device`, `thread` and `threadgroup` memory
        metal4.1 set: `this` points to generic memory: no space is declared · inferred: `thread`
        metal4.1 this: points to generic memory: no space is declared · inferred: `thread` · resolution: static (one space in every call: no cost)
    "#]].assert_eq(&out);
}

#[test]
fn what_each_caller_passes() {
    let text = "\
struct Args { float *values; uint count; };
void add(float *to, const float *from) { *to += *from; }
void idle(float *p) { *p = 1; }
kernel void k(device Args &args [[buffer(0)]], device float *d [[buffer(1)]]) {
    float local = 1;
    for (uint i = 0; i < args.count; ++i)
        add(d + i, args.values);
    add(d, &local);
    add(d, nullptr);
}
";
    let analysis = analysis(&[("main.metal", text)]);
    let (request, path) = (request("metal4.1"), "main.metal".into());
    let table = |needle: &str| {
        let found = analysis.explain_spaces(&request, &path, text.find(needle).unwrap() as u32);
        found.map(|found| found.markdown(|place| text[place.range.start as usize..place.range.end as usize].to_owned()))
    };
    expect![[r#"
        ### Address spaces of `add`

        | caller | call | to | from |
        | --- | --- | --- | --- |
        | `k` | add(d + i, args.values), in a loop | device | device, thread, threadgroup (run time) |
        | `k` | add(d, &local) | device | thread |
        | `k` | add(d, nullptr) | device | null |

        2 accesses: 1 static, 0 per call, 1 at run time.
    "#]]
    .assert_eq(&table("*from)").unwrap());
    expect![[r#"
        ### Address spaces of `idle`

        Nothing in this program calls it.
    "#]]
    .assert_eq(&table("idle").unwrap());
    // Nothing is generic in the kernel.
    assert_eq!(table("local = 1"), None);
    let lenses: Vec<String> = analysis.space_lenses(&request, &path).into_iter().map(|lens| lens.title).collect();
    assert_eq!(lenses, ["to: device · from: device | thread | threadgroup · 1 at run time"]);
}

#[test]
fn a_dynamic_library_has_callers_elsewhere() {
    let text = "\
static void inner(float *p) { *p = 1; }
inline void shared(float *p) { *p = 2; }
namespace { void hidden(float *p) { *p = 3; } }
template <typename T> void made(T *p) { *p = 4; }
struct S { float v; void set(float to) { v = to; } };
void exported(float *p) { *p = 5; }
kernel void k(device float *d [[buffer(0)]], device S &s [[buffer(1)]]) {
    inner(d);
    shared(d);
    hidden(d);
    made<float>(d);
    s.set(1);
    exported(d);
}
";
    let resolutions = |is_dynamic_library: bool| {
        let analysis = analysis(&[("main.metal", text)]);
        let mut request = request("metal4.1");
        request.options.is_dynamic_library = is_dynamic_library;
        let all = analysis.inspect_all(&request, &"main.metal".into());
        let accesses = all.into_iter().filter(|found| found.kind == Some("access") && found.space == Some("generic"));
        let mut out = String::new();
        for found in accesses {
            let why = found.origins.iter().find(|origin| origin.message.contains("dynamic library"));
            let why = why.map_or(String::new(), |origin| format!(": {}", origin.message));
            let _ = writeln!(out, "{} {}{why}", &found.text, found.resolution.unwrap_or("none"));
        }
        out
    };
    assert!(resolutions(false).lines().all(|line| line.ends_with("static")), "{}", resolutions(false));
    expect![[r#"
        *p static
        *p static
        *p static
        *p static
        v static
        *p runtime: `p` of `exported`, which a dynamic library exports: any caller can pass any address space
    "#]]
    .assert_eq(&resolutions(true));
}
