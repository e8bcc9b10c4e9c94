//! Command lines of Apple's Metal tools.
//!
//! A *command* is a list of words as a tool receives it. The *driver word* says which tool runs: `metal`, `metallib`,
//! `metal-ar`, …, usually behind `xcrun` with its own options. What decides the language version of a compile is, from
//! the strongest: the last `-std`, the deployment target (`-target`, `-m…-version-min`, `-mtargetos`), the SDK. The SDK
//! of whoever builds is not known here, so neither is the version then.

use msl_preproc::LanguageVersion;

use crate::{
    paths,
    text::{Known, Origin, Text},
    version::{DeploymentTarget, System},
};

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    /// `metal -c`: sources to AIR.
    Compile,
    /// `metal` without `-c`: sources and AIR to a library.
    CompileAndLink,
    /// `metallib`, `air-lld`: AIR to a library.
    Link,
    /// `metal-ar`, `metal-libtool`: AIR to a static archive.
    Archive,
    /// `metal-tt`, `metal-lipo`: libraries to a library for several GPUs.
    Merge,
}

/// A command of a Metal tool.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) tool: Tool,
    /// The driver word.
    pub(crate) driver: Origin,
    /// Inputs in order; `-` is the output of the command before in a pipe.
    pub(crate) inputs: Vec<Text>,
    pub(crate) output: Option<Text>,
    /// Values of `-l`.
    pub(crate) libraries: Vec<Text>,
    /// Whether it makes a dynamic library.
    pub(crate) is_dynamic: bool,
    /// Whether the inputs are Metal whatever their names say (`-x metal`).
    pub(crate) inputs_are_metal: bool,
    pub(crate) version: Detection,
    /// Whether a `-std` behind the driver word would decide: nothing else states one, and no word may hold one.
    pub(crate) takes_std: bool,
}

/// A language version, or why it is not known, and the words that say so.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Detection {
    pub(crate) std: Option<LanguageVersion>,
    /// The deployment target, when one is stated.
    pub(crate) deployment: Option<DeploymentTarget>,
    /// From the most telling on.
    pub(crate) evidence: Vec<Fact>,
    /// The text that spells the version, if a fix can replace it, and the spelling for a version.
    pub(crate) spelled: Option<Spelled>,
}

/// A piece of evidence: where, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fact {
    pub(crate) origin: Origin,
    pub(crate) message: String,
}

/// Where a version is spelled, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spelled {
    pub(crate) origin: Origin,
    pub(crate) form: SpelledForm,
}

/// The form in which a version is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpelledForm {
    /// `metal4.1`.
    Std,
    /// `Metal41`.
    Revision,
    /// `4_1`, the end of an enumerator.
    Enumerator,
    /// Not yet: behind the driver word of a command line.
    NewWord,
    /// Not yet: behind the driver word of a list of quoted words, which are quoted like this.
    NewElement(char),
}

impl SpelledForm {
    /// The text that states a version in this form.
    pub(crate) fn write(self, version: LanguageVersion) -> String {
        match self {
            SpelledForm::Std => version.to_string(),
            SpelledForm::Revision => format!("Metal{}{}", version.major, version.minor),
            SpelledForm::Enumerator => format!("{}_{}", version.major, version.minor),
            SpelledForm::NewWord => format!(" -std={version}"),
            SpelledForm::NewElement(quote) => format!(", {quote}-std={version}{quote}"),
        }
    }
}

impl Detection {
    /// Unknown, for a reason that stands at a place.
    pub(crate) fn unknown(origin: Origin, message: impl Into<String>) -> Detection {
        Detection { evidence: vec![Fact { origin, message: message.into() }], ..Detection::default() }
    }

    /// A stated deployment target decides.
    pub(crate) fn of_deployment(target: DeploymentTarget, evidence: Vec<Fact>) -> Detection {
        Detection { std: target.default_version(), deployment: Some(target), evidence, spelled: None }
    }
}

/// Reads `-std=` and the deployment target in a list of flags, without a driver word: values of `MTL_COMPILER_FLAGS`,
/// `copts`, `COMPILER_FLAGS`. `None` if they say nothing about the version.
pub(crate) fn version_of_flags(flags: &[Text]) -> Option<Detection> {
    let mut reader = FlagReader::default();
    let mut words = flags.iter().peekable();
    while let Some(word) = words.next() {
        reader.read(word, words.peek().copied());
    }
    (reader.std.is_some() || reader.deployment.is_some()).then(|| reader.detect(None, false))
}

/// What flags say about the version, gathered word by word.
#[derive(Default)]
struct FlagReader {
    /// The value of the last `-std`, and the flag as a whole.
    std: Option<(Text, Text)>,
    deployment: Option<(DeploymentTarget, Text)>,
    /// A deployment target whose value is not known.
    unknown_deployment: Option<Text>,
    sdk: Option<Text>,
}

impl FlagReader {
    /// Reads a word; says whether the word behind it is its value.
    fn read(&mut self, word: &Text, next: Option<&Text>) -> bool {
        let text = word.text();
        for prefix in ["-std=", "--std="] {
            if let Some(value) = word.strip_prefix(prefix) {
                self.std = Some((value, word.clone()));
                return false;
            }
        }
        match text.as_str() {
            "-target" | "--target" => {
                if let Some(triple) = next {
                    self.read_triple(triple, word, triple);
                }
                return true;
            }
            "-isysroot" | "-sdk" => {
                self.sdk = next.cloned();
                return true;
            }
            // The linker's own spelling: `-macosx_version_min 12.1.0`.
            "-macosx_version_min" | "-ios_version_min" => {
                let system = if text.starts_with("-mac") { System::MacOs } else { System::Ios };
                if let Some(value) = next {
                    self.read_deployment(system, value, value);
                }
                return true;
            }
            _ => {}
        }
        if let Some(triple) = word.strip_prefix("--target=").or_else(|| word.strip_prefix("-target=")) {
            self.read_triple(&triple, word, word);
            return false;
        }
        if let Some(value) = word.strip_prefix("-mtargetos=") {
            let text = value.text();
            let digits = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
            if let Some(system) = System::parse(&text[..digits]) {
                self.read_deployment(system, &value.slice(digits..text.len()), word);
            }
            return false;
        }
        if let Some((option, _)) = text.split_once('=').filter(|(option, _)| option.ends_with("-version-min")) {
            let name = option.trim_start_matches('-').trim_start_matches('m').trim_end_matches("-version-min");
            // `-mmacosx…` and `-mios…`: the first letter belongs to the option, and `macos` begins with it, too.
            let system = System::parse(name).or_else(|| System::parse(&format!("m{name}")));
            if let Some(system) = system {
                self.read_deployment(system, &word.slice(option.len() + 1..text.len()), word);
            }
        }
        false
    }

    fn read_triple(&mut self, triple: &Text, flag: &Text, whole: &Text) {
        let text = triple.text();
        let mut from = 0;
        for part in text.split('-') {
            let digits = part.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(part.len());
            if let Some(system) = System::parse(&part[..digits]) {
                if digits < part.len() {
                    self.read_deployment(system, &triple.slice(from + digits..from + part.len()), whole);
                }
                return;
            }
            from += part.len() + 1;
        }
        if !triple.is_known() {
            self.unknown_deployment = Some(flag.clone());
        }
    }

    fn read_deployment(&mut self, system: System, value: &Text, flag: &Text) {
        match value.value().and_then(|value| DeploymentTarget::parse(system, &value)) {
            // Of several, a triple and a flag, the compiler takes one; where they differ nobody should bet on which.
            Some(target) => {
                self.unknown_deployment = None;
                self.deployment = Some((target, flag.clone()));
            }
            None => {
                self.deployment = None;
                self.unknown_deployment = Some(flag.clone());
            }
        }
    }

    /// What the flags come to. `uncertain` is a word that may be flags.
    fn detect(&self, uncertain: Option<&Text>, default_is_the_host: bool) -> Detection {
        let deployment = self.deployment.as_ref().map(|(target, _)| *target);
        if let Some((value, flag)) = &self.std {
            let std = value.value().and_then(|value| LanguageVersion::parse(&value));
            let mut evidence = facts_of(flag, &flag.spelling());
            if std.is_none()
                && let Some(first) = evidence.first_mut()
            {
                first.message = match value.value() {
                    Some(value) => format!("`{value}` is not a language version"),
                    None => format!("the value of `{}` is not known", flag.spelling()),
                };
            }
            if let Some((target, flag)) = &self.deployment {
                evidence
                    .extend(facts_of(flag, &format!("{}: for {target} or later", flag.spelling())).into_iter().take(1));
            }
            let whole = value.origin().filter(|_| value.pieces().len() == 1);
            let spelled = whole.map(|origin| Spelled { origin, form: SpelledForm::Std });
            return Detection { std, deployment, evidence, spelled };
        }
        if let Some(word) = uncertain {
            let message = format!("`{}` may hold `-std`, and its value is not known", word.spelling());
            return Detection { deployment, evidence: facts_of(word, &message), ..Detection::default() };
        }
        if let Some((target, flag)) = &self.deployment {
            return match target.default_version() {
                Some(version) => {
                    let message = format!("{}: the default of {target} is {version}", flag.spelling());
                    Detection::of_deployment(*target, facts_of(flag, &message))
                }
                None => {
                    let message = format!("{}: which version {target} defaults to is not known", flag.spelling());
                    Detection::of_deployment(*target, facts_of(flag, &message))
                }
            };
        }
        if let Some(flag) = &self.unknown_deployment {
            let message = format!("the value of `{}` is not known", flag.spelling());
            return Detection { evidence: facts_of(flag, &message), ..Detection::default() };
        }
        let sdk = self.sdk.as_ref().filter(|_| default_is_the_host).map(|sdk| {
            let message = "neither `-std` nor a deployment target: the version is the default of the SDK";
            facts_of(sdk, message)
        });
        Detection { evidence: sdk.unwrap_or_default(), ..Detection::default() }
    }
}

/// A fact at the flag, and one at each other place that a part of it comes from.
fn facts_of(flag: &Text, message: &str) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    let Some(first) = flag.origin() else { return facts };
    facts.push(Fact { origin: first, message: message.to_owned() });
    for piece in flag.pieces().iter().filter(|piece| !piece.text.trim().is_empty()) {
        let inside =
            piece.origin.file == first.file && piece.origin.start >= first.start && piece.origin.end <= first.end;
        if !inside && facts.len() < 6 {
            let text = piece.text.trim_matches(|c: char| c.is_control());
            facts.push(Fact { origin: piece.origin, message: format!("`{text}` comes from here") });
        }
    }
    facts
}

/// Reads a command line; `None` if it runs no Metal tool that compiles or links.
pub(crate) fn read_command(words: &[Text]) -> Option<Command> {
    let (driver_at, name) = find_driver(words)?;
    let mut sdk_words = words.get(..driver_at)?.iter().peekable();
    let mut flags = FlagReader::default();
    while let Some(word) = sdk_words.next() {
        if matches!(word.text().as_str(), "-sdk" | "--sdk") {
            flags.sdk = sdk_words.peek().map(|word| (*word).clone());
        }
    }
    let arguments = words.get(driver_at + 1..)?;
    let driver = words[driver_at].origin()?;
    let mut command = Command {
        tool: match name {
            "metal" => Tool::CompileAndLink,
            "metallib" | "air-lld" => Tool::Link,
            "metal-ar" | "metal-libtool" => Tool::Archive,
            _ => Tool::Merge,
        },
        driver,
        inputs: Vec::new(),
        output: None,
        libraries: Vec::new(),
        is_dynamic: false,
        inputs_are_metal: false,
        version: Detection::default(),
        takes_std: false,
    };
    let mut unknown: Vec<Text> = Vec::new();
    let mut rest = arguments.iter().peekable();
    // `metal-ar rcs archive members…` has its output first.
    if name == "metal-ar" {
        rest.next();
        command.output = rest.next().cloned();
    }
    while let Some(word) = rest.next() {
        let text = word.text();
        if !word.is_known() && !text.starts_with('-') {
            let is_whole = word.pieces().len() == 1;
            match word.pieces().first().map(|piece| piece.known) {
                Some(Known::Yes) | None => command.inputs.push(word.clone()),
                _ if is_whole => unknown.push(word.clone()),
                _ => command.inputs.push(word.clone()),
            }
            continue;
        }
        if flags.read(word, rest.peek().copied()) {
            rest.next();
            continue;
        }
        match text.as_str() {
            "-c" if name == "metal" => command.tool = Tool::Compile,
            "-E" | "-fsyntax-only" | "-S" | "--version" | "-v" | "-###" | "-M" | "-MM" | "--help"
                if name == "metal"
                    && matches!(text.as_str(), "-E" | "-fsyntax-only" | "--version" | "-###" | "--help") =>
            {
                return None;
            }
            "-o" | "-output" => command.output = rest.next().cloned(),
            "-dynamiclib" => command.is_dynamic = true,
            "--emit-static-lib" | "-static" => command.tool = Tool::Archive,
            "-x" => command.inputs_are_metal = rest.next().is_some_and(|word| word.text() == "metal"),
            // Options with a value in the next word.
            "-I"
            | "-D"
            | "-U"
            | "-include"
            | "-isystem"
            | "-iquote"
            | "-idirafter"
            | "-F"
            | "-L"
            | "-MF"
            | "-MT"
            | "-MQ"
            | "-install_name"
            | "-current_version"
            | "-compatibility_version"
            | "-arch"
            | "-Xlinker"
            | "-Xassembler"
            | "-index-store-path"
            | "-serialize-diagnostics"
            | "--serialize-diagnostics"
            | "-N"
            | "-extract"
            | "-thin"
            | "-working-directory"
            | "-platform_version"
            | "-framework" => {
                let value = rest.next();
                if let Some(value) = value
                    && text == "-Xlinker"
                    && value.text() == "-dylib"
                {
                    command.is_dynamic = true;
                }
            }
            // The compiler's own options follow, `-std` among them.
            "-Xclang" | "-Xmetal" => {}
            "-l" => command.libraries.extend(rest.next().cloned()),
            "-" => command.inputs.push(word.clone()),
            _ if text.starts_with("-l") => command.libraries.extend(word.strip_prefix("-l")),
            _ if text.starts_with('-') => {}
            _ if text.starts_with('@') => unknown.push(word.clone()),
            _ => command.inputs.push(word.clone()),
        }
    }
    // A compile has an input: a single word that nobody knows is that one, where no other input is named.
    let single =
        unknown.len() == 1 && unknown.iter().all(|word| word.pieces().iter().all(|p| p.known == Known::NotTheValue));
    if command.inputs.is_empty() && single {
        command.inputs.append(&mut unknown);
    }
    if name == "metal" && !looks_like_a_use(&command, &flags, words, driver_at) {
        return None;
    }
    // What an unknown word of a link stands for is more inputs.
    if !matches!(command.tool, Tool::Compile | Tool::CompileAndLink) {
        command.inputs.append(&mut unknown);
    }
    command.takes_std = unknown.is_empty() && flags.std.is_none();
    command.version = flags.detect(unknown.first(), true);
    if command.version.evidence.is_empty() {
        command.version = Detection::unknown(driver, "neither `-std` nor a deployment target");
    }
    Some(command)
}

/// `metal` is a word of other programs, too: as the name of a tool it stands behind `xcrun` or has inputs of Metal.
fn looks_like_a_use(command: &Command, flags: &FlagReader, words: &[Text], driver: usize) -> bool {
    driver > 0
        || flags.std.is_some()
        || command.inputs.iter().any(|input| is_metal_source(&input.text()) || is_air(&input.text()))
        || words[driver].text().contains('/')
}

pub(crate) fn is_metal_source(path: &str) -> bool {
    matches!(paths::extension(path), "metal" | "msl")
}

pub(crate) fn is_air(path: &str) -> bool {
    matches!(paths::extension(path), "air" | "ir" | "metalir" | "ll" | "metalar" | "metal-ar" | "metallib")
}

/// Names of tools that compile or link.
const TOOLS: &[&str] = &["metal", "metallib", "metal-ar", "metal-libtool", "metal-tt", "metal-lipo", "air-lld"];

/// The driver word: the first word, or one behind `xcrun` and its options. Words such as `sudo`, `env` and assignments may
/// stand before.
fn find_driver(words: &[Text]) -> Option<(usize, &'static str)> {
    let tool_named = |word: &Text| {
        let text = word.text();
        let name = paths::file_name(&text);
        let name = name.strip_suffix(".exe").unwrap_or(name);
        TOOLS.iter().copied().find(|tool| *tool == name)
    };
    let runs = words.iter().position(|word| paths::file_name(&word.text()) == "xcrun");
    if let Some(xcrun) = runs {
        let mut at = xcrun + 1;
        while let Some(word) = words.get(at) {
            match word.text().as_str() {
                "-sdk" | "--sdk" | "-toolchain" | "--toolchain" => at += 2,
                "-find" | "--find" | "-f" | "-show-sdk-path" | "--show-sdk-path" => return None,
                option if option.starts_with('-') => at += 1,
                _ => return tool_named(word).map(|name| (at, name)),
            }
        }
        return None;
    }
    // The options of `xcrun` alone: the program is named elsewhere, as for `Process` in Swift.
    let mut at = if matches!(words.first()?.text().as_str(), "-sdk" | "--sdk") { 2 } else { 0 };
    while let Some(word) = words.get(at) {
        let text = word.text();
        let is_assignment = text.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        });
        if !is_assignment && !matches!(text.as_str(), "env" | "sudo" | "exec" | "time" | "command" | "nice" | "ccache")
        {
            break;
        }
        at += 1;
    }
    words.get(at).and_then(tool_named).map(|name| (at, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<Text> {
        let mut at = 0;
        line.split(' ')
            .map(|word| {
                let origin = Origin::new(0, at, at + word.len());
                at += word.len() + 1;
                match word.strip_prefix('?') {
                    Some(name) => Text::unknown(name, origin, Known::NotTheValue),
                    None => Text::known(word, origin),
                }
            })
            .collect()
    }

    fn check(line: &str, expected: &str) {
        let shown = match read_command(&words(line)) {
            None => "none".to_owned(),
            Some(command) => {
                let inputs: Vec<String> = command.inputs.iter().map(Text::spelling).collect();
                let std = command.version.std.map_or("unknown".to_owned(), |std| std.to_string());
                let output = command.output.map_or(String::new(), |output| format!(" -> {}", output.spelling()));
                format!("{:?} {std} {}{output}", command.tool, inputs.join(" "))
            }
        };
        assert_eq!(shown, expected, "{line}");
    }

    #[test]
    fn versions_by_precedence() {
        check(
            "xcrun -sdk macosx metal -std=metal4.1 -mmacosx-version-min=26.0 -c a.metal -o a.air",
            "Compile metal4.1 a.metal -> a.air",
        );
        check("xcrun --sdk macosx metal -std=metal3.0 -std=metal3.1 -c a.metal", "Compile metal3.1 a.metal");
        check("xcrun metal -Xclang -std=metal4.0 -c a.metal", "Compile metal4.0 a.metal");
        check("xcrun metal -mmacosx-version-min=14.0 -c a.metal", "Compile metal3.1 a.metal");
        check("xcrun metal -mios-version-min=17.0 -c a.metal", "Compile metal3.1 a.metal");
        check("xcrun metal -mmacos-version-min=27 -c a.metal", "Compile metal4.1 a.metal");
        check("metal -c -target air64-apple-macos27.0 a.metal -o b/a.air", "Compile metal4.1 a.metal -> b/a.air");
        check("metal -c -target air64_v26-apple-ios17.0-simulator a.metal", "Compile metal3.1 a.metal");
        check("metal -c -mtargetos=xros2.0 a.metal", "Compile metal3.2 a.metal");
        check("xcrun -sdk macosx metal -c a.metal -o a.air", "Compile unknown a.metal -> a.air");
        check("xcrun metal -std=metal9.9 -c a.metal", "Compile unknown a.metal");
    }

    #[test]
    fn words_that_nobody_knows() {
        check("xcrun metal -mmacosx-version-min=14.0 -c ?path -o ?out", "Compile metal3.1 path -> out");
        check("xcrun metal ?flags -mmacosx-version-min=14.0 -c a.metal", "Compile unknown a.metal");
        check("xcrun metal ?flags -std=metal3.1 -c a.metal", "Compile metal3.1 a.metal");
    }

    #[test]
    fn tools() {
        check("xcrun -sdk macosx metallib a.air b.air -o x.metallib", "Link unknown a.air b.air -> x.metallib");
        check("xcrun metal-ar rcs x.metalar a.air", "Archive unknown a.air -> x.metalar");
        check("xcrun metal-libtool -static a.air -o x.a", "Archive unknown a.air -> x.a");
        check(
            "DEVELOPER_DIR=/x env xcrun metal a.air b.air -o x.metallib",
            "CompileAndLink unknown a.air b.air -> x.metallib",
        );
        check("echo metal a.metal", "none");
        check("metal bands", "none");
        check("xcrun -sdk macosx --find metal", "none");
        check("xcrun metal -E -x metal -P -", "none");
    }
}
