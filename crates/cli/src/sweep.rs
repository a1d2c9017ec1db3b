//! `subtable-lab sweep`: one parameter over several values, each under several seeds, in parallel.
//!
//! The unit of work is a point: one value under one seed. Points are independent, so that they are computed in any order,
//! kept in a file as they come, and found there by a later sweep ([`points`]); the summary sorts them.

mod engine;
mod error;
pub mod measures;
mod plan;
pub mod points;
mod summary;

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command};

use crate::arguments::{self, Format};
use crate::progress::Progress;
use crate::{Console, Exit, Failure, Subcommand};
pub use error::SweepError;
use measures::{MEASURES, Measure};
use plan::Plan;
use points::{Point, PointsFile};
pub use summary::{Band, SCHEMA, SeedRange, Summary, VERSION, ValueRow};

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, execute };

/// Seeds for each value, unless told otherwise: with 20, the 5th and 95th percentiles lie inside the extremes.
const SEEDS: &str = "20";

fn command() -> Command {
    Command::new("sweep")
        .about("Vary one parameter and print the median and the 90 % band of what comes of it, over several seeds")
        .after_help(format!("{}\n{}", measures::help(), arguments::NOTE))
        .args(plan::arguments())
        .arg(
            Arg::new("seeds")
                .long("seeds")
                .value_name("N")
                .value_parser(arguments::whole(1, 10_000))
                .default_value(SEEDS)
                .help("Runs for each value, under the seeds that begin with --seed"),
        )
        .arg(
            Arg::new("measure")
                .long("measure")
                .value_name("ID")
                .value_delimiter(',')
                .value_parser(measures::parser())
                .default_value(MEASURES[0].id)
                .hide_possible_values(true)
                .help("What of each run is summed up (see below); several are parted by commas"),
        )
        .arg(arguments::file("output", "FILE").help(
            "Keep each finished run in this file, one JSON object a line, and take from it those that are there already",
        ))
        .args(Format::arguments(&[Format::Table, Format::Json, Format::Csv]))
        .args(arguments::scenario())
}

fn execute(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let base = arguments::chosen(matches, console)?;
    let plan = Plan::new(matches, base)?;
    let measures: Vec<&'static Measure> = matches
        .get_many::<String>("measure")
        .into_iter()
        .flatten()
        .filter_map(|id| Measure::find(id))
        .collect();
    let points = collect(&plan, matches.get_one::<PathBuf>("output"), console)?;
    let summary = Summary::new(&plan, &measures, &points);
    let text = match Format::of(matches) {
        Format::Json => serde_json::to_string_pretty(&summary)? + "\n",
        Format::Csv => summary.rows(&measures).to_csv(),
        Format::Table | Format::Markdown => summary.to_text(&measures),
    };
    console.out.write_all(text.as_bytes())?;
    Ok(Exit::Success)
}

/// Every point of the plan: those of the file, and the rest computed.
fn collect(
    plan: &Plan,
    output: Option<&PathBuf>,
    console: &mut Console<'_>,
) -> Result<Vec<Point>, Failure> {
    let mut file = output
        .map(|path| PointsFile::open(path, plan))
        .transpose()?;
    let mut points = match &mut file {
        Some(file) => file.take_points(plan),
        None => Vec::new(),
    };
    let missing = plan.missing(&points);
    if !points.is_empty() {
        console.note(format_args!(
            "{} of {} runs are in the file already",
            points.len(),
            points.len() + missing.len()
        ));
    }
    let mut progress = Progress::new(missing.len() as u64, "runs");
    engine::compute(plan, &missing, |point| {
        if let Some(file) = &mut file {
            file.append(&point)?;
        }
        points.push(point);
        progress.advance(1, console);
        Ok(())
    })?;
    progress.clear(console);
    Ok(points)
}
