//! What a request of the naive loop does, from the client to the reply.

use subtable_model::agenda::Nanoseconds;
use subtable_model::ownership::Ownership;
use subtable_model::results::Part;
use subtable_model::scenario::{Count, Naming};
use subtable_model::tmm::clicks;

use super::{Event, Loop, Name, Operation, Request, Visit};

impl Loop<'_> {
    pub(super) fn send(&mut self, worker: u32) {
        let stretch = self.daemon.stretch(self.now);
        let Some(sent) = self.client.send(self.now, stretch) else {
            return;
        };
        let acceptor = self.dag.accept(worker).tmm as usize;
        self.requests[worker as usize] = Request {
            acceptor,
            wanted_at: self.now,
            ..Request::default()
        };
        self.tmms[acceptor].hits += 1;
        self.spend(acceptor, Part::Client, sent.left - self.now);
        self.spend(acceptor, Part::Network, sent.arrives - sent.left);
        self.push(sent.arrives, Event::Request(worker));
    }

    pub(super) fn accept(&mut self, worker: u32) {
        let acceptor = self.requests[worker as usize].acceptor;
        let mut visit = self.begin(acceptor, acceptor, Part::AcceptorQueue);
        self.work(&mut visit, self.costs.request, Part::Work);
        self.with_name(worker, &mut visit);
        self.end(&visit);
    }

    pub(super) fn serve(&mut self, worker: u32, operation: Operation) {
        let Request {
            acceptor,
            owner,
            subtable,
            ..
        } = self.requests[worker as usize];
        let mut visit = self.begin(owner, acceptor, Part::OwnerQueue);
        self.work(&mut visit, self.costs.service, Part::Service);
        match operation {
            Operation::Trial => {}
            Operation::Write => self.store(subtable, visit.clock),
            Operation::ListKeys => {
                let listed = self.subtables[subtable].entries;
                self.work(&mut visit, listed * self.costs.list_key, Part::Enumeration);
                self.requests[worker as usize].listed = listed;
            }
        }
        self.end(&visit);
        self.spend(acceptor, Part::Hop, self.costs.hop);
        self.push(
            visit.clock + self.costs.hop,
            Event::Answer(worker, operation),
        );
    }

    pub(super) fn resume(&mut self, worker: u32, operation: Operation) {
        let parked = self.requests[worker as usize];
        let mut visit = self.begin(parked.acceptor, parked.acceptor, Part::AcceptorQueue);
        self.work(&mut visit, self.costs.resume, Part::Work);
        let took = clicks(parked.asked_at, visit.clock);
        match operation {
            Operation::Trial => self.judge(worker, &mut visit, took),
            Operation::Write => self.written(worker, &mut visit, took),
            Operation::ListKeys => {
                let receiving = parked.listed * self.costs.receive_key;
                self.work(&mut visit, receiving, Part::Enumeration);
                self.finish(worker, &mut visit);
            }
        }
        self.end(&visit);
    }

    /// Writes to the TMM's subtable, or finds its name first, or waits for the request that does.
    fn with_name(&mut self, worker: u32, visit: &mut Visit) {
        match &mut self.tmms[visit.tmm].name {
            Name::Known(subtable) => {
                self.requests[worker as usize].subtable = *subtable;
                self.write(worker, visit);
            }
            Name::Searching { waiting, .. } => waiting.push((worker, visit.clock)),
            Name::Unknown => {
                let candidate = self.candidate(visit.tmm, 0);
                if self.scenario.naming() == Naming::Deterministic {
                    let known = self.open(&candidate);
                    self.tmms[visit.tmm].name = Name::Known(known);
                    return self.with_name(worker, visit);
                }
                self.tmms[visit.tmm].name = Name::Searching {
                    candidate,
                    tries: 1,
                    waiting: Vec::new(),
                };
                if let Some(took) = self.try_candidate(worker, visit) {
                    self.judge(worker, visit, took);
                }
            }
        }
    }

    fn candidate(&mut self, tmm: usize, tries: u64) -> String {
        let number = u32::try_from(tmm).unwrap_or(u32::MAX);
        let luck = &mut self.tmms[tmm].name_luck;
        self.scenario.naming().candidate(number, tries, luck)
    }

    fn try_candidate(&mut self, worker: u32, visit: &mut Visit) -> Option<u32> {
        let Name::Searching { candidate, .. } = &self.tmms[visit.tmm].name else {
            return None;
        };
        let owner = self.ownership.owner(candidate.as_bytes()) as usize;
        self.ask(worker, visit, owner, Operation::Trial)
    }

    /// The trial write took so long: the name is kept, or the next one is tried.
    fn judge(&mut self, worker: u32, visit: &mut Visit, mut took: u32) {
        loop {
            self.tmms[visit.tmm].tried += 1;
            let Name::Searching { tries, .. } = &self.tmms[visit.tmm].name else {
                return;
            };
            let tries = *tries;
            if u64::from(took) < self.scenario.threshold() || tries >= self.scenario.max_tries() {
                return self.end_search(worker, visit);
            }
            let next = self.candidate(visit.tmm, tries);
            if let Name::Searching {
                candidate, tries, ..
            } = &mut self.tmms[visit.tmm].name
            {
                *candidate = next;
                *tries += 1;
            }
            match self.try_candidate(worker, visit) {
                Some(next) => took = next,
                None => return,
            }
        }
    }

    fn end_search(&mut self, finder: u32, visit: &mut Visit) {
        let Name::Searching {
            candidate, waiting, ..
        } = std::mem::replace(&mut self.tmms[visit.tmm].name, Name::Unknown)
        else {
            return;
        };
        let known = self.open(&candidate);
        self.tmms[visit.tmm].name = Name::Known(known);
        self.log(visit);
        self.with_name(finder, visit);
        for (worker, since) in waiting {
            self.spend(visit.tmm, Part::Discovery, visit.clock - since);
            self.with_name(worker, visit);
        }
    }

    /// Writes here and now, or sends the question to the owner: then the request is parked.
    fn ask(
        &mut self,
        worker: u32,
        visit: &mut Visit,
        owner: usize,
        operation: Operation,
    ) -> Option<u32> {
        let request = &mut self.requests[worker as usize];
        request.owner = owner;
        request.asked_at = visit.clock;
        if owner == visit.tmm {
            let before = visit.clock;
            let cost = self.local_write.draw(&mut self.tmms[visit.tmm].write_luck);
            self.work(visit, cost, Part::Service);
            return Some(clicks(before, visit.clock));
        }
        self.send_question(worker, visit, operation);
        None
    }

    fn send_question(&mut self, worker: u32, visit: &Visit, operation: Operation) {
        self.spend(visit.acceptor, Part::Hop, self.costs.hop);
        self.push(
            visit.clock + self.costs.hop,
            Event::Question(worker, operation),
        );
    }

    fn write(&mut self, worker: u32, visit: &mut Visit) {
        let subtable = self.requests[worker as usize].subtable;
        let owner = self.subtables[subtable].owner;
        if let Some(took) = self.ask(worker, visit, owner, Operation::Write) {
            self.store(subtable, visit.clock);
            self.written(worker, visit, took);
        }
    }

    fn store(&mut self, subtable: usize, at: Nanoseconds) {
        self.subtables[subtable].entries += 1;
        self.series.at(at).writes += 1;
    }

    /// The write is done: it is counted, the entries are counted, and the reply is sent.
    fn written(&mut self, worker: u32, visit: &mut Visit, took: u32) {
        let request = &mut self.requests[worker as usize];
        let tmm = &mut self.tmms[visit.tmm];
        tmm.writes += 1;
        if request.owner == visit.tmm {
            tmm.local.add(took);
        } else {
            tmm.remote.add(took);
        }
        request.clicks = took;
        request.logged = tmm.sampler.count();
        let (owner, subtable) = (request.owner, request.subtable);
        self.traffic[visit.tmm * self.tmms.len() + owner] += 1;
        match self.count {
            Count::None => {}
            Count::Incremental => self.work(visit, self.costs.count, Part::Work),
            Count::Enumerate if self.subtables[subtable].owner != visit.tmm => {
                return self.send_question(worker, visit, Operation::ListKeys);
            }
            Count::Enumerate => {
                let each = self.costs.list_key + self.costs.receive_key;
                let listing = self.subtables[subtable].entries * each;
                self.work(visit, listing, Part::Enumeration);
            }
        }
        self.finish(worker, visit);
    }

    fn finish(&mut self, worker: u32, visit: &mut Visit) {
        let Request { clicks, logged, .. } = self.requests[worker as usize];
        if logged {
            self.tmms[visit.tmm].sampled.add(clicks);
            self.log(visit);
        }
        let network = self.client.half_round_trip();
        self.spend(visit.tmm, Part::Network, network);
        self.push(visit.clock + network, Event::Reply(worker));
    }

    fn log(&mut self, visit: &mut Visit) {
        self.work(visit, self.costs.log, Part::Log);
        self.push(visit.clock, Event::Line);
    }
}
