//! Builds and host code in an editor: findings on their files, and names that lead across the language border.

use serde_json::{Value, json};

use crate::client::Client;

const HEADER: &str = include_str!("../../../tests/function-pointers/path-tracer/PathTracer.h");
const TRACER: &str = include_str!("../../../tests/function-pointers/path-tracer/PathTracer.metal");
const MATERIALS: &str = include_str!("../../../tests/function-pointers/path-tracer/Materials.metal");
const RENDERER: &str = include_str!("../../../tests/function-pointers/path-tracer/Renderer.swift");

fn project(renderer: &str) -> Client {
    Client::with(&[
        ("PathTracer.h", HEADER),
        ("PathTracer.metal", TRACER),
        ("Materials.metal", MATERIALS),
        ("Renderer.swift", renderer),
        (
            "CMakeLists.txt",
            "add_custom_command(OUTPUT a.air COMMAND xcrun -sdk macosx metal -std=metal3.1 -c PathTracer.metal -o a.air)\n",
        ),
    ])
}

/// The position of the `index`th character of a text's first occurrence.
fn position(text: &str, what: &str, index: usize) -> Value {
    let offset = text.find(what).expect("it is there") + index;
    let line = text[..offset].matches('\n').count();
    let column = offset - text[..offset].rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": line, "character": column })
}

/// Asks until the project was read.
fn until_known(client: &mut Client, method: &str, params: &Value) -> Value {
    until(client, method, params, |found| !found.is_null() && found.as_array().is_none_or(|all| !all.is_empty()))
}

/// Asks until the answer is as wanted: the project is read in the background.
fn until(client: &mut Client, method: &str, params: &Value, is_wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..400 {
        let found = client.request(method, params.clone());
        if is_wanted(&found) {
            return found;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Value::Null
}

fn lines(client: &Client, found: &Value) -> Vec<String> {
    let mut lines: Vec<String> = found
        .as_array()
        .into_iter()
        .flatten()
        .map(|it| format!("{}:{}", client.name_of(&it["uri"]), it["range"]["start"]["line"].as_u64().unwrap_or(0) + 1))
        .collect();
    lines.sort();
    lines
}

#[test]
fn from_a_swift_string_to_the_metal_function_and_back() {
    let mut client = project(RENDERER);
    client.open("Renderer.swift", RENDERER);
    client.open("Materials.metal", MATERIALS);
    let at = client.at("Renderer.swift", &position(RENDERER, "\"lacquer\"", 3));
    let found = until_known(&mut client, "textDocument/definition", &at);
    assert_eq!(lines(&client, &found), ["Materials.metal:14"]);
    // The number of a buffer index, and a group.
    let at = client.at("Renderer.swift", &position(RENDERER, "bufferIndex: 2", 13));
    let found = client.request("textDocument/definition", at);
    assert_eq!(lines(&client, &found), ["PathTracer.metal:26"]);
    let at = client.at("Renderer.swift", &position(RENDERER, "\"lighting\"", 2));
    let found = client.request("textDocument/definition", at);
    assert_eq!(lines(&client, &found), ["PathTracer.metal:32"]);
    // Back.
    let mut at = client.at("Materials.metal", &position(MATERIALS, "lacquer(Hit", 2));
    at["context"] = json!({ "includeDeclaration": true });
    let found = client.request("textDocument/references", at);
    assert_eq!(lines(&client, &found), ["Materials.metal:14", "Renderer.swift:28"]);
    let at = client.at("Materials.metal", &position(MATERIALS, "curves\")]]", 2));
    let found = client.request("textDocument/definition", at);
    assert_eq!(lines(&client, &found), ["Renderer.swift:37"]);
    let hover =
        client.request("textDocument/hover", client.at("Renderer.swift", &position(RENDERER, "\"lacquer\"", 3)));
    assert!(hover["contents"]["value"].as_str().unwrap_or_default().contains("visible lacquer: float3(Hit"), "{hover}");
}

#[test]
fn renames_reach_both_sides() {
    let mut client = project(RENDERER);
    client.open("Renderer.swift", RENDERER);
    client.open("Materials.metal", MATERIALS);
    let at = client.at("Renderer.swift", &position(RENDERER, "\"lacquer\"", 3));
    until_known(&mut client, "textDocument/definition", &at);
    let edits = |client: &mut Client, name: &str, position: Value| -> Vec<String> {
        let mut params = client.at(name, &position);
        params["newName"] = json!("fresh");
        let edit = client.request("textDocument/rename", params);
        let mut lines: Vec<String> = Vec::new();
        for change in edit["documentChanges"].as_array().into_iter().flatten() {
            let name = client.name_of(&change["textDocument"]["uri"]).to_owned();
            for edit in change["edits"].as_array().into_iter().flatten() {
                lines.push(format!("{name}:{}", edit["range"]["start"]["line"].as_u64().unwrap_or(0) + 1));
            }
        }
        for (uri, changed) in edit["changes"].as_object().into_iter().flatten() {
            let name = client.name_of(&json!(uri)).to_owned();
            for edit in changed.as_array().into_iter().flatten() {
                lines.push(format!("{name}:{}", edit["range"]["start"]["line"].as_u64().unwrap_or(0) + 1));
            }
        }
        lines.sort();
        lines
    };
    let both = ["Materials.metal:14", "Renderer.swift:28"];
    assert_eq!(edits(&mut client, "Renderer.swift", position(RENDERER, "\"lacquer\"", 3)), both);
    assert_eq!(edits(&mut client, "Materials.metal", position(MATERIALS, "lacquer(Hit", 2)), both);
    let group = ["Materials.metal:15", "Renderer.swift:37"];
    assert_eq!(edits(&mut client, "Renderer.swift", position(RENDERER, "\"curves\"", 2)), group);
    assert_eq!(edits(&mut client, "Materials.metal", position(MATERIALS, "curves\")]]", 2)), group);
}

/// The newest findings of a file, waited for until `wanted` holds of them.
fn published(client: &mut Client, name: &str, wanted: impl Fn(&[Value]) -> bool) -> Vec<String> {
    let uri = client.uri(name);
    let message = client.wait(|message| {
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["uri"] == uri.as_str()
            && wanted(message["params"]["diagnostics"].as_array().map_or(&[][..], Vec::as_slice))
    });
    let found = message["params"]["diagnostics"].as_array().cloned().unwrap_or_default();
    found
        .iter()
        .map(|it| {
            format!(
                "{}: {}",
                it["range"]["start"]["line"].as_u64().unwrap_or(0) + 1,
                it["code"].as_str().unwrap_or_default()
            )
        })
        .collect()
}

#[test]
fn findings_stand_on_host_code_and_go_when_it_is_saved() {
    let faulty = RENDERER.replacen("lacquer), index: 1)", "lacquer), index: 2)", 1);
    let mut client = project(&faulty);
    client.open("Renderer.swift", &faulty);
    assert_eq!(published(&mut client, "Renderer.swift", |found| !found.is_empty()), ["55: function-table-index"]);
    client.replace("Renderer.swift", 2, RENDERER);
    client.write("Renderer.swift", RENDERER);
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": client.uri("Renderer.swift") } }));
    assert_eq!(published(&mut client, "Renderer.swift", <[Value]>::is_empty), Vec::<String>::new());
}

#[test]
fn findings_stand_on_build_files_and_versions_follow_them() {
    let build = "\
old.air: old.metal
\txcrun -sdk macosx metal -std=metal4.0 -c old.metal -o old.air
new.air: new.metal
\txcrun -sdk macosx metal -std=metal4.1 -c new.metal -o new.air
all.metallib: old.air new.air
\txcrun -sdk macosx metallib old.air new.air -o all.metallib
";
    let mut client = Client::with(&[
        (".git/HEAD", ""),
        ("old.metal", "float f() { return 1; }\n"),
        ("new.metal", ""),
        ("Makefile", build),
    ]);
    client.open("old.metal", "float f() { return 1; }\n");
    assert_eq!(published(&mut client, "Makefile", |found| !found.is_empty()), ["6: abi-version-mismatch"]);
    let hover = client.request("textDocument/hover", client.at("old.metal", &json!({ "line": 0, "character": 6 })));
    let text = hover["contents"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(text.contains("`-std=metal4.0` (") && text.contains("Makefile:2 -std=metal4.0"), "{text}");
    let repaired = build.replace("metal4.0", "metal4.1");
    client.write("Makefile", &repaired);
    client.notify(
        "workspace/didChangeWatchedFiles",
        json!({ "changes": [{ "uri": client.uri("Makefile"), "type": 2 }] }),
    );
    assert_eq!(published(&mut client, "Makefile", <[Value]>::is_empty), Vec::<String>::new());
    let hover = client.request("textDocument/hover", client.at("old.metal", &json!({ "line": 0, "character": 6 })));
    let text = hover["contents"]["value"].as_str().unwrap_or_default().to_owned();
    assert!(text.contains("`-std=metal4.1` ("), "{text}");
}

#[test]
fn lenses_calls_through_tables_and_brackets() {
    let mut client = project(RENDERER);
    client.open("PathTracer.metal", TRACER);
    let document = json!({ "textDocument": { "uri": client.uri("PathTracer.metal") } });
    // Other lenses are there before the project is read; those that count references have no title yet.
    let lenses =
        until(&mut client, "textDocument/codeLens", &document, |found| found.to_string().contains("fits 1 table"));
    let shown: Vec<String> = lenses
        .as_array()
        .into_iter()
        .flatten()
        .filter(|lens| lens.get("command").is_some())
        .map(|lens| {
            let line = lens["range"]["start"]["line"].as_u64().unwrap_or(0) + 1;
            format!("{line} {}", lens["command"]["title"].as_str().unwrap_or_default())
        })
        .collect();
    assert_eq!(
        shown,
        [
            "6 fits 1 table",
            "10 fits 1 table",
            "23 call depth ≥ 2",
            "25 2 visible functions fit `lights`",
            "26 2 visible functions fit `materials`",
            "27 1 visible function fits `curves`",
            "32 group `lighting`: 1 call",
            "33 group `materials`: 1 call",
            "23 kernel · buffer 0–3 · texture 0",
        ]
    );
    // On the bracket of `lights[…]`: what it may reach.
    let at = client.at("PathTracer.metal", &position(TRACER, "lights[scene", 6));
    let found = client.request("textDocument/definition", at);
    assert_eq!(lines(&client, &found), ["PathTracer.metal:10", "PathTracer.metal:6"]);
    let at = client.at("PathTracer.metal", &position(TRACER, "tracePaths(", 2));
    let item = client.request("textDocument/prepareCallHierarchy", at)[0].clone();
    let calls = client.request("callHierarchy/outgoingCalls", json!({ "item": item }));
    let via: Vec<String> = calls
        .as_array()
        .into_iter()
        .flatten()
        .filter(|call| call["to"]["detail"].as_str().is_some_and(|detail| detail.starts_with("via")))
        .map(|call| {
            format!(
                "{} {}",
                call["to"]["name"].as_str().unwrap_or_default(),
                call["to"]["detail"].as_str().unwrap_or_default()
            )
        })
        .collect();
    let expected = [
        "areaLight via table `lights`",
        "spotLight via table `lights`",
        "matte via table `materials`",
        "lacquer via table `materials`",
    ];
    let mut sorted = via.clone();
    sorted.sort();
    let mut wanted = expected.map(str::to_owned).to_vec();
    wanted.sort();
    assert_eq!(sorted, wanted);
    let at = client.at("PathTracer.metal", &position(TRACER, "areaLight(", 2));
    let item = client.request("textDocument/prepareCallHierarchy", at)[0].clone();
    let calls = client.request("callHierarchy/incomingCalls", json!({ "item": item }));
    assert_eq!(calls[0]["from"]["name"], "tracePaths", "{calls}");
}

#[test]
fn what_is_offered_while_typing() {
    let mut client = project(RENDERER);
    let text = TRACER.replacen("function_groups(\"lighting\")", "function_groups(\"l\")", 1);
    client.open("PathTracer.metal", &text);
    let at = client.at("PathTracer.metal", &position(&text, "function_groups(\"l\")", 18));
    let found = until_known(&mut client, "textDocument/completion", &at);
    let labels: Vec<&str> = found.as_array().into_iter().flatten().filter_map(|item| item["label"].as_str()).collect();
    assert!(labels.contains(&"lighting") && labels.contains(&"materials") && labels.contains(&"curves"), "{found}");
    let at = client.at("PathTracer.metal", &position(&text, "(scene.light, hit.position)", 14));
    let help = client.request("textDocument/signatureHelp", at);
    assert_eq!(help["signatures"][0]["label"], "float3 (constant Light &light, float3 position)", "{help}");
    assert_eq!(help["activeParameter"], 1);
    let plain = text.replacen("[[function_groups(\"materials\")]] ", "", 1);
    client.replace("PathTracer.metal", 2, &plain);
    let start = position(&plain, "materials[scene", 2);
    let actions = client.request(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": client.uri("PathTracer.metal") }, "range": { "start": start, "end": start }, "context": { "diagnostics": [] } }),
    );
    let titles: Vec<&str> =
        actions.as_array().into_iter().flatten().filter_map(|action| action["title"].as_str()).collect();
    assert!(titles.contains(&"Name a function group for this call"), "{actions}");
    let start = position(&plain, "float(float)> curves", 1);
    let actions = client.request(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": client.uri("PathTracer.metal") }, "range": { "start": start, "end": start }, "context": { "diagnostics": [] } }),
    );
    let titles: Vec<&str> =
        actions.as_array().into_iter().flatten().filter_map(|action| action["title"].as_str()).collect();
    assert!(titles.contains(&"Name the type of this table"), "{actions}");
}

/// The text of the hover at a place of a project's file, once it holds `wanted`.
#[track_caller]
fn hover(client: &mut Client, at: &Value, wanted: &str) {
    let text = |found: &Value| found["contents"]["value"].as_str().unwrap_or_default().to_owned();
    let found = until(client, "textDocument/hover", at, |found| text(found).contains(wanted));
    assert!(text(&found).contains(wanted), "{wanted} is not in {}", client.request("textDocument/hover", at.clone()));
}

#[test]
fn what_is_shown_about_groups_and_links() {
    let mut client = project(RENDERER);
    client.open("PathTracer.metal", TRACER);
    client.open("Renderer.swift", RENDERER);
    client.open("Materials.metal", MATERIALS);
    let at = client.at("PathTracer.metal", &position(TRACER, "\"lighting\"", 2));
    hover(&mut client, &at, "**Function group** `lighting`: 1 call names it\n\n[PathTracer.metal:32](");
    hover(&mut client, &at, "#L32) in a variable's initialiser");
    let at = client.at("Renderer.swift", &position(RENDERER, "\"materials\": [", 2));
    hover(&mut client, &at, "#L33) in an expression");
    // How a function is linked, with what that costs.
    let at = client.at("Renderer.swift", &position(RENDERER, "\"lacquer\"", 3));
    hover(&mut client, &at, "`added`: added to a finished pipeline");
    let at = client.at("Renderer.swift", &position(RENDERER, "\"matte\"", 3));
    hover(&mut client, &at, "`binaryFunctions`: compiled once and called across");
}

#[test]
fn visible_functions_tables_and_their_attributes() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal3.1\"")]);
    let text = "#include <metal_stdlib>\nusing namespace metal;\n\
                [[visible]] float twice(float x) { return 2 * x; }\n\
                struct Arguments { visible_function_table<float(float)> inner [[id(0)]]; };\n\
                kernel void k(visible_function_table<float(float)> table [[buffer(0)]], constant Arguments &arguments [[buffer(2)]], device float *out [[buffer(1)]]) {\n\
                out[0] = twice(1) + table[0](1) + arguments.inner[0](2);\n}\n";
    client.open("a.metal", text);
    let mut shown = |what: &str, index: usize, wanted: &str| {
        let at = client.at("a.metal", &position(text, what, index));
        hover(&mut client, &at, wanted);
    };
    shown("twice(1)", 1, "a pipeline that calls it needs it among its linked functions");
    shown("visible]]", 1, "since Metal 2.3");
    shown("table[0]", 1, "table of `float(float)`: `table[i]` is a pointer to a function");
    shown("table[0]", 1, "`table.size()`, `table.empty()`, `is_null_visible_function_table(table)`");
    shown("inner[0]", 1, "the host calls `useResource` for it");
}

/// The text of `a.metal` after the action of this title at `index` characters behind `what`; `None` if it is not offered.
fn after(client: &mut Client, text: &str, what: &str, index: usize, title: &str) -> Option<String> {
    let start = position(text, what, index);
    let found = client.request(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": client.uri("a.metal") }, "range": { "start": start, "end": start }, "context": { "diagnostics": [] } }),
    );
    let action = found.as_array().into_iter().flatten().find(|action| action["title"] == title)?.clone();
    let mut edits: Vec<Value> = action["edit"]["documentChanges"][0]["edits"].as_array()?.clone();
    edits.sort_by_key(|edit| {
        let start = &edit["range"]["start"];
        std::cmp::Reverse((start["line"].as_u64(), start["character"].as_u64()))
    });
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    for edit in &edits {
        let number = |value: &Value| value.as_u64().unwrap_or_default() as usize;
        let line = &mut lines[number(&edit["range"]["start"]["line"])];
        let range = number(&edit["range"]["start"]["character"])..number(&edit["range"]["end"]["character"]);
        line.replace_range(range, edit["newText"].as_str()?);
    }
    Some(lines.join("\n"))
}

#[test]
fn quick_fixes() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal3.1\"")]);
    let text = "#include <metal_stdlib>\nusing namespace metal;\n\
                float twice(float x) { return 2 * x; }\nfloat sum(float x, float y) { return x + y; }\n\
                kernel void k(visible_function_table<float(float)> table [[buffer(0)]], device float *out [[buffer(1)]]) {\n\
                float (*own)(float) = twice;\nout[0] = own(1) + table[0](1);\n}\n";
    client.open("a.metal", text);
    client.diagnostics("a.metal", 1);
    let mut changed = |what: &str, index: usize, title: &str, from: &str, to: &str| {
        let expected = text.replacen(from, to, 1);
        assert_eq!(after(&mut client, text, what, index, title).as_deref(), Some(expected.as_str()), "{title}");
    };
    // Where its address is taken, and where a table has its type.
    changed("= twice", 3, "Add `[[visible]]`", "float twice", "[[visible]] float twice");
    let fits = "Add `[[visible]]`: a table takes functions of this type";
    changed("twice(float x)", 2, fits, "float twice", "[[visible]] float twice");
    let group = "Name a function group for this call";
    changed("own(1)", 1, group, "out[0] =", "[[function_groups(\"group\")]] out[0] =");
    let alias = "Name the type of this table";
    let expected = text.replacen("kernel void k", "using Function = float(float);\nkernel void k", 1).replacen(
        "table<float(float)>",
        "table<Function>",
        1,
    );
    assert_eq!(after(&mut client, text, "float(float)> table", 1, alias), Some(expected));
    assert_eq!(after(&mut client, text, "sum(float x", 1, fits), None);
    assert_eq!(after(&mut client, text, "out[0] = own", 8, alias), None);
}

#[test]
fn names_of_parameters_in_calls_through_pointers() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal3.1\"")]);
    let text = "#include <metal_stdlib>\nusing namespace metal;\n\
                using Shade = float(float light, float roughness);\nusing Plain = float(int);\n\
                kernel void k(visible_function_table<Shade> shades [[buffer(0)]], visible_function_table<Plain> plain [[buffer(2)]], device float *out [[buffer(1)]]) {\n\
                float roughness = 1;\nout[0] = shades[0](1.0f, roughness) + plain[0](3);\n}\n";
    client.open("a.metal", text);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let found = client
        .request("textDocument/inlayHint", json!({ "textDocument": { "uri": client.uri("a.metal") }, "range": range }));
    let shown: Vec<String> = found
        .as_array()
        .into_iter()
        .flatten()
        .map(|hint| format!("{} {}", hint["position"]["line"], hint["label"].as_str().unwrap_or_default()))
        .collect();
    assert_eq!(shown, ["6 light:"]);
}

#[test]
fn a_rename_asks_where_host_code_may_use_the_name() {
    let files = [("msl-analyzer.toml", "std = \"metal3.1\""), ("Renderer.swift", "import Metal\n")];
    let mut client = Client::uninitialized(&files);
    let mut capabilities = crate::client::capable();
    capabilities["workspace"]["workspaceEdit"] = json!({ "documentChanges": true, "changeAnnotationSupport": {} });
    client.initialize(&capabilities, Value::Null);
    let text = "[[visible]] float twice(float x) { return 2 * x; }\n\
                [[visible, host_name(\"half\")]] float halve(float x) { return x / 2; }\n\
                float plain(float x) { return x; }\n";
    client.write("a.metal", text);
    client.open("a.metal", text);
    let mut asks = |what: &str, is_wanted: bool| {
        let mut params = client.at("a.metal", &position(text, what, 1));
        params["newName"] = json!("fresh");
        let asks = |edit: &Value| {
            let note = edit["changeAnnotations"]["rename-visible"]["description"].as_str().unwrap_or_default();
            note.contains("no host code that is known names it")
        };
        let edit = until(&mut client, "textDocument/rename", &params, |edit| asks(edit) == is_wanted);
        assert!(!edit.is_null() && edit["documentChanges"][0]["edits"][0]["newText"] == "fresh", "{what}: {edit}");
    };
    asks("twice(", true);
    asks("halve(", false);
    asks("plain(", false);
}

#[test]
fn the_snippet_of_a_visible_function() {
    for (std, is_offered) in [("macos-metal2.2", false), ("metal3.1", true)] {
        let mut client = Client::with(&[("msl-analyzer.toml", &format!("std = \"{std}\""))]);
        client.open("a.metal", "vis");
        let at = client.at("a.metal", &json!({ "line": 0, "character": 3 }));
        let found = client.request("textDocument/completion", at);
        let items = found["items"].as_array().or(found.as_array()).cloned().unwrap_or_default();
        let item = items.iter().find(|item| item["label"] == "visible function with table");
        assert_eq!(item.is_some(), is_offered, "{std}: {items:?}");
        // What it inserts is the text of the section F35 of the literate tests, and so it is right.
        let Some(item) = item else { continue };
        let snippet = item["textEdit"]["newText"].as_str().or(item["insertText"].as_str()).unwrap_or_default();
        let page = include_str!("../../../tests/mdtest/function-pointers/shaders.md");
        let section = page.split("## F35").nth(1).and_then(|rest| rest.split("using namespace metal;\n\n").nth(1));
        let wanted = section.and_then(|rest| rest.split("\n```").next()).unwrap_or_default();
        assert_eq!(filled_in(snippet), wanted);
    }
}

/// A snippet with its placeholders as they are.
fn filled_in(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        rest = match behind.strip_prefix('{').and_then(|inner| inner.split_once('}')) {
            Some((inner, rest)) => {
                out.push_str(inner.split_once(':').map_or("", |(_, text)| text));
                rest
            }
            None => behind.trim_start_matches(|c: char| c.is_ascii_digit()),
        };
    }
    out.push_str(rest);
    out
}

#[test]
fn attributes_by_place() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal3.1\"")]);
    let mut labels = |text: &str| -> Vec<String> {
        let marked = text.replace("^^", "$0");
        let fixture = client.open_fixture("a.metal", &marked);
        let found = client.request("textDocument/completion", client.at("a.metal", &fixture.places[0]));
        client.close("a.metal");
        let items = found["items"].as_array().or(found.as_array()).cloned().unwrap_or_default();
        items.iter().filter_map(|item| item["label"].as_str().map(str::to_owned)).collect()
    };
    let functions = labels("[[^^]] float f(float x);");
    for name in ["visible", "stitchable", "intersection"] {
        assert!(functions.iter().any(|label| label == name), "{functions:?}");
    }
    assert!(!functions.iter().any(|label| label == "function_groups"), "{functions:?}");
    let statements = labels("float f(float (*p)(float)) { [[^^]] return p(1); }");
    assert!(statements.iter().any(|label| label == "function_groups"), "{statements:?}");
    assert!(!statements.iter().any(|label| label == "visible"), "{statements:?}");
}
