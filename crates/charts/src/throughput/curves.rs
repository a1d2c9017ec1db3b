//! From counts to rates, and the curves of them.

use subtable_model::Snapshot;
use subtable_model::series::Bin;

use super::plot::Plot;
use super::{Band, Throughput};
use crate::axes::Faces;
use crate::labels::{Labels, around};
use crate::scene::{Align, Dash, Face, Ink, Point, Scene, faded};
use crate::{Hidden, Series, Span, Theme};

/// Pixels of width to a stretch of time: fewer make a noisy curve, more a coarse one.
const PIXELS_TO_STRETCH: f64 = 4.0;
/// Writes to a stretch of time, on average: the rate of a handful says more about luck than about the cluster.
const WRITES_TO_STRETCH: u64 = 40;
/// Stretches of a run that has hardly begun.
const FEWEST: u64 = 12;

/// A curve that never rises this far above the axis is not drawn, in CSS pixels.
const FLAT: f64 = 3.0;

/// Rates at one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    /// Middle of the stretch, in seconds.
    pub at_s: f64,
    /// Writes per second.
    pub writes: f64,
    /// Log lines taken per second.
    pub lines: f64,
    /// Log lines dropped per second.
    pub dropped: f64,
}

/// The rates of a run, stretch by stretch, over the time that is shown.
#[derive(Clone, Debug)]
pub(super) struct Rates(Vec<Stretch>);

/// When a run's curve ends, in nanoseconds: a finished run with its last reply.
pub(super) fn end(snapshot: &Snapshot) -> u64 {
    if snapshot.finished && snapshot.last_reply > 0 {
        snapshot.last_reply
    } else {
        snapshot.now
    }
}

impl Stretch {
    /// One of the rates.
    pub const fn rate(&self, series: Series) -> f64 {
        match series {
            Series::LogLines => self.lines,
            Series::Dropped => self.dropped,
            _ => self.writes,
        }
    }
}

impl Rates {
    pub fn new(snapshot: &Snapshot, window: Span, width: f64) -> Self {
        let end = end(snapshot);
        // A run that is shown in part is cut more finely.
        let share = (window.length() / (end as f64 / 1e9)).clamp(1e-3, 1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 1024"
        )]
        let most = ((width / PIXELS_TO_STRETCH).clamp(24.0, 240.0) / share).min(1024.0) as usize;
        let writes: u64 = snapshot.tmms.iter().map(|tmm| tmm.writes).sum();
        let most = most.min((writes / WRITES_TO_STRETCH).max(FEWEST) as usize);
        let (step_s, bins) = snapshot.series.stretches(end, most);
        let stretch = |(index, bin): (usize, Bin)| Stretch {
            at_s: (index as f64 + 0.5) * step_s,
            writes: f64::from(bin.writes) / step_s,
            lines: f64::from(bin.lines) / step_s,
            dropped: f64::from(bin.dropped) / step_s,
        };
        let shown = |stretch: &Stretch| window.holds(stretch.at_s);
        Self(
            bins.into_iter()
                .enumerate()
                .map(stretch)
                .filter(shown)
                .collect(),
        )
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Stretch> {
        self.0.iter()
    }

    pub fn get(&self, index: usize) -> Option<&Stretch> {
        self.0.get(index)
    }

    /// The greatest rate that is shown.
    pub fn top(&self, hidden: Hidden) -> f64 {
        self.shown(hidden).fold(0.0, f64::max)
    }

    /// The least rate that is shown and is not 0.
    pub fn least(&self, hidden: Hidden) -> f64 {
        self.shown(hidden)
            .filter(|rate| *rate > 0.0)
            .fold(f64::INFINITY, f64::min)
    }

    fn shown(&self, hidden: Hidden) -> impl Iterator<Item = f64> + '_ {
        let rates = [Series::Writes, Series::LogLines, Series::Dropped];
        let shown = rates.into_iter().filter(move |one| !hidden.hides(*one));
        shown.flat_map(|series| self.0.iter().map(move |stretch| stretch.rate(series)))
    }

    pub fn nearest(&self, at_s: f64) -> Option<usize> {
        let after = self.0.partition_point(|stretch| stretch.at_s < at_s);
        let candidates = [
            after.saturating_sub(1),
            after.min(self.len().checked_sub(1)?),
        ];
        let distance = |index: usize| (self.0[index].at_s - at_s).abs();
        candidates
            .into_iter()
            .min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
    }

    /// The curve of one of the rates, stretch by stretch; none when it could not be told from the axis.
    pub fn curve(&self, plot: &Plot, series: Series) -> Option<Vec<Point>> {
        let rate = |stretch: &Stretch| stretch.rate(series);
        let points: Vec<Point> = self
            .0
            .iter()
            .map(|stretch| plot.point(stretch.at_s, rate(stretch)))
            .collect();
        let seen = self
            .0
            .iter()
            .zip(&points)
            .any(|(stretch, (_, y))| rate(stretch) > 0.0 && plot.frame.bottom - y > FLAT);
        seen.then_some(points)
    }
}

/// A curve that was drawn, to be labelled.
pub(super) struct Line<'a> {
    pub points: Vec<Point>,
    pub label: &'a str,
    pub ink: Ink,
}

impl<'a> Throughput<'a> {
    /// Draws the band and every curve, the run's own last.
    pub(super) fn draw_curves(
        &self,
        scene: &mut Scene,
        plot: &Plot,
        (run, other): (&Rates, Option<&Rates>),
        theme: &Theme,
    ) -> Vec<Line<'a>> {
        let mut lines = Vec::new();
        let ink = colour(self.run.snapshot, theme);
        if let Some(band) = self.band() {
            lines.extend(draw_band(scene, plot, band, self.shown(), ink));
        }
        if self.shows(Series::Dropped)
            && let Some(points) = run.curve(plot, Series::Dropped)
        {
            scene.dashes(&points, theme.log, 1.5, Dash(2.0, 3.0));
            lines.push(Line {
                points,
                label: "lines dropped",
                ink: theme.log.into(),
            });
        }
        if self.shows(Series::LogLines)
            && let Some(points) = run.curve(plot, Series::LogLines)
        {
            scene.path(points.iter().copied(), theme.log, 1.5);
            lines.push(Line {
                points,
                label: "log lines",
                ink: theme.log.into(),
            });
        }
        if let (Some(rates), Some(run)) = (other, self.other())
            && let Some(points) = rates.curve(plot, Series::Writes)
        {
            let ink = colour(run.snapshot, theme);
            scene.dashes(&points, ink, 1.5, Dash(6.0, 4.0));
            lines.push(Line {
                points,
                label: run.label,
                ink,
            });
        }
        if self.shows(Series::Writes)
            && let Some(points) = run.curve(plot, Series::Writes)
        {
            if points.len() == 1 {
                scene.disc(points[0], 2.0, ink);
            }
            scene.path(points.iter().copied(), ink, 2.0);
            lines.push(Line {
                points,
                label: self.run.label,
                ink,
            });
        }
        lines
    }
}

/// Puts a word beside every curve, unless there is only one.
pub(super) fn label(
    scene: &mut Scene,
    plot: &Plot,
    lines: &[Line],
    labels: &mut Labels,
    faces: &Faces,
) {
    if lines.len() < 2 {
        return;
    }
    for line in lines.iter().rev() {
        let places = beside(&line.points, plot, faces.line);
        let face = Face {
            ink: line.ink,
            ..faces.plain
        };
        if let Some(label) = labels.place(&[line.label], face, &places) {
            label.draw(scene, face);
        }
    }
}

/// The colour of the writes of a run: local when most are.
pub(super) fn colour_name(snapshot: &Snapshot) -> &'static str {
    match snapshot.local_share() {
        Some(share) if share < 0.5 => "remote",
        Some(_) => "local",
        None => "other",
    }
}

fn colour(snapshot: &Snapshot, theme: &Theme) -> Ink {
    match colour_name(snapshot) {
        "remote" => theme.remote,
        "local" => theme.local,
        _ => theme.muted,
    }
    .into()
}

/// Places above and below a curve, from its middle outwards, then everywhere near it.
fn beside(points: &[Point], plot: &Plot, line: f64) -> Vec<(Point, Align)> {
    let mut places = Vec::new();
    for share in [0.62, 0.78, 0.46, 0.3, 0.9, 0.15, 0.05] {
        let x = plot.frame.left + plot.frame.width() * share;
        let Some(at) = points.iter().position(|point| point.0 >= x) else {
            continue;
        };
        for gap in [line * 0.75, line * 1.2] {
            places.push(((points[at].0, points[at].1 - gap), Align::Centre));
            places.push(((points[at].0, points[at].1 + gap), Align::Centre));
        }
    }
    if let Some(last) = points.last() {
        places.extend(around((last.0 - 2.0, last.1), 4.0, line));
    }
    places
}

fn draw_band<'a>(
    scene: &mut Scene,
    plot: &Plot,
    band: Band<'a>,
    shown: Span,
    ink: Ink,
) -> Option<Line<'a>> {
    let points = |rates: &[f64]| -> Vec<Point> {
        rates
            .iter()
            .enumerate()
            .map(|(index, rate)| ((index as f64 + 0.5) * band.step_s, *rate))
            .filter(|(at, _)| shown.holds(*at))
            .map(|(at, rate)| plot.point(at, rate))
            .collect()
    };
    let (high, low, median) = (points(band.high), points(band.low), points(band.median));
    if high.is_empty() || low.is_empty() {
        return None;
    }
    scene.polygon(
        high.iter().chain(low.iter().rev()).copied(),
        faded(ink.colour, 0.18),
    );
    scene.dashes(&median, faded(ink.colour, 0.8), 1.5, Dash(1.5, 2.5));
    Some(Line {
        points: high,
        label: band.label,
        ink,
    })
}
