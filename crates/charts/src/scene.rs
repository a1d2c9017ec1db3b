//! Plain shapes in CSS pixels, and how plotters draws them.

mod build;
mod paint;
mod svg;

pub(crate) use build::Dash;

use plotters::style::RGBColor;

/// Width and height, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

impl Size {
    /// That wide and that high.
    #[must_use]
    pub const fn new(width: f64, height: f64) -> Self {
        Self { width, height }
    }
}

/// A place, in CSS pixels from the upper left corner.
pub(crate) type Point = (f64, f64);

/// A rectangle, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Frame {
    pub const fn new(left: f64, top: f64, right: f64, bottom: f64) -> Self {
        Self {
            left,
            top,
            right,
            bottom,
        }
    }

    pub fn width(&self) -> f64 {
        self.right - self.left
    }

    pub fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub fn centre(&self) -> Point {
        (
            f64::midpoint(self.left, self.right),
            f64::midpoint(self.top, self.bottom),
        )
    }

    pub fn contains(&self, (x, y): Point) -> bool {
        x >= self.left && x <= self.right && y >= self.top && y <= self.bottom
    }

    /// Whether the two share more than an edge.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    pub fn is_within(&self, outer: &Self) -> bool {
        self.left >= outer.left
            && self.right <= outer.right
            && self.top >= outer.top
            && self.bottom <= outer.bottom
    }

    /// Smaller by that much on every side.
    pub fn inset(&self, by: f64) -> Self {
        Self::new(
            self.left + by,
            self.top + by,
            self.right - by,
            self.bottom - by,
        )
    }
}

/// A colour that may let through what is behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ink {
    pub colour: RGBColor,
    pub alpha: f64,
}

impl From<RGBColor> for Ink {
    fn from(colour: RGBColor) -> Self {
        Self { colour, alpha: 1.0 }
    }
}

/// A colour at an opacity of 0 to 1.
pub(crate) const fn faded(colour: RGBColor, alpha: f64) -> Ink {
    Ink { colour, alpha }
}

/// Where a text stands relative to its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Centre,
    Right,
}

/// How a text is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Face {
    /// Size, in CSS pixels.
    pub size: f64,
    pub bold: bool,
    pub ink: Ink,
}

/// A shape. Points of paths and polygons lie in [`Scene::points`].
#[derive(Clone, Debug, PartialEq)]
enum Mark {
    Fill(Frame, Ink),
    Path {
        from: usize,
        to: usize,
        ink: Ink,
        width: f64,
    },
    Polygon {
        from: usize,
        to: usize,
        ink: Ink,
    },
    Disc {
        centre: Point,
        radius: f64,
        ink: Ink,
    },
    Ring {
        centre: Point,
        radius: f64,
        ink: Ink,
        width: f64,
    },
    Text {
        text: String,
        at: Point,
        align: Align,
        face: Face,
    },
}

/// A picture: plain shapes in CSS pixels, back to front.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    size: Size,
    surface: RGBColor,
    font: &'static str,
    marks: Vec<Mark>,
    points: Vec<Point>,
}
