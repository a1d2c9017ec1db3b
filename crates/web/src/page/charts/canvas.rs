//! One canvas, as sharp as the screen is.

use plotters::drawing::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use subtable_charts::{Scene, Size, Theme};
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::dom;

/// How charts are to look at the moment.
pub struct Paint {
    /// Colours and font.
    pub theme: Theme,
    /// Whether single messages move.
    pub moves: bool,
    /// Counts up whenever everything must be drawn again.
    pub look: u32,
}

/// A canvas on the page.
pub struct Canvas {
    element: HtmlCanvasElement,
    context: Option<CanvasRenderingContext2d>,
    /// Its size on the page at a look: asking the browser again and again would make it lay out the page each time.
    measured: Option<(u32, Size)>,
}

impl Canvas {
    /// That canvas.
    pub const fn new(element: HtmlCanvasElement) -> Self {
        Self {
            element,
            context: None,
            measured: None,
        }
    }

    /// The element.
    pub const fn element(&self) -> &HtmlCanvasElement {
        &self.element
    }

    /// The size on the page may have changed.
    pub const fn measure_again(&mut self) {
        self.measured = None;
    }

    /// The size on the page; none when it is not to be seen.
    pub fn size(&mut self, look: u32) -> Option<Size> {
        let size = match self.measured {
            Some((at, size)) if at == look => size,
            _ => {
                let size = Size::new(
                    f64::from(self.element.client_width()),
                    f64::from(self.element.client_height()),
                );
                self.measured = Some((look, size));
                size
            }
        };
        (size.width > 0.0 && size.height > 0.0).then_some(size)
    }

    /// Draws a scene at the size that the canvas has on the page. Returns whether it is to be seen.
    pub fn show(&mut self, paint: &Paint, scene: impl FnOnce(Size, &Theme) -> Scene) -> bool {
        let Some(size) = self.size(paint.look) else {
            return false;
        };
        let ratio = dom::window().device_pixel_ratio().max(1.0);
        let pixels = (pixels(size.width * ratio), pixels(size.height * ratio));
        self.resize(pixels);
        if self.context.is_none() {
            self.context = context(&self.element);
        }
        if let Some(context) = &self.context {
            // Sharp turns of thick lines would spike otherwise. A new size puts the context's settings back.
            context.set_line_join("round");
        }
        let Some(backend) = CanvasBackend::with_canvas_object(self.element.clone()) else {
            return false;
        };
        let drawn = scene(size, &paint.theme).draw(&backend.into_drawing_area(), ratio);
        if let Err(error) = drawn {
            panic!("a chart cannot be drawn: {error}");
        }
        true
    }

    /// Sets the size in device pixels. Setting it to what it is would empty the canvas for nothing.
    fn resize(&self, (width, height): (u32, u32)) {
        if self.element.width() != width {
            self.element.set_width(width);
        }
        if self.element.height() != height {
            self.element.set_height(height);
        }
    }
}

/// What draws on a canvas.
pub fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a size on the screen: positive, and far below 2^32"
)]
fn pixels(length: f64) -> u32 {
    length.round() as u32
}
