//! Lexing and preprocessing speed on one file: the one that `MSL_BENCH_FILE` names, else a generated one.

use std::sync::Arc;

use divan::{Bencher, counter::BytesCount};
use msl_preproc::{FileId, Include, IncludeRequest, Options, SourceProvider, lex, preprocess};

fn main() {
    divan::main();
}

struct OneFile(Arc<[u8]>);

impl SourceProvider for OneFile {
    fn text(&self, _file: FileId) -> Option<Arc<[u8]>> {
        Some(Arc::clone(&self.0))
    }

    fn resolve_include(&self, request: &IncludeRequest<'_>) -> Include {
        if request.angled { Include::Library(msl_intern_name(request.spelling)) } else { Include::NotFound }
    }
}

fn msl_intern_name(spelling: &[u8]) -> msl_intern::Name {
    msl_intern::Name::from_bytes(spelling)
}

fn text() -> Arc<[u8]> {
    match std::env::var_os("MSL_BENCH_FILE").map(std::fs::read) {
        Some(Ok(text)) => text.into(),
        _ => generated().into_bytes().into(),
    }
}

/// Kernels with some macros, conditionals and comments, about 700 kB.
fn generated() -> String {
    let mut text = String::from(
        "#include <metal_stdlib>\nusing namespace metal;\n#define MAX_THREADS 1024\n#define CLAMP(x, lo, hi) min(max(x, lo), hi)\n",
    );
    for number in 0..1_500 {
        text.push_str(&format!(
            "// Kernel number {number} scales its input.\n#if defined(USE_{number}) || __METAL_VERSION__ >= 300\n\
             kernel void scale_{number}(device const float4 *input [[buffer(0)]],\n\
             \x20                          device float4 *output [[buffer(1)]],\n\
             \x20                          constant uint &count [[buffer(2)]],\n\
             \x20                          uint index [[thread_position_in_grid]]) {{\n\
             \x20   if (index >= count || index >= MAX_THREADS) {{ return; }}\n\
             \x20   float4 value = input[index] * {number}.5f + float4(0.25h, 1, 2, 3);\n\
             \x20   output[index] = CLAMP(value, float4(0), float4(1));\n}}\n#endif\n"
        ));
    }
    text
}

#[divan::bench]
fn lex_file(bencher: Bencher<'_, '_>) {
    let text = text();
    bencher.counter(BytesCount::new(text.len())).bench(|| lex(&text));
}

#[divan::bench]
fn preprocess_file(bencher: Bencher<'_, '_>) {
    let files = OneFile(text());
    let options = Options::default();
    bencher.counter(BytesCount::new(files.0.len())).bench(|| preprocess(FileId(0), &files, &options));
}
