//! Drawing a scene on a plotters backend.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBAColor, ShapeStyle, TextStyle};

use super::{Align, Face, Frame, Ink, Mark, Point, Scene};

type Pixel = (i32, i32);

impl Scene {
    /// Draws on an area of `scale` pixels to a CSS pixel, the background included.
    ///
    /// A canvas whose context has its `lineJoin` set to `round` shows sharp turns of thick lines without spikes.
    ///
    /// # Errors
    /// What the backend reports.
    pub fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        scale: f64,
    ) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        self.draw_with(area, scale, 1.0)
    }

    /// Draws with every text larger than the backend takes it, by a factor.
    pub(super) fn draw_with<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        scale: f64,
        text_factor: f64,
    ) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
        area.fill(&self.surface)?;
        let grain = Grain(scale);
        for mark in &self.marks {
            match mark {
                Mark::Fill(frame, ink) => area.draw(&grain.rectangle(*frame, *ink)),
                Mark::Path {
                    from,
                    to,
                    ink,
                    width,
                } => {
                    let points: Vec<Pixel> = grain.pixels(&self.points[*from..*to]);
                    area.draw(&PathElement::new(points, grain.stroke(*ink, *width)))
                }
                Mark::Polygon { from, to, ink } => {
                    let points: Vec<Pixel> = grain.pixels(&self.points[*from..*to]);
                    area.draw(&Polygon::new(points, rgba(*ink).filled()))
                }
                Mark::Disc {
                    centre,
                    radius,
                    ink,
                } => area.draw(&Circle::new(
                    grain.pixel(*centre),
                    grain.length(*radius),
                    rgba(*ink).filled(),
                )),
                Mark::Ring {
                    centre,
                    radius,
                    ink,
                    width,
                } => area.draw(&Circle::new(
                    grain.pixel(*centre),
                    grain.length(*radius),
                    grain.stroke(*ink, *width),
                )),
                Mark::Text {
                    text,
                    at,
                    align,
                    face,
                } => {
                    let style = self.text_style(*face, *align, scale * text_factor);
                    area.draw(&Text::new(text.as_str(), grain.pixel(*at), style))
                }
            }?;
        }
        Ok(())
    }

    fn text_style(&self, face: Face, align: Align, scale: f64) -> TextStyle<'static> {
        let style = if face.bold {
            FontStyle::Bold
        } else {
            FontStyle::Normal
        };
        let across = match align {
            Align::Left => HPos::Left,
            Align::Centre => HPos::Center,
            Align::Right => HPos::Right,
        };
        let font = FontDesc::new(FontFamily::Name(self.font), face.size * scale, style);
        TextStyle {
            font,
            color: rgba(face.ink).to_backend_color(),
            pos: Pos::new(across, VPos::Center),
        }
    }
}

fn rgba(ink: Ink) -> RGBAColor {
    ink.colour.mix(ink.alpha)
}

/// From CSS pixels to the whole pixels of a backend.
struct Grain(f64);

impl Grain {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "saturates far outside any picture"
    )]
    fn whole(&self, length: f64) -> i32 {
        (length * self.0).round() as i32
    }

    fn pixel(&self, (x, y): Point) -> Pixel {
        (self.whole(x), self.whole(y))
    }

    fn pixels(&self, points: &[Point]) -> Vec<Pixel> {
        points.iter().map(|point| self.pixel(*point)).collect()
    }

    /// A length that does not vanish.
    fn length(&self, length: f64) -> i32 {
        self.whole(length).max(1)
    }

    fn stroke(&self, ink: Ink, width: f64) -> ShapeStyle {
        rgba(ink).stroke_width(self.length(width).unsigned_abs())
    }

    /// A filled rectangle, at least one pixel wide and high.
    fn rectangle(&self, frame: Frame, ink: Ink) -> Rectangle<Pixel> {
        let (left, top) = self.pixel((frame.left, frame.top));
        let (right, bottom) = self.pixel((frame.right, frame.bottom));
        Rectangle::new(
            [(left, top), (right.max(left + 1), bottom.max(top + 1))],
            rgba(ink).filled(),
        )
    }
}
