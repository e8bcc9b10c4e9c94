//! Overloads that become one generic function.

use std::{fmt::Write, sync::Arc};

use expect_test::{Expect, expect};
use msl_db::file_system::{FileSystem, MemoryFiles};

use super::{analysis, request};
use crate::{Depth, EditMap, Specialization};

/// Consolidates families until none is left, and shows the files with what was refused and noted.
fn check_under(std: &str, files: &[(&str, &str)], expected: Expect) {
    let (mut out, files) = consolidated(std, files);
    for (path, text) in &files {
        if files.len() > 1 {
            let _ = writeln!(out, "// {path}");
        }
        out.push_str(text);
    }
    expected.assert_eq(&out);
}

/// Consolidates families until none is left: what was done, refused and noted, and the files.
fn consolidated(std: &str, files: &[(&str, &str)]) -> (String, Vec<(String, String)>) {
    let mut files: Vec<(String, String)> =
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let mut out = String::new();
    let mut refused: Vec<String> = Vec::new();
    for _ in 0..16 {
        let now: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let families = analysis(&now).overload_families(&request(std), Depth::Calls, &|_| true);
        refused.clear();
        let mut edits = None;
        for family in families {
            match family.edits {
                Ok(found) if edits.is_none() => {
                    let _ = writeln!(out, "// {} overloads of `{}` become one", family.count, family.name);
                    for note in &family.notes {
                        let _ = writeln!(out, "// note: {note}");
                    }
                    edits = Some(found);
                }
                Ok(_) => {}
                Err(reason) => refused.push(format!("// `{}`: {reason}", family.name)),
            }
        }
        let Some(edits) = edits else { break };
        let map = EditMap::new(&edits);
        let mut memory = MemoryFiles::default();
        for (path, text) in &files {
            memory.insert(path, text);
        }
        let memory = Arc::new(memory);
        for (path, text) in &mut files {
            *text = String::from_utf8(map.apply(path, &memory.read(path).unwrap())).unwrap();
        }
    }
    refused.dedup();
    for line in refused {
        let _ = writeln!(out, "{line}");
    }
    (out, files)
}

/// The text with all families consolidated.
fn generic_form(text: &str) -> String {
    consolidated("metal4.1", &[("main.metal", text)]).1.remove(0).1
}

pub(super) fn check(text: &str, expected: Expect) {
    check_under("metal4.1", &[("main.metal", text)], expected);
}

#[test]
fn one_pointer() {
    check(
        "\
// Turns a value around.
void negate(thread float *value) { *value = -*value; }

// Turns a value around.
void negate(device float *v)
{
    *v = -*v;  // in place
}

// Turns a value around.
void negate(threadgroup float *value) { *value = -*value; }

kernel void all(device float *d [[buffer(0)]], threadgroup float *t [[threadgroup(0)]])
{
    float own = 1;
    negate(&own);
    negate(d);
    negate(t);
}
",
        expect![[r#"
            // 3 overloads of `negate` become one
            // Turns a value around.
            void negate(float *value) { *value = -*value; }

            kernel void all(device float *d [[buffer(0)]], threadgroup float *t [[threadgroup(0)]])
            {
                float own = 1;
                negate(&own);
                negate(d);
                negate(t);
            }
        "#]],
    );
}

#[test]
fn two_pointers_with_forward_declarations_and_locals() {
    check(
        "\
void accumulate(thread float *to, thread const float *from, int count);
void accumulate(thread float *to, device const float *from, int count);
void accumulate(device float *to, thread const float *from, int count);
void accumulate(device float *to, device const float *from, int count);

void accumulate(thread float *to, thread const float *from, int count) {
    thread const float *at = from;
    for (int i = 0; i < count; ++i) to[i] += *at++;
}
void accumulate(thread float *to, device const float *from, int count) {
    device const float *at = from;
    for (int i = 0; i < count; ++i) to[i] += *at++;
}
void accumulate(device float *to, thread const float *from, int count) {
    const thread float *next = from;
    for (int k = 0; k < count; ++k) to[k] += *next++;
}
void accumulate(device float *to, device const float *from, int count) {
    device const float *at = from;
    for (int i = 0; i < count; ++i) to[i] += *at++;
}
",
        expect![[r#"
            // 4 overloads of `accumulate` become one
            void accumulate(float *to, const float *from, int count);

            void accumulate(float *to, const float *from, int count) {
                const float *at = from;
                for (int i = 0; i < count; ++i) to[i] += *at++;
            }
        "#]],
    );
}

#[test]
fn casts_in_the_body() {
    check(
        "\
/* Clears one byte of a word in device memory. */
static inline void mask_byte(device uint *word, uint index) {
    device uchar *bytes = (device uchar *)word;
    bytes[index] = 0;
}
/* Clears one byte of a word in thread memory. */
static inline void mask_byte(thread uint *word, uint index) {
    thread uchar *bytes = (thread uchar *)word;
    bytes[index] = 0;
}
",
        expect![[r#"
            // 2 overloads of `mask_byte` become one
            // note: its comment speaks of device memory
            /* Clears one byte of a word in device memory. */
            static inline void mask_byte(uint *word, uint index) {
                uchar *bytes = (uchar *)word;
                bytes[index] = 0;
            }
        "#]],
    );
}

#[test]
fn members_with_the_space_of_this() {
    check(
        "\
struct Sphere {
    float3 centre;
    float radius;

    Sphere(float r) thread : centre(0), radius(r) {}

    float area() const thread { return 12.566f * radius * radius; }
    float area() const device { return 12.566f * radius * radius; }
    float area() const threadgroup { return 12.566f * radius * radius; }

    void grow(float by) thread { radius += by; }
    void grow(float by) device { radius += by; }
};

void use(device Sphere &far) {
    Sphere near(1);
    near.grow(far.area());
    far.grow(near.area());
}
",
        expect![[r#"
            // 3 overloads of `area` become one
            // 2 overloads of `grow` become one
            struct Sphere {
                float3 centre;
                float radius;

                Sphere(float r) thread : centre(0), radius(r) {}

                float area() const { return 12.566f * radius * radius; }

                void grow(float by) { radius += by; }
            };

            void use(device Sphere &far) {
                Sphere near(1);
                near.grow(far.area());
                far.grow(near.area());
            }
        "#]],
    );
}

#[test]
fn the_result_follows_a_parameter() {
    check(
        "\
struct Light { float power; };
struct LightData { Light lights[4]; int count; };

device Light &brightest(device LightData &data) {
    int best = 0;
    for (int i = 1; i < data.count; ++i) best = data.lights[i].power > data.lights[best].power ? i : best;
    return data.lights[best];
}

threadgroup Light &brightest(threadgroup LightData &data) {
    int best = 0;
    for (int i = 1; i < data.count; ++i) best = data.lights[i].power > data.lights[best].power ? i : best;
    return data.lights[best];
}

float power(device LightData &d, threadgroup LightData &t) { return brightest(d).power + brightest(t).power; }
",
        expect![[r#"
            // 2 overloads of `brightest` become one
            struct Light { float power; };
            struct LightData { Light lights[4]; int count; };

            Light &brightest(LightData &data) {
                int best = 0;
                for (int i = 1; i < data.count; ++i) best = data.lights[i].power > data.lights[best].power ? i : best;
                return data.lights[best];
            }

            float power(device LightData &d, threadgroup LightData &t) { return brightest(d).power + brightest(t).power; }
        "#]],
    );
}

/// An operator for three spaces of the object and four of the operand.
fn row_matrix() -> String {
    let mut text = "struct RowMatrix {\n    float4 rows[4];\n\n".to_owned();
    for this in ["thread", "device", "threadgroup"] {
        for other in ["thread", "device", "threadgroup", "constant"] {
            let _ = write!(
                text,
                "    {this} RowMatrix &operator+=({other} const RowMatrix &other) {this} {{\n        for (int i = 0; i < 4; ++i) rows[i] += other.rows[i];\n        return *this;\n    }}\n"
            );
        }
    }
    text.push_str("};\n\nvoid add(thread RowMatrix &a, device RowMatrix &b, constant RowMatrix &c) { a += b; b += a; a += c; b += c; }\n");
    text
}

#[test]
fn twelve_overloads_of_an_operator() {
    check(
        &row_matrix(),
        expect![[r#"
            // 9 overloads of `operator+=` become one
            // 3 overloads of `operator+=` become one
            struct RowMatrix {
                float4 rows[4];

                RowMatrix &operator+=(const RowMatrix &other) {
                    for (int i = 0; i < 4; ++i) rows[i] += other.rows[i];
                    return *this;
                }
                RowMatrix &operator+=(constant const RowMatrix &other) {
                    for (int i = 0; i < 4; ++i) rows[i] += other.rows[i];
                    return *this;
                }
            };

            void add(thread RowMatrix &a, device RowMatrix &b, constant RowMatrix &c) { a += b; b += a; a += c; b += c; }
        "#]],
    );
}

#[test]
fn across_files() {
    check_under(
        "metal4.1",
        &[
            ("main.metal", "#include \"a.h\"\n#include \"b.h\"\n"),
            ("a.h", "// Sets it.\ninline void set(thread int &to) { to = 1; }\n"),
            (
                "b.h",
                "// Sets it at once.\ninline void set(device int &to) { to = 1; }\n\ninline int other() { return 2; }\n",
            ),
        ],
        expect![[r#"
            // 2 overloads of `set` become one
            // main.metal
            #include "a.h"
            #include "b.h"
            // a.h
            // Sets it.
            // Sets it at once.
            inline void set(int &to) { to = 1; }
            // b.h
            inline int other() { return 2; }
        "#]],
    );
}

#[test]
fn what_is_refused_and_why() {
    check(
        "\
float differs(thread float *p) { return *p; }
float differs(device float *p) { return *p + 1; }
float stays(thread const float *p) { return *p; }
float stays(constant float *p) { return *p; }
thread float *made(thread float *p) { return p; }
thread float *made(device float *p) { return nullptr; }
void deep(device float *thread *p) { p[0][0] = 1; }
void deep(thread float *thread *p) { p[0][0] = 1; }
template <typename T> T read(device T *p) { return *p; }
template <typename T> T read(thread T *p) { return *p; }
template <typename T> T other(device const T (&p)[2]) { return p[0]; }
template <typename U> U other(thread const U (&p)[2]) { return p[0]; }
template <typename T> struct Box { T value; };
template <typename T> T open(device const Box<T> &box) { return box.value; }
template <typename T> T open(thread const Box<T> &box) { return box.value; }
template float open<float>(device const Box<float> &box);
[[visible]] float seen(thread float *p) { return *p; }
[[visible]] float seen(device float *p) { return *p; }
#define FORWARD(SPACE) float made_by_macro(SPACE float *p) { return *p; }
FORWARD(thread)
FORWARD(device)
float needs(device float *p) { return *p; }
float calls(device float *p) { return needs(p); }
float calls(thread float *p) { return needs(p); }
float needs(thread float *p) { return 2 * *p; }
",
        expect![[r#"
            // `calls`: main.metal:23 would get the finding `no-matching-function`: `needs` does not take this argument: a generic pointer cannot be passed as one to `device` memory without a cast: use `static_cast` if it is known to be `device`, or `addrspace_cast` and test for null
            // `differs`: its declaration or its body differs from those of the other overloads
            // `made`: its declaration or its body differs from those of the other overloads
            // `made_by_macro`: one of the overloads stands in the definition of a macro
            // `needs`: its declaration or its body differs from those of the other overloads
            // `open`: a template of this name is instantiated or specialised explicitly
            // `other`: a generic overload is there already: these can go, or stay for speed
            // `read`: a template parameter would take the address space over
            // `seen`: it can be called from outside of this program
            // `stays`: generic pointers do not cover constant memory, so this overload stays
            float differs(thread float *p) { return *p; }
            float differs(device float *p) { return *p + 1; }
            float stays(thread const float *p) { return *p; }
            float stays(constant float *p) { return *p; }
            thread float *made(thread float *p) { return p; }
            thread float *made(device float *p) { return nullptr; }
            void deep(device float *thread *p) { p[0][0] = 1; }
            void deep(thread float *thread *p) { p[0][0] = 1; }
            template <typename T> T read(device T *p) { return *p; }
            template <typename T> T read(thread T *p) { return *p; }
            template <typename T> T other(device const T (&p)[2]) { return p[0]; }
            template <typename U> U other(thread const U (&p)[2]) { return p[0]; }
            template <typename T> struct Box { T value; };
            template <typename T> T open(device const Box<T> &box) { return box.value; }
            template <typename T> T open(thread const Box<T> &box) { return box.value; }
            template float open<float>(device const Box<float> &box);
            [[visible]] float seen(thread float *p) { return *p; }
            [[visible]] float seen(device float *p) { return *p; }
            #define FORWARD(SPACE) float made_by_macro(SPACE float *p) { return *p; }
            FORWARD(thread)
            FORWARD(device)
            float needs(device float *p) { return *p; }
            float calls(device float *p) { return needs(p); }
            float calls(thread float *p) { return needs(p); }
            float needs(thread float *p) { return 2 * *p; }
        "#]],
    );
}

#[test]
fn a_caller_that_needs_the_space() {
    check(
        "\
device int *step(device int *p) { return p + 1; }
thread int *step(thread int *p) { return p + 1; }
void use(device int *p) { device int *q = step(p); *q = 1; }
",
        expect![[r#"
            // `step`: main.metal:3 would get the finding `generic-to-concrete`: a generic pointer cannot be used as one to `device` memory without a cast: use `static_cast` if it is known to be `device`, or `addrspace_cast` and test for null
            device int *step(device int *p) { return p + 1; }
            thread int *step(thread int *p) { return p + 1; }
            void use(device int *p) { device int *q = step(p); *q = 1; }
        "#]],
    );
}

#[test]
fn older_versions() {
    check_under(
        "metal4.0",
        &[("main.metal", "void set(thread int &to) { to = 1; }\nvoid set(device int &to) { to = 1; }\n")],
        expect![[r#"
            // `set`: generic functions need Metal 4.1: change the version of the build first
            void set(thread int &to) { to = 1; }
            void set(device int &to) { to = 1; }
        "#]],
    );
}

/// What can be made of the generic function of this name.
fn specialization(text: &str, name: &str) -> Specialization {
    let at = text.find(name).unwrap() as u32;
    let analysis = analysis(&[("main.metal", text)]);
    analysis.specialization(&request("metal4.1"), &|place| place.range.start == at).unwrap()
}

fn edited(text: &str, edits: Result<Vec<msl_diagnostics::TextEdit>, String>) -> String {
    match edits {
        Ok(edits) => String::from_utf8(crate::apply_edits(text.as_bytes(), edits.iter())).unwrap(),
        Err(reason) => format!("refused: {reason}"),
    }
}

const CALLERS: &str = "
kernel void all(device float *d [[buffer(0)]], threadgroup float *t [[threadgroup(0)]])
{
    float own = 1;
    d[0] = *next(&own, 0) + *next(d, 0) + *next(t, 0);
}
";

#[test]
fn overloads_from_a_generic_function_and_back() {
    let concrete = "\
thread float *next(thread float *from, int by) { return from + by; }

device float *next(device float *from, int by) { return from + by; }

threadgroup float *next(threadgroup float *from, int by) { return from + by; }
";
    let text = format!("{concrete}{CALLERS}");
    let families = analysis(&[("main.metal", &text)]).overload_families(&request("metal4.1"), Depth::Calls, &|_| true);
    let generic = edited(&text, families[0].edits.clone());
    assert_eq!(generic, format!("float *next(float *from, int by) {{ return from + by; }}\n{CALLERS}"));
    let found = specialization(&generic, "next");
    assert_eq!(found.spaces, "thread, device and threadgroup");
    assert_eq!(edited(&generic, found.overloads), text);
    assert_eq!(edited(&generic, found.template.unwrap()), "refused: its result is a generic pointer");
}

#[test]
fn only_the_spaces_that_callers_use() {
    let text = "\
struct Cell {
    float value;
    void add(const float *from, float by) { value += *from * by; }
    void plain() {}
};
void copy(float *to, const float *from);
kernel void k(device Cell *cells [[buffer(0)]], device float *d [[buffer(1)]])
{
    float own = 1;
    Cell cell;
    cell.add(d, 2);
    cells[0].add(&own, 2);
    copy(d, &own);
}
void copy(float *to, const float *from) { *to = *from; }
";
    let add = specialization(text, "add");
    expect![[r#"
        struct Cell {
            float value;
            void add(thread const float *from, float by) device { value += *from * by; }

            void add(device const float *from, float by) thread { value += *from * by; }
            void plain() {}
        };
        void copy(float *to, const float *from);
        kernel void k(device Cell *cells [[buffer(0)]], device float *d [[buffer(1)]])
        {
            float own = 1;
            Cell cell;
            cell.add(d, 2);
            cells[0].add(&own, 2);
            copy(d, &own);
        }
        void copy(float *to, const float *from) { *to = *from; }
    "#]]
    .assert_eq(&edited(text, add.overloads));
    let at = text.rfind("copy").unwrap() as u32;
    let analysis = analysis(&[("main.metal", text)]);
    let copy = analysis.specialization(&request("metal4.1"), &|place| place.range.start == at).unwrap();
    expect![[r#"
        struct Cell {
            float value;
            void add(const float *from, float by) { value += *from * by; }
            void plain() {}
        };
        template <typename Pointer1, typename Pointer2>
        void copy(Pointer1 to, Pointer2 from);
        kernel void k(device Cell *cells [[buffer(0)]], device float *d [[buffer(1)]])
        {
            float own = 1;
            Cell cell;
            cell.add(d, 2);
            cells[0].add(&own, 2);
            copy(d, &own);
        }
        template <typename Pointer1, typename Pointer2>
        void copy(Pointer1 to, Pointer2 from) { *to = *from; }
    "#]]
    .assert_eq(&edited(text, copy.template.unwrap()));
    assert_eq!(copy.spaces, "device/thread");
}

/// Makes overloads of the generic functions with these names, one after the other.
fn concrete_form(text: &str, names: &[&str]) -> String {
    names.iter().fold(text.to_owned(), |text, name| edited(&text, specialization(&text, name).overloads))
}

/// Concrete overloads, the generic functions that they become, and overloads of these again: `expected` shows the
/// generic functions. The overloads that are made of them become the same generic functions.
fn check_round_trip(concrete: &str, names: &[&str], expected: Expect) -> String {
    let generic = generic_form(concrete);
    expected.assert_eq(&generic);
    let again = concrete_form(&generic, names);
    assert_eq!(generic_form(&again), generic);
    again
}

#[test]
fn negate_there_and_back() {
    let text = "\
// Turns a value around.
void negate(thread float *value) { *value = -*value; }

void negate(device float *value) { *value = -*value; }

void negate(threadgroup float *value) { *value = -*value; }

kernel void all(device float *d [[buffer(0)]], threadgroup float *t [[threadgroup(0)]])
{
    float own = 1;
    negate(&own);
    negate(d);
    negate(t);
}
";
    let again = check_round_trip(
        text,
        &["negate"],
        expect![[r#"
            // Turns a value around.
            void negate(float *value) { *value = -*value; }

            kernel void all(device float *d [[buffer(0)]], threadgroup float *t [[threadgroup(0)]])
            {
                float own = 1;
                negate(&own);
                negate(d);
                negate(t);
            }
        "#]],
    );
    assert_eq!(again, text);
}

#[test]
fn accumulate_there_and_back() {
    let text = "\
void accumulate(thread float *to, thread const float *from, int count) {
    thread const float *at = from;
    for (int i = 0; i < count; ++i) to[i] += *at++;
}

void accumulate(thread float *to, device const float *from, int count) {
    device const float *at = from;
    for (int i = 0; i < count; ++i) to[i] += *at++;
}

void accumulate(device float *to, thread const float *from, int count) {
    thread const float *at = from;
    for (int i = 0; i < count; ++i) to[i] += *at++;
}

void accumulate(device float *to, device const float *from, int count) {
    device const float *at = from;
    for (int i = 0; i < count; ++i) to[i] += *at++;
}

kernel void all(device float *d [[buffer(0)]])
{
    float own[4] = {};
    float other[4] = {};
    accumulate(own, other, 4);
    accumulate(own, d, 4);
    accumulate(d, own, 4);
    accumulate(d, d, 4);
}
";
    let again = check_round_trip(
        text,
        &["accumulate"],
        expect![[r#"
        void accumulate(float *to, const float *from, int count) {
            const float *at = from;
            for (int i = 0; i < count; ++i) to[i] += *at++;
        }

        kernel void all(device float *d [[buffer(0)]])
        {
            float own[4] = {};
            float other[4] = {};
            accumulate(own, other, 4);
            accumulate(own, d, 4);
            accumulate(d, own, 4);
            accumulate(d, d, 4);
        }
    "#]],
    );
    // The local pointers stay generic: they take the space of what they are set to.
    assert_eq!(
        again,
        text.replace("    thread const float *at", "    const float *at")
            .replace("    device const float *at", "    const float *at")
    );
}

#[test]
fn mask_byte_there_and_back() {
    let text = "\
void maskByte(device uint *word, uint index) {
    device uchar *bytes = (device uchar *)word;
    bytes[index] = 0;
}

void maskByte(threadgroup uint *word, uint index) {
    threadgroup uchar *bytes = (threadgroup uchar *)word;
    bytes[index] = 0;
}

kernel void all(device uint *d [[buffer(0)]], threadgroup uint *t [[threadgroup(0)]])
{
    maskByte(d, 1);
    maskByte(t, 2);
}
";
    let again = check_round_trip(
        text,
        &["maskByte"],
        expect![[r#"
        void maskByte(uint *word, uint index) {
            uchar *bytes = (uchar *)word;
            bytes[index] = 0;
        }

        kernel void all(device uint *d [[buffer(0)]], threadgroup uint *t [[threadgroup(0)]])
        {
            maskByte(d, 1);
            maskByte(t, 2);
        }
    "#]],
    );
    expect![[r#"
        void maskByte(device uint *word, uint index) {
            uchar *bytes = (uchar *)word;
            bytes[index] = 0;
        }

        void maskByte(threadgroup uint *word, uint index) {
            uchar *bytes = (uchar *)word;
            bytes[index] = 0;
        }

        kernel void all(device uint *d [[buffer(0)]], threadgroup uint *t [[threadgroup(0)]])
        {
            maskByte(d, 1);
            maskByte(t, 2);
        }
    "#]]
    .assert_eq(&again);
}

#[test]
fn sphere_there_and_back() {
    let text = "\
struct Sphere {
    float3 centre;
    float radius;

    float area() const thread { return 12.566f * radius * radius; }

    float area() const device { return 12.566f * radius * radius; }

    float area() const threadgroup { return 12.566f * radius * radius; }

    void grow(float by) thread { radius += by; }

    void grow(float by) device { radius += by; }
};

kernel void use(device Sphere &far [[buffer(0)]], threadgroup Sphere &shared [[threadgroup(0)]])
{
    Sphere near;
    near.grow(far.area() + shared.area());
    far.grow(near.area());
}
";
    let again = check_round_trip(
        text,
        &["area", "grow"],
        expect![[r#"
        struct Sphere {
            float3 centre;
            float radius;

            float area() const { return 12.566f * radius * radius; }

            void grow(float by) { radius += by; }
        };

        kernel void use(device Sphere &far [[buffer(0)]], threadgroup Sphere &shared [[threadgroup(0)]])
        {
            Sphere near;
            near.grow(far.area() + shared.area());
            far.grow(near.area());
        }
    "#]],
    );
    assert_eq!(again, text);
}

#[test]
fn light_data_there_and_back() {
    let text = "\
struct Light { float power; };
struct LightData { Light lights[4]; int count; };

device Light &brightest(device LightData &data) {
    int best = 0;
    for (int i = 1; i < data.count; ++i) best = data.lights[i].power > data.lights[best].power ? i : best;
    return data.lights[best];
}

threadgroup Light &brightest(threadgroup LightData &data) {
    int best = 0;
    for (int i = 1; i < data.count; ++i) best = data.lights[i].power > data.lights[best].power ? i : best;
    return data.lights[best];
}

kernel void all(device LightData &d [[buffer(0)]], threadgroup LightData &t [[threadgroup(0)]], device float *out [[buffer(1)]])
{
    *out = brightest(d).power + brightest(t).power;
}
";
    let again = check_round_trip(
        text,
        &["brightest"],
        expect![[r#"
        struct Light { float power; };
        struct LightData { Light lights[4]; int count; };

        Light &brightest(LightData &data) {
            int best = 0;
            for (int i = 1; i < data.count; ++i) best = data.lights[i].power > data.lights[best].power ? i : best;
            return data.lights[best];
        }

        kernel void all(device LightData &d [[buffer(0)]], threadgroup LightData &t [[threadgroup(0)]], device float *out [[buffer(1)]])
        {
            *out = brightest(d).power + brightest(t).power;
        }
    "#]],
    );
    assert_eq!(again, text);
}

#[test]
fn row_matrix_there_and_back() {
    let mut text = row_matrix();
    text.truncate(text.find("void add").unwrap());
    text.push_str("kernel void add(device RowMatrix &d [[buffer(0)]], threadgroup RowMatrix &t [[threadgroup(0)]], constant RowMatrix &c [[buffer(1)]])\n{\n    RowMatrix a;\n");
    for this in ["a", "d", "t"] {
        for other in ["a", "d", "t", "c"] {
            let _ = writeln!(text, "    {this} += {other};");
        }
    }
    text.push_str("}\n");
    let generic = generic_form(&text);
    expect![[r#"
        struct RowMatrix {
            float4 rows[4];

            RowMatrix &operator+=(const RowMatrix &other) {
                for (int i = 0; i < 4; ++i) rows[i] += other.rows[i];
                return *this;
            }
            RowMatrix &operator+=(constant const RowMatrix &other) {
                for (int i = 0; i < 4; ++i) rows[i] += other.rows[i];
                return *this;
            }
        };

        kernel void add(device RowMatrix &d [[buffer(0)]], threadgroup RowMatrix &t [[threadgroup(0)]], constant RowMatrix &c [[buffer(1)]])
        {
            RowMatrix a;
            a += a;
            a += d;
            a += t;
            a += c;
            d += a;
            d += d;
            d += t;
            d += c;
            t += a;
            t += d;
            t += t;
            t += c;
        }
    "#]].assert_eq(&generic);
    let of_generic = specialization(&generic, "operator+=");
    assert_eq!(of_generic.spaces.matches(',').count(), 7, "nine rows: {}", of_generic.spaces);
    let once = edited(&generic, of_generic.overloads);
    // What is left is the overload for constant memory, with `this` of three spaces.
    let at = once.find("operator+=(constant").unwrap() as u32;
    let of_constant = analysis(&[("main.metal", &once)])
        .specialization(&request("metal4.1"), &|place| place.range.start == at)
        .unwrap();
    let again = edited(&once, of_constant.overloads);
    let overloads =
        again.lines().map(str::trim).filter(|line| line.contains("operator+=")).collect::<Vec<_>>().join("\n");
    expect![[r#"
            thread RowMatrix &operator+=(thread const RowMatrix &other) thread {
            device RowMatrix &operator+=(thread const RowMatrix &other) device {
            threadgroup RowMatrix &operator+=(thread const RowMatrix &other) threadgroup {
            thread RowMatrix &operator+=(device const RowMatrix &other) thread {
            device RowMatrix &operator+=(device const RowMatrix &other) device {
            threadgroup RowMatrix &operator+=(device const RowMatrix &other) threadgroup {
            thread RowMatrix &operator+=(threadgroup const RowMatrix &other) thread {
            device RowMatrix &operator+=(threadgroup const RowMatrix &other) device {
            threadgroup RowMatrix &operator+=(threadgroup const RowMatrix &other) threadgroup {
            thread RowMatrix &operator+=(constant const RowMatrix &other) thread {
            device RowMatrix &operator+=(constant const RowMatrix &other) device {
            threadgroup RowMatrix &operator+=(constant const RowMatrix &other) threadgroup {"#]]
    .assert_eq(&overloads);
    assert_eq!(
        generic_form(&again).split_whitespace().collect::<String>(),
        generic.split_whitespace().collect::<String>()
    );
}
