//! What the main loop is told, and how requests are answered.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::{
    jsonrpc::{Error, ErrorCode, Result},
    lsp_types::{
        DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
        DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
        DidSaveTextDocumentParams, InitializeParams, RenameFilesParams,
    },
};

use super::{diagnostics::Diagnosed, include_graph::IncludeGraph, main_loop::Asked, project_links::ProjectLinks};

/// Everything that can happen to the main loop. There is no other way to reach its state.
pub(crate) enum Event {
    Initialize(Box<InitializeParams>, Reply),
    Initialized,
    Opened(DidOpenTextDocumentParams),
    Changed(DidChangeTextDocumentParams),
    Saved(DidSaveTextDocumentParams),
    Closed(DidCloseTextDocumentParams),
    ConfigurationChanged(DidChangeConfigurationParams),
    /// The client's answer to our question for its settings.
    ConfigurationReceived(Value),
    FoldersChanged(DidChangeWorkspaceFoldersParams),
    FilesChanged(DidChangeWatchedFilesParams),
    FilesRenamed(RenameFilesParams),
    Request(Request),
    /// A request whose handler was overtaken by an edit and that the client still waits for.
    Retry(Request, Asked),
    Diagnosed(Box<Diagnosed>),
    /// The diagnostics job with this number, of this root, was overtaken by an edit.
    DiagnosticsCancelled(Arc<str>, u64),
    /// Builds, host code and binaries were read.
    ProjectRead(Box<ProjectLinks>),
    /// Where files of the workspace include each other, as far as their text tells.
    IncludesFound(Box<IncludeGraph>),
}

/// A request in the queue.
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) params: Value,
    pub(crate) reply: Reply,
}

/// The one place through which a request is answered: the first answer counts. Clones share it.
#[derive(Clone)]
pub(crate) struct Reply {
    slot: Arc<Slot>,
}

struct Slot {
    sender: Mutex<Option<oneshot::Sender<Result<Value>>>>,
    cancelled: AtomicBool,
}

impl Reply {
    pub(crate) fn new() -> (Reply, oneshot::Receiver<Result<Value>>) {
        let (sender, receiver) = oneshot::channel();
        let slot = Slot { sender: Mutex::new(Some(sender)), cancelled: AtomicBool::new(false) };
        (Reply { slot: Arc::new(slot) }, receiver)
    }

    pub(crate) fn send(&self, answer: Result<Value>) {
        let sender = self.slot.sender.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(sender) = sender {
            // The receiver is gone only when the transport is.
            let _ = sender.send(answer);
        }
    }

    /// The client does not want the answer any more: it gets an error at once, and the handler may stop.
    pub(crate) fn cancel(&self) {
        self.slot.cancelled.store(true, Ordering::Relaxed);
        self.send(Err(Error::request_cancelled()));
    }

    /// Whether nobody waits for the answer any more.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.slot.cancelled.load(Ordering::Relaxed)
    }
}

/// The error for a request that an edit of its document made pointless.
pub(crate) fn content_modified() -> Error {
    Error { code: ErrorCode::ContentModified, message: "the document was modified".into(), data: None }
}

/// The error for a request that cannot be done, with the reason in the user's terms.
pub(crate) fn refused(reason: impl Into<String>) -> Error {
    // `RequestFailed` of LSP 3.17, which the client shows as it is.
    Error { code: ErrorCode::ServerError(-32803), message: reason.into().into(), data: None }
}

pub(crate) fn invalid_params(reason: impl Into<String>) -> Error {
    Error { code: ErrorCode::InvalidParams, message: reason.into().into(), data: None }
}
