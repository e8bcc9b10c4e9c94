//! Units of compiled Metal: libraries, modules, archives, and what carries them.

use std::{collections::BTreeMap, sync::Arc};

use msl_metallib::{
    Container, HashCheck, Kind, Library, Module, ModuleEvidence, Options, Side, Version, check_consistency, judge,
    key_across_boundary, read, sniff,
};
use msl_preproc::LanguageVersion;
use rustc_hash::FxHashMap;

use crate::{
    model::{Evidence, Unit, UnitKind},
    version::{DeploymentTarget, System, from_numbers},
};

/// How far to look into binaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BinaryOptions {
    /// One unit for each function, with what its module says.
    pub functions: bool,
    /// Whether to compare the hash of each module with the one that its library states.
    pub verify_hashes: bool,
}

/// What a binary comes to.
#[derive(Default)]
pub(crate) struct BinaryReport {
    pub(crate) units: Vec<Unit>,
    /// A name that one side needs and the other defines, across all modules of the file.
    pub(crate) crossing: Option<String>,
    /// Whether it is a dynamic library or linked with one.
    pub(crate) is_dynamic: bool,
    /// Whether it is a library without functions.
    pub(crate) is_empty_library: bool,
    /// What is wrong with it: foreign, inconsistent, truncated.
    pub(crate) problems: Vec<String>,
    /// Symbols that other binaries of a link may need or supply.
    pub(crate) symbols: Symbols,
}

/// Names that cross modules, each with the sides that stand behind it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symbols {
    needs: Vec<(Vec<u8>, Side)>,
    supplies: FxHashMap<Vec<u8>, Vec<(Vec<u8>, Side)>>,
}

impl Symbols {
    fn add(&mut self, module: &Module<'_>, side: Side) {
        for symbol in module.imports() {
            self.needs.push((symbol.name.to_vec(), side));
        }
        for symbol in module.exports() {
            let key = key_across_boundary(&symbol.name).into_owned();
            self.supplies.entry(key).or_default().push((symbol.name.to_vec(), side));
        }
    }

    /// Takes in the names of another binary of the same link.
    pub(crate) fn merge(&mut self, other: &Symbols) {
        self.needs.extend(other.needs.iter().cloned());
        for (key, suppliers) in &other.supplies {
            self.supplies.entry(key.clone()).or_default().extend(suppliers.iter().cloned());
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.needs.is_empty() && self.supplies.is_empty()
    }

    /// A name that one side needs and only the other defines.
    pub(crate) fn crossing(&self) -> Option<String> {
        let mut found = self.needs.iter().filter_map(|(name, side)| {
            let suppliers = self.supplies.get(key_across_boundary(name).as_ref())?;
            let own = suppliers.iter().any(|(other, theirs)| theirs == side && other == name);
            let across = suppliers.iter().any(|(_, theirs)| {
                matches!((side, theirs), (Side::Before41, Side::From41) | (Side::From41, Side::Before41))
            });
            (across && !own).then(|| String::from_utf8_lossy(name).into_owned())
        });
        found.next()
    }
}

/// Whether contents are a Metal binary, judged by their first bytes.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    !matches!(sniff(bytes), Kind::Other | Kind::MachO)
}

/// Why the names in a binary are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamesWanted {
    /// Only if its own functions stand on both sides.
    WithinFile,
    /// A link takes it in beside others.
    ForLink,
}

/// Reads a binary.
pub(crate) fn read_binary(path: &Arc<str>, bytes: &[u8], options: BinaryOptions, names: NamesWanted) -> BinaryReport {
    let container = read(bytes, &Options::default());
    let mut report = BinaryReport::default();
    for problem in container.problems.iter() {
        report.problems.push(problem.message.clone());
    }
    for leaf in container.leaves() {
        let part = leaf.path.join(" / ");
        match leaf.container.library() {
            Some(library) => add_library(path, &part, library, options, names, &mut report),
            None => add_module(path, &part, leaf.container, &mut report),
        }
    }
    if report.symbols.needs.is_empty() && names == NamesWanted::WithinFile {
        report.symbols.supplies.clear();
    }
    report.crossing = report.symbols.crossing();
    report
}

fn std_of(version: Version) -> Option<LanguageVersion> {
    from_numbers(u8::try_from(version.major).ok()?, u8::try_from(version.minor).ok()?)
}

fn evidence(path: &Arc<str>, message: String) -> Evidence {
    Evidence { path: path.clone(), range: None, line: None, message }
}

fn in_part(part: &str) -> String {
    if part.is_empty() { String::new() } else { format!(" in {part}") }
}

fn add_module(path: &Arc<str>, part: &str, container: &Container<'_>, report: &mut BinaryReport) {
    let Some(module) = container.module() else { return };
    let verdict = judge(None, Some(&ModuleEvidence::of(&module)));
    report.problems.extend(check_consistency(None, &module).iter().map(|problem| problem.message.clone()));
    let language = module.language.as_ref().filter(|language| language.name == "Metal");
    let mut unit = Unit::new(UnitKind::Binary, path.clone(), language.and_then(|language| std_of(language.version)));
    unit.side = verdict.side;
    unit.deployment = module.triple.as_deref().and_then(DeploymentTarget::of_triple);
    unit.evidence = verdict.evidence.iter().map(|fact| evidence(path, format!("{fact}{}", in_part(part)))).collect();
    report.symbols.add(&module, verdict.side);
    report.units.push(unit);
}

/// The oldest system that the header of a library states.
fn deployment_of(library: &Library<'_>) -> Option<DeploymentTarget> {
    let header = library.header?;
    // The platforms are numbered as in Mach-O files; simulators and Catalyst count as what they stand for.
    let system = match header.platform.0 {
        1 | 6 => System::MacOs,
        2 | 7 => System::Ios,
        3 | 8 => System::TvOs,
        11 | 12 => System::VisionOs,
        _ => return None,
    };
    let target = header.deployment_target;
    (target.major > 0).then_some(DeploymentTarget { system, major: target.major, minor: u16::from(target.minor) })
}

fn add_library(
    path: &Arc<str>,
    part: &str,
    library: &Library<'_>,
    options: BinaryOptions,
    names: NamesWanted,
    report: &mut BinaryReport,
) {
    let deployment = deployment_of(library);
    report.problems.extend(library.problems.iter().map(|problem| problem.message.clone()));
    let is_dynamic =
        library.header.is_some_and(|header| header.file_type == msl_metallib::mtlb::FileType::DynamicLibrary);
    let linked = library.extension.dynamic_header.as_ref().is_some_and(|header| !header.linked_libraries.is_empty());
    report.is_dynamic |= is_dynamic || linked;
    let mut by_version: BTreeMap<(Option<Version>, &'static str), (usize, String, Side)> = BTreeMap::new();
    let mut count = 0;
    for function in library.functions() {
        count += 1;
        let verdict = judge(function.versions, None);
        let version = function.versions.map(|versions| versions.language);
        let slot = by_version.entry((version, verdict.side.as_str())).or_insert((0, String::new(), verdict.side));
        slot.0 += 1;
        if slot.1.is_empty() {
            slot.1 = function.name_lossy().into_owned();
        }
        if options.functions {
            let mut unit = function_unit(path, part, library, &function);
            unit.deployment = deployment;
            report.units.push(unit);
        }
        if options.verify_hashes && library.check_hash(&function) == HashCheck::Differs {
            let message = format!("the hash of `{}` is not that of its module", function.name_lossy());
            report.problems.push(message);
        }
    }
    if count == 0 {
        report.is_empty_library |= library.header.is_some();
        return;
    }
    let sides: Vec<Side> = by_version.values().map(|(_, _, side)| *side).collect();
    let is_mixed = sides.contains(&Side::Before41) && sides.contains(&Side::From41);
    // Modules are read where a name could cross, or where every function is looked at anyway: a library of one side and
    // no imports joins nothing, and large ones hold tens of thousands of modules.
    if is_mixed || options.functions || is_dynamic || names == NamesWanted::ForLink {
        for range in &library.modules().modules {
            let module = range.read();
            let verdict = judge(None, Some(&ModuleEvidence::of(&module)));
            report.symbols.add(&module, verdict.side);
        }
    }
    if options.functions {
        return;
    }
    for ((version, _), (number, name, side)) in by_version {
        let mut unit = Unit::new(UnitKind::Binary, path.clone(), version.and_then(std_of));
        unit.side = side;
        unit.deployment = deployment;
        let functions = if number == 1 { "function".to_owned() } else { format!("{number} functions, such as") };
        let states = match version {
            Some(version) => format!("states MSL {version}"),
            None => "is missing".to_owned(),
        };
        unit.evidence = vec![evidence(path, format!("the VERS tag of {functions} `{name}` {states}{}", in_part(part)))];
        report.units.push(unit);
    }
}

fn function_unit(path: &Arc<str>, part: &str, library: &Library<'_>, function: &msl_metallib::Function<'_>) -> Unit {
    let module = library.read_module(function);
    let module_evidence = module.as_ref().map(ModuleEvidence::of);
    let verdict = judge(function.versions, module_evidence.as_ref());
    let std = function.versions.map(|versions| versions.language).and_then(std_of);
    let mut unit = Unit::new(UnitKind::Binary, path.clone(), std);
    unit.function = Some(function.name_lossy().into_owned());
    unit.side = verdict.side;
    unit.evidence = verdict.evidence.iter().map(|fact| evidence(path, format!("{fact}{}", in_part(part)))).collect();
    if let Some(module) = &module {
        let problems = check_consistency(Some(function), module);
        unit.evidence.extend(problems.iter().map(|problem| evidence(path, problem.message.clone())));
    }
    if let Some((source, line)) = library.source_reference(function).and_then(|reference| reference.source) {
        unit.evidence.push(evidence(path, format!("compiled from {source}:{line}")));
    }
    unit
}
