//! Reads arbitrary bytes in every way that the crate offers.
#![no_main]

use libfuzzer_sys::fuzz_target;
use msl_metallib::{Module, ModuleEvidence, Options, check_consistency, judge, read, read_bitcode, read_text, summarize};

fuzz_target!(|bytes: &[u8]| {
    let container = read(bytes, &Options::default());
    for leaf in container.leaves() {
        if let Some(library) = leaf.container.library() {
            summarize(library);
            library.embedded_sources();
            library.functions().for_each(|function| drop(library.source_reference(&function)));
            for range in &library.modules().modules {
                use_module(&range.read());
                range.sha256();
            }
        }
        if let Some(module) = leaf.container.module() {
            use_module(&module);
        }
    }
    use_module(&read_bitcode(bytes));
    use_module(&read_text(bytes));
});

fn use_module(module: &Module<'_>) {
    judge(None, Some(&ModuleEvidence::of(module)));
    check_consistency(None, module);
    for symbol in &module.symbols {
        symbol.decorations().for_each(drop);
    }
}
