//! Colours in a text, and how a chosen one is written.

use msl_diagnostics::TextRange;
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{Color, ColorInformation, ColorPresentation, ColorPresentationParams, DocumentColorParams, TextEdit},
};

use crate::lsp::{from_proto, snapshot::Snapshot};

pub(crate) fn document_colors(snapshot: &Snapshot, params: DocumentColorParams) -> Result<Vec<ColorInformation>> {
    let Some(at) = snapshot.whole(&params.text_document.uri)? else { return Ok(Vec::new()) };
    let colors = snapshot.analysis.colors(&at.unit, &at.path).into_iter().map(|color| {
        let [red, green, blue, alpha] = color.rgba;
        ColorInformation { range: snapshot.range(&at.path, color.range), color: Color { red, green, blue, alpha } }
    });
    Ok(colors.collect())
}

/// Writes a colour in the type in which one stands at the range.
pub(crate) fn color_presentations(
    snapshot: &Snapshot,
    params: ColorPresentationParams,
) -> Result<Vec<ColorPresentation>> {
    let (_, document) = snapshot.document(&params.text_document.uri)?;
    let range = from_proto::line_columns(params.range);
    let offset = |position| document.text.offset(position, snapshot.encoding);
    let range = TextRange::new(offset(range.start), offset(range.end));
    let written = document.text.slice(range.start..range.end);
    let Some((ty, _)) = written.split_once('(') else { return Ok(Vec::new()) };
    let Some(label) = spell(ty.trim(), &params.color) else { return Ok(Vec::new()) };
    Ok(vec![ColorPresentation {
        text_edit: Some(TextEdit::new(params.range, label.clone())),
        label,
        additional_text_edits: None,
    }])
}

/// A colour as a literal of a vector type: `half3(1.0h, 0.5h, 0.0h)`. A type of three components has no alpha.
fn spell(ty: &str, color: &Color) -> Option<String> {
    let width = match ty.chars().last()? {
        '3' => 3,
        '4' => 4,
        _ => return None,
    };
    let suffix = if ty.contains("half") { "h" } else { "" };
    let parts = [color.red, color.green, color.blue, color.alpha];
    let parts = parts[..width].iter().map(|part| format!("{}{suffix}", spell_number(*part)));
    Some(format!("{ty}({})", parts.collect::<Vec<String>>().join(", ")))
}

/// At most three decimals, at least one.
fn spell_number(value: f32) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0');
    if text.ends_with('.') { format!("{text}0") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelled_in_their_type() {
        let color = Color { red: 1.0, green: 0.25, blue: 1.0 / 3.0, alpha: 0.0 };
        assert_eq!(spell("float4", &color).as_deref(), Some("float4(1.0, 0.25, 0.333, 0.0)"));
        assert_eq!(spell("metal::half3", &color).as_deref(), Some("metal::half3(1.0h, 0.25h, 0.333h)"));
        assert_eq!(spell("float2x2", &color), None);
    }
}
