//! Links from `#include` lines.

use serde_json::json;

use crate::client::Client;

#[test]
fn files_and_the_library() {
    let mut client = Client::with(&[("sub/part.h", "\n")]);
    client.open("a.metal", "#include <metal_math>\n#include \"sub/part.h\"\n#include \"missing.h\"\n");
    let params = json!({ "textDocument": { "uri": client.uri("a.metal") } });
    let links = client.request("textDocument/documentLink", params);
    let links = links.as_array().unwrap();
    assert_eq!(links.len(), 2, "{links:?}");
    assert_eq!(client.name_of(&links[0]["target"]), "metal_math.metal");
    assert_eq!(client.name_of(&links[1]["target"]), "part.h");
    let range = json!({ "start": { "line": 1, "character": 10 }, "end": { "line": 1, "character": 20 } });
    assert_eq!(links[1]["range"], range);
}
