//! `justfile`s: recipes are shell scripts with `{{ name }}` in them.

use crate::{
    shell::{ShellContext, run_script},
    step::Sink,
    text::{Known, Origin, Text},
    tree::{SourceFile, Tree},
};

/// Reads a justfile: assignments first, then the lines of all recipes.
pub(crate) fn read(tree: &Tree<'_>, file: &SourceFile, sink: &mut Sink) {
    let mut variables: Vec<(String, Text)> = Vec::new();
    let mut lines = Vec::new();
    let mut at = 0;
    for raw in file.text.split_inclusive('\n') {
        let (start, line) = (at, raw.trim_end());
        at += raw.len();
        if line.starts_with([' ', '\t']) {
            let body = start + line.len() - line.trim_start().len();
            lines.push(file.slice(body..start + line.len()));
        } else if let Some((name, value)) = line.split_once(":=") {
            let value_start = start + name.len() + 2 + (value.len() - value.trim_start().len());
            let value = value.trim();
            let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
            let text = match quote {
                Some(quote) if value.len() > 1 && value.ends_with(quote) => {
                    file.slice(value_start + 1..value_start + value.len() - 1)
                }
                _ => Text::unknown(
                    value,
                    Origin::new(file.id, value_start, value_start + value.len()),
                    Known::NotTheWords,
                ),
            };
            variables.push((name.trim().trim_start_matches("export ").trim().to_owned(), text));
        }
    }
    let directories = [file.folder().to_owned()];
    let mut script = Text::default();
    for line in lines {
        let text = line.text();
        let skip = text.len() - text.trim_start_matches(['@', '-']).len();
        script.push_text(&fill(&line.slice(skip..text.len()), &variables));
        let end = line.origin().unwrap_or(Origin::new(file.id, 0, 0));
        script.push_known("\n", Origin { start: end.end, ..end });
    }
    let context = ShellContext {
        directories: &directories,
        script_folder: file.folder(),
        variables: &[],
        files: &tree.files,
        scope: &file.path,
    };
    run_script(&script, &context, sink);
}

/// Replaces `{{ name }}`; what is no plain variable is unknown.
pub(crate) fn fill(line: &Text, variables: &[(String, Text)]) -> Text {
    let text = line.text();
    let mut result = Text::default();
    let mut start = 0;
    while let Some(open) = text[start..].find("{{").map(|at| start + at) {
        let Some(close) = text[open..].find("}}").map(|at| open + at) else { break };
        result.push_text(&line.slice(start..open));
        let name = text[open + 2..close].trim();
        match variables.iter().rev().find(|(other, _)| other == name) {
            Some((_, value)) => result.push_text(value),
            None => {
                let origin = line.slice(open..close + 2).origin().unwrap_or(Origin::new(0, 0, 0));
                result.push_unknown(&text[open..close + 2], origin, Known::NotTheWords);
            }
        }
        start = close + 2;
    }
    result.push_text(&line.slice(start..text.len()));
    result
}
