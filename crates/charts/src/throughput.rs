//! Writes per second over time.

mod curves;
mod marks;
mod plot;
mod values;

use std::fmt::Write as _;

use subtable_model::Snapshot;
use subtable_model::preset::PublishedRate;

use crate::axes::{self, Axis, Faces};
use crate::format;
use crate::labels::Labels;
use crate::scene::Frame;
use crate::{Along, Chart, Entry, Hidden, Reading, Scale, Scene, Series, Size, Span, Table, Theme};
use curves::Rates;
use plot::{Plot, linear_labels, logarithmic_labels};

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
    pub window: Option<Span>,
    /// The moment that the reader has gone back to, in nanoseconds; what comes after it is drawn pale.
    pub now: Option<u64>,
    /// What is left out.
    pub hidden: Hidden,
}

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
            hidden: Hidden::NOTHING,
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

    fn whole(&self) -> Span {
        Span::new(0.0, self.end_s())
    }

    fn shown(&self) -> Span {
        self.window
            .filter(|window| window.is_proper())
            .unwrap_or_else(|| self.whole())
    }

    fn rates(&self, run: Run<'a>, width: f64) -> Rates {
        Rates::new(run.snapshot, self.shown(), width)
    }

    fn shows(&self, series: Series) -> bool {
        !self.hidden.hides(series)
    }

    /// The run to compare with, unless it is left out.
    fn other(&self) -> Option<Run<'a>> {
        self.other.filter(|_| self.shows(Series::Other))
    }

    /// The band, unless it is left out.
    fn band(&self) -> Option<Band<'a>> {
        self.band.filter(|_| self.shows(Series::Band))
    }

    /// The published rates, unless they are left out.
    fn published(&self) -> &'a [PublishedRate] {
        if self.shows(Series::Published) {
            self.published
        } else {
            &[]
        }
    }

    /// The greatest rate in sight.
    fn top(&self, run: &Rates, other: Option<&Rates>) -> f64 {
        let shown = self.shown();
        let other = other.map_or(0.0, |rates| rates.top(Hidden::NOTHING));
        let mut top = run.top(self.hidden).max(other);
        if let Some(band) = self.band() {
            for (index, high) in band.high.iter().enumerate() {
                if shown.holds((index as f64 + 0.5) * band.step_s) {
                    top = top.max(*high);
                }
            }
        }
        self.published()
            .iter()
            .filter(|rate| shown.from <= 0.0 || rate.at_records != Some(0))
            .map(|rate| rate.per_s)
            .fold(top, f64::max)
    }

    fn plot(&self, size: Size, faces: &Faces, top: f64, bottom: f64) -> Plot {
        let shown = self.shown();
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
            time: Axis::linear(shown.from, shown.to, frame.left, frame.right),
            rate,
            frame,
            labels,
        }
    }

    /// Rates and the frame to draw them in; none before the first stretch of time is over.
    fn layout(&self, size: Size, faces: &Faces) -> Option<(Rates, Option<Rates>, Plot)> {
        let run = self.rates(self.run, size.width);
        let other = self.other().map(|other| self.rates(other, size.width));
        let top = self.top(&run, other.as_ref());
        if top <= 0.0 {
            return None;
        }
        let least = |rates: &Rates| rates.least(Hidden::NOTHING);
        let bottom = run.least(self.hidden);
        let bottom = other.as_ref().map_or(top, least).min(bottom).min(top);
        let plot = self.plot(size, faces, top, bottom);
        Some((run, other, plot))
    }
}

/// The end of a run's curve, in seconds.
fn end_s(snapshot: &Snapshot) -> f64 {
    curves::end(snapshot) as f64 / 1e9
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
            let words = if self.run.snapshot.replies > 0 {
                "nothing here"
            } else {
                "no writes yet"
            };
            axes::nothing(&mut scene, &whole, words, faces.small);
            return scene;
        };
        plot.draw_axes(&mut scene, self.shown(), &faces, theme);
        let mut labels = Labels::within(Frame::new(
            plot.frame.left + 2.0,
            0.0,
            size.width,
            plot.frame.bottom - 1.0,
        ));
        let lines = self.draw_curves(&mut scene, &plot, (&run, other.as_ref()), theme);
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
        Some(self.read(&run, other.as_ref(), &plot, run.get(number)?))
    }

    fn follow(&self, size: Size, position: f64) -> Option<Reading> {
        let faces = Faces::new(size.width, &Theme::light());
        let (run, other, plot) = self.layout(size, &faces)?;
        let nearest = run.nearest(position)?;
        Some(self.read(&run, other.as_ref(), &plot, run.get(nearest)?))
    }

    fn along(&self, size: Size, _x: f64) -> Option<Along> {
        let faces = Faces::new(size.width, &Theme::light());
        // An empty stretch can be left again, too.
        let plot = self.plot(size, &faces, 1.0, 1.0);
        let frame = self
            .layout(size, &faces)
            .map_or(plot.frame, |(.., plot)| plot.frame);
        self.whole().is_proper().then(|| Along {
            start: frame.left,
            end: frame.right,
            shown: self.shown(),
            whole: self.whole(),
        })
    }

    fn series(&self) -> Vec<Entry> {
        let log = &self.run.snapshot.log;
        let name = match self.other {
            Some(_) => self.run.label,
            None => "writes/s",
        };
        let own = curves::colour_name(self.run.snapshot);
        let mut series = vec![Series::Writes.entry(name, own)];
        if log.lines > 0 {
            series.push(Series::LogLines.entry("log lines/s", "log"));
        }
        if log.dropped > 0 {
            series.push(Series::Dropped.entry("dropped/s", "log"));
        }
        if let Some(other) = self.other {
            let colour = curves::colour_name(other.snapshot);
            series.push(Series::Other.entry(other.label, colour));
        }
        if self.band.is_some() {
            series.push(Series::Band.entry("median and band", own));
        }
        if !self.published.is_empty() {
            series.push(Series::Published.entry("published", "published"));
        }
        series
    }

    fn table(&self, size: Size) -> Table {
        values::table(self, size.width)
    }
}
