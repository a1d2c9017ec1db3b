//! How the reader has set the charts: what is left out, how values are spaced, which stretch of an axis is shown.

use subtable_charts::{Hidden, Scale, Series, Span};

use super::header;
use crate::{dom, words};

/// An axis that can be zoomed; charts that share one are zoomed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Simulated time, in seconds.
    Time,
    /// Clicks of a write, in decades.
    Clicks,
    /// The parameter of a sweep.
    Parameter,
}

impl Axis {
    const ALL: [Self; 3] = [Self::Time, Self::Clicks, Self::Parameter];

    /// The axis of a view.
    pub fn of(view: &str) -> Option<Self> {
        match view {
            "throughput" => Some(Self::Time),
            "histograms" | "table" => Some(Self::Clicks),
            "sweep" => Some(Self::Parameter),
            _ => None,
        }
    }

    /// A stretch of it in words.
    pub fn words(self, span: Span) -> String {
        let value = |value: f64| match self {
            Self::Time => subtable_charts::format::duration(value * 1e9),
            Self::Clicks => format!("{} clicks", words::mean(10_f64.powf(value))),
            Self::Parameter => words::mean(value),
        };
        format!("{} to {}", value(span.from), value(span.to))
    }
}

/// The views that can be set; the strips are set with the large histograms.
const VIEWS: [&str; 5] = ["cluster", "throughput", "histograms", "time", "sweep"];

fn place(view: &str) -> usize {
    let view = if view == "table" { "histograms" } else { view };
    VIEWS.iter().position(|one| *one == view).unwrap_or(0)
}

/// What the reader has set.
#[derive(Clone, Debug, Default)]
pub struct Looks {
    zoom: [Option<Span>; Axis::ALL.len()],
    hidden: [Hidden; VIEWS.len()],
    scale: [Scale; VIEWS.len()],
}

impl Looks {
    /// The stretch of an axis that is shown; none when it is all of it.
    pub const fn zoom(&self, axis: Axis) -> Option<Span> {
        self.zoom[axis as usize]
    }

    /// Shows a stretch of an axis, or all of it. The buttons that go back are there when there is anything to go back from.
    pub fn set_zoom(&mut self, axis: Axis, span: Option<Span>) {
        self.zoom[axis as usize] = span;
        for button in dom::all(&dom::get("views"), "[data-unzoom]") {
            let of = button.dataset().get("unzoom").unwrap_or_default();
            if Axis::of(&of) == Some(axis) {
                button.set_hidden(span.is_none());
            }
        }
    }

    /// Shows all of every axis: what is shown next has other axes.
    pub fn zoom_out(&mut self) {
        for axis in Axis::ALL {
            if self.zoom(axis).is_some() {
                self.set_zoom(axis, None);
            }
        }
    }

    /// What is left out of a view.
    pub fn hidden(&self, view: &str) -> Hidden {
        self.hidden[place(view)]
    }

    /// Leaves something out of a view, or puts it back.
    pub fn toggle(&mut self, view: &str, series: Series) {
        self.hidden[place(view)].toggle(series);
    }

    /// How the values of a view are spaced.
    pub fn scale(&self, view: &str) -> Scale {
        self.scale[place(view)]
    }

    /// Spaces the values of a view in the other way.
    pub fn turn_scale(&mut self, view: &str) {
        let scale = &mut self.scale[place(view)];
        *scale = scale.other();
        header::speak(match scale {
            Scale::Linear => "linear scale",
            Scale::Logarithmic => "logarithmic scale",
        });
    }

    /// Whether a view has values that can be spaced in two ways.
    pub fn has_scale(view: &str) -> bool {
        Axis::of(view).is_some()
    }
}
