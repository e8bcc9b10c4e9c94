//! Prints what is known about a compiled Metal file.
//!
//! `cargo run --release -p msl-metallib --example dump -- [--summary | --symbols] FILE…`
//!
//! `--summary` stops before the bitcode is read; `--symbols` also lists every symbol.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program prints")]

use std::collections::BTreeMap;
use std::fs::File;
use std::process::ExitCode;
use std::time::Instant;

use msl_metallib::{
    Container, Leaf, Library, Module, ModuleEvidence, Options, Problems, Side, Verdict, check_consistency, judge, read,
    summarize,
};
use rayon::prelude::*;

/// How many functions and symbols are listed one by one.
const MAX_LISTED: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Summary,
    Modules,
    Symbols,
}

fn main() -> ExitCode {
    let mut detail = Detail::Modules;
    let mut status = ExitCode::SUCCESS;
    let mut files = 0;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--summary" => detail = Detail::Summary,
            "--symbols" => detail = Detail::Symbols,
            path => {
                files += 1;
                if let Err(error) = dump(path, detail) {
                    eprintln!("{path}: {error}");
                    status = ExitCode::FAILURE;
                }
            }
        }
    }
    if files == 0 {
        eprintln!("usage: dump [--summary | --symbols] FILE...");
        return ExitCode::from(2);
    }
    status
}

fn dump(path: &str, detail: Detail) -> std::io::Result<()> {
    let start = Instant::now();
    let file = File::open(path)?;
    // SAFETY: as for every mapped file, another process must not shorten it meanwhile.
    let bytes = unsafe { memmap2::Mmap::map(&file)? };
    let container = read(&bytes, &Options::default());
    println!("{path}: {}, {} bytes", container.kind.as_str(), bytes.len());
    print_problems(&container);
    let leaves = container.leaves();
    if leaves.is_empty() {
        println!("  no Metal library or module in it");
    }
    for leaf in leaves {
        print_leaf(&leaf, detail);
    }
    println!("  ({:.3} s)", start.elapsed().as_secs_f64());
    Ok(())
}

fn print_problems(container: &Container<'_>) {
    print_list(&container.problems);
    for part in container.parts() {
        print_list(&part.container.problems);
    }
}

fn print_list(problems: &Problems) {
    for problem in problems {
        println!("  problem: {problem}");
    }
    if problems.suppressed() > 0 {
        println!("  problem: {} more", problems.suppressed());
    }
}

fn print_leaf(leaf: &Leaf<'_, '_>, detail: Detail) {
    if !leaf.path.is_empty() {
        println!("  {} at byte {}: {}", leaf.path.join(" / "), leaf.offset, leaf.container.kind.as_str());
    }
    if let Some(library) = leaf.container.library() {
        print_library(library);
        if detail != Detail::Summary {
            print_modules(library, detail);
        }
    } else if let Some(module) = leaf.container.module() {
        print_module(&module, detail);
        print_verdict(&judge(None, Some(&ModuleEvidence::of(&module))));
        print_list(&check_consistency(None, &module));
    }
}

fn print_library(library: &Library<'_>) {
    print_list(&library.problems);
    let Some(header) = library.header else { return };
    let platform = match header.platform.name() {
        Some(name) => format!("{name} {}", header.deployment_target),
        None if header.is_macos => "macOS".to_owned(),
        None => "iOS family".to_owned(),
    };
    let stub = if header.is_stub { ", stub" } else { "" };
    println!("  container {}, {}{stub}, for {platform}", header.version, header.file_type);
    if let Some(dynamic) = &library.extension.dynamic_header {
        println!("  name {}", dynamic.name.as_deref().unwrap_or("(none)"));
        for linked in &dynamic.linked_libraries {
            println!("  linked with {linked}");
        }
    }
    for import in library.extension.imported_symbols(library.bytes()).take(MAX_LISTED) {
        println!("  imports {}", import.name_lossy());
    }
    for tag in &library.extension.unknown_tags {
        println!("  unknown extension tag {}", tag.escape_ascii());
    }
    if let Some(sources) = library.embedded_sources() {
        println!("  linked by: {}", sources.link_command);
        if let Some(directory) = &sources.working_directory {
            println!("  linked in: {directory}");
        }
        for archive in &sources.archives {
            println!("  source archive {} ({} bytes)", archive.id.escape_ascii(), archive.compressed.len());
        }
    }
    let summary = summarize(library);
    println!("  {} functions", summary.found);
    for (versions, count) in &summary.by_version {
        match versions {
            Some(versions) => println!("    {count} × {versions}"),
            None => println!("    {count} × no version"),
        }
    }
    for (kind, count) in &summary.by_kind {
        match kind {
            Some(kind) => println!("    {count} × {kind}"),
            None => println!("    {count} × no type"),
        }
    }
    if summary.is_mixed() {
        println!("    MIXED: functions of both sides of 4.1");
    }
    print_list(&summary.problems);
    for function in library.functions().take(MAX_LISTED) {
        let kind = function.kind.map_or(String::new(), |kind| kind.to_string());
        let versions = function.versions.map_or(String::new(), |versions| versions.to_string());
        let source = library.source_reference(&function).map_or(String::new(), |reference| {
            let source = reference.source.map(|(path, line)| format!("{path}:{line}"));
            format!(" from {}", source.or(reference.object).unwrap_or_default())
        });
        println!("    {kind} {} ({versions}){source}", function.name_lossy());
    }
}

/// The findings of one module, reduced to what is printed.
struct Scan {
    sides: BTreeMap<Side, usize>,
    contradictions: Vec<String>,
    idents: Vec<String>,
    triples: Vec<String>,
    options: Vec<String>,
    hash_differs: usize,
    symbols: usize,
    imports: Vec<String>,
    decorations: BTreeMap<Vec<u8>, usize>,
    problems: Vec<String>,
}

fn print_modules(library: &Library<'_>, detail: Detail) {
    let list = library.modules();
    print_list(&list.problems);
    let functions: Vec<_> = library.functions().collect();
    let scans: Vec<Scan> = list
        .modules
        .par_iter()
        .map(|range| {
            let module = range.read();
            if detail == Detail::Symbols {
                print_module(&module, detail);
            }
            let evidence = ModuleEvidence::of(&module);
            let hash = range.sha256();
            let mut scan = Scan {
                sides: BTreeMap::new(),
                contradictions: Vec::new(),
                idents: module.ident.clone(),
                triples: module.triple.clone().into_iter().collect(),
                options: vec![module.compile_options.join(" ")],
                hash_differs: 0,
                symbols: module.symbols.len(),
                imports: module.imports().map(|symbol| symbol.name_lossy().into_owned()).collect(),
                decorations: BTreeMap::new(),
                problems: module.problems.iter().map(ToString::to_string).collect(),
            };
            for symbol in &module.symbols {
                for decoration in symbol.decorations() {
                    *scan.decorations.entry(decoration.to_vec()).or_default() += 1;
                }
            }
            for &index in list.functions_of(range) {
                let Some(function) = functions.get(index as usize) else { continue };
                let verdict = judge(function.versions, Some(&evidence));
                *scan.sides.entry(verdict.side).or_default() += 1;
                if verdict.is_contradictory() {
                    scan.contradictions.push(format!("{}: evidence for both sides", function.name_lossy()));
                }
                let problems = check_consistency(Some(function), &module);
                scan.contradictions.extend(problems.iter().map(ToString::to_string));
                scan.hash_differs += usize::from(function.hash.is_some_and(|stated| *stated != hash));
            }
            scan
        })
        .collect();
    let mut sides: BTreeMap<Side, usize> = BTreeMap::new();
    let mut decorations: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for scan in &scans {
        for (side, count) in &scan.sides {
            *sides.entry(*side).or_default() += count;
        }
        for (decoration, count) in &scan.decorations {
            *decorations.entry(decoration.clone()).or_default() += count;
        }
    }
    println!("  {} modules, {} symbols", scans.len(), scans.iter().map(|scan| scan.symbols).sum::<usize>());
    for (side, count) in sides {
        println!("    {count} × {}", side.as_str());
    }
    for (decoration, count) in decorations {
        println!("    {count} × {} in symbols", decoration.escape_ascii());
    }
    print_distinct("compiler", scans.iter().flat_map(|scan| &scan.idents));
    print_distinct("target", scans.iter().flat_map(|scan| &scan.triples));
    print_distinct("options", scans.iter().flat_map(|scan| &scan.options));
    print_distinct("imports", scans.iter().flat_map(|scan| &scan.imports));
    print_distinct("contradiction", scans.iter().flat_map(|scan| &scan.contradictions));
    print_distinct("module problem", scans.iter().flat_map(|scan| &scan.problems));
    let hash_differs: usize = scans.iter().map(|scan| scan.hash_differs).sum();
    println!("    {hash_differs} hashes differ, {} functions without a module", list.without_module);
}

fn print_distinct<'s>(label: &str, texts: impl Iterator<Item = &'s String>) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    for (text, count) in counts.iter().take(MAX_LISTED) {
        println!("    {label}: {text} (× {count})");
    }
}

fn print_module(module: &Module<'_>, detail: Detail) {
    print_list(&module.problems);
    println!("  module {}", module.source_file_name.as_deref().unwrap_or(""));
    println!("    target {}", module.triple.as_deref().unwrap_or("(none)"));
    if let Some(source) = &module.air_source_file_name {
        println!("    source {source}");
    }
    for ident in &module.ident {
        println!("    compiler {ident}");
    }
    if let Some(version) = module.air_version {
        println!("    AIR {version}");
    }
    if let Some(language) = &module.language {
        println!("    {} {}.{}", language.name, language.version, language.patch);
    }
    println!("    options {}", module.compile_options.join(" "));
    let limit = if detail == Detail::Symbols { usize::MAX } else { MAX_LISTED };
    for symbol in module.symbols.iter().take(limit) {
        let verb = match (symbol.is_export(), symbol.is_import(), symbol.is_definition) {
            (true, _, _) => "exports",
            (_, true, _) => "imports",
            (_, _, true) => "defines",
            _ => "uses",
        };
        println!("    {verb} {}", symbol.name_lossy());
    }
}

fn print_verdict(verdict: &Verdict) {
    println!("    side: {}", verdict.side.as_str());
    for evidence in &verdict.evidence {
        println!("      because {evidence}");
    }
}
