//! A post of many keys: where they all go to a subtable of the TMM's own, what one write does is done for all at once,
//! and the times alone are drawn and added up one by one.

use super::turn::Turn;
use crate::results::Part;
use crate::scenario::{Naming, Scenario, Workload};
use crate::subtable::ages::Lives;
use crate::tmm::clicks;

/// Whether the keys of a scenario's posts are written alike: into one subtable, in which no age is kept.
pub(super) fn writes_alike(scenario: &Scenario) -> bool {
    scenario.workload() == Workload::Bulk
        && scenario.naming() != Naming::Spread
        && !Lives::new(scenario).end()
}

impl Turn<'_> {
    /// Writes those of a post's keys that come before the next one that is to be logged, and before the last: these go the
    /// way of every write.
    pub(super) fn write_keys_alike(&mut self) {
        let unpicked = self.tmm.sampler.unpicked();
        let writes = (u64::from(self.request.keys) - 1).min(unpicked);
        let began = self.visit.clock;
        let per_key = self.world.costs.bulk_key;
        let mut service = 0;
        for _ in 0..writes {
            self.visit.work(per_key);
            let asked_at = self.visit.clock;
            let cost = self.world.costs.local_write.draw(&mut self.tmm.luck);
            service += self.visit.work(cost);
            let took = clicks(asked_at, self.visit.clock);
            self.tmm.results.write(took, true);
            self.world.results.series.at(self.visit.clock).writes += 1;
        }
        self.parts.spend(Part::Service, service);
        let passed = self.visit.clock - began;
        self.parts.spend(Part::Work, passed - service);
        self.tmm.sampler.skip(writes);
        self.tmm.writes += writes;
        let tmm = self.tmm.number;
        let own = tmm * self.world.tmms + tmm;
        self.world.results.traffic[own as usize] += writes;
        self.world
            .subtables
            .write_many(self.request.subtable, writes);
        self.request.keys -= writes as u32;
        self.request.key += writes;
    }
}
