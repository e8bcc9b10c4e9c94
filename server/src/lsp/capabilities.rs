//! What the client can do, and what the server offers it.

use serde_json::{Value, json};
use tower_lsp::{
    jsonrpc::Response,
    lsp_types::{
        CallHierarchyServerCapability, CodeActionKind, CodeActionOptions, CodeActionProviderCapability,
        CodeLensOptions, ColorProviderCapability, CompletionOptions, DiagnosticOptions, DiagnosticServerCapabilities,
        DocumentLinkOptions, DocumentOnTypeFormattingOptions, ExecuteCommandOptions, FoldingRangeProviderCapability,
        HoverProviderCapability, ImplementationProviderCapability, InitializeParams, InitializeResult,
        InlayHintOptions, InlayHintServerCapabilities, MarkupKind, OneOf, PositionEncodingKind, RenameOptions,
        SaveOptions, SelectionRangeProviderCapability, SemanticTokensFullOptions, SemanticTokensOptions,
        SemanticTokensServerCapabilities, ServerCapabilities, ServerInfo, SignatureHelpOptions,
        TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
        TypeDefinitionProviderCapability, WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
    },
};

use super::{
    from_proto::PositionEncoding,
    handlers::{code_lens, explain_spaces, formatting, semantic_tokens},
};

/// The command that chooses the unit through which a header is looked at. Arguments: the URI of the header, and that of the
/// unit or `null` for the server's own choice.
pub(crate) const SWITCH_HEADER_CONTEXT: &str = "msl-analyzer.switchHeaderContext";

/// What the client can do, as far as it matters here.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClientAbilities {
    /// It asks for diagnostics itself, so that pushing them would show them twice.
    pub(crate) pulls_diagnostics: bool,
    pub(crate) refreshes_diagnostics: bool,
    pub(crate) refreshes_semantic_tokens: bool,
    pub(crate) refreshes_inlay_hints: bool,
    pub(crate) location_links: bool,
    pub(crate) markdown_hover: bool,
    /// Edits may carry the versions of the documents.
    pub(crate) document_changes: bool,
    pub(crate) hierarchical_symbols: bool,
    pub(crate) snippets: bool,
    pub(crate) label_offsets: bool,
    pub(crate) code_action_literals: bool,
    /// It asks for the edits of an action when the user chooses it.
    pub(crate) resolves_actions: bool,
    /// It shows actions that cannot be carried out, with the reason.
    pub(crate) disabled_actions: bool,
    /// It shows edits with what is to be said about them.
    pub(crate) change_annotations: bool,
    pub(crate) prepares_rename: bool,
    pub(crate) configuration: bool,
    pub(crate) registers_configuration: bool,
    pub(crate) registers_watched_files: bool,
    pub(crate) progress: bool,
    /// It has the command that shows references.
    pub(crate) shows_references: bool,
    /// It has the command that shows what each caller passes to a function; see [`explain_spaces`].
    pub(crate) explains_spaces: bool,
    /// It wants to know under which version and through which unit a document is looked at.
    pub(crate) wants_status: bool,
    /// It folds whole lines only.
    pub(crate) line_folding_only: bool,
}

impl ClientAbilities {
    pub(crate) fn of(params: &InitializeParams) -> ClientAbilities {
        let text = params.capabilities.text_document.clone().unwrap_or_default();
        let workspace = params.capabilities.workspace.clone().unwrap_or_default();
        let window = params.capabilities.window.clone().unwrap_or_default();
        let experimental = params.capabilities.experimental.clone().unwrap_or_default();
        let commands = experimental.get("commands").and_then(|it| it.get("commands")).and_then(Value::as_array);
        let knows = |command: &str| commands.is_some_and(|known| known.iter().any(|it| it == command));
        let markdown =
            |formats: Option<Vec<MarkupKind>>| formats.is_none_or(|kinds| kinds.contains(&MarkupKind::Markdown));
        let actions = text.code_action.unwrap_or_default();
        let edits = workspace.workspace_edit.unwrap_or_default();
        let completion = text.completion.and_then(|completion| completion.completion_item).unwrap_or_default();
        ClientAbilities {
            // Both or neither: see `forget_pulling_without_refresh`.
            pulls_diagnostics: text.diagnostic.is_some(),
            refreshes_diagnostics: text.diagnostic.is_some(),
            refreshes_semantic_tokens: workspace.semantic_tokens.and_then(|it| it.refresh_support).unwrap_or_default(),
            refreshes_inlay_hints: workspace.inlay_hint.and_then(|it| it.refresh_support).unwrap_or_default(),
            location_links: text.definition.and_then(|it| it.link_support).unwrap_or_default(),
            markdown_hover: markdown(text.hover.and_then(|hover| hover.content_format)),
            document_changes: edits.document_changes.unwrap_or_default(),
            change_annotations: edits.change_annotation_support.is_some(),
            hierarchical_symbols: text
                .document_symbol
                .and_then(|it| it.hierarchical_document_symbol_support)
                .unwrap_or_default(),
            snippets: completion.snippet_support.unwrap_or_default(),
            label_offsets: text
                .signature_help
                .and_then(|it| it.signature_information)
                .and_then(|it| it.parameter_information)
                .and_then(|it| it.label_offset_support)
                .unwrap_or_default(),
            code_action_literals: actions.code_action_literal_support.is_some(),
            resolves_actions: actions.data_support.unwrap_or_default()
                && actions
                    .resolve_support
                    .as_ref()
                    .is_some_and(|support| support.properties.iter().any(|property| property == "edit")),
            disabled_actions: actions.disabled_support.unwrap_or_default(),
            prepares_rename: text.rename.and_then(|it| it.prepare_support).unwrap_or_default(),
            configuration: workspace.configuration.unwrap_or_default(),
            registers_configuration: workspace
                .did_change_configuration
                .and_then(|it| it.dynamic_registration)
                .unwrap_or_default(),
            registers_watched_files: workspace
                .did_change_watched_files
                .and_then(|it| it.dynamic_registration)
                .unwrap_or_default(),
            shows_references: knows(code_lens::SHOW_REFERENCES),
            explains_spaces: knows(explain_spaces::EXPLAIN_SPACES),
            wants_status: experimental.get("statusNotification").and_then(Value::as_bool).unwrap_or_default(),
            progress: window.work_done_progress.unwrap_or_default(),
            line_folding_only: text.folding_range.and_then(|it| it.line_folding_only).unwrap_or_default(),
        }
    }
}

/// The answer to `initialize`.
pub(crate) fn initialize_result(client: &ClientAbilities, encoding: PositionEncoding) -> InitializeResult {
    let position_encoding = match encoding {
        PositionEncoding::Utf8 => PositionEncodingKind::UTF8,
        PositionEncoding::Utf16 => PositionEncodingKind::UTF16,
        PositionEncoding::Utf32 => PositionEncodingKind::UTF32,
    };
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
        ..TextDocumentSyncOptions::default()
    };
    let code_actions = if client.code_action_literals {
        CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QUICKFIX,
                CodeActionKind::REFACTOR,
                CodeActionKind::REFACTOR_EXTRACT,
                CodeActionKind::REFACTOR_INLINE,
                CodeActionKind::REFACTOR_REWRITE,
                CodeActionKind::SOURCE,
                CodeActionKind::SOURCE_ORGANIZE_IMPORTS,
                CodeActionKind::SOURCE_FIX_ALL,
                CodeActionKind::new(msl_ide::ActionKind::FixAll.as_str()),
            ]),
            resolve_provider: Some(true),
            ..CodeActionOptions::default()
        })
    } else {
        CodeActionProviderCapability::Simple(true)
    };
    let folders =
        WorkspaceFoldersServerCapabilities { supported: Some(true), change_notifications: Some(OneOf::Left(true)) };
    let capabilities = ServerCapabilities {
        position_encoding: Some(position_encoding),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        declaration_provider: Some(tower_lsp::lsp_types::DeclarationCapability::Simple(true)),
        type_definition_provider: Some(TypeDefinitionProviderCapability::Simple(true)),
        implementation_provider: Some(ImplementationProviderCapability::Simple(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(true) }),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: Default::default(),
        }),
        color_provider: Some(ColorProviderCapability::Simple(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: formatting::TRIGGERS.0.to_owned(),
            more_trigger_character: Some(formatting::TRIGGERS.1.iter().map(|&it| it.to_owned()).collect()),
        }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![SWITCH_HEADER_CONTEXT.to_owned()],
            work_done_progress_options: Default::default(),
        }),
        completion_provider: Some(CompletionOptions {
            resolve_provider: Some(true),
            trigger_characters: Some([".", ">", ":", "[", "<", "\"", "/", "#"].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(vec!["(".to_owned(), ",".to_owned()]),
            retrigger_characters: Some(vec![")".to_owned()]),
            ..SignatureHelpOptions::default()
        }),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: semantic_tokens::legend(),
                range: Some(true),
                full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
                ..SemanticTokensOptions::default()
            },
        )),
        inlay_hint_provider: Some(OneOf::Right(InlayHintServerCapabilities::Options(InlayHintOptions {
            resolve_provider: Some(true),
            ..InlayHintOptions::default()
        }))),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(if client.prepares_rename {
            OneOf::Right(RenameOptions { prepare_provider: Some(true), work_done_progress_options: Default::default() })
        } else {
            OneOf::Left(true)
        }),
        code_action_provider: Some(code_actions),
        // A client that does not pull has no use for it, and one that does is not pushed to.
        diagnostic_provider: client.pulls_diagnostics.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                identifier: Some("msl-analyzer".to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                ..DiagnosticOptions::default()
            })
        }),
        workspace: Some(WorkspaceServerCapabilities { workspace_folders: Some(folders), file_operations: None }),
        ..ServerCapabilities::default()
    };
    let server_info =
        ServerInfo { name: "msl-analyzer".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
    InitializeResult { capabilities, server_info: Some(server_info) }
}

/// A client that pulls diagnostics and cannot be asked to pull again would keep those that an edit of another file
/// made stale, so it is pushed to as if it did not pull. lsp-types 0.94 cannot read `workspace.diagnostics`: this works
/// on the parameters of `initialize` as they came.
pub(crate) fn forget_pulling_without_refresh(params: &mut Value) {
    let refreshes = params.pointer("/capabilities/workspace/diagnostics/refreshSupport") == Some(&Value::Bool(true));
    if !refreshes && let Some(text) = params.pointer_mut("/capabilities/textDocument").and_then(Value::as_object_mut) {
        text.remove("diagnostic");
    }
}

/// Adds to the response what lsp-types 0.94 has no field for.
pub(crate) fn add_what_the_types_lack(response: Response) -> Response {
    let (id, result) = response.into_parts();
    let result = result.map(|mut value| {
        if let Some(capabilities) = value.get_mut("capabilities").and_then(Value::as_object_mut) {
            capabilities.entry("typeHierarchyProvider").or_insert(json!(true));
        }
        value
    });
    Response::from_parts(id, result)
}
