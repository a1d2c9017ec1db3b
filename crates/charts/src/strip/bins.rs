//! Logarithmic bins that whole clicks can fall into.

use std::sync::LazyLock;

use subtable_model::statistics::{BINS, BINS_PER_DECADE};

use crate::{Hidden, Series, Span};

/// A stretch of the axis with the writes that fell into it.
///
/// Clicks are whole, so below 8 some of the 16 bins of a decade can hold none. A cell reaches from one bin that can to
/// the next, and is drawn with its density, so that a 2 looks as wide as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// First bin.
    from: usize,
    /// Bin after the last.
    to: usize,
    /// Local writes.
    pub local: u64,
    /// Remote writes.
    pub remote: u64,
}

impl Cell {
    pub const fn count(&self) -> u64 {
        self.local + self.remote
    }

    /// Its ends, in decades.
    pub fn decades(&self) -> (f64, f64) {
        let decades = |bin: usize| bin as f64 / BINS_PER_DECADE as f64;
        (decades(self.from), decades(self.to))
    }

    /// The least and the greatest clicks that fall into it.
    pub fn clicks(&self) -> (u64, u64) {
        let least = least_clicks(self.from);
        (least, (least_clicks(self.to) - 1).max(least))
    }

    /// Its bins.
    pub const fn bins(&self) -> core::ops::Range<usize> {
        self.from..self.to
    }

    /// Writes to a bin.
    pub fn density(&self, count: f64) -> f64 {
        count / (self.to - self.from) as f64
    }
}

/// The least whole number of clicks that is not below each bin, and below the end of the last.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most 10^7, not negative"
)]
static LEAST_CLICKS: LazyLock<[u64; BINS + 1]> = LazyLock::new(|| {
    core::array::from_fn(|bin| {
        let edge = 10_f64.powf(bin as f64 / BINS_PER_DECADE as f64);
        (edge - 1e-6).ceil() as u64
    })
});

fn least_clicks(bin: usize) -> u64 {
    LEAST_CLICKS[bin.min(BINS)]
}

/// The writes of one TMM, cell by cell.
#[derive(Clone, Debug)]
pub(crate) struct Histogram {
    /// Those in sight.
    cells: Vec<Cell>,
    tallest: f64,
    /// Of all cells, whether they are in sight or not.
    total: u64,
}

impl Histogram {
    /// Gathers bins into cells, over that many decades.
    pub fn new(local: &[u32], remote: &[u32], decades: usize) -> Self {
        let bins = decades * BINS_PER_DECADE;
        let mut cells: Vec<Cell> = Vec::with_capacity(bins);
        for bin in 0..bins {
            let holds_clicks = least_clicks(bin) < least_clicks(bin + 1);
            let count = |bins: &[u32]| u64::from(bins.get(bin).copied().unwrap_or(0));
            match cells.last_mut() {
                Some(cell) if !holds_clicks => {
                    cell.to = bin + 1;
                    cell.local += count(local);
                    cell.remote += count(remote);
                }
                _ => cells.push(Cell {
                    from: bin,
                    to: bin + 1,
                    local: count(local),
                    remote: count(remote),
                }),
            }
        }
        let total = cells.iter().map(Cell::count).sum();
        Self {
            tallest: tallest(&cells),
            total,
            cells,
        }
    }

    /// What is to be seen of it in a stretch of the axis, in decades, without what is left out.
    pub fn in_sight(mut self, shown: Span, hidden: Hidden) -> Self {
        self.cells.retain(|cell| {
            let (from, to) = cell.decades();
            to > shown.from + 1e-9 && from < shown.to - 1e-9
        });
        for cell in &mut self.cells {
            if hidden.hides(Series::Local) {
                cell.local = 0;
            }
            if hidden.hides(Series::Remote) {
                cell.remote = 0;
            }
        }
        self.tallest = tallest(&self.cells);
        self
    }

    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The greatest density.
    pub const fn tallest(&self) -> f64 {
        self.tallest
    }

    /// Writes in all cells.
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// The cell at a place on the axis, in decades.
    pub fn at(&self, place: f64) -> Option<usize> {
        self.cells.iter().position(|cell| {
            let (from, to) = cell.decades();
            place >= from && place < to
        })
    }

    /// The cells that are not empty.
    pub fn filled(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.cells.len()).filter(|cell| self.cells[*cell].count() > 0)
    }

    /// Which of the filled cells is nearest to a place on the axis, in decades.
    pub fn nearest(&self, place: f64) -> Option<usize> {
        let distance = |cell: usize| {
            let (from, to) = self.cells[cell].decades();
            (from - place).max(place - to).max(0.0)
        };
        let filled = self.filled().enumerate();
        filled
            .min_by(|(_, a), (_, b)| distance(*a).total_cmp(&distance(*b)))
            .map(|(number, _)| number)
    }
}

fn tallest(cells: &[Cell]) -> f64 {
    let densities = cells.iter().map(|cell| cell.density(cell.count() as f64));
    densities.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use subtable_model::statistics::{BINS, DECADES, Population};

    use super::*;

    #[test]
    fn every_click_value_falls_into_the_cell_that_says_so() {
        for clicks in (1..2000).chain([9_999, 10_000, 99_999, 100_000, 999_999]) {
            let mut population = Population::default();
            population.add(clicks);
            let histogram = Histogram::new(&population.log_bins(), &[], DECADES);
            let filled: Vec<usize> = histogram.filled().collect();
            assert_eq!(filled.len(), 1, "{clicks}");
            let (from, to) = histogram.cells()[filled[0]].clicks();
            // A population keeps two significant digits, at least one part in 128.
            let off = u64::from(clicks / 128 + 1) * u64::from(clicks >= 256);
            let clicks = u64::from(clicks);
            assert!(
                from <= clicks + off && clicks <= to + off,
                "{from} {clicks} {to}"
            );
        }
    }

    #[test]
    fn cells_cover_the_axis_without_gap_and_lose_nothing() {
        let ones = vec![1; BINS];
        let histogram = Histogram::new(&ones, &ones, DECADES);
        assert_eq!(histogram.total(), 2 * BINS as u64);
        let mut end = 0;
        for cell in histogram.cells() {
            assert_eq!(cell.from, end);
            end = cell.to;
        }
        assert_eq!(end, BINS);
        assert_eq!(histogram.cells()[0].clicks(), (1, 1));
        assert_eq!(histogram.cells()[1].clicks(), (2, 2));
    }

    #[test]
    fn a_stretch_has_its_own_cells_and_the_share_of_all() {
        let mut bins = vec![0; BINS];
        bins[16] = 5;
        bins[48] = 7;
        let all = Histogram::new(&bins, &bins, DECADES);
        let some = all.clone().in_sight(Span::new(2.5, 4.0), Hidden::NOTHING);
        assert_eq!(some.filled().count(), 1);
        assert_eq!(some.total(), 24);
        let cell = some.cells()[some.at(3.0).expect("in sight")];
        assert_eq!((cell.local, cell.remote), (7, 7));
        assert_eq!(some.at(1.0), None);
        let mut hidden = Hidden::NOTHING;
        hidden.toggle(Series::Local);
        let some = all.in_sight(Span::new(0.0, 7.0), hidden);
        assert_eq!(some.cells().iter().map(Cell::count).sum::<u64>(), 12);
        assert!((some.tallest() - 7.0).abs() < 1e-9);
    }

    #[test]
    fn the_nearest_filled_cell() {
        let mut bins = vec![0; BINS];
        bins[16] = 5;
        bins[48] = 5;
        let histogram = Histogram::new(&bins, &[], DECADES);
        assert_eq!(histogram.nearest(0.0), Some(0));
        assert_eq!(histogram.nearest(1.9), Some(0));
        assert_eq!(histogram.nearest(2.3), Some(1));
        assert_eq!(histogram.nearest(9.0), Some(1));
        assert_eq!(Histogram::new(&[], &[], DECADES).nearest(1.0), None);
    }
}
