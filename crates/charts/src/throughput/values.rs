//! The values of the curves: one of them in words, and all of them as a table.

use super::Throughput;
use super::curves::{Rates, Stretch};
use super::plot::Plot;
use crate::{Marks, Reading, Series, Table, format};

impl Throughput<'_> {
    /// The rates of a stretch, and those of the other run at the same moment, with a spot on each curve.
    pub(super) fn read(
        &self,
        run: &Rates,
        other: Option<&Rates>,
        plot: &Plot,
        stretch: &Stretch,
    ) -> Reading {
        let mut marks = Marks::default();
        let mut said = Vec::new();
        let curves = [
            (Series::Writes, "writes/s"),
            (Series::LogLines, "log lines/s"),
            (Series::Dropped, "dropped/s"),
        ];
        for (series, unit) in curves {
            let rate = stretch.rate(series);
            if !self.shows(series) || (series != Series::Writes && rate <= 0.0) {
                continue;
            }
            said.push(format!("{} {unit}", format::number(rate)));
            if run.curve(plot, series).is_some() {
                marks = marks.spot(plot.point(stretch.at_s, rate));
            }
        }
        if let (Some(rates), Some(run)) = (other, self.other())
            && let Some(there) = rates
                .nearest(stretch.at_s)
                .and_then(|index| rates.get(index))
        {
            said.push(format!("{} {}", run.label, format::number(there.writes)));
            marks = marks.spot(plot.point(there.at_s, there.writes));
        }
        if let Some(band) = self.band() {
            let there = |rates| at(rates, stretch.at_s / band.step_s);
            if let (Some(low), Some(median), Some(high)) =
                (there(band.low), there(band.median), there(band.high))
            {
                said.push(format!(
                    "median of seeds {}, {} to {}",
                    format::number(median),
                    format::number(low),
                    format::number(high)
                ));
            }
        }
        let x = plot.time.place(stretch.at_s);
        let foot = plot.frame.bottom;
        let y = marks.spots.first().map_or(foot, |(_, y)| *y);
        Reading {
            x,
            y,
            text: format!(
                "{}: {}",
                format::duration(stretch.at_s * 1e9),
                said.join(", ")
            ),
            position: Some(stretch.at_s),
            marks: marks.down(&plot.frame, x).across(&plot.frame, y),
        }
    }
}

/// The rates at every stretch, and those of the other run at the same moments.
pub(super) fn table(chart: &Throughput, width: f64) -> Table {
    let number = format::number;
    let run = chart.rates(chart.run, width);
    let other = chart.other.map(|other| chart.rates(other, width));
    let mut headers: Vec<String> = ["time, s", "writes/s", "log lines/s", "dropped lines/s"]
        .map(str::to_owned)
        .into();
    if let Some(other) = chart.other {
        headers.push(format!("{}: writes/s", other.label));
    }
    if let Some(band) = chart.band {
        let part = |name| format!("{}: {name}", band.label);
        headers.extend(["low", "median", "high"].map(part));
    }
    let row = |stretch: &Stretch| {
        let mut row = vec![
            format!("{:.3}", stretch.at_s),
            number(stretch.writes),
            number(stretch.lines),
            number(stretch.dropped),
        ];
        if let Some(other) = &other {
            let there = other
                .nearest(stretch.at_s)
                .and_then(|index| other.get(index));
            row.push(there.map_or(String::new(), |there| number(there.writes)));
        }
        if let Some(band) = chart.band {
            for rates in [band.low, band.median, band.high] {
                row.push(at(rates, stretch.at_s / band.step_s).map_or(String::new(), number));
            }
        }
        row
    };
    Table {
        headers,
        rows: run.iter().map(row).collect(),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates beyond any band"
)]
fn at(rates: &[f64], position: f64) -> Option<f64> {
    rates.get(position.floor() as usize).copied()
}
