//! The strip table: one row per TMM with its name, its owner, its histogram and its percentiles.

mod row;

use subtable_charts::strip;
use subtable_charts::{Chart, Size};
use wasm_bindgen::JsCast;
use web_sys::{HtmlCanvasElement, HtmlElement};

use super::charts::canvas::{Canvas, Paint};
use super::{Runs, header};
use crate::dom;
use row::{Beside, Row};

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
            if axis.show(paint, |size, theme| strip::axis(decades, size, theme)) {
                self.axis = Some((decades, paint.look));
            }
        }
        let published = if frozen.is_none() && header::is_unchanged(&shown.setting) {
            shown.setting.preset.published
        } else {
            &[]
        };
        let in_sight = self.in_sight();
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
                row.paint(runs, number, decades, paint);
            }
        }
        behind && !everywhere
    }

    /// Lends the strip of a TMM, with its size and its canvas.
    pub fn lend(
        &mut self,
        tmm: usize,
        runs: Runs,
        look: u32,
        take: impl FnOnce(&dyn Chart, Size, &HtmlCanvasElement),
    ) {
        if let Some(row) = self.rows.get_mut(tmm)
            && let Some(strip) = row::strip(runs, tmm, runs.decades())
        {
            row.lend(look, |size, canvas| take(&strip, size, canvas));
        }
    }

    /// As many rows as there are TMMs.
    fn rebuild(&mut self, count: usize) {
        if self.rows.len() == count {
            return;
        }
        let body = dom::get("rows");
        while self.rows.len() > count {
            if let Some(row) = self.rows.pop() {
                row.remove();
            }
        }
        while self.rows.len() < count {
            let row = Row::build(self.rows.len());
            dom::append(&body, &[row.root()]);
            self.rows.push(row);
        }
        let table = dom::get("tmms");
        dom::class(&table, "many", count > 6);
        // How high a row is follows from how many there are.
        let _ = table.style().set_property("--count", &count.to_string());
        dom::class(&dom::get("table-box"), "long", count > 16);
    }

    /// The rows that can be seen.
    fn in_sight(&self) -> std::ops::Range<usize> {
        let count = self.rows.len();
        let place: HtmlElement = dom::get("table-box").unchecked_into();
        if place.client_height() == 0 {
            return 0..0;
        }
        if count <= FEW {
            return 0..count;
        }
        let height = f64::from(place.scroll_height()) / count as f64;
        let from = f64::from(place.scroll_top()) / height;
        let to = from + f64::from(place.client_height()) / height;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "row numbers: positive and small"
        )]
        let (from, to) = ((from - 2.0).max(0.0) as usize, (to + 2.0) as usize);
        from.min(count)..to.min(count)
    }
}
