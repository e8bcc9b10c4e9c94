//! Diagnostics that the client asks for.

use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{
        DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
        FullDocumentDiagnosticReport, RelatedFullDocumentDiagnosticReport,
    },
};

use crate::lsp::{diagnostics, snapshot::Snapshot};

pub(crate) fn document_diagnostic(
    snapshot: &Snapshot,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReportResult> {
    let items = match snapshot.whole(&params.text_document.uri)? {
        Some(at) => diagnostics::diagnose(snapshot, &at.unit.path, 0).found.remove(&at.path).unwrap_or_default(),
        None => Vec::new(),
    };
    let full = FullDocumentDiagnosticReport { result_id: None, items };
    let report = RelatedFullDocumentDiagnosticReport { related_documents: None, full_document_diagnostic_report: full };
    Ok(DocumentDiagnosticReportResult::Report(DocumentDiagnosticReport::Full(report)))
}
