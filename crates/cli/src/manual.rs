//! `subtable-lab completions` and `subtable-lab man`: what a shell and `man` want to know of the program.

use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{Console, Exit, Failure, SUBCOMMANDS, Subcommand};

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
        .about("Print a manual page, in roff: `subtable-lab man | man -l -`")
        .arg(
            Arg::new("page")
                .value_name("SUBCOMMAND")
                .value_parser(existing)
                .help("The page of this subcommand; without it, that of the program"),
        )
}

/// The name of a subcommand that there is.
fn existing(name: &str) -> Result<String, String> {
    let mut names: Vec<String> = SUBCOMMANDS
        .iter()
        .map(|subcommand| (subcommand.command)().get_name().to_string())
        .collect();
    match names.iter().position(|known| known == name) {
        Some(index) => Ok(names.swap_remove(index)),
        None => Err(format!("the subcommands are {}", names.join(", "))),
    }
}

fn manual(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let mut page = Vec::new();
    match matches.get_one::<String>("page") {
        None => Man::new(crate::command()).render(&mut page)?,
        Some(name) => {
            let found = SUBCOMMANDS
                .iter()
                .map(|subcommand| (subcommand.command)())
                .find(|command| command.get_name() == name);
            let command = found.unwrap_or_else(manual_command);
            let title = format!("subtable-lab-{name}");
            Man::new(command.name(title.clone()).display_name(title)).render(&mut page)?;
        }
    }
    console.out.write_all(&page)?;
    Ok(Exit::Success)
}
