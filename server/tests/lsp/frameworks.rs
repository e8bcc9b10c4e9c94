//! Headers of Apple's frameworks: what is declared there is found, shown and completed as the library's is.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::client::{Client, Fixture};

const START: &str = "#include <SwiftUI/SwiftUI_Metal.h>\n";

#[track_caller]
fn hover(marked: &str, expected: Expect) {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let fixture = client.open_fixture("a.metal", marked);
    let hover = client.request("textDocument/hover", client.at("a.metal", &fixture.places[0]));
    let text = hover["contents"]["value"].as_str().unwrap_or("nothing").to_owned();
    // The lines about the version are the same everywhere.
    expected.assert_eq(text.split("\n\n`-std=").next().unwrap_or_default());
}

/// What is offered at `$0`.
fn items(client: &mut Client, name: &str, marked: &str) -> Vec<Value> {
    let fixture = Fixture::new(marked);
    client.open(name, &fixture.text);
    let found = client.request("textDocument/completion", client.at(name, &fixture.places[0]));
    found["items"].as_array().cloned().unwrap_or_default()
}

fn labels(client: &mut Client, name: &str, marked: &str) -> Vec<String> {
    let items = items(client, name, marked);
    items.iter().filter_map(|item| item["label"].as_str().map(str::to_owned)).collect()
}

#[test]
fn hovers_have_the_documentation() {
    hover(
        &format!("{START}[[stitchable]] half4 f(float2 p, SwiftUI::Lay$0er layer) {{ return layer.sample(p); }}"),
        expect![[r#"
            ```metal
            struct SwiftUI::Layer
            ```

            ---

            The pixels of the view that a layer effect is applied to.

            `<SwiftUI/SwiftUI_Metal.h>`"#]],
    );
    hover(
        &format!("{START}[[stitchable]] half4 f(float2 p, SwiftUI::Layer layer) {{ return layer.sam$0ple(p); }}"),
        expect![[r#"
            ```metal
            half4 SwiftUI::Layer::sample(float2 position) const
            ```

            ---

            The colour at `position`, filtered linearly between pixels and premultiplied by alpha.
            - `position`: in points, in the space of the position that the function is called with; outside of the view and
              further away than the effect's `maxSampleOffset` there is nothing to read.

            `<SwiftUI/SwiftUI_Metal.h>`"#]],
    );
}

#[test]
fn definitions_lie_in_the_header() {
    let mut client = Client::with(&[]);
    let text = "#include <SwiftUI/Swift$0UI.h>\nhalf4 f(SwiftUI::Layer layer) { return layer.sam$1ple(float2(0)); }\n";
    let fixture = client.open_fixture("a.metal", text);
    for (place, has) in [(0, "//!"), (1, "half4 sample(float2 position) const;")] {
        let found = client.request("textDocument/definition", client.at("a.metal", &fixture.places[place]));
        assert!(client.name_of(&found[0]["targetUri"]).ends_with("SwiftUI_Metal.metal"), "{found}");
        let folder = client.path("cache").join(concat!("library-", env!("CARGO_PKG_VERSION")));
        let header = std::fs::read_to_string(folder.join("SwiftUI/SwiftUI_Metal.metal")).unwrap();
        let line = found[0]["targetSelectionRange"]["start"]["line"].as_u64().unwrap() as usize;
        assert!(header.lines().nth(line).unwrap().contains(has));
    }
}

#[test]
fn members_and_headers_are_offered() {
    let mut client = Client::with(&[]);
    let text = format!("{START}half4 f(SwiftUI::Layer layer) {{ return layer.$0; }}");
    assert_eq!(labels(&mut client, "a.metal", &text), ["sample"]);
    assert_eq!(labels(&mut client, "b.metal", &format!("{START}half4 f(SwiftUI::$0) {{}}")), ["Layer"]);
    let headers = labels(&mut client, "c.metal", "#include <S$0");
    assert_eq!(headers, ["SwiftUI/SwiftUI_Metal.h", "SceneKit/scn_metal"]);
    let rest = labels(&mut client, "d.metal", "#include <RealityKit/$0>");
    assert_eq!(rest, ["RealityKit/RealityKit.h"]);
    // Without the header there is nothing.
    assert_eq!(labels(&mut client, "e.metal", "half4 f(SwiftUI::$0) {}"), [""; 0]);
}

#[test]
fn an_item_is_described_when_it_is_looked_at() {
    let mut client = Client::with(&[]);
    // Two headers: numbers of declarations are those of the set.
    let text = format!("#include <CoreImage/CoreImage.h>\n{START}half4 f(SwiftUI::Layer layer) {{ return layer.$0; }}");
    let items = items(&mut client, "a.metal", &text);
    let item = items.iter().find(|item| item["label"] == "sample").unwrap();
    let resolved = client.request("completionItem/resolve", item.clone());
    let text = resolved["documentation"]["value"].as_str().unwrap_or_default();
    assert!(text.starts_with("The colour at `position`") && text.ends_with("`<SwiftUI/SwiftUI_Metal.h>`"), "{text}");
}

#[test]
fn the_header_is_asked_for_anew_when_the_include_is_typed() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.0\"")]);
    let body = "half4 f(SwiftUI::Layer layer) { return layer.sample(float2(0)); }\n";
    client.open("a.metal", body);
    assert_eq!(client.diagnostics("a.metal", 1).len(), 1);
    client.replace("a.metal", 2, &format!("{START}{body}"));
    assert_eq!(client.diagnostics("a.metal", 2).len(), 0);
    client.replace("a.metal", 3, body);
    assert_eq!(client.diagnostics("a.metal", 3).len(), 1);
}

#[test]
fn frameworks_of_the_workspace_are_offered_and_followed() {
    let mut client = Client::with(&[
        ("msl-analyzer.toml", "std = \"metal4.0\"\nframeworks = [\"fw\"]"),
        ("fw/Shapes.framework/Headers/Shapes.h", "float shape();\n"),
    ]);
    client.wait_for_index();
    assert_eq!(labels(&mut client, "a.metal", "#include <Sh$0"), ["Shapes/Shapes.h"]);
    let fixture = client.open_fixture("b.metal", "#include <Shapes/Sha$0pes.h>\nfloat f() { return sha$1pe(); }\n");
    for place in &fixture.places {
        let found = client.request("textDocument/definition", client.at("b.metal", place));
        assert_eq!(client.name_of(&found[0]["targetUri"]), "Shapes.h");
    }
}
