//! The commands and options, as clap reads them.

use std::{path::PathBuf, sync::Arc};

use clap::{Args, Parser, Subcommand, ValueEnum};
use msl_diagnostics::{Level, Levels, Selector};
use msl_ide::{Define, file_system};
use msl_preproc::LanguageVersion;

use crate::workspace::{Explicit, parse_std};

/// Language server and command line for Apple's Metal Shading Language.
#[derive(Parser, Debug)]
#[command(name = "msl-analyzer", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Speak the Language Server Protocol on standard input and output.
    #[arg(long, global = true, hide = true)]
    pub(crate) stdio: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Analyse files and folders.
    Check(CheckArguments),
    /// What is known about one position, or about every reference and pointer access of a file.
    Inspect(InspectArguments),
    /// The documentation of a diagnostic.
    Explain(ExplainArguments),
    /// What was detected for a file, and why: language version, include folders, configuration.
    Doctor(DoctorArguments),
    /// Language versions of sources, builds, run-time compiles and binaries, and whether they may be linked together.
    Abi(AbiArguments),
    /// What changes meaning or stops compiling under another language version, and the smallest edits that keep it right.
    Migrate(MigrateArguments),
    /// What entry points reach through function tables, and the host code that links it.
    LinkGraph(LinkGraphArguments),
    /// The changes that editors offer in a file, as JSON.
    #[command(hide = true)]
    Actions(ActionsArguments),
    /// The language server on standard input and output.
    Lsp,
    /// Completions for a shell, on standard output.
    Completions(CompletionsArguments),
    /// The manual page of the program or of a command, on standard output.
    #[command(hide = true)]
    Man(ManArguments),
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArguments {
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArguments {
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}

#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    /// Files and folders; folders are walked, ignore files are respected.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
    /// Report findings of this code or group as errors; `warnings` is every warning.
    #[arg(long, value_name = "CODE|GROUP", value_parser = parse_selector)]
    deny: Vec<Selector>,
    /// Report findings of this code or group as warnings.
    #[arg(long, value_name = "CODE|GROUP", value_parser = parse_selector)]
    warn: Vec<Selector>,
    /// Do not report findings of this code or group.
    #[arg(long, value_name = "CODE|GROUP", value_parser = parse_selector)]
    allow: Vec<Selector>,
    /// Apply the preferred fixes.
    #[arg(long)]
    pub(crate) fix: bool,
    /// Print the preferred fixes as a diff instead of applying them.
    #[arg(long, conflicts_with = "fix")]
    pub(crate) fix_dry_run: bool,
    /// Report only findings that this file does not list.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write the findings of this run to the baseline file.
    #[arg(long, requires = "baseline")]
    pub(crate) write_baseline: bool,
    /// Print at most so many findings.
    #[arg(long, value_name = "N")]
    pub(crate) max_diagnostics: Option<usize>,
    /// Print numbers about the run, and what could not be modelled.
    #[arg(long)]
    pub(crate) stats: bool,
    /// Write a page that shows where generic pointers point and what they cost; `html` is the one format.
    #[arg(long, num_args = 2, value_names = ["html", "FILE"])]
    pub(crate) report: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct InspectArguments {
    /// `FILE:LINE:COL`, counted from 1, columns in bytes; with `--all`, `FILE`.
    #[arg(value_name = "FILE:LINE:COL")]
    pub(crate) position: String,
    /// Every reference and every pointer access of the file.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
}

#[derive(Args, Debug)]
pub(crate) struct ExplainArguments {
    /// A diagnostic code, such as `generic-to-concrete`; without one, all of them are listed.
    pub(crate) code: Option<String>,
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

#[derive(Args, Debug)]
pub(crate) struct DoctorArguments {
    /// A file or folder.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
}

#[derive(Args, Debug)]
pub(crate) struct AbiArguments {
    /// Files and folders; folders are walked for build files, host sources, shaders and compiled Metal.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
    /// List each function of compiled Metal, with all that shows its version.
    #[arg(long)]
    pub(crate) functions: bool,
    /// Print the graph of link units for Graphviz.
    #[arg(long, conflicts_with = "format")]
    pub(crate) dot: bool,
    /// Compare the hash of each module of a library with the one that the library states.
    #[arg(long)]
    pub(crate) verify_hashes: bool,
    /// Report findings of this code or group as errors; `warnings` is every warning.
    #[arg(long, value_name = "CODE|GROUP", value_parser = parse_selector)]
    deny: Vec<Selector>,
    /// Report findings of this code or group as warnings.
    #[arg(long, value_name = "CODE|GROUP", value_parser = parse_selector)]
    warn: Vec<Selector>,
    /// Do not report findings of this code or group.
    #[arg(long, value_name = "CODE|GROUP", value_parser = parse_selector)]
    allow: Vec<Selector>,
}

impl AbiArguments {
    /// The levels that the options set; the stricter one wins.
    pub(crate) fn levels(&self) -> Levels {
        levels_of([(&self.allow, Level::Allow), (&self.warn, Level::Warn), (&self.deny, Level::Deny)])
    }
}

#[derive(Args, Debug)]
pub(crate) struct MigrateArguments {
    /// Files and folders; folders are walked, ignore files are respected.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The version to move to: `metal4.1`, or `metal4.0` to go back.
    #[arg(long, value_name = "VERSION", value_parser = parse_std)]
    pub(crate) to: LanguageVersion,
    /// Apply the edits instead of printing them.
    #[arg(long)]
    pub(crate) write: bool,
    /// Also replace overloads that differ only in address spaces by generic functions, for Metal 4.1.
    #[arg(long)]
    pub(crate) consolidate: bool,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
}

#[derive(Args, Debug)]
pub(crate) struct ActionsArguments {
    /// The unit.
    #[arg(value_name = "FILE", required_unless_present = "try_units")]
    pub(crate) path: Option<PathBuf>,
    /// Make every change in memory and judge the unit again. The units are read from standard input, one a line:
    /// `{"path": …, "std": …, "include": […], "define": […]}`.
    #[arg(long = "try", conflicts_with = "path")]
    pub(crate) try_units: bool,
    /// The refactorings of so many selections that are spread over the unit, instead of what is offered at carets.
    #[arg(long, value_name = "COUNT")]
    pub(crate) refactorings: Option<usize>,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
}

#[derive(Args, Debug)]
pub(crate) struct LinkGraphArguments {
    /// Files and folders; folders are walked for shaders and host sources.
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
    /// Print the graph for Graphviz.
    #[arg(long, conflicts_with = "format")]
    pub(crate) dot: bool,
    /// Report findings of this code or group as errors; `warnings` is every warning.
    #[arg(long, value_name = "CODE|GROUP", value_parser = parse_selector)]
    deny: Vec<Selector>,
    /// Report findings of this code or group as warnings.
    #[arg(long, value_name = "CODE|GROUP", value_parser = parse_selector)]
    warn: Vec<Selector>,
    /// Do not report findings of this code or group.
    #[arg(long, value_name = "CODE|GROUP", value_parser = parse_selector)]
    allow: Vec<Selector>,
}

impl LinkGraphArguments {
    /// The levels that the options set; the stricter one wins.
    pub(crate) fn levels(&self) -> Levels {
        levels_of([(&self.allow, Level::Allow), (&self.warn, Level::Warn), (&self.deny, Level::Deny)])
    }
}

/// Options that all analysing commands share.
#[derive(Args, Debug)]
pub(crate) struct CommonArguments {
    /// The language version, as the compiler spells it: `metal4.1`, `macos-metal2.4`. Several: judge under each.
    #[arg(long, value_name = "VERSION", value_parser = parse_std, allow_hyphen_values = true)]
    std: Vec<LanguageVersion>,
    /// Search this folder for included files.
    #[arg(short = 'I', value_name = "DIR")]
    include_dirs: Vec<String>,
    /// Search this folder for frameworks: `<Name/part.h>` is `Name.framework/Headers/part.h` in it.
    #[arg(short = 'F', value_name = "DIR")]
    framework_dirs: Vec<String>,
    /// Search this folder for frameworks after those of `-F`; `-iframework` is accepted as well.
    #[arg(long = "iframework", value_name = "DIR")]
    system_framework_dirs: Vec<String>,
    /// Search the frameworks of this SDK last; `-isysroot` is accepted as well.
    #[arg(long = "isysroot", value_name = "SDK")]
    sdk: Option<String>,
    /// Define a macro.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// Include this file before the first line; `-include` is accepted as well.
    #[arg(long = "include", value_name = "FILE")]
    forced_includes: Vec<String>,
    /// Read this configuration file instead of the nearest msl-analyzer.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// How to print findings.
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Format,
    /// Whether to use colours.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
    /// Threads to use; as many as there are processors unless given.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) jobs: usize,
    /// Print findings and nothing else.
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// The form of the output.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    // One line for each finding. (A doc comment here would make `--help` a page of paragraphs.)
    Short,
    Json,
    Jsonl,
    Sarif,
    Github,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

impl ColorChoice {
    pub(crate) fn for_stream(self) -> anstream::ColorChoice {
        match self {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
    }
}

impl CommonArguments {
    /// How many language versions each file is judged under.
    pub(crate) fn version_count(&self) -> usize {
        self.std.len().max(1)
    }

    /// Where frameworks are searched, in order.
    fn framework_dirs(&self) -> Vec<String> {
        let of_sdk = self.sdk.iter().map(|sdk| file_system::join(sdk, "System/Library/Frameworks"));
        let given = self.framework_dirs.iter().chain(&self.system_framework_dirs).cloned();
        given.chain(of_sdk).collect()
    }

    /// What these options say about every file.
    pub(crate) fn explicit(&self, levels: Levels) -> Explicit {
        Explicit {
            std: self.std.clone(),
            source: Arc::from("command line"),
            include_dirs: self.include_dirs.clone(),
            framework_dirs: self.framework_dirs(),
            defines: self.defines.iter().map(|define| Define::parse(define)).collect(),
            forced_includes: self.forced_includes.clone(),
            levels,
            config: self.config.clone(),
        }
    }
}

impl CheckArguments {
    /// The levels that the options set. Options of different names have no order among them for the parser, so the
    /// stricter one wins.
    pub(crate) fn levels(&self) -> Levels {
        levels_of([(&self.allow, Level::Allow), (&self.warn, Level::Warn), (&self.deny, Level::Deny)])
    }
}

fn levels_of(settings: [(&Vec<Selector>, Level); 3]) -> Levels {
    let mut levels = Levels::default();
    for (selectors, level) in settings {
        for &selector in selectors {
            levels.set(selector, level);
        }
    }
    levels
}

fn parse_selector(text: &str) -> Result<Selector, String> {
    Selector::parse(text).ok_or_else(|| {
        "neither a diagnostic code nor a group; `msl-analyzer explain` lists the codes and their groups".to_owned()
    })
}

/// The arguments of the process, with `-include`, `-std=` and the like spelled as clap can read them: it would take them
/// for `-i`, `-s` and the rest. Behind `--std` the latter is a value already.
pub(crate) fn process_arguments() -> impl Iterator<Item = std::ffi::OsString> {
    let mut behind_std = false;
    std::env::args_os().map(move |argument| {
        let is_value = std::mem::replace(&mut behind_std, argument == "--std");
        match argument.to_str() {
            Some("-include") => "--include".into(),
            Some("-iframework") => "--iframework".into(),
            Some("-isysroot") => "--isysroot".into(),
            Some(text) if text.starts_with("-std=") && !is_value => format!("-{text}").into(),
            _ => argument,
        }
    })
}
