//! A scene as an SVG document.

use plotters::drawing::IntoDrawingArea;
use plotters_svg::SVGBackend;

use super::Scene;

/// plotters knows whole pixels only: an SVG is drawn that many times larger than it says it is.
const GRAIN: u32 = 16;
/// plotters-svg divides the size of a font by this.
const FONT_DIVISOR: f64 = 1.24;

impl Scene {
    /// The picture as an SVG document with a title.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a picture is smaller than 2^27 pixels, and not negative"
    )]
    pub fn svg(&self, title: &str) -> String {
        let (width, height) = (
            self.size.width.ceil().max(1.0) as u32,
            self.size.height.ceil().max(1.0) as u32,
        );
        let mut drawing = String::new();
        {
            let backend = SVGBackend::with_string(&mut drawing, (width * GRAIN, height * GRAIN));
            let area = backend.into_drawing_area();
            let drawn = self.draw_with(&area, f64::from(GRAIN), FONT_DIVISOR);
            // Writing to memory does not fail.
            debug_assert!(drawn.is_ok());
        }
        // The opening tag of plotters says the enlarged size and has no title.
        let shapes = drawing.split_once('>').map_or("", |(_, rest)| rest);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {} {}\" role=\"img\" stroke-linejoin=\"round\">\n<title>{}</title>{shapes}",
            width * GRAIN,
            height * GRAIN,
            escaped(title),
        )
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            // Not allowed in XML at all.
            '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' => {}
            other => escaped.push(other),
        }
    }
    escaped
}
