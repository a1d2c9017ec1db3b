//! One run is an anecdote: what is kept of each of many seeds, and the bands that come of them.

use serde::{Deserialize, Serialize};
use subtable_model::Snapshot;
use subtable_model::fidelity::quantile;
use subtable_model::statistics::{BINS, Summary};

/// Histograms over seeds are made for up to this many TMMs: beyond, nobody could look at them.
const MOST_HISTOGRAMS: usize = 64;
/// Stretches of time that a band of rates has.
const STRETCHES: usize = 64;
/// Stretches of one seed at most: one that runs far longer than the others shows nothing of them.
const MOST_RATES: u32 = 1024;
/// Share of the seeds below the lower edge, and above the upper edge: nine in ten lie between.
const OUTSIDE: f64 = 0.05;

/// Columns of figures: n, fast, slow, min, p50, avg, p95, p99, max.
pub const COLUMNS: usize = 9;

/// What is kept of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Digest {
    /// When the last reply was received, in nanoseconds.
    end: u64,
    /// Width of the bins of the time axis, in nanoseconds.
    width: u64,
    /// Writes, bin by bin.
    writes: Vec<u32>,
    /// The row of each TMM; figures in clicks do not exist where nothing was counted.
    rows: Vec<[f64; COLUMNS]>,
    /// All writes of each TMM by clicks; none when there are too many TMMs.
    histograms: Vec<Vec<u32>>,
}

impl Digest {
    /// What is kept of a finished run.
    #[must_use]
    pub fn of(snapshot: &Snapshot) -> Self {
        let tmms = &snapshot.tmms;
        let histograms = if tmms.len() <= MOST_HISTOGRAMS {
            tmms.iter()
                .map(|tmm| {
                    let pairs = tmm.local_bins.iter().zip(&tmm.remote_bins);
                    pairs.map(|(local, remote)| local + remote).collect()
                })
                .collect()
        } else {
            Vec::new()
        };
        Self {
            end: snapshot.last_reply,
            width: snapshot.series.width(),
            writes: snapshot
                .series
                .bins()
                .iter()
                .map(|bin| bin.writes)
                .collect(),
            rows: (0..tmms.len()).map(|tmm| row(&snapshot.row(tmm))).collect(),
            histograms,
        }
    }

    /// Writes per second in equal stretches of time, as many as lie wholly inside the run.
    fn rates(&self, step_s: f64) -> Vec<f64> {
        let width_s = self.width as f64 / 1e9;
        let whole = self.end as f64 / 1e9 / step_s;
        let mut before = Vec::with_capacity(self.writes.len() + 1);
        let mut sum = 0.0;
        before.push(sum);
        for &writes in &self.writes {
            sum += f64::from(writes);
            before.push(sum);
        }
        // Inside a bin the writes are taken to be even.
        let by = |seconds: f64| {
            let place = (seconds / width_s).min(self.writes.len() as f64);
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 0 and the number of bins"
            )]
            let index = place as usize;
            let next = before.get(index + 1).copied().unwrap_or(before[index]);
            before[index] + (next - before[index]) * (place - index as f64)
        };
        (1..=MOST_RATES)
            .map(f64::from)
            .take_while(|step| *step <= whole + 1e-9)
            .map(|step| (by(step * step_s) - by((step - 1.0) * step_s)) / step_s)
            .collect()
    }
}

fn row(row: &Summary) -> [f64; COLUMNS] {
    let of = |clicks: u32| {
        if row.n == 0 {
            f64::NAN
        } else {
            f64::from(clicks)
        }
    };
    [
        row.n as f64,
        row.fast as f64,
        row.slow as f64,
        of(row.min),
        of(row.p50),
        if row.n == 0 { f64::NAN } else { row.avg },
        of(row.p95),
        of(row.p99),
        of(row.max),
    ]
}

/// The middle of many seeds, and between what nine in ten of them lie. Not a number where no seed has a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Lower edge.
    pub low: f64,
    /// Middle.
    pub median: f64,
    /// Upper edge.
    pub high: f64,
}

impl Band {
    /// The band of some values; those that are not numbers are left out.
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().filter(|value| !value.is_nan()).collect();
        values.sort_unstable_by(f64::total_cmp);
        Self {
            low: quantile(&values, OUTSIDE),
            median: quantile(&values, 0.5),
            high: quantile(&values, 1.0 - OUTSIDE),
        }
    }
}

/// The bands of many seeds of one setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Bands {
    /// How many seeds.
    pub seeds: usize,
    /// In a few words, for the charts.
    pub label: String,
    /// Length of a stretch of time, in seconds.
    pub step_s: f64,
    /// Writes per second in each stretch: lower edges, medians, upper edges.
    pub rates: [Vec<f64>; 3],
    /// Each TMM's figures.
    pub rows: Vec<[Band; COLUMNS]>,
    /// Each TMM's histogram: lower and upper edges, bin by bin, of as many writes as the shown run has.
    pub histograms: Vec<[Vec<f64>; 2]>,
}

impl Bands {
    /// The bands of some seeds, drawn beside a run; none before the first seed.
    #[must_use]
    pub fn of(digests: &[Digest], shown: &Snapshot) -> Option<Self> {
        let end = Band::of(digests.iter().map(|digest| digest.end as f64)).median;
        let tmms = digests.first()?.rows.len();
        let step_s = (end / STRETCHES as f64 / 1e9).max(1e-6);
        let of_seeds: Vec<Vec<f64>> = digests.iter().map(|digest| digest.rates(step_s)).collect();
        let mut rates = [Vec::new(), Vec::new(), Vec::new()];
        // The last stretches, that fewer than half of the seeds reach, would show those seeds alone.
        let mut at = |stretch: usize| {
            let values: Vec<f64> = of_seeds
                .iter()
                .filter_map(|rates| rates.get(stretch).copied())
                .collect();
            if values.len() * 2 <= digests.len() {
                return false;
            }
            let band = Band::of(values);
            for (rates, value) in rates.iter_mut().zip([band.low, band.median, band.high]) {
                rates.push(value);
            }
            true
        };
        let mut stretch = 0;
        while at(stretch) {
            stretch += 1;
        }
        let rows = (0..tmms)
            .map(|tmm| {
                core::array::from_fn(|column| {
                    Band::of(
                        digests
                            .iter()
                            .filter_map(|digest| Some(digest.rows.get(tmm)?[column])),
                    )
                })
            })
            .collect();
        let histograms = (0..digests.first()?.histograms.len())
            .map(|tmm| histogram(digests, tmm, shown))
            .collect();
        Some(Self {
            seeds: digests.len(),
            label: format!("90 % of {} seeds", digests.len()),
            step_s,
            rates,
            rows,
            histograms,
        })
    }
}

fn histogram(digests: &[Digest], tmm: usize, shown: &Snapshot) -> [Vec<f64>; 2] {
    let writes = shown.tmms.get(tmm).map_or(0, |tmm| tmm.all.n) as f64;
    let scaled: Vec<(&[u32], f64)> = digests
        .iter()
        .filter_map(|digest| digest.histograms.get(tmm))
        .map(|bins| {
            let sum: f64 = bins.iter().copied().map(f64::from).sum();
            (bins.as_slice(), if sum > 0.0 { writes / sum } else { 0.0 })
        })
        .collect();
    let (mut low, mut high) = (Vec::with_capacity(BINS), Vec::with_capacity(BINS));
    for bin in 0..BINS {
        let values = scaled
            .iter()
            .map(|(bins, factor)| bins.get(bin).map_or(0.0, |&n| f64::from(n) * factor));
        let band = Band::of(values);
        low.push(band.low);
        high.push(band.high);
    }
    [low, high]
}

#[cfg(test)]
mod tests {
    use subtable_model::preset::Preset;
    use subtable_model::run;

    use super::*;

    fn digests(seeds: u64) -> (Vec<Digest>, Snapshot) {
        let mut scenario = Preset::find("count-decay").unwrap().scenario();
        scenario.set("records", "4000").unwrap();
        scenario.set("log-every", "10").unwrap();
        let digests = (1..=seeds)
            .map(|seed| Digest::of(&run(&scenario, seed)))
            .collect();
        (digests, run(&scenario, 1))
    }

    #[test]
    fn rates_add_up_to_the_writes() {
        let (digests, shown) = digests(1);
        let step_s = shown.last_reply as f64 / 1e9 / 50.0;
        let rates = digests[0].rates(step_s);
        assert_eq!(rates.len(), 50);
        let sum: f64 = rates.iter().map(|rate| rate * step_s).sum();
        // The last bin reaches a little beyond the last reply.
        assert!((sum - 4000.0).abs() < 40.0, "{sum}");
    }

    #[test]
    fn a_band_of_one_seed_is_that_seed() {
        let (digests, shown) = digests(1);
        let bands = Bands::of(&digests, &shown).unwrap();
        let average = bands.rows[2][5];
        assert_eq!(
            (average.low, average.high),
            (average.median, average.median)
        );
        assert!((average.median - shown.row(2).avg).abs() < 1e-9);
        let local = &shown.tmms[1].local_bins;
        let [low, _] = &bands.histograms[1];
        assert!(
            local
                .iter()
                .zip(low)
                .all(|(count, low)| (f64::from(*count) - low).abs() < 1e-6)
        );
    }

    #[test]
    fn bands_hold_nine_seeds_in_ten_and_their_medians() {
        let (digests, shown) = digests(20);
        let bands = Bands::of(&digests, &shown).unwrap();
        assert_eq!((bands.seeds, bands.rows.len()), (20, 4));
        let [low, median, high] = &bands.rates;
        assert!(low.len() > 50 && low.len() == high.len());
        for ((low, median), high) in low.iter().zip(median).zip(high) {
            assert!(low <= median && median <= high);
        }
        let averages: Vec<f64> = digests.iter().map(|digest| digest.rows[0][5]).collect();
        let band = bands.rows[0][5];
        let inside = averages
            .iter()
            .filter(|average| (band.low..=band.high).contains(average))
            .count();
        assert_eq!(inside, 18, "{averages:?}");
    }

    #[test]
    fn nothing_has_no_band() {
        let (_, shown) = digests(1);
        assert_eq!(Bands::of(&[], &shown), None);
        assert!(Band::of([f64::NAN]).median.is_nan());
        assert!((Band::of([1.0, f64::NAN, 3.0]).median - 2.0).abs() < 1e-12);
    }
}
