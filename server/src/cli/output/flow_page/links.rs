//! Function pointers: entry points, tables, groups, the functions that fit, and the lists of host code that link them.

use std::fmt::Write as _;

use msl_ide::{GraphLine, LinkGraph};

use super::escape;
use crate::cli::sources::{ColumnUnit, Sources};

/// Writes the graph as nested lists, with the words of `link-graph`; nothing if there are no function pointers.
pub(super) fn draw(out: &mut String, graph: &LinkGraph, sources: &mut Sources) {
    let (reached, rest) = graph.lines();
    if reached.is_empty() && rest.is_empty() {
        return;
    }
    out.push_str("<section class=\"unit\"><h2>Function pointers</h2>\n");
    list(out, graph, &reached, 0, sources);
    if !rest.is_empty() {
        out.push_str("<p class=\"none\">No entry point reaches these:</p>\n");
        list(out, graph, &rest, 1, sources);
    }
    out.push_str("</section>\n");
}

/// Lists of lines whose depth begins at `outer`; each is at most one deeper than the one above it.
fn list(out: &mut String, graph: &LinkGraph, lines: &[GraphLine], outer: usize, sources: &mut Sources) {
    // The number of lists that are open.
    let mut open = 0;
    for line in lines {
        let depth = line.depth - outer + 1;
        if depth > open {
            out.push_str("<ul class=\"links\">");
            open += 1;
        } else {
            out.push_str("</li>");
            for _ in depth..open {
                out.push_str("</ul></li>");
            }
            open = depth;
        }
        let node = &graph.nodes[line.node];
        let _ = write!(out, "<li><i>{}</i> <code>{}</code>", node.kind.as_str(), escape(&node.name));
        if let Some(place) = &node.place {
            let (start, _) = sources.positions(place, ColumnUnit::Utf8Bytes);
            let _ = write!(out, " <small>{}:{}</small>", escape(&place.path), start.line + 1);
        }
        if !node.detail.is_empty() {
            let _ = write!(out, " {}", escape(&node.detail));
        }
        if line.is_again {
            out.push_str(" (again)");
        }
    }
    for _ in 0..open {
        out.push_str("</li></ul>");
    }
    out.push('\n');
}
