//! How long the client waits.

use std::fmt::Write as _;

use subtable_model::Snapshot;
use subtable_model::statistics::{BINS_PER_DECADE, Summary};

use crate::axes::{self, Axis, Faces};
use crate::labels::Labels;
use crate::scene::{Align, Dash, Frame, Scene, faded};
use crate::{Chart, Marks, Reading, Size, Table, Theme, format, strip, text};

/// The time from the intended start of a request to its reply: a histogram on a logarithmic axis, and percentiles.
///
/// In an open loop a request may start late, because no worker is free. The percentiles from sending, which do not count
/// that, are drawn below the others: how far they are apart is what a client hides that starts its clock late.
#[derive(Clone, Copy, Debug)]
pub struct Latency<'a> {
    /// The run.
    pub snapshot: &'a Snapshot,
}

/// A percentile: what it is called, and where it stands in a summary.
type Percentile = (&'static str, fn(&Summary) -> u32);

/// The percentiles of the table of the TMMs.
const PERCENTILES: [Percentile; 4] = [
    ("p50", |row| row.p50),
    ("p95", |row| row.p95),
    ("p99", |row| row.p99),
    ("max", |row| row.max),
];

impl<'a> Latency<'a> {
    /// The latency of a run.
    #[must_use]
    pub const fn new(snapshot: &'a Snapshot) -> Self {
        Self { snapshot }
    }

    /// Whether requests start at a rate of their own and some started late.
    #[must_use]
    pub fn starts_late(self) -> bool {
        self.snapshot.latency != self.snapshot.latency_from_sending
    }

    /// The kinds of latency that differ, each with its words.
    fn kinds(self) -> Vec<(&'static str, &'a Summary)> {
        let mut kinds = vec![("from the intended start", &self.snapshot.latency)];
        if self.starts_late() {
            kinds.push(("from sending", &self.snapshot.latency_from_sending));
        }
        kinds
    }

    /// The bins that hold requests, with their counts.
    fn filled(self) -> Vec<(usize, u32)> {
        let bins = self.snapshot.latency_bins.iter().copied().enumerate();
        bins.filter(|(_, count)| *count > 0).collect()
    }

    fn plot(self, size: Size, faces: &Faces) -> Option<Plot> {
        let filled = self.filled();
        let (first, last) = (filled.first()?.0, filled.last()?.0);
        let ends = self.kinds().into_iter().map(|(_, row)| row.max);
        let shortest = self.kinds().into_iter().map(|(_, row)| row.min).min()?;
        let from = (first / BINS_PER_DECADE).min(shortest.max(1).ilog10() as usize);
        let greatest = ends.max().unwrap_or(1).max(1).ilog10() as usize;
        let to = (last / BINS_PER_DECADE).max(greatest) + 1;
        let rows = self.kinds().len() as f64;
        let bottom = size.height - faces.line * 1.3;
        let top = (faces.line * (1.5 * rows + 0.4)).min(bottom - 1.0);
        let frame = Frame::new(8.0, top, (size.width - 8.0).max(9.0), bottom);
        let decade = |exponent: usize| 10_f64.powi(i32::try_from(exponent).unwrap_or(7));
        let tallest = filled.iter().map(|(_, count)| *count).max()?;
        Some(Plot {
            frame,
            along: Axis::logarithmic(decade(from), decade(to), frame.left, frame.right),
            decades: (from, to),
            tallest: f64::from(tallest),
        })
    }

    fn draw_axis(scene: &mut Scene, plot: &Plot, faces: &Faces, theme: &Theme) {
        let mut taken = f64::NEG_INFINITY;
        for exponent in plot.decades.0..=plot.decades.1 {
            let clicks = 10_f64.powi(i32::try_from(exponent).unwrap_or(7));
            let x = plot.along.place(clicks);
            axes::vertical(scene, &plot.frame, x, theme);
            let words = format::duration(clicks * 1e3);
            let half = text::width(&words, faces.small) / 2.0;
            let (at, align) = strip::alignment(x, half, &plot.frame);
            let left = match align {
                Align::Left => at,
                Align::Centre => at - half,
                Align::Right => at - 2.0 * half,
            };
            if left > taken + 4.0 {
                taken = left + 2.0 * half;
                let y = plot.frame.bottom + faces.line * 0.7;
                scene.text(words, (at, y), align, faces.small);
            }
        }
    }

    /// A row of marks over the histogram: one word at each percentile that has room.
    fn draw_percentiles(self, scene: &mut Scene, plot: &Plot, faces: &Faces, theme: &Theme) {
        let whole = Frame::new(0.0, 0.0, plot.frame.right + 8.0, plot.frame.bottom);
        for (row, (kind, summary)) in self.kinds().into_iter().enumerate() {
            let y = faces.line * (0.7 + 1.5 * row as f64);
            let mut labels = Labels::within(whole);
            let at_left = ((plot.frame.left, y), Align::Left);
            for (name, of) in PERCENTILES {
                let value = f64::from(of(summary));
                let x = plot.along.place(value.max(1.0));
                let foot = [(x, y + faces.line * 0.55), (x, plot.frame.bottom)];
                if row == 0 {
                    scene.dashes(&foot, faded(theme.ink, 0.6), 1.0, Dash(3.0, 2.0));
                } else {
                    let to = (x, y + faces.line * 0.85);
                    scene.path([foot[0], to], theme.muted, 1.0);
                }
                let long = format!("{name} {}", format::duration(value * 1e3));
                let places = [
                    ((x, y), Align::Centre),
                    ((x + 1.0, y), Align::Right),
                    ((x - 1.0, y), Align::Left),
                ];
                if let Some(label) = labels.place(&[&long, name], faces.plain, &places) {
                    label.draw(scene, faces.plain);
                }
            }
            let start = if kind.contains("intended") {
                "start"
            } else {
                "sending"
            };
            if let Some(label) = labels.place(&[kind, start], faces.small, &[at_left]) {
                label.draw(scene, faces.small);
            }
        }
    }
}

struct Plot {
    frame: Frame,
    along: Axis,
    /// The first and the last power of ten, in clicks.
    decades: (usize, usize),
    tallest: f64,
}

impl Plot {
    fn bar(&self, (bin, count): (usize, u32)) -> Frame {
        let place = |bin: usize| {
            let exponent = bin as f64 / BINS_PER_DECADE as f64;
            self.along.place(10_f64.powf(exponent))
        };
        let height = self.frame.height() * f64::from(count) / self.tallest;
        let top = self.frame.bottom - height.max(1.0);
        Frame::new(place(bin), top, place(bin + 1), self.frame.bottom)
    }
}

/// The least and the greatest clicks of a bin.
fn clicks(bin: usize) -> (u64, u64) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most 10^7, not negative"
    )]
    let least = |bin: usize| {
        let edge = 10_f64.powf(bin as f64 / BINS_PER_DECADE as f64);
        (edge - 1e-6).ceil() as u64
    };
    (least(bin), (least(bin + 1) - 1).max(least(bin)))
}

impl Chart for Latency<'_> {
    fn title(&self) -> String {
        let row = &self.snapshot.latency;
        if row.n == 0 {
            return "How long the client waits: no replies yet".to_owned();
        }
        let time = |clicks: u32| format::duration(f64::from(clicks) * 1e3);
        let mut title = format!(
            "How long the client waits, from the intended start of {} requests to their replies: half up to {}, 99 % up to {}",
            format::grouped(row.n),
            time(row.p50),
            time(row.p99),
        );
        if self.starts_late() {
            let sending = &self.snapshot.latency_from_sending;
            let _ = write!(
                title,
                "; from sending, half up to {}, 99 % up to {}",
                time(sending.p50),
                time(sending.p99)
            );
        }
        title
    }

    fn scene(&self, size: Size, theme: &Theme) -> Scene {
        let mut scene = Scene::new(size, theme);
        let faces = Faces::new(size.width, theme);
        let Some(plot) = self.plot(size, &faces) else {
            let whole = Frame::new(0.0, 0.0, size.width, size.height);
            axes::nothing(&mut scene, &whole, "no replies yet", faces.small);
            return scene;
        };
        Self::draw_axis(&mut scene, &plot, &faces, theme);
        for filled in self.filled() {
            scene.fill(plot.bar(filled), faded(theme.muted, 0.45));
        }
        self.draw_percentiles(&mut scene, &plot, &faces, theme);
        scene
    }

    fn len(&self, _size: Size) -> usize {
        self.filled().len()
    }

    fn nearest(&self, size: Size, x: f64, _y: f64) -> Option<usize> {
        let plot = self.plot(size, &Faces::new(size.width, &Theme::light()))?;
        let distance = |filled: &(usize, u32)| (plot.bar(*filled).centre().0 - x).abs();
        let filled = self.filled();
        (0..filled.len()).min_by(|a, b| distance(&filled[*a]).total_cmp(&distance(&filled[*b])))
    }

    fn reading(&self, size: Size, number: usize) -> Option<Reading> {
        let plot = self.plot(size, &Faces::new(size.width, &Theme::light()))?;
        let filled = *self.filled().get(number)?;
        let bar = plot.bar(filled);
        let (from, to) = clicks(filled.0);
        let time = |clicks: u64| format::duration(clicks as f64 * 1e3);
        let share = f64::from(filled.1) / self.snapshot.latency.n.max(1) as f64;
        Some(Reading {
            x: bar.centre().0,
            y: bar.top,
            text: format!(
                "{} to {}: {} requests, {}",
                time(from),
                time(to),
                format::grouped(filled.1.into()),
                format::percent(share),
            ),
            position: None,
            marks: Marks::default()
                .down(&plot.frame, bar.centre().0)
                .spot((bar.centre().0, bar.top)),
        })
    }

    fn table(&self, _size: Size) -> Table {
        let headers = [
            "clicks from",
            "requests",
            "least",
            "p50",
            "mean",
            "p95",
            "p99",
            "max",
        ];
        let both = [
            ("the intended start", &self.snapshot.latency),
            ("sending", &self.snapshot.latency_from_sending),
        ];
        let row = |(kind, row): (&str, &Summary)| {
            let mut cells = vec![kind.to_owned(), row.n.to_string()];
            cells.extend(format::times(row));
            cells
        };
        Table {
            headers: headers.map(str::to_owned).into(),
            rows: both.map(row).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use subtable_model::preset::Preset;

    use super::*;

    fn at_end(preset: &str) -> Snapshot {
        subtable_model::run(&Preset::find(preset).unwrap().scenario(), 1)
    }

    #[test]
    fn late_starts_show_in_one_latency_only() {
        let snapshot = at_end("late-starts");
        let latency = Latency::new(&snapshot);
        let p99 = |row: usize| {
            latency.table(Size::new(400.0, 190.0)).rows[row][6]
                .parse::<u64>()
                .unwrap()
        };
        assert!(p99(0) > 3 * p99(1), "{} {}", p99(0), p99(1));
        let svg = latency.svg(Size::new(600.0, 260.0), &Theme::light());
        assert!(svg.contains("from sending"), "{svg}");
    }

    #[test]
    fn a_closed_loop_has_one_latency() {
        let snapshot = at_end("published-discovered");
        let latency = Latency::new(&snapshot);
        assert!(!latency.starts_late());
        assert!(!latency.title().contains("sending"), "{}", latency.title());
        let readings = (0..latency.len(Size::new(600.0, 260.0)))
            .filter_map(|number| latency.reading(Size::new(600.0, 260.0), number));
        assert!(readings.count() > 3);
    }
}
