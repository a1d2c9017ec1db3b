//! From points to the median and the 90 % band of each value, as JSON (schema `subtable-lab/sweep`, version 1) and as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;
use subtable_model::Scenario;

use super::Point;
use super::measures::Measure;
use super::plan::Plan;
use crate::parameters;
use crate::tables::Align::{Left, Right};
use crate::tables::{Table, bar, or_absent};

/// Name of the schema.
pub const SCHEMA: &str = "subtable-lab/sweep";
/// Version of the schema.
pub const VERSION: u32 = 1;

/// A sweep, summed up.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The [`VERSION`] of the schema.
    pub version: u32,
    /// Id of the preset that the scenario began with.
    pub preset: &'static str,
    /// Every parameter by id; that of `parameter` is the one it would have without the sweep.
    pub scenario: Scenario,
    /// Id of the parameter that varies.
    pub parameter: &'static str,
    /// Its unit; empty for a plain count or a choice.
    pub unit: &'static str,
    /// The seeds of each value.
    pub seeds: SeedRange,
    /// The units of the measures by id; empty for a share.
    pub measures: BTreeMap<&'static str, &'static str>,
    /// The values, in the order asked for.
    pub points: Vec<ValueRow>,
}

/// Consecutive seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct SeedRange {
    /// The first.
    pub first: u64,
    /// How many.
    pub count: u64,
}

/// What came of one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValueRow {
    /// The value: a number, or a word.
    pub value: Value,
    /// Each measure by id; `null` when no run has it.
    pub measures: BTreeMap<&'static str, Option<Band>>,
}

/// The middle of several runs. Quantiles between two runs are interpolated linearly.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Band {
    /// Runs that have the measure.
    pub runs: u64,
    /// The 5th percentile.
    pub low: f64,
    /// The median.
    pub median: f64,
    /// The 95th percentile.
    pub high: f64,
}

impl Band {
    /// The band of these values; `None` of none.
    #[must_use]
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        (!values.is_empty()).then(|| Self {
            runs: values.len() as u64,
            low: quantile(&values, 0.05),
            median: quantile(&values, 0.5),
            high: quantile(&values, 0.95),
        })
    }
}

/// The value at `share * (n - 1)` of a sorted list, between two values in proportion (type 7 of Hyndman and Fan, 1996).
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an index into the list"
)]
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let position = share * (sorted.len() - 1) as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (sorted[above] - sorted[below]) * (position - below as f64)
}

impl Summary {
    /// Sums up the points of a plan.
    pub(super) fn new(plan: &Plan, measures: &[&'static Measure], points: &[Point]) -> Self {
        let mut by_value: BTreeMap<&str, Vec<&Point>> = BTreeMap::new();
        for point in points {
            by_value.entry(&point.value).or_default().push(point);
        }
        let row = |text: &String| {
            let points = by_value.get(text.as_str()).map_or(&[][..], Vec::as_slice);
            let band = |measure: &Measure| {
                let values = points
                    .iter()
                    .filter_map(|point| *point.measures.get(measure.id)?);
                Band::of(values.collect())
            };
            ValueRow {
                // The plan's values are those that the parameter has accepted.
                value: plan.parameter.parse(text).map_or(Value::Null, |stored| {
                    parameters::value(plan.parameter, stored)
                }),
                measures: measures
                    .iter()
                    .map(|measure| (measure.id, band(measure)))
                    .collect(),
            }
        };
        Self {
            schema: SCHEMA,
            version: VERSION,
            preset: plan.base.preset.id,
            scenario: plan.base.scenario.clone(),
            parameter: plan.parameter.id,
            unit: plan.parameter.unit,
            seeds: SeedRange {
                first: plan.base.seed,
                count: plan.seeds,
            },
            measures: measures
                .iter()
                .map(|measure| (measure.id, measure.unit))
                .collect(),
            points: plan.values.iter().map(row).collect(),
        }
    }

    /// For CSV: a row for each value, three columns for each measure.
    #[must_use]
    pub fn rows(&self, measures: &[&'static Measure]) -> Table {
        let mut columns = vec![(self.parameter.to_string(), Left)];
        for measure in measures {
            for part in ["runs", "low", "median", "high"] {
                columns.push((format!("{}_{part}", measure.id.replace('-', "_")), Right));
            }
        }
        let mut table = Table::new(columns);
        for row in &self.points {
            let mut cells = vec![parameters::plain(&row.value)];
            for measure in measures {
                let band = row.measures.get(measure.id).copied().flatten();
                cells.push(band.map_or(0, |band| band.runs).to_string());
                for part in [
                    band.map(|b| b.low),
                    band.map(|b| b.median),
                    band.map(|b| b.high),
                ] {
                    cells.push(part.map_or_else(String::new, |value| value.to_string()));
                }
            }
            table.push(cells);
        }
        table
    }

    /// For people: a table for each measure, with a bar for the median.
    #[must_use]
    pub fn to_text(&self, measures: &[&'static Measure]) -> String {
        let mut text = String::new();
        let plural = if self.seeds.count == 1 {
            "seed"
        } else {
            "seeds"
        };
        let _ = writeln!(
            text,
            "{} varied in {}, {} {plural} from {}; the band holds the middle 90 % of the runs",
            self.parameter, self.preset, self.seeds.count, self.seeds.first
        );
        for measure in measures {
            let _ = write!(
                text,
                "\n{}: {}\n{}",
                measure.id,
                measure.says,
                self.table(measure).to_text()
            );
        }
        text
    }

    fn table(&self, measure: &Measure) -> Table {
        let unit = |unit: &str| {
            if unit.is_empty() {
                String::new()
            } else {
                format!(", {unit}")
            }
        };
        let heading = format!("{}{}", self.parameter, unit(self.unit));
        let mut table = Table::new([
            (heading, Right),
            (format!("median{}", unit(measure.unit)), Right),
            ("5 %".to_string(), Right),
            ("95 %".to_string(), Right),
            (String::new(), Left),
        ]);
        let bands = || {
            self.points
                .iter()
                .map(|row| row.measures.get(measure.id).copied().flatten())
        };
        let most = bands()
            .flatten()
            .map(|band| band.median)
            .fold(0.0, f64::max);
        for (row, band) in self.points.iter().zip(bands()) {
            table.push([
                parameters::plain(&row.value),
                or_absent(band.map(|band| rounded(band.median))),
                or_absent(band.map(|band| rounded(band.low))),
                or_absent(band.map(|band| rounded(band.high))),
                band.map_or_else(String::new, |band| bar(band.median, most, 32)),
            ]);
        }
        table
    }
}

/// As many decimals as matter: none above a thousand, four below one.
fn rounded(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 || value.fract() == 0.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_is_made_of_interpolated_quantiles() {
        let band = Band::of((0..=20).rev().map(f64::from).collect()).unwrap();
        assert_eq!(
            (band.runs, band.low, band.median, band.high),
            (21, 1.0, 10.0, 19.0)
        );
        let two = Band::of(vec![3.0, 1.0]).unwrap();
        assert!(
            (two.low - 1.1).abs() < 1e-12 && (two.high - 2.9).abs() < 1e-12,
            "{two:?}"
        );
        let one = Band::of(vec![7.0]).unwrap();
        assert_eq!((one.low, one.median, one.high), (7.0, 7.0, 7.0));
        assert_eq!(Band::of(Vec::new()), None);
    }

    #[test]
    fn numbers_keep_the_decimals_that_matter() {
        let texts = [4374.96, 12.0, 25.26, 3.456, 0.25].map(rounded);
        assert_eq!(texts, ["4375", "12", "25.3", "3.46", "0.2500"]);
    }
}
