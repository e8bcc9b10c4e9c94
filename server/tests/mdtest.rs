//! Runs the literate tests: every section of `tests/mdtest/**/*.md` and of the pages about diagnostics,
//! address spaces and migration.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use libtest_mimic::{Arguments, Failed, Trial};
use msl_diagnostics::{Code, Diagnostic, Suppressions};
use msl_ide::{
    Analysis, Inspection, StdChoice, UnitOptions, UnitRequest,
    file_system::{FileSystem, MemoryFiles},
};
use msl_preproc::LanguageVersion;
use msl_test_support::mdtest::{self, Checker, Found, MAIN_FILE, RevealAt, Section};

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut pages = Vec::new();
    collect(&root.join("tests/mdtest"), &mut pages);
    collect(&root.join("docs/diagnostics"), &mut pages);
    pages.extend(["address-spaces.md", "migration-4.1.md"].map(|page| root.join("docs").join(page)));
    pages.sort();
    let mut trials = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap_or_default();
        let name = page.strip_prefix(&root).unwrap_or(&page).display().to_string();
        let silent = CASUAL.iter().copied().filter(|code| !text.contains(&format!("[{code}]"))).collect::<Vec<_>>();
        for section in mdtest::parse(&text) {
            let title = format!("{name}: {}", section.title);
            let silent = silent.clone();
            trials.push(Trial::test(title, move || run(section, silent)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
}

fn run(section: Section, silent: Vec<Code>) -> Result<(), Failed> {
    // The analyser expects a stack that deeply nested sources need.
    let work = move || mdtest::run(&section, &mut Analyser { silent });
    let thread = std::thread::Builder::new().stack_size(16 << 20).spawn(work).map_err(Failed::from)?;
    match thread.join() {
        Ok(result) => result.map_err(Failed::from),
        Err(_) => Err(Failed::from("the analyser panicked")),
    }
}

/// Examples declare variables to show a type and compute values to show an operator. That nothing uses them is a finding
/// on the pages that speak of such findings alone.
const CASUAL: &[Code] = &[
    Code::UnusedVariable,
    Code::UnusedValue,
    Code::UninitializedVariable,
    Code::UnreachableCode,
    Code::SelfAssignment,
];

/// Asks the analyser what the assertions want to know.
struct Analyser {
    /// Codes that are not looked at.
    silent: Vec<Code>,
}

struct Prepared {
    analysis: Analysis,
    files: Arc<MemoryFiles>,
    request: UnitRequest,
}

fn prepare(section: &Section, std: Option<&str>) -> Prepared {
    let mut files = MemoryFiles::default();
    for file in &section.files {
        files.insert(&file.name, &file.text);
    }
    let files = Arc::new(files);
    let std = match std {
        Some(std) => {
            let version = LanguageVersion::parse(std).unwrap_or_else(|| panic!("`{std}` is no language version"));
            StdChoice { version, source: "section".into(), stated: true }
        }
        None => StdChoice::unstated(),
    };
    let options = UnitOptions::new(std.version);
    let request = UnitRequest { path: MAIN_FILE.into(), std, options, thresholds: Default::default() };
    Prepared { analysis: Analysis::new(files.clone()), files, request }
}

impl Checker for Analyser {
    fn check(&mut self, section: &Section, std: Option<&str>) -> Vec<Found> {
        let prepared = prepare(section, std);
        let mut diagnostics = prepared.analysis.check(&prepared.request).diagnostics;
        let mut comments: Vec<(Arc<str>, Suppressions)> = section
            .files
            .iter()
            .map(|file| (Arc::from(file.name.as_str()), Suppressions::scan(file.text.as_bytes())))
            .collect();
        diagnostics.retain(|diagnostic| !self.silent.contains(&diagnostic.code));
        diagnostics.retain(|diagnostic| {
            let of_file = comments.iter_mut().find(|(path, _)| *path == diagnostic.place.path);
            of_file.is_none_or(|(_, comments)| !comments.silences(diagnostic.code, diagnostic.place.range.start))
        });
        let levels = &section.settings.levels;
        for (path, comments) in &comments {
            diagnostics.extend(comments.unused(path, |code| levels.is_on(code)));
        }
        levels.apply(&mut diagnostics);
        diagnostics.iter().map(|diagnostic| found(diagnostic, &prepared.files)).collect()
    }

    fn reveal(&mut self, section: &Section, std: Option<&str>, at: &RevealAt<'_>) -> Vec<String> {
        let prepared = prepare(section, std);
        let Some((start, line)) = line_of(section, at.file, at.line) else { return Vec::new() };
        let code = line.split("//").next().unwrap_or_default();
        let Some(column) = whole_word(code, at.expression) else { return Vec::new() };
        let offset = start + column as u32;
        let inspection = prepared.analysis.inspect(&prepared.request, &at.file.into(), offset);
        let mut answers = Vec::new();
        answers.extend(inspection.ty);
        answers.extend(inspection.inferred.map(|spaces| spaces.join(" | ")));
        answers.extend(inspection.resolution.map(str::to_owned));
        answers.extend(inspection.space.map(str::to_owned));
        answers
    }

    fn accesses(&mut self, section: &Section, std: Option<&str>, file: &str, line: u32) -> Vec<String> {
        let prepared = prepare(section, std);
        let Some((start, text)) = line_of(section, file, line) else { return Vec::new() };
        let on_line = start..=start + text.len() as u32;
        let all = prepared.analysis.inspect_all(&prepared.request, &file.into());
        let accesses = all.iter().filter(|found| on_line.contains(&found.range.start) && found.kind == Some("access"));
        accesses.map(describe_access).collect()
    }
}

fn describe_access(access: &Inspection) -> String {
    let spaces = match (&access.inferred, access.space) {
        (Some(inferred), _) => inferred.join(" | "),
        (None, Some(space)) => space.to_owned(),
        (None, None) => String::new(),
    };
    format!("{} {spaces}", access.resolution.unwrap_or("unknown"))
}

/// Where the line starts in its file, and its text.
fn line_of<'a>(section: &'a Section, file: &str, line: u32) -> Option<(u32, &'a str)> {
    let text = &section.files.iter().find(|section_file| section_file.name == file)?.text;
    let mut start = 0;
    for (number, content) in text.split('\n').enumerate() {
        if number as u32 == line {
            return Some((start as u32, content));
        }
        start += content.len() + 1;
    }
    None
}

/// Where `expression` stands in `code` with no word character on either side; the last place counts, because a
/// declaration reveals the value that was just made.
fn whole_word(code: &str, expression: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    code.rmatch_indices(expression).map(|(at, _)| at).find(|&at| {
        let before = code[..at].chars().next_back();
        let after = code[at + expression.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

fn found(diagnostic: &Diagnostic, files: &MemoryFiles) -> Found {
    let text = files.read(&diagnostic.place.path).unwrap_or_default();
    let before = &text[..(diagnostic.place.range.start as usize).min(text.len())];
    Found {
        file: diagnostic.place.path.to_string(),
        line: before.iter().filter(|&&byte| byte == b'\n').count() as u32,
        severity: diagnostic.severity,
        code: diagnostic.code.as_str().to_owned(),
        message: diagnostic.message.clone(),
    }
}
