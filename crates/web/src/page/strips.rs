//! The strip table: one row per TMM with its name, its owner, its histogram and its percentiles.

mod row;

use std::ops::Range;

use subtable_charts::strip;
use subtable_charts::{Chart, Size};
use web_sys::HtmlCanvasElement;

use super::charts::canvas::{Canvas, Paint};
use super::looks::Axis;
use super::{Runs, header};
use crate::dom;
use row::{Beside, Row};

/// The place of the table: its size is watched.
pub const BOX: &str = "table-box";
/// Rows up to this many are kept up to date whether they are in sight or not.
const FEW: usize = 32;

impl Runs<'_> {
    /// Decades of the axis that both runs share.
    fn decades(self) -> usize {
        match self.frozen {
            Some(frozen) => strip::decades(&[&self.shown.snapshot, &frozen.snapshot]),
            None => strip::decades(&[&self.shown.snapshot]),
        }
    }
}

#[derive(Default)]
pub struct Strips {
    rows: Vec<Row>,
    /// Counts up with every report: a row that is behind is brought up to date when it is in sight.
    version: u32,
    axis: Option<(usize, u32)>,
    /// The height of the table's place, how far it is scrolled, and the height of a row at a look, in CSS pixels. Asking
    /// the browser in the middle of a frame would make it lay out the page there and then.
    height: Option<f64>,
    scrolled: f64,
    seen: Range<usize>,
    row: Option<(u32, f64)>,
}

impl Strips {
    /// Brings the rows that are in sight up to date; all of them when the run has `settled`, those out of sight a frame
    /// later. Returns whether there are such rows.
    pub fn draw(&mut self, runs: Runs, news: bool, settled: bool, paint: &Paint) -> bool {
        let Runs {
            shown,
            frozen,
            bands,
            ..
        } = runs;
        let snapshot = &shown.snapshot;
        if news {
            self.version = self.version.wrapping_add(1);
        }
        self.rebuild(snapshot.tmms.len());
        let decades = runs.decades();
        if self.axis != Some((decades, paint.look)) {
            let mut axis = Canvas::new(dom::get_as("c-axis"));
            let window = runs.looks.zoom(Axis::Clicks);
            if axis.show(paint, |size, theme| {
                strip::axis(decades, window, size, theme)
            }) {
                self.axis = Some((decades, paint.look));
            }
        }
        let published = if frozen.is_none() && header::is_unchanged(&shown.setting) {
            shown.setting.preset.published
        } else {
            &[]
        };
        let in_sight = self.in_sight(paint.look);
        self.seen = in_sight.clone();
        let everywhere = settled && (self.rows.len() <= FEW || !news);
        let mut behind = false;
        for (number, row) in self.rows.iter_mut().enumerate() {
            let visible = in_sight.contains(&number);
            behind |= settled && !visible && !row.is_told(self.version);
            if visible || everywhere {
                let of_seeds = bands.and_then(|bands| Some((bands.seeds, bands.rows.get(number)?)));
                let beside = match (frozen, of_seeds) {
                    (Some(frozen), _) if number < frozen.snapshot.tmms.len() => {
                        Beside::Frozen(frozen.snapshot.row(number))
                    }
                    (None, Some((seeds, bands))) => Beside::Bands(seeds, bands),
                    _ => published
                        .iter()
                        .find(|row| row.tmm as usize == number)
                        .map_or(Beside::Nothing, Beside::Published),
                };
                row.tell(snapshot, number, &beside, self.version);
            }
            if visible {
                row.paint(runs, number, decades, paint, settled);
            }
        }
        behind && !everywhere
    }

    /// Lends the strips of TMMs, with their sizes and their canvases.
    pub fn lend(
        &mut self,
        tmms: Range<usize>,
        runs: Runs,
        look: u32,
        mut take: impl FnMut(usize, &dyn Chart, Size, &HtmlCanvasElement),
    ) {
        let decades = runs.decades();
        for tmm in tmms {
            if let Some(row) = self.rows.get_mut(tmm)
                && let Some(strip) = row::strip(runs, tmm, decades)
            {
                row.lend(look, |size, canvas| take(tmm, &strip, size, canvas));
            }
        }
    }

    /// The rows that were in sight when the table was last drawn.
    pub fn seen(&self) -> Range<usize> {
        self.seen.clone()
    }

    /// Gives the focus to the strip that many rows below the one that has it; returns its TMM.
    pub fn focus_other(&self, by: isize) -> Option<usize> {
        let focused = dom::document().active_element()?;
        let present = self.rows.iter().position(|row| row.is(&focused))?;
        let next = present.checked_add_signed(by)?;
        self.rows.get(next)?.take_focus();
        // Only one of them is a stop of the tab key.
        self.rows[present].be_stop(false);
        Some(next)
    }

    /// As many rows as there are TMMs.
    fn rebuild(&mut self, count: usize) {
        if self.rows.len() == count {
            return;
        }
        self.row = None;
        let body = dom::get("rows");
        while self.rows.len() > count {
            if let Some(row) = self.rows.pop() {
                row.remove();
            }
        }
        while self.rows.len() < count {
            let row = Row::build(self.rows.len());
            dom::append(&body, &[row.root()]);
            row.be_stop(self.rows.is_empty());
            self.rows.push(row);
        }
        let table = dom::get("tmms");
        dom::class(&table, "many", count > 6);
        // How high a row is follows from how many there are.
        let _ = table.style().set_property("--count", &count.to_string());
        dom::class(&dom::get("table-box"), "long", count > 16);
    }

    /// The place of the table has another height.
    pub fn resized(&mut self, height: f64) {
        self.height = Some(height);
        self.row = None;
    }

    /// The table was scrolled.
    pub fn scrolled(&mut self) {
        self.scrolled = f64::from(dom::get(BOX).scroll_top());
    }

    /// The rows that can be seen.
    fn in_sight(&mut self, look: u32) -> Range<usize> {
        let count = self.rows.len();
        let height = *self
            .height
            .get_or_insert_with(|| f64::from(dom::get(BOX).client_height()));
        if height <= 0.0 {
            return 0..0;
        }
        if count <= FEW {
            return 0..count;
        }
        let row = match self.row {
            Some((at, row)) if at == look => row,
            _ => {
                let row = f64::from(dom::get(BOX).scroll_height()) / count as f64;
                self.scrolled();
                self.row = Some((look, row));
                row
            }
        };
        let from = self.scrolled / row;
        let to = from + height / row;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "row numbers: positive and small"
        )]
        let (from, to) = ((from - 2.0).max(0.0) as usize, (to + 2.0) as usize);
        from.min(count)..to.min(count)
    }
}
