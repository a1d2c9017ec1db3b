//! What every chart can do.

use crate::{Scene, Size, Theme};

/// A picture of data that also answers what its values are.
///
/// The values of a chart are numbered from 0 in reading order, so that a pointer ([`nearest`](Self::nearest)) and keys
/// (the number before or after) find them in the same way.
pub trait Chart {
    /// What the picture shows, in one sentence, for those who do not see it.
    fn title(&self) -> String;

    /// The picture at a size. Pure: the same data and size give the same scene.
    fn scene(&self, size: Size, theme: &Theme) -> Scene;

    /// How many values can be read.
    fn len(&self, size: Size) -> usize;

    /// Whether nothing can be read.
    fn is_empty(&self, size: Size) -> bool {
        self.len(size) == 0
    }

    /// The number of the value nearest to a place in the picture, in CSS pixels; none when there is nothing near.
    fn nearest(&self, size: Size, x: f64, y: f64) -> Option<usize>;

    /// A value: where it is in the picture and what it is.
    fn reading(&self, size: Size, number: usize) -> Option<Reading>;

    /// All values, exact.
    fn table(&self) -> Table;

    /// The picture as an SVG document, its title included.
    fn svg(&self, size: Size, theme: &Theme) -> String {
        self.scene(size, theme).svg(&self.title())
    }
}

/// One value of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Its place from the left, in CSS pixels.
    pub x: f64,
    /// Its place from the top, in CSS pixels.
    pub y: f64,
    /// What it is, with its unit.
    pub text: String,
}

/// The values of a chart as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What each column holds, with its unit.
    pub headers: Vec<String>,
    /// The cells, row by row; each row is as long as the headers.
    pub rows: Vec<Vec<String>>,
}
