//! Text for people: each finding with the source lines it is about, in colour on a terminal.

use std::{
    io::{self, IsTerminal, Write},
    ops::Range,
    sync::Arc,
};

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Patch, Renderer, Snippet, renderer::DecorStyle,
};
use anstream::AutoStream;
use anstyle::Style;
use msl_diagnostics::{Diagnostic, Fix, Place, Severity};

use super::{Finding, Output};
use crate::cli::{
    arguments::{ColorChoice, CommonArguments},
    sources::{ColumnUnit, SourceText, Sources},
};

/// Related places at most so many lines away are shown in the same excerpt as the finding.
const NEAR_LINES: u32 = 100;
/// A line longer than this is shown in part.
const LONG_LINE: usize = 500;
/// How much of a long line is shown on either side of the place.
const LONG_LINE_CONTEXT: usize = 60;

pub(super) fn print(
    output: &Output,
    sources: &mut Sources,
    options: &CommonArguments,
    stdout: impl anstream::stream::RawStream + anstream::stream::AsLockedWrite,
) -> io::Result<()> {
    let unicode = options.color == ColorChoice::Always || io::stdout().is_terminal();
    let decor = if unicode { DecorStyle::Unicode } else { DecorStyle::Ascii };
    let renderer = Renderer::styled().decor_style(decor).term_width(120);
    let mut out = AutoStream::new(stdout, options.color.for_stream());
    for (finding, versions) in by_version(output) {
        let note = (versions.len() < output.versions).then(|| format!("only under {}", versions.join(", ")));
        writeln!(out, "{}\n", render(&finding.diagnostic, note.as_deref(), sources, &renderer))?;
    }
    if output.show_stats {
        for (path, reason) in &output.incomplete {
            writeln!(out, "not modelled: {path}: {reason}")?;
        }
        let stats = &output.stats;
        writeln!(
            out,
            "{} files, {} lines, {} expressions: {} of unknown type, {} dependent on template parameters; {} ms",
            stats.files,
            stats.lines,
            stats.expressions,
            stats.unknown_expressions,
            stats.dependent_expressions,
            stats.milliseconds
        )?;
        let accesses = stats.accesses;
        if accesses.total() > 0 {
            writeln!(
                out,
                "{} accesses through generic pointers: {} static, {} per call, {} at run time, {} in functions that \
                 nobody calls, {} not followed",
                accesses.total(),
                accesses.is_static,
                accesses.per_call,
                accesses.runtime,
                accesses.not_called,
                accesses.limited
            )?;
            for function in output.functions.iter().filter(|function| function.accesses.runtime > 0) {
                let (start, _) = sources.positions(&function.place, ColumnUnit::Utf8Bytes);
                writeln!(
                    out,
                    "  {} at run time in `{}` ({}:{})",
                    function.accesses.runtime,
                    function.name,
                    function.place.path,
                    start.line + 1
                )?;
            }
        }
    }
    if !options.quiet {
        writeln!(out, "{}", summary(output))?;
    }
    out.flush()
}

/// Findings that several versions share are shown once, with the versions that have them.
pub(super) fn by_version(output: &Output) -> Vec<(&Finding, Vec<String>)> {
    let mut merged: Vec<(&Finding, Vec<String>)> = Vec::new();
    for finding in output.shown() {
        // What is the same stands close together, because findings are sorted by place.
        let same =
            merged.iter_mut().rev().take_while(|(other, _)| other.diagnostic.place == finding.diagnostic.place).find(
                |(other, _)| {
                    let (a, b) = (&other.diagnostic, &finding.diagnostic);
                    a.code == b.code && a.severity == b.severity && a.message == b.message
                },
            );
        match same {
            Some((_, versions)) => versions.push(finding.version.to_string()),
            None => merged.push((finding, vec![finding.version.to_string()])),
        }
    }
    merged
}

fn summary(output: &Output) -> String {
    let strong = Style::new().bold();
    let count = |severity: Severity| output.findings.iter().filter(|f| f.diagnostic.severity == severity).count();
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let mut parts = Vec::new();
    for (severity, word) in [
        (Severity::Error, "error"),
        (Severity::Warning, "warning"),
        (Severity::Information, "note"),
        (Severity::Hint, "hint"),
    ] {
        if count(severity) > 0 {
            parts.push(plural(count(severity), word));
        }
    }
    let files = plural(output.stats.files as usize, "file");
    let hidden = output.findings.len() - output.shown().len();
    let hidden = if hidden > 0 { format!(" ({hidden} not shown)") } else { String::new() };
    match parts.is_empty() {
        true => format!("{strong}No findings{strong:#} in {files}."),
        false => format!("{strong}{}{strong:#} in {files}{hidden}.", parts.join(", ")),
    }
}

/// One finding as text.
fn render(diagnostic: &Diagnostic, note: Option<&str>, sources: &mut Sources, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::INFO,
        Severity::Hint => Level::HELP.with_name("hint"),
    };
    let text = sources.text(&diagnostic.place.path);
    let line = line_of(&text, diagnostic.place.range.start);
    let near = |place: &Place| {
        place.path == diagnostic.place.path && line.abs_diff(line_of(&text, place.range.start)) <= NEAR_LINES
    };
    let (beside, apart): (Vec<_>, Vec<_>) = diagnostic.related.iter().partition(|related| near(&related.place));
    let mut marks = vec![Mark { kind: AnnotationKind::Primary, range: bytes(&diagnostic.place), label: None }];
    marks.extend(beside.iter().map(|related| Mark {
        kind: AnnotationKind::Context,
        range: bytes(&related.place),
        label: Some(&related.message),
    }));
    let mut main = level.primary_title(&diagnostic.message).id(diagnostic.code.as_str()).elements(excerpt(
        &text,
        &diagnostic.place.path,
        &marks,
    ));
    if let Some(note) = note {
        main = main.element(Level::NOTE.message(note));
    }
    let mut report = vec![main];
    for related in apart {
        let text = sources.text(&related.place.path);
        let mark = Mark { kind: AnnotationKind::Primary, range: bytes(&related.place), label: None };
        let elements = excerpt(&text, &related.place.path, &[mark]);
        report.push(Level::NOTE.secondary_title(&related.message).elements(elements));
    }
    let choices: String;
    match shown_fix(&diagnostic.fixes) {
        Some(fix) => report.push(suggestion(fix, &text, &diagnostic.place.path)),
        None if diagnostic.fixes.is_empty() => {}
        None => {
            let titles: Vec<&str> = diagnostic.fixes.iter().map(|fix| fix.title.as_str()).collect();
            choices = format!("possible fixes: {}", titles.join(" / "));
            report.push(Group::with_title(Level::HELP.secondary_title(&choices)));
        }
    }
    renderer.render(&report)
}

/// A place to point at.
struct Mark<'a> {
    kind: AnnotationKind,
    range: Range<usize>,
    label: Option<&'a str>,
}

fn bytes(place: &Place) -> Range<usize> {
    place.range.start as usize..place.range.end as usize
}

fn line_of(text: &SourceText, offset: u32) -> u32 {
    text.position(offset, ColumnUnit::Utf8Bytes).line
}

/// The lines around some marks. A long line is cut, and then its place is said in words.
fn excerpt<'a>(text: &SourceText, path: &'a Arc<str>, marks: &[Mark<'a>]) -> Vec<Element<'a>> {
    let lines = lines_around(text, marks.iter().map(|mark| &mark.range));
    let longest = (lines.first..=lines.last)
        .filter_map(|line| text.line_range(line))
        .map(|range| range.len())
        .max()
        .unwrap_or_default();
    if longest > LONG_LINE {
        return excerpt_of_long_line(text, path, &marks[0]);
    }
    let shown = lines.range;
    let annotations = marks.iter().map(|mark| {
        let annotation = mark.kind.span(clip(&mark.range, &shown));
        annotation.label(mark.label)
    });
    let snippet = Snippet::source(printable(&text.bytes[shown.clone()]))
        .line_start(lines.first as usize + 1)
        .path(&**path)
        .annotations(annotations.collect::<Vec<Annotation<'a>>>());
    vec![snippet.into()]
}

fn excerpt_of_long_line<'a>(text: &SourceText, path: &'a Arc<str>, mark: &Mark<'a>) -> Vec<Element<'a>> {
    let at = text.position(mark.range.start as u32, ColumnUnit::Characters);
    let line = text.line_range(at.line).unwrap_or(0..0);
    let start = mark.range.start.saturating_sub(LONG_LINE_CONTEXT).max(line.start);
    let end = (mark.range.start + LONG_LINE_CONTEXT).min(line.end).max(start);
    let shown = start..end;
    let origin = Origin::path(&**path).line(at.line as usize + 1).char_column(at.column as usize + 1);
    let snippet = Snippet::source(printable(&text.bytes[shown.clone()]))
        .line_start(at.line as usize + 1)
        .annotation(mark.kind.span(clip(&mark.range, &shown)).label(mark.label));
    vec![origin.into(), snippet.into()]
}

struct Lines {
    first: u32,
    last: u32,
    range: Range<usize>,
}

/// The whole lines that hold these ranges.
fn lines_around<'r>(text: &SourceText, ranges: impl Iterator<Item = &'r Range<usize>>) -> Lines {
    let (mut first, mut last) = (u32::MAX, 0);
    for range in ranges {
        first = first.min(line_of(text, range.start as u32));
        last = last.max(line_of(text, range.end as u32));
    }
    let start = text.line_range(first).map_or(0, |line| line.start);
    let end = text.line_range(last).map_or(text.bytes.len(), |line| line.end);
    Lines { first, last, range: start..end.max(start) }
}

/// A range of the file as a range of the part that is shown.
fn clip(range: &Range<usize>, shown: &Range<usize>) -> Range<usize> {
    let at = |offset: usize| offset.clamp(shown.start, shown.end) - shown.start;
    at(range.start)..at(range.end)
}

/// Bytes as text of the same length: what is not UTF-8 becomes `?`, so that offsets stay right.
fn printable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}

/// The fix to show as a patch: the preferred one, or the only one. Several that are equally good are only listed.
fn shown_fix(fixes: &[Fix]) -> Option<&Fix> {
    match fixes {
        [only] => Some(only),
        several => several.iter().find(|fix| fix.preferred),
    }
}

/// A fix as a patch. One that changes another file, or a line too long to show, is only named.
fn suggestion<'a>(fix: &'a Fix, text: &SourceText, path: &'a Arc<str>) -> Group<'a> {
    let title = Level::HELP.secondary_title(&fix.title);
    let here = fix.edits.iter().all(|edit| edit.place.path == *path);
    let ranges: Vec<Range<usize>> = fix.edits.iter().map(|edit| bytes(&edit.place)).collect();
    let lines = lines_around(text, ranges.iter());
    if !here || ranges.is_empty() || lines.range.len() > LONG_LINE.max(80 * NEAR_LINES as usize) {
        return Group::with_title(title);
    }
    let patches =
        fix.edits.iter().zip(&ranges).map(|(edit, range)| Patch::new(clip(range, &lines.range), &*edit.new_text));
    let snippet = Snippet::source(printable(&text.bytes[lines.range.clone()]))
        .line_start(lines.first as usize + 1)
        .path(&**path)
        .patches(patches.collect::<Vec<Patch<'a>>>());
    title.element(snippet)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use msl_diagnostics::{Code, FixKind, Related, TextEdit, TextRange};
    use msl_ide::file_system::MemoryFiles;

    use super::*;

    fn place(path: &str, start: u32, end: u32) -> Place {
        Place { path: path.into(), range: TextRange::new(start, end) }
    }

    fn check(diagnostic: &Diagnostic, note: Option<&str>, expected: Expect) {
        let mut files = MemoryFiles::default();
        files.insert("a.metal", "void f(thread float *p);\n\nvoid g(device float *d) {\n    f(d);\n}\n");
        files.insert("long.metal", &format!("{}x y{}", "a ".repeat(600), " b".repeat(600)));
        files.insert("b.h", "void f(thread float *p);\n");
        let mut sources = Sources::new(Arc::new(files));
        let renderer = Renderer::plain().decor_style(DecorStyle::Unicode);
        expected.assert_eq(&render(diagnostic, note, &mut sources, &renderer));
    }

    #[test]
    fn places_nearby_share_an_excerpt() {
        let mut diagnostic = Diagnostic::new(
            Code::AddressSpaceMismatch,
            Severity::Error,
            place("a.metal", 58, 59),
            "cannot pass `device float *` as `thread float *`",
        );
        diagnostic.related.push(Related { place: place("a.metal", 7, 22), message: "the parameter is here".into() });
        diagnostic.related.push(Related { place: place("b.h", 5, 6), message: "also declared here".into() });
        diagnostic.fixes.push(Fix {
            title: "make the parameter `device`".into(),
            kind: FixKind::QuickFix,
            preferred: false,
            edits: vec![TextEdit { place: place("a.metal", 7, 13), new_text: "device".into() }],
        });
        check(
            &diagnostic,
            Some("only under metal4.0"),
            expect![[r#"
            error[address-space-mismatch]: cannot pass `device float *` as `thread float *`
              ╭▸ a.metal:4:7
              │
            1 │ void f(thread float *p);
              │        ─────────────── the parameter is here
              ┆
            4 │     f(d);
              │       ━
              │
              ╰ note: only under metal4.0
            note: also declared here
              ╭▸ b.h:1:6
              │
            1 │ void f(thread float *p);
              ╰╴     ━
            help: make the parameter `device`
              ╭╴
            1 - void f(thread float *p);
            1 + void f(device float *p);
              ╰╴"#]],
        );
    }

    #[test]
    fn long_lines_are_cut() {
        let diagnostic = Diagnostic::new(Code::SyntaxError, Severity::Error, place("long.metal", 1200, 1201), "what");
        check(
            &diagnostic,
            None,
            expect![[r#"
            error[syntax-error]: what
              ╭▸ long.metal:1:1201
              │
              ⸬  
            1 │ a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a x y b b b b b b b b b b b b b b b b b b b b b b b b b b b b 
              ╰╴                                                            ━"#]],
        );
    }
}
