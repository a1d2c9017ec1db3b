//! What a request does on its acceptor, and what an owner does for it.
//!
//! [`accept`](Simulation::accept) → [`find_name`](Simulation::find_name) → [`write`](Simulation::write) →
//! [`count`](Simulation::count) → [`log_write`](Simulation::log_write) → [`respond`](Simulation::respond). Each goes on
//! to the next in the same visit to the TMM, unless it must [`ask`](Simulation::ask) another TMM: then the request
//! parks, the owner [`serve`](Simulation::serve)s it, and it goes on in [`resume`](Simulation::resume).
//! How a name is found is told in [`search`](super::search).

use super::{Arrival, Operation, Request, RequestId, Simulation, to_client, to_daemon, to_peers};
use crate::agenda::Nanoseconds;
use crate::log::Line;
use crate::results::Part;
use crate::scenario::{Count, Workload};
use crate::tmm::{Visit, clicks};

/// Bytes of a key in a post: a UUID of 36 characters and a newline (published).
const BYTES_PER_KEY: u64 = 37;
/// Largest body of a post that the handler takes, in bytes (published).
const BODY_LIMIT: u64 = 16_777_216;

impl Simulation {
    /// A request arrives at the TMM that accepted its connection.
    #[inline]
    pub(super) fn accept(&mut self, request: RequestId) {
        let acceptor = self.requests[request as usize].acceptor;
        let mut visit = self.begin_visit(acceptor, acceptor, Part::AcceptorQueue);
        self.work(&mut visit, self.costs.request, Part::Work);
        for _ in 0..self.scenario.log_accepts() {
            self.log_accept(request, &mut visit);
        }
        if self.is_too_large(request) {
            self.results.refused += 1;
            self.respond(request, &visit);
        } else {
            self.find_name(request, &mut visit);
        }
        self.tmms[acceptor as usize].end(&visit);
    }

    /// Whether the body of a post is larger than what the handler takes (413).
    fn is_too_large(&self, request: RequestId) -> bool {
        self.workload == Workload::Bulk
            && self.requests[request as usize].keys * BYTES_PER_KEY > BODY_LIMIT
    }

    /// A question arrives at the owner of the subtable: it is served in its turn, and the answer sent back.
    pub(super) fn serve(&mut self, request: RequestId, operation: Operation) {
        let asking = self.requests[request as usize];
        let mut visit = self.begin_visit(asking.owner, asking.acceptor, Part::OwnerQueue);
        self.work(&mut visit, self.costs.remote_service, Part::Service);
        match operation {
            // A trial's entry lives for seconds in a subtable that nobody uses: it is not kept.
            Operation::Trial => {}
            Operation::Write => self.store(request, visit.clock),
            Operation::ListKeys | Operation::Delete => {
                let listed = self.subtables.get(asking.subtable).entries;
                let listing = listed * self.costs.list_key;
                self.work(&mut visit, listing, Part::Enumeration);
                self.requests[request as usize].listed = listed;
                if operation == Operation::Delete {
                    self.results.deleted += self.subtables.clear(asking.subtable);
                }
            }
        }
        self.tmms[asking.owner as usize].end(&visit);
        let answer = Arrival::Answer(request, operation);
        self.send_to_peer(asking.owner, asking.acceptor, visit.clock, answer);
    }

    /// The answer arrives where the request is parked: its script goes on in its turn.
    pub(super) fn resume(&mut self, request: RequestId, operation: Operation) {
        let parked = self.requests[request as usize];
        let mut visit = self.begin_visit(parked.acceptor, parked.acceptor, Part::AcceptorQueue);
        self.work(&mut visit, self.costs.resume, Part::Work);
        let took = clicks(parked.asked_at, visit.clock);
        match operation {
            Operation::Trial => self.judge(request, &mut visit, took),
            Operation::Write => {
                if self.written(request, &mut visit, took) {
                    self.count(request, &mut visit);
                } else {
                    self.write(request, &mut visit);
                }
            }
            Operation::Delete => self.respond(request, &visit),
            Operation::ListKeys => {
                let receiving = parked.listed * self.costs.receive_key;
                self.work(&mut visit, receiving, Part::Enumeration);
                self.finish(request, &mut visit);
            }
        }
        self.tmms[parked.acceptor as usize].end(&visit);
    }

    /// The name is known: what the request came for.
    #[inline]
    pub(super) fn handle(&mut self, request: RequestId, visit: &mut Visit) {
        match self.workload {
            Workload::Load | Workload::Bulk | Workload::Probe => self.write(request, visit),
            Workload::Whoami => self.respond(request, visit),
            Workload::Reset => self.delete(request, visit),
        }
    }

    /// The write, or the writes of a post one after the other, until one is remote and parks the request.
    #[inline]
    fn write(&mut self, request: RequestId, visit: &mut Visit) {
        let owner = self
            .subtables
            .get(self.requests[request as usize].subtable)
            .owner;
        loop {
            if self.costs.bulk_key > 0 {
                self.work(visit, self.costs.bulk_key, Part::Work);
            }
            let Some(took) = self.ask(request, visit, owner, Operation::Write) else {
                return;
            };
            self.store(request, visit.clock);
            if self.written(request, visit, took) {
                return self.count(request, visit);
            }
        }
    }

    /// Asks something of an owner: inline when that is this TMM, and then how many clicks it took; else the request
    /// parks and a message goes.
    #[inline]
    pub(super) fn ask(
        &mut self,
        request: RequestId,
        visit: &mut Visit,
        owner: u32,
        operation: Operation,
    ) -> Option<u32> {
        let asking = &mut self.requests[request as usize];
        asking.owner = owner;
        asking.asked_at = visit.clock;
        if owner == visit.tmm {
            let before = visit.clock;
            let cost = self
                .costs
                .local_write
                .draw(&mut self.tmms[visit.tmm()].luck);
            self.work(visit, cost, Part::Service);
            return Some(clicks(before, visit.clock));
        }
        self.park(visit, Arrival::Question(request, operation));
        None
    }

    /// The request parks: its question goes to the owner, and the TMM turns to other work.
    fn park(&mut self, visit: &Visit, question: Arrival) {
        self.send_to_peer(visit.tmm, visit.tmm, visit.clock, question);
    }

    /// The owner has the entry.
    #[inline]
    fn store(&mut self, request: RequestId, at: Nanoseconds) {
        // A probe writes one and the same key, which lives for seconds: it is not kept.
        if self.workload != Workload::Probe {
            let subtable = self.requests[request as usize].subtable;
            self.subtables.write(subtable);
        }
        self.results.series.at(at).writes += 1;
    }

    /// A write is done and the script has read its clock again: the write is counted, and picked for the log or not.
    /// Tells whether it was the request's last.
    #[inline]
    fn written(&mut self, request: RequestId, visit: &mut Visit, took: u32) -> bool {
        let tmms = self.tmms.len();
        let tmm = &mut self.tmms[visit.tmm()];
        let written = &mut self.requests[request as usize];
        tmm.writes += 1;
        tmm.results.write(took, written.owner == visit.tmm);
        self.results.traffic[visit.tmm() * tmms + written.owner as usize] += 1;
        written.clicks = took;
        if tmm.sampler.count() {
            written.logged_as = Some(tmm.writes);
        }
        if written.keys <= 1 {
            return true;
        }
        self.log_write(request, visit);
        let written = &mut self.requests[request as usize];
        written.keys -= 1;
        written.key += 1;
        false
    }

    /// How many entries are there now? A probe always lists them.
    #[inline]
    fn count(&mut self, request: RequestId, visit: &mut Visit) {
        match self.count {
            _ if self.workload == Workload::Probe => return self.list_keys(request, visit),
            Count::None => {}
            Count::Incremental => self.work(visit, self.costs.count, Part::Work),
            Count::Enumerate => return self.list_keys(request, visit),
        }
        self.finish(request, visit);
    }

    /// Counts by listing all keys: a cost per key where they are, and a cost per key where the list arrives.
    fn list_keys(&mut self, request: RequestId, visit: &mut Visit) {
        let asking = &mut self.requests[request as usize];
        let subtable = self.subtables.get(asking.subtable);
        if subtable.owner != visit.tmm {
            return self.park(visit, Arrival::Question(request, Operation::ListKeys));
        }
        asking.listed = subtable.entries;
        let listing = subtable.entries * (self.costs.list_key + self.costs.receive_key);
        self.work(visit, listing, Part::Enumeration);
        self.finish(request, visit);
    }

    /// Deletes all entries: each has a cost where it is.
    fn delete(&mut self, request: RequestId, visit: &mut Visit) {
        let asking = &mut self.requests[request as usize];
        let subtable = self.subtables.get(asking.subtable);
        asking.owner = subtable.owner;
        if subtable.owner != visit.tmm {
            return self.park(visit, Arrival::Question(request, Operation::Delete));
        }
        let (id, listing) = (asking.subtable, subtable.entries * self.costs.list_key);
        self.work(visit, listing, Part::Enumeration);
        self.results.deleted += self.subtables.clear(id);
        self.respond(request, visit);
    }

    /// All is done but the log line and the reply.
    #[inline]
    fn finish(&mut self, request: RequestId, visit: &mut Visit) {
        self.log_write(request, visit);
        self.respond(request, visit);
    }

    /// Logs the last write when it was picked; a probe always.
    #[inline]
    fn log_write(&mut self, request: RequestId, visit: &mut Visit) {
        let picked = self.requests[request as usize].logged_as.take();
        if self.workload == Workload::Probe {
            let line = self.line_of_probe(request, visit.tmm);
            self.log(visit, line);
        } else if let Some(writes) = picked {
            let line = self.line_of_write(request, visit.tmm, writes);
            self.log(visit, line);
        }
    }

    fn line_of_write(&mut self, request: RequestId, tmm: u32, writes: u64) -> Line {
        let written = self.requests[request as usize];
        self.tmms[tmm as usize].results.sampled.add(written.clicks);
        Line::Write {
            tmm,
            subtable: self.subtables.get(written.subtable).name.clone(),
            writes,
            key: written.key,
            clicks: written.clicks,
            fast: u64::from(written.clicks) < self.threshold,
            every: self.scenario.log_every(),
        }
    }

    fn line_of_probe(&mut self, request: RequestId, tmm: u32) -> Line {
        let Request {
            clicks,
            subtable,
            listed: entries,
            ..
        } = self.requests[request as usize];
        self.tmms[tmm as usize].results.sampled.add(clicks);
        let subtable = self.subtables.get(subtable).name.clone();
        Line::Probe {
            tmm,
            subtable,
            clicks,
            entries,
            owner: u64::from(clicks) < self.threshold,
        }
    }

    /// A line that the handler writes for each connection, whatever the rate.
    fn log_accept(&mut self, request: RequestId, visit: &mut Visit) {
        let port = self.requests[request as usize].port;
        let accepts = self.tmms[visit.tmm()].results.hits;
        self.log(
            visit,
            Line::Accepted {
                tmm: visit.tmm,
                accepts,
                port,
            },
        );
    }

    /// Hands a line to the log daemon.
    pub(super) fn log(&mut self, visit: &mut Visit, line: Line) {
        self.work(visit, self.costs.log, Part::Log);
        self.lines_under_way[visit.tmm()].push_back(line);
        self.agenda
            .push(to_daemon(visit.tmm), visit.clock, Arrival::Line(visit.tmm));
    }

    /// The script is done: the reply leaves for the client.
    #[inline]
    fn respond(&mut self, request: RequestId, visit: &Visit) {
        let network = self.client.half_round_trip();
        self.tmms[visit.tmm()].results.spend(Part::Network, network);
        self.agenda.push(
            to_client(visit.tmm),
            visit.clock + network,
            Arrival::Reply(request),
        );
    }

    /// A message leaves one TMM for another, on behalf of a request of `acceptor`.
    fn send_to_peer(&mut self, from: u32, acceptor: u32, at: Nanoseconds, message: Arrival) {
        let hop = self.costs.hop;
        self.tmms[acceptor as usize].results.spend(Part::Hop, hop);
        self.agenda.push(to_peers(from), at + hop, message);
    }

    /// Work for a request of `acceptor` arrives at `tmm`; its time in the queue is booked.
    #[inline]
    fn begin_visit(&mut self, tmm: u32, acceptor: u32, queue: Part) -> Visit {
        let visit =
            self.tmms[tmm as usize].begin(self.now, acceptor, self.daemon.stretch(self.now));
        self.tmms[acceptor as usize]
            .results
            .spend(queue, visit.start - self.now);
        visit
    }

    /// Works for a while; the time is booked as a part of the request's.
    #[inline]
    fn work(&mut self, visit: &mut Visit, work: Nanoseconds, part: Part) {
        let passed = visit.work(work);
        self.tmms[visit.acceptor as usize]
            .results
            .spend(part, passed);
    }
}
