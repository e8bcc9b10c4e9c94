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
