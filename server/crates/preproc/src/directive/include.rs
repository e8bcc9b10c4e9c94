//! `#include`, `#include_next` and `#import`.

use msl_intern::Name;

use super::Line;
use crate::{
    expand::Placed,
    output::{DiagnosticKind, IncludeDirective, Note},
    preprocess::Preprocessor,
    source::{FileId, Include, IncludeRequest},
    token::{Punct, TokenKind},
};

impl Preprocessor<'_> {
    pub(super) fn include_directive(&mut self, line: Line) {
        let range = self.line_range(line);
        let word = self.top().lexed.tokens[line.hash + 1].token.name.bytes();
        let operands = self.placed_tokens(line.operands(), line.end);
        let Some((spelling, angled)) = self.included_header(&operands, line) else {
            let message = "expected a header's name in quotes or angle brackets".to_owned();
            self.report(DiagnosticKind::PreprocessorError, range, message);
            return;
        };
        let file = self.top().file;
        let request = IncludeRequest { from: file, spelling: &spelling, angled, next: word == b"include_next" };
        let target = self.provider.resolve_include(&request);
        let frame = self.top();
        let directive = IncludeDirective {
            file,
            range: frame.byte_range(line.hash, line.end),
            name_range: frame.byte_range(line.operands(), line.end),
            spelling: Name::from_bytes(&spelling),
            angled,
            target,
            entered: false,
        };
        let index = self.out.includes.len();
        self.out.includes.push(directive);
        match target {
            Include::File(target) => {
                let entered = self.include_file(target, line, word == b"import");
                self.out.includes[index].entered = entered;
            }
            Include::Library(_) => {}
            Include::Sdk(name) => {
                let range = self.top().origin_range(line.operands(), line.end);
                let message = format!("`<{name}>` is a header of Apple's SDK, which is not at hand");
                self.report(DiagnosticKind::SdkHeader, range, message);
            }
            Include::NotFound => {
                let range = self.top().origin_range(line.operands(), line.end);
                let message = format!("`{}` is not found", String::from_utf8_lossy(&spelling));
                self.report(DiagnosticKind::IncludeNotFound, range, message);
            }
        }
    }

    /// The header that the operands of a directive name.
    fn included_header(&mut self, operands: &[Placed], line: Line) -> Option<(Vec<u8>, bool)> {
        let first = operands.first()?;
        if first.token.kind == TokenKind::String {
            self.expect_line_end(line, line.operands() + 1);
            return self.header_name(operands);
        }
        if first.token.is_punct(Punct::Lt) {
            return self.header_name(operands);
        }
        let expanded = self.expand_line(line, line.operands());
        self.header_name(&expanded)
    }

    /// Enters a file unless something keeps it out. Says whether it was entered.
    fn include_file(&mut self, target: FileId, line: Line, import: bool) -> bool {
        if self.once.contains(&target) {
            return false;
        }
        if let Some((_, lexed)) = self.lexed.get(&target) {
            // The file was entered before, and its guard says that nothing is left of it.
            if lexed.guard.is_some_and(|guard| self.table.get(guard).is_some()) {
                return false;
            }
        }
        let range = self.line_range(line);
        let depth = self.files.iter().filter(|frame| frame.file.is_real()).count();
        if depth > self.options.limits.include_depth as usize {
            self.report_include_depth(target, line);
            return false;
        }
        self.include_count += 1;
        if self.include_count > self.options.limits.includes {
            self.report_limit("includes", range, "too many files are included; the rest is left out");
            return false;
        }
        if import {
            self.once.insert(target);
        }
        let includer = self.top().origin(line.hash);
        if !self.enter_file(target, Some(includer)) {
            self.report(DiagnosticKind::IncludeNotFound, range, "the included file cannot be read".to_owned());
            return false;
        }
        true
    }

    /// Reports that files are nested too deeply, with the chain of includes: one round of it if it is a cycle.
    fn report_include_depth(&mut self, target: FileId, line: Line) {
        let range = self.line_range(line);
        if !self.reported_limits.insert("include depth") {
            return;
        }
        let frames: Vec<_> = self.files.iter().filter(|frame| frame.file.is_real()).collect();
        let round = frames.iter().rposition(|frame| frame.file == target).map(|start| &frames[start..]);
        let (chain, message) = match round {
            Some(round) => (round, "this file includes itself, directly or by way of others"),
            None => (&frames[frames.len().saturating_sub(8)..], "files are included too deeply inside each other"),
        };
        let mut notes = Vec::new();
        for frame in chain.iter().rev().take(16) {
            if let Some(&hash) = frame.lexed.directives.get(frame.next_directive.saturating_sub(1)) {
                let hash = hash as usize;
                let range = frame.byte_range(hash, frame.lexed.line_end(hash));
                notes.push(Note { file: frame.file, range, message: "included from here".to_owned() });
            }
        }
        self.report_with_notes(DiagnosticKind::Limit, range, message.to_owned(), notes);
    }
}
