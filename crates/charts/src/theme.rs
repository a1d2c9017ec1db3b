//! The palette. Colour carries meaning and nothing else, and never alone: dash, shape or a word says the same.

use plotters::style::RGBColor;

use crate::scene::{Ink, faded};

/// The colours and the font of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Behind everything.
    pub surface: RGBColor,
    /// Figures, and words that matter.
    pub ink: RGBColor,
    /// Axis labels, and everything that has no colour of its own.
    pub muted: RGBColor,
    /// Hairlines.
    pub grid: RGBColor,
    /// Local writes.
    pub local: RGBColor,
    /// Remote writes.
    pub remote: RGBColor,
    /// Published figures.
    pub published: RGBColor,
    /// The log.
    pub log: RGBColor,
    /// The font, as a CSS family list.
    pub font: &'static str,
}

impl Theme {
    /// Dark on light.
    #[must_use]
    pub const fn light() -> Self {
        Self {
            surface: RGBColor(0xff, 0xff, 0xff),
            ink: RGBColor(0x1a, 0x1c, 0x20),
            muted: RGBColor(0x63, 0x67, 0x70),
            grid: RGBColor(0xe3, 0xe3, 0xdf),
            local: RGBColor(0x00, 0x72, 0xb2),
            remote: RGBColor(0xd5, 0x5e, 0x00),
            published: RGBColor(0x7a, 0x51, 0x95),
            log: RGBColor(0x00, 0x9e, 0x73),
            font: FONT,
        }
    }

    /// Light on dark.
    #[must_use]
    pub const fn dark() -> Self {
        Self {
            surface: RGBColor(0x1b, 0x1e, 0x23),
            ink: RGBColor(0xee, 0xef, 0xf1),
            muted: RGBColor(0x9d, 0xa2, 0xab),
            grid: RGBColor(0x2e, 0x32, 0x39),
            local: RGBColor(0x56, 0xb4, 0xe9),
            remote: RGBColor(0xf0, 0x88, 0x3e),
            published: RGBColor(0xc3, 0x9b, 0xd8),
            log: RGBColor(0x2f, 0xbf, 0x95),
            font: FONT,
        }
    }
}

impl Theme {
    /// The outline of a box: between hairline and label.
    pub(crate) const fn muted_line(&self) -> Ink {
        faded(self.muted, 0.45)
    }
}

const FONT: &str = "system-ui, sans-serif";
