//! Function pointers across shaders and host code: the path tracer and its faults, hosts in each language, depth.

use std::sync::Arc;

use msl_diagnostics::{Code, Diagnostic, Place};
use msl_ide::{
    Analysis, CallDepth, LinkNameKind, LinkProgram, ShaderCall, StdChoice, UnitOptions, UnitRequest, depth_of,
    file_system::MemoryFiles, link_graph_text,
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

/// A fault in the pair of a shader and a host: what is replaced where, the line at which it is found, the code, part of
/// the message.
struct Fault {
    change: (&'static str, &'static str),
    at: &'static str,
    code: Code,
    message: &'static str,
}

const fn fault(change: (&'static str, &'static str), at: &'static str, code: Code, message: &'static str) -> Fault {
    Fault { change, at, code, message }
}

/// The lines with findings of the shader and a host with one change, as `path:line: code: message`.
fn pair(path: &str, host: &str, change: (&str, &str)) -> (Vec<String>, [String; 2]) {
    let shader = include_str!("../../../../tests/function-pointers/shade.metal");
    let (from, to) = change;
    assert!(from.is_empty() || host.contains(from) != shader.contains(from), "{path}: `{from}`");
    let texts = [shader, host].map(|text| if from.is_empty() { text.to_owned() } else { text.replacen(from, to, 1) });
    let files = [("shade.metal", texts[0].as_str()), (path, texts[1].as_str())];
    (show(&program(&files).findings(), &files), texts)
}

#[track_caller]
fn check_pair(path: &str, host: &str, faults: &[Fault]) {
    assert_eq!(pair(path, host, ("", "")).0, Vec::<String>::new(), "{path}");
    for Fault { change, at, code, message } in faults {
        let (found, texts) = pair(path, host, *change);
        let line = ["shade.metal", path]
            .iter()
            .zip(&texts)
            .find_map(|(path, text)| Some(format!("{path}:{}", text.lines().position(|line| line.contains(at))? + 1)));
        let expected = format!("{}: {code}: ", line.expect("the line is there"));
        assert!(
            found.len() == 1 && found[0].starts_with(&expected) && found[0].contains(message),
            "{path}: {change:?}: {found:#?}, expected {expected}"
        );
    }
}

/// Faults in the shader, which are the same for each host.
fn shader_faults(stone: &'static str) -> Vec<Fault> {
    vec![
        fault(("[[visible]] float3 stone", "float3 stone"), stone, Code::FunctionNotVisible, "plain function"),
        fault(
            ("[[function_groups(\"surfaces\")]] float3", "[[function_groups(\"surfaces\", \"edges\")]] float3"),
            "\"edges\"",
            Code::FunctionGroupMismatch,
            "no host code declares the group `edges`",
        ),
    ]
}

/// The shader's `stone` calls on through a pointer of its own type: whatever fits may go on for ever, and the host allows
/// one level.
const RECURSIVE: (&str, &str) = (
    "[[visible]] float3 stone(float3 position) {\n",
    "[[visible]] float3 stone(float3 position) {\n    float3 (*inner)(float3) = wood;\n    position = inner(position);\n",
);

#[test]
fn objective_c_is_silent_and_its_faults_are_found() {
    let host = include_str!("../../../../tests/function-pointers/objc/Renderer.m");
    let mut faults = shader_faults("descriptor.name = @\"stone\"");
    faults.extend([
        fault(
            ("descriptor.name = @\"stone\"", "descriptor.name = @\"stonne\""),
            "stonne",
            Code::UnknownFunctionName,
            "did you mean `stone`?",
        ),
        fault(
            ("@[ wood, stone ] };", "@[ wood, stone ], @\"corners\" : @[ wood ] };"),
            "corners",
            Code::FunctionGroupMismatch,
            "no call in a shader names the group `corners`",
        ),
        fault(
            ("linked.binaryFunctions = @[ stone ]", "linked.binaryFunctions = @[ stone, kernel ]"),
            "@\"shade\"",
            Code::FunctionNotVisible,
            "a kernel function",
        ),
        fault(
            ("functionCount = 2", "functionCount = 1"),
            "functionHandleWithFunction:stone",
            Code::FunctionTableIndex,
            "index 1",
        ),
        fault(RECURSIVE, "maxCallStackDepth = 1", Code::CallStackDepth, "calls itself through function pointers"),
        fault(
            (
                "    MTLVisibleFunctionTableDescriptor *tableDescriptor",
                "    _more = [_pipeline newComputePipelineStateWithAdditionalBinaryFunctions:@[ wood ] error:&error];\n    \
                 MTLVisibleFunctionTableDescriptor *tableDescriptor",
            ),
            "AdditionalBinaryFunctions",
            Code::UnsupportedBinaryFunctions,
            "does not support it",
        ),
    ]);
    check_pair("Renderer.m", host, &faults);
}

#[test]
fn metal_cpp_is_silent_and_its_faults_are_found() {
    let host = include_str!("../../../../tests/function-pointers/metal-cpp/renderer.cpp");
    let mut faults = shader_faults("setName(MTLSTR(\"stone\"))");
    faults.extend([
        fault(
            ("setName(MTLSTR(\"stone\"))", "setName(MTLSTR(\"stonne\"))"),
            "stonne",
            Code::UnknownFunctionName,
            "did you mean `stone`?",
        ),
        fault(
            ("setBinaryFunctions(NS::Array::array(stone))", "setBinaryFunctions(NS::Array::array(kernel))"),
            "string(\"shade\"",
            Code::FunctionNotVisible,
            "a kernel function",
        ),
        fault(
            ("setFunctionCount(2)", "setFunctionCount(1)"),
            "functionHandle(stone)",
            Code::FunctionTableIndex,
            "index 1",
        ),
        fault(RECURSIVE, "setMaxCallStackDepth(1)", Code::CallStackDepth, "calls itself through function pointers"),
        fault(
            (
                "    auto* tableDescriptor",
                "    NS::Object* added[] = {wood};\n    more_ = pipeline_->newComputePipelineState(NS::Array::array(added, \
                 1), &error);\n    auto* tableDescriptor",
            ),
            "more_ = ",
            Code::UnsupportedBinaryFunctions,
            "does not support it",
        ),
    ]);
    check_pair("renderer.cpp", host, &faults);
}

#[test]
fn rust_is_silent_and_its_faults_are_found() {
    let host = include_str!("../../../../tests/function-pointers/rust/renderer.rs");
    let mut faults = shader_faults("setName(Some(ns_string!(\"stone\")))");
    faults.extend([
        fault(
            ("setName(Some(ns_string!(\"stone\")))", "setName(Some(ns_string!(\"stonne\")))"),
            "stonne",
            Code::UnknownFunctionName,
            "did you mean `stone`?",
        ),
        fault(
            ("NSArray::from_slice(&[&*stone])", "NSArray::from_slice(&[&*stone, &*kernel])"),
            "ns_string!(\"shade\")",
            Code::FunctionNotVisible,
            "a kernel function",
        ),
        fault(
            ("setFunctionCount(2)", "setFunctionCount(1)"),
            "functionHandleWithFunction(&stone)",
            Code::FunctionTableIndex,
            "index 1",
        ),
        fault(RECURSIVE, "setMaxCallStackDepth(1)", Code::CallStackDepth, "calls itself through function pointers"),
        fault(
            (
                "        let table_descriptor",
                "        self.more = self.pipeline\n            .newComputePipelineStateWithAdditionalBinaryFunctions_error(\
                 &NSArray::from_slice(&[&*wood]))\n            .unwrap();\n        let table_descriptor",
            ),
            "AdditionalBinaryFunctions",
            Code::UnsupportedBinaryFunctions,
            "does not support it",
        ),
    ]);
    check_pair("renderer.rs", host, &faults);
}

#[test]
fn a_group_that_is_misspelled_is_told_on_both_sides() {
    for (path, host) in [
        ("Renderer.m", include_str!("../../../../tests/function-pointers/objc/Renderer.m")),
        ("renderer.cpp", include_str!("../../../../tests/function-pointers/metal-cpp/renderer.cpp")),
        ("renderer.rs", include_str!("../../../../tests/function-pointers/rust/renderer.rs")),
    ] {
        let shader = include_str!("../../../../tests/function-pointers/shade.metal");
        let changed = host.replacen("\"surfaces\"", "\"surface\"", 1);
        let files = [("shade.metal", shader), (path, changed.as_str())];
        let found = show(&program(&files).findings(), &files);
        assert!(
            found.len() == 2 && found.iter().all(|it| it.contains("function-group-mismatch")),
            "{path}: {found:#?}"
        );
    }
}

#[test]
fn types_are_compared_across_units_by_what_they_are() {
    // Spelled differently and the same: an alias, a namespace that is left out, `const` of a copy, an enumeration.
    let caller = "#include <metal_stdlib>\nusing namespace metal;\nnamespace shading { struct Hit { float3 at; uint kind; }; enum class Kind : uint { matte }; }\n\
                  using namespace shading;\nusing Shade = float3(Hit, constant Kind *, float);\n\
                  kernel void k(visible_function_table<Shade> table [[buffer(0)]], constant Kind *kinds [[buffer(2)]], device float3 *out [[buffer(1)]]) {\n    \
                  [[function_groups(\"all\")]] out[0] = table[0](Hit(), kinds, 1);\n}\n";
    let same = "#include <metal_stdlib>\nnamespace shading { typedef unsigned int Number; struct Hit { metal::float3 at; Number kind; }; enum class Kind : Number { matte }; }\n\
                [[visible]] metal::float3 matte(const shading::Hit hit, constant shading::Kind *kinds, const float x) { return hit.at * x; }\n";
    let host = "let f = device.makeDefaultLibrary()!.makeFunction(name: \"matte\")!\n\
                let k = device.makeDefaultLibrary()!.makeFunction(name: \"k\")!\n\
                let linked = MTLLinkedFunctions()\nlinked.functions = [f]\nlinked.groups = [\"all\": [f]]\n\
                let descriptor = MTLComputePipelineDescriptor()\ndescriptor.computeFunction = k\n\
                descriptor.linkedFunctions = linked\n\
                let p = try device.makeComputePipelineState(descriptor: descriptor, options: [], reflection: nil)\n";
    let findings = |callee: &str| {
        let files = [("a.metal", caller), ("b.metal", callee), ("h.swift", host)];
        show(&program(&files).findings(), &files)
    };
    assert_eq!(findings(same), Vec::<String>::new());
    // Of the same name in another namespace; of the same name with other members; behind a pointer.
    let other_place = same.replace("namespace shading", "namespace old").replace("shading::", "old::");
    let found = findings(&other_place);
    assert!(
        found.len() == 1 && found[0].contains("which is `float3(old::Hit, constant old::Kind *, float)`"),
        "{found:#?}"
    );
    let found = findings(&same.replace("Number kind;", "Number kind; float extra;"));
    assert!(found.len() == 1 && found[0].contains("another `shading::Hit`, declared differently"), "{found:#?}");
    let found = findings(&same.replace("constant shading::Kind", "device shading::Kind"));
    assert!(
        found.len() == 1 && found[0].contains("the calls of the group take `float3(shading::Hit, constant"),
        "{found:#?}"
    );
    // What is declared only is whatever the other side knows it as.
    let pointer = |body: &str| format!("#include <metal_stdlib>\nstruct Scene {body};\n");
    let caller = pointer("{ float x; }")
        + "kernel void k(metal::visible_function_table<float(device Scene *)> t [[buffer(0)]], device Scene *s [[buffer(1)]]) { s->x = t[0](s); }\n";
    let fits = |body: &str| {
        let callee = pointer(body) + "[[visible]] float f(device Scene *s) { return 1; }\n";
        let program = program(&[("a.metal", caller.as_str()), ("b.metal", callee.as_str())]);
        let table = &program.functions[program.named("k")[0]].tables[0];
        program.fitting(&table.signature).count()
    };
    assert_eq!((fits(""), fits("{ float x; }"), fits("{ int x; }")), (1, 1, 0));
    // Without a name a class is another one in each file.
    let hidden = "#include <metal_stdlib>\nnamespace { struct H { int i; }; }\n";
    let caller = format!(
        "{hidden}kernel void k(metal::visible_function_table<int(H)> t [[buffer(0)]], device int *s [[buffer(1)]]) {{ s[0] = t[0](H()); }}\n"
    );
    let callee = format!("{hidden}[[visible]] int f(H h) {{ return h.i; }}\n");
    let program = program(&[("a.metal", caller.as_str()), ("b.metal", callee.as_str())]);
    let table = &program.functions[program.named("k")[0]].tables[0];
    assert_eq!(program.fitting(&table.signature).count(), 0);
}

#[test]
fn a_plain_function_that_the_host_names_can_be_made_visible() {
    let files = path_tracer(&[("[[visible]] float smoothCurve", "float smoothCurve")]);
    let findings = program(&borrowed(&files)).findings();
    let fix = findings.iter().find(|it| it.code == Code::FunctionNotVisible).and_then(|it| it.fixes.first());
    let fix = fix.expect("a repair");
    assert_eq!((fix.title.as_str(), fix.edits.len()), ("Add `[[visible]]`", 1));
    let (path, text) = files.iter().find(|(path, _)| *path == "Materials.metal").expect("a file");
    let edit = &fix.edits[0];
    assert_eq!((&*edit.place.path, edit.place.range.start), (*path, edit.place.range.end));
    assert!(text[edit.place.range.start as usize..].starts_with("float smoothCurve"));
}

#[test]
fn intersection_functions_take_a_level() {
    let shader = |inner: &str| {
        format!(
            "#include <metal_stdlib>\nusing namespace metal;\nusing namespace raytracing;\n\
             [[visible]] float cut(float x) {{ return x; }}\n\
             struct Result {{ bool accept [[accept_intersection]]; float distance [[distance]]; }};\n\
             [[intersection(bounding_box)]] Result sphere(float3 origin [[origin]]) {{ float x = origin.x; {inner} return {{true, x}}; }}\n\
             kernel void k(acceleration_structure<> scene [[buffer(0)]], intersection_function_table<> table [[buffer(1)]], device float *out [[buffer(2)]]) {{\n    \
             intersector<> look;\n    out[0] = look.intersect(ray(), scene, table).distance;\n}}\n"
        )
    };
    for (inner, expected) in [("", 1), ("x = cut(x);", 1), ("float (*p)(float) = cut; x = p(x);", 2)] {
        let source = shader(inner);
        let program = program(&[("a.metal", source.as_str())]);
        let fits = |_: usize, call: &ShaderCall| program.reachable_through(call);
        let depth = depth_of(&program, program.named("k")[0], &fits);
        assert!(matches!(depth, Some(CallDepth::Levels(levels, _)) if levels == expected), "{inner}: {depth:?}");
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
        let fits = |_: usize, call: &ShaderCall| program.reachable_through(call);
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

/// The source of a graph for divergence: what the kernel `k` and the functions `a` to `d` do with the number that they
/// get, in order. `t` picks from the table by it, `s` by a constant; a name hands it on, with `!` a value that all threads
/// share, with `/` what is left of it after a division.
fn divergence_source(graph: &str, input: &str) -> String {
    let mut source = String::from("#include <metal_stdlib>\nusing namespace metal;\nusing F = float(float);\n");
    let names = ["a", "b", "c", "d"];
    for name in names {
        source.push_str(&format!("float {name}(visible_function_table<F> t, constant uint &shared, uint i);\n"));
    }
    for owner in names.iter().copied().chain(["k"]) {
        let mut body = String::new();
        for part in graph.split(';') {
            let (own, steps) = part.split_once(':').unwrap_or(("k", part));
            if own.trim() != owner {
                continue;
            }
            for step in steps.split_whitespace() {
                body.push_str(&match step {
                    "t" => "    x += t[i](1);\n".to_owned(),
                    "s" => "    x += t[shared](1);\n".to_owned(),
                    _ => match (step.strip_suffix('!'), step.strip_suffix('/')) {
                        (Some(callee), _) => format!("    x += {callee}(t, shared, shared);\n"),
                        (_, Some(callee)) => format!("    x += {callee}(t, shared, i / 32);\n"),
                        _ => format!("    x += {step}(t, shared, i);\n"),
                    },
                });
            }
        }
        let head = match owner {
            "k" => format!(
                "kernel void k(visible_function_table<F> t [[buffer(0)]], constant uint &shared [[buffer(1)]], device float *out \
                 [[buffer(2)]], uint i [[{input}]])"
            ),
            _ => format!("float {owner}(visible_function_table<F> t, constant uint &shared, uint i)"),
        };
        let end = if owner == "k" { "    out[0] = x;\n" } else { "    return x;\n" };
        source.push_str(&format!("{head} {{\n    float x = 0;\n{body}{end}}}\n"));
    }
    source
}

#[test]
fn divergence_that_was_found_by_hand() {
    const OWN: &str = "thread_position_in_grid";
    const GROUP: &str = "threadgroup_position_in_grid";
    // The functions in which an index differs.
    let cases: &[(&str, &str, &str)] = &[
        (OWN, "", ""),
        (OWN, "t", "k"),
        (OWN, "s", ""),
        (GROUP, "t", ""),
        (OWN, "a; a: t", "a"),
        (OWN, "a!; a: t", ""),
        (OWN, "a/; a: t", ""),
        (GROUP, "a; a: t", ""),
        (OWN, "a; a: s", ""),
        (OWN, "t a; a: t", "a k"),
        (OWN, "a; a: b; b: t", "b"),
        (OWN, "a; a: b!; b: t", ""),
        (OWN, "a!; a: b; b: t", ""),
        (OWN, "a a!; a: t", "a"),
        (OWN, "a! b; a: t; b: t", "b"),
        (OWN, "a b; a: c!; b: c; c: t", "c"),
        (OWN, "a b; a: c!; b: c/; c: t", ""),
        (OWN, "a; a: b; b: c; c: t", "c"),
        (OWN, "a; a: b c; b: t; c: s", "b"),
        (OWN, "a; a: b c; b: t; c: t", "b c"),
        (OWN, "a; a: t b; b: t c!; c: t", "a b"),
        ("thread_index_in_simdgroup", "a; a: t", "a"),
        ("simdgroup_index_in_threadgroup", "a; a: t", ""),
        ("threads_per_grid", "t a; a: t", ""),
    ];
    assert!(cases.len() >= 20);
    for (input, graph, expected) in cases {
        let source = divergence_source(graph, input);
        let mut memory = MemoryFiles::default();
        memory.insert("a.metal", &source);
        let version = LanguageVersion::parse("metal3.1").expect("a version");
        let std = StdChoice { version, source: "test".into(), stated: true };
        let report = Analysis::new(Arc::new(memory)).check(&UnitRequest {
            path: "a.metal".into(),
            std,
            options: UnitOptions::new(version),
            thresholds: Default::default(),
        });
        let mut found: Vec<&str> = Vec::new();
        for finding in report.diagnostics.iter().filter(|it| it.code.default_severity().is_some()) {
            assert_eq!(finding.code, Code::DivergentFunctionPointer, "{graph}: {finding:?}\n{source}");
            // The last function that begins above.
            let above = &source[..finding.place.range.start as usize];
            let head =
                above.rfind(" {\n    float x = 0;").and_then(|end| above[..end].rfind('\n')).expect("a function");
            let head = &above[head + 1..];
            found.push(if head.starts_with("kernel") { "k" } else { &head["float ".len()..][..1] });
        }
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.join(" "), *expected, "{input}: {graph}\n{source}");
    }
}
