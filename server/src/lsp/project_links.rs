//! What is known across files: language versions of builds and binaries, and the functions that host code links.
//!
//! One reading of the workspace's folders gives all of it. It is read again when a file that it rests on is saved or
//! changes on disk; until then answers are as of the last reading. Its findings are shown on the files that they are
//! about, whether those are open or not, under a root of its own.

use std::sync::Arc;

use msl_diagnostics::{Diagnostic, Place, Suppressions, TextEdit, TextRange};
use msl_ide::{Analysis, LinkName, LinkNameKind, LinkProgram, ShaderFunctionKind};
use msl_project::{BinaryOptions, Bytes, FileAccess, NameRole, Project, is_build_file, is_host_file};
use rustc_hash::FxHashMap;
use tower_lsp::lsp_types::{
    self, CodeLens, CodeLensParams, CompletionItem, CompletionItemKind, CompletionResponse, CompletionTextEdit,
    GotoDefinitionResponse, Hover, HoverContents, Location, MarkupContent, MarkupKind, PrepareRenameResponse,
    TextDocumentPositionParams, WorkspaceEdit,
};

use super::{
    STACK_SIZE, documents::Documents, from_proto, handlers::code_lens, lanes::Quiet, paths, settings::Settings,
    snapshot::Snapshot, to_proto,
};
use crate::workspace::{DiskTree, links};

/// The root under which findings are kept.
pub(crate) const ROOT: &str = "project";

/// Files of these names are watched: builds, host code, compiled Metal.
pub(crate) const WATCHED: &[&str] = &[
    "**/{CMakeLists.txt,CMakePresets.json,Makefile,makefile,GNUmakefile,project.pbxproj,Package.swift,meson.build}",
    "**/*.{mk,ninja,xcconfig,sh,yml,yaml,swift,m,mm,cpp,cc,rs,py,metallib,air,metalar}",
];

/// One reading of the workspace.
#[derive(Default)]
pub(crate) struct ProjectLinks {
    pub(crate) program: LinkProgram,
    /// Silenced by comments, at the levels of the settings.
    findings: Vec<Diagnostic>,
}

/// Whether a file is one that a reading rests on.
pub(crate) fn is_part(path: &str) -> bool {
    let extension = path.rsplit('.').next().unwrap_or_default();
    is_build_file(path)
        || is_host_file(path)
        || links::is_shader(path)
        || matches!(extension, "metallib" | "air" | "metalar")
}

/// Whether a document is written in a language that the analyser of shaders does not read.
pub(crate) fn is_foreign(path: &str) -> bool {
    let is_header = matches!(path.rsplit('.').next(), Some("h" | "hh" | "hpp" | "hxx" | "inl" | "inc" | "metalh"));
    !is_header && !links::is_shader(path) && (is_host_file(path) || is_build_file(path))
}

/// Files as the editor has them, else as they are on disk.
struct Overlay<'a> {
    documents: &'a Documents,
}

impl FileAccess for Overlay<'_> {
    fn files(&self, root: &str) -> Vec<String> {
        DiskTree.files(root)
    }

    fn read(&self, path: &str) -> Option<Bytes> {
        match self.documents.get(path) {
            Some(document) => Some(Arc::new(document.text.to_bytes())),
            None => DiskTree.read(path),
        }
    }

    fn absolute(&self, path: &str) -> String {
        DiskTree.absolute(path)
    }
}

/// Reads the workspace, with open documents as they are; `analysis` says which files there are.
pub(crate) fn read(
    folders: &[String],
    settings: &Settings,
    documents: &Documents,
    analysis: &Analysis,
    quiet: &Quiet,
) -> ProjectLinks {
    quiet.wait();
    let access = Overlay { documents };
    let mut project = Project::default();
    let mut requests = Vec::new();
    let mut hosts = Vec::new();
    for folder in folders {
        let mut found = Project::load(folder, &access);
        found.add_binaries(folder, &access, BinaryOptions::default());
        hosts.append(&mut found.hosts);
        project.append(found);
        for path in links::shaders(&access.files(folder)) {
            let mut own = analysis.fresh();
            for (path, document) in documents.iter() {
                own.open(path, document.text.to_bytes());
            }
            requests.push((own, settings.request(&path)));
        }
    }
    // Half of the cores, so that the others are there for who waits.
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let pool = rayon::ThreadPoolBuilder::new().num_threads((cores / 2).max(1)).stack_size(STACK_SIZE).build();
    let join = || links::join(requests, hosts, || quiet.wait());
    let program = match pool {
        Ok(pool) => pool.install(join),
        // The system gives no thread.
        Err(_) => join(),
    };
    let mut findings = project.diagnostics;
    findings.extend(program.findings());
    let mut comments: FxHashMap<Arc<str>, Suppressions> = FxHashMap::default();
    findings.retain_mut(|finding| {
        let path = finding.place.path.clone();
        let of_file = comments.entry(path.clone()).or_insert_with(|| {
            let text = access.read(&path);
            text.map_or_else(|| Suppressions::scan(b""), |text| Suppressions::scan((*text).as_ref()))
        });
        let level = settings.of(&path).levels.severity(finding.code, finding.severity);
        if let Some(severity) = level {
            finding.severity = severity;
        }
        level.is_some() && !of_file.silences(finding.code, finding.place.range.start)
    });
    ProjectLinks { program, findings }
}

impl ProjectLinks {
    /// The findings by file, in LSP's terms.
    pub(crate) fn by_file(&self, snapshot: &Snapshot) -> FxHashMap<Arc<str>, Vec<lsp_types::Diagnostic>> {
        let mut found: FxHashMap<Arc<str>, Vec<lsp_types::Diagnostic>> = FxHashMap::default();
        for finding in &self.findings {
            found.entry(finding.place.path.clone()).or_default().push(to_proto::diagnostic(snapshot, finding));
        }
        found
    }

    /// The findings of a file that touch a range, for their repairs.
    pub(crate) fn findings_in<'a>(&'a self, path: &'a Arc<str>) -> impl Iterator<Item = &'a Diagnostic> {
        self.findings.iter().filter(move |finding| finding.place.path == *path)
    }
}

/// The shared name that a request is about, if its document is host code or the name stands in a string of a shader.
fn name_at(snapshot: &Snapshot, params: &TextDocumentPositionParams) -> Option<(Arc<str>, LinkName)> {
    let path = paths::path_of(&params.text_document.uri);
    let document = snapshot.documents.get(&path)?;
    let offset = document.text.offset(from_proto::line_column(params.position), snapshot.encoding);
    let name = snapshot.links.program.name_at(&path, offset)?;
    // The text may have changed since it was read.
    let text = document.text.to_bytes();
    let range = name.place.range.start as usize..name.place.range.end as usize;
    let spelled = text.get(range)?;
    let is_same = match &name.kind {
        LinkNameKind::Function(text) | LinkNameKind::Group(text) | LinkNameKind::Constant(text) => {
            spelled == text.as_bytes() || !name.is_host
        }
        LinkNameKind::Slot(_, index) => spelled == index.to_string().as_bytes(),
    };
    is_same.then_some((path, name))
}

/// Definition of what a string of host code names; `None` leaves the answer to the analysis of shaders.
pub(crate) fn definition(snapshot: &Snapshot, params: &TextDocumentPositionParams) -> Option<GotoDefinitionResponse> {
    let (_, name) = name_at(snapshot, params)?;
    let is_group = matches!(name.kind, LinkNameKind::Group(_));
    if !name.is_host && !is_group {
        return None;
    }
    // Groups are declared by the host.
    let places = match (is_group, name.is_host) {
        (true, false) => snapshot.links.program.host_places(&name.kind),
        _ => snapshot.links.program.definitions(&name.kind),
    };
    let locations: Vec<Location> = places.iter().filter_map(|place| snapshot.location(place)).collect();
    Some(GotoDefinitionResponse::Array(locations))
}

/// Places on the other side of the language border, for a request about a name in a shader; all places for one about a
/// string of host code. The second part says whether nothing else needs to be asked.
pub(crate) fn references(snapshot: &Snapshot, params: &TextDocumentPositionParams) -> Option<(Vec<Location>, bool)> {
    let (_, name) = name_at(snapshot, params)?;
    let program = &snapshot.links.program;
    let is_group = matches!(name.kind, LinkNameKind::Group(_));
    let mut places = program.host_places(&name.kind);
    if name.is_host || is_group {
        places.extend(program.definitions(&name.kind));
    }
    places.sort();
    places.dedup();
    let locations = places.iter().filter_map(|place| snapshot.location(place)).collect();
    Some((locations, name.is_host || is_group))
}

/// Whether a name can be renamed from here: groups, and functions from host code.
pub(crate) fn prepare_rename(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Option<PrepareRenameResponse> {
    let (path, name) = name_at(snapshot, params)?;
    let placeholder = match &name.kind {
        LinkNameKind::Group(text) => text.clone(),
        LinkNameKind::Function(text) if name.is_host => text.clone(),
        _ => return None,
    };
    Some(PrepareRenameResponse::RangeWithPlaceholder { range: snapshot.range(&path, name.place.range), placeholder })
}

/// What a rename changes.
pub(crate) enum Renamed {
    /// Everything.
    Whole(Option<WorkspaceEdit>),
    /// Host code; the shader's own places are to be added. For a function that `[[host_name]]` names, none.
    Host {
        edits: Vec<TextEdit>,
        /// Host code that is not known may look the function up by this name.
        may_be_looked_up: bool,
    },
}

/// A rename of a group, or of a function with what host code calls it.
pub(crate) fn rename(snapshot: &Snapshot, params: &TextDocumentPositionParams, new_name: &str) -> Option<Renamed> {
    let (_, name) = name_at(snapshot, params)?;
    let program = &snapshot.links.program;
    let edit = |place: &Place| TextEdit { place: place.clone(), new_text: new_name.to_owned() };
    match &name.kind {
        LinkNameKind::Group(text) => {
            let mut places = program.named_groups(text);
            places.extend(program.host_places(&name.kind));
            let edits: Vec<TextEdit> = places.iter().map(edit).collect();
            Some(Renamed::Whole(to_proto::workspace_edit(snapshot, edits.iter())))
        }
        LinkNameKind::Function(text) => {
            let functions: Vec<_> = program.named(text).into_iter().map(|index| &program.functions[index]).collect();
            let host_names: Vec<Place> = functions.iter().filter_map(|function| function.host_name.clone()).collect();
            let host = program.host_places(&name.kind);
            if !name.is_host {
                if functions.iter().any(|function| function.host_name.is_some()) {
                    return Some(Renamed::Host { edits: Vec::new(), may_be_looked_up: false });
                }
                let is_visible = functions.iter().any(|function| function.kind == ShaderFunctionKind::Visible);
                return Some(Renamed::Host {
                    may_be_looked_up: is_visible && host.is_empty(),
                    edits: host.iter().map(edit).collect(),
                });
            }
            let mut places = host;
            places.extend(host_names);
            let mut edits: Vec<TextEdit> = places.iter().map(edit).collect();
            for function in functions.iter().filter(|function| function.host_name.is_none()) {
                let request = snapshot.unit_of(&function.place.path);
                let found =
                    snapshot.analysis.occurrences(&request, &function.place.path, function.place.range.start)?;
                edits.extend(found.references.iter().map(|reference| edit(&reference.place)));
            }
            Some(Renamed::Whole(to_proto::workspace_edit(snapshot, edits.iter())))
        }
        _ => None,
    }
}

/// What a string of host code means.
pub(crate) fn hover(snapshot: &Snapshot, params: &TextDocumentPositionParams) -> Option<Hover> {
    let (path, name) = name_at(snapshot, params)?;
    let program = &snapshot.links.program;
    let mut text = String::new();
    match &name.kind {
        LinkNameKind::Function(own) if name.is_host => {
            for index in program.named(own) {
                let function = &program.functions[index];
                let signature = function.signature.as_ref().map_or("", |signature| &signature.spelled);
                let kind = function.kind.as_str();
                text.push_str(&format!("```metal\n{kind} {}: {signature}\n```\n", function.own_name));
                text.push_str(&place_line(snapshot, &function.place));
                for (list, words) in program.link_modes(index) {
                    text.push_str(&format!("`{list}`: {words}\n\n"));
                }
            }
        }
        LinkNameKind::Group(group) => {
            let calls: Vec<&msl_ide::ShaderCall> =
                program.functions.iter().flat_map(|it| &it.calls).filter(|call| call.groups.contains(group)).collect();
            let plural = if calls.len() == 1 { "call names" } else { "calls name" };
            text.push_str(&format!("**Function group** `{group}`: {} {plural} it\n\n", calls.len()));
            for call in calls.iter().take(8) {
                let line = place_line(snapshot, &call.place);
                match call.statement {
                    Some(statement) => text.push_str(&format!("{} in {}\n\n", line.trim_end(), statement.words())),
                    None => text.push_str(&line),
                }
            }
        }
        LinkNameKind::Slot(_, index) if name.is_host => {
            for slot in
                program.functions.iter().flat_map(|function| function.slots.iter().map(move |slot| (function, slot)))
            {
                if program.definitions(&name.kind).contains(&slot.1.place) && slot.1.index == *index {
                    text.push_str(&format!("`{}` of `{}`\n\n", slot.1.name, slot.0.own_name));
                }
            }
        }
        _ => return None,
    }
    if text.is_empty() {
        return None;
    }
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text });
    Some(Hover { contents, range: Some(snapshot.range(&path, name.place.range)) })
}

fn place_line(snapshot: &Snapshot, place: &Place) -> String {
    let Some(location) = snapshot.location(place) else { return String::new() };
    let line = location.range.start.line + 1;
    let name = place.path.rsplit('/').next().unwrap_or_default();
    format!("[{name}:{line}]({}#L{line})\n\n", location.uri)
}

/// The functions that a call through a pointer may reach, where nothing else stands that has a definition.
pub(crate) fn pointer_targets(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Option<GotoDefinitionResponse> {
    let path = paths::path_of(&params.text_document.uri);
    let document = snapshot.documents.get(&path)?;
    let offset = document.text.offset(from_proto::line_column(params.position), snapshot.encoding);
    // On a bracket: the names around it have definitions of their own.
    let text = document.text.to_bytes();
    if !matches!(text.get(offset as usize), Some(b'[' | b']' | b'(')) {
        return None;
    }
    let places = snapshot.links.program.pointer_targets_at(&path, offset);
    let locations: Vec<Location> = places.iter().filter_map(|place| snapshot.location(place)).collect();
    (!locations.is_empty()).then_some(GotoDefinitionResponse::Array(locations))
}

/// The lenses of a shader: tables that fit a function, functions that fit a table, calls of a group, depth.
pub(crate) fn code_lenses(snapshot: &Snapshot, params: &CodeLensParams) -> Vec<CodeLens> {
    let path = paths::path_of(&params.text_document.uri);
    let lenses = snapshot.links.program.lenses(&path).into_iter().map(|lens| {
        let range = snapshot.range(&path, lens.place.range);
        let locations: Vec<Location> = lens.targets.iter().filter_map(|place| snapshot.location(place)).collect();
        let command = code_lens::show(snapshot, lens.title, &params.text_document.uri, range.start, &locations);
        CodeLens { range, command: Some(command), data: None }
    });
    lenses.collect()
}

/// Names for a string: of groups in a shader's `function_groups`, of functions and groups in host code.
pub(crate) fn completion(snapshot: &Snapshot, params: &TextDocumentPositionParams) -> Option<CompletionResponse> {
    let path = paths::path_of(&params.text_document.uri);
    let document = snapshot.documents.get(&path)?;
    let offset = document.text.offset(from_proto::line_column(params.position), snapshot.encoding) as usize;
    let text = document.text.to_bytes();
    let line_start = text[..offset].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = std::str::from_utf8(&text[line_start..offset]).ok()?;
    // Inside a string: an odd number of quotes stands in front.
    if line.matches('"').count() % 2 == 0 {
        return None;
    }
    let open = line.rfind('"')?;
    let program = &snapshot.links.program;
    let groups = || program.groups.iter().map(|group| group.name.as_str());
    let names: Vec<&str> = if !is_foreign(&path) {
        let declared = program.hosts.iter().flat_map(|host| &host.names);
        let declared = declared.filter(|name| name.role == NameRole::Group).map(|name| name.text.as_str());
        let before = &line[..open];
        let is_group = before.rfind("function_groups").is_some_and(|at| !before[at..].contains(')'));
        if !is_group {
            return None;
        }
        groups().chain(declared).collect()
    } else {
        // What the string of host code names, as of the last reading.
        let name = program.name_at(&path, (line_start + open + 1) as u32)?;
        match name.kind {
            LinkNameKind::Group(_) => groups().collect(),
            LinkNameKind::Constant(_) => program.constants.iter().map(|constant| constant.name.as_str()).collect(),
            LinkNameKind::Function(_) => {
                let offered = program.functions.iter().filter(|function| function.kind.has_library_name());
                offered.map(|function| function.name.as_str()).collect()
            }
            LinkNameKind::Slot(..) => return None,
        }
    };
    let mut names: Vec<&str> = names;
    names.sort_unstable();
    names.dedup();
    let range = snapshot.range(&path, TextRange::new((line_start + open + 1) as u32, offset as u32));
    let items = names.into_iter().map(|name| CompletionItem {
        label: name.to_owned(),
        kind: Some(CompletionItemKind::VALUE),
        text_edit: Some(CompletionTextEdit::Edit(lsp_types::TextEdit::new(range, name.to_owned()))),
        ..CompletionItem::default()
    });
    Some(CompletionResponse::Array(items.collect()))
}

/// Puts locations that another analysis found behind those of an answer.
pub(crate) fn merge(first: Option<Vec<Location>>, more: Vec<Location>) -> Option<Vec<Location>> {
    let mut all = first.unwrap_or_default();
    for location in more {
        if !all.contains(&location) {
            all.push(location);
        }
    }
    (!all.is_empty()).then_some(all)
}
