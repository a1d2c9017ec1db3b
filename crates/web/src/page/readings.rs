//! Values of a chart under the pointer, or one after the other by keys.

use subtable_charts::{Chart, Reading, Size};
use web_sys::{HtmlCanvasElement, HtmlElement};

use super::charts::overlay;
use super::looks::Axis;
use crate::dom;

/// Which picture a reading is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// A large chart, by the name of its view.
    Chart(String),
    /// The strip of a TMM.
    Strip(usize),
}

impl Picture {
    /// The axis that it shares with others.
    pub fn axis(&self) -> Option<Axis> {
        match self {
            Self::Chart(view) => Axis::of(view),
            Self::Strip(_) => Some(Axis::Clicks),
        }
    }
}

/// What the reader asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ask {
    /// The value nearest to a place, in CSS pixels.
    At(f64, f64),
    /// The value nearest to a position on the chart's axis.
    Near(f64),
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
    position: Option<f64>,
    /// What was asked by the pointer: asked again when the picture has changed.
    asked: Option<Ask>,
    /// What lies over charts at the moment.
    overlays: Vec<HtmlElement>,
}

impl Readings {
    /// The picture whose value is shown, and what to ask again for when it has changed.
    pub fn present(&self) -> Option<(Picture, Ask)> {
        let (picture, _) = self.shown.as_ref()?;
        let by_keys = || self.position.map_or(Ask::Step(0), Ask::Near);
        Some((picture.clone(), self.asked.unwrap_or_else(by_keys)))
    }

    /// Where the crosshair is on the axis of its chart.
    pub const fn position(&self) -> Option<f64> {
        self.position
    }

    /// Whether keys brought the value, not a pointer.
    pub const fn is_by_keys(&self) -> bool {
        self.shown.is_some() && self.asked.is_none()
    }

    /// Finds the value that was asked for, and shows the crosshair on its chart. Also says whether it is another than
    /// before.
    pub fn find(
        &mut self,
        picture: &Picture,
        ask: Ask,
        chart: &dyn Chart,
        size: Size,
        canvas: &HtmlCanvasElement,
    ) -> Option<(Reading, bool)> {
        let count = chart.len(size);
        let present = match &self.shown {
            Some((shown, number)) if shown == picture => Some(*number),
            _ => None,
        };
        let number = match ask {
            Ask::At(x, y) => chart.nearest(size, x, y),
            Ask::Near(position) => near(chart, size, position),
            Ask::First => (count > 0).then_some(0),
            Ask::Last => count.checked_sub(1),
            Ask::Step(by) => present
                .map_or(Some(0), |number| number.checked_add_signed(by))
                .map(|number| number.min(count.saturating_sub(1)))
                .or(present)
                .filter(|_| count > 0),
        };
        let number = number?;
        let reading = chart.reading(size, number)?;
        let is_other = self.shown.as_ref() != Some(&(picture.clone(), number));
        self.asked = matches!(ask, Ask::At(..)).then_some(ask);
        self.position = reading.position;
        self.shown = Some((picture.clone(), number));
        self.mark(canvas, &reading);
        Some((reading, is_other))
    }

    /// Shows a crosshair over a chart.
    pub fn mark(&mut self, canvas: &HtmlCanvasElement, reading: &Reading) {
        let overlay = overlay::show(canvas, &reading.marks);
        self.keep(overlay);
    }

    /// Remembers that something lies over a chart.
    pub fn keep(&mut self, overlay: HtmlElement) {
        if !self.overlays.contains(&overlay) {
            self.overlays.push(overlay);
        }
    }

    /// Takes the value away.
    pub fn hide(&mut self) {
        self.clear();
        self.position = None;
        if self.shown.take().is_some() {
            dom::get("reading").set_hidden(true);
        }
    }

    /// Takes away what lies over charts.
    pub fn clear(&mut self) {
        for overlay in self.overlays.drain(..) {
            overlay.set_text_content(None);
        }
    }
}

/// The value of a chart that is nearest to a position on its axis. Values are in its order.
fn near(chart: &dyn Chart, size: Size, position: f64) -> Option<usize> {
    let along = chart.along(size, 0.0)?;
    let value = position.clamp(along.shown.from, along.shown.to);
    let distance = |number: usize| {
        let position = chart.reading(size, number).and_then(|there| there.position);
        position.map_or(f64::INFINITY, |there| (there - value).abs())
    };
    let nearest = chart.nearest(size, along.place(value)?, size.height / 2.0)?;
    // Where there are several charts in one picture, the place alone does not say which.
    distance(nearest).is_finite().then_some(nearest)
}

/// Says what a value is, where no data are: over the title of its card, and for strips over the verdict below them, or at
/// the foot of a small window.
pub fn tell(text: &str, canvas: &HtmlCanvasElement, strip: bool) {
    let told = dom::get("reading");
    dom::set_text(&told, text);
    let place = if !strip {
        let card = canvas.closest(".card").ok().flatten();
        card.and_then(|card| card.query_selector("header").ok().flatten())
    } else if dom::is_narrow() {
        dom::document().body().map(Into::into)
    } else {
        dom::document().query_selector(".foot").ok().flatten()
    };
    if let Some(place) = place
        && told.parent_element().as_ref() != Some(&place)
    {
        dom::append(&place, &[&told]);
    }
    told.set_hidden(false);
}
