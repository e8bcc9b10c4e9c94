//! What the server says unasked, in order.
//!
//! The main loop and the handlers are plain threads; they put messages into a queue, and one task of the runtime gives
//! them to the client.

use std::sync::mpsc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tower_lsp::{
    Client,
    lsp_types::{
        ConfigurationItem, LogMessageParams, MessageType, ProgressParams, ProgressParamsValue, ProgressToken,
        PublishDiagnosticsParams, Registration, ShowMessageParams, Url, WorkDoneProgress, WorkDoneProgressBegin,
        WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
        notification::{LogMessage, Notification, Progress, PublishDiagnostics, ShowMessage},
        request::{InlayHintRefreshRequest, SemanticTokensRefresh, WorkDoneProgressCreate, WorkspaceDiagnosticRefresh},
    },
};

use super::events::Event;

/// A message of the server's own.
pub(crate) enum Message {
    Publish(PublishDiagnosticsParams),
    Show(MessageType, String),
    Log(MessageType, String),
    /// Methods that the client is asked to send from now on.
    Register(Vec<Registration>),
    /// Ask for the settings below this section; the answer comes as [`Event::ConfigurationReceived`].
    AskConfiguration(&'static str),
    /// What was pulled may have changed.
    RefreshDiagnostics,
    RefreshSemanticTokens,
    RefreshInlayHints,
    BeginProgress {
        token: String,
        title: String,
    },
    /// The client shows this progress: from the task to itself.
    ProgressAgreed {
        token: String,
        title: String,
    },
    ReportProgress {
        token: String,
        message: String,
        /// From 0 to 100.
        percentage: u32,
    },
    EndProgress {
        token: String,
    },
    /// Under which version and through which unit a document is looked at.
    Status(Status),
}

/// Tells a client what a document is judged as: a notification of our own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Status {
    pub(crate) uri: Url,
    /// As the compiler spells it.
    pub(crate) std: String,
    /// Where that comes from, in the user's terms.
    pub(crate) std_source: String,
    /// Whether anything states it.
    pub(crate) is_stated: bool,
    /// For a header: the unit through which it is looked at.
    pub(crate) header_context: Option<Url>,
}

enum StatusNotification {}

impl Notification for StatusNotification {
    type Params = Status;
    const METHOD: &'static str = "msl-analyzer/status";
}

/// A handle on the queue.
#[derive(Clone)]
pub(crate) struct Outgoing {
    sender: UnboundedSender<Message>,
}

impl Outgoing {
    pub(crate) fn send(&self, message: Message) {
        // Nobody listens only when the process is about to end.
        let _ = self.sender.send(message);
    }
}

/// Starts the task; must be called inside the runtime.
pub(crate) fn start(client: Client, events: mpsc::Sender<Event>) -> Outgoing {
    let (sender, receiver) = unbounded_channel();
    tokio::spawn(deliver(receiver, sender.clone(), client, events));
    Outgoing { sender }
}

async fn deliver(
    mut queue: UnboundedReceiver<Message>,
    sender: UnboundedSender<Message>,
    client: Client,
    events: mpsc::Sender<Event>,
) {
    // The progress that the client agreed to show.
    let mut shown: Vec<String> = Vec::new();
    // Work that was done before the client answered.
    let mut ended: Vec<String> = Vec::new();
    while let Some(message) = queue.recv().await {
        match message {
            Message::Publish(params) => client.send_notification::<PublishDiagnostics>(params).await,
            Message::Show(typ, message) => {
                client.send_notification::<ShowMessage>(ShowMessageParams { typ, message }).await;
            }
            Message::Log(typ, message) => {
                client.send_notification::<LogMessage>(LogMessageParams { typ, message }).await;
            }
            // Requests: what follows does not wait for the answers.
            Message::Register(registrations) => {
                let client = client.clone();
                tokio::spawn(async move {
                    let _ = client.register_capability(registrations).await;
                });
            }
            Message::AskConfiguration(section) => {
                let (client, events) = (client.clone(), events.clone());
                tokio::spawn(async move {
                    let item = ConfigurationItem { scope_uri: None, section: Some(section.to_owned()) };
                    if let Ok(mut values) = client.configuration(vec![item]).await
                        && !values.is_empty()
                    {
                        let _ = events.send(Event::ConfigurationReceived(values.swap_remove(0)));
                    }
                });
            }
            Message::RefreshDiagnostics => spawn_refresh::<WorkspaceDiagnosticRefresh>(&client),
            Message::RefreshSemanticTokens => spawn_refresh::<SemanticTokensRefresh>(&client),
            Message::RefreshInlayHints => spawn_refresh::<InlayHintRefreshRequest>(&client),
            Message::BeginProgress { token, title } => {
                let (client, sender) = (client.clone(), sender.clone());
                tokio::spawn(async move {
                    let create = WorkDoneProgressCreateParams { token: ProgressToken::String(token.clone()) };
                    if client.send_request::<WorkDoneProgressCreate>(create).await.is_ok() {
                        let _ = sender.send(Message::ProgressAgreed { token, title });
                    }
                });
            }
            Message::ProgressAgreed { token, title } => {
                shown.push(token.clone());
                let begin = WorkDoneProgressBegin { title, percentage: Some(0), ..WorkDoneProgressBegin::default() };
                progress(&client, token, WorkDoneProgress::Begin(begin)).await;
                if ended.contains(&shown[shown.len() - 1]) {
                    let token = shown.pop().unwrap_or_default();
                    progress(&client, token, WorkDoneProgress::End(WorkDoneProgressEnd { message: None })).await;
                }
            }
            Message::ReportProgress { token, message, percentage } => {
                if shown.contains(&token) {
                    let report = WorkDoneProgressReport {
                        message: Some(message),
                        percentage: Some(percentage),
                        cancellable: Some(false),
                    };
                    progress(&client, token, WorkDoneProgress::Report(report)).await;
                }
            }
            Message::Status(status) => client.send_notification::<StatusNotification>(status).await,
            Message::EndProgress { token } if shown.contains(&token) => {
                shown.retain(|other| *other != token);
                progress(&client, token, WorkDoneProgress::End(WorkDoneProgressEnd { message: None })).await;
            }
            Message::EndProgress { token } => ended.push(token),
        }
    }
}

async fn progress(client: &Client, token: String, value: WorkDoneProgress) {
    let params = ProgressParams { token: ProgressToken::String(token), value: ProgressParamsValue::WorkDone(value) };
    client.send_notification::<Progress>(params).await;
}

fn spawn_refresh<R>(client: &Client)
where
    R: tower_lsp::lsp_types::request::Request<Params = (), Result = ()> + 'static,
{
    let client = client.clone();
    tokio::spawn(async move {
        let _ = client.send_request::<R>(()).await;
    });
}

/// Whatever a client sends as settings: the section itself, or an object that holds it.
pub(crate) fn section_of(settings: Value, section: &str) -> Value {
    match settings {
        Value::Object(mut fields) if fields.contains_key(section) => fields.remove(section).unwrap_or_default(),
        other => other,
    }
}
