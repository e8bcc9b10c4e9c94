//! Makes a table of the pages under `docs/diagnostics`, so that `explain` can print them and a page that is added is
//! found without naming it twice.

use std::{env, fs, path::Path};

fn main() {
    let manifest = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let pages = Path::new(&manifest).join("../docs/diagnostics");
    println!("cargo:rerun-if-changed={}", pages.display());
    let mut names: Vec<String> = fs::read_dir(&pages)
        .map(|entries| {
            entries
                .flatten()
                .filter_map(|entry| entry.file_name().to_str()?.strip_suffix(".md").map(str::to_owned))
                .collect()
        })
        .unwrap_or_default();
    names.sort();
    let rows: String = names
        .iter()
        .map(|name| {
            format!("    ({name:?}, include_str!({:?})),\n", pages.join(format!("{name}.md")).display().to_string())
        })
        .collect();
    let code = format!("/// Name and text of each documentation page.\nconst PAGES: &[(&str, &str)] = &[\n{rows}];\n");
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("diagnostic_pages.rs");
    fs::write(out, code).expect("the build folder can be written to");
}
