//! The histograms of all TMMs, one panel each, large.

use subtable_model::Snapshot;
use subtable_model::preset::PublishedRow;

use crate::{Chart, Reading, Scene, Size, Table, Theme, strip};

/// One panel for each TMM on a shared axis, as many as fit.
#[derive(Clone, Copy, Debug)]
pub struct Histograms<'a> {
    /// The run.
    pub snapshot: &'a Snapshot,
    /// A run to compare it with, as outlines.
    pub other: Option<&'a Snapshot>,
    /// Published figures of such a run.
    pub published: &'a [PublishedRow],
    /// The histograms over many seeds, by TMM; empty when there is one.
    pub bands: &'a [strip::Band<'a>],
    /// The TMM of the first panel.
    pub first: usize,
}

impl<'a> Histograms<'a> {
    /// The histograms of a run.
    #[must_use]
    pub const fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            other: None,
            published: &[],
            bands: &[],
            first: 0,
        }
    }

    /// How many panels fit.
    #[must_use]
    pub fn panels(&self, _size: Size) -> usize {
        0
    }
}

impl Chart for Histograms<'_> {
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
