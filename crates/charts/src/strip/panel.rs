//! Drawing one histogram: bars, threshold, percentiles, and the words around them.

use super::{Histogram, Strip, axis};
use crate::axes::{self, Faces};
use crate::labels::Labels;
use crate::scene::{Align, Dash, Frame, Point, Scene, faded};
use crate::{Scale, Series, Theme, format, text};

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
        let widest = text::width("100k", faces.small) + 6.0;
        let lines = axis::marks(self.shown(), frame.width(), widest / 2.0);
        for clicks in lines {
            let x = self.place((clicks as f64).log10(), &bars);
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
        if let Detail::Full { axis: has_axis, .. } = detail {
            self.draw_header(scene, &frame, &bars, &mut labels, (faces, theme));
            if has_axis {
                axis::draw(
                    scene,
                    &frame,
                    self.shown(),
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
    pub(super) fn place(&self, decades: f64, bars: &Frame) -> f64 {
        let shown = self.shown();
        let share = ((decades - shown.from) / shown.length()).clamp(0.0, 1.0);
        bars.left + bars.width() * share
    }

    pub(super) fn tallest(&self, histogram: &Histogram) -> f64 {
        let mut tallest = histogram.tallest();
        if let Some(band) = self.band() {
            for cell in histogram.cells() {
                let high: f64 = cell.bins().filter_map(|bin| band.high.get(bin)).sum();
                tallest = tallest.max(cell.density(high));
            }
        }
        tallest
    }

    /// The band, unless it is left out.
    fn band(&self) -> Option<super::Band<'_>> {
        self.band.filter(|_| !self.hidden.hides(Series::Band))
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

    pub(super) fn height(&self, density: f64, tallest: f64, bars: &Frame) -> f64 {
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
            if let Some(band) = self.band() {
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
        if let Some(other) = self.other
            && !self.hidden.hides(Series::Other)
        {
            let other = Histogram::new(&other.local_bins, &other.remote_bins, self.decades)
                .in_sight(self.shown(), self.hidden);
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
        if !self.shown().holds(decades) {
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
        let decades = |clicks: u32| f64::from(clicks.max(1)).log10();
        let in_sight = |clicks: u32| self.shown().holds(decades(clicks));
        let place = |clicks: u32| self.place(decades(clicks), bars);
        let top = bars.bottom + 1.0;
        for (clicks, width) in [(all.p95, 1.0), (all.p99, 2.0)] {
            if !in_sight(clicks) {
                continue;
            }
            let x = place(clicks);
            scene.fill(
                Frame::new(x - width / 2.0, top, x + width / 2.0, top + MARKS - 2.0),
                theme.ink,
            );
        }
        if in_sight(all.p50) {
            let x = place(all.p50);
            scene.polygon(
                [(x, top), (x + 3.5, top + 5.0), (x - 3.5, top + 5.0)],
                theme.ink,
            );
        }
        if detail == Detail::Row {
            return;
        }
        let row = Frame::new(bars.left, top, bars.right, top + MARKS + faces.line * 1.2);
        let mut labels = Labels::within(row);
        let y = row.bottom - faces.line * 0.6;
        for (clicks, name) in [(all.p50, "p50"), (all.p99, "p99"), (all.p95, "p95")] {
            if !in_sight(clicks) {
                continue;
            }
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
}
