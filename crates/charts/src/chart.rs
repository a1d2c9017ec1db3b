//! What every chart can do.

use crate::scene::{Frame, Point};
use crate::{Along, Entry, Scene, Size, Theme};

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

    /// What stands at a position of an axis that this chart shares with others, as another of them is read there; none for
    /// charts that share none, and where nothing is shown.
    fn follow(&self, size: Size, position: f64) -> Option<Reading> {
        let _ = (size, position);
        None
    }

    /// The axis that can be zoomed, at a place from the left in CSS pixels; none for charts without one.
    fn along(&self, size: Size, x: f64) -> Option<Along> {
        let _ = (size, x);
        None
    }

    /// What can be left out of the picture, also what is left out now.
    fn series(&self) -> Vec<Entry> {
        Vec::new()
    }

    /// All values in sight, exact: those that can be read at that size, and whatever has no place in the picture.
    fn table(&self, size: Size) -> Table;

    /// The picture as an SVG document, its title included.
    fn svg(&self, size: Size, theme: &Theme) -> String {
        self.scene(size, theme).svg(&self.title())
    }
}

/// One value of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Its place from the left, in CSS pixels.
    pub x: f64,
    /// Its place from the top, in CSS pixels.
    pub y: f64,
    /// What it is, with its unit.
    pub text: String,
    /// Its position on the axis that the chart shares with others, in the measure of [`Span`](crate::Span).
    pub position: Option<f64>,
    /// What marks it in the picture.
    pub marks: Marks,
}

/// The crosshair of a value, in CSS pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// Vertical and horizontal lines, as rectangles without width or height: left, top, right, bottom.
    pub lines: Vec<[f64; 4]>,
    /// Places on the curves: from the left, from the top.
    pub spots: Vec<(f64, f64)>,
    /// A rectangle that is the value: left, top, right, bottom.
    pub frame: Option<[f64; 4]>,
}

impl Marks {
    /// A line from the top of a frame to its foot.
    pub(crate) fn down(mut self, frame: &Frame, x: f64) -> Self {
        self.lines.push([x, frame.top, x, frame.bottom]);
        self
    }

    /// A line from the left of a frame to its right.
    pub(crate) fn across(mut self, frame: &Frame, y: f64) -> Self {
        self.lines.push([frame.left, y, frame.right, y]);
        self
    }

    /// A place.
    pub(crate) fn spot(mut self, at: Point) -> Self {
        self.spots.push(at);
        self
    }

    /// A rectangle.
    pub(crate) fn around(mut self, frame: &Frame) -> Self {
        self.frame = Some([frame.left, frame.top, frame.right, frame.bottom]);
        self
    }
}

/// The values of a chart as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// What each column holds, with its unit.
    pub headers: Vec<String>,
    /// The cells, row by row; each row is as long as the headers.
    pub rows: Vec<Vec<String>>,
}
