//! Directives (C++17 [cpp]).
//!
//! A directive is read from the tokens of its line. While one is read that expands macros, the file's limit is the end
//! of the line, so that nothing reads on into the text.

mod conditional;
mod define;
mod include;
mod pragma;

use std::ops::Range;

use crate::{
    expand::Placed,
    lexer::LexedToken,
    output::DiagnosticKind,
    preprocess::Preprocessor,
    token::{Origin, TokenKind},
};

/// The tokens of a directive: indices into the tokens of its file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// The `#`.
    pub(crate) hash: usize,
    /// The first token that is not part of the line.
    pub(crate) end: usize,
}

impl Line {
    /// The first token behind the directive's name.
    pub(crate) fn operands(&self) -> usize {
        (self.hash + 2).min(self.end)
    }
}

const DIRECTIVES: &[&str] = &[
    "define",
    "elif",
    "elifdef",
    "elifndef",
    "else",
    "endif",
    "error",
    "if",
    "ifdef",
    "ifndef",
    "import",
    "include",
    "include_next",
    "line",
    "pragma",
    "undef",
    "warning",
];

/// The directive that a misspelt one was most likely meant to be.
fn closest_directive(typed: &[u8]) -> Option<&'static str> {
    if typed == b"elseif" || typed == b"elsif" {
        return Some("elif");
    }
    let distance = |directive: &&&str| edit_distance(typed, directive.as_bytes());
    let closest = DIRECTIVES.iter().min_by_key(distance)?;
    (distance(&closest) <= typed.len() / 3).then_some(closest)
}

/// The number of letters to insert, delete, replace or swap with the next one.
fn edit_distance(left: &[u8], right: &[u8]) -> usize {
    // No directive is longer; this also bounds the work.
    if left.len() > 16 {
        return left.len();
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, &a) in left.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, &b) in right.iter().enumerate() {
            let mut best = (row[j] + usize::from(a != b)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a == right[j - 1] && left[i - 1] == b {
                best = best.min(before[j - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[right.len()]
}

impl Preprocessor<'_> {
    /// Handles the directive at the position of the innermost file. It may stand inside the arguments of a macro call;
    /// one that includes a file never does.
    pub(crate) fn directive(&mut self) {
        let frame = self.top();
        let hash = frame.at;
        let line = Line { hash, end: frame.lexed.line_end(hash) };
        frame.next_directive += 1;
        frame.at = line.end;
        if line.end == hash + 1 {
            return;
        }
        let word = frame.lexed.tokens[hash + 1];
        let name = word.token.name.bytes();
        // Free text may hold a lone apostrophe.
        if matches!(name, b"error" | b"warning" | b"pragma") && word.token.is_word() {
            self.skip_problems(line.end);
        } else {
            self.report_directive_problems(line.end);
        }
        if word.token.kind == TokenKind::Int {
            // `# 1 "file"`: a line marker of a preprocessed text.
            return;
        }
        match name {
            b"if" => self.if_directive(line),
            b"ifdef" => self.ifdef_directive(line, true),
            b"ifndef" => self.ifdef_directive(line, false),
            b"elif" | b"elifdef" | b"elifndef" | b"else" => self.other_group(line),
            b"endif" => self.endif_directive(line),
            b"define" => self.define_directive(line),
            b"undef" => self.undef_directive(line),
            b"include" | b"include_next" | b"import" => self.include_directive(line),
            b"pragma" => self.pragma_directive(line),
            b"line" => self.line_directive(line),
            b"error" => self.message_directive(line, DiagnosticKind::PreprocessorError),
            b"warning" => self.message_directive(line, DiagnosticKind::Warning),
            b"ident" | b"sccs" => {}
            _ => {
                let text = word.token.text();
                let range = self.top().origin_range(hash, hash + 2);
                let meant = match closest_directive(name) {
                    Some(directive) => format!("; did you mean `#{directive}`?"),
                    None => String::new(),
                };
                self.report(DiagnosticKind::PreprocessorError, range, format!("unknown directive `#{text}`{meant}"));
            }
        }
    }

    /// The tokens of the innermost file from `start` up to `end`.
    pub(crate) fn placed_tokens(&mut self, start: usize, end: usize) -> Vec<Placed> {
        let frame = self.top();
        let base = frame.base;
        let placed = |lexed: &LexedToken| Placed { token: lexed.token, origin: Origin(base + lexed.start) };
        frame.lexed.tokens[start..end.max(start)].iter().map(placed).collect()
    }

    /// Warns about tokens behind the end of a directive.
    pub(crate) fn expect_line_end(&mut self, line: Line, from: usize) {
        if from < line.end {
            let range = self.top().origin_range(from, line.end);
            self.report(DiagnosticKind::Warning, range, "extra tokens at the end of the directive".to_owned());
        }
    }

    /// The whole directive.
    pub(crate) fn line_range(&mut self, line: Line) -> Range<Origin> {
        self.top().origin_range(line.hash, line.end)
    }

    /// `#error` and `#warning`: the text of the line.
    fn message_directive(&mut self, line: Line, kind: DiagnosticKind) {
        let range = self.line_range(line);
        let frame = self.top();
        let message = if line.operands() < line.end {
            let bytes = frame.byte_range(line.operands(), line.end);
            let text = String::from_utf8_lossy(&frame.text[bytes.start as usize..bytes.end as usize]);
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            String::new()
        };
        self.report(kind, range, message);
    }

    /// `#line number "name"`.
    fn line_directive(&mut self, line: Line) {
        let tokens = self.expand_line(line, line.operands());
        let number = tokens.first().and_then(|first| {
            let text = first.token.text();
            (first.token.kind == TokenKind::Int).then(|| text.parse::<u32>().ok()).flatten()
        });
        let Some(number) = number else {
            let range = self.line_range(line);
            self.report(DiagnosticKind::PreprocessorError, range, "`#line` needs a line number".to_owned());
            return;
        };
        let frame = self.top();
        let here = crate::expand::line_of(frame, frame.lexed.tokens[line.hash].start);
        frame.line_delta = i64::from(number) - here - 1;
        if let Some(name) = tokens.get(1).filter(|name| name.token.kind == TokenKind::String) {
            let text = name.token.text().trim_matches('"');
            frame.line_name = Some(msl_intern::Name::new(text));
        }
    }

    /// The tokens of a line from `start` on with all macros expanded.
    pub(crate) fn expand_line(&mut self, line: Line, start: usize) -> Vec<Placed> {
        let frame = self.top();
        let outer_limit = std::mem::replace(&mut frame.limit, line.end);
        frame.at = start;
        self.begin_line();
        let mut tokens = Vec::new();
        while let Some(placed) = self.next_expanded(true) {
            tokens.push(placed);
        }
        let frame = self.top();
        frame.limit = outer_limit;
        frame.at = line.end;
        tokens
    }

    /// Starts the fuel of one line; spacing of what stood before it does not count in it.
    pub(crate) fn begin_line(&mut self) {
        self.expander.begin_top_level();
        self.expander.take_carry();
    }
}
