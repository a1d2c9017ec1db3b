//! How plotters draws on a canvas.
//!
//! Most of what a picture costs is setting colours and fonts: the browser parses each as text. What is set already is not
//! set again, so that a hundred bars of one colour take one colour.

use std::convert::Infallible;
use std::f64::consts::TAU;
use std::fmt::Write as _;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use web_sys::CanvasRenderingContext2d;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// A canvas that remembers what was set on it.
pub struct Backend {
    context: CanvasRenderingContext2d,
    size: (u32, u32),
    fill: Option<Colour>,
    stroke: Option<Colour>,
    width: Option<u32>,
    anchor: Option<(HPos, VPos)>,
    font: String,
    /// Texts are put together here.
    scratch: String,
}

/// Red, green, blue, and the opacity in steps of 1/1000.
type Colour = ((u8, u8, u8), u16);

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "an opacity is from 0 to 1"
)]
fn colour(colour: BackendColor) -> Colour {
    (colour.rgb, (colour.alpha * 1000.0).round() as u16)
}

impl Backend {
    /// A canvas of so many device pixels, through its context.
    pub fn new(context: CanvasRenderingContext2d, size: (u32, u32)) -> Self {
        // Sharp turns of thick lines would spike otherwise.
        context.set_line_join("round");
        Self {
            context,
            size,
            fill: None,
            stroke: None,
            width: None,
            anchor: None,
            font: String::new(),
            scratch: String::with_capacity(64),
        }
    }

    fn text_of(&mut self, ((red, green, blue), alpha): Colour) -> &str {
        self.scratch.clear();
        // Writing to memory does not fail.
        let _ = match alpha {
            1000.. => write!(self.scratch, "#{red:02x}{green:02x}{blue:02x}"),
            _ => write!(self.scratch, "rgba({red},{green},{blue},0.{alpha:03})"),
        };
        &self.scratch
    }

    /// Whether there is anything to see of a colour; it is then what is filled with.
    fn fill_with(&mut self, wanted: BackendColor) -> bool {
        let wanted = colour(wanted);
        if self.fill.replace(wanted) != Some(wanted) {
            self.text_of(wanted);
            self.context.set_fill_style_str(&self.scratch);
        }
        wanted.1 > 0
    }

    /// The same for lines, with their width.
    fn stroke_with(&mut self, style: &impl BackendStyle) -> bool {
        let wanted = colour(style.color());
        if self.stroke.replace(wanted) != Some(wanted) {
            self.text_of(wanted);
            self.context.set_stroke_style_str(&self.scratch);
        }
        let width = style.stroke_width();
        if self.width.replace(width) != Some(width) {
            self.context.set_line_width(f64::from(width));
        }
        wanted.1 > 0
    }

    /// Goes through points; returns whether there were any.
    fn trace(&self, points: impl IntoIterator<Item = BackendCoord>) -> bool {
        let mut points = points.into_iter();
        let Some((x, y)) = points.next() else {
            return false;
        };
        self.context.begin_path();
        self.context.move_to(f64::from(x), f64::from(y));
        for (x, y) in points {
            self.context.line_to(f64::from(x), f64::from(y));
        }
        true
    }
}

impl DrawingBackend for Backend {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, colour: BackendColor) -> Drawn {
        if self.fill_with(colour) {
            self.context.fill_rect(f64::from(x), f64::from(y), 1.0, 1.0);
        }
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let (x, y) = (f64::from(left), f64::from(top));
        let (width, height) = (f64::from(right - left), f64::from(bottom - top));
        if fill && self.fill_with(style.color()) {
            self.context.fill_rect(x, y, width, height);
        } else if !fill && self.stroke_with(style) {
            self.context.stroke_rect(x, y, width, height);
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        if self.stroke_with(style) && self.trace(path) {
            self.context.stroke();
        }
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        if self.fill_with(style.color()) && self.trace(path) {
            self.context.fill();
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.context.begin_path();
        // Refused only for radii below 0.
        let _ = self
            .context
            .arc(f64::from(x), f64::from(y), f64::from(radius), 0.0, TAU);
        if fill && self.fill_with(style.color()) {
            self.context.fill();
        } else if !fill && self.stroke_with(style) {
            self.context.stroke();
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Drawn {
        if !self.fill_with(style.color()) {
            return Ok(());
        }
        self.scratch.clear();
        let _ = write!(
            self.scratch,
            "{} {:.2}px {}",
            style.style().as_str(),
            style.size(),
            style.family().as_str()
        );
        if self.scratch != self.font {
            std::mem::swap(&mut self.scratch, &mut self.font);
            self.context.set_font(&self.font);
        }
        let anchor = (style.anchor().h_pos, style.anchor().v_pos);
        if !self.anchor.is_some_and(|set| is_same(set, anchor)) {
            self.context.set_text_align(match anchor.0 {
                HPos::Left => "left",
                HPos::Right => "right",
                HPos::Center => "center",
            });
            self.context.set_text_baseline(match anchor.1 {
                VPos::Top => "top",
                VPos::Center => "middle",
                VPos::Bottom => "bottom",
            });
            self.anchor = Some(anchor);
        }
        // A text without a greatest width is never refused.
        let _ = self.context.fill_text(text, f64::from(x), f64::from(y));
        Ok(())
    }
}

/// Two anchors; plotters cannot compare them.
fn is_same(one: (HPos, VPos), other: (HPos, VPos)) -> bool {
    use std::mem::discriminant;
    discriminant(&one.0) == discriminant(&other.0) && discriminant(&one.1) == discriminant(&other.1)
}
