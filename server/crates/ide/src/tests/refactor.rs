//! Refactorings of what is selected.

use expect_test::{Expect, expect};
use msl_diagnostics::TextRange;

use super::{analysis, request};
use crate::apply_edits;

const PRELUDE: &str = "#include <metal_stdlib>\nusing namespace metal;\n";

/// Shows the text after a refactoring of what is between two `$0`, or at one, without the prelude; or the refusal.
fn check_under(std: &str, id: &str, marked: &str, expected: Expect) {
    let marked = format!("{PRELUDE}{marked}");
    let start = marked.find("$0").unwrap();
    let without = marked.replacen("$0", "", 1);
    let end = without.find("$0").unwrap_or(start);
    let text = without.replacen("$0", "", 1);
    let analysis = analysis(&[("main.metal", &text)]);
    let range = TextRange::new(start as u32, end as u32);
    let (request, path) = (request(std), "main.metal".into());
    let out = match analysis.refactoring(&request, &path, range, id).map(|action| action.edits) {
        Some(Ok(edits)) => {
            let offered = analysis.refactorings(&request, &path, range);
            assert!(offered.iter().any(|action| action.id == id && action.edits.is_ok()));
            let edited = String::from_utf8(apply_edits(text.as_bytes(), edits.iter())).unwrap();
            edited.strip_prefix(PRELUDE).unwrap().replace('\r', "\\r")
        }
        Some(Err(reason)) => format!("refused: {reason}\n"),
        None => "not offered\n".to_owned(),
    };
    expected.assert_eq(&out);
}

fn check(id: &str, marked: &str, expected: Expect) {
    check_under("metal4.1", id, marked, expected);
}

#[test]
fn a_value_gets_a_name() {
    check(
        "extract-variable",
        "\
float f(float3 a, float3 b) {
    // Keeps its comment.
    return 2 * $0dot(a, b)$0 + 1;
}
",
        expect![[r#"
            float f(float3 a, float3 b) {
                // Keeps its comment.
                float result = dot(a, b);
                return 2 * result + 1;
            }
        "#]],
    );
    check(
        "extract-variable",
        "float f(float a) { return $0 a * a $0; }\n",
        expect![[r#"
            float f(float a) { float value = a * a; return  value ; }
        "#]],
    );
}

#[test]
fn names_are_new_and_say_what_is_named() {
    check(
        "extract-variable",
        "\
struct Vertex { float3 position; };
float3 f(device const Vertex *v, uint i) {
    float3 position = 1;
    return position + $0v[i].position$0;
}
",
        expect![[r#"
            struct Vertex { float3 position; };
            float3 f(device const Vertex *v, uint i) {
                float3 position = 1;
                float3 position2 = v[i].position;
                return position + position2;
            }
        "#]],
    );
    check(
        "extract-variable",
        "#define value 3\nint f(int a) { return 2 * ($0a + value$0); }\n",
        expect![[r#"
            #define value 3
            int f(int a) { int value2 = a + value; return 2 * (value2); }
        "#]],
    );
}

#[test]
fn pointers_and_objects_keep_their_address_space() {
    check_under(
        "metal3.0",
        "extract-variable",
        "kernel void k(device float4 *p [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n    $0p[i]$0.x += 1;\n}\n",
        expect![[r#"
            kernel void k(device float4 *p [[buffer(0)]], uint i [[thread_position_in_grid]]) {
                device float4 &value = p[i];
                value.x += 1;
            }
        "#]],
    );
    check_under(
        "metal3.0",
        "extract-variable",
        "kernel void k(constant float4 *p [[buffer(0)]], device float *o [[buffer(1)]]) {\n    *o = ($0p + 1$0)->x;\n}\n",
        expect![[r#"
            kernel void k(constant float4 *p [[buffer(0)]], device float *o [[buffer(1)]]) {
                constant float4 *pointer = p + 1;
                *o = (pointer)->x;
            }
        "#]],
    );
}

#[test]
fn a_statement_alone_gets_a_block() {
    check(
        "extract-variable",
        "\
void f(device int *p, int n) {
    if (n > 1)
        p[$0n * 2$0] = 1;
}
",
        expect![[r#"
            void f(device int *p, int n) {
                if (n > 1) {
                    int value = n * 2;
                    p[value] = 1;
                }
            }
        "#]],
    );
    check(
        "extract-variable",
        "void f(device int *p, int n) { for (int i = 0; i < n; ++i) p[i] = $0i * 2$0; }\n",
        expect![[r#"
            void f(device int *p, int n) { for (int i = 0; i < n; ++i) { int value = i * 2; p[i] = value; } }
        "#]],
    );
}

#[test]
fn what_cannot_be_computed_first_is_refused() {
    let refused: [(&str, Expect); 8] = [
        (
            "int f(device int *p, int i, int n) { return i < n && $0p[i]$0; }\n",
            expect![[r#"
                refused: it is computed only if what stands before it asks for it
            "#]],
        ),
        (
            "int f(bool b, int n) { return b ? $0n / 2$0 : 0; }\n",
            expect![[r#"
                refused: it is computed only if the condition before it asks for it
            "#]],
        ),
        (
            "void f(int n) { for (int i = 0; $0i < n$0; ++i) { } }\n",
            expect![[r#"
                refused: it is computed again each time that the loop goes round
            "#]],
        ),
        (
            "int f(int i) { return i++ + $0i * 2$0; }\n",
            expect![[r#"
                refused: something else in its statement may change it, or it may change that
            "#]],
        ),
        (
            "int next(device int *p) { return ++*p; }\nint f(device int *p) { return next(p) + $0*p$0; }\n",
            expect![[r#"
                refused: something else in its statement may change it, or it may change that
            "#]],
        ),
        (
            "int f(int n) { int a = n, b = $0a + 1$0; return b; }\n",
            expect![[r#"
                refused: it uses what its own statement declares
            "#]],
        ),
        (
            "template <typename T> void f(device T *p) { T a = $0p[0]$0; p[1] = a; }\n",
            expect![[r#"
                refused: its type depends on the parameters of the template
            "#]],
        ),
        (
            "#define TWICE(x) ((x) + (x))\nint f(int n) { return TWICE($0n * 2$0); }\n",
            expect![[r#"
                not offered
            "#]],
        ),
    ];
    for (marked, expected) in refused {
        check("extract-variable", marked, expected);
    }
}

#[test]
fn a_variable_is_replaced_by_its_value() {
    check(
        "inline-variable",
        "\
float f(float a, float b) {
    float su$0m = a + b;
    return sum * sum;
}
",
        expect![[r#"
            float f(float a, float b) {
                return (a + b) * (a + b);
            }
        "#]],
    );
    check(
        "inline-variable",
        "float g(float, float);\nfloat f(float a) {\n    float twice = a * 2; // Kept.\n    return g($0twice, 1);\n}\n",
        expect![[r#"
            float g(float, float);
            float f(float a) {
                // Kept.
                return g(a * 2, 1);
            }
        "#]],
    );
}

#[test]
fn a_value_that_was_converted_still_is() {
    check(
        "inline-variable",
        "float f(int n) {\n    float $0x = n;\n    return x / 2;\n}\n",
        expect![[r#"
            float f(int n) {
                return float(n) / 2;
            }
        "#]],
    );
    check(
        "inline-variable",
        "float4 f(float a) {\n    float4 $0v{a, 0, 0, 1};\n    return v.wzyx;\n}\n",
        expect![[r#"
            float4 f(float a) {
                return float4{a, 0, 0, 1}.wzyx;
            }
        "#]],
    );
}

#[test]
fn a_reference_is_replaced_by_what_it_refers_to() {
    check(
        "inline-variable",
        "void f(device float4 *p, uint i) {\n    device float4 &$0v = p[i];\n    v.x = 1;\n    v.y = 2;\n}\n",
        expect![[r#"
            void f(device float4 *p, uint i) {
                p[i].x = 1;
                p[i].y = 2;
            }
        "#]],
    );
}

#[test]
fn what_may_change_in_between_is_not_inlined() {
    let refused: [(&str, Expect); 8] = [
        (
            "int f(int n) { int $0m = n; m += 1; return m; }\n",
            expect![[r#"
                refused: it is written after its declaration, or something refers to it
            "#]],
        ),
        (
            "int f(int n) { int $0m = n * 2; n = 1; return m; }\n",
            expect![[r#"
                refused: what its value is computed from may change before it is used
            "#]],
        ),
        (
            "void f(device int *p, device int *q) { int $0m = *p; q[0] = m; q[1] = m; }\n",
            expect![[r#"
                refused: what its value is computed from may change before it is used
            "#]],
        ),
        (
            "int next(device int *p) { return ++*p; }\nint f(device int *p) { int $0m = next(p); return m; }\n",
            expect![[r#"
                refused: computing its value changes something
            "#]],
        ),
        (
            "float f(float a) { float $0s = sin(a); return s * s; }\n",
            expect![[r#"
                refused: its value comes from a call, which would be made more often or under a condition
            "#]],
        ),
        (
            "int f(int n) { int $0m = n * 2; { int n = 3; return m + n; } }\n",
            expect![[r#"
                refused: a name in its value means something else in another place
            "#]],
        ),
        (
            "int f(int n) { int $0m = n * 2; for (int i = 0; i < 3; ++i) { n += m; } return n; }\n",
            expect![[r#"
                refused: what its value is computed from may change before it is used
            "#]],
        ),
        (
            "int f(int n) { int $0a = n, b = a; return b; }\n",
            expect![[r#"
                refused: it is declared together with something else
            "#]],
        ),
    ];
    for (marked, expected) in refused {
        check("inline-variable", marked, expected);
    }
    // Constant memory stays as it is.
    check(
        "inline-variable",
        "void f(constant int *p, device int *q) { int $0m = *p; q[0] = m; q[1] = m; }\n",
        expect![[r#"
            void f(constant int *p, device int *q) { q[0] = *p; q[1] = *p; }
        "#]],
    );
}

#[test]
fn an_expression_becomes_a_function() {
    check(
        "extract-function",
        "\
// Lights a point.
kernel void k(device float4 *out [[buffer(0)]], constant float3 &light [[buffer(1)]], uint i [[thread_position_in_grid]]) {
    float3 normal = float3(out[i].xyz);
    out[i].w = 1 + $0saturate(dot(normal, light))$0;
}
",
        expect![[r#"
            static float extracted(constant float3 &light, float3 normal) {
                return saturate(dot(normal, light));
            }

            // Lights a point.
            kernel void k(device float4 *out [[buffer(0)]], constant float3 &light [[buffer(1)]], uint i [[thread_position_in_grid]]) {
                float3 normal = float3(out[i].xyz);
                out[i].w = 1 + extracted(light, normal);
            }
        "#]],
    );
}

#[test]
fn statements_become_a_function() {
    // One variable that is used behind them is returned.
    check_under(
        "metal3.0",
        "extract-function",
        "\
float sum(device const float *p, int n) {
    $0float all = 0;
    for (int i = 0; i < n; ++i) {
        if (p[i] < 0)
            break;
        all += p[i];
    }$0
    return all;
}
",
        expect![[r#"
            static float extracted(const device float *p, int n) {
                float all = 0;
                for (int i = 0; i < n; ++i) {
                    if (p[i] < 0)
                        break;
                    all += p[i];
                }
                return all;
            }

            float sum(device const float *p, int n) {
                float all = extracted(p, n);
                return all;
            }
        "#]],
    );
    // One that they write is given back.
    check_under(
        "metal3.0",
        "extract-function",
        "\
int f(int a, int n) {
    while (n > 0) {
        $0a += n;
        a *= 2;$0
        n--;
    }
    return a;
}
",
        expect![[r#"
            static int extracted(int a, int n) {
                a += n;
                a *= 2;
                return a;
            }

            int f(int a, int n) {
                while (n > 0) {
                    a = extracted(a, n);
                    n--;
                }
                return a;
            }
        "#]],
    );
}

#[test]
fn what_is_assigned_first_is_not_handed_over() {
    check(
        "extract-function",
        "\
float f(device float *p, int n) {
    float sum;
    $0sum = p[n];
    sum *= 2;$0
    return sum;
}
",
        expect![[r#"
            static float extracted(device float *p, int n) {
                float sum;
                sum = p[n];
                sum *= 2;
                return sum;
            }

            float f(device float *p, int n) {
                float sum;
                sum = extracted(p, n);
                return sum;
            }
        "#]],
    );
}

#[test]
fn a_pointer_that_moves_is_handed_over_by_reference() {
    check_under(
        "metal3.0",
        "extract-function",
        "\
int f(device int *p, int n) {
    int sum = 0;
    $0sum += *p;
    p += n;$0
    return sum + *p;
}
",
        expect![[r#"
            static void extracted(device int *thread &p, int n, thread int &sum) {
                sum += *p;
                p += n;
            }

            int f(device int *p, int n) {
                int sum = 0;
                extracted(p, n, sum);
                return sum + *p;
            }
        "#]],
    );
}

#[test]
fn templates_stay_templates() {
    check(
        "extract-variable",
        "template <typename T> T f(T a) { return 2 * ($0a * a$0); }\nfloat g(float a) { return f(a); }\n",
        expect![[r#"
            template <typename T> T f(T a) { auto value = a * a; return 2 * (value); }
            float g(float a) { return f(a); }
        "#]],
    );
    check_under(
        "metal3.0",
        "extract-function",
        "\
template <typename T, int N>
void f(device T *p, T scale) {
    T sum = 0;
    $0for (int i = 0; i < N; ++i)
        sum += p[i] * scale;$0
    *p = sum;
}
kernel void k(device float *p [[buffer(0)]]) { f<float, 4>(p, 2); }
",
        expect![[r#"
            template <typename T, int N>
            static T extracted(device T *p, T scale, T sum) {
                for (int i = 0; i < N; ++i)
                    sum += p[i] * scale;
                return sum;
            }

            template <typename T, int N>
            void f(device T *p, T scale) {
                T sum = 0;
                sum = extracted<T, N>(p, scale, sum);
                *p = sum;
            }
            kernel void k(device float *p [[buffer(0)]]) { f<float, 4>(p, 2); }
        "#]],
    );
}

#[test]
fn a_statement_becomes_the_declaration() {
    check(
        "extract-variable",
        "int next(device int *p) { return ++*p; }\nvoid f(device int *p) { $0next(p)$0; }\n",
        expect![[r#"
            int next(device int *p) { return ++*p; }
            void f(device int *p) { int result = next(p); }
        "#]],
    );
    // A reference that is returned must not become one to the variable.
    check(
        "extract-variable",
        "thread int &f(thread int *p) { return $0p[1]$0; }\n",
        expect![[r#"
            thread int &f(thread int *p) { thread int &value = p[1]; return value; }
        "#]],
    );
}

#[test]
fn what_is_written_is_handed_over_by_reference_in_its_space() {
    check_under(
        "metal3.0",
        "extract-function",
        "\
struct Bin { int count; float sum; };
kernel void k(device float *out [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
    threadgroup float tile[64];
    Bin bin = {};
    float last = 0;
    $0tile[i] = out[i];
    bin.count += 1;
    last = tile[i] * 2;$0
    out[i] = last + bin.count;
}
",
        expect![[r#"
            struct Bin { int count; float sum; };
            static void extracted(device float *out, uint i, threadgroup float (&tile)[64], thread Bin &bin, thread float &last) {
                tile[i] = out[i];
                bin.count += 1;
                last = tile[i] * 2;
            }

            kernel void k(device float *out [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
                threadgroup float tile[64];
                Bin bin = {};
                float last = 0;
                extracted(out, i, tile, bin, last);
                out[i] = last + bin.count;
            }
        "#]],
    );
}

#[test]
fn the_end_of_a_function_becomes_one() {
    check(
        "extract-function",
        "\
struct S {
    int n;
    int twice(int a) const {
        if (a > n) return 0;
        $0a += n;
        return a * 2;$0
    }
};
",
        expect![[r#"
            struct S {
                int n;
                int extracted(int a) const {
                    a += n;
                    return a * 2;
                }

                int twice(int a) const {
                    if (a > n) return 0;
                    return extracted(a);
                }
            };
        "#]],
    );
}

#[test]
fn what_cannot_leave_its_function_is_refused() {
    let refused: [(&str, Expect); 7] = [
        (
            "int f(int n) { for (int i = 0; i < n; ++i) { $0if (i > 3) break;$0 } return n; }\n",
            expect![[r#"
                refused: it breaks out of a loop or switch around it
            "#]],
        ),
        (
            "int f(int n) { $0if (n > 3) return 1;$0 return n; }\n",
            expect![[r#"
                refused: it returns from the function under a condition
            "#]],
        ),
        (
            "int f(int n) { $0int a = n; int b = n;$0 return a + b; }\n",
            expect![[r#"
                refused: 2 things that it declares are used behind it
            "#]],
        ),
        (
            "kernel void k(device float *o [[buffer(0)]]) { $0threadgroup float t[4]; t[0] = 1;$0 *o = 1; }\n",
            expect![[r#"
                refused: variables in threadgroup memory are declared in the kernel
            "#]],
        ),
        (
            "template <typename... T> int f(T... a) { return $0sizeof...(T) * 2$0; }\n",
            expect![[r#"
                refused: types in it may depend on the parameters of the template
            "#]],
        ),
        (
            "void f(device int *p, int n) { $0p[n]$0 = 1; }\n",
            expect![[r#"
                refused: what is written there must stay what it is
            "#]],
        ),
        (
            "int f(int n) { struct L { int a; }; L l = { n }; $0l.a += 1;$0 return l.a; }\n",
            expect![[r#"
                refused: the type of `l` is declared in the function
            "#]],
        ),
    ];
    for (marked, expected) in refused {
        check("extract-function", marked, expected);
    }
}

#[test]
fn macros_and_line_ends_stay() {
    check(
        "extract-function",
        "#define PI 3.5f\r\n#define SQUARE(x) ((x) * (x))\r\nfloat f(float r) {\r\n\t$0r += 1;\r\n\tr = PI * SQUARE(r);$0\r\n\treturn r;\r\n}\r\n",
        expect![[r#"
            #define PI 3.5f\r
            #define SQUARE(x) ((x) * (x))\r
            static float extracted(float r) {\r
            	r += 1;\r
            	r = PI * SQUARE(r);\r
            	return r;\r
            }\r
            \r
            float f(float r) {\r
            	r = extracted(r);\r
            	return r;\r
            }\r
        "#]],
    );
}

#[test]
fn vertex_attributes_are_gathered_in_a_structure() {
    check(
        "gather-stage-in",
        "\
// Moves a corner.
vertex float4 co$0rner(float3 at [[attribute(0)]], constant float &scale [[buffer(1)]], float2 uv [[attribute(1)]]) {
    return float4(at * scale, uv.x);
}
",
        expect![[r#"
            struct CornerInput {
                float3 at [[attribute(0)]];
                float2 uv [[attribute(1)]];
            };

            // Moves a corner.
            vertex float4 corner(CornerInput in [[stage_in]], constant float &scale [[buffer(1)]]) {
                return float4(in.at * scale, in.uv.x);
            }
        "#]],
    );
}

#[test]
fn a_fragment_function_takes_what_the_vertex_function_gives() {
    check(
        "take-stage-in",
        "\
struct Corner { float4 place [[position]]; float2 uv; };
vertex Corner corner(uint i [[vertex_id]]) { return Corner{}; }
fragment float4 col$0our(float2 at [[point_coord]]) { return at.x; }
",
        expect![[r#"
            struct Corner { float4 place [[position]]; float2 uv; };
            vertex Corner corner(uint i [[vertex_id]]) { return Corner{}; }
            fragment float4 colour(Corner in [[stage_in]], float2 at [[point_coord]]) { return at.x; }
        "#]],
    );
}

#[test]
fn what_auto_stands_for_is_written() {
    check(
        "spell-out-auto",
        "float3 f(float3 a) {\n    $0auto b = a * 2;\n    return b;\n}\n",
        expect![[r#"
        float3 f(float3 a) {
            float3 b = a * 2;
            return b;
        }
    "#]],
    );
    check(
        "spell-out-auto",
        "void f(device const float *p) {\n    const $0auto *q = p;\n    (void)q;\n}\n",
        expect![[r#"
            void f(device const float *p) {
                const device float *q = p;
                (void)q;
            }
        "#]],
    );
    check(
        "spell-out-auto",
        "void f(device const float *p) {\n    $0auto q = p + 1;\n    thread auto &r = q;\n}\n",
        expect![[r#"
            void f(device const float *p) {
                const device float *q = p + 1;
                thread auto &r = q;
            }
        "#]],
    );
    check(
        "spell-out-auto",
        "struct S { float a[4]; };\nfloat f(thread S &s) {\n    thread $0auto &r = s;\n    return r.a[0];\n}\n",
        expect![[r#"
            struct S { float a[4]; };
            float f(thread S &s) {
                thread S &r = s;
                return r.a[0];
            }
        "#]],
    );
    check(
        "spell-out-auto",
        "int f(int a) {\n    $0auto b = a, c = a;\n    return b + c;\n}\n",
        expect![[r#"
        refused: several variables are declared with it
    "#]],
    );
    check(
        "spell-out-auto",
        "int f(int a) {\n    $0auto g = [](int x) { return x; };\n    return g(a);\n}\n",
        expect![[r#"
            refused: its type has no name here, or depends on a template parameter
        "#]],
    );
    check(
        "spell-out-auto",
        "template <typename T> T f(T a) {\n    $0auto b = a + 1;\n    return b;\n}\n",
        expect![[r#"
            refused: its type has no name here, or depends on a template parameter
        "#]],
    );
}

#[test]
fn branches_are_exchanged() {
    check(
        "swap-branches",
        "int f(int a) {\n    $0if (a == 1) {\n        return 2;\n    } else {\n        return 3;\n    }\n}\n",
        expect![[r#"
            int f(int a) {
                if (a != 1) {
                    return 3;
                } else {
                    return 2;
                }
            }
        "#]],
    );
    check(
        "swap-branches",
        "int f(float a, bool b) {\n    $0if (a < 1 && b) return 2;\n    else return 3;\n}\n",
        expect![[r#"
            int f(float a, bool b) {
                if (!(a < 1 && b)) { return 3; }
                else return 2;
            }
        "#]],
    );
    check(
        "swap-branches",
        "int f(bool a, bool b) {\n    $0if (!(a || b)) { return 2; }\n    else if (a) { return 3; }\n    return 4;\n}\n",
        expect![[r#"
            int f(bool a, bool b) {
                if (a || b) { if (a) { return 3; } }
                else { return 2; }
                return 4;
            }
        "#]],
    );
    check(
        "swap-branches",
        "int f(int a) {\n    $0if (int b = a) { return b; } else { return 3; }\n}\n",
        expect![[r#"
        refused: the condition declares a variable
    "#]],
    );
    check(
        "swap-branches",
        "int f(int a) {\n    $0if (a) { return 1; }\n    return 3;\n}\n",
        expect![[r#"
        not offered
    "#]],
    );
}

#[test]
fn the_cases_of_an_enumeration_are_completed() {
    check(
        "complete-switch",
        "enum class Kind { first, second, third };\nint f(Kind k) {\n    $0switch (k) {\n    case Kind::first:\n        return 1;\n    }\n    return 0;\n}\n",
        expect![[r#"
            enum class Kind { first, second, third };
            int f(Kind k) {
                switch (k) {
                case Kind::first:
                    return 1;
                case Kind::second:
                    break;
                case Kind::third:
                    break;
                }
                return 0;
            }
        "#]],
    );
    check(
        "complete-switch",
        "enum Kind { first, second, also_second = second };\nint f(Kind k) {\n    $0switch (k) {}\n    return 0;\n}\n",
        expect![[r#"
            enum Kind { first, second, also_second = second };
            int f(Kind k) {
                switch (k) {
                case first:
                    break;
                case second:
                    break;
                }
                return 0;
            }
        "#]],
    );
    check(
        "complete-switch",
        "namespace n { enum Kind { first, second }; }\nint f(n::Kind k) {\n    $0switch (k) {\n        case n::first: return 1;\n    }\n    return 0;\n}\n",
        expect![[r#"
            namespace n { enum Kind { first, second }; }
            int f(n::Kind k) {
                switch (k) {
                    case n::first: return 1;
                    case n::Kind::second:
                        break;
                }
                return 0;
            }
        "#]],
    );
    check(
        "complete-switch",
        "enum class Kind { first, second };\nint f(Kind k) {\n    $0switch (k) { case Kind::first: case Kind::second: return 1; }\n    return 0;\n}\n",
        expect![[r#"
            not offered
        "#]],
    );
    check(
        "complete-switch",
        "enum class Kind { first, second };\nint f(Kind k) {\n    $0switch (k) { default: return 1; }\n}\n",
        expect![[r#"
            not offered
        "#]],
    );
    check(
        "complete-switch",
        "int f(int k) {\n    $0switch (k) { case 1: return 1; }\n    return 0;\n}\n",
        expect![[r#"
            not offered
        "#]],
    );
}

#[test]
fn a_macro_is_expanded() {
    check(
        "expand-macro",
        "#define SQUARE(x) ((x) * (x))\nfloat f(float a) {\n    return $0SQUARE(a + 1) + 1;\n}\n",
        expect![[r#"
            #define SQUARE(x) ((x) * (x))
            float f(float a) {
                return ((a + 1) * (a + 1)) + 1;
            }
        "#]],
    );
    check(
        "expand-macro",
        "#define N 4\n#define TWICE(x) x + x\nint f() { return TWICE($0N); }\n",
        expect![[r#"
            not offered
        "#]],
    );
    check(
        "expand-macro",
        "#define MEMBERS float a; int b;\nstruct S {\n    $0MEMBERS\n};\nfloat f(S s) { return s.a; }\n",
        expect![[r#"
            #define MEMBERS float a; int b;
            struct S {
                float a; int b;
            };
            float f(S s) { return s.a; }
        "#]],
    );
    check(
        "expand-macro",
        "#define g f\n#define f(x) (x + 1)\nint h(int a) { return $0g (a); }\n",
        expect![[r#"
        #define g f
        #define f(x) (x + 1)
        int h(int a) { return (a + 1); }
    "#]],
    );
    check(
        "expand-macro",
        "#define EMPTY\nEMPTY int f() { return $0EMPTY 1; }\n",
        expect![[r#"
        #define EMPTY
        EMPTY int f() { return  1; }
    "#]],
    );
    check(
        "expand-macro",
        "$0#define N 4\nint a() { return N; }\n",
        expect![[r#"
        not offered
    "#]],
    );
}

#[test]
fn branches_under_conditions_of_the_preprocessor_stay() {
    check(
        "swap-branches",
        "\
int f(int a) {
    $0if (a) { return 1; }
#ifndef SHORT
    else { return 2; }
#endif
    return 3;
}
",
        expect![[r#"
            refused: it holds directives of the preprocessor
        "#]],
    );
}
