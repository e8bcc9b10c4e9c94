//! Literate tests: Markdown that a user can read and that runs.
//!
//! * A *section* is a heading with what follows up to the next heading. Sections with a ```` ```metal ```` block are
//!   tests.
//! * The blocks of one section are one file, `main.metal`, except those whose first line is `// file: NAME`, which
//!   are files of their own.
//! * *Settings* are lines `std = "metal4.1"`, `std = ["metal4.0", "metal4.1"]`, `todo = "why"`, or a ```` ```toml ````
//!   block with the same keys and `[severities]`. Those of a section hold for the sections below it, too.
//! * *Assertions* are comments behind code on its line, or alone on the lines above:
//!   `// error: [code] "words of the message"`, likewise `warning`, `information`, `hint`; `// reveal EXPR: ANSWER`;
//!   `// access: static device`. A version in front restricts one: `// 4.0 error: [code]`, `// 4.1 ok`. Several
//!   assertions in one line are separated by ` // `.
//! * Every diagnostic must be met by an assertion of its line and every assertion by a diagnostic, one to one.
//! * A section with `todo` is expected to fail, and fails if it does not.

use std::collections::BTreeMap;

use msl_diagnostics::{Level, Levels, Selector, Severity};

/// The name of the file that blocks without a name make up.
pub const MAIN_FILE: &str = "main.metal";

/// A test.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// Headings from the top of the page down, joined by ` / `.
    pub title: String,
    pub settings: Settings,
    pub files: Vec<SectionFile>,
    /// Mistakes in the section itself, with their lines in the page from 1.
    pub mistakes: Vec<(u32, String)>,
}

/// What settings say; inherited from outer sections.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Settings {
    /// As spelled; empty if nothing states one.
    pub std: Vec<String>,
    pub todo: Option<String>,
    pub levels: Levels,
}

/// One file of a section.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionFile {
    pub name: String,
    pub text: String,
    /// For each line of the text, its line in the page, from 1.
    pub page_lines: Vec<u32>,
    pub assertions: Vec<Assertion>,
}

/// What should hold on a line.
#[derive(Clone, Debug, PartialEq)]
pub struct Assertion {
    /// From 0, in the file.
    pub line: u32,
    /// `4.0` and the like; empty: under every version.
    pub versions: Vec<String>,
    pub what: Expected,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    Diagnostic {
        severity: Severity,
        code: String,
        words: Vec<String>,
    },
    Reveal {
        expression: String,
        answer: String,
    },
    Access(String),
    /// Nothing is reported on this line.
    Nothing,
}

/// What a checker found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub file: String,
    /// From 0.
    pub line: u32,
    pub severity: Severity,
    pub code: String,
    pub message: String,
}

/// Questions that assertions ask.
pub trait Checker {
    /// The findings of a section under a version (as spelled; `None` if the section states none).
    fn check(&mut self, section: &Section, std: Option<&str>) -> Vec<Found>;

    /// What is known of `expression` on a line: every true answer.
    fn reveal(&mut self, section: &Section, std: Option<&str>, at: &RevealAt<'_>) -> Vec<String>;

    /// The resolution and spaces of each pointer access on a line, such as `static device`.
    fn accesses(&mut self, section: &Section, std: Option<&str>, file: &str, line: u32) -> Vec<String>;
}

/// Where an expression to reveal stands.
#[derive(Clone, Copy, Debug)]
pub struct RevealAt<'a> {
    pub file: &'a str,
    /// From 0.
    pub line: u32,
    pub expression: &'a str,
}

/// Reads a page.
pub fn parse(page: &str) -> Vec<Section> {
    let mut sections = Vec::new();
    // Headings that are open, with their depth, title and settings.
    let mut open: Vec<(usize, String, Settings)> = Vec::new();
    let mut current = Section::empty("", Settings::default());
    let mut lines = page.lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let number = index as u32 + 1;
        if let Some((depth, title)) = heading(line) {
            current.finish(&mut sections);
            open.retain(|(other, ..)| *other < depth);
            let settings = open.last().map(|(_, _, settings)| settings.clone()).unwrap_or_default();
            open.push((depth, title.to_owned(), settings.clone()));
            let path: Vec<&str> = open.iter().map(|(_, title, _)| title.as_str()).collect();
            current = Section::empty(&path.join(" / "), settings);
        } else if let Some(language) = line.trim_start().strip_prefix("```") {
            let mut block: Vec<(u32, &str)> = Vec::new();
            for (index, line) in lines.by_ref() {
                if line.trim_start().starts_with("```") {
                    break;
                }
                block.push((index as u32 + 1, line));
            }
            match language.trim() {
                "metal" => current.add_block(&block),
                "toml" => {
                    let text: Vec<&str> = block.iter().map(|(_, line)| *line).collect();
                    current.add_settings(number, &text.join("\n"));
                }
                _ => {}
            }
        } else if line.starts_with("std = ") || line.starts_with("todo = ") {
            current.add_settings(number, line);
        }
        if let Some((_, _, settings)) = open.last_mut() {
            settings.clone_from(&current.settings);
        }
    }
    current.finish(&mut sections);
    sections
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let depth = line.bytes().take_while(|&byte| byte == b'#').count();
    let title = line[depth..].strip_prefix(' ')?;
    (depth > 0).then(|| (depth, title.trim()))
}

impl Section {
    fn empty(title: &str, settings: Settings) -> Section {
        Section { title: title.to_owned(), settings, files: Vec::new(), mistakes: Vec::new() }
    }

    fn finish(self, sections: &mut Vec<Section>) {
        if self.files.is_empty() && self.mistakes.is_empty() {
            return;
        }
        let mut section = self;
        for file in &mut section.files {
            let (assertions, mistakes) = read_assertions(&file.text);
            file.assertions = assertions;
            section
                .mistakes
                .extend(mistakes.into_iter().map(|(line, message)| (file.page_lines[line as usize], message)));
        }
        sections.push(section);
    }

    fn add_block(&mut self, block: &[(u32, &str)]) {
        let name =
            block.first().and_then(|(_, line)| line.trim().strip_prefix("// file:")).map_or(MAIN_FILE, str::trim);
        let index = self.files.iter().position(|file| file.name == name).unwrap_or_else(|| {
            self.files.push(SectionFile {
                name: name.to_owned(),
                text: String::new(),
                page_lines: Vec::new(),
                assertions: Vec::new(),
            });
            self.files.len() - 1
        });
        let file = &mut self.files[index];
        for (number, line) in block {
            file.text.push_str(line);
            file.text.push('\n');
            file.page_lines.push(*number);
        }
    }

    fn add_settings(&mut self, line: u32, text: &str) {
        if let Err(message) = self.settings.read(text) {
            self.mistakes.push((line, message));
        }
    }
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSettings {
    std: Option<OneOrMore>,
    todo: Option<String>,
    #[serde(default)]
    severities: BTreeMap<String, String>,
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl Settings {
    fn read(&mut self, text: &str) -> Result<(), String> {
        let raw: RawSettings = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        match raw.std {
            Some(OneOrMore::One(std)) => self.std = vec![std],
            Some(OneOrMore::More(std)) => self.std = std,
            None => {}
        }
        if raw.todo.is_some() {
            self.todo = raw.todo;
        }
        for (name, level) in raw.severities {
            let selector = Selector::parse(&name).ok_or_else(|| format!("no code or group `{name}`"))?;
            self.levels.set(selector, Level::parse(&level).ok_or_else(|| format!("no level `{level}`"))?);
        }
        Ok(())
    }
}

/// Assertions of a file, and those that cannot be read, with their lines from 0.
fn read_assertions(text: &str) -> (Vec<Assertion>, Vec<(u32, String)>) {
    let mut assertions = Vec::new();
    let mut mistakes = Vec::new();
    let mut waiting: Vec<Assertion> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let number = number as u32;
        let Some(at) = line.find("//") else {
            if !line.trim().is_empty() {
                place(&mut waiting, number, &mut assertions);
            }
            continue;
        };
        let alone = line[..at].trim().is_empty();
        let mut found = Vec::new();
        for part in line[at + 2..].split(" // ") {
            match read_assertion(part) {
                Ok(Some((versions, what))) => found.push(Assertion { line: number, versions, what }),
                Ok(None) => {}
                Err(message) => mistakes.push((number, message)),
            }
        }
        if alone {
            waiting.extend(found);
        } else {
            place(&mut waiting, number, &mut assertions);
            assertions.extend(found);
        }
    }
    mistakes.extend(waiting.iter().map(|assertion| (assertion.line, "no line follows this assertion".to_owned())));
    (assertions, mistakes)
}

fn place(waiting: &mut Vec<Assertion>, line: u32, assertions: &mut Vec<Assertion>) {
    assertions.extend(waiting.drain(..).map(|assertion| Assertion { line, ..assertion }));
}

/// Reads one assertion; `None` if the comment is an ordinary one.
fn read_assertion(text: &str) -> Result<Option<(Vec<String>, Expected)>, String> {
    let mut text = text.trim();
    let mut versions = Vec::new();
    if let Some((first, rest)) = text.split_once(' ')
        && first.split(',').all(is_version)
    {
        versions = first.split(',').map(str::to_owned).collect();
        text = rest.trim();
    }
    if text == "ok" && !versions.is_empty() {
        return Ok(Some((versions, Expected::Nothing)));
    }
    let Some((head, rest)) = text.split_once(':') else { return Ok(None) };
    let rest = rest.trim();
    let severity = match head {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        "information" => Severity::Information,
        "hint" => Severity::Hint,
        "access" => return Ok(Some((versions, Expected::Access(rest.to_owned())))),
        _ => {
            let Some(expression) = head.strip_prefix("reveal ") else { return Ok(None) };
            let expected = Expected::Reveal { expression: expression.trim().to_owned(), answer: rest.to_owned() };
            return Ok(Some((versions, expected)));
        }
    };
    let wrong = || format!("expected `{head}: [code] \"words\"`, found `{text}`");
    let (code, mut tail) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).ok_or_else(wrong)?;
    let mut words = Vec::new();
    while let Some(quoted) = tail.trim_start().strip_prefix('"') {
        let (word, after) = quoted.split_once('"').ok_or_else(wrong)?;
        words.push(word.to_owned());
        tail = after;
    }
    if !tail.trim().is_empty() {
        return Err(wrong());
    }
    Ok(Some((versions, Expected::Diagnostic { severity, code: code.to_owned(), words })))
}

fn is_version(text: &str) -> bool {
    text.split_once('.').is_some_and(|(major, minor)| {
        [major, minor].iter().all(|part| part.len() == 1 && part.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// Runs a section; the error says what went wrong, for people.
pub fn run(section: &Section, checker: &mut dyn Checker) -> Result<(), String> {
    let mut problems: Vec<(u32, String)> = section.mistakes.clone();
    let versions: Vec<Option<&str>> = match section.settings.std.as_slice() {
        [] => vec![None],
        several => several.iter().map(|std| Some(std.as_str())).collect(),
    };
    for std in versions {
        run_under(section, std, checker, &mut problems);
    }
    problems.sort();
    let report =
        problems.iter().map(|(line, message)| format!("line {line}: {message}")).collect::<Vec<_>>().join("\n");
    match (&section.settings.todo, problems.is_empty()) {
        (None, true) | (Some(_), false) => Ok(()),
        (None, false) => Err(report),
        (Some(why), true) => Err(format!("passes now; remove `todo = \"{why}\"`")),
    }
}

fn run_under(section: &Section, std: Option<&str>, checker: &mut dyn Checker, problems: &mut Vec<(u32, String)>) {
    let under = std.map(|std| format!(" under {std}")).unwrap_or_default();
    let version = std.and_then(|std| std.rsplit_once("metal")).map(|(_, version)| version);
    let holds = |assertion: &&Assertion| {
        assertion.versions.is_empty()
            || version.is_some_and(|version| assertion.versions.iter().any(|wanted| wanted == version))
    };
    let mut found = checker.check(section, std);
    for file in &section.files {
        let page_line = |line: u32| file.page_lines.get(line as usize).copied().unwrap_or_default();
        for assertion in file.assertions.iter().filter(holds) {
            let mut miss = |message: String| problems.push((page_line(assertion.line), message + &under));
            match &assertion.what {
                Expected::Nothing => {}
                Expected::Diagnostic { severity, code, words } => {
                    let fits = |found: &Found| {
                        let message = found.message.to_lowercase();
                        found.file == file.name
                            && found.line == assertion.line
                            && found.severity == *severity
                            && found.code == *code
                            && words.iter().all(|word| message.contains(&word.to_lowercase()))
                    };
                    match found.iter().position(fits) {
                        Some(index) => {
                            found.remove(index);
                        }
                        None => {
                            let words: String = words.iter().map(|word| format!(" \"{word}\"")).collect();
                            miss(format!("expected {}: [{code}]{words}", severity.as_str()));
                        }
                    }
                }
                Expected::Reveal { expression, answer } => {
                    let at = RevealAt { file: &file.name, line: assertion.line, expression };
                    let answers = checker.reveal(section, std, &at);
                    if !answers.iter().any(|given| same_words(given, answer)) {
                        miss(format!("`{expression}` is {answers:?}, expected {answer:?}"));
                    }
                }
                Expected::Access(answer) => {
                    let given = checker.accesses(section, std, &file.name, assertion.line);
                    if !given.iter().any(|given| same_words(given, answer)) {
                        miss(format!("the accesses are {given:?}, expected {answer:?}"));
                    }
                }
            }
        }
    }
    for Found { file, line, severity, code, message } in found {
        let place = section.files.iter().find(|section_file| section_file.name == file);
        let page_line = place.and_then(|file| file.page_lines.get(line as usize)).copied().unwrap_or_default();
        problems.push((page_line, format!("unexpected {}: [{code}] {message:?}{under}", severity.as_str())));
    }
}

/// Whether two answers hold the same words and signs, in any order: `const device` is `device const`.
fn same_words(a: &str, b: &str) -> bool {
    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        let mut word = String::new();
        for character in text.chars() {
            if character.is_alphanumeric() || character == '_' {
                word.push(character);
                continue;
            }
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            if !character.is_whitespace() {
                words.push(character.to_string());
            }
        }
        if !word.is_empty() {
            words.push(word);
        }
        words.sort();
        words
    }
    words(a) == words(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fixed(Vec<Found>);

    impl Checker for Fixed {
        fn check(&mut self, _: &Section, std: Option<&str>) -> Vec<Found> {
            self.0.iter().filter(|found| std != Some("metal4.1") || found.code != "only-4.0").cloned().collect()
        }

        fn reveal(&mut self, _: &Section, _: Option<&str>, at: &RevealAt<'_>) -> Vec<String> {
            vec![format!("const {}", at.expression)]
        }

        fn accesses(&mut self, _: &Section, _: Option<&str>, _: &str, _: u32) -> Vec<String> {
            vec!["static device".to_owned()]
        }
    }

    const PAGE: &str = "\
# Page
std = \"metal4.0\"

Prose with `// error: [not-an-assertion]`.

## First
std = [\"metal4.0\", \"metal4.1\"]
```metal
// file: a.h
int h;  // error: [in-header]
```
```metal
// An ordinary comment.
int a;  // 4.0 error: [only-4.0] \"wrong\" // 4.1 ok
// reveal a: a const
// access: static device
int b;
```
## Second
```toml
todo = \"later\"
[severities]
migration = \"warning\"
```
```metal
int c;
```
";

    fn found(file: &str, line: u32, code: &str) -> Found {
        let message = "It is Wrong".to_owned();
        Found { file: file.into(), line, severity: Severity::Error, code: code.into(), message }
    }

    #[test]
    fn sections_settings_and_assertions() {
        let sections = parse(PAGE);
        let titles: Vec<_> = sections.iter().map(|section| section.title.as_str()).collect();
        assert_eq!(titles, ["Page / First", "Page / Second"]);
        assert_eq!(sections[0].settings.std, ["metal4.0", "metal4.1"]);
        assert_eq!(sections[1].settings.std, ["metal4.0"]);
        let names = sections[0].files.iter().map(|file| (file.name.as_str(), file.assertions.len()));
        let names: Vec<_> = names.collect();
        assert_eq!(names, [("a.h", 1), ("main.metal", 4)]);
        assert!(sections.iter().all(|section| section.mistakes.is_empty()));
    }

    #[test]
    fn everything_found_is_asserted_and_the_reverse() {
        let sections = parse(PAGE);
        let mut right = Fixed(vec![found("a.h", 1, "in-header"), found(MAIN_FILE, 1, "only-4.0")]);
        assert_eq!(run(&sections[0], &mut right), Ok(()));
        let mut wrong = Fixed(vec![found("a.h", 1, "in-header"), found(MAIN_FILE, 4, "more")]);
        let report = run(&sections[0], &mut wrong).unwrap_err();
        assert_eq!(
            report,
            "line 14: expected error: [only-4.0] \"wrong\" under metal4.0\n\
             line 17: unexpected error: [more] \"It is Wrong\" under metal4.0\n\
             line 17: unexpected error: [more] \"It is Wrong\" under metal4.1"
        );
    }

    #[test]
    fn a_todo_must_fail() {
        let section = &parse(PAGE)[1];
        assert_eq!(run(section, &mut Fixed(vec![found(MAIN_FILE, 0, "more")])), Ok(()));
        assert!(run(section, &mut Fixed(Vec::new())).unwrap_err().contains("remove `todo"));
    }

    #[test]
    fn broken_assertions_are_mistakes() {
        let section = &parse("# A\n```metal\nint a; // error: unquoted\n// hint: [x]\n```\n")[0];
        let lines: Vec<u32> = section.mistakes.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [3, 4]);
    }
}
