//! Clicks, counted: exact percentiles of what was sampled, and a histogram of all writes.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Exact counts of click values.
///
/// Memory is bounded by the number of different values, not by the number of writes: small values, which local writes
/// take, have a counter each; larger ones share a sorted map.
#[derive(Clone, Debug)]
pub struct Counts {
    small: Vec<u64>,
    large: BTreeMap<u32, u64>,
    n: u64,
    sum: u64,
}

/// Values below this have a counter of their own.
const SMALL: usize = 256;

impl Default for Counts {
    fn default() -> Self {
        Self {
            small: vec![0; SMALL],
            large: BTreeMap::new(),
            n: 0,
            sum: 0,
        }
    }
}

impl Counts {
    /// Counts one value.
    #[inline]
    pub fn add(&mut self, clicks: u32) {
        self.n += 1;
        self.sum += u64::from(clicks);
        match self.small.get_mut(clicks as usize) {
            Some(count) => *count += 1,
            None => *self.large.entry(clicks).or_insert(0) += 1,
        }
    }

    /// Values counted.
    #[must_use]
    pub const fn len(&self) -> u64 {
        self.n
    }

    /// Whether nothing was counted.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.n == 0
    }

    fn ascending(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let small = (0_u32..)
            .zip(self.small.iter().copied())
            .filter(|(_, count)| *count > 0);
        small.chain(self.large.iter().map(|(value, count)| (*value, *count)))
    }

    /// The value at `sorted[min(n - 1, floor(n * percent / 100))]`: the percentile rule of the published harness.
    /// 0 when nothing was counted.
    #[must_use]
    pub fn percentile(&self, percent: u64) -> u32 {
        value_at_rank(self.ascending(), rank_of(self.n, percent))
    }

    /// How many values are below `threshold`.
    #[must_use]
    pub fn below(&self, threshold: u64) -> u64 {
        self.ascending()
            .take_while(|(value, _)| u64::from(*value) < threshold)
            .map(|(_, count)| count)
            .sum()
    }

    /// The row of the analyser for these values.
    #[must_use]
    pub fn summary(&self, threshold: u64) -> Summary {
        let fast = self.below(threshold);
        Summary {
            n: self.n,
            fast,
            slow: self.n - fast,
            min: self.ascending().next().map_or(0, |(value, _)| value),
            p50: self.percentile(50),
            avg: if self.n == 0 {
                0.0
            } else {
                self.sum as f64 / self.n as f64
            },
            p95: self.percentile(95),
            p99: self.percentile(99),
            max: self.percentile(100),
        }
    }
}

/// Index of a percentile in `n` sorted values: `min(n - 1, floor(n * percent / 100))`.
fn rank_of(n: u64, percent: u64) -> u64 {
    (n * percent / 100).min(n.saturating_sub(1))
}

/// The value at an index of the sorted values; 0 when there are none.
fn value_at_rank(mut ascending: impl Iterator<Item = (u32, u64)>, rank: u64) -> u32 {
    let mut before = 0;
    let reached = ascending.find(|(_, count)| {
        before += count;
        before > rank
    });
    reached.map_or(0, |(value, _)| value)
}

/// What the analyser of the harness prints for one TMM. Times in clicks; all 0 when `n` is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Values.
    pub n: u64,
    /// Values below the threshold.
    pub fast: u64,
    /// Values at or above the threshold.
    pub slow: u64,
    /// Least.
    pub min: u32,
    /// Median.
    pub p50: u32,
    /// Mean.
    pub avg: f64,
    /// 95th percentile.
    pub p95: u32,
    /// 99th percentile.
    pub p99: u32,
    /// Greatest.
    pub max: u32,
}

/// Bins of a decade in a [`LogBins`].
pub const BINS_PER_DECADE: usize = 16;
/// Decades of a [`LogBins`]: 1 to 10 million clicks.
pub const DECADES: usize = 7;
/// Bins of a [`LogBins`].
pub const BINS: usize = BINS_PER_DECADE * DECADES;

/// Many times in clicks: small ones exact, to two significant digits from there on (`HdrHistogram`).
#[derive(Clone, Debug)]
pub struct Population {
    small: Vec<u32>,
    large: Histogram<u32>,
    large_sum: u64,
    /// Greatest value counted.
    max: u32,
}

impl Default for Population {
    fn default() -> Self {
        Self::exact_below(SMALL)
    }
}

impl Population {
    /// Nothing counted yet; values below `exact` will have a counter each.
    #[must_use]
    pub fn exact_below(exact: usize) -> Self {
        // Two digits, growing by itself: refused only for more than five digits.
        let large = Histogram::new(2).unwrap_or_else(|_| unreachable!("two digits are allowed"));
        Self {
            small: vec![0; exact],
            large,
            large_sum: 0,
            max: 0,
        }
    }

    /// Counts one write.
    #[inline(always)]
    pub fn add(&mut self, clicks: u32) {
        match self.small.get_mut(clicks as usize) {
            Some(count) => *count += 1,
            None => self.add_large(clicks),
        }
    }

    #[inline(never)]
    fn add_large(&mut self, clicks: u32) {
        // Fails only when the histogram may not grow, and it may.
        let _ = self.large.record(u64::from(clicks));
        self.large_sum += u64::from(clicks);
        self.max = self.max.max(clicks);
    }

    /// Every different value with its count, ascending. Large values are the greatest that look alike to two digits.
    fn ascending(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        let large = self.large.iter_recorded().map(|step| {
            let value = u32::try_from(step.value_iterated_to()).unwrap_or(u32::MAX);
            (value.min(self.max), u64::from(step.count_at_value()))
        });
        let small = (0_u32..).zip(self.small.iter().map(|&count| u64::from(count)));
        small.filter(|(_, count)| *count > 0).chain(large)
    }

    /// Counts by logarithmic bin: bin `i` holds clicks from `10^(i / 16)`; everything below 1 is in the first, everything
    /// beyond the last in the last.
    #[must_use]
    pub fn log_bins(&self) -> Vec<u32> {
        let mut bins = vec![0_u32; BINS];
        let mut ends = ends_of_bins().iter();
        let (mut place, mut end) = (0, ends.next());
        for (value, count) in self.ascending() {
            // Values ascend, and so do the bins.
            while end.is_some_and(|&end| value >= end) {
                (place, end) = (place + 1, ends.next());
            }
            let bin = &mut bins[place];
            *bin = bin.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        }
        bins
    }

    /// Adds another population to this one.
    pub fn merge(&mut self, other: &Self) {
        for (count, more) in self.small.iter_mut().zip(&other.small) {
            *count += more;
        }
        // Fails only when this histogram may not grow, and it may.
        let _ = self.large.add(&other.large);
        self.large_sum += other.large_sum;
        self.max = self.max.max(other.max);
    }

    /// The row of the table for these times: the mean and the greatest exact, the others while they are small.
    #[must_use]
    pub fn summary(&self, threshold: u64) -> Summary {
        let counted: Vec<(u32, u64)> = self.ascending().collect();
        let (mut n, mut fast, mut sum) = (0, 0, self.large_sum);
        for &(value, count) in &counted {
            n += count;
            fast += if u64::from(value) < threshold {
                count
            } else {
                0
            };
            sum += if (value as usize) < self.small.len() {
                u64::from(value) * count
            } else {
                0
            };
        }
        let quantile = |percent| value_at_rank(counted.iter().copied(), rank_of(n, percent));
        Summary {
            n,
            fast,
            slow: n - fast,
            min: quantile(0),
            p50: quantile(50),
            avg: if n == 0 { 0.0 } else { sum as f64 / n as f64 },
            p95: quantile(95),
            p99: quantile(99),
            max: quantile(100),
        }
    }
}

/// The least value beyond each logarithmic bin but the last, which has no end.
fn ends_of_bins() -> &'static [u32] {
    static ENDS: OnceLock<Vec<u32>> = OnceLock::new();
    ENDS.get_or_init(|| (0..BINS - 1).map(end_of_bin).collect())
}

/// The least value that lies beyond a logarithmic bin.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a power of ten between 1 and 10^7"
)]
fn end_of_bin(bin: usize) -> u32 {
    // Within one of the end, whatever the rounding; which bin a value is in, `bin_of` alone decides.
    let mut value = libm::exp10((bin + 1) as f64 / BINS_PER_DECADE as f64) as u64;
    while bin_of(value) <= bin {
        value += 1;
    }
    while value > 1 && bin_of(value - 1) > bin {
        value -= 1;
    }
    value as u32
}

/// The logarithmic bin of a value of at least 1.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a logarithm of at least 1 is not negative and small"
)]
fn bin_of(value: u64) -> usize {
    // Whole decades are exact in libm; the small term keeps them out of the bin below on any rounding.
    let position = libm::log10(value as f64) * BINS_PER_DECADE as f64 + 1e-9;
    (position as usize).min(BINS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_percentile_rule_of_the_reference() {
        let mut counts = Counts::default();
        let mut values: Vec<u32> = (0..25)
            .map(|i| if i % 5 == 0 { 1000 + i * 37 } else { i })
            .collect();
        for &value in &values {
            counts.add(value);
        }
        values.sort_unstable();
        for percent in [0, 1, 50, 95, 99, 100] {
            let rank = (25 * percent / 100).min(24);
            assert_eq!(counts.percentile(percent as u64), values[rank], "{percent}");
        }
        let summary = counts.summary(100);
        assert_eq!((summary.n, summary.fast, summary.slow), (25, 20, 5));
        assert_eq!(summary.max, *values.last().unwrap_or(&0));
        // The 99th percentile of 25 values is their maximum.
        assert_eq!(summary.p99, summary.max);
    }

    #[test]
    fn nothing_counted_is_all_zero() {
        assert_eq!(Counts::default().summary(100), Summary::default());
    }

    #[test]
    fn bins_begin_at_the_decades() {
        let mut population = Population::default();
        for clicks in [0, 1, 9, 10, 100, 1000, 99_000_000] {
            population.add(clicks);
        }
        let bins = population.log_bins();
        assert_eq!(bins.iter().sum::<u32>(), 7);
        assert_eq!(
            (bins[0], bins[16], bins[32], bins[48], bins[BINS - 1]),
            (2, 1, 1, 1, 1)
        );
        for (bin, &end) in ends_of_bins().iter().enumerate() {
            let last = u64::from(end) - 1;
            assert!(
                bin_of(last.max(1)) <= bin && bin_of(u64::from(end)) > bin,
                "{bin}: {end}"
            );
        }
    }
}
