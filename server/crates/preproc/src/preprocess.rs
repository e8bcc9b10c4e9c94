//! The driver: walks the root file and what it includes, hands directives and macros to their modules.
//!
//! Vocabulary:
//!
//! * A *file frame* is an entered file with the position in its tokens; frames stand on a stack.
//! * A *run* is a stretch of tokens of one file without a directive. Within a run only macros need work.
//!
//! Nothing here recurses with the input: files are a stack, macro expansions are a stack
//! ([`expand`](crate::expand)), conditions are evaluated with stacks.

use std::{ops::Range, sync::Arc};

use msl_intern::Name;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    expand::Expander,
    lexer::{Lexed, ProblemKind, lex},
    macros::{MacroDef, MacroId, MacroTable},
    output::{Diagnostic, DiagnosticKind, Note, Options, Preprocessed},
    predefined::predefined_macros,
    source::{FileId, Include, IncludeRequest, SourceProvider},
    source_map::Interval,
    token::{Origin, Token, TokenKind},
};

/// Preprocesses a translation unit.
pub fn preprocess(root: FileId, provider: &dyn SourceProvider, options: &Options) -> Preprocessed {
    let base = MacroTable::new(options.library_macros.clone(), Some(predefined_macros(options.version)));
    let mut unit = Preprocessor::new(provider, options, base);
    // The stack is worked from its end: the root is read last.
    if !unit.enter_file(root, None) {
        let message = "the file cannot be read".to_owned();
        unit.diagnostics().push(Diagnostic {
            kind: DiagnosticKind::IncludeNotFound,
            range: Origin(0)..Origin(0),
            message,
            notes: Vec::new(),
        });
    }
    for &file in options.forced_includes.iter().rev() {
        unit.enter_file(file, None);
    }
    if !options.defines.is_empty() || !options.undefs.is_empty() {
        let text: Arc<[u8]> = command_line_text(options).into_bytes().into();
        unit.enter_text(FileId::COMMAND_LINE, &text, None);
    }
    unit.run();
    unit.finish()
}

/// The macros that a text of `#define` lines makes.
pub(crate) fn macros_of_text(file: FileId, text: String) -> MacroTable {
    struct NoFiles;
    impl SourceProvider for NoFiles {
        fn text(&self, _file: FileId) -> Option<Arc<[u8]>> {
            None
        }
        fn resolve_include(&self, _request: &IncludeRequest<'_>) -> Include {
            Include::NotFound
        }
    }
    let options = Options::default();
    let mut unit = Preprocessor::new(&NoFiles, &options, MacroTable::default());
    unit.enter_text(file, &text.into_bytes().into(), None);
    unit.run();
    unit.table
}

/// The build's macros as directives.
fn command_line_text(options: &Options) -> String {
    let one_line = |text: &str| text.replace(['\n', '\r'], " ");
    let mut text = String::new();
    for (name, value) in &options.defines {
        let value = value.as_deref().unwrap_or("1");
        text.push_str(&format!("#define {} {}\n", one_line(name), one_line(value)));
    }
    for name in &options.undefs {
        text.push_str(&format!("#undef {}\n", one_line(name)));
    }
    text
}

/// A conditional that is open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditional {
    /// The token index of the `#` of its `#if`.
    pub(crate) start: usize,
    /// One of its groups has been taken, or must not be any more.
    pub(crate) taken: bool,
    pub(crate) seen_else: bool,
}

/// An entered file.
pub(crate) struct FileFrame {
    pub(crate) file: FileId,
    pub(crate) text: Arc<[u8]>,
    pub(crate) lexed: Arc<Lexed>,
    /// The origin of its first byte.
    pub(crate) base: u32,
    /// The index of the next token.
    pub(crate) at: usize,
    /// Where reading stops for now: the end of the file, or of the directive that is being read.
    pub(crate) limit: usize,
    /// The index in `lexed.directives` of the next directive at or behind `at`.
    pub(crate) next_directive: usize,
    pub(crate) conditionals: Vec<Conditional>,
    /// The index of the first problem of the text that has not been looked at.
    pub(crate) next_problem: usize,
    /// What `#line` adds to line numbers, and the name it gives.
    pub(crate) line_delta: i64,
    pub(crate) line_name: Option<Name>,
    /// The offsets of line starts, built at the first `__LINE__`.
    pub(crate) line_starts: Vec<u32>,
}

impl FileFrame {
    /// The origin of the token at `index`.
    pub(crate) fn origin(&self, index: usize) -> Origin {
        Origin(self.base + self.lexed.tokens[index].start)
    }

    /// Whether the next token begins a directive that includes a file.
    pub(crate) fn at_include(&self) -> bool {
        let word = self.lexed.directive_word(self.at).map(|word| word.token.name.bytes());
        matches!(word, Some(b"include" | b"include_next" | b"import"))
    }

    /// The places of the tokens from `start` up to `end`, the latter excluded.
    pub(crate) fn origin_range(&self, start: usize, end: usize) -> Range<Origin> {
        let last = end.saturating_sub(1).max(start);
        self.origin(start)..Origin(self.base + self.lexed.tokens[last].end)
    }

    /// The bytes of the tokens from `start` up to `end`, the latter excluded.
    pub(crate) fn byte_range(&self, start: usize, end: usize) -> Range<u32> {
        let last = end.saturating_sub(1).max(start);
        self.lexed.tokens[start].start..self.lexed.tokens[last].end
    }
}

/// The state of one translation unit.
pub(crate) struct Preprocessor<'a> {
    pub(crate) provider: &'a dyn SourceProvider,
    pub(crate) options: &'a Options,
    pub(crate) table: MacroTable,
    /// Definitions by the address they are shared at, so that one definition has one number.
    pub(crate) macro_ids: FxHashMap<*const MacroDef, MacroId>,
    pub(crate) files: Vec<FileFrame>,
    pub(crate) expander: Expander,
    pub(crate) out: Preprocessed,
    /// Files with `#pragma once` or that were `#import`ed.
    pub(crate) once: FxHashSet<FileId>,
    pub(crate) lexed: FxHashMap<FileId, (Arc<[u8]>, Arc<Lexed>)>,
    pub(crate) include_count: u32,
    pub(crate) counter: u32,
    /// What `#pragma push_macro` put by; `None` for a name that was no macro.
    pub(crate) pushed_macros: FxHashMap<Name, Vec<Option<Arc<MacroDef>>>>,
    /// A character that starts no token was read.
    pub(crate) has_unknown_characters: bool,
    /// Limits that were reported.
    pub(crate) reported_limits: FxHashSet<&'static str>,
}

impl<'a> Preprocessor<'a> {
    fn new(provider: &'a dyn SourceProvider, options: &'a Options, table: MacroTable) -> Preprocessor<'a> {
        Preprocessor {
            provider,
            options,
            table,
            macro_ids: FxHashMap::default(),
            files: Vec::new(),
            expander: Expander::default(),
            out: Preprocessed::default(),
            once: FxHashSet::default(),
            lexed: FxHashMap::default(),
            include_count: 0,
            counter: 0,
            pushed_macros: FxHashMap::default(),
            has_unknown_characters: false,
            reported_limits: FxHashSet::default(),
        }
    }

    /// Reads the entered files to their ends.
    fn run(&mut self) {
        while !self.files.is_empty() {
            self.run_top_file();
        }
    }

    /// Reads the innermost file until it ends or another one is entered.
    fn run_top_file(&mut self) {
        let depth = self.files.len();
        while self.files.len() == depth {
            let frame = self.top();
            let next = frame.lexed.directives.get(frame.next_directive).map_or(frame.limit, |&index| index as usize);
            if frame.at < next {
                self.run_tokens(next);
                if self.out.tokens.len() > self.options.limits.tokens as usize {
                    let frame = self.top();
                    let range = frame.origin_range(frame.at, frame.at + 1);
                    self.report_limit("tokens", range, "the translation unit is too large; the rest is not analysed");
                    self.files.clear();
                    return;
                }
            } else if frame.at < frame.limit {
                self.directive();
            } else {
                self.leave_file();
            }
        }
    }

    /// Copies the tokens up to `end` to the result, expanding macros. A macro's arguments may reach behind `end`.
    fn run_tokens(&mut self, end: usize) {
        self.report_problems(end);
        let frame = self.files.last_mut().expect("a run is in a file");
        let lexed = Arc::clone(&frame.lexed);
        let mut at = frame.at;
        let base = frame.base;
        let tokens = &lexed.tokens[at..end];
        self.out.tokens.reserve(tokens.len());
        self.out.origins.reserve(tokens.len());
        for lexed_token in tokens {
            let mut token = lexed_token.token;
            token.flags.0 |= self.expander.take_carry();
            let origin = Origin(base + lexed_token.start);
            at += 1;
            if token.is_word() && self.table.may_contain(token.name) {
                self.top().at = at;
                if self.expand_at_top(token, origin) {
                    return;
                }
            } else {
                self.out.tokens.push(token);
                self.out.origins.push(origin);
            }
        }
        self.top().at = end;
    }

    /// Handles a token of a file that may name a macro. Says whether the file's position has moved, so that the run
    /// must be taken up anew.
    fn expand_at_top(&mut self, token: Token, origin: Origin) -> bool {
        let before = (self.top().at, self.files.len());
        self.expander.begin_top_level();
        if let Some(token) = self.expand_or_keep(token, origin) {
            self.out.tokens.push(token);
            self.out.origins.push(origin);
        }
        while let Some(placed) = self.next_expanded(false) {
            self.out.tokens.push(placed.token);
            self.out.origins.push(placed.origin);
        }
        before != (self.top().at, self.files.len())
    }

    /// Enters a file. Says whether it could be read.
    pub(crate) fn enter_file(&mut self, file: FileId, includer: Option<Origin>) -> bool {
        let Some(text) = self.provider.text(file) else { return false };
        self.enter_text(file, &text, includer)
    }

    fn enter_text(&mut self, file: FileId, text: &Arc<[u8]>, includer: Option<Origin>) -> bool {
        let interval = Interval::File { file, includer };
        let Some(base) = self.out.map.allocate(interval, text.len() + 1) else {
            let range = includer.unwrap_or(Origin(0));
            self.report_limit("locations", range..range, "the translation unit is too large; this file is left out");
            return true;
        };
        let lexed = match self.lexed.get(&file) {
            Some((_, lexed)) => Arc::clone(lexed),
            None => {
                let lexed = match &self.options.header_cache {
                    Some(cache) if file.is_real() => cache.lex(file, text),
                    _ => Arc::new(lex(text)),
                };
                self.lexed.insert(file, (Arc::clone(text), Arc::clone(&lexed)));
                if !lexed.marked_comments.is_empty() {
                    self.out.marked_comments.insert(file, lexed.marked_comments.clone());
                }
                lexed
            }
        };
        self.out.map.add_text(file, text);
        let limit = lexed.eof();
        self.files.push(FileFrame {
            file,
            text: Arc::clone(text),
            lexed,
            base: base.0,
            at: 0,
            limit,
            next_directive: 0,
            conditionals: Vec::new(),
            next_problem: 0,
            line_delta: 0,
            line_name: None,
            line_starts: Vec::new(),
        });
        true
    }

    fn leave_file(&mut self) {
        let end = self.top().limit;
        self.report_problems(end + 1);
        let Some(frame) = self.files.pop() else { return };
        for conditional in &frame.conditionals {
            let range = frame.origin_range(conditional.start, conditional.start + 2);
            self.report(DiagnosticKind::PreprocessorError, range, "this conditional has no `#endif`".to_owned());
        }
    }

    /// Reports the characters that start no token and came through to the result.
    fn report_unknown_characters(&mut self) {
        if !self.has_unknown_characters {
            return;
        }
        let tokens = self.out.tokens.iter().zip(&self.out.origins);
        let unknown = tokens.filter(|(token, _)| token.kind == TokenKind::Unknown);
        let places: Vec<(Origin, Name)> = unknown.map(|(token, &origin)| (origin, token.name)).collect();
        for (origin, name) in places {
            // A byte that is not UTF-8 was reported where it stands.
            if std::str::from_utf8(name.bytes()).is_ok() {
                let message = ProblemKind::UnknownCharacter.message().to_owned();
                self.report(DiagnosticKind::SyntaxError, origin..origin, message);
            }
        }
    }

    fn finish(mut self) -> Preprocessed {
        self.report_unknown_characters();
        self.out.macro_table = Arc::new(self.table);
        self.out.diagnostics.sort_by_key(|diagnostic| diagnostic.range.start);
        for regions in self.out.inactive.values_mut() {
            regions.sort_unstable_by_key(|region| (region.start, region.end));
            regions.dedup();
        }
        self.out
    }

    /// The innermost file.
    pub(crate) fn top(&mut self) -> &mut FileFrame {
        self.files.last_mut().expect("called while a file is being read")
    }

    /// The number of a definition in this unit.
    pub(crate) fn macro_id(&mut self, definition: &Arc<MacroDef>) -> MacroId {
        if let Some(&id) = self.macro_ids.get(&Arc::as_ptr(definition)) {
            return id;
        }
        let id = self.out.map.add_macro(Arc::clone(definition));
        self.macro_ids.insert(Arc::as_ptr(definition), id);
        self.expander.add_macro();
        id
    }

    /// Turns the problems of the text before the token at `end`, which is not skipped, into diagnostics.
    pub(crate) fn report_problems(&mut self, end: usize) {
        self.report_problems_as(end, false);
    }

    /// The same for a directive, where compilers only warn about quotes that are not closed.
    pub(crate) fn report_directive_problems(&mut self, end: usize) {
        self.report_problems_as(end, true);
    }

    fn report_problems_as(&mut self, end: usize, in_directive: bool) {
        let frame = self.files.last_mut().expect("called while a file is being read");
        if frame.next_problem >= frame.lexed.problems.len() {
            return;
        }
        let last_file_end = end > frame.lexed.eof();
        let end_offset = frame.lexed.tokens[end.min(frame.lexed.eof())].start;
        let lexed = Arc::clone(&frame.lexed);
        let base = frame.base;
        while let Some(problem) = lexed.problems.get(self.top().next_problem) {
            if problem.range.start >= end_offset && !last_file_end {
                break;
            }
            self.top().next_problem += 1;
            if problem.kind == ProblemKind::UnknownCharacter {
                // Any character may stand in a replacement list or be made a string; see `report_unknown_characters`.
                self.has_unknown_characters = true;
                continue;
            }
            let is_warning = in_directive && problem.kind.is_open_quote();
            let kind = if is_warning { DiagnosticKind::Warning } else { DiagnosticKind::SyntaxError };
            let range = Origin(base + problem.range.start)..Origin(base + problem.range.end);
            self.report(kind, range, problem.kind.message().to_owned());
        }
    }

    /// Leaves out the problems of the text before the token at `end`: a conditional skipped it.
    pub(crate) fn skip_problems(&mut self, end: usize) {
        let frame = self.top();
        let end_offset = frame.lexed.tokens[end].start;
        while frame.lexed.problems.get(frame.next_problem).is_some_and(|problem| problem.range.start < end_offset) {
            // A comment that is never closed swallows the `#endif`, whether skipped or not.
            if frame.lexed.problems[frame.next_problem].kind == ProblemKind::UnterminatedComment {
                break;
            }
            frame.next_problem += 1;
        }
    }

    pub(crate) fn diagnostics(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.out.diagnostics
    }

    pub(crate) fn report(&mut self, kind: DiagnosticKind, range: Range<Origin>, message: String) {
        self.report_with_notes(kind, range, message, Vec::new());
    }

    /// Reports at a place in a file; a place in an expansion becomes that of the outermost call, with a note for each
    /// macro on the way.
    pub(crate) fn report_with_notes(
        &mut self,
        kind: DiagnosticKind,
        range: Range<Origin>,
        message: String,
        mut notes: Vec<Note>,
    ) {
        if kind != DiagnosticKind::Limit && self.out.diagnostics.len() >= self.options.limits.diagnostics as usize {
            self.report_limit("diagnostics", range, "too many problems; the rest is not reported");
            return;
        }
        let map = &self.out.map;
        let mut place = range;
        if place.start == place.end && map.is_in_file(place.start) {
            // One origin stands for its token.
            let (_, token) = map.spelled_range(place.start);
            place.end = Origin(place.start.0 + (token.end - token.start));
        }
        if !map.is_in_file(place.start) {
            for step in map.expansion_chain(place.start).iter().take(8) {
                if step.kind == crate::source_map::ExpansionKind::Body {
                    let definition = map.definition(map.expansions()[step.expansion as usize].definition);
                    notes.push(Note {
                        file: definition.file,
                        range: definition.name_range.clone(),
                        message: format!("in the expansion of macro `{}`", definition.name),
                    });
                }
            }
            let site = map.expansion_site(place.start);
            let (_, range) = map.expansion_range(place.start);
            place = site..Origin(site.0 + (range.end - range.start));
        }
        self.out.diagnostics.push(Diagnostic { kind, range: place, message, notes });
    }

    /// Reports a limit, once each.
    pub(crate) fn report_limit(&mut self, limit: &'static str, range: Range<Origin>, message: &str) {
        if self.reported_limits.insert(limit) {
            self.report(DiagnosticKind::Limit, range, message.to_owned());
        }
    }
}
