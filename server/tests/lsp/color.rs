//! Literals that are colours.

use serde_json::{Value, json};

use crate::client::Client;

const TEXT: &str = "#include <metal_stdlib>\nusing namespace metal;\n\
                    struct Material { float4 tint; float3 axis; };\n\
                    constant float3 skyColor = float3(0.25, 0.5, 1.0);\n\
                    constant float3 up = float3(0.0, 1.0, 0.0);\n\
                    half4 background() { return half4(0.0h, 1.0h, 0.0h, 0.5h); }\n\
                    void f(thread Material &m) { m.tint = float4(1, 0, 0, 1); m.axis = float3(1, 0, 0); }\n\
                    float4 notColor(float x) { return float4(x, 0, 0, 1); }\n";

#[test]
fn where_a_name_says_so() {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    client.open("a.metal", TEXT);
    let document = json!({ "uri": client.uri("a.metal") });
    let found = client.request("textDocument/documentColor", json!({ "textDocument": document }));
    let found = found.as_array().unwrap();
    let lines: Vec<u64> = found.iter().filter_map(|it| it["range"]["start"]["line"].as_u64()).collect();
    assert_eq!(lines, [3, 5, 6], "{found:?}");
    assert_eq!(found[1]["color"], json!({ "red": 0.0, "green": 1.0, "blue": 0.0, "alpha": 0.5 }));
    let presented = |client: &mut Client, at: usize, color: Value| {
        let params = json!({ "textDocument": document, "color": color, "range": found[at]["range"] });
        client.request("textDocument/colorPresentation", params)[0]["textEdit"]["newText"].clone()
    };
    let color = json!({ "red": 1.0, "green": 0.5, "blue": 0.125, "alpha": 1.0 });
    assert_eq!(presented(&mut client, 0, color.clone()), "float3(1.0, 0.5, 0.125)");
    assert_eq!(presented(&mut client, 1, color), "half4(1.0h, 0.5h, 0.125h, 1.0h)");
}
