//! Prints what is known about compiled Metal files.
//!
//! `cargo run --release -p msl-metallib --example dump -- [--summary | --symbols] FILE…`
//!
//! `--summary` stops before the bitcode is read; `--symbols` lists every function and symbol instead of the first few.

#![allow(clippy::print_stderr, reason = "a command-line program reports its errors")]

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;
use std::time::Instant;

use msl_metallib::{
    Container, Leaf, Library, Module, ModuleEvidence, ModuleList, ModuleRange, Options, Problems, Side, Verdict,
    check_consistency, judge, read, summarize,
};
use rayon::prelude::*;

/// How many lines of one sort are printed, unless everything was asked for.
const MAX_LINES: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Summary,
    Modules,
    Symbols,
}

impl Detail {
    fn limit(self) -> usize {
        if self == Detail::Symbols { usize::MAX } else { MAX_LINES }
    }
}

fn main() -> ExitCode {
    let mut detail = Detail::Modules;
    let mut paths = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--summary" => detail = Detail::Summary,
            "--symbols" => detail = Detail::Symbols,
            _ => paths.push(argument),
        }
    }
    if paths.is_empty() {
        eprintln!("usage: dump [--summary | --symbols] FILE...");
        return ExitCode::from(2);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let mut status = ExitCode::SUCCESS;
    for path in paths {
        match dump(&path, detail, &mut out).and_then(|()| out.flush()) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            Err(error) => {
                eprintln!("{path}: {error}");
                status = ExitCode::FAILURE;
            }
        }
    }
    status
}

fn dump(path: &str, detail: Detail, out: &mut impl Write) -> io::Result<()> {
    let start = Instant::now();
    let file = File::open(path)?;
    // SAFETY: as for every mapped file, another process must not shorten it meanwhile.
    let bytes = unsafe { memmap2::Mmap::map(&file)? };
    let container = read(&bytes, &Options::default());
    writeln!(out, "{path}: {}, {} bytes", container.kind.as_str(), bytes.len())?;
    print_container_problems(&container, out)?;
    let leaves = container.leaves();
    if leaves.is_empty() {
        writeln!(out, "  no Metal library or module in it")?;
    }
    for leaf in leaves {
        print_leaf(&leaf, detail, out)?;
    }
    writeln!(out, "  ({:.3} s)", start.elapsed().as_secs_f64())
}

fn print_container_problems(container: &Container<'_>, out: &mut impl Write) -> io::Result<()> {
    print_problems(&container.problems, out)?;
    for part in container.parts() {
        print_container_problems(&part.container, out)?;
    }
    Ok(())
}

fn print_problems(problems: &Problems, out: &mut impl Write) -> io::Result<()> {
    for problem in problems {
        writeln!(out, "  problem: {problem}")?;
    }
    match problems.suppressed() {
        0 => Ok(()),
        count => writeln!(out, "  problem: {count} more"),
    }
}

fn print_leaf(leaf: &Leaf<'_, '_>, detail: Detail, out: &mut impl Write) -> io::Result<()> {
    if !leaf.path.is_empty() {
        writeln!(out, "  {} at byte {}: {}", leaf.path.join(" / "), leaf.offset, leaf.container.kind.as_str())?;
    }
    if let Some(library) = leaf.container.library() {
        print_library(library, detail, out)?;
        if detail != Detail::Summary {
            print_modules(library, detail, out)?;
        }
    } else if let Some(module) = leaf.container.module() {
        print_module(&module, detail, out)?;
        print_verdict(&judge(None, Some(&ModuleEvidence::of(&module))), out)?;
        print_problems(&check_consistency(None, &module), out)?;
    }
    Ok(())
}

fn print_library(library: &Library<'_>, detail: Detail, out: &mut impl Write) -> io::Result<()> {
    print_problems(&library.problems, out)?;
    let Some(header) = library.header else { return Ok(()) };
    let platform = match header.platform.name() {
        Some(name) => format!("{name} {}", header.deployment_target),
        None if header.is_macos => "macOS".to_owned(),
        None => "iOS family".to_owned(),
    };
    let stub = if header.is_stub { ", stub" } else { "" };
    writeln!(out, "  container {}, {}{stub}, for {platform}", header.version, header.file_type)?;
    if let Some(dynamic) = &library.extension.dynamic_header {
        if let Some(name) = dynamic.name.as_deref().filter(|name| !name.is_empty()) {
            writeln!(out, "  name {name}")?;
        }
        for linked in &dynamic.linked_libraries {
            writeln!(out, "  linked with {linked}")?;
        }
    }
    for import in library.extension.imported_symbols(library.bytes()).take(detail.limit()) {
        writeln!(out, "  imports {}", import.name_lossy())?;
    }
    for tag in &library.extension.unknown_tags {
        writeln!(out, "  unknown extension tag {}", tag.escape_ascii())?;
    }
    if let Some(sources) = library.embedded_sources() {
        writeln!(out, "  linked by: {}", sources.link_command)?;
        if let Some(directory) = &sources.working_directory {
            writeln!(out, "  linked in: {directory}")?;
        }
        for archive in &sources.archives {
            writeln!(out, "  source archive {} ({} bytes)", archive.id.escape_ascii(), archive.compressed.len())?;
        }
    }
    let summary = summarize(library);
    writeln!(out, "  {} functions", summary.found)?;
    for (versions, count) in &summary.by_version {
        let versions = versions.map_or("no version".to_owned(), |versions| versions.to_string());
        writeln!(out, "    {count} × {versions}")?;
    }
    for (kind, count) in &summary.by_kind {
        let kind = kind.map_or("no type".to_owned(), |kind| kind.to_string());
        writeln!(out, "    {count} × {kind}")?;
    }
    if summary.is_mixed() {
        writeln!(out, "    MIXED: functions of both sides of 4.1")?;
    }
    print_problems(&summary.problems, out)?;
    for function in library.functions().take(detail.limit()) {
        let kind = function.kind.map_or(String::new(), |kind| kind.to_string());
        let versions = function.versions.map_or(String::new(), |versions| versions.to_string());
        let source = library.source_reference(&function).map_or(String::new(), |reference| {
            let source = reference.source.map(|(path, line)| format!("{path}:{line}"));
            format!(" from {}", source.or(reference.object).unwrap_or_default())
        });
        writeln!(out, "    {kind} {} ({versions}){source}", function.name_lossy())?;
    }
    Ok(())
}

/// How often each line was met. Equal findings of thousands of modules become one line.
#[derive(Default)]
struct Findings {
    sides: BTreeMap<Side, usize>,
    symbols: usize,
    lines: BTreeMap<String, usize>,
}

impl Findings {
    fn add(&mut self, line: String) {
        *self.lines.entry(line).or_default() += 1;
    }

    fn merge(mut self, other: Findings) -> Findings {
        for (side, count) in other.sides {
            *self.sides.entry(side).or_default() += count;
        }
        for (line, count) in other.lines {
            *self.lines.entry(line).or_default() += count;
        }
        self.symbols += other.symbols;
        self
    }
}

fn print_modules(library: &Library<'_>, detail: Detail, out: &mut impl Write) -> io::Result<()> {
    let list = library.modules();
    print_problems(&list.problems, out)?;
    let functions: Vec<_> = library.functions().collect();
    let scan = |range: &ModuleRange<'_>| scan_module(range, &list, &functions);
    let findings = list.modules.par_iter().map(scan).reduce(Findings::default, Findings::merge);
    writeln!(out, "  {} modules, {} symbols", list.modules.len(), findings.symbols)?;
    for (side, count) in &findings.sides {
        writeln!(out, "    {count} × {}", side.as_str())?;
    }
    for (line, count) in findings.lines.iter().take(MAX_LINES) {
        writeln!(out, "    {line} (× {count})")?;
    }
    if list.without_module > 0 {
        writeln!(out, "    {} functions without a module", list.without_module)?;
    }
    if detail == Detail::Symbols {
        for range in &list.modules {
            print_module(&range.read(), detail, out)?;
        }
    }
    Ok(())
}

fn scan_module(range: &ModuleRange<'_>, list: &ModuleList<'_>, functions: &[msl_metallib::Function<'_>]) -> Findings {
    let module = range.read();
    let evidence = ModuleEvidence::of(&module);
    let hash = range.sha256();
    let mut findings = Findings { symbols: module.symbols.len(), ..Findings::default() };
    for ident in &module.ident {
        findings.add(format!("compiler: {ident}"));
    }
    if let Some(triple) = &module.triple {
        findings.add(format!("target: {triple}"));
    }
    findings.add(format!("options: {}", module.compile_options.join(" ")));
    for symbol in module.imports() {
        findings.add(format!("imports {}", symbol.name_lossy()));
    }
    for decoration in module.symbols.iter().flat_map(|symbol| symbol.decorations()) {
        findings.add(format!("{} in symbols", decoration.escape_ascii()));
    }
    for problem in &module.problems {
        findings.add(format!("problem: {problem}"));
    }
    for &index in list.functions_of(range) {
        let Some(function) = functions.get(index as usize) else { continue };
        let verdict = judge(function.versions, Some(&evidence));
        *findings.sides.entry(verdict.side).or_default() += 1;
        if verdict.is_contradictory() {
            findings.add(format!("contradiction: {} has evidence for both sides", function.name_lossy()));
        }
        for problem in &check_consistency(Some(function), &module) {
            findings.add(format!("{}: {}", problem.kind.as_str(), problem.message));
        }
        if function.hash.is_some_and(|stated| *stated != hash) {
            findings.add("hash differs from the module".to_owned());
        }
    }
    findings
}

fn print_module(module: &Module<'_>, detail: Detail, out: &mut impl Write) -> io::Result<()> {
    print_problems(&module.problems, out)?;
    writeln!(out, "  module {}", module.source_file_name.as_deref().unwrap_or("without a name"))?;
    writeln!(out, "    target {}", module.triple.as_deref().unwrap_or("(none)"))?;
    if let Some(source) = &module.air_source_file_name {
        writeln!(out, "    source {source}")?;
    }
    for ident in &module.ident {
        writeln!(out, "    compiler {ident}")?;
    }
    if let Some(version) = module.air_version {
        writeln!(out, "    AIR {version}")?;
    }
    if let Some(language) = &module.language {
        writeln!(out, "    {} {}.{}", language.name, language.version, language.patch)?;
    }
    if !module.compile_options.is_empty() {
        writeln!(out, "    options {}", module.compile_options.join(" "))?;
    }
    for symbol in module.symbols.iter().take(detail.limit()) {
        let verb = match (symbol.is_export(), symbol.is_import(), symbol.is_definition) {
            (true, _, _) => "exports",
            (_, true, _) => "imports",
            (_, _, true) => "defines",
            _ => "uses",
        };
        writeln!(out, "    {verb} {}", symbol.name_lossy())?;
    }
    Ok(())
}

fn print_verdict(verdict: &Verdict, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "    side: {}", verdict.side.as_str())?;
    for evidence in &verdict.evidence {
        writeln!(out, "      because {evidence}")?;
    }
    Ok(())
}
