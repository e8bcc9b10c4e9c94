//! The command line. One file a command; what several share is in `walk`, `output`, `positions` and `report`.
//!
//! Exit status: 0: no error and nothing denied; 1: an error or a denied finding; 2: wrong usage, or a named input
//! could not be read; 101: a bug.

mod abi;
mod actions;
mod arguments;
mod backport;
mod check;
mod consolidate;
mod doctor;
mod explain;
mod fix;
mod generate;
mod inspect;
mod link_graph;
mod migrate;
mod output;
mod progress;
mod silenced;
mod sources;
mod walk;

use std::{
    fmt::Display,
    io::{IsTerminal, Write},
    process::ExitCode,
};

use clap::{CommandFactory, Parser};

use self::arguments::{Cli, Command};

/// Threads that analyse have a stack of this many bytes: deeply nested sources recurse deeply.
const STACK_SIZE: usize = 16 << 20;

/// How a command ended. The order is that of precedence: a bug outweighs wrong usage, which outweighs findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Clean,
    Findings,
    Usage,
    Bug,
}

impl Status {
    fn code(self) -> u8 {
        match self {
            Status::Clean => 0,
            Status::Findings => 1,
            Status::Usage => 2,
            Status::Bug => 101,
        }
    }
}

/// Runs the command line of the process.
pub(crate) fn run() -> ExitCode {
    let cli = match Cli::try_parse_from(arguments::process_arguments()) {
        Ok(cli) => cli,
        Err(error) => {
            // `--help` and `--version` come this way, too.
            let status = if error.use_stderr() { Status::Usage } else { Status::Clean };
            let _ = error.print();
            return ExitCode::from(status.code());
        }
    };
    let status = match cli.command {
        Some(Command::Check(arguments)) => check::run(&arguments),
        Some(Command::Inspect(arguments)) => inspect::run(&arguments),
        Some(Command::Explain(arguments)) => explain::run(&arguments),
        Some(Command::Doctor(arguments)) => doctor::run(&arguments),
        Some(Command::Abi(arguments)) => abi::run(&arguments),
        Some(Command::Migrate(arguments)) => migrate::run(&arguments),
        Some(Command::LinkGraph(arguments)) => link_graph::run(&arguments),
        Some(Command::Actions(arguments)) => actions::run(&arguments),
        Some(Command::Lsp) => return crate::lsp::run(),
        Some(Command::Completions(arguments)) => generate::completions(arguments.shell),
        Some(Command::Man(arguments)) => generate::manual(arguments.command.as_deref()),
        None if cli.stdio || !std::io::stdin().is_terminal() => return crate::lsp::run(),
        None => {
            let _ = Cli::command().print_help();
            Status::Usage
        }
    };
    ExitCode::from(status.code())
}

/// One line on standard error.
fn complain(message: impl Display) {
    let _ = writeln!(std::io::stderr(), "msl-analyzer: {message}");
}
