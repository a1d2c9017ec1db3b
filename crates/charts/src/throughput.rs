//! Writes per second over time.

mod curves;
mod marks;

use std::fmt::Write as _;

use subtable_model::Snapshot;
use subtable_model::preset::PublishedRate;

use crate::axes::{self, Axis, Faces};
use crate::format;
use crate::labels::Labels;
use crate::scene::{Align, Frame};
use crate::ticks::Ticks;
use crate::{Chart, Reading, Scale, Scene, Size, Table, Theme};
use curves::Rates;

/// A run whose rates are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What stands on its curve.
    pub label: &'a str,
    /// The run.
    pub snapshot: &'a Snapshot,
}

/// Rates of many seeds, in writes per second, at equal steps of time from the start of the run.
#[derive(Clone, Copy, Debug)]
pub struct Band<'a> {
    /// What the band is, for instance `90 % of 50 seeds`.
    pub label: &'a str,
    /// The step, in seconds.
    pub step_s: f64,
    /// Lower edge.
    pub low: &'a [f64],
    /// Middle.
    pub median: &'a [f64],
    /// Upper edge.
    pub high: &'a [f64],
}

/// Writes, log lines and dropped lines per second over simulated time.
///
/// The curve of the run has the colour of its writes: local when most are, else remote. Log lines are drawn where they
/// can be told from 0; the table has them always.
#[derive(Clone, Copy, Debug)]
pub struct Throughput<'a> {
    /// The run.
    pub run: Run<'a>,
    /// A run to compare it with, dashed.
    pub other: Option<Run<'a>>,
    /// Many seeds of the run.
    pub band: Option<Band<'a>>,
    /// Published rates of such a run.
    pub published: &'a [PublishedRate],
    /// How rates are spaced.
    pub scale: Scale,
    /// The stretch of time that is shown, in seconds; none is all of it.
    pub window: Option<(f64, f64)>,
    /// The moment that the reader has gone back to, in nanoseconds; what comes after it is drawn pale.
    pub now: Option<u64>,
    /// Whether log lines and dropped lines are shown, where there are any.
    pub log_lines: bool,
}

/// Decades at most of a logarithmic axis of rates.
const MOST_DECADES: i32 = 5;

impl<'a> Throughput<'a> {
    /// The rates of one run.
    #[must_use]
    pub const fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            run: Run {
                label: "this run",
                snapshot,
            },
            other: None,
            band: None,
            published: &[],
            scale: Scale::Linear,
            window: None,
            now: None,
            log_lines: true,
        }
    }

    /// The end of all curves, in seconds.
    #[must_use]
    pub fn end_s(&self) -> f64 {
        let band = self
            .band
            .map_or(0.0, |band| band.step_s * band.median.len() as f64);
        let other = self.other.map_or(0.0, |other| end_s(other.snapshot));
        end_s(self.run.snapshot).max(other).max(band)
    }

    fn shown(&self) -> (f64, f64) {
        let (from, to) = self.window.unwrap_or((0.0, self.end_s()));
        if to > from && from.is_finite() && to.is_finite() {
            (from, to)
        } else {
            (0.0, self.end_s())
        }
    }

    fn rates(&self, run: Run<'a>, width: f64) -> Rates {
        Rates::new(run.snapshot, self.shown(), width)
    }

    /// The greatest rate in sight.
    fn top(&self, runs: &[&Rates]) -> f64 {
        let (from, to) = self.shown();
        let mut top = runs.iter().map(|rates| rates.top()).fold(0.0, f64::max);
        if let Some(band) = self.band {
            for (index, high) in band.high.iter().enumerate() {
                let at = (index as f64 + 0.5) * band.step_s;
                if (from..=to).contains(&at) {
                    top = top.max(*high);
                }
            }
        }
        let published = self.published.iter();
        published
            .filter(|rate| from <= 0.0 || rate.at_records != Some(0))
            .map(|rate| rate.per_s)
            .fold(top, f64::max)
    }

    fn plot(&self, size: Size, faces: &Faces, top: f64, bottom: f64) -> Plot {
        let (from, to) = self.shown();
        let margin = faces.line * 0.6;
        let frame = |left: f64| {
            Frame::new(
                left,
                margin,
                (size.width - margin).max(left + 1.0),
                (size.height - faces.line * 1.3).max(margin + 1.0),
            )
        };
        // How many labels fit depends on the height alone, so the width of the labels can be known before the frame.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small positive number"
        )]
        let most = (frame(0.0).height() / (faces.line * 2.0)).clamp(2.0, 7.0) as usize;
        let (labels, from_rate, to_rate) = match self.scale {
            Scale::Linear => linear_labels(top, most),
            Scale::Logarithmic => logarithmic_labels(top, bottom),
        };
        let widest = labels
            .iter()
            .map(|(_, text)| crate::text::width(text, faces.small))
            .fold(0.0, f64::max);
        let frame = frame(widest + 8.0);
        let rate = match self.scale {
            Scale::Linear => Axis::linear(from_rate, to_rate, frame.bottom, frame.top),
            Scale::Logarithmic => Axis::logarithmic(from_rate, to_rate, frame.bottom, frame.top),
        };
        Plot {
            time: Axis::linear(from, to, frame.left, frame.right),
            rate,
            frame,
            labels,
        }
    }

    /// Rates and the frame to draw them in; none before the first stretch of time is over.
    fn layout(&self, size: Size, faces: &Faces) -> Option<(Rates, Option<Rates>, Plot)> {
        let run = self.rates(self.run, size.width);
        let other = self.other.map(|other| self.rates(other, size.width));
        let mut all = vec![&run];
        all.extend(&other);
        let top = self.top(&all);
        if top <= 0.0 {
            return None;
        }
        let bottom = all.iter().map(|rates| rates.least()).fold(top, f64::min);
        let plot = self.plot(size, faces, top, bottom);
        Some((run, other, plot))
    }
}

/// The end of a run's curve, in seconds.
fn end_s(snapshot: &Snapshot) -> f64 {
    curves::end(snapshot) as f64 / 1e9
}

/// Round rates from 0 to beyond the greatest; the highest says the unit.
fn linear_labels(top: f64, most: usize) -> (Vec<(f64, String)>, f64, f64) {
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
fn logarithmic_labels(top: f64, bottom: f64) -> (Vec<(f64, String)>, f64, f64) {
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
struct Plot {
    frame: Frame,
    time: Axis,
    rate: Axis,
    labels: Vec<(f64, String)>,
}

impl Plot {
    fn point(&self, time_s: f64, rate: f64) -> (f64, f64) {
        (self.time.place(time_s), self.rate.place(rate))
    }

    fn draw_axes(&self, scene: &mut Scene, (from, to): (f64, f64), faces: &Faces, theme: &Theme) {
        for (value, text) in &self.labels {
            let y = self.rate.place(*value);
            axes::horizontal(scene, &self.frame, y, theme);
            scene.text(
                text.as_str(),
                (self.frame.left - 6.0, y),
                Align::Right,
                faces.small,
            );
        }
        let (unit, name) = time_unit(to - from);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small positive number"
        )]
        let most = (self.frame.width() / (faces.small.size * 4.5)).clamp(2.0, 10.0) as usize;
        let ticks = Ticks::between(from / unit, to / unit, most);
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

impl Chart for Throughput<'_> {
    fn title(&self) -> String {
        let run = self.run.snapshot;
        let mut title = format!(
            "Writes per second over {} of simulated time; {} replies per second on average",
            format::duration(curves::end(run) as f64),
            format::number(run.replies_per_s()),
        );
        if let Some(other) = self.other {
            let _ = write!(
                title,
                "; compared with {}: {}",
                other.label,
                format::number(other.snapshot.replies_per_s())
            );
        }
        title
    }

    fn scene(&self, size: Size, theme: &Theme) -> Scene {
        let mut scene = Scene::new(size, theme);
        let faces = Faces::new(size.width, theme);
        let whole = Frame::new(0.0, 0.0, size.width, size.height);
        let Some((run, other, plot)) = self.layout(size, &faces) else {
            axes::nothing(&mut scene, &whole, "no writes yet", faces.small);
            return scene;
        };
        plot.draw_axes(&mut scene, self.shown(), &faces, theme);
        let mut labels = Labels::within(Frame::new(
            plot.frame.left + 2.0,
            0.0,
            size.width,
            plot.frame.bottom - 1.0,
        ));
        let lines = self.draw_curves(&mut scene, &plot, &run, other.as_ref(), theme);
        for line in &lines {
            labels.avoid(&line.points);
        }
        self.draw_published(&mut scene, &plot, &run, &mut labels, (&faces, theme));
        self.draw_now(&mut scene, &plot, &mut labels, (&faces, theme));
        curves::label(&mut scene, &plot, &lines, &mut labels, &faces);
        self.draw_events(&mut scene, &plot, &mut labels, (&faces, theme));
        scene
    }

    fn len(&self, size: Size) -> usize {
        let faces = Faces::new(size.width, &Theme::light());
        self.layout(size, &faces).map_or(0, |(run, ..)| run.len())
    }

    fn nearest(&self, size: Size, x: f64, _y: f64) -> Option<usize> {
        let faces = Faces::new(size.width, &Theme::light());
        let (run, _, plot) = self.layout(size, &faces)?;
        run.nearest(plot.time.value(x))
    }

    fn reading(&self, size: Size, number: usize) -> Option<Reading> {
        let faces = Faces::new(size.width, &Theme::light());
        let (run, other, plot) = self.layout(size, &faces)?;
        let stretch = run.get(number)?;
        let (x, y) = plot.point(stretch.at_s, stretch.writes);
        let mut text = format!(
            "{}: {} writes/s",
            format::duration(stretch.at_s * 1e9),
            format::number(stretch.writes)
        );
        for (rate, what) in [
            (stretch.lines, "log lines/s"),
            (stretch.dropped, "dropped/s"),
        ] {
            if rate > 0.0 {
                let _ = write!(text, ", {} {what}", format::number(rate));
            }
        }
        if let (Some(rates), Some(run)) = (other, self.other)
            && let Some(there) = rates
                .nearest(stretch.at_s)
                .and_then(|index| rates.get(index))
        {
            let _ = write!(text, "; {}: {}", run.label, format::number(there.writes));
        }
        Some(Reading { x, y, text })
    }

    fn table(&self) -> Table {
        curves::table(self)
    }
}
