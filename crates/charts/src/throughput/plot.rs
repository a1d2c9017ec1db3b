//! The frame of the curves, and what its sides mean.

use crate::axes::{self, Axis, Faces};
use crate::format;
use crate::scene::{Align, Frame, Scene};
use crate::ticks::Ticks;
use crate::{Span, Theme};

/// Decades at most of a logarithmic axis of rates.
const MOST_DECADES: i32 = 5;

/// Round rates from 0 to beyond the greatest; the highest says the unit.
pub(super) fn linear_labels(top: f64, most: usize) -> (Vec<(f64, String)>, f64, f64) {
    let ticks = Ticks::between(0.0, top, most);
    let to = ticks.beyond(top);
    let ticks = Ticks::between(0.0, to, most.max(2));
    let mut labels: Vec<(f64, String)> = ticks
        .values()
        .map(|value| (value, ticks.label(value)))
        .collect();
    if let Some((_, text)) = labels.last_mut() {
        text.push_str("/s");
    }
    (labels, 0.0, to)
}

/// Powers of ten around the rates.
#[expect(clippy::cast_possible_truncation, reason = "an exponent below 310")]
pub(super) fn logarithmic_labels(top: f64, bottom: f64) -> (Vec<(f64, String)>, f64, f64) {
    let high = (top.log10() - 1e-9).ceil() as i32;
    let low = ((bottom.log10() + 1e-9).floor() as i32).clamp(high - MOST_DECADES, high - 1);
    // Few decades have room for what is between them.
    let multiples: &[f64] = if high - low <= 2 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0]
    };
    let top = 10_f64.powi(high);
    let mut labels: Vec<(f64, String)> = (low..=high)
        .flat_map(|exponent| multiples.iter().map(move |by| by * 10_f64.powi(exponent)))
        .filter(|value| *value <= top)
        .map(|value| (value, format::number(value)))
        .collect();
    if let Some((_, text)) = labels.last_mut() {
        text.push_str("/s");
    }
    (labels, 10_f64.powi(low), top)
}

/// The frame of the curves and what its sides mean.
pub(super) struct Plot {
    pub frame: Frame,
    pub time: Axis,
    pub rate: Axis,
    pub labels: Vec<(f64, String)>,
}

impl Plot {
    pub fn point(&self, time_s: f64, rate: f64) -> (f64, f64) {
        (self.time.place(time_s), self.rate.place(rate))
    }

    pub fn draw_axes(&self, scene: &mut Scene, shown: Span, faces: &Faces, theme: &Theme) {
        axes::labelled(scene, &self.frame, (&self.rate, &self.labels), faces, theme);
        let (unit, name) = time_unit(shown.length());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small positive number"
        )]
        let most = (self.frame.width() / (faces.small.size * 4.5)).clamp(2.0, 10.0) as usize;
        let ticks = Ticks::between(shown.from / unit, shown.to / unit, most);
        let count = ticks.values().len();
        let y = self.frame.bottom + faces.line * 0.75;
        for (index, value) in ticks.values().enumerate() {
            let x = self.time.place(value * unit);
            scene.fill(
                Frame::new(x - 0.5, self.frame.bottom, x + 0.5, self.frame.bottom + 3.0),
                theme.muted,
            );
            let text = if index + 1 == count {
                format!("{} {name}", ticks.label(value))
            } else {
                ticks.label(value)
            };
            // The labels at the ends are pulled in: they are not cut off, nor under the 0 of the other axis.
            let half = crate::text::width(&text, faces.small) / 2.0;
            let x = x
                .max(self.frame.left - 4.0 + half)
                .min(self.frame.right + faces.line * 0.5 - half);
            scene.text(text, (x, y), Align::Centre, faces.small);
        }
    }
}

/// The unit of a time axis of that many seconds: its length in seconds, and its name.
fn time_unit(span_s: f64) -> (f64, &'static str) {
    if span_s < 2e-3 {
        (1e-6, "µs")
    } else if span_s < 2.0 {
        (1e-3, "ms")
    } else {
        (1.0, "s")
    }
}
