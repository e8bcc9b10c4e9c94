//! The call graph as a drawing: entry points on the left, what they call to the right.
//!
//! Layers by the longest way from an entry point (cycles cut at the call that closes them), order within a layer by the
//! mean place of the callers, drawn once from left to right.

use std::fmt::Write as _;

use msl_ide::{FlowReport, FunctionKind, ReportEdge};

use super::escape;

/// Larger graphs are shown as the part around the accesses that cost.
const MAX_FUNCTIONS: usize = 120;

const ROW: f64 = 58.0;
const GAP: f64 = 150.0;
const HEIGHT: f64 = 34.0;
const MARGIN: f64 = 16.0;
const CHARACTER: f64 = 7.3;

struct Drawn {
    function: usize,
    layer: usize,
    x: f64,
    y: f64,
    width: f64,
}

/// Draws the functions of a unit that call each other.
pub(super) fn draw(out: &mut String, report: &FlowReport, unit: usize) {
    let shown = functions_to_show(report);
    if shown.len() < 2 {
        return;
    }
    let edges: Vec<&ReportEdge> = report
        .edges
        .iter()
        .filter(|edge| edge.caller != edge.callee && shown.contains(&edge.caller) && shown.contains(&edge.callee))
        .collect();
    let drawn = place(report, &shown, &edges);
    let width = drawn.iter().map(|of| of.x + of.width).fold(0.0, f64::max) + MARGIN;
    let height = drawn.iter().map(|of| of.y + HEIGHT).fold(0.0, f64::max) + MARGIN;
    let _ = write!(
        out,
        "<figure class=\"graph\"><figcaption>Calls and the spaces that flow along them{}</figcaption>\
         <div class=\"scroll\"><svg viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         role=\"img\" aria-label=\"call graph\"><defs><marker id=\"arrow{unit}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
         markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>",
        if shown.len() == MAX_FUNCTIONS { " (the part around accesses that cost)" } else { "" }
    );
    let of = |function: usize| drawn.iter().find(|of| of.function == function);
    for edge in &edges {
        if let (Some(from), Some(to)) = (of(edge.caller), of(edge.callee)) {
            draw_edge(out, report, edge, from, to, unit);
        }
    }
    for of in &drawn {
        draw_function(out, report, of);
    }
    out.push_str("</svg></div></figure>\n");
}

/// All functions that take part in a call, or in a large program those near the accesses that cost.
fn functions_to_show(report: &FlowReport) -> Vec<usize> {
    let mut shown: Vec<usize> = Vec::new();
    let add = |shown: &mut Vec<usize>, function: usize| {
        if shown.len() < MAX_FUNCTIONS && !shown.contains(&function) {
            shown.push(function);
        }
    };
    let mut order: Vec<&ReportEdge> = report.edges.iter().collect();
    let cost = |function: usize| {
        let counts = report.functions[function].accesses;
        (counts.runtime, counts.per_call, counts.is_static)
    };
    order.sort_by_key(|edge| std::cmp::Reverse(cost(edge.callee).max(cost(edge.caller))));
    for edge in order {
        add(&mut shown, edge.callee);
        add(&mut shown, edge.caller);
    }
    shown.sort_unstable();
    shown
}

fn place(report: &FlowReport, shown: &[usize], edges: &[&ReportEdge]) -> Vec<Drawn> {
    let layers = layers(shown, edges);
    let count = layers.iter().map(|(_, layer)| layer + 1).max().unwrap_or(0);
    let mut drawn: Vec<Drawn> = Vec::new();
    let mut x = MARGIN;
    for layer in 0..count {
        let mut members: Vec<(usize, f64)> = layers
            .iter()
            .filter(|(_, own)| *own == layer)
            .map(|&(function, _)| {
                let above: Vec<f64> = edges
                    .iter()
                    .filter(|edge| edge.callee == function)
                    .filter_map(|edge| drawn.iter().find(|of| of.function == edge.caller))
                    .map(|of| of.y)
                    .collect();
                let mean = above.iter().sum::<f64>() / above.len().max(1) as f64;
                (function, mean)
            })
            .collect();
        members.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        let mut y = MARGIN;
        let mut widest: f64 = 0.0;
        for (function, mean) in members {
            let width = (report.functions[function].name.chars().count() as f64).mul_add(CHARACTER, 34.0);
            y = y.max(mean.max(MARGIN));
            drawn.push(Drawn { function, layer, x, y, width });
            y += ROW;
            widest = widest.max(width);
        }
        x += widest + GAP;
    }
    drawn
}

/// The layer of each function.
fn layers(shown: &[usize], edges: &[&ReportEdge]) -> Vec<(usize, usize)> {
    let mut layers: Vec<(usize, usize)> = shown.iter().map(|&function| (function, 0)).collect();
    let layer_of = |layers: &[(usize, usize)], function: usize| {
        layers.iter().find(|(own, _)| *own == function).map_or(0, |(_, layer)| *layer)
    };
    // Longest ways; a cycle would grow for ever and stops with the number of functions.
    for _ in 0..shown.len().min(24) {
        let mut changed = false;
        for edge in edges {
            let wanted = layer_of(&layers, edge.caller) + 1;
            if let Some(own) = layers.iter_mut().find(|(own, _)| *own == edge.callee)
                && own.1 < wanted
                && wanted < shown.len()
            {
                own.1 = wanted;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    // Without holes.
    let mut used: Vec<usize> = layers.iter().map(|(_, layer)| *layer).collect();
    used.sort_unstable();
    used.dedup();
    for (_, layer) in &mut layers {
        *layer = used.binary_search(layer).unwrap_or(0);
    }
    layers
}

fn draw_edge(out: &mut String, report: &FlowReport, edge: &ReportEdge, from: &Drawn, to: &Drawn, unit: usize) {
    let class = if edge.flows.iter().any(|flow| flow.is_runtime) {
        "runtime"
    } else if edge.flows.iter().any(|flow| flow.spaces.len() > 1) {
        "per-call"
    } else {
        "static"
    };
    let (x1, y1) = (from.x + from.width, from.y + HEIGHT / 2.0);
    let (x2, y2) = (to.x - 2.0, to.y + HEIGHT / 2.0);
    let path = if to.layer > from.layer {
        let bend = ((x2 - x1) * 0.5).max(30.0);
        // Around the functions of the layers between.
        let bow = if to.layer > from.layer + 1 && (y1 - y2).abs() < ROW { ROW * 0.72 } else { 0.0 };
        let (low1, low2) = (y1 + bow, y2 + bow);
        format!("M{x1:.1} {y1:.1}C{:.1} {low1:.1} {:.1} {low2:.1} {x2:.1} {y2:.1}", x1 + bend, x2 - bend)
    } else {
        // Back to an earlier layer: below both.
        let low = y1.max(y2) + ROW * 0.7;
        format!("M{x1:.1} {y1:.1}C{:.1} {low:.1} {:.1} {low:.1} {x2:.1} {y2:.1}", x1 + 60.0, x2 - 60.0)
    };
    let words: Vec<String> = edge
        .flows
        .iter()
        .map(|flow| {
            format!(
                "{}: {}{}",
                flow.parameter,
                flow.spaces.join(" | "),
                if flow.is_runtime { " (run time)" } else { "" }
            )
        })
        .collect();
    let title = format!(
        "{} → {}{}\n{}",
        report.functions[edge.caller].name,
        report.functions[edge.callee].name,
        if edge.in_loop { ", in a loop" } else { "" },
        words.join("\n")
    );
    let looped = if edge.in_loop { " loop" } else { "" };
    let _ = write!(
        out,
        "<g class=\"edge {class}{looped}\" data-from=\"{}\" data-to=\"{}\"><title>{}</title><path class=\"hit\" d=\"{path}\"/>\
         <path class=\"wire\" d=\"{path}\" marker-end=\"url(#arrow{unit})\"/>",
        edge.caller,
        edge.callee,
        escape(&title)
    );
    // One dot for each space on the way in.
    let mut spaces: Vec<&str> = edge.flows.iter().flat_map(|flow| flow.spaces.iter().copied()).collect();
    spaces.sort_unstable();
    spaces.dedup();
    for (index, space) in spaces.iter().enumerate() {
        let x = x2 - 16.0 - 10.0 * index as f64;
        let _ = write!(out, "<circle class=\"space-{space}\" cx=\"{x:.1}\" cy=\"{y2:.1}\" r=\"4\"/>");
    }
    out.push_str("</g>");
}

fn draw_function(out: &mut String, report: &FlowReport, of: &Drawn) {
    let function = &report.functions[of.function];
    let counts = function.accesses;
    let class = if counts.runtime > 0 {
        "runtime"
    } else if counts.per_call > 0 {
        "per-call"
    } else if counts.is_static > 0 {
        "static"
    } else {
        "plain"
    };
    let kind = match function.kind {
        FunctionKind::EntryPoint => "entry point",
        FunctionKind::Open => "called from outside",
        FunctionKind::Called => "called",
        FunctionKind::NotCalled => "not called",
    };
    let title = format!(
        "{} ({kind})\n{} static, {} per call, {} at run time",
        function.name, counts.is_static, counts.per_call, counts.runtime
    );
    let shape = if matches!(function.kind, FunctionKind::EntryPoint | FunctionKind::Open) { 17.0 } else { 6.0 };
    let _ = write!(
        out,
        "<g class=\"function {class}\" data-f=\"{}\"><title>{}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" \
         height=\"{HEIGHT}\" rx=\"{shape}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
        of.function,
        escape(&title),
        of.x,
        of.y,
        of.width,
        of.x + of.width / 2.0,
        of.y + HEIGHT / 2.0 + 4.5,
        escape(&function.name)
    );
}
