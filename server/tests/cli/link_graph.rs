//! `link-graph`: what it prints and how it exits.

use serde_json::Value;

use super::Folder;

fn path_tracer(renderer: &str) -> Folder {
    Folder::with(&[
        ("PathTracer.h", include_str!("../../../tests/function-pointers/path-tracer/PathTracer.h")),
        ("PathTracer.metal", include_str!("../../../tests/function-pointers/path-tracer/PathTracer.metal")),
        ("Materials.metal", include_str!("../../../tests/function-pointers/path-tracer/Materials.metal")),
        ("Renderer.swift", renderer),
    ])
}

const RENDERER: &str = include_str!("../../../tests/function-pointers/path-tracer/Renderer.swift");

#[test]
fn the_graph_as_text_json_and_dot() {
    let folder = path_tracer(RENDERER);
    let run = folder.run(&["link-graph", "--std", "metal3.1"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout.starts_with("entry tracePaths  PathTracer.metal:23  kernel, calls nest up to 2 deep\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("host-list binaryFunctions  Renderer.swift:33  compiled once and called across"));
    let json: Value = serde_json::from_str(&folder.run(&["link-graph", "--format", "json"]).stdout).unwrap();
    assert_eq!((&json["schema"], &json["diagnostics"]), (&1.into(), &Value::Array(Vec::new())));
    let nodes = json["nodes"].as_array().unwrap();
    let named =
        |kind: &str, name: &str| nodes.iter().find(|node| node["kind"] == kind && node["name"] == name).unwrap();
    let (entry, table) = (named("entry", "tracePaths"), named("table", "lights"));
    assert_eq!((&table["path"], &table["range"]["start"]["line"]), (&"PathTracer.metal".into(), &25.into()));
    let edge = serde_json::json!({ "from": entry["id"], "to": table["id"] });
    assert!(json["edges"].as_array().unwrap().contains(&edge));
    assert!(folder.run(&["link-graph", "--dot"]).stdout.starts_with("digraph link {\n"));
}

#[test]
fn findings_in_host_code_are_shown_silenced_and_denied() {
    let faulty = RENDERER.replacen("lacquer), index: 1)", "lacquer), index: 2)", 1);
    let folder = path_tracer(&faulty);
    let run = folder.run(&["link-graph", "--format", "github"]);
    assert!(run.stdout.starts_with("::warning file=Renderer.swift,line=55,"), "{}", run.stdout);
    assert_eq!(run.status, 0);
    assert_eq!(folder.run(&["link-graph", "--deny", "function-pointer"]).status, 1);
    let silenced = faulty.replacen(
        "        materials.setFunction(pipeline.functionHandle(function: lacquer)",
        "        // msl-analyzer: allow(function-table-index)\n        materials.setFunction(pipeline.functionHandle(function: lacquer)",
        1,
    );
    let run = path_tracer(&silenced).run(&["link-graph", "--format", "github"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    assert_eq!(folder.run(&["link-graph", "nothing-here"]).status, 2);
}

#[test]
fn the_page_of_the_report_has_the_graph() {
    let folder = path_tracer(RENDERER);
    let run = folder.run(&["check", "--std", "metal3.1", "--report", "html", "page.html"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    let page = folder.read("page.html");
    for part in [
        "<h2>Function pointers</h2>",
        "<i>entry</i> <code>tracePaths</code> <small>PathTracer.metal:23</small> kernel, calls nest up to 2 deep",
        "<i>host-list</i> <code>binaryFunctions</code> <small>Renderer.swift:33</small> compiled once and called across",
        "float3(constant Light &amp;, float3)",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // What opens is closed.
    for tag in ["ul", "li"] {
        let count = |text: &str| page.matches(text).count();
        assert_eq!(count(&format!("<{tag}")), count(&format!("</{tag}>")), "{tag}");
    }
    let folder = Folder::with(&[("a.metal", "kernel void k() {}\n")]);
    folder.run(&["check", "--report", "html", "page.html"]);
    assert!(!folder.read("page.html").contains("Function pointers"));
}
