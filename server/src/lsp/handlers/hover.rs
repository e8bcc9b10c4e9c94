//! Hover.

use std::{fmt::Write, sync::Arc};

use msl_ide::{Hover, UnitRequest};
use tower_lsp::{
    jsonrpc::Result,
    lsp_types::{self, HoverContents, HoverParams, MarkupContent, MarkupKind},
};

use crate::lsp::{project_links, snapshot::Snapshot};

pub(crate) fn hover(snapshot: &Snapshot, params: HoverParams) -> Result<Option<lsp_types::Hover>> {
    if let Some(hover) = project_links::hover(snapshot, &params.text_document_position_params) {
        return Ok(Some(hover));
    }
    let Some(at) = snapshot.at(&params.text_document_position_params)? else { return Ok(None) };
    Ok(self::at(snapshot, &at.unit, &at.path, at.offset))
}

/// What is known of the thing at an offset of a file.
pub(crate) fn at(snapshot: &Snapshot, unit: &UnitRequest, path: &Arc<str>, offset: u32) -> Option<lsp_types::Hover> {
    let hover = snapshot.analysis.hover(unit, path, offset)?;
    let kind = if snapshot.client.markdown_hover { MarkupKind::Markdown } else { MarkupKind::PlainText };
    let mut value = markdown(snapshot, &hover, kind == MarkupKind::Markdown);
    let source = if unit.std.stated { unit.std.source.to_string() } else { "nothing states a version".to_owned() };
    let _ = write!(value, "\n\n`-std={}` ({source})", unit.std.version);
    if unit.path != *path {
        let _ = write!(value, ", seen through {}", file_name(&unit.path));
    }
    Some(lsp_types::Hover {
        contents: HoverContents::Markup(MarkupContent { kind, value }),
        range: Some(snapshot.range(path, hover.range)),
    })
}

fn markdown(snapshot: &Snapshot, hover: &Hover, markdown: bool) -> String {
    let mut text = String::new();
    for declaration in &hover.declarations {
        match markdown {
            true => _ = write!(text, "```metal\n{declaration}\n```\n"),
            false => _ = writeln!(text, "{declaration}"),
        }
    }
    if let Some(space) = &hover.address_space {
        let _ = write!(text, "\n{}: {space}\n", if markdown { "**Address space**" } else { "Address space" });
    }
    if !hover.origins.is_empty() {
        let _ = write!(text, "\n{}:\n", if markdown { "**Comes from**" } else { "Comes from" });
        for origin in &hover.origins {
            let location = snapshot.location(&origin.place);
            match location {
                Some(location) if markdown => {
                    let line = location.range.start.line + 1;
                    let name = file_name(&origin.place.path);
                    let _ = writeln!(text, "- {} ([{name}:{line}]({}#L{line}))", origin.message, location.uri);
                }
                _ => _ = writeln!(text, "- {}", origin.message),
            }
        }
    }
    for note in &hover.notes {
        let _ = write!(text, "\n{note}\n");
    }
    if let Some(documentation) = &hover.documentation {
        let _ = write!(text, "\n{}{documentation}\n", if markdown { "---\n\n" } else { "" });
    }
    for fact in &hover.facts {
        let _ = write!(text, "\n{fact}\n");
    }
    text.truncate(text.trim_end().len());
    text
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
