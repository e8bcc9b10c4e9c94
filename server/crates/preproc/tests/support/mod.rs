//! Files in memory and printers of results.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its part")]

use std::{fmt::Write, ops::Range, sync::Arc};

use msl_intern::Name;
use msl_preproc::{
    FileId, Include, IncludeRequest, LanguageVersion, Options, Platform, Preprocessed, SourceProvider, TokenFlags,
    preprocess,
};

/// A set of files; the first is the root.
#[derive(Default)]
pub struct Files {
    files: Vec<(String, Arc<[u8]>)>,
    pub options: Options,
}

impl Files {
    /// One file with this text.
    pub fn single(text: &str) -> Files {
        Files::bytes(text.as_bytes())
    }

    pub fn bytes(text: &[u8]) -> Files {
        Files { files: vec![("main.metal".to_owned(), text.into())], options: Options::default() }
    }

    /// Files cut at lines `// file: name`.
    pub fn fixture(text: &str) -> Files {
        let mut files = Files::default();
        for part in text.split("// file: ").skip(1) {
            let (name, text) = part.split_once('\n').unwrap_or((part, ""));
            files.files.push((name.trim().to_owned(), text.as_bytes().into()));
        }
        files
    }

    pub fn version(mut self, major: u8, minor: u8, platform: Platform) -> Files {
        self.options.version = LanguageVersion::new(major, minor, platform);
        self
    }

    pub fn preprocess(&self) -> Preprocessed {
        preprocess(FileId(0), self, &self.options)
    }

    pub fn name(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("<built-in>", |(name, _)| name)
    }

    pub fn slice(&self, file: FileId, range: Range<u32>) -> String {
        let text = self.files.get(file.0 as usize).map_or(&b""[..], |(_, text)| text);
        String::from_utf8_lossy(&text[range.start as usize..range.end as usize]).into_owned()
    }
}

impl SourceProvider for Files {
    fn text(&self, file: FileId) -> Option<Arc<[u8]>> {
        self.files.get(file.0 as usize).map(|(_, text)| Arc::clone(text))
    }

    fn resolve_include(&self, request: &IncludeRequest<'_>) -> Include {
        if request.angled && request.spelling == b"metal_stdlib" {
            return Include::Library(Name::from_bytes(request.spelling));
        }
        let skip = if request.next { request.from.0 as usize + 1 } else { 0 };
        let mut found = self.files.iter().enumerate().skip(skip);
        match found.find(|(_, (name, _))| {
            name.as_bytes() == request.spelling
                || (request.next && { name.rsplit('/').next().is_some_and(|last| last.as_bytes() == request.spelling) })
        }) {
            Some((index, _)) => Include::File(FileId(index as u32)),
            None => Include::NotFound,
        }
    }

    fn path(&self, file: FileId) -> Option<String> {
        Some(self.name(file).to_owned())
    }
}

/// The tokens as text, lines kept, spaces where there was white space.
pub fn expanded_text(unit: &Preprocessed) -> String {
    let mut text = String::new();
    for (index, token) in unit.tokens.iter().enumerate() {
        if index > 0 && token.flags.has(TokenFlags::LINE_START) {
            text.push('\n');
        } else if index > 0 && token.flags.has(TokenFlags::SPACE_BEFORE) {
            text.push(' ');
        }
        if token.kind == msl_preproc::TokenKind::Pragma {
            let _ = write!(text, "#pragma {}", token.text());
        } else {
            text.push_str(token.text());
        }
    }
    text.push('\n');
    text
}

/// The diagnostics, one a line: file, offsets, kind, message, notes.
pub fn report(unit: &Preprocessed) -> String {
    let mut text = String::new();
    for diagnostic in &unit.diagnostics {
        let (file, range) = unit.map.file_range(diagnostic.range.clone());
        let _ = writeln!(text, "{}:{range:?} {:?}: {}", file.0, diagnostic.kind, diagnostic.message);
        for note in &diagnostic.notes {
            let _ = writeln!(text, "    {}:{:?} {}", note.file.0, note.range, note.message);
        }
    }
    text
}
