//! Counts over time in constant memory: when the time axis is full, its bins double in width.

use serde::{Deserialize, Serialize};

use crate::agenda::Nanoseconds;

/// Bins at most.
pub const LONGEST: usize = 1024;
/// Width of a bin at first: 2^20 ns, about a millisecond. A power of two, so that a bin is found by a shift.
const FIRST_WIDTH_BITS: u32 = 20;

/// What happened in one stretch of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bin {
    /// Writes done.
    pub writes: u32,
    /// Log lines that reached the daemon.
    pub lines: u32,
    /// Log lines that found its buffer full.
    pub dropped: u32,
}

impl Bin {
    const fn add(&mut self, other: Self) {
        self.writes += other.writes;
        self.lines += other.lines;
        self.dropped += other.dropped;
    }
}

/// Counts over simulated time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    width_bits: u32,
    bins: Vec<Bin>,
}

impl Default for Series {
    fn default() -> Self {
        Self {
            width_bits: FIRST_WIDTH_BITS,
            bins: Vec::new(),
        }
    }
}

impl Series {
    /// The bin of an instant, to count something in.
    #[inline]
    pub fn at(&mut self, instant: Nanoseconds) -> &mut Bin {
        let mut index = instant >> self.width_bits;
        if index >= self.bins.len() as u64 {
            index = self.reach(instant);
        }
        &mut self.bins[index as usize]
    }

    #[cold]
    fn reach(&mut self, instant: Nanoseconds) -> u64 {
        while instant >> self.width_bits >= LONGEST as u64 {
            self.bins = self
                .bins
                .chunks(2)
                .map(|pair| {
                    let mut sum = pair[0];
                    if let Some(&second) = pair.get(1) {
                        sum.add(second);
                    }
                    sum
                })
                .collect();
            self.width_bits += 1;
        }
        let index = instant >> self.width_bits;
        self.bins
            .resize(self.bins.len().max(index as usize + 1), Bin::default());
        index
    }

    /// Width of a bin, in nanoseconds.
    #[must_use]
    pub const fn width(&self) -> Nanoseconds {
        1 << self.width_bits
    }

    /// The bins, from the start of the run.
    #[must_use]
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// The counts gathered into at most `most` equal stretches up to `end`: the length of a stretch in seconds, and the
    /// counts. Only stretches that lie wholly before `end` are given, so that no rate is understated by a stretch that
    /// has hardly begun; a run shorter than one stretch gives one.
    #[must_use]
    pub fn stretches(&self, end: Nanoseconds, most: usize) -> (f64, Vec<Bin>) {
        let whole = usize::try_from(end >> self.width_bits)
            .unwrap_or(usize::MAX)
            .min(self.bins.len());
        let together = whole.div_ceil(most.max(1)).max(1);
        let width_s = self.width() as f64 * together as f64 / 1e9;
        let sums = self.bins[..whole].chunks_exact(together).map(|chunk| {
            let mut sum = Bin::default();
            for &bin in chunk {
                sum.add(bin);
            }
            sum
        });
        (width_s, sums.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_stays_constant_and_nothing_is_lost() {
        let mut series = Series::default();
        for event in 0..100_000_u64 {
            series.at(event * 10_000_000).writes += 1;
        }
        assert!(series.bins().len() <= LONGEST);
        assert_eq!(
            series.bins().iter().map(|bin| bin.writes).sum::<u32>(),
            100_000
        );
        let (width_s, stretches) = series.stretches(1_000_000_000_000, 100);
        assert!(stretches.len() <= 100);
        for stretch in stretches {
            let rate = f64::from(stretch.writes) / width_s;
            assert!((rate - 100.0).abs() < 1.0, "{rate}");
        }
    }
}
