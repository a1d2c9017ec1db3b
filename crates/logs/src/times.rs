//! One row of the table that everything else rests on.

use serde::{Deserialize, Serialize};

use crate::observations::{Counts, Tally, TmmWrites};

/// Percentiles and tags of one TMM. Times are in clicks.
///
/// Percentiles follow the rule `sorted[min(n - 1, floor(n * p / 100))]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TmmTimes {
    /// The TMM.
    pub tmm: u16,
    /// Timed writes.
    pub n: u64,
    /// Of these, tagged `FAST_LOCAL`.
    pub fast: u64,
    /// Of these, tagged `SLOW`.
    pub slow: u64,
    /// The fewest clicks.
    pub min: u32,
    /// The median.
    pub p50: u32,
    /// The mean.
    pub avg: f64,
    /// The 95th percentile.
    pub p95: u32,
    /// The 99th percentile.
    pub p99: u32,
    /// The most clicks.
    pub max: u32,
}

/// Percentiles and tags of all TMMs together; fields as in [`TmmTimes`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TotalTimes {
    /// Timed writes.
    pub n: u64,
    /// Of these, tagged `FAST_LOCAL`.
    pub fast: u64,
    /// Of these, tagged `SLOW`.
    pub slow: u64,
    /// The fewest clicks.
    pub min: u32,
    /// The median.
    pub p50: u32,
    /// The mean.
    pub avg: f64,
    /// The 95th percentile.
    pub p95: u32,
    /// The 99th percentile.
    pub p99: u32,
    /// The most clicks.
    pub max: u32,
}

impl TmmTimes {
    pub(crate) fn of(tmm: u16, writes: &TmmWrites) -> Self {
        TotalTimes::of([writes]).for_tmm(tmm)
    }
}

impl TotalTimes {
    pub(crate) fn of<'a>(parts: impl IntoIterator<Item = &'a TmmWrites>) -> Self {
        let (mut fast, mut slow) = (0, 0);
        let mut tallies: Vec<&Tally> = Vec::new();
        for part in parts {
            fast += part.fast;
            slow += part.slow;
            tallies.extend(part.subtables.iter().map(|subtable| &subtable.clicks));
        }
        let counts = Counts::union(tallies.iter().copied());
        let sum: u128 = tallies.iter().map(|tally| u128::from(tally.sum())).sum();
        Self {
            n: counts.n(),
            fast,
            slow,
            min: tallies.iter().map(|tally| tally.min()).min().unwrap_or(0),
            p50: counts.percentile(50),
            avg: if sum == 0 {
                0.0
            } else {
                sum as f64 / counts.n() as f64
            },
            p95: counts.percentile(95),
            p99: counts.percentile(99),
            max: tallies.iter().map(|tally| tally.max()).max().unwrap_or(0),
        }
    }

    /// The same figures as the row of one TMM.
    pub(crate) fn for_tmm(self, tmm: u16) -> TmmTimes {
        let Self {
            n,
            fast,
            slow,
            min,
            p50,
            avg,
            p95,
            p99,
            max,
        } = self;
        TmmTimes {
            tmm,
            n,
            fast,
            slow,
            min,
            p50,
            avg,
            p95,
            p99,
            max,
        }
    }
}
