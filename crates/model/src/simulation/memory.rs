//! What the subtables hold at one moment, and what it takes.

use super::Simulation;
use crate::naming::Name;
use crate::scenario::{Placement, Scenario, Workload};
use crate::snapshot::{LimitSnapshot, Stored, SubtableSnapshot};

/// Bytes of one record: an entry under each index, or one entry and an index entry under each index, which holds the key
/// of the value in place of the value.
fn bytes_of_record(scenario: &Scenario) -> u64 {
    let (key, entry) = (scenario.key_bytes(), scenario.entry_bytes());
    let whole = key + scenario.value_bytes() + entry;
    match scenario.placement() {
        Placement::EachIndex => scenario.indexes() * whole,
        Placement::Once => whole + scenario.indexes() * (key + key + entry),
    }
}

impl Simulation {
    /// The subtables in use, in the order of first use. Entries whose time has come are not counted.
    pub(super) fn stored(&self) -> Vec<SubtableSnapshot> {
        let subtables = &self.world.subtables;
        let lives = subtables.lives();
        let mut in_use = vec![
            self.world.naming.is_brought()
                || self.world.workload == Workload::Probe;
            subtables.all().len()
        ];
        for tmm in &self.tmms {
            if let Name::Known(subtable) = tmm.name {
                in_use[subtable as usize] = true;
            }
        }
        subtables
            .all()
            .iter()
            .zip(in_use)
            .map(|(subtable, in_use)| {
                let over = subtable.ages.over(self.now, lives);
                SubtableSnapshot {
                    name: subtable.name.to_string(),
                    owner: subtable.owner,
                    entries: subtable.entries - over,
                    expired: subtable.expired + over,
                    in_use,
                    oldest: subtable
                        .ages
                        .oldest(self.now, lives)
                        .map(|left| lives.age(self.now, left)),
                }
            })
            .collect()
    }

    /// What each TMM stores.
    pub(super) fn memory(&self, subtables: &[SubtableSnapshot]) -> Vec<Stored> {
        let bytes_of_record = bytes_of_record(&self.scenario);
        let mut memory = vec![Stored::default(); self.tmms.len()];
        for subtable in subtables.iter().filter(|subtable| subtable.entries > 0) {
            let stored = &mut memory[subtable.owner as usize];
            stored.subtables += 1;
            stored.entries += subtable.entries;
            if !subtable.in_use {
                stored.orphans += subtable.entries;
            }
            stored.bytes += subtable.entries * bytes_of_record + self.scenario.subtable_bytes();
        }
        memory
    }

    /// What became of requests that are limited per user; none where they are not.
    pub(super) fn limit(&self) -> Option<LimitSnapshot> {
        let results = &self.world.results;
        let over = |admitted: &u32| u64::from(*admitted).saturating_sub(self.world.limit);
        (self.world.workload == Workload::Limit).then(|| LimitSnapshot {
            admitted: results.admitted.iter().map(|&n| u64::from(n)).sum(),
            turned_away: results.turned_away,
            over: results.admitted.iter().map(over).sum(),
            most: results.admitted.iter().copied().max().unwrap_or(0),
        })
    }
}
