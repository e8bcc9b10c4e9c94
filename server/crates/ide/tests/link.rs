//! Function pointers across shaders and host code: the path tracer and its faults, hosts in each language, depth.

use std::sync::Arc;

use msl_diagnostics::{Code, Diagnostic, Place};
use msl_ide::{
    Analysis, CallDepth, CallTarget, LinkNameKind, LinkProgram, ShaderCall, StdChoice, UnitOptions, UnitRequest,
    depth_of, file_system::MemoryFiles, link_graph_text,
};
use msl_preproc::LanguageVersion;
use msl_project::{BindingKind, read_host_file};

/// Files of a project by name; shaders are units, the rest is host code or headers.
fn program(files: &[(&str, &str)]) -> LinkProgram {
    let mut memory = MemoryFiles::default();
    for (path, text) in files {
        memory.insert(path, text);
    }
    let analysis = Analysis::new(Arc::new(memory));
    let version = LanguageVersion::parse("metal3.1").expect("a version");
    let units: Vec<_> = files
        .iter()
        .filter(|(path, _)| path.ends_with(".metal"))
        .map(|(path, _)| {
            let std = StdChoice { version, source: "test".into(), stated: true };
            analysis.shader_unit(&UnitRequest {
                path: (*path).into(),
                std,
                options: UnitOptions::new(version),
                thresholds: Default::default(),
            })
        })
        .collect();
    let hosts = files.iter().filter_map(|(path, text)| read_host_file(path, text)).collect();
    LinkProgram::new(&units, hosts)
}

/// `path:line: code: message` of each finding that is on by default.
fn show(findings: &[Diagnostic], files: &[(&str, &str)]) -> Vec<String> {
    let shown = findings.iter().filter(|finding| finding.code.default_severity().is_some()).map(|finding| {
        let text = files.iter().find(|(path, _)| *path == &*finding.place.path).map_or("", |(_, text)| *text);
        let line = text[..finding.place.range.start as usize].matches('\n').count() + 1;
        format!("{}:{line}: {}: {}", finding.place.path, finding.code, finding.message)
    });
    shown.collect()
}

/// The path tracer, with texts replaced once each.
fn path_tracer(changes: &[(&str, &str)]) -> Vec<(&'static str, String)> {
    let mut files: Vec<(&'static str, String)> = vec![
        ("PathTracer.h", include_str!("../../../../tests/function-pointers/path-tracer/PathTracer.h").to_owned()),
        (
            "PathTracer.metal",
            include_str!("../../../../tests/function-pointers/path-tracer/PathTracer.metal").to_owned(),
        ),
        ("Materials.metal", include_str!("../../../../tests/function-pointers/path-tracer/Materials.metal").to_owned()),
        ("Renderer.swift", include_str!("../../../../tests/function-pointers/path-tracer/Renderer.swift").to_owned()),
    ];
    for (from, to) in changes {
        let holder = files.iter_mut().find(|(_, text)| text.contains(from));
        let (_, text) = holder.unwrap_or_else(|| panic!("nothing holds `{from}`"));
        *text = text.replacen(from, to, 1);
    }
    files
}

fn borrowed<'a>(files: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
    files.iter().map(|(path, text)| (*path, text.as_str())).collect()
}

fn faults(changes: &[(&str, &str)]) -> Vec<String> {
    let files = path_tracer(changes);
    let files = borrowed(&files);
    let program = program(&files);
    assert!(program.is_complete);
    show(&program.findings(), &files)
}

/// The one finding that a change leads to: the line that holds `at`, the code, a part of the message.
#[track_caller]
fn check(change: (&str, &str), at: &str, code: Code, message: &str) {
    let found = faults(&[change]);
    let files = path_tracer(&[change]);
    let line = files
        .iter()
        .find_map(|(path, text)| Some(format!("{path}:{}", text.lines().position(|line| line.contains(at))? + 1)));
    let line = line.expect("the line is there");
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].starts_with(&format!("{line}: {code}: ")), "{found:#?}, expected {line}");
    assert!(found[0].contains(message), "{found:#?}");
}

#[test]
fn the_intact_path_tracer_is_silent() {
    assert_eq!(faults(&[]), Vec::<String>::new());
}

#[test]
fn names_that_no_shader_defines() {
    let change = ("named: \"lacquer\"", "named: \"laquer\"");
    check(change, "laquer", Code::UnknownFunctionName, "did you mean `lacquer`?");
    let change = ("makeFunction(name: \"smoothCurve\")", "makeFunction(name: \"zigzag\")");
    check(change, "zigzag", Code::UnknownFunctionName, "no shader defines a function `zigzag`");
}

#[test]
fn a_name_that_is_put_together_at_run_time_matches_nothing() {
    for to in ["named: \"lac\" + ending", "named: \"lac\\(ending)\"", "named: names[1]"] {
        assert_eq!(faults(&[("named: \"lacquer\"", to)]), Vec::<String>::new(), "{to}");
    }
}

#[test]
fn functions_that_cannot_be_linked() {
    let change = ("[[visible]] float smoothCurve", "float smoothCurve");
    check(change, "name: \"smoothCurve\"", Code::FunctionNotVisible, "`smoothCurve` is a plain function");
    let change = ("linked.binaryFunctions = [matte]", "linked.binaryFunctions = [matte, kernel]");
    check(change, "name: \"tracePaths\"", Code::FunctionNotVisible, "a kernel function");
}

#[test]
fn groups() {
    let change = ("            \"curves\": [smooth],\n", "");
    check(change, "function_groups(\"curves\")", Code::FunctionGroupMismatch, "no host code declares the group");
    let change = ("\"curves\": [smooth],", "\"curves\": [smooth], \"shadows\": [smooth],");
    check(change, "\"shadows\"", Code::FunctionGroupMismatch, "no call in a shader names the group `shadows`");
    let change = ("\"curves\": [smooth],", "\"curves\": [smooth, matte],");
    check(change, "\"curves\": [smooth, matte]", Code::FunctionGroupMismatch, "lists `matte`, which is `float3(");
}

#[test]
fn an_index_behind_the_end_of_a_table() {
    let change = ("lacquer), index: 1)", "lacquer), index: 2)");
    check(change, "lacquer), index: 2)", Code::FunctionTableIndex, "index 2 is behind the end of the table");
    let change = ("lights = table(count: 2)", "lights = table(count: 1)");
    check(change, "spotLight\")!), index: 1", Code::FunctionTableIndex, "room for 1 function");
}

#[test]
fn binaries_added_without_support() {
    for change in [
        ("        descriptor.supportAddingBinaryFunctions = true\n", ""),
        ("supportAddingBinaryFunctions = true", "supportAddingBinaryFunctions = false"),
    ] {
        check(change, "WithAdditionalBinaryFunctions", Code::UnsupportedBinaryFunctions, "does not support it");
    }
    let unknown = ("supportAddingBinaryFunctions = true", "supportAddingBinaryFunctions = mayAdd");
    assert_eq!(faults(&[unknown]), Vec::<String>::new());
}

#[test]
fn a_call_stack_that_is_too_low() {
    let chain = "nest 2 deep here (`tracePaths` → `lacquer` → `smoothCurve`), and `maxCallStackDepth` is 1";
    let change = ("maxCallStackDepth = 2", "maxCallStackDepth = 1");
    check(change, "maxCallStackDepth = 1", Code::CallStackDepth, chain);
    let change = ("        descriptor.maxCallStackDepth = 2\n", "");
    check(change, "makeComputePipelineState(descriptor", Code::CallStackDepth, chain);
    assert_eq!(faults(&[("maxCallStackDepth = 2", "maxCallStackDepth = depth")]), Vec::<String>::new());
}

#[test]
fn recursion_through_a_pointer() {
    let head = "[[visible]] float3 matte(Hit hit, float3 light, visible_function_table<float(float)> curves) {\n";
    let recursive = format!(
        "{head}    using Matte = float3(Hit, float3, visible_function_table<float(float)>);\n    Matte *again = &matte;\n    \
         if (hit.material > 1) return again(hit, light, curves);\n"
    );
    let recursive = (head, recursive.as_str());
    let found = faults(&[recursive, ("maxCallStackDepth = 2", "maxCallStackDepth = 1")]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].contains("call-stack-depth: `matte` → `matte` calls itself through function pointers"),
        "{found:#?}"
    );
    // Whoever raised the depth knows how deep it goes.
    assert_eq!(faults(&[recursive]), Vec::<String>::new());
}

#[test]
fn a_visible_function_that_nothing_links() {
    let more = "[[visible]] float spare(float x) { return x; }\n[[visible]] float smoothCurve";
    let files = path_tracer(&[("[[visible]] float smoothCurve", more)]);
    let findings = program(&borrowed(&files)).findings();
    let found: Vec<&Diagnostic> = findings.iter().filter(|it| it.code == Code::UnlinkedVisibleFunction).collect();
    assert_eq!(found.len(), 1, "{findings:#?}");
    assert_eq!(found[0].message, "no host code links `spare`");
}

#[test]
fn hosts_in_each_language_are_silent_and_their_faults_are_found() {
    let shader = include_str!("../../../../tests/function-pointers/shade.metal");
    let objc = include_str!("../../../../tests/function-pointers/objc/Renderer.m");
    let cpp = include_str!("../../../../tests/function-pointers/metal-cpp/renderer.cpp");
    let rust = include_str!("../../../../tests/function-pointers/rust/renderer.rs");
    for (path, host, count) in [
        ("Renderer.m", objc, ("functionCount = 2", "functionCount = 1")),
        ("renderer.cpp", cpp, ("setFunctionCount(2)", "setFunctionCount(1)")),
        ("renderer.rs", rust, ("setFunctionCount(2)", "setFunctionCount(1)")),
    ] {
        let with = |from: &str, to: &str| {
            let changed = host.replacen(from, to, 1);
            let files = [("shade.metal", shader), (path, changed.as_str())];
            show(&program(&files).findings(), &files)
        };
        assert_eq!(with("", ""), Vec::<String>::new(), "{path}");
        let found = with(count.0, count.1);
        assert!(found.len() == 1 && found[0].contains("function-table-index: index 1"), "{path}: {found:#?}");
        let found = with("\"stone\"", "\"stonne\"");
        let message = "unknown-function-name: no shader defines a function `stonne`; did you mean `stone`?";
        assert!(found.len() == 1 && found[0].contains(message), "{path}: {found:#?}");
        // Both sides are told: the shader's group is not declared, the host's is not used.
        let found = with("\"surfaces\"", "\"surface\"");
        assert!(
            found.len() == 2 && found.iter().all(|it| it.contains("function-group-mismatch")),
            "{path}: {found:#?}"
        );
    }
}

#[test]
fn names_lead_across_the_border() {
    let files = path_tracer(&[]);
    let files = borrowed(&files);
    let program = program(&files);
    let text_of = |path: &str| files.iter().find(|(own, _)| *own == path).expect("a file").1;
    let name_at = |path: &str, what: &str| {
        let offset = text_of(path).find(what).expect("it is there") as u32 + 1;
        program.name_at(&path.into(), offset).expect("a name").kind
    };
    let spelled = |places: Vec<Place>| -> Vec<String> {
        let spell = |place: &Place| {
            let range = place.range.start as usize..place.range.end as usize;
            format!("{} {}", place.path, &text_of(&place.path)[range])
        };
        places.iter().map(spell).collect()
    };
    let name = name_at("Renderer.swift", "lacquer\"");
    assert_eq!(name, LinkNameKind::Function("lacquer".to_owned()));
    assert_eq!(spelled(program.definitions(&name)), ["Materials.metal lacquer"]);
    assert_eq!(spelled(program.host_places(&name_at("Materials.metal", "lacquer(Hit"))), ["Renderer.swift lacquer"]);
    let group = name_at("Materials.metal", "curves\")");
    assert_eq!(group, LinkNameKind::Group("curves".to_owned()));
    assert_eq!(spelled(program.host_places(&group)), ["Renderer.swift curves"]);
    let offset = text_of("Renderer.swift").find("bufferIndex: 2").expect("an index") as u32 + 13;
    let slot = program.name_at(&"Renderer.swift".into(), offset).expect("a slot").kind;
    assert_eq!(slot, LinkNameKind::Slot(BindingKind::Buffer, 2));
    assert_eq!(spelled(program.definitions(&slot)), ["PathTracer.metal materials"]);
}

#[test]
fn the_graph_of_the_path_tracer() {
    let files = path_tracer(&[]);
    let graph = program(&borrowed(&files)).graph();
    let text = link_graph_text(&graph, &mut |place| place.path.to_string());
    expect_test::expect![[r#"
        entry tracePaths  PathTracer.metal  kernel, calls nest up to 2 deep
          table lights  PathTracer.metal  buffer(1), float3(constant Light &, float3)
            group lighting  float3(constant Light &, float3)
              function areaLight  PathTracer.metal  float3(constant Light &, float3)
                host-list functions  Renderer.swift  copied into the pipeline: the fastest calls, and a new function needs a new pipeline; maxCallStackDepth 2
              function spotLight  PathTracer.metal  float3(constant Light &, float3)
                host-list functions  Renderer.swift  copied into the pipeline: the fastest calls, and a new function needs a new pipeline; maxCallStackDepth 2
          table materials  PathTracer.metal  buffer(2), float3(Hit, float3, visible_function_table<float (float)>)
            group materials  float3(Hit, float3, visible_function_table<float (float)>)
              function matte  Materials.metal  float3(Hit, float3, visible_function_table<float (float)>)
                host-list binaryFunctions  Renderer.swift  compiled once and called across: pipelines are made faster and share it, calls cost more; maxCallStackDepth 2
              function lacquer  Materials.metal  float3(Hit, float3, visible_function_table<float (float)>)
                table curves  Materials.metal  float(float)
                  group curves  float(float)
                    function smoothCurve  Materials.metal  float(float)
                      host-list functions  Renderer.swift  copied into the pipeline: the fastest calls, and a new function needs a new pipeline; maxCallStackDepth 2
                host-list added  Renderer.swift  added to a finished pipeline: nothing is compiled again, and the pipeline has to support it
          table curves  PathTracer.metal  buffer(3), float(float)
    "#]].assert_eq(&text);
}

/// The source of a graph: for each function the functions that it calls, `*` through a pointer. Each has a type of its
/// own, so that exactly one fits each pointer.
fn source_of(graph: &str) -> String {
    let names = ["a", "b", "c", "d", "e"];
    let mut source = String::from("#include <metal_stdlib>\nusing namespace metal;\n");
    for name in names {
        source.push_str(&format!("struct T{name} {{ int i; }};\n[[visible]] void {name}(T{name} t);\n"));
    }
    let body_of = |wanted: &str| -> String {
        let mut body = String::new();
        for part in graph.split(';') {
            let (owner, calls) = part.split_once(':').unwrap_or(("k", part));
            if owner.trim() != wanted {
                continue;
            }
            for call in calls.split_whitespace() {
                body.push_str(&match call.strip_prefix('*') {
                    Some(name) => format!("{{ T{name} x; void (*p)(T{name}) = {name}; p(x); }} "),
                    None => format!("{{ T{call} x; {call}(x); }} "),
                });
            }
        }
        body
    };
    for name in names {
        source.push_str(&format!("[[visible]] void {name}(T{name} t) {{ {} }}\n", body_of(name)));
    }
    source.push_str(&format!("kernel void k(device int *out [[buffer(0)]]) {{ {} }}\n", body_of("k")));
    source
}

#[test]
fn depths_that_were_counted_by_hand() {
    let cases: &[(&str, &str)] = &[
        ("", "0"),
        ("a", "0"),
        ("*a", "1"),
        ("*a *b", "1"),
        ("*a; a: *b", "2"),
        ("*a; a: b", "1"),
        ("a; a: *b", "1"),
        ("a; a: b; b: *c", "1"),
        ("*a; a: b; b: *c", "2"),
        ("*a; a: *b; b: *c", "3"),
        ("*a; a: *b; b: *c; c: *d", "4"),
        ("*a *b; a: *c; b: *d; d: *c", "3"),
        ("*a b; b: *c; c: *d", "2"),
        ("*a; a: *b *c; b: *d; c: d", "3"),
        ("*a; a: b *c; b: *d; d: *c", "3"),
        ("*a; a: *a", "a → a"),
        ("*a; a: *b; b: *a", "a → b → a"),
        ("*a; a: b; b: *a", "a → b → a"),
        ("a; a: *b; b: a", "a → b → a"),
        ("*a; a: *b; b: *c; c: *b", "b → c → b"),
        ("*a *b; b: *c; c: d; d: *e; e: *c", "c → d → e → c"),
        ("*e; e: *d; d: c; c: *b; b: a", "3"),
        ("a b c d e; a: *b; b: *c; c: *d; d: *e", "4"),
    ];
    for (graph, expected) in cases {
        let source = source_of(graph);
        let program = program(&[("a.metal", source.as_str())]);
        let fits = |_: usize, call: &ShaderCall| match &call.target {
            CallTarget::Pointer { signature, .. } => program.fitting(signature).collect(),
            _ => Vec::new(),
        };
        let depth = depth_of(&program, program.named("k")[0], &fits).expect("the graph is small");
        let shown = match depth {
            CallDepth::Levels(levels, _) => levels.to_string(),
            CallDepth::Recursive(cycle) => {
                let names: Vec<&str> = cycle.iter().map(|&index| program.functions[index].own_name.as_str()).collect();
                names.join(" → ")
            }
        };
        assert_eq!(shown, *expected, "{graph}\n{source}");
    }
}
