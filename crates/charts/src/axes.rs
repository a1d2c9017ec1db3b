//! Values to places and back, and the lines and numbers that show it.

use crate::Theme;
use crate::scene::{Align, Face, Frame, Scene};

/// How the values of an axis are spaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Evenly, from 0.
    #[default]
    Linear,
    /// By powers of ten.
    Logarithmic,
}

impl Scale {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Linear => Self::Logarithmic,
            Self::Logarithmic => Self::Linear,
        }
    }
}

/// One axis: values on a stretch of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
    logarithmic: bool,
}

impl Axis {
    /// Values `from` to `to`, evenly, on pixels `start` to `end`.
    pub fn linear(from: f64, to: f64, start: f64, end: f64) -> Self {
        Self {
            from,
            to: if to > from { to } else { from + 1.0 },
            start,
            end,
            logarithmic: false,
        }
    }

    /// Powers of ten, evenly; both values above 0.
    pub fn logarithmic(from: f64, to: f64, start: f64, end: f64) -> Self {
        Self {
            logarithmic: true,
            ..Self::linear(from.log10(), to.log10(), start, end)
        }
    }

    /// The place of a value, never outside the axis.
    pub fn place(&self, value: f64) -> f64 {
        let value = if !self.logarithmic {
            value
        } else if value > 0.0 {
            value.log10()
        } else {
            self.from
        };
        let share = ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        self.start + (self.end - self.start) * share
    }

    /// The value at a place.
    pub fn value(&self, place: f64) -> f64 {
        let share = (place - self.start) / (self.end - self.start);
        let value = self.from + (self.to - self.from) * share;
        if self.logarithmic {
            10_f64.powf(value)
        } else {
            value
        }
    }

    /// Whether a value lies on the axis.
    pub fn holds(&self, value: f64) -> bool {
        let value = if self.logarithmic {
            value.log10()
        } else {
            value
        };
        value >= self.from && value <= self.to
    }
}

/// The faces of a chart of that width: the larger the picture, the larger its words, never below 11 pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faces {
    /// Axis numbers and lesser words.
    pub small: Face,
    /// Words on curves.
    pub plain: Face,
    /// Names.
    pub bold: Face,
    /// Height of a line.
    pub line: f64,
}

impl Faces {
    pub fn new(width: f64, theme: &Theme) -> Self {
        let size = (8.5 + width / 180.0).clamp(11.0, 14.0);
        let face = |ink, bold| Face { size, bold, ink };
        let small = face(theme.muted.into(), false);
        Self {
            small,
            plain: face(theme.ink.into(), false),
            bold: face(theme.ink.into(), true),
            line: crate::text::height(small),
        }
    }
}

/// A hairline across a frame.
fn horizontal(scene: &mut Scene, frame: &Frame, y: f64, theme: &Theme) {
    scene.fill(
        Frame::new(frame.left, y - 0.5, frame.right, y + 0.5),
        theme.grid,
    );
}

/// A hairline across a frame at each value of the axis beside it, with the value's words before it.
pub(crate) fn labelled(
    scene: &mut Scene,
    frame: &Frame,
    (up, labels): (&Axis, &[(f64, String)]),
    faces: &Faces,
    theme: &Theme,
) {
    for (value, text) in labels {
        let y = up.place(*value);
        horizontal(scene, frame, y, theme);
        scene.text(
            text.as_str(),
            (frame.left - 6.0, y),
            Align::Right,
            faces.small,
        );
    }
}

/// A hairline down a frame.
pub(crate) fn vertical(scene: &mut Scene, frame: &Frame, x: f64, theme: &Theme) {
    scene.fill(
        Frame::new(x - 0.5, frame.top, x + 0.5, frame.bottom),
        theme.grid,
    );
}

/// Words in the middle of a picture that has nothing to show yet.
pub(crate) fn nothing(scene: &mut Scene, frame: &Frame, words: &str, face: Face) {
    let (x, y) = frame.centre();
    scene.text(words, (x, y), Align::Centre, face);
}
