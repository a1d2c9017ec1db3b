//! `subtable-lab analyse`: logs and reports of a real system in, tables and a verdict out.

mod input;
mod report;
mod text;

use core::fmt;
use std::io::ErrorKind;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command};
use subtable_charts::histograms::Histograms;
use subtable_charts::{Chart, Size, Theme};
use subtable_logs::{Observations, ReadOptions, Settings, picture};

use crate::arguments::{self, Format};
use crate::{Console, Exit, Failure, Subcommand};
use input::Slow;
pub use report::{AnalysisReport, SCHEMA, SlowLine, VERSION};

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, execute };

/// Slow lines that are listed when no number is given.
const SLOW_LISTED: &str = "100";
/// Size of the picture, in CSS pixels; taller for more TMMs than this height has room for.
const PICTURE: Size = Size {
    width: 900.0,
    height: 520.0,
};
const PANEL_HEIGHT: f64 = 64.0;

fn command() -> Command {
    let flag = |id: &'static str, help: &'static str| {
        Arg::new(id).long(id).action(ArgAction::SetTrue).help(help)
    };
    Command::new("analyse")
        .visible_alias("analyze")
        .about("Read logs and reports of a real system and print the table of its TMMs and the verdict")
        .after_help(
            "Reads sampled writes, probes, discoveries and accepted connections, with or without a syslog prefix, and \
             what the client and its analyser print. Several files are read as one log.\n\n\
             Exit status: 0 when every TMM averages below the threshold, 1 when one does not, 2 when nothing in the \
             input tells.",
        )
        .arg(
            Arg::new("files")
                .value_name("FILES")
                .num_args(0..)
                .value_hint(clap::ValueHint::FilePath)
                .value_parser(clap::value_parser!(PathBuf))
                .default_value("-")
                .help("Files to read, in this order; `-` is standard input"),
        )
        .arg(
            Arg::new("threshold")
                .long("threshold")
                .value_name("CLICKS")
                .value_parser(arguments::whole(1, u64::from(u32::MAX)))
                .default_value("100")
                .help("A TMM whose average is at or above this many clicks is a locality issue"),
        )
        .arg(
            Arg::new("show-slow")
                .long("show-slow")
                .value_name("N")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value(SLOW_LISTED)
                .value_parser(arguments::whole(1, 1_000_000))
                .help(format!(
                    "List the first N writes [{SLOW_LISTED} unless given] that are tagged SLOW or at or above the threshold"
                )),
        )
        .arg(flag(
            "all-lines",
            "Take every line with tmm= and clicks= for a timed write, probes included, and not only sampled writes",
        ))
        .arg(flag(
            "show-skipped",
            "List the first hundred broken lines and the first hundred foreign ones, each with the reason",
        ))
        .arg(
            arguments::file("before", "FILE")
                .help("A log from before a change: print what became of each TMM; the exit status is that of FILES"),
        )
        .args(Format::arguments(&[Format::Table, Format::Json, Format::Csv]))
        .arg(arguments::file("svg", "FILE").help("Draw the histograms of the TMMs into this file"))
}

/// Why the input gives no answer, or no picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnalyseError {
    /// No line was understood.
    NothingUnderstood {
        /// Where it was looked for.
        inputs: String,
        /// Lines that were read.
        lines: u64,
    },
    /// Lines were understood, but none of them times a write: there is no verdict.
    NothingTimed {
        /// Where it was looked for.
        inputs: String,
        /// Lines that were understood.
        used: u64,
        /// Whether there are probes, which `--all-lines` would take for writes.
        probes: bool,
    },
    /// There are no single times to draw.
    NothingToDraw {
        /// The file that was to hold the picture.
        picture: String,
    },
}

impl fmt::Display for AnalyseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingUnderstood { inputs, lines: 0 } => write!(f, "{inputs}: empty"),
            Self::NothingUnderstood { inputs, lines } => write!(
                f,
                "{inputs}: none of {lines} lines is a line of the harness or of its reports (--show-skipped lists them)"
            ),
            Self::NothingTimed {
                inputs,
                used,
                probes,
            } => {
                let lines = if *used == 1 { "line" } else { "lines" };
                let hint = if *probes {
                    " (--all-lines takes probes for writes)"
                } else {
                    ""
                };
                write!(
                    f,
                    "{inputs}: no verdict, since none of {used} understood {lines} times a write{hint}"
                )
            }
            Self::NothingToDraw { picture } => write!(
                f,
                "cannot draw {picture}: the input has no writes that are timed one by one"
            ),
        }
    }
}

impl core::error::Error for AnalyseError {}

fn execute(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let number = |id: &str| matches.get_one::<u64>(id).copied();
    let threshold = number("threshold").and_then(|clicks| u32::try_from(clicks).ok());
    let settings = threshold.map_or_else(Settings::default, |threshold| Settings { threshold });
    let options = ReadOptions {
        all_lines: matches.get_flag("all-lines"),
    };
    let files: Vec<PathBuf> = matches
        .get_many::<PathBuf>("files")
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    let listed = number("show-slow").map_or(0, |n| usize::try_from(n).unwrap_or(usize::MAX));
    let mut slow = Slow::new(settings.threshold, listed);
    let before = match matches.get_one::<PathBuf>("before") {
        Some(file) => {
            let one = std::slice::from_ref(file);
            Some(input::read(one, options, None, console)?)
        }
        None => None,
    };
    let seen = input::read(&files, options, Some(&mut slow), console)?;
    if let Some(picture) = matches.get_one::<PathBuf>("svg") {
        draw(&seen, settings, picture)?;
    }
    let report = AnalysisReport::new(&files, &seen, before.as_ref(), slow, settings);
    let text = match Format::of(matches) {
        Format::Json => serde_json::to_string_pretty(&report)? + "\n",
        Format::Csv => text::rows(&report).to_csv(),
        Format::Table | Format::Markdown => text::page(&report, matches.get_flag("show-skipped")),
    };
    // Whoever stops reading still gets the status.
    let written = console
        .out
        .write_all(text.as_bytes())
        .and_then(|()| console.out.flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        return Err(error.into());
    }
    status(&report, &seen)
}

fn status(report: &AnalysisReport, seen: &Observations) -> Result<Exit, Failure> {
    let inputs = report.inputs.join(", ");
    match &report.analysis.verdict {
        Some(verdict) if verdict.ok => Ok(Exit::Success),
        Some(_) => Ok(Exit::LocalityIssue),
        None if seen.lines.used == 0 => Err(Failure::Log(AnalyseError::NothingUnderstood {
            inputs,
            lines: seen.lines.read,
        })),
        None => Err(Failure::Log(AnalyseError::NothingTimed {
            inputs,
            used: seen.lines.used,
            probes: !seen.probes.hits.is_empty(),
        })),
    }
}

fn draw(seen: &Observations, settings: Settings, file: &std::path::Path) -> Result<(), Failure> {
    let Some(snapshot) = picture::snapshot(seen, settings) else {
        return Err(Failure::Log(AnalyseError::NothingToDraw {
            picture: file.display().to_string(),
        }));
    };
    // Two columns of panels: none is left out.
    let rows = snapshot.tmms.len().div_ceil(2) as f64;
    let size = Size::new(PICTURE.width, PICTURE.height.max(rows * PANEL_HEIGHT));
    let svg = Histograms::new(&snapshot).svg(size, &Theme::light());
    std::fs::write(file, svg).map_err(Failure::file(file, "write the picture to"))
}
