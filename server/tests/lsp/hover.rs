//! What is shown about the thing under the pointer.

use expect_test::{Expect, expect};

use crate::client::Client;

/// Checks the hover at `$0`, under Metal 4.1.
#[track_caller]
fn check(marked: &str, expected: Expect) {
    let mut client = Client::with(&[("msl-analyzer.toml", "std = \"metal4.1\"")]);
    let fixture = client.open_fixture("a.metal", marked);
    let hover = client.request("textDocument/hover", client.at("a.metal", &fixture.places[0]));
    let text = hover["contents"]["value"].as_str().unwrap_or("nothing");
    expected.assert_eq(&text.replace(client.uri("").trim_end_matches('/'), "FOLDER"));
}

#[test]
fn variables() {
    check(
        "void f(device float *pointer) { *poi$0nter = 1; }",
        expect![[r#"
            ```metal
            device float *pointer
            ```

            **Address space**: points to `device` memory, as declared · resolution: concrete

            `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
    check(
        "struct S { float4 color; half h[3]; }; void f(S s) { s.col$0or; }",
        expect![[r#"
        ```metal
        float4 S::color
        ```

        size 16, alignment 16 bytes

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
    check(
        "/// How many.\nconstant int coun$0t = 3 * 4;",
        expect![[r#"
        ```metal
        constant int count
        ```

        **Address space**: lives in `constant` memory

        ---

        How many.

        value `12`

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
    check(
        "void f() { threadgroup float shared$0[32]; }",
        expect![[r#"
        ```metal
        threadgroup float shared[32]
        ```

        **Address space**: lives in `threadgroup` memory

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
}

#[test]
fn inferred_spaces() {
    check(
        "float get(float *p) { return *p$0; }\nkernel void k(device float *d [[buffer(0)]]) { d[0] = get(d); }",
        expect![[r#"
            ```metal
            float *p  // device
            ```

            **Address space**: points to generic memory: no space is declared · inferred: `device` · resolution: static (one space in every call: no cost)

            **Comes from**:
            - parameter `p` of `get` ← this argument ([a.metal:2](FOLDER/a.metal#L2))
            - points to device memory ([a.metal:2](FOLDER/a.metal#L2))

            `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
}

#[test]
fn functions() {
    check(
        "#include <metal_stdlib>\nusing namespace metal;\nfloat f(float x) { return cla$0mp(x, 0.0f, 1.0f); }",
        expect![[r#"
            ```metal
            float clamp(float x, float minval, float maxval)
            ```

            from `template <typename T> T clamp(T x, T minval, T maxval)`

            2 other overloads

            ---

            `x`, but not less than `minval` and not greater than `maxval`.
            Undefined if `minval` is greater than `maxval`. `clamp` on integers is in `<metal_integer>`.

            `<metal_common>` · since Metal 1.0

            `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
    check(
        "/* Twice. */\ntemplate <typename T> T twice(T x) { return x + x; }\nfloat f() { return twi$0ce(1.0f); }",
        expect![[r#"
            ```metal
            float twice(float x)
            ```

            from `template <typename T> T twice(T x)`

            ---

            Twice.

            `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
}

#[test]
fn types() {
    check(
        "struct Light { float3 position; float range; };\nvoid f(Li$0ght l) {}",
        expect![[r#"
        ```metal
        struct Light {
            float3 position;
            float range;
        }
        ```

        size 32, alignment 16 bytes

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
    check(
        "enum class Mode : ushort { a, b = 7 };\nMode m() { return Mode::b$0; }",
        expect![[r#"
            ```metal
            Mode::b = 7
            ```

            `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
    check(
        "using T = device float *;\nvoid f(T$0 p);",
        expect![[r#"
        ```metal
        using T = device float *
        ```

        size 8, alignment 8 bytes

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
}

#[test]
fn macros() {
    check(
        "// The square.\n#define SQUARE(x) ((x) * (x))\nint f(int a) { return SQ$0UARE(a + 1); }",
        expect![[r#"
        ```metal
        #define SQUARE(x) ((x) * (x))
        ```

        ---

        The square.

        Expands to:

        ```metal
        ((a + 1) * (a + 1))
        ```

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
}

#[test]
fn attributes() {
    check(
        "kernel void k(uint id [[thread_position_in_gr$0id]]) {}",
        expect![[r#"
        ```metal
        [[thread_position_in_grid]]
        ```

        ---

        The position of the thread in the grid of the dispatch.

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
}

#[test]
fn nothing() {
    check("// A com$0ment.", expect!["nothing"]);
}

#[test]
fn what_has_no_name() {
    check(
        "#include <metal_stdlib>\nvoid f(metal::float4 v) { au$0to x = v.xyz; }",
        expect![[r#"
        ```metal
        float3 x
        ```

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
    check(
        "#include <metal_stdlib>\nvoid f(metal::float4 v) { v.z$0yx; }",
        expect![[r#"
        ```metal
        float3 zyx
        ```

        components of a vector

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
    check(
        "int f() { return 0x1$0F; }",
        expect![[r#"
        ```metal
        int
        ```

        value `31`, `0x1f`

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
    check(
        "float f() { return 1$0e-3f; }",
        expect![[r#"
            ```metal
            float
            ```

            value `0.001`

            `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
    check(
        "thread$0group float *f();",
        expect![[r#"
        ```metal
        threadgroup
        ```

        ---

        Memory that the threads of one threadgroup share while the group runs (MSL spec §4.4). Whoever reads what another thread wrote waits at `threadgroup_barrier` first.

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
}

#[test]
fn comments() {
    let light = "/// A light.\nstruct Light { int power; }; // not this\nstruct Lamp {\n    int watts; ///< what it takes\n};\n";
    check(
        &format!("{light}int f(Light l) {{ return l.po$0wer; }}"),
        expect![[r#"
        ```metal
        int Light::power
        ```

        size 4, alignment 4 bytes

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
    check(
        &format!("{light}int f(Lamp l) {{ return l.wa$0tts; }}"),
        expect![[r#"
        ```metal
        int Lamp::watts
        ```

        ---

        what it takes

        size 4, alignment 4 bytes

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
    check(
        "/// @brief Adds.\n/// @param a one\n/// @return the sum\nint add(int a);\nint f() { return ad$0d(1); }",
        expect![[r#"
        ```metal
        int add(int a)
        ```

        ---

        Adds.
        - `a`: one

        Returns the sum

        `-std=metal4.1` (msl-analyzer.toml:1)"#]],
    );
}
