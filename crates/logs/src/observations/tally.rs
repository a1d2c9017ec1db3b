//! Exact counts of clicks, in memory bounded by the number of distinct values.

/// The clicks of one population: how often each value was seen.
///
/// New values wait in a buffer that is sorted and merged into the runs when it has grown to half their number, so
/// recording costs O(log n) amortised. While [`Tally::step`] is 1 the counts are exact.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    n: u64,
    sum: u64,
    min: u32,
    max: u32,
    /// (value, times), ascending. A value is repeated where its count would overflow.
    runs: Vec<(u32, u32)>,
    pending: Vec<u32>,
    shift: u8,
}

const SMALLEST_BUFFER: usize = 256;

impl Tally {
    /// Adds one value; says whether the buffer was merged, so that distinct values may have become more.
    pub(super) fn record(&mut self, clicks: u32) -> bool {
        self.min = if self.n == 0 {
            clicks
        } else {
            self.min.min(clicks)
        };
        self.max = self.max.max(clicks);
        self.n += 1;
        self.sum += u64::from(clicks);
        self.pending.push(clicks >> self.shift << self.shift);
        let full = self.pending.len() >= SMALLEST_BUFFER.max(self.runs.len() / 2);
        if full {
            self.merge_pending();
        }
        full
    }

    fn merge_pending(&mut self) {
        self.pending.sort_unstable();
        let fresh = self.pending.iter().map(|&clicks| (clicks, 1));
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(self.runs.len() + self.pending.len());
        let mut old = self.runs.iter().copied().peekable();
        for (clicks, times) in fresh {
            while let Some(run) = old.next_if(|&(value, _)| value <= clicks) {
                append(&mut merged, run);
            }
            append(&mut merged, (clicks, times));
        }
        old.for_each(|run| append(&mut merged, run));
        self.runs = merged;
        self.pending.clear();
    }

    /// Distinct values kept, without those still in the buffer.
    pub(super) fn distinct(&self) -> usize {
        self.runs.len()
    }

    /// Rounds values down to ever larger powers of two until half as many are distinct.
    pub(super) fn coarsen(&mut self) {
        self.merge_pending();
        let goal = self.runs.len() / 2;
        while self.runs.len() > goal && self.shift < 31 {
            self.shift += 1;
            let mut fewer = Vec::new();
            for &(value, times) in &self.runs {
                append(&mut fewer, (value >> self.shift << self.shift, times));
            }
            self.runs = fewer;
        }
    }

    /// How many values were recorded.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.n
    }

    /// The smallest value; 0 of none.
    #[must_use]
    pub fn min(&self) -> u32 {
        self.min
    }

    /// The largest value; 0 of none.
    #[must_use]
    pub fn max(&self) -> u32 {
        self.max
    }

    /// The sum of all values, exact even when the counts are not.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// The arithmetic mean; 0 of none.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.n == 0 {
            0.0
        } else {
            self.sum as f64 / self.n as f64
        }
    }

    /// Values are rounded down to a multiple of this; 1 while the counts are exact.
    #[must_use]
    pub fn step(&self) -> u32 {
        1 << self.shift
    }

    /// The values with how often each was seen, ascending.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut whole = self.clone();
        whole.merge_pending();
        Counts::new(
            whole
                .runs
                .iter()
                .map(|&(value, times)| (value, u64::from(times))),
        )
    }
}

fn append(runs: &mut Vec<(u32, u32)>, (value, times): (u32, u32)) {
    if let Some((last, count)) = runs.last_mut()
        && *last == value
        && let Some(sum) = count.checked_add(times)
    {
        *count = sum;
        return;
    }
    runs.push((value, times));
}

/// Distinct values, ascending, each with how often it was seen: a whole population, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pairs: Vec<(u32, u64)>,
    n: u64,
}

impl Counts {
    fn new(ascending: impl Iterator<Item = (u32, u64)>) -> Self {
        let mut counts = Self::default();
        for (value, times) in ascending {
            counts.n += times;
            match counts.pairs.last_mut() {
                Some((last, count)) if *last == value => *count += times,
                _ => counts.pairs.push((value, times)),
            }
        }
        counts
    }

    /// The union of several populations.
    #[must_use]
    pub fn union<'a>(parts: impl IntoIterator<Item = &'a Tally>) -> Self {
        let mut pairs: Vec<(u32, u64)> = parts
            .into_iter()
            .flat_map(|tally| tally.counts().pairs)
            .collect();
        pairs.sort_unstable_by_key(|&(value, _)| value);
        Self::new(pairs.into_iter())
    }

    /// How many values there are, repetitions included.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.n
    }

    /// (value, times), ascending by value.
    #[must_use]
    pub fn pairs(&self) -> &[(u32, u64)] {
        &self.pairs
    }

    /// The percentile by the rule `sorted[min(n - 1, floor(n * percent / 100))]`; 0 of an empty population.
    #[must_use]
    pub fn percentile(&self, percent: u8) -> u32 {
        let rank = u128::from(self.n) * u128::from(percent) / 100;
        let rank = rank.min(u128::from(self.n.saturating_sub(1)));
        let mut below = 0;
        for &(value, times) in &self.pairs {
            below += u128::from(times);
            if rank < below {
                return value;
            }
        }
        0
    }

    /// How many values are below the limit.
    #[must_use]
    pub fn below(&self, limit: u32) -> u64 {
        let end = self.pairs.partition_point(|&(value, _)| value < limit);
        self.pairs[..end].iter().map(|&(_, times)| times).sum()
    }

    /// The smallest value, if there is one.
    #[must_use]
    pub fn min(&self) -> Option<u32> {
        self.pairs.first().map(|&(value, _)| value)
    }

    /// The largest value, if there is one.
    #[must_use]
    pub fn max(&self) -> Option<u32> {
        self.pairs.last().map(|&(value, _)| value)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Counts, Tally};

    fn tally_of(values: &[u32]) -> Tally {
        let mut tally = Tally::default();
        for &value in values {
            tally.record(value);
        }
        tally
    }

    /// The rule as it is written down, on a sorted list.
    fn by_the_book(values: &[u32], percent: usize) -> u32 {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        sorted[(sorted.len() - 1).min(sorted.len() * percent / 100)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn counts_are_the_sorted_list(values in prop::collection::vec(0_u32..3000, 1..6000)) {
            let tally = tally_of(&values);
            let counts = tally.counts();
            prop_assert_eq!(counts.n(), values.len() as u64);
            prop_assert_eq!(tally.sum(), values.iter().map(|&v| u64::from(v)).sum::<u64>());
            prop_assert_eq!(Some(tally.min()), counts.min());
            prop_assert_eq!(Some(tally.max()), counts.max());
            for percent in [0, 1, 50, 95, 99, 100] {
                prop_assert_eq!(counts.percentile(percent), by_the_book(&values, usize::from(percent)));
            }
            prop_assert_eq!(counts.below(1500), values.iter().filter(|&&v| v < 1500).count() as u64);
        }

        #[test]
        fn union_is_concatenation(a in prop::collection::vec(any::<u32>(), 0..2000), b in prop::collection::vec(0_u32..9, 0..2000)) {
            let both: Vec<u32> = a.iter().chain(&b).copied().collect();
            prop_assert_eq!(Counts::union([&tally_of(&a), &tally_of(&b)]), tally_of(&both).counts());
        }

        #[test]
        fn coarsening_halves_and_stays_within_its_step(values in prop::collection::vec(any::<u32>(), 2..3000)) {
            let mut tally = tally_of(&values);
            let exact = tally.counts();
            tally.coarsen();
            prop_assert!(tally.distinct() <= exact.pairs().len() / 2 + 1);
            for percent in [0, 50, 99] {
                let (kept, was) = (tally.counts().percentile(percent), exact.percentile(percent));
                prop_assert!(kept <= was && was - kept < tally.step());
            }
            prop_assert_eq!(tally.max(), *values.iter().max().unwrap());
        }
    }

    #[test]
    fn an_empty_population_has_no_values() {
        let counts = Tally::default().counts();
        assert_eq!(
            (
                counts.n(),
                counts.percentile(99),
                counts.min(),
                counts.below(u32::MAX)
            ),
            (0, 0, None, 0)
        );
    }
}
