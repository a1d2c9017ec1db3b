//! Drawing one histogram: bars, threshold, percentiles, and the words around them.

use super::{Histogram, Strip, alignment, decade};
use crate::axes::{self, Faces};
use crate::labels::Labels;
use crate::scene::{Align, Dash, Face, Frame, Point, Scene, faded};
use crate::{Scale, Theme, format, text};

/// How much a histogram says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// A row of a table.
    Row,
    /// A panel of its own.
    Full {
        /// Whether the threshold is named.
        threshold: bool,
        /// Whether the axis is drawn below.
        axis: bool,
    },
}

/// Room below the baseline of a row, for the marks of the percentiles.
const MARKS: f64 = 6.0;

/// Height of the words above and below the bars of a panel.
pub(crate) fn words_height(detail: Detail, faces: &Faces) -> f64 {
    match detail {
        Detail::Row => MARKS + 2.0,
        Detail::Full { axis, .. } => faces.line * if axis { 3.4 } else { 2.4 } + MARKS,
    }
}

/// Where the bars are; they stand on its lower edge.
pub(crate) fn bars(frame: &Frame, detail: Detail, faces: &Faces) -> Frame {
    let (above, below) = match detail {
        Detail::Row => (2.0, MARKS),
        Detail::Full { axis, .. } => (
            faces.line * 1.2,
            MARKS + faces.line * if axis { 2.2 } else { 1.2 },
        ),
    };
    let bottom = (frame.bottom - below).max(frame.top + above + 1.0);
    Frame::new(frame.left, frame.top + above, frame.right, bottom)
}

/// The numbers of the axis, centred on a height.
pub(crate) fn draw_axis(scene: &mut Scene, frame: &Frame, decades: usize, y: f64, faces: &Faces) {
    let last = decade(decades);
    // Every second decade, when all would touch.
    let room = frame.width() / decades as f64;
    let widest = text::width("100k", faces.small) + 6.0;
    let every = if room >= widest { 1 } else { 2 };
    for exponent in (0..=decades).step_by(every) {
        let label = decade(exponent);
        let half = text::width(&label, faces.small) / 2.0;
        let (x, align) = alignment(frame.left + room * exponent as f64, half, frame);
        let ends_with_unit = exponent + every > decades && frame.width() > 500.0;
        let label = if ends_with_unit && align == Align::Right {
            format!("{last} clicks")
        } else {
            label
        };
        scene.text(label, (x, y), align, faces.small);
    }
}

impl Strip<'_> {
    /// Draws the histogram into a frame.
    pub(crate) fn draw(
        &self,
        scene: &mut Scene,
        frame: Frame,
        detail: Detail,
        (faces, theme): (&Faces, &Theme),
    ) {
        let histogram = self.histogram();
        let bars = bars(&frame, detail, faces);
        for exponent in 0..=self.decades {
            let x = self.place(exponent as f64, &bars);
            axes::vertical(
                scene,
                &bars,
                x.min(bars.right - 0.5).max(bars.left + 0.5),
                theme,
            );
        }
        self.draw_bars(scene, &histogram, &bars, theme);
        let baseline = Frame::new(bars.left, bars.bottom, bars.right, bars.bottom + 1.0);
        scene.fill(baseline, faded(theme.muted, 0.7));
        // What stands below the baseline is placed by itself.
        let mut labels = Labels::within(Frame {
            bottom: bars.bottom,
            ..frame
        });
        self.take_bars(&histogram, &bars, &mut labels);
        self.draw_threshold(scene, &bars, detail, &mut labels, (faces, theme));
        self.draw_percentiles(scene, &bars, detail, (faces, theme));
        if let Detail::Full { axis, .. } = detail {
            self.draw_header(scene, &frame, &bars, &mut labels, (faces, theme));
            if axis {
                draw_axis(
                    scene,
                    &frame,
                    self.decades,
                    frame.bottom - faces.line * 0.55,
                    faces,
                );
            }
        }
        if detail != Detail::Row || bars.height() >= faces.line + 6.0 {
            self.draw_places(scene, &histogram, &bars, &mut labels, (faces, theme));
        }
    }

    /// The place of a value, given as its decimal logarithm.
    fn place(&self, decades: f64, bars: &Frame) -> f64 {
        let share = (decades / self.decades as f64).clamp(0.0, 1.0);
        bars.left + bars.width() * share
    }

    fn tallest(&self, histogram: &Histogram) -> f64 {
        let mut tallest = histogram.tallest();
        if let Some(band) = self.band {
            for cell in histogram.cells() {
                let high: f64 = cell.bins().filter_map(|bin| band.high.get(bin)).sum();
                tallest = tallest.max(cell.density(high));
            }
        }
        tallest
    }

    /// The height of a density, 0 to 1 of the tallest.
    fn rise(&self, density: f64, tallest: f64) -> f64 {
        if tallest <= 0.0 || density <= 0.0 {
            return 0.0;
        }
        match self.scale {
            Scale::Linear => density / tallest,
            Scale::Logarithmic => (1.0 + density).ln() / (1.0 + tallest).ln(),
        }
        .min(1.0)
    }

    fn height(&self, density: f64, tallest: f64, bars: &Frame) -> f64 {
        let height = self.rise(density, tallest) * bars.height();
        // A single write among thousands is still a write.
        if density > 0.0 { height.max(1.0) } else { 0.0 }
    }

    /// The middle of the top of a cell's bar.
    pub(crate) fn top_of(&self, histogram: &Histogram, cell: usize, bars: &Frame) -> Point {
        let tallest = self.tallest(histogram);
        let cell = histogram.cells()[cell];
        let (from, to) = cell.decades();
        let height = self.height(cell.density(cell.count() as f64), tallest, bars);
        (
            self.place(f64::midpoint(from, to), bars),
            bars.bottom - height,
        )
    }

    fn draw_bars(&self, scene: &mut Scene, histogram: &Histogram, bars: &Frame, theme: &Theme) {
        let tallest = self.tallest(histogram);
        let bin =
            bars.width() / (self.decades * subtable_model::statistics::BINS_PER_DECADE) as f64;
        // Bars that are narrow stand shoulder to shoulder: a gap between them would come and go with rounding.
        let gap = if bin >= 4.0 { 1.0 } else { 0.0 };
        for cell in histogram.cells().iter().filter(|cell| cell.count() > 0) {
            let (from, to) = cell.decades();
            let (left, right) = (self.place(from, bars), self.place(to, bars) - gap);
            let count = cell.count() as f64;
            let height = self.height(cell.density(count), tallest, bars);
            let local = height * cell.local as f64 / count;
            let split = bars.bottom - local;
            if cell.local > 0 {
                scene.fill(Frame::new(left, split, right, bars.bottom), theme.local);
            }
            if cell.remote > 0 {
                scene.fill(
                    Frame::new(left, bars.bottom - height, right, split),
                    theme.remote,
                );
            }
            if let Some(band) = self.band {
                let edge = |edge: &[f64]| {
                    let count = cell.bins().filter_map(|bin| edge.get(bin)).sum();
                    bars.bottom - self.height(cell.density(count), tallest, bars)
                };
                let x = f64::midpoint(left, right);
                let (low, high) = (edge(band.low), edge(band.high));
                if low - high >= 1.0 {
                    scene.fill(
                        Frame::new(x - 0.5, high, x + 0.5, low),
                        faded(theme.ink, 0.6),
                    );
                }
            }
        }
        if let Some(other) = self.other {
            let other = Histogram::new(&other.local_bins, &other.remote_bins, self.decades);
            self.draw_outline(scene, &other, bars, theme);
        }
    }

    /// The shape of another run's histogram, as tall as its own tallest bar.
    fn draw_outline(&self, scene: &mut Scene, other: &Histogram, bars: &Frame, theme: &Theme) {
        if other.total() == 0 {
            return;
        }
        let steps = other.cells().iter().flat_map(|cell| {
            let (from, to) = cell.decades();
            let density = cell.density(cell.count() as f64);
            let y = bars.bottom - self.height(density, other.tallest(), bars);
            [(self.place(from, bars), y), (self.place(to, bars), y)]
        });
        scene.path(steps, faded(theme.ink, 0.75), 1.0);
    }

    fn draw_threshold(
        &self,
        scene: &mut Scene,
        bars: &Frame,
        detail: Detail,
        labels: &mut Labels,
        (faces, theme): (&Faces, &Theme),
    ) {
        let decades = (self.threshold.max(1) as f64).log10();
        if decades > self.decades as f64 {
            return;
        }
        let x = self.place(decades, bars);
        let line = [(x, bars.top), (x, bars.bottom)];
        scene.dashes(&line, theme.ink, 1.0, Dash(3.0, 2.0));
        labels.take(Frame::new(x - 2.0, bars.top, x + 2.0, bars.bottom));
        if let Detail::Full {
            threshold: true, ..
        } = detail
        {
            let long = format!("threshold {}", format::grouped(self.threshold));
            let mut places = Vec::with_capacity(8);
            for row in 0..4 {
                let y = bars.top + faces.line * (0.5 + f64::from(row));
                places.push(((x + 4.0, y), Align::Left));
                places.push(((x - 4.0, y), Align::Right));
            }
            let short = format::short(self.threshold);
            if let Some(label) = labels.place(&[&long, &short], faces.small, &places) {
                label.draw(scene, faces.small);
            }
        }
    }

    /// Marks under the baseline: a triangle at the median, ticks at the 95th and 99th percentile. A panel says their
    /// values.
    fn draw_percentiles(
        &self,
        scene: &mut Scene,
        bars: &Frame,
        detail: Detail,
        (faces, theme): (&Faces, &Theme),
    ) {
        let all = &self.tmm.all;
        if all.n == 0 {
            return;
        }
        let place = |clicks: u32| self.place(f64::from(clicks.max(1)).log10(), bars);
        let top = bars.bottom + 1.0;
        for (clicks, width) in [(all.p95, 1.0), (all.p99, 2.0)] {
            let x = place(clicks);
            scene.fill(
                Frame::new(x - width / 2.0, top, x + width / 2.0, top + MARKS - 2.0),
                theme.ink,
            );
        }
        let x = place(all.p50);
        scene.polygon(
            [(x, top), (x + 3.5, top + 5.0), (x - 3.5, top + 5.0)],
            theme.ink,
        );
        if detail == Detail::Row {
            return;
        }
        let row = Frame::new(bars.left, top, bars.right, top + MARKS + faces.line * 1.2);
        let mut labels = Labels::within(row);
        let y = row.bottom - faces.line * 0.6;
        for (clicks, name) in [(all.p50, "p50"), (all.p99, "p99"), (all.p95, "p95")] {
            let x = place(clicks);
            let words = format!("{name} {}", format::grouped(clicks.into()));
            let half = text::width(&words, faces.small) / 2.0;
            let places = [
                ((x, y), Align::Centre),
                ((x + 4.0, y), Align::Right),
                ((x - 4.0, y), Align::Left),
                ((row.right, y), Align::Right),
                ((row.left, y), Align::Left),
            ];
            // Near an edge, only the places that are still close to the mark.
            let near = places.iter().filter(|((at, _), _)| (at - x).abs() <= half);
            let near: Vec<(Point, Align)> = near.copied().collect();
            if let Some(label) = labels.place(&[&words], faces.small, &near) {
                label.draw(scene, faces.small);
            }
        }
    }

    /// What is in the panel, and what was published of it.
    fn draw_header(
        &self,
        scene: &mut Scene,
        frame: &Frame,
        bars: &Frame,
        labels: &mut Labels,
        (faces, theme): (&Faces, &Theme),
    ) {
        let all = &self.tmm.all;
        let y = frame.top + faces.line * 0.55;
        let name = format!("TMM {}", self.number);
        let after = frame.left + text::width(&name, faces.bold) + 8.0;
        scene.text(name, (frame.left, y), Align::Left, faces.bold);
        let long = match all.n {
            0 => "no writes yet".to_owned(),
            n => format!(
                "{} writes, average {}",
                format::grouped(n),
                format::number(all.avg)
            ),
        };
        let short = format!("avg {}", format::number(all.avg));
        let places = [((after, y), Align::Left)];
        if let Some(label) = labels.place(&[&long, &short], faces.small, &places) {
            label.draw(scene, faces.small);
        }
        let Some(published) = self.published else {
            return;
        };
        let face = Face {
            ink: theme.published.into(),
            ..faces.small
        };
        let average = format!("published average {}", format::number(published.avg));
        let short = format!("published {}", format::number(published.avg));
        let places = [((frame.right, y), Align::Right)];
        if let Some(label) = labels.place(&[&average, &short], face, &places) {
            label.draw(scene, face);
        }
        let x = self.place(published.avg.max(1.0).log10(), bars);
        let line = [(x, bars.top), (x, bars.bottom)];
        // A strip of background keeps it apart from bars of whatever colour.
        let strip = Frame::new(x - 2.0, bars.top, x + 2.0, bars.bottom);
        scene.fill(strip, faded(theme.surface, 0.8));
        scene.dashes(&line, theme.published, 1.5, Dash(2.0, 2.0));
    }

    /// No words on bars.
    fn take_bars(&self, histogram: &Histogram, bars: &Frame, labels: &mut Labels) {
        let tallest = self.tallest(histogram);
        for cell in histogram.cells().iter().filter(|cell| cell.count() > 0) {
            let (from, to) = cell.decades();
            let height = self.height(cell.density(cell.count() as f64), tallest, bars);
            let (left, right) = (self.place(from, bars), self.place(to, bars));
            let top = bars.bottom - height - 1.0;
            labels.take(Frame::new(left, top, right, bars.bottom));
        }
    }

    /// The words `local` and `remote` beside their bars, where there is room.
    fn draw_places(
        &self,
        scene: &mut Scene,
        histogram: &Histogram,
        bars: &Frame,
        labels: &mut Labels,
        (faces, theme): (&Faces, &Theme),
    ) {
        let local: fn(&super::bins::Cell) -> u64 = |cell| cell.local;
        for (word, count, colour) in [
            ("local", local, theme.local),
            ("remote", |cell| cell.remote, theme.remote),
        ] {
            let share = histogram.cells().iter().map(count).sum::<u64>() as f64
                / histogram.total().max(1) as f64;
            // A word for what can hardly be seen would be larger than the thing.
            if share < 0.02 {
                continue;
            }
            let face = Face {
                ink: colour.into(),
                ..faces.plain
            };
            let places = self.beside(histogram, count, bars, faces);
            if let Some(label) = labels.place(&[word], face, &places) {
                label.draw(scene, face);
            }
        }
    }

    /// Places left and right of the median of what is counted, nearest first, at two heights.
    fn beside(
        &self,
        histogram: &Histogram,
        count: impl Fn(&super::bins::Cell) -> u64,
        bars: &Frame,
        faces: &Faces,
    ) -> Vec<(Point, Align)> {
        let half = histogram.cells().iter().map(&count).sum::<u64>() / 2;
        let mut before = 0;
        let middle = histogram.cells().iter().find(|cell| {
            before += count(cell);
            before > half
        });
        let middle = middle.map_or(0.0, |cell| {
            f64::midpoint(cell.decades().0, cell.decades().1)
        });
        let x = self.place(middle, bars);
        let mut places = Vec::with_capacity(64);
        for step in 1..24 {
            for y in [bars.top + faces.line * 0.5, bars.top + faces.line * 1.5] {
                let away = f64::from(step) * 6.0;
                places.push(((x + away, y), Align::Left));
                places.push(((x - away, y), Align::Right));
            }
        }
        places
    }
}
