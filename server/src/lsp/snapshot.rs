//! What a handler sees of the world: everything as of one moment.

use std::{cell::RefCell, sync::Arc};

use dashmap::DashMap;
use msl_diagnostics::{Place, TextRange};
use msl_ide::{Analysis, UnitRequest};
use msl_syntax::{LineIndex, PositionEncoding, decode_utf8};
use rustc_hash::FxHashMap;
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{Location, Position, Range, SemanticToken, TextDocumentPositionParams, Url},
};

use super::{
    capabilities::ClientAbilities,
    compiler::Found,
    documents::{Document, Documents},
    events::{Reply, invalid_params},
    from_proto,
    handlers::{pull_diagnostics::ClosedUnit, symbols::FileSymbol},
    include_graph::IncludeGraph,
    library_files, paths,
    project_links::{self, ProjectLinks},
    settings::Settings,
    to_proto,
};

/// One moment of the server. While one of the analyser's queries runs, an edit ends it by unwinding; see
/// [`Analysis::cancellable`].
pub(crate) struct Snapshot {
    pub(crate) analysis: Analysis,
    pub(crate) documents: Arc<Documents>,
    pub(crate) settings: Arc<Settings>,
    pub(crate) includes: Arc<IncludeGraph>,
    pub(crate) encoding: PositionEncoding,
    pub(crate) client: Arc<ClientAbilities>,
    pub(crate) caches: Arc<Caches>,
    pub(crate) changes: Arc<Changes>,
    /// What is known across files, as of the last reading.
    pub(crate) links: Arc<ProjectLinks>,
    /// The request that is being answered.
    pub(crate) reply: Option<Reply>,
    /// Lines of files that are not open.
    pub(crate) lines: RefCell<FxHashMap<Arc<str>, Option<Arc<LineIndex>>>>,
}

/// When files changed, for whoever keeps what it found out about them. Time is counted in changes.
#[derive(Clone, Default)]
pub(crate) struct Changes {
    now: u64,
    /// When something changed on which everything may depend: settings, or which files there are.
    everything: u64,
    files: FxHashMap<Arc<str>, u64>,
}

impl Changes {
    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// Notes that a file has another text.
    pub(crate) fn note(&mut self, path: &Arc<str>) {
        self.now += 1;
        self.files.insert(path.clone(), self.now);
    }

    /// Notes a change on which everything may depend.
    pub(crate) fn note_everything(&mut self) {
        self.now += 1;
        self.everything = self.now;
        self.files.clear();
    }

    /// Whether what was found out at `time` about these files may be wrong now.
    pub(crate) fn since(&self, time: u64, files: &[Arc<str>]) -> bool {
        self.everything > time || files.iter().any(|path| self.files.get(path).is_some_and(|&changed| changed > time))
    }
}

/// Answers of before that help with the next. They are checked against what they were made from, so nothing has to
/// take them out.
#[derive(Default)]
pub(crate) struct Caches {
    /// The tokens that a client has of a document, with their name.
    pub(crate) tokens: DashMap<Arc<str>, (String, Arc<[SemanticToken]>)>,
    /// The declarations of open documents, with the generation of the text.
    pub(crate) symbols: DashMap<Arc<str>, (u64, Arc<Vec<FileSymbol>>)>,
    /// The declarations of files on disk. Whoever learns that a file changed takes it out.
    pub(crate) symbols_on_disk: DashMap<Arc<str>, Arc<Vec<FileSymbol>>>,
    /// What a configured compiler found, by file. The main loop takes it out when it is out of date.
    pub(crate) compiled: DashMap<Arc<str>, Vec<Found>>,
    /// What is wrong with units that are not open.
    pub(crate) closed_units: DashMap<Arc<str>, Arc<ClosedUnit>>,
}

/// A place in a file, open or not, in the terms of the analyser.
pub(crate) struct Anywhere {
    pub(crate) path: Arc<str>,
    pub(crate) offset: u32,
    /// The unit to look at the file through.
    pub(crate) unit: UnitRequest,
}

/// A position in a document, in the terms of the analyser.
pub(crate) struct At<'a> {
    pub(crate) document: &'a Document,
    pub(crate) path: Arc<str>,
    pub(crate) offset: u32,
    /// The unit to look at the document through.
    pub(crate) unit: UnitRequest,
}

impl From<At<'_>> for Anywhere {
    fn from(at: At<'_>) -> Anywhere {
        Anywhere { path: at.path, offset: at.offset, unit: at.unit }
    }
}

impl Snapshot {
    /// The open document with this URI.
    pub(crate) fn document(&self, uri: &Url) -> Result<(Arc<str>, &Document)> {
        let path = paths::path_of(uri);
        match self.documents.get_key_value(&path) {
            Some((path, document)) => Ok((path.clone(), document)),
            None => Err(invalid_params(format!("{uri} is not open"))),
        }
    }

    /// The place that a request is about. `None` if the document is not one to analyse.
    pub(crate) fn at(&self, params: &TextDocumentPositionParams) -> Result<Option<At<'_>>> {
        let (path, document) = self.document(&params.text_document.uri)?;
        if !self.is_analysed(&path, document) {
            return Ok(None);
        }
        let offset = document.text.offset(from_proto::line_column(params.position), self.encoding);
        Ok(Some(At { document, offset, unit: self.unit_of(&path), path }))
    }

    /// The document of a request about a whole document. `None` if it is not one to analyse.
    pub(crate) fn whole(&self, uri: &Url) -> Result<Option<At<'_>>> {
        let (path, document) = self.document(uri)?;
        if !self.is_analysed(&path, document) {
            return Ok(None);
        }
        Ok(Some(At { document, offset: 0, unit: self.unit_of(&path), path }))
    }

    /// A place in any file, such as one that the client was given and gives back. `None` if the file is not one to analyse
    /// or is not there.
    pub(crate) fn anywhere(&self, uri: &Url, position: Position) -> Result<Option<Anywhere>> {
        let path = paths::path_of(uri);
        let position = from_proto::line_column(position);
        let offset = match self.documents.get(&path) {
            Some(document) if !self.is_analysed(&path, document) => return Ok(None),
            Some(document) => document.text.offset(position, self.encoding),
            None if library_files::is_library(&path) => return Ok(None),
            None => match self.lines(&path) {
                Some(lines) => lines.offset(position, self.encoding),
                None => return Ok(None),
            },
        };
        Ok(Some(Anywhere { offset, unit: self.unit_of(&path), path }))
    }

    pub(crate) fn is_analysed(&self, path: &str, document: &Document) -> bool {
        document.is_analysed() && !library_files::is_library(path) && !project_links::is_foreign(path)
    }

    /// The unit through which a file is looked at: for a header what includes it, else the file itself.
    pub(crate) fn unit_of(&self, path: &Arc<str>) -> UnitRequest {
        self.settings.request(&self.root_of(path))
    }

    /// The root of that unit: the unit that includes the header and is open, else the nearest, else the file itself.
    pub(crate) fn root_of(&self, path: &Arc<str>) -> Arc<str> {
        self.includes.root_of(path, &self.documents)
    }

    /// The same moment with an analyser of its own, which knows what editors have open.
    pub(crate) fn apart(&self) -> Snapshot {
        let mut analysis = self.analysis.fresh();
        for (path, document) in self.documents.iter().filter(|(_, document)| document.is_analysed()) {
            analysis.open(path, document.text.to_bytes());
        }
        Snapshot {
            analysis,
            documents: self.documents.clone(),
            settings: self.settings.clone(),
            includes: self.includes.clone(),
            encoding: self.encoding,
            client: self.client.clone(),
            links: self.links.clone(),
            caches: self.caches.clone(),
            changes: self.changes.clone(),
            reply: self.reply.clone(),
            lines: RefCell::default(),
        }
    }

    /// Whether the client does not want the answer any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.reply.as_ref().is_some_and(Reply::is_cancelled)
    }

    /// The URI of a path, as the client spells it if the document is open. A header of the library, `<name>`, becomes a
    /// file first.
    pub(crate) fn uri(&self, path: &str) -> Option<Url> {
        if let Some(document) = self.documents.get(path) {
            return Some(document.uri.clone());
        }
        match library_header(path) {
            Some(name) => paths::uri_of(&library_files::path_of(name)?),
            None => paths::uri_of(path),
        }
    }

    /// A range of a file in LSP's terms.
    pub(crate) fn range(&self, path: &Arc<str>, range: TextRange) -> Range {
        let position = |offset| self.position(path, offset);
        Range::new(position(range.start), position(range.end))
    }

    pub(crate) fn location(&self, place: &Place) -> Option<Location> {
        Some(Location::new(self.uri(&place.path)?, self.range(&place.path, place.range)))
    }

    fn position(&self, path: &Arc<str>, offset: u32) -> Position {
        if let Some(document) = self.documents.get(path) {
            return to_proto::position(document.text.position(offset, self.encoding));
        }
        match self.lines(path) {
            Some(lines) => to_proto::position(lines.position(offset, self.encoding)),
            None => Position::default(),
        }
    }

    fn lines(&self, path: &Arc<str>) -> Option<Arc<LineIndex>> {
        if let Some(known) = self.lines.borrow().get(path) {
            return known.clone();
        }
        let index = match library_header(path) {
            Some(name) => library_files::text_of(name).map(|text| LineIndex::new(&text)),
            None => self.analysis.text(path).map(|bytes| LineIndex::new(&decode_utf8(&bytes).0)),
        };
        let index = index.map(Arc::new);
        self.lines.borrow_mut().insert(path.clone(), index.clone());
        index
    }
}

/// The name of the header if a path is one of the library, as the analyser writes them: `<metal_math>`.
fn library_header(path: &str) -> Option<&str> {
    path.strip_prefix('<')?.strip_suffix('>')
}
