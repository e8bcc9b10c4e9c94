//! What the repairs of findings about attributes make of the code.

use std::sync::Arc;

use expect_test::{Expect, expect};
use msl_db::{Database, UnitOptions, file_system::MemoryFiles};
use msl_preproc::{LanguageVersion, Token, TokenFlags, TokenKind};

use crate::sema::TokenEdit;

/// Applies the preferred repair of each finding about declarations, one at a time, and shows what comes of it.
fn check_repairs(text: &str, expected: Expect) {
    let mut files = MemoryFiles::default();
    files.insert("main.metal", text);
    let db = Database::with_events(Arc::new(files), None);
    let unit = db.unit("main.metal", UnitOptions::new(LanguageVersion::DEFAULT));
    let env = crate::environment(&db, unit);
    let first = env.ast.start().tokens;
    let mut shown = String::new();
    for finding in &crate::checked_declarations(&db, unit).diagnostics {
        let Some(fix) = finding.fixes.iter().find(|fix| fix.preferred) else { continue };
        let [edit] = &*fix.edits else { panic!("one edit for each repair here") };
        shown.push_str(&format!("{}: {}\n", fix.title, apply(&env.tokens, first, edit)));
    }
    expected.assert_eq(&shown);
}

/// The line of the edit, with the edit made.
fn apply(tokens: &[Token], first: u32, edit: &TokenEdit) -> String {
    let (start, end) = ((edit.range.start - first) as usize, (edit.range.end - first) as usize);
    let starts_line = |index: usize| tokens[index].flags.0 & TokenFlags::LINE_START != 0;
    let anchor = if edit.after { start - 1 } else { start };
    let line = (0..=anchor).rev().find(|&index| starts_line(index)).unwrap_or(0);
    let mut words: Vec<&str> = Vec::new();
    for (index, token) in tokens.iter().enumerate().skip(line) {
        if index == start {
            words.push(edit.text.trim());
        }
        if index > line && starts_line(index) {
            break;
        }
        // A body that was cut out of the stream has no spelling here.
        if !(start..end).contains(&index) && !matches!(token.kind, TokenKind::Body) {
            words.push(token.text());
        }
    }
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

#[test]
fn slots_and_ids() {
    check_repairs(
        "kernel void k(device float *a [[buffer(0)]],\n device float *b [[buffer(0)]],\n device float *c [[buffer(1)]],\n device float *d) {}\n\
         struct S {\n device float *a [[id(2)]];\n device float *b [[id(2)]];\n};\n",
        expect![[r#"
            Use the next free slot, 2: device float * b [ [ buffer ( 2 ) ] ] ,
            Add `[[buffer(2)]]`: device float * d [[buffer(2)]] )
            Use the next free id, 3: device float * b [ [ id ( 3 ) ] ] ;
        "#]],
    );
}

#[test]
fn types() {
    check_repairs(
        "vertex float4 v(float a [[vertex_id]],\n int b [[instance_id]]) { return 0; }\n\
         kernel void k(const int2 i [[thread_position_in_grid]],\n float3 j [[threads_per_threadgroup]],\n bool4 n [[threadgroups_per_grid]]) {}\n\
         struct S {\n float3 a [[position]];\n half b [[point_size]];\n};\n\
         struct T {\n float3 a [[position]], b;\n};\n",
        expect![[r#"
            Change the type to `uint`: vertex float4 v ( uint a [ [ vertex_id ] ] ,
            Change the type to `uint`: uint b [ [ instance_id ] ] )
            Change the type to `uint2`: kernel void k ( const uint2 i [ [ thread_position_in_grid ] ] ,
            Change the type to `uint3`: uint3 j [ [ threads_per_threadgroup ] ] ,
            Change the type to `float4`: float4 a [ [ position ] ] ;
            Change the type to `float`: float b [ [ point_size ] ] ;
        "#]],
    );
}

#[test]
fn what_is_missing() {
    check_repairs(
        "struct Out {\n float4 a;\n float3 b;\n};\nvertex Out v() { return {}; }\n\
         struct In {\n float4 a [[attribute(3)]];\n float4 b;\n float4 c;\n};\nvertex float4 w(In in [[stage_in]]) { return in.a; }\n\
         struct Flat {\n int a;\n uint b [[center_perspective]];\n};\nfragment float4 f(Flat in [[stage_in]]) { return 0; }\n",
        expect![[r#"
            Add `[[position]]` to `a`: float4 a [[position]] ;
            Add `[[attribute(4)]]`: float4 b [[attribute(4)]] ;
            Add `[[attribute(5)]]`: float4 c [[attribute(5)]] ;
            Change to `flat`: uint b [ [ flat ] ] ;
            Add `[[flat]]`: int a [[flat]] ;
        "#]],
    );
}

#[test]
fn names() {
    check_repairs(
        "kernel void k(uint a [[threadPositionInGrid]],\n uint b [[thread_execution_width(1)]]) {}\n\
         constant bool a [[function_constant(0)]];\nconstant bool b [[function_constant(0)]];\nconst bool c [[function_constant(2)]];\n",
        expect![[r#"
            Change to `thread_position_in_grid`: kernel void k ( uint a [ [ thread_position_in_grid ] ] ,
            Remove the argument list: uint b [ [ thread_execution_width ] ] )
            Change to `threads_per_simdgroup`: uint b [ [ threads_per_simdgroup ( 1 ) ] ] )
            Add `constant`: constant const bool c [ [ function_constant ( 2 ) ] ] ;
            Use the free index 1: constant bool b [ [ function_constant ( 1 ) ] ] ;
        "#]],
    );
}
