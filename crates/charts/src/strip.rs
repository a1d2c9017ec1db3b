//! The histogram of one TMM's clicks, a row of the strip table.

use subtable_model::Snapshot;
use subtable_model::snapshot::TmmSnapshot;

use crate::{Chart, Reading, Scene, Size, Table, Theme};

/// The clicks of one TMM's writes on a logarithmic axis, with the threshold and the percentiles.
#[derive(Clone, Copy, Debug)]
pub struct Strip<'a> {
    /// The TMM.
    pub tmm: &'a TmmSnapshot,
    /// Its number.
    pub number: usize,
    /// A write below this many clicks is fast.
    pub threshold: u64,
    /// Decades of the axis, from 1 click: the same for all rows of a table. See [`decades`].
    pub decades: usize,
    /// The same TMM of a run to compare it with, as an outline.
    pub other: Option<&'a TmmSnapshot>,
    /// The same histogram over many seeds.
    pub band: Option<Band<'a>>,
}

/// A histogram of many seeds: shares of all writes, 0 to 1, in the bins of [`subtable_model::statistics::BINS`].
#[derive(Clone, Copy, Debug)]
pub struct Band<'a> {
    /// Lower edge, bin by bin.
    pub low: &'a [f64],
    /// Upper edge, bin by bin.
    pub high: &'a [f64],
}

/// The decades from 1 click that hold every write of these runs and the threshold.
#[must_use]
pub fn decades(_snapshots: &[&Snapshot]) -> usize {
    6
}

/// The labels of the axis of rows that are as wide as this: 1, 10, 100, 1k and so on.
#[must_use]
pub fn axis(_decades: usize, size: Size, theme: &Theme) -> Scene {
    Scene::new(size, theme)
}

impl<'a> Strip<'a> {
    /// The row of a TMM; none when there is no such TMM.
    #[must_use]
    pub fn new(snapshot: &'a Snapshot, number: usize, decades: usize) -> Option<Self> {
        Some(Self {
            tmm: snapshot.tmms.get(number)?,
            number,
            threshold: snapshot.threshold,
            decades,
            other: None,
            band: None,
        })
    }
}

impl Chart for Strip<'_> {
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
