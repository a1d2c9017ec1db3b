//! Subtable Lab on the command line: the model of the page, run natively.
//!
//! [`run()`] is the whole program, with its arguments and its streams given, so that it is tested without starting it.
//! Each subcommand is a module with one [`Subcommand`]; a new one is its module and its row in [`SUBCOMMANDS`].
//!
//! | exit status | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | done, and a locality issue was found where that was asked for |
//! | 2 | the input cannot be used, or the output cannot be written; standard error says what, where and why |
//!
//! ```
//! use subtable_lab::{Console, Exit};
//!
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let mut console = Console::new(&mut out, &mut err);
//! let exit = subtable_lab::run(["subtable-lab", "links", "encode", "--tmms", "8"], &mut console);
//! assert_eq!(exit, Exit::Success);
//! assert_eq!(out, b"v=1&preset=published-deterministic&tmms=8\n");
//! ```

#![forbid(unsafe_code)]

pub mod analyse;
pub mod arguments;
pub mod compare;
mod console;
mod failure;
pub mod fidelity;
pub mod links;
pub mod manual;
pub mod parameters;
pub mod presets;
mod progress;
pub mod report;
pub mod run;
pub mod stand_in;
pub mod sweep;
pub mod tables;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command};

pub use console::Console;
pub use failure::{Exit, Failure};

/// One subcommand: what it takes, and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Subcommand {
    /// Its name, help and arguments.
    pub command: fn() -> Command,
    /// What it does with them.
    pub execute: fn(&ArgMatches, &mut Console<'_>) -> Result<Exit, Failure>,
}

/// Every subcommand, in the order of the help.
pub const SUBCOMMANDS: &[Subcommand] = &[
    run::SUBCOMMAND,
    sweep::SUBCOMMAND,
    compare::SUBCOMMAND,
    fidelity::SUBCOMMAND,
    analyse::SUBCOMMAND,
    stand_in::SUBCOMMAND,
    parameters::SUBCOMMAND,
    presets::SUBCOMMAND,
    links::SUBCOMMAND,
    manual::COMPLETIONS,
    manual::MANUAL,
];

/// The command line as a whole.
#[must_use]
pub fn command() -> Command {
    Command::new("subtable-lab")
        .version(env!("CARGO_PKG_VERSION"))
        .propagate_version(true)
        .about("A laboratory for subtables sharded over single-threaded TMMs: run, sweep and compare a model of it")
        .after_help(
            "Start with `subtable-lab run`, which runs the published experiment with deterministic names, and \
             `subtable-lab run --preset published-discovered`, which runs the one that was put right.",
        )
        .arg_required_else_help(true)
        .subcommand_required(true)
        .subcommands(SUBCOMMANDS.iter().map(|subcommand| (subcommand.command)()))
}

/// The program: reads `arguments` (the first one is the program's name), does what they say, and writes to `console`.
pub fn run<A>(arguments: impl IntoIterator<Item = A>, console: &mut Console<'_>) -> Exit
where
    A: Into<OsString> + Clone,
{
    let done = dispatch(arguments, console).and_then(|exit| {
        console.out.flush()?;
        Ok(exit)
    });
    done.unwrap_or_else(|failure| report_failure(&failure, console))
}

fn dispatch<A>(
    arguments: impl IntoIterator<Item = A>,
    console: &mut Console<'_>,
) -> Result<Exit, Failure>
where
    A: Into<OsString> + Clone,
{
    let matches = command().try_get_matches_from(arguments)?;
    let (name, matches) = matches
        .subcommand()
        .unwrap_or_else(|| unreachable!("clap requires a subcommand"));
    let subcommand = SUBCOMMANDS
        .iter()
        .find(|subcommand| (subcommand.command)().get_name() == name)
        .unwrap_or_else(|| unreachable!("clap knows the same subcommands"));
    (subcommand.execute)(matches, console)
}

/// Says on standard error what is wrong. What cannot be said there cannot be said at all, so failing to is ignored.
fn report_failure(failure: &Failure, console: &mut Console<'_>) -> Exit {
    match failure {
        Failure::Arguments(error) => {
            let text = error.render();
            if matches!(
                error.kind(),
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
            ) {
                let _ = write!(console.out, "{text}").and_then(|()| console.out.flush());
                return Exit::Success;
            }
            let _ = if console.interactive {
                write!(console.err, "{}", text.ansi())
            } else {
                write!(console.err, "{text}")
            };
        }
        // Whoever reads has read enough: `subtable-lab params | head` is not a mistake.
        Failure::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
            return Exit::Success;
        }
        other => {
            let _ = writeln!(console.err, "error: {other}");
        }
    }
    Exit::Unusable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_arguments_of_a_subcommand_have_the_same_name() {
        // Parameters become flags at run time, so that a new row of the table could collide with a flag of ours.
        command().debug_assert();
    }

    #[test]
    fn help_and_version_are_answers_and_no_arguments_are_an_error() {
        let said = |arguments: &[&str]| {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let exit = run(arguments, &mut Console::new(&mut out, &mut err));
            (exit, !out.is_empty(), !err.is_empty())
        };
        assert_eq!(
            said(&["subtable-lab", "--help"]),
            (Exit::Success, true, false)
        );
        assert_eq!(
            said(&["subtable-lab", "--version"]),
            (Exit::Success, true, false)
        );
        assert_eq!(said(&["subtable-lab"]), (Exit::Unusable, false, true));
        assert_eq!(
            said(&["subtable-lab", "jog"]),
            (Exit::Unusable, false, true)
        );
    }
}
