//! Writes per second over time.

use subtable_model::Snapshot;
use subtable_model::preset::PublishedRate;

use crate::{Chart, Reading, Scene, Size, Table, Theme};

/// A run whose rates are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What stands on its curve.
    pub label: &'a str,
    /// The run.
    pub snapshot: &'a Snapshot,
}

/// Rates of many seeds, in writes per second, at equal steps of time from the start of the run.
#[derive(Clone, Copy, Debug)]
pub struct Band<'a> {
    /// What the band is, for instance `90 % of 50 seeds`.
    pub label: &'a str,
    /// The step, in seconds.
    pub step_s: f64,
    /// Lower edge.
    pub low: &'a [f64],
    /// Middle.
    pub median: &'a [f64],
    /// Upper edge.
    pub high: &'a [f64],
}

/// How the values of an axis are spaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Evenly, from 0.
    #[default]
    Linear,
    /// By powers of ten.
    Logarithmic,
}

/// Writes, log lines and dropped lines per second over simulated time.
#[derive(Clone, Copy, Debug)]
pub struct Throughput<'a> {
    /// The run.
    pub run: Run<'a>,
    /// A run to compare it with, dashed.
    pub other: Option<Run<'a>>,
    /// Many seeds of the run.
    pub band: Option<Band<'a>>,
    /// Published rates of such a run.
    pub published: &'a [PublishedRate],
    /// How rates are spaced.
    pub scale: Scale,
    /// The stretch of time that is shown, in seconds; none is all of it.
    pub window: Option<(f64, f64)>,
    /// Whether log lines and dropped lines are shown, where there are any.
    pub log_lines: bool,
}

impl<'a> Throughput<'a> {
    /// The rates of one run.
    #[must_use]
    pub const fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            run: Run {
                label: "this run",
                snapshot,
            },
            other: None,
            band: None,
            published: &[],
            scale: Scale::Linear,
            window: None,
            log_lines: true,
        }
    }
}

impl Chart for Throughput<'_> {
    fn title(&self) -> String {
        String::new()
    }

    fn scene(&self, size: Size, theme: &Theme) -> Scene {
        Scene::new(size, theme)
    }

    fn len(&self, _size: Size) -> usize {
        0
    }

    fn nearest(&self, _size: Size, _x: f64, _y: f64) -> Option<usize> {
        None
    }

    fn reading(&self, _size: Size, _number: usize) -> Option<Reading> {
        None
    }

    fn table(&self) -> Table {
        Table::default()
    }
}
