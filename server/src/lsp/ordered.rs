//! The order of the wire.
//!
//! tower-lsp runs the bodies of its trait as concurrent futures, and after the first `.await` their order is anybody's
//! guess. [`Ordered`] stands in front of it: [`Service::call`] runs on the read loop, one message after the other, and
//! puts an event for each into the one queue of the main loop before it returns. tower-lsp itself sees only
//! `initialize` and `shutdown`, whose states it needs to know for the other direction.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU8, Ordering},
        mpsc,
    },
    task::{Context, Poll},
};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tower_lsp::{
    Client, ExitedError, LanguageServer, LspService, async_trait,
    jsonrpc::{self, Error, ErrorCode, Id, Response, Result},
    lsp_types::{InitializeParams, InitializeResult},
};
use tower_service::Service;

use super::events::{Event, Pending, Reply, Request, invalid_params};
use super::framing::{MALFORMED, Output};

/// How far the conversation is. It moves only on the read loop.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Phase {
    Uninitialized,
    Running,
    ShutDown,
}

/// The phase, for the end of the process.
#[derive(Clone)]
pub(crate) struct Status(Arc<AtomicU8>);

impl Status {
    fn phase(&self) -> Phase {
        match self.0.load(Ordering::Relaxed) {
            0 => Phase::Uninitialized,
            1 => Phase::Running,
            _ => Phase::ShutDown,
        }
    }

    fn set(&self, phase: Phase) {
        self.0.store(phase as u8, Ordering::Relaxed);
    }

    /// 0 if the client said `shutdown` before it left, as LSP wants it.
    pub(crate) fn exit_code(&self) -> u8 {
        if self.phase() == Phase::ShutDown { 0 } else { 1 }
    }
}

/// What tower-lsp sees of the server.
pub(crate) struct Lifecycle {
    client: Client,
    /// The answer of the main loop to `initialize`, until tower-lsp asks for it.
    initialize: Mutex<Option<oneshot::Receiver<Result<Value>>>>,
}

impl Lifecycle {
    pub(crate) fn new(client: Client) -> Lifecycle {
        Lifecycle { client, initialize: Mutex::new(None) }
    }

    pub(crate) fn client(&self) -> Client {
        self.client.clone()
    }
}

#[async_trait]
impl LanguageServer for Lifecycle {
    async fn initialize(&self, _: InitializeParams) -> Result<InitializeResult> {
        let answer = self.initialize.lock().unwrap_or_else(PoisonError::into_inner).take();
        let value = match answer {
            Some(answer) => answer.await.map_err(|_| Error::internal_error())??,
            None => return Err(Error::invalid_request()),
        };
        serde_json::from_value(value).map_err(|_| Error::internal_error())
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }
}

/// The service that the transport calls; see the module documentation.
pub(crate) struct Ordered {
    inner: LspService<Lifecycle>,
    events: mpsc::Sender<Event>,
    output: Output,
    pending: Arc<Pending>,
    status: Status,
}

type Answer = Pin<Box<dyn Future<Output = std::result::Result<Option<Response>, ExitedError>> + Send>>;

impl Ordered {
    pub(crate) fn new(inner: LspService<Lifecycle>, events: mpsc::Sender<Event>, output: Output) -> Ordered {
        Ordered { inner, events, output, pending: Arc::default(), status: Status(Arc::default()) }
    }

    pub(crate) fn status(&self) -> Status {
        self.status.clone()
    }

    fn initialize(&mut self, request: jsonrpc::Request, id: Id) -> Answer {
        if self.status.phase() != Phase::Uninitialized {
            return answered(id, Err(Error::invalid_request()));
        }
        let mut params = request.params().cloned().unwrap_or_else(|| json!({}));
        super::capabilities::forget_pulling_without_refresh(&mut params);
        let params = match serde_json::from_value::<InitializeParams>(params) {
            Ok(params) => params,
            Err(error) => return answered(id, Err(invalid_params(error.to_string()))),
        };
        self.status.set(Phase::Running);
        let (reply, answer) = Reply::to_lifecycle();
        *self.inner.inner().initialize.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        let _ = self.events.send(Event::Initialize(Box::new(params), reply));
        let response = self.inner.call(request);
        Box::pin(async move { Ok(response.await?.map(super::capabilities::add_what_the_types_lack)) })
    }

    fn request(&mut self, method: String, params: Option<Value>, id: Id) -> Answer {
        match self.status.phase() {
            Phase::Running => {}
            Phase::Uninitialized => {
                let code = ErrorCode::ServerError(-32002);
                let message = "the server is not initialized".into();
                return answered(id, Err(Error { code, message, data: None }));
            }
            Phase::ShutDown => return answered(id, Err(Error::invalid_request())),
        }
        if !super::dispatch::is_known(&method) {
            let mut error = Error::method_not_found();
            error.data = Some(Value::from(method));
            return answered(id, Err(error));
        }
        if self.pending.contains_key(&id) {
            return answered(id, Err(Error::invalid_request()));
        }
        let reply = Reply::to_client(id, self.output.clone(), &self.pending);
        let _ = self.events.send(Event::Request(Request { method, params: params.unwrap_or(Value::Null), reply }));
        // The reply is sent by whoever answers; tower-lsp has nothing to write.
        nothing()
    }

    fn notification(&mut self, method: &str, params: Option<Value>) {
        if self.status.phase() != Phase::Running {
            return;
        }
        let params = params.unwrap_or(Value::Null);
        // A notification that cannot be read has no effect: there is nobody to answer to.
        let event = match method {
            "initialized" => Some(Event::Initialized),
            "textDocument/didOpen" => read(params).map(Event::Opened),
            "textDocument/didChange" => read(params).map(Event::Changed),
            "textDocument/didSave" => read(params).map(Event::Saved),
            "textDocument/didClose" => read(params).map(Event::Closed),
            "workspace/didChangeConfiguration" => read(params).map(Event::ConfigurationChanged),
            "workspace/didChangeWorkspaceFolders" => read(params).map(Event::FoldersChanged),
            "workspace/didChangeWatchedFiles" => read(params).map(Event::FilesChanged),
            "workspace/didRenameFiles" => read(params).map(Event::FilesRenamed),
            _ => None,
        };
        if let Some(event) = event {
            let _ = self.events.send(event);
        }
    }

    fn cancel(&self, params: Option<&Value>) {
        let id = match params.and_then(|params| params.get("id")) {
            Some(Value::Number(number)) => number.as_i64().map(Id::Number),
            Some(Value::String(name)) => Some(Id::String(name.clone())),
            _ => None,
        };
        if let Some(reply) = id.and_then(|id| self.pending.get(&id).map(|reply| reply.clone())) {
            reply.cancel();
        }
    }
}

impl Service<jsonrpc::Request> for Ordered {
    type Response = Option<Response>;
    type Error = ExitedError;
    type Future = Answer;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<std::result::Result<(), ExitedError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: jsonrpc::Request) -> Answer {
        match (request.method(), request.id().cloned()) {
            // `serve` would go on until the client closes the pipe, which it need not do.
            ("exit", None) => std::process::exit(i32::from(self.status.exit_code())),
            ("$/cancelRequest", None) => {
                self.cancel(request.params());
                nothing()
            }
            ("initialize", Some(id)) => self.initialize(request, id),
            ("shutdown", Some(id)) => match self.status.phase() {
                Phase::Running => {
                    self.status.set(Phase::ShutDown);
                    // Without the parameters, of which there are none, but which some clients send.
                    self.inner.call(jsonrpc::Request::build("shutdown").id(id).finish())
                }
                Phase::Uninitialized => self.request(String::new(), None, id),
                Phase::ShutDown => answered(id, Err(Error::invalid_request())),
            },
            (MALFORMED, Some(Id::Null)) => {
                let code = request.params().and_then(|params| params[0].as_i64()).unwrap_or_default();
                let error = if code == -32700 { Error::parse_error() } else { Error::invalid_request() };
                answered(Id::Null, Err(error))
            }
            (_, Some(id)) => {
                let (method, _, params) = request.into_parts();
                self.request(method.into_owned(), params, id)
            }
            (_, None) => {
                let (method, _, params) = request.into_parts();
                self.notification(&method, params);
                nothing()
            }
        }
    }
}

fn read<P: DeserializeOwned>(params: Value) -> Option<P> {
    serde_json::from_value(params).ok()
}

fn nothing() -> Answer {
    Box::pin(std::future::ready(Ok(None)))
}

fn answered(id: Id, answer: Result<Value>) -> Answer {
    Box::pin(std::future::ready(Ok(Some(Response::from_parts(id, answer)))))
}
