//! The `msl-analyzer` binary: picks the command line or the language server.

mod cli;
mod lsp;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
