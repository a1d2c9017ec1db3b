//! `subtable-lab run`: one run, and its report.

mod log;
mod text;

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command};
use subtable_model::scenario::link;
use subtable_model::{Budget, Simulation, Snapshot};

use crate::arguments::{self, Format};
use crate::progress::Progress;
use crate::report::Report;
use crate::{Console, Exit, Failure, Subcommand};

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, execute };

/// Stretches of the series for people, and for programs.
const STRETCHES: [usize; 2] = [12, 100];

fn command() -> Command {
    Command::new("run")
        .about("Run the model once and print the table of its TMMs, the verdict and the throughput")
        .after_help(arguments::NOTE)
        .args(arguments::scenario())
        .args(Format::arguments(&[Format::Table, Format::Json, Format::Csv]))
        .arg(
            Arg::new("rows")
                .long("rows")
                .value_name("WHICH")
                .value_parser(["per-tmm", "throughput"])
                .default_value("per-tmm")
                .help("What the rows of the CSV are"),
        )
        .arg(
            Arg::new("stretches")
                .long("stretches")
                .value_name("N")
                .value_parser(arguments::whole(1, 1024))
                .help(format!(
                    "Stretches of time in the throughput series, at most [default: {}, and {} in JSON and CSV]",
                    STRETCHES[0], STRETCHES[1]
                )),
        )
        .arg(arguments::file("log", "FILE").help(
            "Write all lines of the log to this file; `-` is standard output, and the report then goes to standard error",
        ))
        .arg(
            Arg::new("exit-status")
                .long("exit-status")
                .action(ArgAction::SetTrue)
                .help("End with status 1 when the verdict is a locality issue"),
        )
}

fn execute(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let run = arguments::chosen(matches, console)?;
    let log = matches.get_one::<PathBuf>("log");
    let snapshot = finish(&run, log, console)?;
    let report = render(matches, &run, &snapshot)?;
    if log.is_some_and(|file| log::is_standard_output(file)) {
        console.err.write_all(report.as_bytes())?;
    } else {
        console.out.write_all(report.as_bytes())?;
    }
    let failed = matches.get_flag("exit-status") && !snapshot.verdict().ok;
    Ok(if failed {
        Exit::LocalityIssue
    } else {
        Exit::Success
    })
}

/// Replies between two looks at the clock: about a tenth of a second of work.
const REPLIES: u64 = 500_000;

fn finish(
    run: &link::Run,
    log: Option<&PathBuf>,
    console: &mut Console<'_>,
) -> Result<Snapshot, Failure> {
    if let Some(file) = log {
        return log::run_with_log(run, file, console);
    }
    let mut simulation = Simulation::new(&run.scenario, run.seed);
    let mut progress = Progress::new(simulation.snapshot().requests, "requests");
    while simulation.advance(Budget::Replies(REPLIES)) {
        progress.advance(REPLIES, console);
    }
    progress.clear(console);
    Ok(simulation.snapshot())
}

fn render(matches: &ArgMatches, run: &link::Run, snapshot: &Snapshot) -> Result<String, Failure> {
    let format = Format::of(matches);
    let usual = STRETCHES[usize::from(format != Format::Table)];
    let stretches = matches
        .get_one::<u64>("stretches")
        .map_or(usual, |&n| usize::try_from(n).unwrap_or(usual));
    let report = Report::new(run, snapshot, stretches);
    let rows = matches.get_one::<String>("rows").map(String::as_str);
    Ok(match format {
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
        Format::Csv if rows == Some("throughput") => text::throughput_rows(&report).to_csv(),
        Format::Csv => text::tmm_rows(&report).to_csv(),
        Format::Table | Format::Markdown => text::page(&report),
    })
}
