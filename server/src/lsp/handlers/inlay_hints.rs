//! Inlay hints.

use msl_diagnostics::TextRange;
use msl_ide::{InlayHintLabel, InlayHintOptions};
use serde_json::json;
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{
        HoverContents, InlayHint, InlayHintKind, InlayHintLabel as Label, InlayHintLabelPart,
        InlayHintLabelPartTooltip, InlayHintParams, Location, TextEdit,
    },
};

use super::hover;
use crate::lsp::{from_proto, snapshot::Snapshot, to_proto};

pub(crate) fn inlay_hints(snapshot: &Snapshot, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    let Some(at) = snapshot.whole(&params.text_document.uri)? else { return Ok(None) };
    let range = from_proto::line_columns(params.range);
    let offset = |position| at.document.text.offset(position, snapshot.encoding);
    let within = TextRange::new(offset(range.start), offset(range.end));
    let wanted = snapshot.settings.client.inlay_hints;
    let options = InlayHintOptions {
        parameters: wanted.parameters,
        types: wanted.types,
        spaces: wanted.address_spaces,
        template_arguments: wanted.template_arguments,
        slots: wanted.slots,
    };
    let hints = snapshot.analysis.inlay_hints(&at.unit, &at.path, within, options).into_iter().map(|hint| {
        let position = to_proto::position(at.document.text.position(hint.offset, snapshot.encoding));
        let (label, kind) = match &hint.label {
            InlayHintLabel::Parameter(name) => (format!("{name}:"), InlayHintKind::PARAMETER),
            InlayHintLabel::Type(ty) => (format!(": {ty}"), InlayHintKind::TYPE),
            InlayHintLabel::TemplateArguments(arguments) => (arguments.clone(), InlayHintKind::TYPE),
            InlayHintLabel::Slot(attribute) => (format!(" {attribute}"), InlayHintKind::TYPE),
            InlayHintLabel::Spaces(spaces) => (format!(" {spaces}"), InlayHintKind::TYPE),
        };
        // What the language gives anyway may be written down.
        let text_edits = match &hint.label {
            InlayHintLabel::Slot(_) => {
                Some(vec![TextEdit::new(tower_lsp::lsp_types::Range::new(position, position), label.clone())])
            }
            _ => None,
        };
        // A position in another file is looked for only when somebody asks.
        let data =
            hint.about.map(|place| json!({ "path": place.path, "start": place.range.start, "end": place.range.end }));
        InlayHint {
            position,
            label: Label::String(label),
            kind: Some(kind),
            text_edits,
            tooltip: None,
            padding_left: Some(false),
            padding_right: Some(kind == InlayHintKind::PARAMETER),
            data,
        }
    });
    Ok(Some(hints.collect()))
}

/// Adds what is known of the declaration that a hint speaks of, and the way to it.
pub(crate) fn resolve(snapshot: &Snapshot, mut hint: InlayHint) -> Result<InlayHint> {
    let Some(location) = hint.data.as_ref().and_then(|data| location_of(snapshot, data)) else { return Ok(hint) };
    let Label::String(value) = &hint.label else { return Ok(hint) };
    let tooltip = match snapshot.anywhere(&location.uri, location.range.start)? {
        Some(at) => hover::at(snapshot, &at.unit, &at.path, at.offset).and_then(|hover| match hover.contents {
            HoverContents::Markup(content) => Some(InlayHintLabelPartTooltip::MarkupContent(content)),
            _ => None,
        }),
        None => None,
    };
    let part = InlayHintLabelPart { value: value.clone(), tooltip, location: Some(location), command: None };
    hint.label = Label::LabelParts(vec![part]);
    Ok(hint)
}

fn location_of(snapshot: &Snapshot, data: &serde_json::Value) -> Option<Location> {
    let number = |name: &str| u32::try_from(data.get(name)?.as_u64()?).ok();
    let range = TextRange::new(number("start")?, number("end")?);
    let path = data.get("path")?.as_str()?.into();
    snapshot.location(&msl_diagnostics::Place { path, range })
}
