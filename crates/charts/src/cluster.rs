//! Who accepts, who owns, and the messages between them.

use subtable_model::Snapshot;

use crate::{Chart, Reading, Scene, Size, Table, Theme};

/// The cluster at one moment: boxes up to [`MOST_BOXES`] TMMs, beyond them a heat map of acceptor by owner.
#[derive(Clone, Copy, Debug)]
pub struct Cluster<'a> {
    /// The run at that moment.
    pub snapshot: &'a Snapshot,
    /// Whether single messages are drawn; not when motion is to be reduced.
    pub moves: bool,
}

/// TMMs that are drawn as boxes.
pub const MOST_BOXES: usize = 16;

impl<'a> Cluster<'a> {
    /// The cluster of a run, single messages included.
    #[must_use]
    pub const fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            moves: true,
        }
    }
}

impl Chart for Cluster<'_> {
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
