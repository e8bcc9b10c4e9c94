//! The page that explains the address-space flow: one self-contained HTML file.
//!
//! It shows the calls between functions with the spaces that flow along them, and each source with its generic accesses
//! coloured by resolution; pointing at one shows where its spaces come from. Function pointers follow, if there are any:
//! what each entry point may call through them, and how host code links it. Nothing is loaded from anywhere.

mod graph;
mod links;

use std::fmt::Write as _;

use msl_diagnostics::{Place, Related};
use msl_ide::{AccessCounts, FlowReport, LinkGraph, ReportAccess, ReportFile};

use crate::cli::sources::{ColumnUnit, Sources};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The page about some units, each with its path and language version.
pub(crate) fn page(units: &[(String, String, FlowReport)], links: &LinkGraph, sources: &mut Sources) -> String {
    let mut total = AccessCounts::default();
    for (_, _, report) in units {
        total.add(&report.accesses);
    }
    let mut out = String::new();
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Address-space flow</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header><h1>Address-space flow</h1>"
    );
    summary(&mut out, &total);
    legend(&mut out);
    out.push_str("</header>\n<main>\n");
    let mut next_id = 0;
    for (index, (path, std, report)) in units.iter().enumerate() {
        let _ = writeln!(out, "<section class=\"unit\"><h2>{} <small>{}</small></h2>", escape(path), escape(std));
        if units.len() > 1 {
            summary(&mut out, &report.accesses);
        }
        if report.accesses.total() == 0 {
            out.push_str("<p class=\"none\">Nothing goes through a generic pointer here.</p></section>\n");
            continue;
        }
        functions(&mut out, report, index, sources);
        graph::draw(&mut out, report, index);
        for file in &report.files {
            source(&mut out, file, report, index, &mut next_id, sources);
        }
        out.push_str("</section>\n");
    }
    links::draw(&mut out, links, sources);
    let _ = write!(
        out,
        "</main>\n<div id=\"card\" role=\"tooltip\" hidden></div>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    );
    out
}

fn summary(out: &mut String, counts: &AccessCounts) {
    let total = counts.total().max(1);
    out.push_str("<div class=\"summary\"><div class=\"bar\">");
    for (class, count, _) in classes(counts) {
        if count > 0 {
            let share = 100.0 * f64::from(count) / f64::from(total);
            let _ = write!(out, "<i class=\"{class}\" style=\"width:{share:.2}%\"></i>");
        }
    }
    out.push_str("</div><ul class=\"counts\">");
    for (class, count, label) in classes(counts) {
        if count > 0 {
            let _ = write!(out, "<li><b class=\"dot {class}\"></b><strong>{count}</strong> {label}</li>");
        }
    }
    out.push_str("</ul></div>\n");
}

fn classes(counts: &AccessCounts) -> [(&'static str, u32, &'static str); 5] {
    [
        ("static", counts.is_static, "static"),
        ("per-call", counts.per_call, "per call"),
        ("runtime", counts.runtime, "at run time"),
        ("idle", counts.not_called, "not called"),
        ("limit", counts.limited, "not followed"),
    ]
}

fn legend(out: &mut String) {
    out.push_str(
        "<dl class=\"legend\">\
         <div><dt class=\"access static\">static</dt><dd>one space in every call: no cost</dd></div>\
         <div><dt class=\"access per-call\">per call</dt><dd>one space in each call: costs code size only</dd></div>\
         <div><dt class=\"access runtime\">run time</dt><dd>a branch on the address at each access</dd></div>\
         <div><dt class=\"access idle\">not called</dt><dd>nothing is paid yet</dd></div>\
         <div><dt><b class=\"dot space-device\"></b>device <b class=\"dot space-thread\"></b>thread \
         <b class=\"dot space-threadgroup\"></b>threadgroup</dt><dd>on the way into a function; dashed: from a loop</dd></div>\
         </dl>\n",
    );
}

/// The functions with accesses, those that cost most first.
fn functions(out: &mut String, report: &FlowReport, unit: usize, sources: &mut Sources) {
    let mut order: Vec<usize> =
        (0..report.functions.len()).filter(|&index| report.functions[index].accesses.total() > 0).collect();
    order.sort_by_key(|&index| {
        let function = &report.functions[index];
        let counts = function.accesses;
        (std::cmp::Reverse((counts.runtime, counts.per_call, counts.is_static)), index)
    });
    let _ = write!(
        out,
        "<details class=\"functions\"{}><summary>Functions</summary><table><thead><tr><th>function</th><th>contexts</th>\
         <th>static</th><th>per call</th><th>run time</th><th>not called</th></tr></thead><tbody>",
        if order.len() <= 24 { " open" } else { "" }
    );
    for index in order {
        let function = &report.functions[index];
        let number = |count: u32, class: &str| match count {
            0 => "<td class=\"zero\">·</td>".to_owned(),
            count => format!("<td class=\"{class}\">{count}</td>"),
        };
        let counts = function.accesses;
        let _ = write!(
            out,
            "<tr><td><a href=\"#{}\"><code>{}</code></a></td><td>{}</td>{}{}{}{}</tr>",
            line_id(unit, &function.place, sources),
            escape(&function.name),
            function.contexts,
            number(counts.is_static, "n-static"),
            number(counts.per_call, "n-per-call"),
            number(counts.runtime, "n-runtime"),
            number(counts.not_called + counts.limited, "n-idle"),
        );
    }
    out.push_str("</tbody></table></details>\n");
}

/// The anchor of a line.
fn line_id(unit: usize, place: &Place, sources: &mut Sources) -> String {
    let (start, _) = sources.positions(place, ColumnUnit::Utf8Bytes);
    format!("u{unit}-{:x}-{}", path_number(&place.path), start.line + 1)
}

/// A short name for a path in anchors (FNV-1a).
fn path_number(path: &str) -> u32 {
    path.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn source(
    out: &mut String,
    file: &ReportFile,
    report: &FlowReport,
    unit: usize,
    next_id: &mut usize,
    sources: &mut Sources,
) {
    let text = String::from_utf8_lossy(&file.text);
    let mut line = 1;
    let _ = write!(out, "<article class=\"source\"><h3>{}</h3><pre><code>", escape(&file.path));
    let start_line = |out: &mut String, line: u32| {
        let id = format!("u{unit}-{:x}-{line}", path_number(&file.path));
        let _ = write!(out, "<a class=\"line\" id=\"{id}\" href=\"#{id}\">{line}</a>");
    };
    start_line(out, line);
    // Accesses nest, so they open and close like brackets; a span ends before each line break and starts again behind.
    let mut open: Vec<&ReportAccess> = Vec::new();
    let mut ids: Vec<usize> = Vec::new();
    let mut pending = file.accesses.iter().peekable();
    let mut explanations = String::new();
    let is_valid = text.len() == file.text.len();
    for (offset, character) in text.char_indices() {
        let at = offset as u32;
        while open.last().is_some_and(|access| access.range.end <= at) {
            open.pop();
            ids.pop();
            out.push_str("</span>");
        }
        while let Some(access) = pending.next_if(|access| access.range.start <= at && is_valid) {
            if access.range.end <= at || open.last().is_some_and(|outer| outer.range.end < access.range.end) {
                continue;
            }
            *next_id += 1;
            open_span(out, access, *next_id, true);
            explain(&mut explanations, access, report, unit, *next_id, sources);
            open.push(access);
            ids.push(*next_id);
        }
        if character == '\n' {
            open.iter().for_each(|_| out.push_str("</span>"));
            out.push('\n');
            line += 1;
            start_line(out, line);
            for (access, id) in open.iter().zip(&ids) {
                open_span(out, access, *id, false);
            }
        } else {
            escape_into(out, character);
        }
    }
    open.iter().for_each(|_| out.push_str("</span>"));
    let _ = writeln!(out, "</code></pre>{explanations}</article>");
}

fn class_of(access: &ReportAccess) -> &'static str {
    match (access.resolution, access.limit) {
        (Some("static"), _) => "static",
        (Some("per-call"), _) => "per-call",
        (Some(_), _) => "runtime",
        (None, Some(_)) => "limit",
        (None, None) => "idle",
    }
}

fn open_span(out: &mut String, access: &ReportAccess, id: usize, is_first: bool) {
    let focus = if is_first { " tabindex=\"0\"" } else { "" };
    let looped = if access.resolution == Some("runtime") && !access.loops.is_empty() { " hot" } else { "" };
    let _ = write!(out, "<span class=\"access {}{looped}\" data-e=\"e{id}\"{focus}>", class_of(access));
}

/// What is shown about an access.
fn explain(
    out: &mut String,
    access: &ReportAccess,
    report: &FlowReport,
    unit: usize,
    id: usize,
    sources: &mut Sources,
) {
    let _ = write!(out, "<template id=\"e{id}\">");
    let (title, words) = match (access.resolution, access.limit) {
        (Some("static"), _) => ("static", "one space in every call: no cost"),
        (Some("per-call"), _) => ("per call", "one space in each call: costs code size only"),
        (Some(_), _) => ("run time", "a branch on the address at each access"),
        (None, Some(limit)) => ("not followed", limit),
        (None, None) => ("not called", "no caller in this program, nothing is paid yet"),
    };
    let _ = write!(out, "<p class=\"head\"><b class=\"{}\">{title}</b> {}</p><p>", class_of(access), escape(words));
    if access.inferred.is_empty() {
        out.push_str("nothing reaches this");
    }
    for space in &access.inferred {
        let _ = write!(out, "<span class=\"space {space}\">{space}</span> ");
    }
    out.push_str("</p>");
    if !access.loops.is_empty() {
        out.push_str("<p class=\"loops\">");
        for (depth, (place, trips)) in access.loops.iter().enumerate() {
            let trips = trips.map_or_else(String::new, |trips| format!(", {trips} passes"));
            let arrow = if depth == 0 { "in the loop at " } else { " › " };
            let _ = write!(out, "{arrow}{}{trips}", link(unit, place, report, sources));
        }
        out.push_str("</p>");
    }
    for chain in access.origins.iter().take(4) {
        out.push_str("<ol>");
        for Related { place, message } in chain {
            let _ = write!(out, "<li>{} <small>{}</small></li>", code(message), link(unit, place, report, sources));
        }
        out.push_str("</ol>");
    }
    if access.origins.len() > 4 {
        let _ = write!(out, "<p class=\"more\">and {} more</p>", access.origins.len() - 4);
    }
    if access.contexts.len() > 1 {
        out.push_str("<table><tbody>");
        for context in access.contexts.iter().take(12) {
            let _ = write!(
                out,
                "<tr><td>{}</td><td>{}</td></tr>",
                link(unit, &context.caller, report, sources),
                context.inferred.join(", ")
            );
        }
        out.push_str("</tbody></table>");
    }
    out.push_str("</template>");
}

/// `file:line` that leads to the line if the page has it.
fn link(unit: usize, place: &Place, report: &FlowReport, sources: &mut Sources) -> String {
    let (start, _) = sources.positions(place, ColumnUnit::Utf8Bytes);
    let name = place.path.rsplit('/').next().unwrap_or(&place.path);
    let text = format!("{}:{}", escape(name), start.line + 1);
    if report.files.iter().any(|file| file.path == place.path) {
        format!("<a href=\"#{}\">{text}</a>", line_id(unit, place, sources))
    } else {
        text
    }
}

/// Words with `code` in them.
fn code(message: &str) -> String {
    let mut out = String::new();
    for (index, part) in message.split('`').enumerate() {
        if index % 2 == 1 {
            let _ = write!(out, "<code>{}</code>", escape(part));
        } else {
            out.push_str(&escape(part));
        }
    }
    out
}

fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|character| escape_into(&mut out, character));
    out
}

fn escape_into(out: &mut String, character: char) {
    match character {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\r' => {}
        // Other control characters have no place in a page.
        other if other.is_control() && !matches!(other, '\t' | '\n') => out.push('\u{fffd}'),
        other => out.push(other),
    }
}

#[cfg(test)]
mod tests;
