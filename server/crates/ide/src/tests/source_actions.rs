//! Actions on a whole file.

use expect_test::{Expect, expect};

use super::{analysis, request};
use crate::apply_edits;

fn organized(files: &[(&str, &str)], expected: Expect) {
    let analysis = analysis(files);
    let out = match analysis.organize_includes(&request("metal4.0"), &"main.metal".into()).map(|action| action.edits) {
        Some(Ok(edits)) => String::from_utf8(apply_edits(files[0].1.as_bytes(), edits.iter())).unwrap(),
        Some(Err(reason)) => format!("refused: {reason}\n"),
        None => "nothing to do\n".to_owned(),
    };
    expected.assert_eq(&out);
}

#[test]
fn includes_are_ordered_within_their_blocks() {
    organized(
        &[
            (
                "main.metal",
                "\
// A shader.
#include \"b.h\"
#include <metal_math> // sin
#include <metal_stdlib>
#include \"a.h\"
#include <metal_math>

#include \"b.h\"
#include \"c.h\"
using namespace metal;
",
            ),
            ("a.h", "#pragma once\nstruct A { int a; };\n"),
            ("b.h", "#pragma once\nstruct B { int b; };\n"),
            ("c.h", "#pragma once\nstruct C { int c; };\n"),
        ],
        expect![[r#"
            // A shader.
            #include <metal_stdlib>
            #include <metal_math> // sin
            #include "a.h"
            #include "b.h"

            #include "c.h"
            using namespace metal;
        "#]],
    );
    organized(&[("main.metal", "#include <metal_stdlib>\nint a();\n")], expect!["nothing to do\n"]);
}

#[test]
fn includes_whose_order_matters_stay() {
    let files = [
        ("main.metal", "#include \"b.h\"\n#include \"a.h\"\n"),
        ("a.h", "#ifdef B\nstruct A { int a; };\n#endif\n"),
        ("b.h", "#define B\n"),
    ];
    organized(&files, expect!["refused: what is included depends on the order\n"]);
    let files = [("main.metal", "#include \"a.h\"\n#include \"a.h\"\n"), ("a.h", "int a();\n")];
    organized(&files, expect!["refused: what is included depends on the order\n"]);
}

#[test]
fn all_certain_repairs_are_made_at_once() {
    let text = "\
#include <metal_stdlib>
using namespace metal;
float4 scale = 2;
float3 f(float3 v) { return normalise(v) * v.lenght; }
";
    let analysis = analysis(&[("main.metal", text)]);
    let request = request("metal4.0");
    let findings = analysis.check(&request).diagnostics;
    let action = analysis.fix_all(&request, &"main.metal".into(), findings.iter()).unwrap();
    let edited = String::from_utf8(apply_edits(text.as_bytes(), action.edits.unwrap().iter())).unwrap();
    expect![[r#"
        #include <metal_stdlib>
        using namespace metal;
        constant float4 scale = 2;
        float3 f(float3 v) { return normalize(v) * v.lenght; }
    "#]]
    .assert_eq(&edited);
    expect!["Make all 2 certain repairs of this file"].assert_eq(&action.title);
}
