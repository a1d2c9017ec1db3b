//! Putting a scene together.

use super::{Align, Face, Frame, Ink, Mark, Point, Scene, Size};
use crate::Theme;

/// A dash and the gap after it, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Dash(pub f64, pub f64);

impl Scene {
    /// Nothing yet.
    pub(crate) fn new(size: Size, theme: &Theme) -> Self {
        Self {
            size,
            surface: theme.surface,
            font: theme.font,
            marks: Vec::with_capacity(128),
            points: Vec::with_capacity(512),
        }
    }

    fn keep(&mut self, points: impl IntoIterator<Item = Point>) -> (usize, usize) {
        let from = self.points.len();
        self.points.extend(points);
        (from, self.points.len())
    }

    /// A filled rectangle.
    pub(crate) fn fill(&mut self, frame: Frame, ink: impl Into<Ink>) {
        self.marks.push(Mark::Fill(frame, ink.into()));
    }

    /// A line through points.
    pub(crate) fn path(
        &mut self,
        points: impl IntoIterator<Item = Point>,
        ink: impl Into<Ink>,
        width: f64,
    ) {
        let (from, to) = self.keep(points);
        let ink = ink.into();
        self.marks.push(Mark::Path {
            from,
            to,
            ink,
            width,
        });
    }

    /// A dashed line through points.
    pub(crate) fn dashes(&mut self, points: &[Point], ink: impl Into<Ink>, width: f64, dash: Dash) {
        let ink = ink.into();
        let mut piece: Vec<Point> = Vec::new();
        let (mut drawing, mut left) = (true, dash.0);
        for pair in points.windows(2) {
            let ((mut x, mut y), (to_x, to_y)) = (pair[0], pair[1]);
            let mut way = (to_x - x).hypot(to_y - y);
            if piece.is_empty() && drawing {
                piece.push((x, y));
            }
            while way > left {
                let share = left / way;
                x += (to_x - x) * share;
                y += (to_y - y) * share;
                way -= left;
                if drawing {
                    piece.push((x, y));
                    self.path(piece.drain(..), ink, width);
                } else {
                    piece.push((x, y));
                }
                drawing = !drawing;
                left = if drawing { dash.0 } else { dash.1 };
            }
            left -= way;
            if drawing {
                piece.push((to_x, to_y));
            }
        }
        if piece.len() > 1 {
            self.path(piece, ink, width);
        }
    }

    /// A filled area.
    pub(crate) fn polygon(&mut self, points: impl IntoIterator<Item = Point>, ink: impl Into<Ink>) {
        let (from, to) = self.keep(points);
        let ink = ink.into();
        self.marks.push(Mark::Polygon { from, to, ink });
    }

    /// A filled circle.
    pub(crate) fn disc(&mut self, centre: Point, radius: f64, ink: impl Into<Ink>) {
        let ink = ink.into();
        self.marks.push(Mark::Disc {
            centre,
            radius,
            ink,
        });
    }

    /// A circle.
    pub(crate) fn ring(&mut self, centre: Point, radius: f64, ink: impl Into<Ink>, width: f64) {
        let ink = ink.into();
        self.marks.push(Mark::Ring {
            centre,
            radius,
            ink,
            width,
        });
    }

    /// A line of text, centred vertically on its place.
    pub(crate) fn text(&mut self, text: impl Into<String>, at: Point, align: Align, face: Face) {
        let mut text = text.into();
        // Control characters have no picture, and XML does not allow them.
        text.retain(|character| !character.is_control());
        self.marks.push(Mark::Text {
            text,
            at,
            align,
            face,
        });
    }

    /// The boxes of all texts.
    #[cfg(test)]
    pub(crate) fn text_boxes(&self) -> Vec<(String, Frame)> {
        let of = |mark: &Mark| match mark {
            Mark::Text {
                text,
                at,
                align,
                face,
            } => Some((text.clone(), crate::text::frame(text, *at, *align, *face))),
            _ => None,
        };
        self.marks.iter().filter_map(of).collect()
    }
}
