//! One result over the values of one parameter, over many seeds.

use crate::axes::{self, Axis, Faces};
use crate::format;
use crate::scene::{Align, Dash, Frame, faded};
use crate::ticks::Ticks;
use crate::{
    Along, Chart, Entry, Hidden, Marks, Reading, Scale, Scene, Series, Size, Span, Table, Theme,
};

/// The result at one value of the parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The value.
    pub at: f64,
    /// Seeds that gave a result.
    pub seeds: usize,
    /// Below it lie 5 % of the seeds.
    pub low: f64,
    /// Half of the seeds lie below it.
    pub median: f64,
    /// Above it lie 5 % of the seeds.
    pub high: f64,
}

/// Median and 90 % band of a result against a parameter.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    /// The points, by value; those without a result are not numbers.
    pub points: &'a [Point],
    /// The parameter, with its unit.
    pub parameter: &'a str,
    /// The result, with its unit.
    pub result: &'a str,
    /// How the values of the parameter are spaced.
    pub along: Scale,
    /// The stretch of the parameter's axis that is shown: its values, or their decades when it is spaced by powers of ten;
    /// none is all of it.
    pub window: Option<Span>,
    /// How the results are spaced.
    pub scale: Scale,
    /// What is left out.
    pub hidden: Hidden,
}

struct Plot {
    frame: Frame,
    along: Axis,
    up: Axis,
    labels: Vec<(f64, String)>,
}

impl Sweep<'_> {
    fn known(&self) -> Vec<Point> {
        let known = self.points.iter().filter(|point| point.median.is_finite());
        let shown = self.shown();
        known
            .filter(|point| shown.is_none_or(|shown| shown.holds(self.measure(point.at))))
            .copied()
            .collect()
    }

    fn is_logarithmic_along(&self) -> bool {
        match (self.points.first(), self.points.last()) {
            (Some(first), Some(last)) => Self::logarithmic(self.along, first.at, last.at),
            _ => false,
        }
    }

    /// A value of the parameter in the measure of its axis.
    fn measure(&self, value: f64) -> f64 {
        if self.is_logarithmic_along() {
            value.log10()
        } else {
            value
        }
    }

    fn whole(&self) -> Option<Span> {
        let (first, last) = (self.points.first()?, self.points.last()?);
        Some(Span::new(self.measure(first.at), self.measure(last.at)))
    }

    fn shown(&self) -> Option<Span> {
        let window = self.window.filter(|window| window.is_proper());
        // The ends are values themselves, and rounding must not lose them.
        let wider = |span: Span| {
            let by = span.length() * 1e-9;
            Span::new(span.from - by, span.to + by)
        };
        window.or_else(|| self.whole()).map(wider)
    }

    /// Whether an axis can be logarithmic: from a positive value to a greater one.
    fn logarithmic(scale: Scale, least: f64, greatest: f64) -> bool {
        scale == Scale::Logarithmic && least > 0.0 && greatest > least
    }

    /// What is drawn of a point, from below to above.
    fn edges(&self, point: &Point) -> (f64, f64) {
        if self.hidden.hides(Series::Band) {
            (point.median, point.median)
        } else {
            (point.low, point.high)
        }
    }

    fn plot(&self, size: Size, faces: &Faces) -> Option<Plot> {
        let known = self.known();
        let shown = self.shown()?;
        let greatest = known
            .iter()
            .map(|point| self.edges(point).1)
            .fold(f64::NAN, f64::max);
        let least = known
            .iter()
            .map(|point| self.edges(point).0)
            .fold(f64::NAN, f64::min);
        if known.is_empty() {
            return None;
        }
        let top = faces.line * 1.7;
        let bottom = (size.height - faces.line * 2.5).max(top + 1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small positive number"
        )]
        let most = ((bottom - top) / (faces.line * 2.0)).clamp(2.0, 7.0) as usize;
        let (labels, from, to, up_log) = if Self::logarithmic(self.scale, least, greatest) {
            let (low, high) = (least.log10().floor(), greatest.log10().ceil());
            let high = high.max(low + 1.0);
            let labels = decades(low, high);
            (labels, 10_f64.powf(low), 10_f64.powf(high), true)
        } else {
            let top = if greatest > 0.0 { greatest } else { 1.0 };
            let to = Ticks::between(0.0, top, most).beyond(top);
            let ticks = Ticks::between(0.0, to, most);
            let labels = ticks
                .values()
                .map(|value| (value, ticks.label(value)))
                .collect();
            (labels, 0.0, to, false)
        };
        let labels: Vec<(f64, String)> = labels;
        let widest = labels
            .iter()
            .map(|(_, text)| crate::text::width(text, faces.small))
            .fold(0.0, f64::max);
        let left = widest + 10.0;
        let frame = Frame::new(left, top, (size.width - faces.line).max(left + 1.0), bottom);
        let up = if up_log {
            Axis::logarithmic(from, to, frame.bottom, frame.top)
        } else {
            Axis::linear(from, to, frame.bottom, frame.top)
        };
        let along = if self.is_logarithmic_along() {
            let ends = (10_f64.powf(shown.from), 10_f64.powf(shown.to));
            Axis::logarithmic(ends.0, ends.1, frame.left, frame.right)
        } else {
            Axis::linear(shown.from, shown.to, frame.left, frame.right)
        };
        Some(Plot {
            frame,
            along,
            up,
            labels,
        })
    }

    fn draw_axes(&self, scene: &mut Scene, plot: &Plot, faces: &Faces, theme: &Theme) {
        axes::labelled(scene, &plot.frame, (&plot.up, &plot.labels), faces, theme);
        let words = (plot.frame.left, faces.line * 0.7);
        scene.text(self.result, words, Align::Left, faces.small);
        // The values of the points themselves, as many as have room.
        let y = plot.frame.bottom + faces.line * 0.75;
        let mut taken = f64::NEG_INFINITY;
        let shown = self.shown();
        let in_sight = |value| shown.is_some_and(|shown| shown.holds(self.measure(value)));
        for point in self.points.iter().filter(|point| in_sight(point.at)) {
            let x = plot.along.place(point.at);
            let text = format::number(point.at);
            let half = crate::text::width(&text, faces.small) / 2.0;
            let centre = x.clamp(half, (plot.frame.right + faces.line - half).max(half));
            scene.fill(
                Frame::new(x - 0.5, plot.frame.bottom, x + 0.5, plot.frame.bottom + 3.0),
                theme.muted,
            );
            if centre - half > taken + 4.0 {
                taken = centre + half;
                scene.text(text, (centre, y), Align::Centre, faces.small);
            }
        }
        let words = (plot.frame.right, plot.frame.bottom + faces.line * 1.85);
        scene.text(self.parameter, words, Align::Right, faces.small);
    }
}

/// Powers of ten between two exponents.
#[expect(
    clippy::cast_possible_truncation,
    reason = "exponents of finite numbers"
)]
fn decades(low: f64, high: f64) -> Vec<(f64, String)> {
    let exponents = low as i32..=high as i32;
    exponents
        .map(|exponent| {
            let value = 10_f64.powi(exponent);
            (value, format::number(value))
        })
        .collect()
}

impl Chart for Sweep<'_> {
    fn title(&self) -> String {
        format!(
            "{} against {}: median and 90 % band at {} values",
            self.result,
            self.parameter,
            self.known().len()
        )
    }

    fn scene(&self, size: Size, theme: &Theme) -> Scene {
        let mut scene = Scene::new(size, theme);
        let faces = Faces::new(size.width, theme);
        let Some(plot) = self.plot(size, &faces) else {
            let whole = Frame::new(0.0, 0.0, size.width, size.height);
            axes::nothing(&mut scene, &whole, "no results yet", faces.small);
            return scene;
        };
        self.draw_axes(&mut scene, &plot, &faces, theme);
        let known = self.known();
        let line = |of: fn(&Point) -> f64| -> Vec<(f64, f64)> {
            let points = known.iter();
            points
                .map(|point| (plot.along.place(point.at), plot.up.place(of(point))))
                .collect()
        };
        let (low, median, high) = (line(|p| p.low), line(|p| p.median), line(|p| p.high));
        if !self.hidden.hides(Series::Band) {
            scene.polygon(
                high.iter().chain(low.iter().rev()).copied(),
                faded(theme.local, 0.18),
            );
            scene.dashes(&high, faded(theme.local, 0.5), 1.0, Dash(2.0, 3.0));
            scene.dashes(&low, faded(theme.local, 0.5), 1.0, Dash(2.0, 3.0));
            for (low, high) in low.iter().zip(&high) {
                let x = low.0;
                scene.fill(
                    Frame::new(x - 0.5, high.1, x + 0.5, low.1),
                    faded(theme.local, 0.6),
                );
            }
        }
        if !self.hidden.hides(Series::Median) {
            scene.path(median.iter().copied(), theme.local, 2.0);
            for at in &median {
                scene.disc(*at, 3.0, theme.local);
            }
        }
        scene
    }

    fn len(&self, _size: Size) -> usize {
        self.known().len()
    }

    fn nearest(&self, size: Size, x: f64, _y: f64) -> Option<usize> {
        let plot = self.plot(size, &Faces::new(size.width, &Theme::light()))?;
        let known = self.known();
        let distance = |point: &Point| (plot.along.place(point.at) - x).abs();
        (0..known.len()).min_by(|a, b| distance(&known[*a]).total_cmp(&distance(&known[*b])))
    }

    fn reading(&self, size: Size, number: usize) -> Option<Reading> {
        let plot = self.plot(size, &Faces::new(size.width, &Theme::light()))?;
        let point = *self.known().get(number)?;
        let x = plot.along.place(point.at);
        let (low, high) = self.edges(&point);
        let mut marks = Marks::default();
        for value in [point.median, low, high] {
            marks = marks.spot((x, plot.up.place(value)));
        }
        let y = plot.up.place(point.median);
        Some(Reading {
            x,
            y,
            text: format!(
                "{} {}: {} ({} to {}), {} seeds",
                self.parameter,
                format::number(point.at),
                format::number(point.median),
                format::number(point.low),
                format::number(point.high),
                point.seeds
            ),
            position: Some(self.measure(point.at)),
            marks: marks.down(&plot.frame, x).across(&plot.frame, y),
        })
    }

    fn along(&self, size: Size, _x: f64) -> Option<Along> {
        let faces = Faces::new(size.width, &Theme::light());
        let whole = self.whole().filter(|whole| whole.is_proper())?;
        // Where there is no point in sight, the axis is where it would be without its labels.
        let (start, end) = self
            .plot(size, &faces)
            .map_or((10.0, size.width - faces.line), |plot| {
                (plot.frame.left, plot.frame.right)
            });
        Some(Along {
            start,
            end,
            shown: self.window.map_or(whole, |window| window.within(whole)),
            whole,
        })
    }

    fn series(&self) -> Vec<Entry> {
        vec![
            Series::Median.entry("median", "local"),
            Series::Band.entry("90 % band", "local"),
        ]
    }

    fn table(&self, _size: Size) -> Table {
        let headers = [self.parameter, "seeds", "5 %", "median", "95 %"];
        let row = |point: &Point| {
            let figures = [point.low, point.median, point.high];
            let mut row = vec![point.at.to_string(), point.seeds.to_string()];
            row.extend(figures.map(|figure| {
                if figure.is_finite() {
                    figure.to_string()
                } else {
                    String::new()
                }
            }));
            row
        };
        Table {
            headers: headers.map(str::to_owned).into(),
            rows: self.points.iter().map(row).collect(),
        }
    }
}
