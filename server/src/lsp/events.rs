//! What the main loop is told, and how requests are answered.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use dashmap::DashMap;
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::{
    jsonrpc::{Error, ErrorCode, Id, Result},
    lsp_types::{
        DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
        DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
        DidSaveTextDocumentParams, InitializeParams, RenameFilesParams,
    },
};

use super::{
    compiler::Compiled, diagnostics::Diagnosed, framing::Output, include_graph::IncludeGraph, main_loop::Asked,
    project_links::ProjectLinks,
};

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
    /// What a configured compiler found.
    Compiled(Box<Compiled>),
    /// The diagnostics job with this number, of this root, was overtaken by an edit.
    DiagnosticsCancelled(Arc<str>, u64),
    /// Where files of the workspace include each other, as far as their text tells. `None` if that failed.
    IncludesFound(Option<Box<IncludeGraph>>),
    /// The declarations of all files of the workspace were read.
    SymbolsRead,
    /// Builds, host code and binaries were read.
    ProjectRead(Box<ProjectLinks>),
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
    /// Who waits; `None` behind the first answer.
    waiting: Mutex<Option<Waiting>>,
    cancelled: AtomicBool,
}

/// Who waits for an answer.
enum Waiting {
    /// tower-lsp, which wants to know what was answered.
    Lifecycle(oneshot::Sender<Result<Value>>),
    /// The client, directly.
    Client { id: Id, output: Output, pending: Arc<Pending> },
}

/// The requests that are not answered yet, for whoever cancels them.
pub(crate) type Pending = DashMap<Id, Reply>;

impl Reply {
    /// The reply to a request that tower-lsp answers.
    pub(crate) fn to_lifecycle() -> (Reply, oneshot::Receiver<Result<Value>>) {
        let (sender, receiver) = oneshot::channel();
        (Reply::new(Waiting::Lifecycle(sender)), receiver)
    }

    /// The reply to a request of the client. It is among the pending ones until it is sent.
    pub(crate) fn to_client(id: Id, output: Output, pending: &Arc<Pending>) -> Reply {
        let reply = Reply::new(Waiting::Client { id: id.clone(), output, pending: Arc::clone(pending) });
        pending.insert(id, reply.clone());
        reply
    }

    fn new(waiting: Waiting) -> Reply {
        Reply { slot: Arc::new(Slot { waiting: Mutex::new(Some(waiting)), cancelled: AtomicBool::new(false) }) }
    }

    /// Answers with a result, which is JSON already.
    pub(crate) fn send(&self, answer: Result<String>) {
        let waiting = self.slot.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        match waiting {
            Some(Waiting::Client { id, output, pending }) => {
                pending.remove(&id);
                output.send(&response(&id, answer));
            }
            Some(Waiting::Lifecycle(sender)) => {
                let answer = answer.and_then(|text| serde_json::from_str(&text).map_err(|_| Error::internal_error()));
                // The receiver is gone only when the transport is.
                let _ = sender.send(answer);
            }
            None => {}
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

/// A response of JSON-RPC.
fn response(id: &Id, answer: Result<String>) -> String {
    let id = serde_json::to_string(id).unwrap_or_else(|_| "null".to_owned());
    match answer {
        Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
        Err(error) => {
            let error = serde_json::to_string(&error).unwrap_or_else(|_| r#"{"code":-32603,"message":""}"#.to_owned());
            format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
        }
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
