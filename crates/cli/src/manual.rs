//! `subtable-lab completions` and `subtable-lab man`: what a shell and `man` want to know of the program.

use clap::error::ErrorKind;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{Console, Exit, Failure, Subcommand};

/// Completions for a shell.
pub const COMPLETIONS: Subcommand = Subcommand {
    command: completions_command,
    execute: completions,
};

/// Manual pages.
pub const MANUAL: Subcommand = Subcommand {
    command: manual_command,
    execute: manual,
};

fn completions_command() -> Command {
    Command::new("completions")
        .about("Print completions for a shell")
        .after_help(
            "For bash: subtable-lab completions bash > ~/.local/share/bash-completion/completions/subtable-lab",
        )
        .arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(value_parser!(Shell))
                .help("The shell"),
        )
}

fn completions(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let shell = *matches.get_one::<Shell>("shell").unwrap_or(&Shell::Bash);
    let mut command = crate::command();
    // Into memory first: the generator would panic on a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "subtable-lab", &mut script);
    console.out.write_all(&script)?;
    Ok(Exit::Success)
}

fn manual_command() -> Command {
    Command::new("man")
        .about("Print a manual page, in roff: `subtable-lab man run | man -l -`")
        .arg(
            Arg::new("page")
                .value_name("SUBCOMMAND")
                .num_args(0..)
                .help("The page of this subcommand, as in `man links encode`; without it, that of the program"),
        )
}

fn manual(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut program = crate::command();
    // Gives every subcommand its whole name.
    program.build();
    let mut command = &program;
    for name in matches.get_many::<String>("page").into_iter().flatten() {
        command = command
            .find_subcommand(name)
            .ok_or_else(|| absent(command, name))?;
    }
    let mut page = Vec::new();
    Man::new(command.clone())
        .source(concat!("subtable-lab ", env!("CARGO_PKG_VERSION")))
        .manual("Subtable Lab")
        .render(&mut page)?;
    console.out.write_all(&page)?;
    Ok(Exit::Success)
}

fn absent(command: &Command, name: &str) -> Failure {
    let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    let message = format!(
        "`{name}` has no page; there are pages for: {}",
        names.join(", ")
    );
    crate::command()
        .error(ErrorKind::InvalidSubcommand, message)
        .into()
}
