//! `subtable-lab stand-in`: a server that answers like a box, out of the live model.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command, value_parser};
use subtable_stand_in::{Pace, Settings, StandIn, Stop};

use crate::arguments;
use crate::tables::grouped;
use crate::{Console, Exit, Failure, Subcommand};

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, execute };

fn command() -> Command {
    Command::new("stand-in")
        .about("Answer like the harness on a box, out of a live model: point the usual client at it")
        .after_help(
            "Endpoints: /info, /load?key=K&val=V, /bulk_load (POST, a key a line), /dump, /probe?name=NAME, /reset, \
             /whoami. Each connection is given to a TMM by the DAG; names are found, writes cost what they cost in the \
             model under the load that is really there, and entries stay until they are reset or expire. The log is in \
             the harness's lines: `subtable-lab analyse` reads it. Parameters of the client have no effect, for the \
             client is real. SIGINT or SIGTERM ends it.",
        )
        .arg(
            Arg::new("listen")
                .long("listen")
                .value_name("ADDRESS:PORT")
                .value_parser(value_parser!(SocketAddr))
                .default_value("127.0.0.1:8080")
                .help("Where to listen; port 0 is any free one. Only this machine reaches the default"),
        )
        .arg(
            Arg::new("pace")
                .long("pace")
                .value_name("PACE")
                .value_parser(PossibleValuesParser::new(["real", "fast"]))
                .default_value("real")
                .help("real: callers wait as long as the model says; fast: they do not, and the model's clock runs ahead"),
        )
        .arg(
            arguments::file("log", "FILE")
                .default_value("-")
                .help("File to append the log to; `-` is standard output"),
        )
        .arg(
            Arg::new("max-entries")
                .long("max-entries")
                .value_name("N")
                .value_parser(arguments::whole(1, 100_000_000))
                .default_value("5000000")
                .help("Entries stored at most, of about 150 bytes each; further writes are refused"),
        )
        .args(arguments::scenario())
}

fn execute(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let run = arguments::chosen(matches, console)?;
    let number = |id: &str| matches.get_one::<u64>(id).copied();
    let settings = Settings {
        scenario: run.scenario.clone(),
        seed: run.seed,
        listen: *matches
            .get_one("listen")
            .unwrap_or(&SocketAddr::from(([127, 0, 0, 1], 8080))),
        pace: match matches.get_one::<String>("pace").map(String::as_str) {
            Some("fast") => Pace::Fast,
            _ => Pace::Real,
        },
        lifetime: (run.scenario.lifetime() > 0).then(|| run.scenario.lifetime()),
        max_entries: number("max-entries")
            .map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX)),
    };
    let log = open_log(matches.get_one::<PathBuf>("log"))?;
    let stand_in = StandIn::bind(&settings, log)?;
    console.note(format_args!(
        "{} TMMs, names {}, answering on http://{} (Ctrl-C ends it)",
        settings.scenario.tmms(),
        settings.scenario.naming().id(),
        stand_in.address()
    ));
    let summary = stand_in.serve(Stop::Signal)?;
    let count = |n: u64| grouped(n as f64, 0);
    console.note(format_args!(
        "requests {}, writes {}, log lines {}, dropped {}, in {:.1} s",
        count(summary.done.requests),
        count(summary.done.writes),
        count(summary.done.lines),
        count(summary.done.dropped),
        summary.lasted.as_secs_f64()
    ));
    Ok(Exit::Success)
}

fn open_log(file: Option<&PathBuf>) -> Result<Box<dyn Write + Send>, Failure> {
    match file {
        Some(file) if file.as_os_str() != "-" => {
            let attempt = Failure::file(file, "write the log to");
            let opened = File::options()
                .append(true)
                .create(true)
                .open(file)
                .map_err(attempt)?;
            Ok(Box::new(BufWriter::new(opened)))
        }
        _ => Ok(Box::new(io::stdout())),
    }
}
