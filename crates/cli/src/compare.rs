//! `subtable-lab compare`: two runs side by side, TMM by TMM.

mod operand;
mod text;

use clap::{Arg, ArgMatches, Command};
use serde::Serialize;
use serde_json::Value;

use crate::arguments::{self, Format};
use crate::report::{Report, TmmRow};
use crate::{Console, Exit, Failure, Subcommand, parameters};
pub use operand::OperandError;

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, execute };

/// Name of the JSON's schema.
pub const SCHEMA: &str = "subtable-lab/compare";
/// Version of the JSON's schema.
pub const VERSION: u32 = 1;

fn command() -> Command {
    let side = |id: &'static str, what: &'static str| {
        Arg::new(id)
            .value_name(id.to_uppercase())
            .required(true)
            .help(format!(
                "{what}: a preset, a link of the page, or a file with the JSON of `subtable-lab run`"
            ))
    };
    Command::new("compare")
        .about("Print two runs side by side, TMM by TMM, with their differences")
        .arg(side("a", "The first run"))
        .arg(side("b", "The second run"))
        .arg(arguments::seed().help(
            "Seed of both runs, instead of those of the links; not of runs that are read from a file",
        ))
        .args(Format::arguments(&[Format::Table, Format::Json, Format::Csv]))
}

fn execute(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let seed = matches.get_one::<u64>("seed").copied();
    let mut side = |id: &str| {
        let text = matches.get_one::<String>(id).map_or("", String::as_str);
        operand::report(text, seed, console)
    };
    let (a, b) = (side("a")?, side("b")?);
    let comparison = Comparison::new(a, b);
    let text = match Format::of(matches) {
        Format::Json => serde_json::to_string_pretty(&comparison)? + "\n",
        Format::Csv => text::rows(&comparison).to_csv(),
        Format::Table | Format::Markdown => text::page(&comparison),
    };
    console.out.write_all(text.as_bytes())?;
    Ok(Exit::Success)
}

/// Two runs and what differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The [`VERSION`] of the schema.
    pub version: u32,
    /// The parameters that differ.
    pub settings: Vec<SettingChange>,
    /// Each TMM that either run has.
    pub per_tmm: Vec<TmmChange>,
    /// The changes of the totals.
    pub totals: TotalsChange,
    /// The report of the first run.
    pub a: Report,
    /// The report of the second run.
    pub b: Report,
}

/// A parameter that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SettingChange {
    /// Its id.
    pub id: &'static str,
    /// In the first run.
    pub a: Value,
    /// In the second run.
    pub b: Value,
}

/// One TMM in both runs; its rows are in the two reports.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TmmChange {
    /// Its number.
    pub tmm: u32,
    /// The averages.
    pub avg: Change,
    /// The medians.
    pub p50: Change,
    /// The 99th percentiles.
    pub p99: Change,
    /// The maxima.
    pub max: Change,
}

/// The totals in both runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TotalsChange {
    /// Writes per second.
    pub writes_per_s: Change,
    /// Simulated time, in seconds.
    pub elapsed_s: Change,
    /// Share of local writes.
    pub local_share: Change,
    /// Names tried.
    pub probes: Change,
    /// Log lines.
    pub log_lines: Change,
    /// Log lines lost.
    pub log_dropped: Change,
}

/// A number in both runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Change {
    /// In the first run; `null` when it has none.
    pub a: Option<f64>,
    /// In the second run; `null` when it has none.
    pub b: Option<f64>,
    /// `b - a`.
    pub difference: Option<f64>,
    /// `b / a`; `null` also when `a` is 0.
    pub ratio: Option<f64>,
}

impl Change {
    fn new(a: Option<f64>, b: Option<f64>) -> Self {
        let both = a.zip(b);
        Self {
            a,
            b,
            difference: both.map(|(a, b)| b - a),
            ratio: both.filter(|(a, _)| *a != 0.0).map(|(a, b)| b / a),
        }
    }
}

impl Comparison {
    /// Compares two reports.
    #[must_use]
    pub fn new(a: Report, b: Report) -> Self {
        Self {
            schema: SCHEMA,
            version: VERSION,
            settings: settings(&a, &b),
            per_tmm: per_tmm(&a.per_tmm, &b.per_tmm),
            totals: totals(&a, &b),
            a,
            b,
        }
    }
}

fn settings(a: &Report, b: &Report) -> Vec<SettingChange> {
    let pairs = a.scenario.iter().zip(b.scenario.iter());
    pairs
        .filter(|((_, a), (_, b))| a != b)
        .map(|((parameter, a), (_, b))| SettingChange {
            id: parameter.id,
            a: parameters::value(parameter, a),
            b: parameters::value(parameter, b),
        })
        .collect()
}

fn per_tmm(a: &[TmmRow], b: &[TmmRow]) -> Vec<TmmChange> {
    let rows = a.len().max(b.len());
    (0_u32..)
        .take(rows)
        .map(|tmm| {
            let pair = [a, b].map(|side| side.get(tmm as usize));
            let change = |of: fn(&TmmRow) -> Option<f64>| {
                let [a, b] = pair.map(|row| row.and_then(of));
                Change::new(a, b)
            };
            TmmChange {
                tmm,
                avg: change(|row| row.avg),
                p50: change(|row| row.p50.map(f64::from)),
                p99: change(|row| row.p99.map(f64::from)),
                max: change(|row| row.max.map(f64::from)),
            }
        })
        .collect()
}

fn totals(a: &Report, b: &Report) -> TotalsChange {
    let (a, b) = (&a.totals, &b.totals);
    let counted = |a: u64, b: u64| Change::new(Some(a as f64), Some(b as f64));
    TotalsChange {
        writes_per_s: Change::new(Some(a.writes_per_s), Some(b.writes_per_s)),
        elapsed_s: Change::new(Some(a.elapsed_s), Some(b.elapsed_s)),
        local_share: Change::new(a.local_share, b.local_share),
        probes: counted(a.probes, b.probes),
        log_lines: counted(a.log_lines, b.log_lines),
        log_dropped: counted(a.log_dropped, b.log_dropped),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_has_a_ratio_only_where_there_is_one() {
        let change = Change::new(Some(4.0), Some(10.0));
        assert_eq!((change.difference, change.ratio), (Some(6.0), Some(2.5)));
        let from_nothing = Change::new(Some(0.0), Some(3.0));
        assert_eq!(
            (from_nothing.difference, from_nothing.ratio),
            (Some(3.0), None)
        );
        let absent = Change::new(None, Some(3.0));
        assert_eq!((absent.difference, absent.ratio), (None, None));
    }
}
