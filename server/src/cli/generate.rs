//! Shell completions and manual pages, from the definition of the command line.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Status, arguments::Cli, complain};

/// Prints the completions for a shell.
pub(super) fn completions(shell: Shell) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "msl-analyzer", &mut script);
    print(&script)
}

/// Prints the manual page of the program, or of one of its commands, as roff.
pub(super) fn manual(name: Option<&str>) -> Status {
    let mut program = Cli::command();
    program.build();
    let command = match name {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                complain(format!("there is no command `{name}`"));
                return Status::Usage;
            }
        },
    };
    let mut page = Vec::new();
    match clap_mangen::Man::new(command).render(&mut page) {
        Ok(()) => print(&page),
        Err(error) => {
            complain(error);
            Status::Bug
        }
    }
}

fn print(bytes: &[u8]) -> Status {
    match io::stdout().lock().write_all(bytes) {
        // Who closed the pipe has seen enough.
        Ok(()) => Status::Clean,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Status::Clean,
        Err(error) => {
            complain(error);
            Status::Usage
        }
    }
}
