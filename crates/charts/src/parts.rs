//! Where a request's time goes, TMM by TMM.

use subtable_model::Snapshot;

use crate::{Chart, Reading, Scene, Size, Table, Theme};

/// Stacked bars: the mean time of a request of each TMM, part by part.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The run.
    pub snapshot: &'a Snapshot,
}

impl<'a> Parts<'a> {
    /// The parts of a run's requests.
    #[must_use]
    pub const fn new(snapshot: &'a Snapshot) -> Self {
        Self { snapshot }
    }
}

impl Chart for Parts<'_> {
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
