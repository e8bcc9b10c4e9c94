//! Signature help.

use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{
        Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, SignatureHelp,
        SignatureHelpParams, SignatureInformation,
    },
};

use crate::lsp::snapshot::Snapshot;

pub(crate) fn signature_help(snapshot: &Snapshot, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
    let Some(at) = snapshot.at(&params.text_document_position_params)? else { return Ok(None) };
    let Some(found) = snapshot.analysis.signature_help(&at.unit, &at.path, at.offset) else { return Ok(None) };
    let signatures = found.signatures.into_iter().map(|signature| {
        let parameters = signature.parameters.iter().map(|range| {
            let text = |end: u32| &signature.label[..end as usize];
            // Offsets into labels are in UTF-16, whatever the encoding of positions.
            let units = |end| text(end).encode_utf16().count() as u32;
            let label = if snapshot.client.label_offsets {
                ParameterLabel::LabelOffsets([units(range.start), units(range.end)])
            } else {
                ParameterLabel::Simple(signature.label[range.start as usize..range.end as usize].to_owned())
            };
            ParameterInformation { label, documentation: None }
        });
        let parameters: Vec<ParameterInformation> = parameters.collect();
        let last = parameters.len().saturating_sub(1);
        SignatureInformation {
            documentation: signature
                .documentation
                .map(|value| Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })),
            active_parameter: Some(found.parameter.min(last) as u32),
            parameters: Some(parameters),
            label: signature.label,
        }
    });
    Ok(Some(SignatureHelp {
        signatures: signatures.collect(),
        active_signature: Some(found.active as u32),
        active_parameter: Some(found.parameter as u32),
    }))
}
