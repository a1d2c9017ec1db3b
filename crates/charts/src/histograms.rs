//! The histograms of all TMMs, one panel each, large.

use subtable_model::Snapshot;
use subtable_model::preset::PublishedRow;

use crate::axes::Faces;
use crate::scene::{Align, Frame};
use crate::strip::{self, Detail, Strip};
use crate::{Along, Chart, Entry, Hidden, Reading, Scale, Scene, Size, Span, Table, Theme, format};

/// One panel for each TMM on a shared axis, as many as fit.
#[derive(Clone, Copy, Debug)]
pub struct Histograms<'a> {
    /// The run.
    pub snapshot: &'a Snapshot,
    /// A run to compare it with, as outlines.
    pub other: Option<&'a Snapshot>,
    /// Published figures of such a run.
    pub published: &'a [PublishedRow],
    /// The histograms over many seeds, by TMM; empty when there is one.
    pub bands: &'a [strip::Band<'a>],
    /// The stretch of the axis that is shown, in decades; none is all of it.
    pub window: Option<Span>,
    /// How counts are spaced.
    pub scale: Scale,
    /// What is left out.
    pub hidden: Hidden,
    /// The TMM of the first panel.
    pub first: usize,
}

/// Height of the bars below which another column is begun.
const LEAST_BARS: f64 = 18.0;
/// The greatest height of a panel: beyond that it only looks empty.
const TALLEST: f64 = 240.0;
/// Width that a column needs.
const LEAST_COLUMN: f64 = 280.0;
/// Room between columns.
const GUTTER: f64 = 24.0;

/// Where the panels are.
struct Grid {
    columns: usize,
    rows: usize,
    /// Of a panel without its axis.
    height: f64,
    width: f64,
    margin: f64,
}

impl<'a> Histograms<'a> {
    /// The histograms of a run.
    #[must_use]
    pub const fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            other: None,
            published: &[],
            bands: &[],
            window: None,
            scale: Scale::Linear,
            hidden: Hidden::NOTHING,
            first: 0,
        }
    }

    /// How many panels fit.
    #[must_use]
    pub fn panels(&self, size: Size) -> usize {
        let grid = self.grid(size, &Faces::new(size.width, &Theme::light()));
        (grid.columns * grid.rows).min(self.snapshot.tmms.len())
    }

    fn decades(&self) -> usize {
        match self.other {
            Some(other) => strip::decades(&[self.snapshot, other]),
            None => strip::decades(&[self.snapshot]),
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "few panels, not negative"
    )]
    fn grid(&self, size: Size, faces: &Faces) -> Grid {
        let tmms = self.snapshot.tmms.len().max(1);
        let margin = faces.line * 0.4;
        let detail = Detail::Full {
            threshold: false,
            axis: false,
        };
        let words = strip::words_height(detail, faces);
        // One axis at the foot of each column.
        let height = size.height - faces.line * 1.2;
        let most_rows = |height: f64| ((height / (words + LEAST_BARS)) as usize).max(1);
        let most_columns = ((size.width / LEAST_COLUMN) as usize).max(1);
        // A line for how many there are, when they are not all there.
        let note = tmms > most_rows(height) * most_columns;
        let height = if note { height - faces.line } else { height };
        let most_rows = most_rows(height);
        let columns = tmms.div_ceil(most_rows).clamp(1, most_columns);
        let rows = tmms.div_ceil(columns).min(most_rows);
        let gutters = GUTTER * (columns - 1) as f64;
        Grid {
            columns,
            rows,
            height: (height / rows as f64).min(TALLEST),
            width: (size.width - 2.0 * margin - gutters) / columns as f64,
            margin,
        }
    }

    fn strip(&self, number: usize) -> Option<Strip<'a>> {
        let mut strip = Strip::new(self.snapshot, number, self.decades())?;
        strip.scale = self.scale;
        strip.window = self.window;
        strip.hidden = self.hidden;
        strip.other = self.other.and_then(|other| other.tmms.get(number));
        strip.band = self.bands.get(number).copied();
        strip.published = self.published.iter().find(|row| row.tmm as usize == number);
        Some(strip)
    }

    /// The panels that are in sight, with their frames; down each column.
    fn placed(&self, size: Size, faces: &Faces) -> Vec<(Strip<'a>, Frame, Detail)> {
        let grid = self.grid(size, faces);
        let shown = (grid.columns * grid.rows).min(self.snapshot.tmms.len());
        let first = self.first.min(self.snapshot.tmms.len() - shown);
        let panel = |index: usize| {
            let (column, row) = (index / grid.rows, index % grid.rows);
            let left = grid.margin + (grid.width + GUTTER) * column as f64;
            let top = grid.height * row as f64;
            let last = row + 1 == grid.rows || index + 1 == shown;
            let below = if last { faces.line } else { 0.0 };
            let frame = Frame::new(left, top, left + grid.width, top + grid.height + below);
            let detail = Detail::Full {
                threshold: row == 0,
                axis: last,
            };
            Some((self.strip(first + index)?, frame, detail))
        };
        (0..shown).filter_map(panel).collect()
    }
}

impl Chart for Histograms<'_> {
    fn title(&self) -> String {
        format!(
            "Clicks of all writes of {} TMMs on a logarithmic axis; the threshold is {}",
            self.snapshot.tmms.len(),
            format::grouped(self.snapshot.threshold),
        )
    }

    fn scene(&self, size: Size, theme: &Theme) -> Scene {
        let mut scene = Scene::new(size, theme);
        let faces = Faces::new(size.width, theme);
        let panels = self.placed(size, &faces);
        for (strip, frame, detail) in &panels {
            strip.draw(&mut scene, *frame, *detail, (&faces, theme));
        }
        let all = self.snapshot.tmms.len();
        if let (Some((first, ..)), Some((last, ..))) = (panels.first(), panels.last())
            && panels.len() < all
        {
            let words = format!("TMMs {} to {} of {all}", first.number, last.number);
            let at = (size.width / 2.0, size.height - faces.line * 0.55);
            scene.text(words, at, Align::Centre, faces.small);
        }
        scene
    }

    fn len(&self, size: Size) -> usize {
        let faces = Faces::new(size.width, &Theme::light());
        let panels = self.placed(size, &faces);
        panels.iter().map(|(strip, ..)| strip.len(size)).sum()
    }

    fn nearest(&self, size: Size, x: f64, y: f64) -> Option<usize> {
        let faces = Faces::new(size.width, &Theme::light());
        let mut before = 0;
        for (strip, frame, _) in self.placed(size, &faces) {
            if frame.contains((x, y)) {
                let local = Size::new(frame.width(), frame.height());
                return Some(before + strip.nearest(local, x - frame.left, y - frame.top)?);
            }
            before += strip.len(size);
        }
        None
    }

    fn reading(&self, size: Size, number: usize) -> Option<Reading> {
        let faces = Faces::new(size.width, &Theme::light());
        let mut left = number;
        let panels = self.placed(size, &faces);
        for (strip, frame, detail) in &panels {
            let filled = strip.len(size);
            if left < filled {
                let mut reading = strip.reading_in(frame, *detail, &faces, left)?;
                let number = strip.number;
                follow_others(&panels, &mut reading, Some(number), &faces);
                return Some(reading);
            }
            left -= filled;
        }
        None
    }

    fn follow(&self, size: Size, position: f64) -> Option<Reading> {
        let faces = Faces::new(size.width, &Theme::light());
        let panels = self.placed(size, &faces);
        let mut reading = Reading {
            position: Some(position),
            ..Reading::default()
        };
        follow_others(&panels, &mut reading, None, &faces);
        Some(reading)
    }

    fn along(&self, size: Size, x: f64) -> Option<Along> {
        let faces = Faces::new(size.width, &Theme::light());
        let alongs = self.placed(size, &faces);
        let alongs = alongs.iter().map(|(strip, frame, _)| strip.along_in(frame));
        let off = |along: &Along| (along.start - x).max(x - along.end).max(0.0);
        alongs.min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    fn series(&self) -> Vec<Entry> {
        strip::series(
            self.other.is_some(),
            !self.bands.is_empty(),
            !self.published.is_empty(),
        )
    }

    fn table(&self, _size: Size) -> Table {
        let strips = (0..self.snapshot.tmms.len()).filter_map(|number| self.strip(number));
        Table {
            headers: Strip::headers(),
            rows: strips.flat_map(|strip| strip.rows()).collect(),
        }
    }
}

/// Marks the position of a reading in all panels but one.
fn follow_others(
    panels: &[(Strip, Frame, Detail)],
    reading: &mut Reading,
    but: Option<usize>,
    faces: &Faces,
) {
    let Some(position) = reading.position else {
        return;
    };
    for (strip, frame, detail) in panels {
        if Some(strip.number) == but {
            continue;
        }
        if let Some(there) = strip.follow_in(frame, *detail, faces, position) {
            reading.marks.lines.extend(there.marks.lines);
            reading.marks.spots.extend(there.marks.spots);
        }
    }
}
