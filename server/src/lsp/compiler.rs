//! The findings of a compiler that the user configured, beside ours.
//!
//! It is run when a document is saved, on the unit through which the document is looked at, and ended when an edit makes
//! its findings pointless. Clang and Apple's compiler, which is one, print findings as lines of
//! `file:line:column: severity: message` and repairs as `fix-it:"file":{line:column-line:column}:"text"`; lines and columns
//! count from 1, columns in bytes.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use msl_diagnostics::{Place, Severity, TextEdit, TextRange};
use msl_ide::file_system;
use msl_syntax::{LineColumn, LineIndex, PositionEncoding};
use rustc_hash::FxHashMap;
use tower_lsp::lsp_types;

use super::{
    external::{self, Failure},
    snapshot::Snapshot,
    to_proto,
};

/// What one run of the compiler found.
pub(crate) struct Compiled {
    /// The root of the unit.
    pub(crate) root: Arc<str>,
    /// The number of the run.
    pub(crate) run: u64,
    /// By file.
    pub(crate) found: FxHashMap<Arc<str>, Vec<Found>>,
    /// Why nothing could be found, in the user's terms.
    pub(crate) failure: Option<String>,
}

/// One finding of the compiler.
#[derive(Clone)]
pub(crate) struct Found {
    pub(crate) range: TextRange,
    pub(crate) diagnostic: lsp_types::Diagnostic,
    /// Ways to repair it.
    pub(crate) repairs: Vec<Repair>,
}

/// One way to repair a finding: edits that belong together.
#[derive(Clone)]
pub(crate) struct Repair {
    /// What the compiler says that it does: the finding, or a note on it.
    pub(crate) title: String,
    pub(crate) edits: Vec<TextEdit>,
}

/// What the client shows as the source of such a finding.
const SOURCE: &str = "compiler";

/// Whether one of our own findings says what a finding of the compiler says: as grave, on the same line, at the same place.
pub(crate) fn is_said(ours: &lsp_types::Diagnostic, theirs: &lsp_types::Diagnostic) -> bool {
    ours.severity == theirs.severity
        && ours.range.start.line == theirs.range.start.line
        && ours.range.start <= theirs.range.end
        && theirs.range.start <= ours.range.end
}

/// Runs the compiler on a unit until `is_stale` is set. `None` if nobody wants the result any more.
pub(crate) fn run(snapshot: &Snapshot, root: &Arc<str>, run: u64, is_stale: &AtomicBool) -> Option<Compiled> {
    let settings = &snapshot.settings.client.compiler;
    let (program, first) = settings.command.split_first()?;
    let unit = snapshot.settings.request(root);
    let mut arguments: Vec<String> = first.to_vec();
    if settings.std {
        arguments.push(format!("-std={}", unit.std.version));
    }
    for folder in &unit.options.include_dirs {
        arguments.extend(["-I".to_owned(), folder.to_string()]);
    }
    for folder in &unit.options.framework_dirs {
        arguments.extend(["-F".to_owned(), folder.to_string()]);
    }
    for define in &unit.options.defines {
        let value = define.value.as_ref().map_or_else(String::new, |value| format!("={value}"));
        arguments.push(format!("-D{}{value}", define.name));
    }
    for file in &unit.options.forced_includes {
        arguments.extend(["-include".to_owned(), file.to_string()]);
    }
    // Without the quoted source, which is skipped here, clang prints no repairs.
    let fixed = ["-fsyntax-only", "-fno-color-diagnostics", "-fdiagnostics-parseable-fixits"];
    arguments.extend(fixed.map(str::to_owned));
    arguments.push(root.to_string());
    let folder = Path::new(file_system::folder_of(root));
    let output = external::run(program, &arguments, folder, Vec::new(), || is_stale.load(Ordering::Relaxed));
    let nothing =
        |failure: Option<String>| Some(Compiled { root: root.clone(), run, found: FxHashMap::default(), failure });
    let output = match output {
        Ok(output) => output,
        Err(Failure::Cancelled) => return None,
        Err(Failure::NotFound) => return nothing(Some(format!("the compiler `{program}` was not found"))),
        Err(Failure::TimedOut) => return nothing(Some(format!("the compiler `{program}` took too long"))),
        Err(Failure::Io(message)) => {
            return nothing(Some(format!("the compiler `{program}` could not be run: {message}")));
        }
    };
    let text = String::from_utf8_lossy(&output.stderr);
    let mut files = Files { snapshot, root, known: FxHashMap::default() };
    let found = read(&text, &mut files);
    if found.is_empty() && !output.is_success {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("it does not say why");
        return nothing(Some(format!("the compiler `{program}` failed: {first}")));
    }
    Some(Compiled { root: root.clone(), run, found, failure: None })
}

/// The files that a compiler names.
struct Files<'a> {
    snapshot: &'a Snapshot,
    root: &'a Arc<str>,
    known: FxHashMap<String, Option<File>>,
}

struct File {
    path: Arc<str>,
    text: Arc<[u8]>,
    lines: LineIndex,
}

impl Files<'_> {
    /// The place of a line and column, from 1, and that of the word there.
    fn word(&mut self, file: &str, line: u32, column: u32) -> Option<Place> {
        let File { path, text, lines } = self.file(file)?;
        let start = offset(lines, line, column);
        let word =
            text[start as usize..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let line_end = lines.line_range(line - 1).end;
        let end = (start + word.max(1) as u32).min(line_end.max(start));
        Some(Place { path: path.clone(), range: TextRange::new(start, end) })
    }

    fn range(&mut self, file: &str, [from_line, from_column, to_line, to_column]: [u32; 4]) -> Option<Place> {
        let File { path, lines, .. } = self.file(file)?;
        let (start, end) = (offset(lines, from_line, from_column), offset(lines, to_line, to_column));
        Some(Place { path: path.clone(), range: TextRange::new(start, end.max(start)) })
    }

    fn file(&mut self, name: &str) -> Option<&File> {
        let known = self.known.entry(name.to_owned()).or_insert_with(|| {
            let path: Arc<str> = file_system::join(file_system::folder_of(self.root), name).into();
            let text = match self.snapshot.documents.get(&path) {
                Some(document) => document.text.to_bytes(),
                None => std::fs::read(&*path).ok()?.into(),
            };
            let lines = LineIndex::new(&msl_syntax::decode_utf8(&text).0);
            Some(File { path, text, lines })
        });
        known.as_ref()
    }
}

fn offset(lines: &LineIndex, line: u32, column: u32) -> u32 {
    let position = LineColumn { line: line.saturating_sub(1), column: column.saturating_sub(1) };
    lines.offset(position, PositionEncoding::Utf8)
}

fn read(text: &str, files: &mut Files<'_>) -> FxHashMap<Arc<str>, Vec<Found>> {
    let mut found: FxHashMap<Arc<str>, Vec<Found>> = FxHashMap::default();
    // Where the finding is that notes and repairs belong to.
    let mut last: Option<Arc<str>> = None;
    // What was said last. Its edits belong together, and another note's are another way.
    let mut said = String::new();
    for line in text.lines() {
        if let Some((file, range, new_text)) = fix_it(line) {
            let finding = last.as_ref().and_then(|path| found.get_mut(path)?.last_mut());
            if let (Some(finding), Some(place)) = (finding, files.range(&file, range)) {
                let edit = TextEdit { place, new_text };
                match finding.repairs.iter_mut().find(|repair| repair.title == said) {
                    Some(repair) => repair.edits.push(edit),
                    None => finding.repairs.push(Repair { title: said.clone(), edits: vec![edit] }),
                }
            }
            continue;
        }
        let Some((file, line, column, severity, message)) = finding(line) else { continue };
        message.clone_into(&mut said);
        let Some(place) = files.word(file, line, column) else { continue };
        match severity {
            Some(severity) => {
                last = Some(place.path.clone());
                let diagnostic = lsp_types::Diagnostic {
                    range: files.snapshot.range(&place.path, place.range),
                    severity: Some(to_proto::severity(severity)),
                    source: Some(SOURCE.to_owned()),
                    message: message.to_owned(),
                    ..lsp_types::Diagnostic::default()
                };
                let one = Found { range: place.range, diagnostic, repairs: Vec::new() };
                found.entry(place.path).or_default().push(one);
            }
            None => {
                let finding = last.as_ref().and_then(|path| found.get_mut(path)?.last_mut());
                if let (Some(finding), Some(location)) = (finding, files.snapshot.location(&place)) {
                    let message = message.to_owned();
                    let related = finding.diagnostic.related_information.get_or_insert_default();
                    related.push(lsp_types::DiagnosticRelatedInformation { location, message });
                }
            }
        }
    }
    found
}

/// File, line, column, severity (none for a note) and message of a line that is a finding.
fn finding(line: &str) -> Option<(&str, u32, u32, Option<Severity>, &str)> {
    const WORDS: [(&str, Option<Severity>); 4] = [
        (": fatal error: ", Some(Severity::Error)),
        (": error: ", Some(Severity::Error)),
        (": warning: ", Some(Severity::Warning)),
        (": note: ", None),
    ];
    let (at, word, severity) =
        WORDS.iter().filter_map(|(word, severity)| Some((line.find(word)?, *word, *severity))).min_by_key(|it| it.0)?;
    let mut place = line[..at].rsplitn(3, ':');
    let column = place.next()?.parse().ok()?;
    let row: u32 = place.next()?.parse().ok()?;
    let file = place.next().filter(|file| !file.is_empty() && row > 0)?;
    Some((file, row, column, severity, line[at + word.len()..].trim()))
}

/// File, range (first line and column, last line and column) and new text of a line that is a repair.
fn fix_it(line: &str) -> Option<(String, [u32; 4], String)> {
    let rest = line.strip_prefix("fix-it:\"")?;
    let (file, rest) = rest.split_once("\":{")?;
    let (range, rest) = rest.split_once("}:\"")?;
    let mut numbers = range.split(['-', ':']).map(|number| number.parse().ok());
    let mut number = || numbers.next().flatten();
    let range = [number()?, number()?, number()?, number()?];
    Some((unescape(file), range, unescape(rest.strip_suffix('"')?)))
}

/// A string as clang quotes it.
fn unescape(text: &str) -> String {
    let mut result = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('n') => result.push('\n'),
                Some('t') => result.push('\t'),
                Some(other) => result.push(other),
                None => {}
            },
            _ => result.push(character),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_compiler() {
        assert_eq!(
            finding("C:/w/a.metal:3:14: error: expected ';': after this"),
            Some(("C:/w/a.metal", 3, 14, Some(Severity::Error), "expected ';': after this"))
        );
        assert_eq!(finding("a.metal:1:2: note: here"), Some(("a.metal", 1, 2, None, "here")));
        assert_eq!(finding("clang: error: no input files"), None);
        assert_eq!(finding("2 errors generated."), None);
        assert_eq!(
            fix_it(r#"fix-it:"a b.metal":{3:14-3:14}:"; \"x\"\n""#),
            Some(("a b.metal".to_owned(), [3, 14, 3, 14], "; \"x\"\n".to_owned()))
        );
    }
}
