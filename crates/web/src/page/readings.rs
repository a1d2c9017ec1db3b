//! Values of a chart under the pointer, or one after the other by keys.

use subtable_charts::{Chart, Reading, Size};
use web_sys::HtmlCanvasElement;

use super::header;
use crate::dom;

/// Which picture a reading is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// A large chart, by the name of its view.
    Chart(String),
    /// The strip of a TMM.
    Strip(usize),
}

/// What the reader asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ask {
    /// The value nearest to a place, in CSS pixels.
    At(f64, f64),
    /// The value that many after the present one.
    Step(isize),
    /// The first.
    First,
    /// The last.
    Last,
}

/// The value that is shown, if any.
#[derive(Default)]
pub struct Readings {
    shown: Option<(Picture, usize)>,
    /// What was asked by the pointer: asked again when the picture has changed.
    asked: Option<Ask>,
}

impl Readings {
    /// The picture whose value is shown, and what to ask again for when it has changed.
    pub fn present(&self) -> Option<(Picture, Ask)> {
        let (picture, _) = self.shown.as_ref()?;
        Some((picture.clone(), self.asked.unwrap_or(Ask::Step(0))))
    }

    /// Finds the value that was asked for and shows it beside its place.
    pub fn show(
        &mut self,
        picture: Picture,
        ask: Ask,
        chart: &dyn Chart,
        size: Size,
        canvas: &HtmlCanvasElement,
    ) {
        let count = chart.len(size);
        let present = match &self.shown {
            Some((shown, number)) if *shown == picture => Some(*number),
            _ => None,
        };
        let number = match ask {
            Ask::At(x, y) => chart.nearest(size, x, y),
            Ask::First => (count > 0).then_some(0),
            Ask::Last => count.checked_sub(1),
            Ask::Step(by) => present
                .map_or(Some(0), |number| number.checked_add_signed(by))
                .map(|number| number.min(count.saturating_sub(1)))
                .or(present)
                .filter(|_| count > 0),
        };
        let found = number.and_then(|number| Some((number, chart.reading(size, number)?)));
        let Some((number, reading)) = found else {
            return self.hide();
        };
        let by_keys = !matches!(ask, Ask::At(..));
        if by_keys && self.shown.as_ref() != Some(&(picture.clone(), number)) {
            header::speak(&reading.text);
        }
        self.asked = (!by_keys).then_some(ask);
        self.shown = Some((picture, number));
        place(&reading, canvas);
    }

    /// Takes the value away.
    pub fn hide(&mut self) {
        if self.shown.take().is_some() {
            dom::get("reading").set_hidden(true);
            dom::get("spot").set_hidden(true);
        }
    }
}

/// Puts the text beside the place, inside the window.
fn place(reading: &Reading, canvas: &HtmlCanvasElement) {
    const BESIDE: f64 = 12.0;
    let frame = canvas.get_bounding_client_rect();
    let (x, y) = (frame.left() + reading.x, frame.top() + reading.y);
    let (text, spot) = (dom::get("reading"), dom::get("spot"));
    dom::set_text(&text, &reading.text);
    text.set_hidden(false);
    spot.set_hidden(false);
    let window = dom::root();
    let (width, height) = (
        f64::from(text.offset_width()),
        f64::from(text.offset_height()),
    );
    let most_left = (f64::from(window.client_width()) - width - 4.0).max(4.0);
    let left = if x + BESIDE + width < f64::from(window.client_width()) {
        x + BESIDE
    } else {
        x - BESIDE - width
    };
    let above = y - height - 8.0;
    let top = if above > 4.0 { above } else { y + BESIDE };
    for (element, left, top) in [(&text, left.clamp(4.0, most_left), top), (&spot, x, y)] {
        let style = element.style();
        let _ = style.set_property("left", &format!("{left:.1}px"));
        let _ = style.set_property("top", &format!("{top:.1}px"));
    }
}
