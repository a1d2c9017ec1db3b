//! Clicks, counted: exact percentiles of what was sampled, and a histogram of all writes.

use std::collections::BTreeMap;

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
        let rank = (self.n * percent / 100).min(self.n.saturating_sub(1));
        let mut before = 0;
        for (value, count) in self.ascending() {
            before += count;
            if before > rank {
                return value;
            }
        }
        0
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

/// A histogram of all writes of one TMM, by click, to two significant digits (`HdrHistogram`).
#[derive(Clone, Debug)]
pub struct Population(Histogram<u32>);

impl Default for Population {
    fn default() -> Self {
        // Two digits, growing by itself: refused only for more than five digits.
        Self(Histogram::new(2).unwrap_or_else(|_| unreachable!("two digits are allowed")))
    }
}

impl Population {
    /// Counts one write.
    #[inline]
    pub fn add(&mut self, clicks: u32) {
        // Fails only when the histogram may not grow, and it may.
        let _ = self.0.record(u64::from(clicks));
    }

    /// Writes counted.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.0.len()
    }

    /// Whether nothing was counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Counts by logarithmic bin: bin `i` holds clicks from `10^(i / 16)`; everything below 1 is in the first, everything
    /// beyond the last in the last.
    #[must_use]
    pub fn log_bins(&self) -> Vec<u32> {
        let mut bins = vec![0_u32; BINS];
        for step in self.0.iter_recorded() {
            let value = step.value_iterated_to().max(1);
            let bin = bin_of(value);
            bins[bin] = bins[bin].saturating_add(step.count_at_value());
        }
        bins
    }

    /// How many writes took less than `threshold` clicks, to two significant digits of the threshold.
    #[must_use]
    pub fn below(&self, threshold: u64) -> u64 {
        if threshold == 0 {
            0
        } else {
            self.0.count_between(0, threshold - 1)
        }
    }

    /// Adds another population to this one.
    pub fn merge(&mut self, other: &Self) {
        // Fails only when this histogram may not grow, and it may.
        let _ = self.0.add(&other.0);
    }

    /// Value below which `share` (0 to 1) of the writes lie, to two significant digits; in clicks.
    #[must_use]
    pub fn quantile(&self, share: f64) -> u64 {
        self.0.value_at_quantile(share)
    }
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
    }
}
