//! What was read, added up: bounded whatever the input, and enough for every question that [`crate::analyse`] answers.

mod discoveries;
mod probes;
mod tally;
mod writes;

use std::collections::BTreeMap;

pub use self::discoveries::Discoveries;
pub use self::probes::{ProbeTally, Probes};
pub use self::tally::{Counts, Tally};
pub use self::writes::{SubtableWrites, TmmWrites, Writes};
use crate::faults::LineCounts;
use crate::limits::{MAX_DISTINCT_CLICKS, MAX_NAME_BYTES};
use crate::lines::Line;
use crate::reports::Report;

/// A rule's settings, as it said when it was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleSettings {
    /// One write in this many is logged; 0 for none.
    pub debug_sample: u32,
    /// The threshold of its tags, in clicks.
    pub fast_threshold: u32,
}

/// Bulk posts that one TMM took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BulkWrites {
    /// Posts.
    pub posts: u64,
    /// Keys written.
    pub written: u64,
    /// Clicks for all of them.
    pub elapsed_clicks: u64,
}

/// Everything that was read.
#[derive(Clone, Debug, Default)]
pub struct Observations {
    /// What became of the lines.
    pub lines: LineCounts,
    /// The last line had no line end.
    pub unterminated: bool,
    /// Timed writes, by TMM and subtable.
    pub writes: Writes,
    /// Probes, by name and TMM.
    pub probes: Probes,
    /// Discoveries, by number of tries.
    pub discoveries: Discoveries,
    /// Connections accepted, by TMM.
    pub accepts: BTreeMap<u16, u64>,
    /// Bulk posts, by TMM.
    pub bulk: BTreeMap<u16, BulkWrites>,
    /// Answers that named their TMM, by TMM.
    pub answers: BTreeMap<u16, u64>,
    /// The settings that the rule was last loaded with.
    pub rule: Option<RuleSettings>,
    /// TMMs in the system, where a line says so; the largest if lines differ.
    pub total_tmms: Option<u16>,
    /// Text reports of the client and the analyser, in order.
    pub reports: Vec<Report>,
    /// Over all tallies together, distinct values kept; 0 stands for [`MAX_DISTINCT_CLICKS`].
    distinct_limit: usize,
}

impl Observations {
    /// Adds one line. With `all_lines`, probes count as timed writes too.
    pub(crate) fn record(&mut self, line: &Line<'_>, all_lines: bool) {
        let merged = match line {
            Line::Write(write) => self.writes.record(write),
            Line::Probe(probe) => {
                let merged = self.probes.record(probe);
                if all_lines {
                    self.writes.record_probe(probe) || merged
                } else {
                    merged
                }
            }
            Line::Discovery(found) => {
                self.discoveries.record(found);
                self.note_total(found.total_tmms);
                false
            }
            Line::Exhausted(gave_up) => {
                self.discoveries.record_exhausted(gave_up);
                false
            }
            Line::Accept { tmm, .. } => {
                *self.accepts.entry(*tmm).or_default() += 1;
                false
            }
            &Line::Loaded {
                debug_sample,
                fast_threshold,
                ..
            } => {
                self.rule = Some(RuleSettings {
                    debug_sample,
                    fast_threshold,
                });
                false
            }
            Line::Bulk {
                tmm,
                written,
                elapsed_clicks,
            } => {
                let bulk = self.bulk.entry(*tmm).or_default();
                bulk.posts += 1;
                bulk.written = bulk.written.saturating_add(*written);
                bulk.elapsed_clicks = bulk.elapsed_clicks.saturating_add(*elapsed_clicks);
                false
            }
            Line::Status(status) => {
                *self.answers.entry(status.tmm).or_default() += 1;
                self.note_total(status.total_tmms);
                false
            }
            Line::Entries { tmm, .. } => {
                *self.answers.entry(*tmm).or_default() += 1;
                false
            }
        };
        if merged {
            self.keep_within_limit();
        }
    }

    pub(crate) fn note_total(&mut self, total: Option<u16>) {
        self.total_tmms = self.total_tmms.max(total);
    }

    /// Rounds the largest tallies until all of them together are within the limit.
    fn keep_within_limit(&mut self) {
        let limit = if self.distinct_limit == 0 {
            MAX_DISTINCT_CLICKS
        } else {
            self.distinct_limit
        };
        loop {
            let tallies = self.writes.tallies_mut().chain(self.probes.tallies_mut());
            let (mut total, mut largest) = (0, None::<&mut Tally>);
            for tally in tallies {
                total += tally.distinct();
                if largest
                    .as_ref()
                    .is_none_or(|other| other.distinct() < tally.distinct())
                {
                    largest = Some(tally);
                }
            }
            match largest {
                Some(tally) if total > limit => tally.coarsen(),
                _ => return,
            }
        }
    }
}

/// A name as it is stored: its first bytes if it is longer than any platform allows.
fn stored_name(name: &[u8]) -> &[u8] {
    &name[..name.len().min(MAX_NAME_BYTES)]
}

#[cfg(test)]
mod tests {
    use super::Observations;
    use crate::lines::{Line, Write};

    #[test]
    fn distinct_values_stay_within_the_limit_and_the_rest_stays_exact() {
        let mut seen = Observations {
            distinct_limit: 10_000,
            ..Observations::default()
        };
        let values = (0..200_000_u32).map(|i| i.wrapping_mul(2_654_435_761));
        for (i, clicks) in values.clone().enumerate() {
            let tmm = u16::try_from(i % 7).unwrap();
            let write = Write {
                tmm,
                clicks,
                tag: None,
                one_in: None,
                unique: false,
                subtable: None,
                writes: None,
                key: None,
            };
            seen.record(&Line::Write(write), false);
        }
        let tallies: Vec<_> = seen.writes.tallies_mut().map(|t| t.clone()).collect();
        assert_eq!(tallies.len(), 7);
        assert!(tallies.iter().map(super::Tally::distinct).sum::<usize>() <= 10_000);
        assert!(tallies.iter().any(|t| t.step() > 1));
        assert_eq!(tallies.iter().map(super::Tally::n).sum::<u64>(), 200_000);
        assert_eq!(
            tallies.iter().map(super::Tally::max).max(),
            values.clone().max()
        );
        assert_eq!(
            tallies.iter().map(super::Tally::sum).sum::<u64>(),
            values.map(u64::from).sum::<u64>()
        );
    }
}
