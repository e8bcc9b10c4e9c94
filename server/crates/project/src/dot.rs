//! The graph of link units, for Graphviz.

use msl_metallib::Side;

use crate::{LinkVerdict, Project};

/// Link units and their members; units of the new side are filled dark, unknown ones are dashed, mixed links are red.
pub fn dot(project: &Project) -> String {
    let mut text = String::from("digraph link_units {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n");
    for (index, unit) in project.units.iter().enumerate() {
        let is_member = project.link_units.iter().any(|link| link.members.contains(&index));
        if !is_member {
            continue;
        }
        let style = match unit.side {
            Side::Before41 => "style=solid",
            Side::From41 => "style=filled, fillcolor=gray80",
            Side::Unknown => "style=dashed",
        };
        let name = unit.function.as_ref().map_or_else(|| unit.path.to_string(), |f| format!("{} {f}", unit.path));
        let label = format!("{}\\n{}", escape(&name), escape(&unit.std_text()));
        text.push_str(&format!("  u{index} [shape=box, {style}, label=\"{label}\"];\n"));
    }
    for (index, link) in project.link_units.iter().enumerate() {
        let colour = match link.verdict {
            LinkVerdict::Consistent => "black",
            LinkVerdict::Mixed => "red",
            LinkVerdict::Unknown => "gray50",
        };
        let label = format!("{}\\n{}", escape(&link.name), link.verdict.as_str());
        text.push_str(&format!("  l{index} [shape=ellipse, color={colour}, label=\"{label}\"];\n"));
        for member in &link.members {
            text.push_str(&format!("  u{member} -> l{index};\n"));
        }
    }
    text.push_str("}\n");
    text
}

fn escape(text: &str) -> String {
    text.chars()
        .flat_map(|c| match c {
            '"' => vec!['\\', '"'],
            '\\' => vec!['\\', '\\'],
            c if c.is_control() => vec![' '],
            c => vec![c],
        })
        .collect()
}
