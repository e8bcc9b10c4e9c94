//! What holds of the address-space flow of every program, on programs made at random.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::Inspection;

/// A statement of a function with the pointers `a` and `b`, its parameters, and `p` and `q`, which start as these.
#[derive(Clone, Debug)]
enum Stmt {
    Access(usize, u32),
    Assign(usize, usize),
    Choose(usize, usize, usize),
    /// Reads through one of two pointers.
    Read(usize, usize),
    /// Assigns through a pointer to a pointer.
    Through(usize, usize),
    /// Keeps a pointer in an object and takes it out again.
    Keep(usize, usize),
    /// Accesses what a reference is bound to.
    Refer(usize),
    /// Calls one of the functions before.
    Call(usize, usize, usize),
    If(Vec<Stmt>),
    Loop(Vec<Stmt>),
}

const NAMES: [&str; 4] = ["a", "b", "p", "q"];
/// What a kernel can pass.
const ARGUMENTS: [&str; 5] = ["d", "d + 1", "t", "t + 1", "x"];

/// A program: functions, and calls of them by the one kernel.
#[derive(Clone, Debug)]
struct Sample {
    functions: Vec<Vec<Stmt>>,
    calls: Vec<(usize, usize, usize)>,
}

fn stmts() -> impl Strategy<Value = Vec<Stmt>> {
    let leaf = prop_oneof![
        4 => (0..4usize, 0..8u32).prop_map(|(pointer, index)| Stmt::Access(pointer, index)),
        2 => (2..4usize, 0..4usize).prop_map(|(to, from)| Stmt::Assign(to, from)),
        1 => (2..4usize, 0..4usize, 0..4usize).prop_map(|(to, a, b)| Stmt::Choose(to, a, b)),
        1 => (0..4usize, 0..4usize).prop_map(|(a, b)| Stmt::Read(a, b)),
        1 => (2..4usize, 0..4usize).prop_map(|(to, from)| Stmt::Through(to, from)),
        1 => (2..4usize, 0..4usize).prop_map(|(to, from)| Stmt::Keep(to, from)),
        1 => (0..4usize).prop_map(Stmt::Refer),
        2 => (0..8usize, 0..4usize, 0..4usize).prop_map(|(callee, a, b)| Stmt::Call(callee, a, b)),
    ];
    let nested = leaf.prop_recursive(2, 8, 3, |inner| {
        let some = prop::collection::vec(inner, 1..3);
        prop_oneof![some.clone().prop_map(Stmt::If), some.prop_map(Stmt::Loop)]
    });
    prop::collection::vec(nested, 1..5)
}

fn samples() -> impl Strategy<Value = Sample> {
    let functions = prop::collection::vec(stmts(), 1..5);
    let calls = prop::collection::vec((0..8usize, 0..ARGUMENTS.len(), 0..ARGUMENTS.len()), 1..5);
    (functions, calls).prop_map(|(functions, calls)| Sample { functions, calls })
}

fn write_stmts(out: &mut String, stmts: &[Stmt], own: usize) {
    for stmt in stmts {
        match stmt {
            Stmt::Access(pointer, index) => {
                let _ = writeln!(out, "{}[{index}] = 1;", NAMES[*pointer]);
            }
            Stmt::Assign(to, from) => {
                let _ = writeln!(out, "{} = {};", NAMES[*to], NAMES[*from]);
            }
            Stmt::Choose(to, a, b) => {
                let _ = writeln!(out, "{} = n > 2 ? {} : {};", NAMES[*to], NAMES[*a], NAMES[*b]);
            }
            Stmt::Read(a, b) => {
                let _ = writeln!(out, "{{ float read = n > 1 ? {}[1] : {}[2]; (void)read; }}", NAMES[*a], NAMES[*b]);
            }
            Stmt::Through(to, from) => {
                let _ = writeln!(out, "{{ thread auto &r = {}; r = {}; }}", NAMES[*to], NAMES[*from]);
            }
            Stmt::Keep(to, from) => {
                let _ = writeln!(out, "{{ Box box; box.kept = {}; {} = box.kept; }}", NAMES[*from], NAMES[*to]);
            }
            Stmt::Refer(pointer) => {
                let _ = writeln!(out, "{{ float &r = {}[3]; r = 1; }}", NAMES[*pointer]);
            }
            Stmt::Call(callee, a, b) if own > 0 => {
                let _ = writeln!(out, "f{}({}, {}, n);", callee % own, NAMES[*a], NAMES[*b]);
            }
            Stmt::Call(..) => {}
            Stmt::If(inner) => {
                out.push_str("if (n > 3) {\n");
                write_stmts(out, inner, own);
                out.push_str("}\n");
            }
            Stmt::Loop(inner) => {
                out.push_str("for (int i = 0; i < n; ++i) {\n");
                write_stmts(out, inner, own);
                out.push_str("}\n");
            }
        }
    }
}

impl Sample {
    fn callee(&self, call: usize) -> usize {
        self.calls[call].0 % self.functions.len()
    }

    /// The functions; `annotated` is a function, one of its two parameters and the space that it is given.
    fn functions(&self, annotated: Option<(usize, usize, &str)>) -> String {
        let mut out = "struct Box { float *kept; };\n".to_owned();
        for (number, stmts) in self.functions.iter().enumerate() {
            let space = |param: usize| match annotated {
                Some((function, own, space)) if function == number && own == param => format!("{space} "),
                _ => String::new(),
            };
            let _ = writeln!(out, "void f{number}({}float *a, {}float *b, int n) {{", space(0), space(1));
            self.body(&mut out, number, stmts);
            out.push_str("}\n");
        }
        out
    }

    fn body(&self, out: &mut String, number: usize, stmts: &[Stmt]) {
        out.push_str("float *p = a;\nfloat *q = b;\n");
        write_stmts(out, stmts, number);
    }

    /// The kernel; calls of `inlined` are replaced by the function's body.
    fn kernel(&self, inlined: Option<usize>) -> String {
        let mut out =
            "kernel void k(device float *d [[buffer(0)]], threadgroup float *t [[threadgroup(0)]], constant int \
                       &n [[buffer(1)]]) {\nfloat x[8];\n"
                .to_owned();
        for (call, &(_, a, b)) in self.calls.iter().enumerate() {
            let callee = self.callee(call);
            if inlined == Some(callee) {
                let _ = writeln!(out, "{{ float *a = {};\nfloat *b = {};", ARGUMENTS[a], ARGUMENTS[b]);
                self.body(&mut out, callee, &self.functions[callee]);
                out.push_str("}\n");
            } else {
                let _ = writeln!(out, "f{callee}({}, {}, n);", ARGUMENTS[a], ARGUMENTS[b]);
            }
        }
        out.push_str("}\n");
        out
    }
}

/// The generic accesses of a program, in order of place.
fn accesses(text: &str) -> Vec<Inspection> {
    let analysis = analysis(&[("main.metal", text)]);
    let request = request("metal4.1");
    let report = analysis.check(&request);
    let errors: Vec<_> =
        report.diagnostics.iter().filter(|found| found.severity == msl_diagnostics::Severity::Error).collect();
    assert!(errors.is_empty(), "{text}\n{errors:?}");
    let mut found = analysis.inspect_all(&request, &"main.metal".into());
    found.retain(|found| found.kind == Some("access") && found.space == Some("generic"));
    found
}

/// How bad a resolution is; a function that nobody calls pays nothing.
fn rank(access: &Inspection) -> u32 {
    match access.resolution {
        None => 0,
        Some("static") => 1,
        Some("per-call") => 2,
        Some(_) => 3,
    }
}

fn spaces(access: &Inspection) -> Vec<&'static str> {
    access.inferred.clone().unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_further_caller_makes_nothing_better(sample in samples(), more in (0..8usize, 0..5usize, 0..5usize)) {
        let before = accesses(&(sample.functions(None) + &sample.kernel(None)));
        let mut larger = sample;
        larger.calls.push(more);
        let after = accesses(&(larger.functions(None) + &larger.kernel(None)));
        prop_assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after) {
            prop_assert_eq!(before.range, after.range);
            prop_assert!(rank(before) <= rank(after), "{:?} {:?}", before, after);
            if before.resolution.is_some() {
                prop_assert!(spaces(before).iter().all(|space| spaces(after).contains(space)), "{:?} {:?}", before, after);
            }
        }
    }

    #[test]
    fn an_annotation_that_says_what_is_inferred_changes_nothing_else(sample in samples()) {
        // Only functions that the kernel alone calls can be annotated: others are given generic pointers.
        let called_by_others = |function: usize| {
            fn calls(stmts: &[Stmt], own: usize, wanted: usize) -> bool {
                stmts.iter().any(|stmt| match stmt {
                    Stmt::Call(callee, ..) => own > 0 && callee % own == wanted,
                    Stmt::If(inner) | Stmt::Loop(inner) => calls(inner, own, wanted),
                    _ => false,
                })
            }
            sample.functions.iter().enumerate().any(|(own, stmts)| calls(stmts, own, function))
        };
        let text = sample.functions(None) + &sample.kernel(None);
        let before = accesses(&text);
        let analysis = analysis(&[("main.metal", &text)]);
        let all = analysis.inspect_all(&request("metal4.1"), &"main.metal".into());
        for function in (0..sample.functions.len()).filter(|&function| !called_by_others(function)) {
            let start = text.find(&format!("void f{function}(")).unwrap() as u32;
            let params = all.iter().filter(|found| found.kind == Some("parameter") && found.range.start > start);
            for (param, found) in params.take(2).enumerate() {
                let [space] = spaces(found)[..] else { continue };
                if sample.calls.iter().enumerate().all(|(call, _)| sample.callee(call) != function) {
                    continue;
                }
                let annotated = sample.functions(Some((function, param, space))) + &sample.kernel(None);
                let after = accesses(&annotated);
                // What goes through the parameter itself is not generic any more; everything else is as it was.
                let shift = space.len() as u32 + 1;
                for after in &after {
                    let moved = |of: u32| if of > found.range.start { of - shift } else { of };
                    let same = before.iter().find(|before| before.range.start == moved(after.range.start)
                        && before.range.end == moved(after.range.end));
                    prop_assert!(same.is_some(), "{annotated}\n{:?}", after);
                    let same = same.unwrap();
                    prop_assert_eq!(rank(same), rank(after), "{}\n{:?} {:?}", annotated, same, after);
                    prop_assert_eq!(spaces(same), spaces(after), "{}", annotated);
                }
            }
        }
    }

    #[test]
    fn an_edited_program_is_judged_like_a_new_one(
        sample in samples(),
        template in 0..5usize,
        edits in prop::collection::vec((0..5usize, stmts()), 1..5),
    ) {
        let mut sample = sample;
        let text = |sample: &Sample| {
            let text = sample.functions(None) + &sample.kernel(None);
            let plain = format!("void f{template}(float *a, float *b, int n)");
            text.replace(&plain, &format!("template <typename I> void f{template}(float *a, float *b, I n)"))
        };
        let request = request("metal4.1");
        let judged = |analysis: &Analysis| {
            let report = analysis.check_in_stages(&request, |_| ());
            format!("{:#?}\n{:#?}", report.diagnostics, analysis.inspect_all(&request, &request.path))
        };
        let mut session = analysis(&[]);
        session.open("main.metal", text(&sample).as_bytes().into());
        judged(&session);
        for (function, stmts) in edits {
            let function = function % sample.functions.len();
            sample.functions[function] = stmts;
            let text = text(&sample);
            session.edit("main.metal", text.as_bytes().into());
            prop_assert_eq!(judged(&session), judged(&analysis(&[("main.metal", &text)])), "{}", text);
        }
    }

    #[test]
    fn inlining_by_hand_makes_per_call_static_and_changes_nothing_else(sample in samples()) {
        let functions = sample.functions(None);
        let text = functions.clone() + &sample.kernel(None);
        let before = accesses(&text);
        let function = sample.callee(0);
        let inlined = accesses(&(functions.clone() + &sample.kernel(Some(function))));
        let start = functions.find(&format!("void f{function}(")).unwrap() as u32;
        let next = functions.find(&format!("void f{}(", function + 1));
        let end = next.unwrap_or(functions.len()) as u32;
        let own: Vec<_> = before.iter().filter(|access| start < access.range.start && access.range.start < end).collect();
        let copies: Vec<_> = inlined.iter().filter(|access| access.range.start >= functions.len() as u32).collect();
        let sites = sample.calls.iter().enumerate().filter(|&(call, _)| sample.callee(call) == function).count();
        prop_assert_eq!(copies.len(), own.len() * sites);
        for (index, own) in own.iter().enumerate() {
            let of_own: Vec<_> = copies.iter().skip(index).step_by(own_step(&before, start, end)).collect();
            for copy in &of_own {
                prop_assert!(rank(copy) != 2, "{text}\n{:?} {:?}", own, copy);
                prop_assert!(spaces(copy).iter().all(|space| spaces(own).contains(space)), "{text}\n{:?} {:?}", own, copy);
                if rank(own) < 3 {
                    prop_assert_eq!(rank(copy), 1, "{}\n{:?} {:?}", text, own, copy);
                }
            }
        }
        // The other functions are reached in the same ways.
        for (before, after) in before.iter().zip(&inlined) {
            let is_other = before.range.start < start || (end..functions.len() as u32).contains(&before.range.start);
            if is_other {
                prop_assert_eq!(before.range, after.range);
                prop_assert_eq!(rank(before), rank(after), "{}\n{:?} {:?}", text, before, after);
                prop_assert_eq!(spaces(before), spaces(after), "{}", text);
            }
        }
    }
}

/// How many accesses a function has.
fn own_step(all: &[Inspection], start: u32, end: u32) -> usize {
    all.iter().filter(|access| start < access.range.start && access.range.start < end).count().max(1)
}
