//! `compile_commands.json`.

use crate::{
    paths, plist,
    shell::split_words,
    step::{Sink, Step},
    text::Text,
    tree::{SourceFile, Tree},
};

/// Reads a compilation database.
pub(crate) fn read(tree: &Tree<'_>, file: &SourceFile, sink: &mut Sink) {
    for entry in plist::read(file).items() {
        let text_of = |key: &str| entry.get(key).and_then(plist::Node::as_text).cloned();
        let words: Vec<Text> = match (entry.get("arguments"), text_of("command")) {
            (Some(arguments), _) => arguments.words(),
            (None, Some(command)) => split_words(&command),
            (None, None) => continue,
        };
        let directory = text_of("directory").map(|text| text.text()).unwrap_or_default();
        let mut directories = vec![tree.localize(paths::join(file.folder(), &directory))];
        directories.push(file.folder().to_owned());
        sink.steps.push(Step { words, directories, scope: file.path.to_string(), piped: false });
    }
}
