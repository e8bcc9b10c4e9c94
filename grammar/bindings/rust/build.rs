//! Compiles the generated parser and the external scanner.

use std::path::Path;

fn main() {
    let source = Path::new("src");
    let mut build = cc::Build::new();
    build.std("c11").include(source).warnings(false).flag_if_supported("-utf-8");
    // The generated tables compile in a second or two at any level, and a parser that is slow in debug builds makes
    // every test of the workspace slow.
    build.opt_level(2);
    for file in ["parser.c", "scanner.c"] {
        let path = source.join(file);
        println!("cargo:rerun-if-changed={}", path.display());
        build.file(path);
    }
    println!("cargo:rerun-if-changed=src/tree_sitter");
    build.compile("tree-sitter-metal");
}
