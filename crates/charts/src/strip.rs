//! The histogram of one TMM's clicks, a row of the strip table.

mod axis;
mod bins;
mod panel;
mod words;

use subtable_model::Snapshot;
use subtable_model::preset::PublishedRow;
use subtable_model::snapshot::TmmSnapshot;
use subtable_model::statistics::{BINS_PER_DECADE, DECADES};

use crate::axes::Faces;
use crate::format;
use crate::scene::{Align, Frame};
use crate::{
    Along, Chart, Entry, Hidden, Marks, Reading, Scale, Scene, Series, Size, Span, Table, Theme,
};
pub(crate) use bins::Histogram;
pub(crate) use panel::{Detail, words_height};

/// The clicks of one TMM's writes on a logarithmic axis, with the threshold and the percentiles.
///
/// In a row of a table it has no words of its own but `local` and `remote`, and its axis is drawn once for all rows by
/// [`axis`]. From 70 pixels of height it has its own axis and says what its marks are.
#[derive(Clone, Copy, Debug)]
pub struct Strip<'a> {
    /// The TMM.
    pub tmm: &'a TmmSnapshot,
    /// Its number.
    pub number: usize,
    /// A write below this many clicks is fast.
    pub threshold: u64,
    /// Decades of the axis, from 1 click: the same for all rows of a table. See [`decades`].
    pub decades: usize,
    /// The stretch of the axis that is shown, in decades; none is all of it.
    pub window: Option<Span>,
    /// How counts are spaced.
    pub scale: Scale,
    /// What is left out.
    pub hidden: Hidden,
    /// The same TMM of a run to compare it with, as an outline.
    pub other: Option<&'a TmmSnapshot>,
    /// The same histogram over many seeds.
    pub band: Option<Band<'a>>,
    /// Published figures of this TMM.
    pub published: Option<&'a PublishedRow>,
}

/// A histogram of many seeds: counts in the bins of [`subtable_model::statistics::BINS`], each seed's counts added up to
/// the same number of writes as the run that is shown.
#[derive(Clone, Copy, Debug)]
pub struct Band<'a> {
    /// Lower edge, bin by bin.
    pub low: &'a [f64],
    /// Upper edge, bin by bin.
    pub high: &'a [f64],
}

/// Height from which a strip explains itself.
const LARGE: f64 = 70.0;

/// The decades from 1 click that hold every write of these runs and the threshold: at least 3, at most 7.
#[must_use]
pub fn decades(snapshots: &[&Snapshot]) -> usize {
    let mut decades = 3;
    for snapshot in snapshots {
        let threshold = snapshot.threshold.checked_ilog10().unwrap_or(0) as usize + 1;
        decades = decades.max(threshold);
        for tmm in &snapshot.tmms {
            let last = |bins: &[u32]| bins.iter().rposition(|count| *count > 0).unwrap_or(0);
            let bin = last(&tmm.local_bins).max(last(&tmm.remote_bins));
            decades = decades.max(bin / BINS_PER_DECADE + 1);
        }
    }
    decades.min(DECADES)
}

/// All of an axis of that many decades, or the stretch of it that is shown.
fn shown(decades: usize, window: Option<Span>) -> Span {
    let whole = Span::new(0.0, decades as f64);
    window
        .filter(|window| window.is_proper())
        .map_or(whole, |window| window.within(whole))
}

/// The labels of the axis of rows that are as wide as this: 1, 10, 100, 1k and so on, and finer ones for a part of it.
#[must_use]
pub fn axis(decades: usize, window: Option<Span>, size: Size, theme: &Theme) -> Scene {
    let mut scene = Scene::new(size, theme);
    let faces = Faces::new(size.width, theme);
    let frame = Frame::new(0.0, 0.0, size.width, size.height);
    axis::draw(
        &mut scene,
        &frame,
        shown(decades, window),
        size.height / 2.0,
        &faces,
    );
    scene
}

impl<'a> Strip<'a> {
    /// The row of a TMM; none when there is no such TMM.
    #[must_use]
    pub fn new(snapshot: &'a Snapshot, number: usize, decades: usize) -> Option<Self> {
        Some(Self {
            tmm: snapshot.tmms.get(number)?,
            number,
            threshold: snapshot.threshold,
            decades,
            window: None,
            scale: Scale::Linear,
            hidden: Hidden::NOTHING,
            other: None,
            band: None,
            published: None,
        })
    }

    /// What is shown of the axis, in decades.
    pub(crate) fn shown(&self) -> Span {
        shown(self.decades, self.window)
    }

    pub(crate) fn histogram(&self) -> Histogram {
        Histogram::new(&self.tmm.local_bins, &self.tmm.remote_bins, self.decades)
            .in_sight(self.shown(), self.hidden)
    }

    pub(crate) fn along_in(&self, frame: &Frame) -> Along {
        Along {
            start: frame.left,
            end: frame.right,
            shown: self.shown(),
            whole: Span::new(0.0, self.decades as f64),
        }
    }

    fn detail(size: Size) -> Detail {
        if size.height >= LARGE {
            Detail::Full {
                threshold: true,
                axis: true,
            }
        } else {
            Detail::Row
        }
    }

    /// The value of a filled cell when the histogram is drawn into a frame.
    pub(crate) fn reading_in(
        &self,
        frame: &Frame,
        detail: Detail,
        faces: &Faces,
        number: usize,
    ) -> Option<Reading> {
        let histogram = self.histogram();
        let cell = histogram.filled().nth(number)?;
        let bars = panel::bars(frame, detail, faces);
        let (x, y) = self.top_of(&histogram, cell, &bars);
        let (from, to) = histogram.cells()[cell].decades();
        let (from, to) = (from.max(self.shown().from), to.min(self.shown().to));
        Some(Reading {
            x,
            y,
            text: self.words(&histogram, cell),
            position: Some(f64::midpoint(from, to)),
            marks: Marks::default().down(&bars, x).spot((x, y)),
        })
    }

    /// What stands at a position of the axis, in decades, when the histogram is drawn into a frame.
    pub(crate) fn follow_in(
        &self,
        frame: &Frame,
        detail: Detail,
        faces: &Faces,
        position: f64,
    ) -> Option<Reading> {
        let histogram = self.histogram();
        let bars = panel::bars(frame, detail, faces);
        let cell = histogram.at(position)?;
        let count = histogram.cells()[cell].count();
        let (x, y) = self.top_of(&histogram, cell, &bars);
        let marks = Marks::default().down(&bars, x);
        Some(Reading {
            x,
            y,
            text: format!("TMM {} {}", self.number, format::grouped(count)),
            position: Some(position),
            marks: if count > 0 { marks.spot((x, y)) } else { marks },
        })
    }

    /// The value of a cell in words.
    fn words(&self, histogram: &Histogram, cell: usize) -> String {
        let cell = histogram.cells()[cell];
        let (from, to) = cell.clicks();
        let range = if from == to {
            format!("{} clicks", format::grouped(from))
        } else {
            format!(
                "{} to {} clicks",
                format::grouped(from),
                format::grouped(to)
            )
        };
        let share = cell.count() as f64 / histogram.total().max(1) as f64;
        let place = match (cell.local, cell.remote) {
            (_, 0) => "local".to_owned(),
            (0, _) => "remote".to_owned(),
            (local, _) => format!("{} of them local", format::grouped(local)),
        };
        format!(
            "TMM {}, {range}: {} writes, {}, {place}",
            self.number,
            format::grouped(cell.count()),
            format::percent(share),
        )
    }

    pub(crate) fn rows(&self) -> Vec<Vec<String>> {
        let histogram = self.histogram();
        histogram
            .cells()
            .iter()
            .filter(|cell| cell.count() > 0)
            .map(|cell| {
                let (from, to) = cell.clicks();
                [self.number as u64, from, to, cell.local, cell.remote]
                    .map(|value| value.to_string())
                    .into()
            })
            .collect()
    }

    pub(crate) fn headers() -> Vec<String> {
        [
            "TMM",
            "from, clicks",
            "to, clicks",
            "local writes",
            "remote writes",
        ]
        .map(str::to_owned)
        .into()
    }
}

impl Chart for Strip<'_> {
    fn title(&self) -> String {
        let all = &self.tmm.all;
        if all.n == 0 {
            return format!("TMM {}: no writes yet", self.number);
        }
        format!(
            "TMM {}: clicks of {} writes, half of them up to {}, 99 % up to {}; the threshold is {}",
            self.number,
            format::grouped(all.n),
            format::grouped(all.p50.into()),
            format::grouped(all.p99.into()),
            format::grouped(self.threshold),
        )
    }

    fn scene(&self, size: Size, theme: &Theme) -> Scene {
        let mut scene = Scene::new(size, theme);
        let faces = Faces::new(size.width, theme);
        let frame = Frame::new(0.0, 0.0, size.width, size.height);
        self.draw(&mut scene, frame, Self::detail(size), (&faces, theme));
        scene
    }

    fn len(&self, _size: Size) -> usize {
        self.histogram().filled().count()
    }

    fn nearest(&self, size: Size, x: f64, _y: f64) -> Option<usize> {
        let frame = Frame::new(0.0, 0.0, size.width, size.height);
        self.histogram().nearest(self.along_in(&frame).value(x))
    }

    fn reading(&self, size: Size, number: usize) -> Option<Reading> {
        let faces = Faces::new(size.width, &Theme::light());
        let frame = Frame::new(0.0, 0.0, size.width, size.height);
        self.reading_in(&frame, Self::detail(size), &faces, number)
    }

    fn follow(&self, size: Size, position: f64) -> Option<Reading> {
        let faces = Faces::new(size.width, &Theme::light());
        let frame = Frame::new(0.0, 0.0, size.width, size.height);
        self.follow_in(&frame, Self::detail(size), &faces, position)
    }

    fn along(&self, size: Size, _x: f64) -> Option<Along> {
        let frame = Frame::new(0.0, 0.0, size.width, size.height);
        Some(self.along_in(&frame))
    }

    fn series(&self) -> Vec<Entry> {
        series(
            self.other.is_some(),
            self.band.is_some(),
            self.published.is_some(),
        )
    }

    fn table(&self, _size: Size) -> Table {
        Table {
            headers: Self::headers(),
            rows: self.rows(),
        }
    }
}

/// What can be left out of histograms.
pub(crate) fn series(other: bool, band: bool, published: bool) -> Vec<Entry> {
    let all = [
        (Series::Local, "local", "local", true),
        (Series::Remote, "remote", "remote", true),
        (Series::Other, "A", "other", other),
        (Series::Band, "band", "other", band),
        (Series::Published, "published", "published", published),
    ];
    let there = all.into_iter().filter(|(.., there)| *there);
    there
        .map(|(series, name, colour, _)| series.entry(name, colour))
        .collect()
}

/// Where a text of an axis stands so that it is not cut off at either end.
pub(crate) fn alignment(x: f64, half: f64, frame: &Frame) -> (f64, Align) {
    if x - half < frame.left {
        (frame.left, Align::Left)
    } else if x + half > frame.right {
        (frame.right, Align::Right)
    } else {
        (x, Align::Centre)
    }
}
