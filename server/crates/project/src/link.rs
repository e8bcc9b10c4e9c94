//! From commands and targets to units and link units: follows outputs of one command to inputs of another.

use std::sync::Arc;

use msl_diagnostics::TextRange;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    command::{self, Command, Detection, SpelledForm, Tool, is_metal_source, read_command},
    model::{Evidence, Join, LinkUnit, LinkVerdict, Unit, UnitKind},
    paths,
    step::{Sink, Step, Target},
    text::Text,
    tree::Tree,
    version::side_of,
};

/// How deep libraries and archives may contain each other.
const MAX_DEPTH: u32 = 16;
/// A link unit has at most so many members.
const MAX_MEMBERS: usize = 20_000;

/// What the commands of a project come to.
#[derive(Default)]
pub(crate) struct Linked {
    pub(crate) units: Vec<Unit>,
    pub(crate) link_units: Vec<LinkUnit>,
    /// Binaries that commands name as inputs: the index of the link unit, the path.
    pub(crate) binary_inputs: Vec<(usize, String)>,
}

/// A step that runs a Metal tool.
struct Tooled<'a> {
    step: &'a Step,
    command: Command,
    /// Units that it compiles itself.
    units: Vec<usize>,
}

pub(crate) fn assemble(tree: &Tree<'_>, sink: &Sink) -> Linked {
    let mut linked = Linked::default();
    let mut known: FxHashMap<UnitKey, usize> = FxHashMap::default();
    let mut tooled: Vec<Tooled<'_>> = Vec::new();
    // The step in front of a pipe, by index into `tooled`.
    let mut before = None;
    let mut piped_from: Vec<Option<usize>> = Vec::new();
    for step in &sink.steps {
        let Some(command) = read_command(&step.words) else {
            before = None;
            continue;
        };
        let mut entry = Tooled { step, command, units: Vec::new() };
        if matches!(entry.command.tool, Tool::Compile | Tool::CompileAndLink) {
            entry.units = compile_units(tree, &entry, &mut linked.units, &mut known);
        }
        piped_from.push(before.filter(|_| step.piped));
        before = Some(tooled.len());
        tooled.push(entry);
    }
    let producers = Producers::of(tree, &tooled);
    let mut consumed: FxHashSet<usize> = FxHashSet::default();
    let mut made = Vec::new();
    for (index, entry) in tooled.iter().enumerate() {
        let join = match entry.command.tool {
            Tool::Compile => continue,
            _ if entry.command.is_dynamic => Join::Dynamic,
            Tool::Link | Tool::CompileAndLink if !entry.command.libraries.is_empty() => Join::Dynamic,
            Tool::Link | Tool::CompileAndLink => Join::Library,
            Tool::Archive => Join::Archive,
            Tool::Merge => Join::Merge,
        };
        let mut members = Members::default();
        collect(tree, &tooled, &producers, &piped_from, index, 0, &mut members);
        consumed.extend(members.through.iter().copied());
        made.push((index, join, members));
    }
    for (index, join, members) in made {
        let entry = &tooled[index];
        // An archive that a library takes in is judged there.
        let is_inner = join == Join::Archive && consumed.contains(&index);
        if is_inner || (members.units.is_empty() && members.binaries.is_empty()) {
            continue;
        }
        let place = tree.place(entry.command.driver);
        let name = entry.command.output.as_ref().map_or_else(|| "default.metallib".to_owned(), display_output);
        let link = linked.link_units.len();
        linked.binary_inputs.extend(members.binaries.into_iter().map(|path| (link, path)));
        linked.link_units.push(LinkUnit {
            name,
            path: place.path,
            range: Some(place.range),
            members: members.units,
            unresolved: members.unresolved,
            join,
            is_dynamic: entry.command.is_dynamic,
            verdict: LinkVerdict::Unknown,
            crossing: None,
            deployment: entry.command.version.deployment,
            takes_system_of_first: entry.command.tool == Tool::Link && entry.command.version.deployment.is_none(),
        });
    }
    for target in &sink.targets {
        add_target(tree, target, &mut linked, &mut known);
    }
    drop_repeated(&mut linked);
    linked
}

/// What makes two links the same: name, path, place, members, and what of them is not known.
type LinkKey = (String, Arc<str>, Option<TextRange>, Vec<usize>, Vec<String>);

/// Configurations that link the same things at the same place are one.
fn drop_repeated(linked: &mut Linked) {
    let mut first: FxHashMap<LinkKey, usize> = FxHashMap::default();
    let mut kept = Vec::new();
    let mut renamed = Vec::new();
    for link in std::mem::take(&mut linked.link_units) {
        let key = (link.name.clone(), link.path.clone(), link.range, link.members.clone(), link.unresolved.clone());
        let index = *first.entry(key).or_insert(kept.len());
        if index == kept.len() {
            kept.push(link);
        }
        renamed.push(index);
    }
    linked.link_units = kept;
    linked.binary_inputs.iter_mut().for_each(|(link, _)| *link = renamed[*link]);
    linked.binary_inputs.sort();
    linked.binary_inputs.dedup();
}

/// Units are equal when they are about one file, have one version, and one place says so.
type UnitKey = (Arc<str>, Option<msl_preproc::LanguageVersion>, Option<crate::text::Origin>);

fn add_unit(units: &mut Vec<Unit>, known: &mut FxHashMap<UnitKey, usize>, unit: Unit, version: &Detection) -> usize {
    let key = (unit.path.clone(), unit.std, version.evidence.first().map(|fact| fact.origin));
    if let Some(&index) = known.get(&key) {
        units[index].is_alternative &= unit.is_alternative;
        return index;
    }
    *known.entry(key).or_insert_with(|| {
        units.push(unit);
        units.len() - 1
    })
}

/// A unit with what a detection says of it.
pub(crate) fn unit_of(tree: &Tree<'_>, kind: UnitKind, path: Arc<str>, version: &Detection) -> Unit {
    let mut unit = Unit::new(kind, path, version.std);
    unit.side = side_of(version.std);
    unit.deployment = version.deployment;
    unit.evidence = version
        .evidence
        .iter()
        .map(|fact| {
            let place = tree.place(fact.origin);
            Evidence {
                path: place.path,
                range: Some(place.range),
                line: Some(tree.line(fact.origin)),
                message: fact.message.clone(),
            }
        })
        .collect();
    unit.spelled = version.spelled.map(|spelled| {
        let place = tree.place(spelled.origin);
        (place.path, place.range, spelled.form)
    });
    unit
}

/// The units of the sources that a command compiles.
fn compile_units(
    tree: &Tree<'_>,
    entry: &Tooled<'_>,
    units: &mut Vec<Unit>,
    known: &mut FxHashMap<UnitKey, usize>,
) -> Vec<usize> {
    let mut found = Vec::new();
    let version = &entry.command.version;
    let is_alternative = entry.step.scope.contains('#');
    let slot = std_slot(tree, &entry.command);
    let target = || {
        let place = tree.place(entry.command.driver);
        let mut unit = unit_of(tree, UnitKind::Target, place.path, version);
        unit.range = Some(place.range);
        unit.is_alternative = is_alternative;
        unit.spelled = unit.spelled.or_else(|| slot.clone());
        unit
    };
    // Which of several unknown words are inputs is not known, but something is compiled.
    if entry.command.inputs.is_empty() && entry.command.tool == Tool::Compile {
        found.push(add_unit(units, known, target(), version));
    }
    for input in &entry.command.inputs {
        let text = input.text();
        let is_source = is_metal_source(&text) || entry.command.inputs_are_metal;
        let compiles = is_source || (entry.command.tool == Tool::Compile && !command::is_air(&text));
        if !compiles {
            continue;
        }
        let sources = find_sources(tree, entry.step, input);
        if sources.is_empty() {
            found.push(add_unit(units, known, target(), version));
        }
        for source in sources {
            let mut unit = unit_of(tree, UnitKind::Source, Arc::from(source), version);
            unit.is_alternative = is_alternative;
            unit.spelled = unit.spelled.or_else(|| slot.clone());
            found.push(add_unit(units, known, unit, version));
        }
    }
    found
}

/// Where a command that states no version could state one.
fn std_slot(tree: &Tree<'_>, command: &Command) -> Option<(Arc<str>, TextRange, SpelledForm)> {
    if !command.takes_std {
        return None;
    }
    let place = tree.place(command.driver);
    let file = tree.load(&place.path)?;
    let (start, end) = (command.driver.start as usize, command.driver.end as usize);
    let (before, after) = (file.text.get(..start)?, file.text.get(end..)?);
    // The word may have been put together from elsewhere.
    let word = file.text.get(start..end)?;
    let quote = after.chars().next().filter(|quote| matches!(quote, '"' | '\'') && before.ends_with(*quote));
    let (at, form) = match quote {
        Some(quote) => {
            let rest = after[1..].trim_start();
            // Elements of lists; words of a command line that happen to be quoted are left alone.
            rest.starts_with([',', ']', ')']).then_some((end + 1, SpelledForm::NewElement(quote)))?
        }
        None => after.chars().next().is_none_or(char::is_whitespace).then_some((end, SpelledForm::NewWord))?,
    };
    let range = TextRange::new(at as u32, at as u32);
    word.ends_with("metal").then_some((place.path, range, form))
}

/// The existing files that an input names.
fn find_sources(tree: &Tree<'_>, step: &Step, input: &Text) -> Vec<String> {
    let Some(text) = input.value() else { return Vec::new() };
    for directory in &step.directories {
        let path = tree.localize(paths::join(directory, &text));
        if tree.exists(&path) {
            return vec![path];
        }
        if paths::is_glob(&path) {
            let matching: Vec<String> = tree.glob(&path).into_iter().cloned().collect();
            if !matching.is_empty() {
                return matching;
            }
        }
    }
    Vec::new()
}

/// Which step makes a file.
struct Producers<'a> {
    by_output: FxHashMap<(&'a str, String), usize>,
    /// Outputs of known paths, whatever the scope.
    anywhere: FxHashMap<String, usize>,
}

impl<'a> Producers<'a> {
    fn of(tree: &Tree<'_>, tooled: &[Tooled<'a>]) -> Producers<'a> {
        let mut producers = Producers { by_output: FxHashMap::default(), anywhere: FxHashMap::default() };
        for (index, entry) in tooled.iter().enumerate() {
            for (key, is_known) in output_keys(tree, entry) {
                producers.by_output.insert((&entry.step.scope, key.clone()), index);
                if is_known {
                    producers.anywhere.entry(key).or_insert(index);
                }
            }
        }
        producers
    }

    fn find(&self, tree: &Tree<'_>, step: &Step, input: &Text) -> Option<usize> {
        let text = input.text();
        let keys = step.directories.iter().map(|directory| tree.localize(paths::join(directory, &text)));
        let mut in_scope = keys.clone().filter_map(|key| self.by_output.get(&(step.scope.as_str(), key)));
        in_scope.next().or_else(|| keys.filter_map(|key| self.anywhere.get(&key)).next()).copied()
    }

    /// Outputs in the step's scope that a pattern matches.
    fn matching(&self, step: &Step, pattern: &str) -> Vec<usize> {
        let patterns: Vec<String> = step.directories.iter().map(|directory| paths::join(directory, pattern)).collect();
        let mut found: Vec<usize> = self
            .by_output
            .iter()
            .filter(|((scope, key), _)| *scope == step.scope && patterns.iter().any(|p| paths::glob_matches(p, key)))
            .map(|(_, &index)| index)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

fn output_keys(tree: &Tree<'_>, entry: &Tooled<'_>) -> Vec<(String, bool)> {
    let directory = entry.step.directories.first().map_or(".", String::as_str);
    if let Some(output) = &entry.command.output {
        let text = output.text();
        return if text == "-" {
            Vec::new()
        } else {
            vec![(tree.localize(paths::join(directory, &text)), output.is_known())]
        };
    }
    match entry.command.tool {
        Tool::Compile => entry
            .command
            .inputs
            .iter()
            .map(|input| {
                (
                    tree.localize(paths::join(directory, &format!("{}.air", paths::stem(&input.text())))),
                    input.is_known(),
                )
            })
            .collect(),
        _ => vec![(paths::join(directory, "default.metallib"), true)],
    }
}

/// What a link takes in, directly and through archives.
#[derive(Default)]
struct Members {
    units: Vec<usize>,
    binaries: Vec<String>,
    unresolved: Vec<String>,
    /// Steps whose outputs it takes.
    through: Vec<usize>,
}

fn collect(
    tree: &Tree<'_>,
    tooled: &[Tooled<'_>],
    producers: &Producers<'_>,
    piped_from: &[Option<usize>],
    index: usize,
    depth: u32,
    members: &mut Members,
) {
    let entry = &tooled[index];
    for &unit in &entry.units {
        if !members.units.contains(&unit) && members.units.len() < MAX_MEMBERS {
            members.units.push(unit);
        }
    }
    if depth > MAX_DEPTH {
        members.unresolved.push("libraries contain each other too deeply".to_owned());
        return;
    }
    let follow = |producer: usize, members: &mut Members| {
        if producer != index && !members.through.contains(&producer) {
            members.through.push(producer);
            collect(tree, tooled, producers, piped_from, producer, depth + 1, members);
        }
    };
    for input in &entry.command.inputs {
        let text = input.text();
        let is_compiled_here = matches!(entry.command.tool, Tool::Compile | Tool::CompileAndLink)
            && (is_metal_source(&text) || entry.command.inputs_are_metal || entry.command.tool == Tool::Compile);
        if text == "-" {
            match piped_from.get(index).copied().flatten() {
                Some(producer) => follow(producer, members),
                None => members.unresolved.push("standard input".to_owned()),
            }
            continue;
        }
        if is_compiled_here && !command::is_air(&text) {
            continue;
        }
        if let Some(producer) = producers.find(tree, entry.step, input) {
            follow(producer, members);
            continue;
        }
        let matching = if paths::is_glob(&text) { producers.matching(entry.step, &text) } else { Vec::new() };
        let on_disk = find_sources(tree, entry.step, input);
        if matching.is_empty() && on_disk.is_empty() {
            members.unresolved.push(input.spelling());
        }
        matching.into_iter().for_each(|producer| follow(producer, members));
        members.binaries.extend(on_disk);
    }
    for library in &entry.command.libraries {
        let name = library.text();
        let file = format!("lib{name}.metallib");
        let made = producers
            .by_output
            .iter()
            .find(|((scope, key), _)| *scope == entry.step.scope && paths::file_name(key) == file);
        match made {
            Some((_, &producer)) => follow(producer, members),
            None => members.unresolved.push(format!("-l{}", library.spelling())),
        }
    }
}

/// A target of a build system: its sources, all in one library.
fn add_target(tree: &Tree<'_>, target: &Target, linked: &mut Linked, known: &mut FxHashMap<UnitKey, usize>) {
    let place = tree.place(target.at);
    let mut members = Vec::new();
    for source in &target.sources {
        let version = source.version.as_ref().unwrap_or(&target.version);
        let unit = unit_of(tree, UnitKind::Source, Arc::from(source.path.as_str()), version);
        let index = add_unit(&mut linked.units, known, unit, version);
        if !members.contains(&index) && members.len() < MAX_MEMBERS {
            members.push(index);
        }
    }
    if members.is_empty() {
        let mut unit = unit_of(tree, UnitKind::Target, place.path.clone(), &target.version);
        unit.range = Some(place.range);
        members.push(add_unit(&mut linked.units, known, unit, &target.version));
    }
    linked.link_units.push(LinkUnit {
        name: target.name.clone(),
        path: place.path,
        range: Some(place.range),
        members,
        unresolved: Vec::new(),
        join: Join::Library,
        is_dynamic: false,
        verdict: LinkVerdict::Unknown,
        crossing: None,
        deployment: None,
        takes_system_of_first: false,
    });
}

fn display_output(output: &Text) -> String {
    output.spelling()
}
