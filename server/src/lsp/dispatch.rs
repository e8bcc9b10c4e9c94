//! Which handler answers which method, where it runs, and what becomes of it when an edit overtakes it.

use serde::de::DeserializeOwned;
use serde_json::Value;
use tower_lsp::{
    jsonrpc::{Error, Result},
    lsp_types::request::{
        CallHierarchyIncomingCalls, CallHierarchyOutgoingCalls, CallHierarchyPrepare, CodeActionRequest,
        CodeActionResolveRequest, CodeLensRequest, CodeLensResolve, ColorPresentationRequest, Completion,
        DocumentColor, DocumentDiagnosticRequest, DocumentHighlightRequest, DocumentLinkRequest, DocumentSymbolRequest,
        FoldingRangeRequest, Formatting, GotoDeclaration, GotoDefinition, GotoImplementation, GotoTypeDefinition,
        HoverRequest, InlayHintRequest, InlayHintResolveRequest, OnTypeFormatting, PrepareRenameRequest,
        RangeFormatting, References, Rename, Request, ResolveCompletionItem, SelectionRangeRequest,
        SemanticTokensFullDeltaRequest, SemanticTokensFullRequest, SemanticTokensRangeRequest, SignatureHelpRequest,
        TypeHierarchyPrepare, TypeHierarchySubtypes, TypeHierarchySupertypes, WorkspaceDiagnosticRequest,
        WorkspaceSymbolRequest,
    },
};

use super::{
    events::invalid_params,
    handlers::{explain_spaces::ExplainAddressSpaces, *},
    lanes::Lane,
    main_loop,
    snapshot::Snapshot,
};

/// How a method is answered. No handler changes anything: what does is an event of its own.
pub(crate) struct Handler {
    pub(crate) lane: Lane,
    pub(crate) overtaken: Overtaken,
    pub(crate) needs: Needs,
    run: Run,
}

/// What a handler reads. While one reads the analysis, edits wait for it to notice that it is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    Analysis,
    /// The texts alone. The analysis in its snapshot is an empty one.
    Documents,
}

/// A handler that takes what is on the wire and gives the text of the result.
type Run = Box<dyn Fn(&Snapshot, Value) -> Result<String> + Send>;

/// What becomes of a request whose handler an edit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overtaken {
    /// It is about a position in the text as it was: if that text has changed, the client is told so, else it is tried
    /// again.
    ContentModified,
    /// It is about whatever the text is: it is tried again.
    Retry,
}

impl Handler {
    pub(crate) fn run(&self, snapshot: &Snapshot, params: Value) -> Result<String> {
        (self.run)(snapshot, params)
    }
}

/// The handler of a method.
pub(crate) fn handler(method: &str) -> Option<Handler> {
    use Lane::{Batch, Diagnostics, External, Latency};
    Some(match method {
        HoverRequest::METHOD => snapshot::<HoverRequest>(Latency, hover::hover),
        GotoDefinition::METHOD => snapshot::<GotoDefinition>(Latency, navigation::definition),
        GotoDeclaration::METHOD => snapshot::<GotoDeclaration>(Latency, navigation::declaration),
        GotoTypeDefinition::METHOD => snapshot::<GotoTypeDefinition>(Latency, navigation::type_definition),
        GotoImplementation::METHOD => snapshot::<GotoImplementation>(Latency, navigation::implementation),
        DocumentHighlightRequest::METHOD => snapshot::<DocumentHighlightRequest>(Latency, references::highlight),
        References::METHOD => snapshot::<References>(Batch, references::references),
        PrepareRenameRequest::METHOD => snapshot::<PrepareRenameRequest>(Latency, references::prepare_rename),
        Rename::METHOD => snapshot::<Rename>(Batch, references::rename),
        Completion::METHOD => snapshot::<Completion>(Latency, completion::completion),
        ResolveCompletionItem::METHOD => retry::<ResolveCompletionItem>(Latency, completion::resolve),
        SignatureHelpRequest::METHOD => snapshot::<SignatureHelpRequest>(Latency, signature_help::signature_help),
        DocumentSymbolRequest::METHOD => retry::<DocumentSymbolRequest>(Latency, symbols::document_symbols),
        WorkspaceSymbolRequest::METHOD => retry::<WorkspaceSymbolRequest>(Batch, symbols::workspace_symbols),
        FoldingRangeRequest::METHOD => documents::<FoldingRangeRequest>(Latency, layout::folding_ranges),
        SelectionRangeRequest::METHOD => documents::<SelectionRangeRequest>(Latency, layout::selection_ranges),
        SemanticTokensFullRequest::METHOD => retry::<SemanticTokensFullRequest>(Latency, semantic_tokens::full),
        SemanticTokensRangeRequest::METHOD => retry::<SemanticTokensRangeRequest>(Latency, semantic_tokens::range),
        SemanticTokensFullDeltaRequest::METHOD => {
            retry::<SemanticTokensFullDeltaRequest>(Latency, semantic_tokens::delta)
        }
        InlayHintRequest::METHOD => retry::<InlayHintRequest>(Latency, inlay_hints::inlay_hints),
        InlayHintResolveRequest::METHOD => retry::<InlayHintResolveRequest>(Latency, inlay_hints::resolve),
        CallHierarchyPrepare::METHOD => snapshot::<CallHierarchyPrepare>(Latency, call_hierarchy::prepare),
        CallHierarchyIncomingCalls::METHOD => retry::<CallHierarchyIncomingCalls>(Batch, call_hierarchy::incoming),
        CallHierarchyOutgoingCalls::METHOD => retry::<CallHierarchyOutgoingCalls>(Latency, call_hierarchy::outgoing),
        TypeHierarchyPrepare::METHOD => snapshot::<TypeHierarchyPrepare>(Latency, type_hierarchy::prepare),
        TypeHierarchySupertypes::METHOD => retry::<TypeHierarchySupertypes>(Latency, type_hierarchy::supertypes),
        TypeHierarchySubtypes::METHOD => retry::<TypeHierarchySubtypes>(Batch, type_hierarchy::subtypes),
        CodeLensRequest::METHOD => retry::<CodeLensRequest>(Latency, code_lens::code_lenses),
        CodeLensResolve::METHOD => retry::<CodeLensResolve>(Batch, code_lens::resolve),
        DocumentLinkRequest::METHOD => retry::<DocumentLinkRequest>(Latency, document_link::document_links),
        DocumentColor::METHOD => retry::<DocumentColor>(Batch, color::document_colors),
        ColorPresentationRequest::METHOD => documents::<ColorPresentationRequest>(Latency, color::color_presentations),
        Formatting::METHOD => documents::<Formatting>(External, formatting::document),
        RangeFormatting::METHOD => documents::<RangeFormatting>(External, formatting::range),
        OnTypeFormatting::METHOD => documents::<OnTypeFormatting>(External, formatting::on_type),
        ExplainAddressSpaces::METHOD => retry::<ExplainAddressSpaces>(Latency, explain_spaces::explain),
        CodeActionRequest::METHOD => snapshot::<CodeActionRequest>(Latency, code_action::code_action),
        CodeActionResolveRequest::METHOD => snapshot::<CodeActionResolveRequest>(Latency, code_action::resolve),
        DocumentDiagnosticRequest::METHOD => {
            retry::<DocumentDiagnosticRequest>(Diagnostics, pull_diagnostics::document_diagnostic)
        }
        // It reads what is on disk, and texts as they were: no edit has to wait for it.
        WorkspaceDiagnosticRequest::METHOD => {
            documents::<WorkspaceDiagnosticRequest>(Batch, pull_diagnostics::workspace_diagnostic)
        }
        _ => return None,
    })
}

/// Whether the server knows a method.
pub(crate) fn is_known(method: &str) -> bool {
    matches!(method, main_loop::EXECUTE_COMMAND | main_loop::HEADER_CONTEXTS) || handler(method).is_some()
}

/// A handler that answers for the text as it was when the request came.
fn snapshot<R>(lane: Lane, handle: fn(&Snapshot, R::Params) -> Result<R::Result>) -> Handler
where
    R: Request + 'static,
    R::Params: DeserializeOwned,
{
    Handler { lane, overtaken: Overtaken::ContentModified, needs: Needs::Analysis, run: typed::<R>(handle) }
}

/// A handler that answers for the newest text.
fn retry<R>(lane: Lane, handle: fn(&Snapshot, R::Params) -> Result<R::Result>) -> Handler
where
    R: Request + 'static,
    R::Params: DeserializeOwned,
{
    Handler { lane, overtaken: Overtaken::Retry, needs: Needs::Analysis, run: typed::<R>(handle) }
}

/// A handler that reads texts alone, as they were when the request came. No edit overtakes it.
fn documents<R>(lane: Lane, handle: fn(&Snapshot, R::Params) -> Result<R::Result>) -> Handler
where
    R: Request + 'static,
    R::Params: DeserializeOwned,
{
    Handler { lane, overtaken: Overtaken::Retry, needs: Needs::Documents, run: typed::<R>(handle) }
}

fn typed<R>(handle: fn(&Snapshot, R::Params) -> Result<R::Result>) -> Run
where
    R: Request + 'static,
    R::Params: DeserializeOwned,
{
    Box::new(move |snapshot, params| {
        let params = serde_json::from_value(params).map_err(|error| invalid_params(error.to_string()))?;
        serde_json::to_string(&handle(snapshot, params)?).map_err(|_| Error::internal_error())
    })
}
