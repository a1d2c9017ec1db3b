//! What a request does when its acceptor turns to it, and what an owner does for it.
//!
//! [`accept`](Turn::accept) → [`find_name`](Turn::find_name) → [`write`](Turn::write) → [`count`](Turn::count) →
//! [`log_write`](Turn::log_write) → [`respond`](Turn::respond). Each goes on to the next in the same turn, unless it
//! must [`ask`](Turn::ask) another TMM: then the request [`park`](Turn::park)s, the owner [`serve`](Turn::serve)s it,
//! and it goes on in [`resume`](Turn::resume). How a name is found is told in [`search`](super::search).

use super::turn::Turn;
use super::world::Operation;
use crate::log::Line;
use crate::naming::Name;
use crate::results::Part;
use crate::scenario::{Count, Naming, Placement, Workload};
use crate::tmm::clicks;

/// Bytes of a key in a post: a UUID of 36 characters and a newline (published).
const BYTES_PER_KEY: u64 = 37;
/// Largest body of a post that the handler takes, in bytes (published).
const BODY_LIMIT: u64 = 16_777_216;

impl Turn<'_> {
    /// A request is taken up by the TMM that accepted its connection.
    #[inline(always)]
    pub(super) fn accept(&mut self) {
        if self.visit.start >= self.tmm.reload_at {
            self.reload();
        }
        let work = self.world.costs.request.draw(&mut self.tmm.work_luck);
        self.work(work, Part::Work);
        for _ in 0..self.world.log_accepts {
            self.log_accept();
        }
        if self.is_too_large() {
            self.world.results.refused += 1;
            self.respond();
        } else {
            self.find_name();
        }
    }

    /// The script has been loaded anew: the TMM has forgotten its name, and its counter begins at 0. The entries stay where
    /// they are. A search under way goes on: its script holds the old one.
    #[cold]
    fn reload(&mut self) {
        let Some(every) = self.world.reload_every else {
            return;
        };
        self.tmm.reload_at = (self.visit.start / every + 1).saturating_mul(every);
        self.tmm.writes_before_reload = self.tmm.writes;
        if let Name::Known(subtable) = self.tmm.name {
            self.tmm.name = Name::Unknown;
            self.world.names_known -= 1;
            if self.world.subtables.get(subtable).owner == self.tmm.number {
                self.world.names_local -= 1;
            }
        }
        self.log(Line::Loaded {
            tmm: self.tmm.number,
            every: self.world.log_every,
            threshold: self.world.threshold,
        });
    }

    /// Whether the body of a post is larger than what the handler takes (413).
    fn is_too_large(&self) -> bool {
        self.world.workload == Workload::Bulk
            && u64::from(self.request.keys) * BYTES_PER_KEY > BODY_LIMIT
    }

    /// A question is taken up by the owner of the subtable: the answer goes back.
    pub(super) fn serve(&mut self, operation: Operation) {
        self.work(self.world.costs.remote_service, Part::Service);
        match operation {
            // A trial's entry lives for seconds in a subtable that nobody uses: it is not kept.
            Operation::Trial => {}
            Operation::Write => self.store(),
            Operation::CountUser => self.request.listed = self.slots_of_user(),
            Operation::ListKeys | Operation::Delete => {
                let subtable = self.request.subtable;
                let listed = self.world.subtables.list(subtable, self.visit.clock);
                self.work(listed * self.world.costs.list_key, Part::Enumeration);
                self.request.listed = listed;
                if operation == Operation::Delete {
                    self.world.results.deleted += self.world.subtables.clear(subtable);
                }
            }
        }
        self.answer(operation);
    }

    /// The answer is taken up where the request is parked: its script goes on.
    pub(super) fn resume(&mut self, operation: Operation) {
        self.work(self.world.costs.resume, Part::Work);
        let took = clicks(self.request.asked_at, self.visit.clock);
        match operation {
            Operation::Trial => self.judge(took),
            Operation::Write => {
                if self.written(took) {
                    self.count();
                } else {
                    self.write();
                }
            }
            Operation::CountUser => self.admit(),
            Operation::Delete => self.respond(),
            Operation::ListKeys => {
                let receiving = self.request.listed * self.world.costs.receive_key;
                self.work(receiving, Part::Enumeration);
                self.finish();
            }
        }
    }

    /// The name is known: what the request came for.
    #[inline(always)]
    pub(super) fn handle(&mut self) {
        match self.world.workload {
            Workload::Load | Workload::Bulk | Workload::Probe => self.write(),
            Workload::Lookup => self.look_up(),
            Workload::Limit => self.count_user(),
            Workload::Whoami => self.respond(),
            Workload::Reset => self.delete(),
        }
    }

    /// A record is read at its index, or its index and then the record that it points to; a read is timed and costs as a
    /// write does.
    #[inline(never)]
    fn look_up(&mut self) {
        self.request.keys = match self.world.placement {
            Placement::EachIndex => 1,
            Placement::Once => 2,
        };
        self.write();
    }

    /// The write, or the writes of a post one after the other, until one is remote and parks the request.
    #[inline(always)]
    pub(super) fn write(&mut self) {
        loop {
            let owner = self.world.subtables.get(self.request.subtable).owner;
            if self.world.writes_alike && owner == self.tmm.number && self.request.keys > 1 {
                self.write_keys_alike();
            }
            if self.world.costs.bulk_key > 0 {
                self.work(self.world.costs.bulk_key, Part::Work);
            }
            let Some(took) = self.ask(owner, Operation::Write) else {
                return;
            };
            self.store();
            if self.written(took) {
                return self.count();
            }
        }
    }

    /// Asks something of an owner: inline when that is this TMM, and then how many clicks it took; else the request
    /// parks and a message goes.
    #[inline(always)]
    pub(super) fn ask(&mut self, owner: u32, operation: Operation) -> Option<u32> {
        self.request.owner = owner;
        self.request.asked_at = self.visit.clock;
        if owner == self.tmm.number {
            let cost = self.world.costs.local_write.draw(&mut self.tmm.luck);
            self.work(cost, Part::Service);
            return Some(clicks(self.request.asked_at, self.visit.clock));
        }
        self.park(operation);
        None
    }

    /// The owner has the entry.
    #[inline(always)]
    fn store(&mut self) {
        match self.world.workload {
            // A probe writes one and the same key, which lives for seconds: it is not kept. A lookup writes nothing.
            Workload::Probe | Workload::Lookup => {}
            workload => {
                let subtable = self.request.subtable;
                self.world.subtables.write(subtable, self.visit.clock);
                if workload == Workload::Limit {
                    self.take_slot();
                }
            }
        }
        self.world.results.series.at(self.visit.clock).writes += 1;
    }

    /// A write is done and the script has read its clock again: the write is counted, and picked for the log or not.
    /// Tells whether it was the request's last.
    #[inline(always)]
    fn written(&mut self, took: u32) -> bool {
        let (acceptor, owner) = (self.tmm.number, self.request.owner);
        self.tmm.writes += 1;
        self.tmm.results.write(took, owner == acceptor);
        self.world.results.traffic[(acceptor * self.world.tmms + owner) as usize] += 1;
        self.request.clicks = took;
        if self.tmm.sampler.count() {
            self.request.logged_as = self.tmm.writes;
        }
        if self.request.keys <= 1 {
            return true;
        }
        self.log_write();
        self.request.keys -= 1;
        self.request.key += 1;
        if self.world.naming == Naming::Spread {
            self.request.subtable = self.subtable_of_key();
        }
        false
    }

    /// How many entries are there now? A probe always lists them.
    #[inline(always)]
    fn count(&mut self) {
        match self.world.count {
            _ if self.world.workload == Workload::Probe => return self.list_keys(),
            _ if self.world.workload == Workload::Lookup => {}
            Count::None => {}
            Count::Incremental => self.work(self.world.costs.count, Part::Work),
            Count::Enumerate => return self.list_keys(),
        }
        self.finish();
    }

    /// Counts by listing all keys: a cost per key where they are, and a cost per key where the list arrives.
    #[inline(never)]
    fn list_keys(&mut self) {
        let subtable = self.request.subtable;
        if self.world.subtables.get(subtable).owner != self.tmm.number {
            return self.park(Operation::ListKeys);
        }
        let listed = self.world.subtables.list(subtable, self.visit.clock);
        self.request.listed = listed;
        let per_key = self.world.costs.list_key + self.world.costs.receive_key;
        self.work(listed * per_key, Part::Enumeration);
        self.finish();
    }

    /// Deletes all entries: each has a cost where it is.
    #[inline(never)]
    fn delete(&mut self) {
        let subtable = self.request.subtable;
        self.request.owner = self.world.subtables.get(subtable).owner;
        if self.request.owner != self.tmm.number {
            return self.park(Operation::Delete);
        }
        let listed = self.world.subtables.list(subtable, self.visit.clock);
        self.work(listed * self.world.costs.list_key, Part::Enumeration);
        self.world.results.deleted += self.world.subtables.clear(subtable);
        self.respond();
    }

    /// All is done but the log line and the reply.
    #[inline(always)]
    fn finish(&mut self) {
        self.log_write();
        self.respond();
    }

    /// Logs the last write when it was picked; a probe always.
    #[inline(always)]
    fn log_write(&mut self) {
        let picked = std::mem::take(&mut self.request.logged_as);
        if self.world.workload == Workload::Probe {
            let line = self.line_of_probe();
            self.log(line);
        } else if picked > 0 {
            let line = self.line_of_write(picked);
            self.log(line);
        }
    }

    fn line_of_write(&mut self, writes: u64) -> Line {
        let clicks = self.request.clicks;
        self.tmm.results.sampled.add(clicks);
        Line::Write {
            tmm: self.tmm.number,
            subtable: self.world.subtables.get(self.request.subtable).name.clone(),
            writes,
            key: self.request.key,
            clicks,
            fast: u64::from(clicks) < self.world.threshold,
            every: self.world.log_every,
        }
    }

    fn line_of_probe(&mut self) -> Line {
        let clicks = self.request.clicks;
        self.tmm.results.sampled.add(clicks);
        Line::Probe {
            tmm: self.tmm.number,
            subtable: self.world.subtables.get(self.request.subtable).name.clone(),
            clicks,
            entries: self.request.listed,
            owner: u64::from(clicks) < self.world.threshold,
        }
    }

    /// A line that the handler writes for each connection, whatever the rate.
    #[inline(never)]
    fn log_accept(&mut self) {
        let line = Line::Accepted {
            tmm: self.tmm.number,
            accepts: self.tmm.results.hits,
            port: self.request.port,
        };
        self.log(line);
    }
}
