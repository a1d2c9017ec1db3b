//! Timed writes, by TMM and by the subtable written to.

use std::collections::BTreeMap;

use super::{Counts, Tally, stored_name};
use crate::limits::MAX_SUBTABLES_PER_TMM;
use crate::lines::{Probe, Tag, Write};

/// One TMM's writes to one subtable.
#[derive(Clone, Debug)]
pub struct SubtableWrites {
    /// The subtable; empty where lines did not say, or beyond the number that is kept.
    pub name: Box<[u8]>,
    /// The clicks.
    pub clicks: Tally,
}

/// One TMM's writes.
#[derive(Clone, Debug, Default)]
pub struct TmmWrites {
    /// Lines tagged `FAST_LOCAL`.
    pub fast: u64,
    /// Lines tagged `SLOW`.
    pub slow: u64,
    /// Lines of the unique-key variant.
    pub unique: u64,
    /// Writes that the lines stand for: the sum of their sample rates.
    pub stands_for: u64,
    /// The highest write counter seen.
    pub counter: Option<u64>,
    /// By subtable, in order of first appearance.
    pub subtables: Vec<SubtableWrites>,
    /// Which of them the last line was of: most often the next one's too.
    last: usize,
}

impl TmmWrites {
    /// Lines of all subtables.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.subtables
            .iter()
            .map(|subtable| subtable.clicks.n())
            .sum()
    }

    /// The clicks of all subtables together.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts::union(self.subtables.iter().map(|subtable| &subtable.clicks))
    }

    /// The largest step of the tallies: 1 while the counts are exact.
    #[must_use]
    pub fn step(&self) -> u32 {
        self.subtables
            .iter()
            .map(|subtable| subtable.clicks.step())
            .max()
            .unwrap_or(1)
    }

    fn tally(&mut self, name: &[u8]) -> &mut Tally {
        let name = stored_name(name);
        let at = match self.subtables.get(self.last) {
            Some(subtable) if *subtable.name == *name => self.last,
            _ => self.find_or_add(name),
        };
        self.last = at;
        &mut self.subtables[at].clicks
    }

    fn find_or_add(&mut self, name: &[u8]) -> usize {
        if let Some(at) = self
            .subtables
            .iter()
            .position(|subtable| *subtable.name == *name)
        {
            return at;
        }
        if self.subtables.len() >= MAX_SUBTABLES_PER_TMM && !name.is_empty() {
            return self.find_or_add(b"");
        }
        self.subtables.push(SubtableWrites {
            name: name.into(),
            clicks: Tally::default(),
        });
        self.subtables.len() - 1
    }
}

/// All timed writes.
#[derive(Clone, Debug, Default)]
pub struct Writes {
    /// By TMM.
    pub per_tmm: BTreeMap<u16, TmmWrites>,
    /// Sample rates seen (one in how many) and the number of lines of each.
    pub rates: BTreeMap<u32, u64>,
    /// Lines of rates beyond the 256 that are told apart.
    pub further_rates: u64,
    /// The most clicks tagged `FAST_LOCAL`.
    pub fast_tag_max: Option<u32>,
    /// The fewest clicks tagged `SLOW`.
    pub slow_tag_min: Option<u32>,
}

const MAX_RATES: usize = 256;

impl Writes {
    /// Adds one write; says whether a tally was merged.
    pub(super) fn record(&mut self, write: &Write<'_>) -> bool {
        if let Some(rate) = write.one_in {
            if self.rates.len() < MAX_RATES || self.rates.contains_key(&rate) {
                *self.rates.entry(rate).or_default() += 1;
            } else {
                self.further_rates += 1;
            }
        }
        let tmm = self.per_tmm.entry(write.tmm).or_default();
        match write.tag {
            Some(Tag::FastLocal) => {
                tmm.fast += 1;
                self.fast_tag_max = self.fast_tag_max.max(Some(write.clicks));
            }
            Some(Tag::Slow) => {
                tmm.slow += 1;
                self.slow_tag_min = Some(
                    self.slow_tag_min
                        .map_or(write.clicks, |min| min.min(write.clicks)),
                );
            }
            None => {}
        }
        tmm.unique += u64::from(write.unique);
        tmm.stands_for = tmm
            .stands_for
            .saturating_add(u64::from(write.one_in.unwrap_or(1)));
        tmm.counter = tmm.counter.max(write.writes);
        tmm.tally(write.subtable.unwrap_or_default())
            .record(write.clicks)
    }

    /// Adds a probe as if it were a write, for when all lines are asked for.
    pub(super) fn record_probe(&mut self, probe: &Probe<'_>) -> bool {
        let tmm = self.per_tmm.entry(probe.tmm).or_default();
        tmm.stands_for = tmm.stands_for.saturating_add(1);
        tmm.tally(probe.subtable).record(probe.clicks)
    }

    pub(super) fn tallies_mut(&mut self) -> impl Iterator<Item = &mut Tally> {
        self.per_tmm.values_mut().flat_map(|tmm| {
            tmm.subtables
                .iter_mut()
                .map(|subtable| &mut subtable.clicks)
        })
    }
}
