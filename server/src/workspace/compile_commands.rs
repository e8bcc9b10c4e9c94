//! `compile_commands.json`: the flags with which a build compiles each file.

use std::path::{Path, PathBuf};

use msl_ide::{Define, file_system};
use msl_preproc::LanguageVersion;
use serde::Deserialize;

use super::display;

/// A compilation database.
pub(crate) struct CompileCommands {
    pub(crate) path: PathBuf,
    entries: Vec<Entry>,
}

/// What the flags of one file say.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CompileCommand {
    /// The compilation database.
    pub(crate) file: PathBuf,
    /// The version, the line of the database that names it (from 1), and its spelling.
    pub(crate) std: Option<(LanguageVersion, usize, String)>,
    pub(crate) include_dirs: Vec<String>,
    pub(crate) framework_dirs: Vec<String>,
    pub(crate) defines: Vec<Define>,
    pub(crate) forced_includes: Vec<String>,
}

struct Entry {
    /// Absolute.
    source: String,
    command: CompileCommand,
}

#[derive(Deserialize)]
struct RawEntry {
    #[serde(default)]
    directory: String,
    file: String,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

impl CompileCommands {
    /// Reads a database; one that is broken counts as absent, because it is not ours to judge.
    pub(crate) fn read(path: &Path) -> Option<CompileCommands> {
        CompileCommands::parse(path, &std::fs::read_to_string(path).ok()?)
    }

    fn parse(path: &Path, text: &str) -> Option<CompileCommands> {
        let raw: Vec<RawEntry> = serde_json::from_str(text).ok()?;
        let folder = file_system::normalize(&path.parent()?.to_string_lossy());
        let entries = raw
            .into_iter()
            .map(|raw| {
                let directory = file_system::join(&folder, &raw.directory);
                let source = file_system::join(&directory, &raw.file);
                let arguments =
                    raw.arguments.unwrap_or_else(|| split_command(raw.command.as_deref().unwrap_or_default()));
                let mut command = read_flags(&arguments, &directory);
                command.file = path.to_path_buf();
                if let Some((_, line, spelling)) = &mut command.std {
                    *line = line_of(text, &raw.file, spelling);
                }
                Entry { source, command }
            })
            .collect();
        Some(CompileCommands { path: path.to_path_buf(), entries })
    }

    /// The flags of a file, given by its absolute path.
    pub(crate) fn find(&self, file: &Path) -> Option<CompileCommand> {
        let file = file_system::normalize(&file.to_string_lossy());
        self.entries.iter().find(|entry| entry.source == file).map(|entry| entry.command.clone())
    }
}

/// The line of the database that spells the version of this file: the first such line at or after the one that
/// names the file, or before it, since the order of keys is free.
fn line_of(text: &str, file: &str, spelling: &str) -> usize {
    let line_at = |offset: usize| text[..offset].matches('\n').count() + 1;
    let spellings: Vec<usize> = text.match_indices(spelling).map(|(offset, _)| offset).collect();
    let named = text.find(file).unwrap_or_default();
    spellings.iter().min_by_key(|offset| offset.abs_diff(named)).map_or(1, |&offset| line_at(offset))
}

fn read_flags(arguments: &[String], directory: &str) -> CompileCommand {
    let mut command = CompileCommand {
        file: PathBuf::new(),
        std: None,
        include_dirs: Vec::new(),
        framework_dirs: Vec::new(),
        defines: Vec::new(),
        forced_includes: Vec::new(),
    };
    let folder = |path: &str| display(Path::new(&file_system::join(directory, path)));
    // Those of the system come behind all others.
    let mut system_frameworks = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut value_of = |flag: &str| match argument.strip_prefix(flag) {
            Some("") => arguments.next().cloned(),
            Some(value) => Some(value.to_owned()),
            None => None,
        };
        if let Some(value) = argument.strip_prefix("-std=") {
            command.std = LanguageVersion::parse(value).map(|version| (version, 0, argument.clone()));
        } else if let Some(path) = value_of("-include") {
            command.forced_includes.push(folder(&path));
        } else if let Some(path) = value_of("-isystem").or_else(|| value_of("-I")) {
            command.include_dirs.push(folder(&path));
        } else if let Some(path) = value_of("-iframework") {
            system_frameworks.push(folder(&path));
        } else if let Some(path) = value_of("-isysroot").or_else(|| value_of("--sysroot=")) {
            system_frameworks.push(folder(&format!("{path}/System/Library/Frameworks")));
        } else if let Some(path) = value_of("-F") {
            command.framework_dirs.push(folder(&path));
        } else if let Some(define) = value_of("-D") {
            command.defines.push(Define::parse(&define));
        }
    }
    command.framework_dirs.append(&mut system_frameworks);
    command
}

/// Splits a command line into words as a POSIX shell does, as far as quotes and backslashes go.
fn split_command(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut in_word = false;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match character {
            ' ' | '\t' | '\n' => {
                if in_word {
                    words.push(std::mem::take(&mut word));
                }
                in_word = false;
                continue;
            }
            '\'' => word.extend(characters.by_ref().take_while(|&c| c != '\'')),
            '"' => {
                while let Some(quoted) = characters.next().filter(|&c| c != '"') {
                    let plain = if quoted == '\\' { characters.next().unwrap_or('\\') } else { quoted };
                    word.push(plain);
                }
            }
            '\\' => word.extend(characters.next()),
            _ => word.push(character),
        }
        in_word = true;
    }
    if in_word {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_of_a_file() {
        let text = r#"[
  {
    "directory": "/w/build",
    "command": "xcrun metal -std=metal3.1 -I ../include -D'NAME=a b' -DX -isysroot /sdk -F../fw -include pre.h -c ../src/a.metal",
    "file": "../src/a.metal"
  },
  { "directory": "/w", "arguments": ["metal", "-std=metal4.1", "src/b.metal"], "file": "src/b.metal" }
]"#;
        let commands = CompileCommands::parse(Path::new("/w/compile_commands.json"), text).unwrap();
        let a = commands.find(Path::new("/w/src/a.metal")).unwrap();
        let (version, line, spelling) = a.std.unwrap();
        assert_eq!((version.to_string().as_str(), line, spelling.as_str()), ("metal3.1", 4, "-std=metal3.1"));
        assert_eq!(a.include_dirs, ["/w/include"]);
        assert_eq!(a.framework_dirs, ["/w/fw", "/sdk/System/Library/Frameworks"]);
        assert_eq!(a.forced_includes, ["/w/build/pre.h"]);
        assert_eq!(a.defines, [Define::parse("NAME=a b"), Define::parse("X")]);
        let b = commands.find(Path::new("/w/src/b.metal")).unwrap();
        assert_eq!(b.std.unwrap().1, 7);
        assert!(commands.find(Path::new("/w/src/c.metal")).is_none());
    }

    #[test]
    fn a_broken_database_counts_as_absent() {
        assert!(CompileCommands::parse(Path::new("/w/compile_commands.json"), "[{").is_none());
    }
}
