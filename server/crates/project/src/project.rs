//! A project as a whole: reads its files, and answers what is known.

use std::sync::Arc;

use msl_diagnostics::{Code, Diagnostic, Place, Severity, TextRange, sort_and_merge};
use rustc_hash::FxHashMap;

use crate::{
    binary::{BinaryOptions, BinaryReport, NamesWanted, Symbols, is_binary, read_binary},
    cmake, cmake_presets,
    command::is_metal_source,
    compile_commands,
    files::FileAccess,
    host,
    host_model::{HostFile, read_host_file},
    just,
    lexer::Dialect,
    link::{self, Linked},
    make,
    model::{Detected, Evidence, Join, LinkUnit, LinkVerdict, Unit, UnitKind},
    ninja, paths,
    report::report,
    runtime, script, settings,
    shell::{ShellContext, run_script},
    step::Sink,
    tree::{SourceFile, Tree},
    xcode, yaml,
};

/// Everything that is known of a project.
#[derive(Clone, Debug, Default)]
pub struct Project {
    pub units: Vec<Unit>,
    pub link_units: Vec<LinkUnit>,
    pub diagnostics: Vec<Diagnostic>,
    /// The build files that were read, sorted.
    pub build_files: Vec<Arc<str>>,
    by_source: FxHashMap<Arc<str>, Vec<usize>>,
    /// The link units that take in each binary.
    takers: FxHashMap<String, Vec<usize>>,
    /// What host code does with functions, when host code is read.
    pub hosts: Vec<HostFile>,
    /// The names in binaries that links take in.
    symbols: FxHashMap<Arc<str>, Symbols>,
}

/// A project is read for at most so many configurations.
const MAX_CONFIGURATIONS: usize = 12;

/// How much of a project is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Builds,
    Everything,
}

/// Whether a program may be part of a build, by where build systems look for such programs. Opening every source of a
/// large repository would take long.
fn may_build(path: &str) -> bool {
    let name = paths::file_name(path);
    match Dialect::of(path) {
        Some(Dialect::C) | None => false,
        Some(Dialect::Rust) => name == "build.rs" || path.contains("xtask/"),
        Some(Dialect::Swift) => matches!(name, "Package.swift" | "Project.swift") || path.contains("Plugins/"),
        Some(Dialect::JavaScript) => !path.contains("node_modules/"),
        Some(_) => true,
    }
}

/// The kind of a file that is read for versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    CompileCommands,
    Make,
    Shell,
    CMake,
    Ninja,
    Xcode,
    XcodeConfiguration,
    Yaml,
    Presets,
    Just,
}

/// Whether a file of this name can say something about language versions; changes to it make a project stale.
pub fn is_build_file(path: &str) -> bool {
    reader_of(path).is_some() || Dialect::of(path).is_some()
}

fn reader_of(path: &str) -> Option<Reader> {
    let name = paths::file_name(path);
    let extension = paths::extension(path).to_ascii_lowercase();
    Some(match (name, extension.as_str()) {
        ("compile_commands.json", _) => Reader::CompileCommands,
        ("Makefile" | "makefile" | "GNUmakefile", _) | (_, "mk" | "mak" | "make") => Reader::Make,
        ("CMakeLists.txt", _) => Reader::CMake,
        ("CMakePresets.json" | "CMakeUserPresets.json", _) => Reader::Presets,
        ("project.pbxproj", _) => Reader::Xcode,
        ("justfile" | "Justfile" | ".justfile", _) | (_, "just") => Reader::Just,
        (_, "ninja") => Reader::Ninja,
        (_, "xcconfig") => Reader::XcodeConfiguration,
        (_, "yml" | "yaml") => Reader::Yaml,
        (_, "sh" | "bash" | "zsh" | "command") => Reader::Shell,
        _ => return None,
    })
}

impl Project {
    /// Reads the build files and host sources below `root`.
    pub fn load(root: &str, access: &dyn FileAccess) -> Project {
        Project::read(root, access, Extent::Everything)
    }

    /// Reads the build files alone: enough for [`Project::version_of`].
    pub fn load_builds(root: &str, access: &dyn FileAccess) -> Project {
        Project::read(root, access, Extent::Builds)
    }

    fn read(root: &str, access: &dyn FileAccess, extent: Extent) -> Project {
        let tree = Tree::new(root, access);
        let mut sink = Sink::default();
        let mut build_files = Vec::new();
        let mut runtime = Vec::new();
        let mut hosts = Vec::new();
        for path in &tree.files {
            let dialect = Dialect::of(path).filter(|_| extent == Extent::Everything || may_build(path));
            let reader = reader_of(path);
            if reader.is_none() && dialect.is_none() {
                continue;
            }
            let Some(file) = tree.load(path) else { continue };
            let before = (sink.steps.len(), sink.targets.len());
            if let Some(reader) = reader {
                read_file(&tree, reader, &file, &mut sink);
            }
            if let Some(dialect) = dialect {
                settings::read(&tree, &file, dialect, &mut sink);
                script::read(&tree, &file, dialect, &script_directories(&tree, &file), &mut sink);
                runtime.extend(host::read(&tree, &file, dialect));
                hosts.extend(read_host_file(&file.path, &file.text));
            }
            if before != (sink.steps.len(), sink.targets.len()) {
                build_files.push(file.path.clone());
            }
        }
        build_files.extend(read_cmake(&tree, &mut sink));
        let Linked { units, link_units, binary_inputs } = link::assemble(&tree, &sink);
        let mut project = Project { units, link_units, build_files, ..Project::default() };
        project.units.extend(runtime);
        for (link, path) in binary_inputs {
            project.takers.entry(path).or_default().push(link);
        }
        project.add_plain_sources(&tree);
        project.hosts = hosts;
        project.finish();
        project
    }

    /// Takes in what is known of another project.
    pub fn append(&mut self, other: Project) {
        let (units, links) = (self.units.len(), self.link_units.len());
        self.units.extend(other.units);
        self.link_units.extend(other.link_units.into_iter().map(|mut link| {
            link.members.iter_mut().for_each(|member| *member += units);
            link
        }));
        self.build_files.extend(other.build_files);
        self.diagnostics.extend(other.diagnostics);
        self.symbols.extend(other.symbols);
        self.hosts.extend(other.hosts);
        for (path, takers) in other.takers {
            self.takers.entry(path).or_default().extend(takers.into_iter().map(|link| link + links));
        }
        self.finish();
    }

    /// Reads the compiled Metal below `root`.
    pub fn add_binaries(&mut self, root: &str, access: &dyn FileAccess, options: BinaryOptions) {
        let tree = Tree::new(root, access);
        for path in &tree.files {
            if !may_be_binary(path) {
                continue;
            }
            if let Some(bytes) = access.read(path)
                && is_binary((*bytes).as_ref())
            {
                self.add_binary(path, (*bytes).as_ref(), options);
            }
        }
    }

    /// Adds one binary, whatever its name.
    pub fn add_binary(&mut self, path: &str, bytes: &[u8], options: BinaryOptions) {
        let path: Arc<str> = Arc::from(path);
        let names = if self.takers.contains_key(&*path) { NamesWanted::ForLink } else { NamesWanted::WithinFile };
        let report = read_binary(&path, bytes, options, names);
        self.add_report(&path, report);
        self.finish();
    }

    fn add_report(&mut self, path: &Arc<str>, report: BinaryReport) {
        let first = self.units.len();
        let members: Vec<usize> = (first..first + report.units.len()).collect();
        self.units.extend(report.units);
        for link in self.takers.get(&**path).into_iter().flatten() {
            if let Some(link) = self.link_units.get_mut(*link) {
                link.members.extend(&members);
            }
        }
        if self.takers.contains_key(&**path) && !report.symbols.is_empty() {
            self.symbols.insert(path.clone(), report.symbols);
        }
        let place = Place { path: path.clone(), range: TextRange::default() };
        let mut add = |code: Code, severity: Severity, message: String| {
            self.diagnostics.push(Diagnostic::new(code, severity, place.clone(), message));
        };
        if report.is_empty_library {
            let message = "this library has no functions: a link that leaves out every module ends with success, too";
            add(Code::AbiEmptyLibrary, Severity::Warning, message.to_owned());
        }
        for problem in report.problems {
            add(Code::AbiInconsistentBinary, Severity::Warning, problem);
        }
        if members.is_empty() {
            return;
        }
        self.link_units.push(LinkUnit {
            name: path.to_string(),
            path: path.clone(),
            range: None,
            members,
            unresolved: Vec::new(),
            join: if report.is_dynamic { Join::Dynamic } else { Join::Binary },
            is_dynamic: false,
            verdict: LinkVerdict::Unknown,
            crossing: report.crossing,
            deployment: None,
            takes_system_of_first: false,
        });
    }

    /// Sources that nothing was found to compile.
    fn add_plain_sources(&mut self, tree: &Tree<'_>) {
        let known: std::collections::HashSet<Arc<str>> = self.units.iter().map(|unit| unit.path.clone()).collect();
        for path in tree.files.iter().filter(|path| is_metal_source(path) && !known.contains(path.as_str())) {
            let path: Arc<str> = Arc::from(path.as_str());
            let mut unit = Unit::new(UnitKind::Source, path.clone(), None);
            let message = "no build file was found to compile it".to_owned();
            unit.evidence.push(Evidence { path, range: None, line: None, message });
            self.units.push(unit);
        }
    }

    /// Judges all link units, and finds what is to be reported.
    fn finish(&mut self) {
        // Binaries may have come since.
        let is_runtime = |link: &LinkUnit| self.hosts.iter().any(|host| host.path == link.path);
        let mut links = std::mem::take(&mut self.link_units);
        links.retain(|link| !is_runtime(link));
        links.extend(runtime::links(&self.hosts, &self.units, &links));
        self.link_units = links;
        for link in &mut self.link_units {
            let sides = link.members.iter().filter_map(|&index| self.units.get(index)).map(|unit| unit.side);
            link.verdict = LinkVerdict::of(sides, link.unresolved.is_empty());
            if link.verdict == LinkVerdict::Mixed && !self.symbols.is_empty() && link.crossing.is_none() {
                link.crossing = crossing(link, &self.units, &self.symbols);
            }
        }
        self.diagnostics
            .retain(|diagnostic| matches!(diagnostic.code, Code::AbiEmptyLibrary | Code::AbiInconsistentBinary));
        self.diagnostics.extend(report(&self.units, &self.link_units));
        sort_and_merge(&mut self.diagnostics);
        self.by_source.clear();
        for (index, unit) in self.units.iter().enumerate() {
            if unit.kind == UnitKind::Source {
                self.by_source.entry(unit.path.clone()).or_default().push(index);
            }
        }
    }

    /// The version that the build gives a shader source, by its path as the tree names it. `None` if it is not known, or
    /// if the source is compiled as several versions. What presets say counts where the build files alone say nothing.
    pub fn version_of(&self, path: &str) -> Option<Detected> {
        let units: Vec<&Unit> = self.by_source.get(path)?.iter().filter_map(|&index| self.units.get(index)).collect();
        let of_builds = |is_alternative: bool| {
            let mut known =
                units.iter().filter(move |unit| unit.is_alternative == is_alternative && unit.std.is_some());
            let first = *known.next()?;
            let is_one = known.all(|unit| unit.std == first.std);
            Some(is_one.then_some(first))
        };
        let unit = of_builds(false).or_else(|| of_builds(true))??;
        Some(Detected { std: unit.std?, evidence: unit.evidence.clone() })
    }
}

impl Project {
    /// Whether a source is built into a dynamic library, whose functions code elsewhere calls.
    pub fn is_in_dynamic_library(&self, path: &str) -> bool {
        let Some(units) = self.by_source.get(path) else { return false };
        self.link_units.iter().any(|link| link.is_dynamic && link.members.iter().any(|member| units.contains(member)))
    }
}

/// A name that a binary of a link needs and one of the other side defines.
fn crossing(link: &LinkUnit, units: &[Unit], symbols: &FxHashMap<Arc<str>, Symbols>) -> Option<String> {
    let members = link.members.iter().filter_map(|&index| units.get(index));
    let mut paths: Vec<&Arc<str>> =
        members.filter(|unit| unit.kind == UnitKind::Binary).map(|unit| &unit.path).collect();
    paths.sort();
    paths.dedup();
    let mut all = Symbols::default();
    paths.into_iter().filter_map(|path| symbols.get(path)).for_each(|names| all.merge(names));
    all.crossing()
}

/// Reads all trees of CMake files: once as they are, and once for each preset and each set of `-D` options that scripts
/// pass. Gives the files that were read.
fn read_cmake(tree: &Tree<'_>, sink: &mut Sink) -> Vec<Arc<str>> {
    let mut roots: Vec<&String> = tree.files.iter().filter(|path| paths::file_name(path) == "CMakeLists.txt").collect();
    roots.sort_by_key(|path| path.matches('/').count());
    let mut read: rustc_hash::FxHashSet<String> = rustc_hash::FxHashSet::default();
    let options = cmake_presets::command_line_options(sink);
    for path in roots {
        if read.contains(path) {
            continue;
        }
        let Some(file) = tree.load(path) else { continue };
        read.extend(cmake::read(tree, &file, &cmake::Cache::default(), sink));
        let presets = cmake_presets::presets(tree, file.folder());
        for cache in presets.iter().chain(&options).take(MAX_CONFIGURATIONS) {
            cmake::read(tree, &file, cache, sink);
        }
    }
    read.into_iter().map(Arc::from).collect()
}

/// Reads one build file.
fn read_file(tree: &Tree<'_>, reader: Reader, file: &SourceFile, sink: &mut Sink) {
    match reader {
        Reader::CompileCommands => compile_commands::read(tree, file, sink),
        Reader::Make => make::read(tree, file, sink),
        Reader::Ninja => ninja::read(tree, file, sink),
        Reader::Xcode => xcode::read(tree, file, sink),
        Reader::Yaml => yaml::read(tree, file, sink),
        Reader::Just => just::read(tree, file, sink),
        // Read through what names them.
        Reader::CMake | Reader::Presets | Reader::XcodeConfiguration => {}
        Reader::Shell => {
            if file.text.contains("metal") {
                let directories = script_directories(tree, file);
                let context = ShellContext {
                    directories: &directories,
                    script_folder: file.folder(),
                    variables: &[],
                    files: &tree.files,
                    scope: &file.path,
                };
                run_script(&file.whole(), &context, sink);
            }
        }
    }
}

/// Where a script may run: its folder, the root, the folders between.
pub(crate) fn script_directories(tree: &Tree<'_>, file: &SourceFile) -> Vec<String> {
    let mut directories = vec![file.folder().to_owned()];
    let mut folder = file.folder();
    while folder != tree.root && folder != "." && folder != "/" && directories.len() < 32 {
        folder = paths::folder_of(folder);
        directories.push(folder.to_owned());
    }
    if !directories.contains(&tree.root) {
        directories.push(tree.root.clone());
    }
    directories
}

/// Whether a file is worth opening to see whether it is a Metal binary. Text that people write is not.
fn may_be_binary(path: &str) -> bool {
    let extension = paths::extension(path).to_ascii_lowercase();
    matches!(
        extension.as_str(),
        "metallib"
            | "air"
            | "ir"
            | "metalir"
            | "bc"
            | "ll"
            | "a"
            | "metalar"
            | "metal-ar"
            | "metallibsym"
            | "metallib-static"
            | "bin"
            | ""
    )
}
