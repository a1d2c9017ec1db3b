//! What a request does on its acceptor, and what an owner does for it.

use super::{Arrival, Operation, RequestId, Simulation, Step, to_client, to_daemon, to_peers};
use crate::agenda::Nanoseconds;
use crate::log::Line;
use crate::naming::{Name, Search};
use crate::ownership::Ownership;
use crate::results::{Part, TRIES_KEPT, Try};
use crate::scenario::Count;
use crate::tmm::{Visit, clicks};

/// Names of the questions' parts, by operation: what the owner's time is booked as.
const fn service_part(operation: Operation) -> Part {
    match operation {
        Operation::Trial | Operation::Write => Part::Service,
        Operation::ListKeys => Part::Enumeration,
    }
}

impl Simulation {
    /// A request arrives at the TMM that accepted its connection.
    #[inline]
    pub(super) fn accept(&mut self, request: RequestId) {
        let acceptor = self.requests[request as usize].acceptor;
        let mut visit = self.begin_visit(acceptor, acceptor, Part::AcceptorQueue);
        let worked = visit.work(self.costs.request);
        self.spend(acceptor, Part::Work, worked);
        self.run_script(request, visit, Step::FindName);
    }

    /// A question arrives at the owner of the subtable: it is served in its turn, and the answer sent back.
    pub(super) fn serve(&mut self, request: RequestId, operation: Operation) {
        let Self {
            requests, costs, ..
        } = self;
        let asking = requests[request as usize];
        let service = costs.remote_service;
        let mut visit = self.begin_visit(asking.owner, asking.acceptor, Part::OwnerQueue);
        let worked = visit.work(service);
        self.spend(asking.acceptor, Part::Service, worked);
        if operation == Operation::ListKeys {
            let listed = self.subtables.get(asking.subtable).entries;
            let worked = visit.work(listed * self.costs.list_key);
            self.spend(asking.acceptor, service_part(operation), worked);
            self.requests[request as usize].listed = listed;
        }
        self.store(request, operation, &visit);
        self.tmms[asking.owner as usize].end(&visit);
        self.send_to_peer(
            asking.owner,
            asking.acceptor,
            visit.clock,
            Arrival::Answer(request, operation),
        );
    }

    /// The answer arrives where the request is parked: its script goes on in its turn.
    pub(super) fn resume(&mut self, request: RequestId, operation: Operation) {
        let parked = self.requests[request as usize];
        let mut visit = self.begin_visit(parked.acceptor, parked.acceptor, Part::AcceptorQueue);
        let worked = visit.work(self.costs.resume);
        self.spend(parked.acceptor, Part::Work, worked);
        if operation == Operation::ListKeys {
            let worked = visit.work(parked.listed * self.costs.receive_key);
            self.spend(parked.acceptor, Part::Enumeration, worked);
        }
        let next = self.after(request, operation, &visit);
        self.run_script(request, visit, next);
    }

    /// The script of a request, from `step` until it parks or has responded.
    #[inline]
    fn run_script(&mut self, request: RequestId, mut visit: Visit, mut step: Step) {
        let acceptor = self.requests[request as usize].acceptor;
        while let Some(next) = self.take_step(request, &mut visit, step) {
            step = next;
        }
        self.tmms[acceptor as usize].end(&visit);
    }

    /// One step of a script; `None` when it parks or has responded.
    #[inline]
    fn take_step(&mut self, request: RequestId, visit: &mut Visit, step: Step) -> Option<Step> {
        match step {
            Step::FindName => self.find_name(request, visit),
            Step::Judge { clicks } => self.judge_candidate(request, visit, clicks),
            Step::Write => self.ask(request, visit, Operation::Write),
            Step::Count => match self.count {
                Count::None => Some(Step::Log),
                Count::Incremental => {
                    let worked = visit.work(self.costs.count);
                    self.spend(self.requests[request as usize].acceptor, Part::Work, worked);
                    Some(Step::Log)
                }
                Count::Enumerate => self.ask(request, visit, Operation::ListKeys),
            },
            Step::Log => {
                self.log_write(request, visit);
                Some(Step::Respond)
            }
            Step::Respond => {
                self.respond(request, visit.clock);
                None
            }
        }
    }

    /// The name of this TMM's subtable: known, or being looked for, or now to be looked for by this request.
    #[inline]
    fn find_name(&mut self, request: RequestId, visit: &mut Visit) -> Option<Step> {
        let acceptor = self.requests[request as usize].acceptor;
        match &mut self.tmms[acceptor as usize].name {
            Name::Known(subtable) => {
                self.requests[request as usize].subtable = *subtable;
                Some(Step::Write)
            }
            Name::Searching(search) => {
                search.waiting.push((request, visit.clock));
                None
            }
            Name::Unknown => self.begin_search(request, visit),
        }
    }

    /// The first request on a TMM finds the name for all that follow.
    fn begin_search(&mut self, request: RequestId, visit: &mut Visit) -> Option<Step> {
        let acceptor = self.requests[request as usize].acceptor;
        let candidate = self
            .naming
            .candidate(acceptor, &mut self.name_luck[acceptor as usize]);
        if !self.naming.probes() {
            self.adopt(acceptor, &candidate, visit.clock);
            return Some(Step::FindName);
        }
        let owner = self.ownership.owner(candidate.as_bytes());
        let search = Search {
            candidate,
            owner,
            tries: 1,
            waiting: Vec::new(),
        };
        self.tmms[acceptor as usize].name = Name::Searching(Box::new(search));
        self.ask(request, visit, Operation::Trial)
    }

    /// A trial write took so many clicks: keep the name, try the next, or give up and keep the last.
    fn judge_candidate(
        &mut self,
        request: RequestId,
        visit: &mut Visit,
        clicks: u32,
    ) -> Option<Step> {
        let acceptor = self.requests[request as usize].acceptor;
        let tmms = self.tmms.len() as u32;
        let Name::Searching(search) = &mut self.tmms[acceptor as usize].name else {
            return Some(Step::FindName);
        };
        let fast = u64::from(clicks) < self.threshold;
        let exhausted = !fast && search.tries >= self.max_tries;
        let kept = fast || exhausted;
        let results = &mut self.results.tmms[acceptor as usize];
        results.tried += 1;
        if results.tries.len() < TRIES_KEPT {
            results.tries.push(Try {
                name: search.candidate.clone(),
                owner: search.owner,
                clicks,
                kept,
            });
        }
        if !kept {
            search.tries += 1;
            search.candidate = self
                .naming
                .candidate(acceptor, &mut self.name_luck[acceptor as usize]);
            search.owner = self.ownership.owner(search.candidate.as_bytes());
            return self.ask(request, visit, Operation::Trial);
        }
        let (name, tries) = (search.candidate.clone(), search.tries);
        let waiting = std::mem::take(&mut search.waiting);
        self.adopt(acceptor, &name, visit.clock);
        let subtable = name.into();
        let line = if fast {
            Line::Discovered {
                tmm: acceptor,
                subtable,
                tries,
                clicks,
                tmms,
            }
        } else {
            Line::Exhausted {
                tmm: acceptor,
                subtable,
                tries,
                clicks,
            }
        };
        self.log(acceptor, visit, line);
        self.release(acceptor, request, visit, &waiting);
        None
    }

    /// The name is known: the request that looked for it and those that waited go on, in this order, in one go.
    fn release(
        &mut self,
        tmm: u32,
        finder: RequestId,
        visit: &mut Visit,
        waiting: &[(RequestId, Nanoseconds)],
    ) {
        let since_now = (finder, visit.clock);
        for &(request, since) in std::iter::once(&since_now).chain(waiting) {
            self.spend(tmm, Part::Discovery, visit.clock - since);
            let mut step = Step::FindName;
            while let Some(next) = self.take_step(request, visit, step) {
                step = next;
            }
        }
    }

    /// From now on, this TMM writes to the subtable of this name.
    fn adopt(&mut self, tmm: u32, name: &str, at: Nanoseconds) {
        let subtable = self.subtables.open(name, &self.ownership);
        self.tmms[tmm as usize].name = Name::Known(subtable);
        self.names_known += 1;
        if self.names_known == self.tmms.len() {
            self.results.names_known_at = Some(at);
        }
    }

    /// Asks something of the subtable's owner: inline when that is this TMM, else the request parks and a message goes.
    #[inline]
    fn ask(&mut self, request: RequestId, visit: &mut Visit, operation: Operation) -> Option<Step> {
        let asking = &mut self.requests[request as usize];
        asking.asked_at = visit.clock;
        let acceptor = asking.acceptor;
        asking.owner = match &self.tmms[acceptor as usize].name {
            Name::Searching(search) if operation == Operation::Trial => search.owner,
            _ => self.subtables.get(asking.subtable).owner,
        };
        if asking.owner != acceptor {
            let owner = asking.owner;
            self.send_to_peer(
                acceptor,
                acceptor,
                visit.clock,
                Arrival::Question(request, operation),
            );
            debug_assert_ne!(owner, acceptor);
            return None;
        }
        let subtable = asking.subtable;
        let work = if operation == Operation::ListKeys {
            self.subtables.get(subtable).entries * (self.costs.list_key + self.costs.receive_key)
        } else {
            self.costs
                .local_write
                .draw(&mut self.tmms[acceptor as usize].luck)
        };
        let worked = visit.work(work);
        self.spend(acceptor, service_part(operation), worked);
        self.store(request, operation, visit);
        Some(self.after(request, operation, visit))
    }

    /// What the operation changes at the owner.
    #[inline]
    fn store(&mut self, request: RequestId, operation: Operation, visit: &Visit) {
        if operation == Operation::Write {
            let Self {
                requests,
                subtables,
                results,
                ..
            } = self;
            subtables.write(requests[request as usize].subtable);
            results.series.at(visit.clock).writes += 1;
        }
    }

    /// The operation is done and the script has read its clock again: how it goes on.
    #[inline]
    fn after(&mut self, request: RequestId, operation: Operation, visit: &Visit) -> Step {
        let took = clicks(self.requests[request as usize].asked_at, visit.clock);
        match operation {
            Operation::Trial => Step::Judge { clicks: took },
            Operation::ListKeys => Step::Log,
            Operation::Write => {
                self.count_write(request, took);
                Step::Count
            }
        }
    }

    /// A write is done: it is counted, and picked for the log or not.
    #[inline]
    fn count_write(&mut self, request: RequestId, took: u32) {
        let written = &mut self.requests[request as usize];
        let (acceptor, owner) = (written.acceptor as usize, written.owner as usize);
        let tmm = &mut self.tmms[acceptor];
        tmm.writes += 1;
        written.clicks = took;
        if tmm.sampler.count() {
            written.logged_as = Some(tmm.writes);
        }
        self.results.tmms[acceptor].write(took, acceptor == owner);
        self.results.traffic[acceptor * self.tmms.len() + owner] += 1;
    }

    /// Logs the write when it was picked.
    #[inline]
    fn log_write(&mut self, request: RequestId, visit: &mut Visit) {
        let written = self.requests[request as usize];
        let Some(writes) = written.logged_as else {
            return;
        };
        self.results.tmms[written.acceptor as usize]
            .sampled
            .add(written.clicks);
        let line = Line::Write {
            tmm: written.acceptor,
            subtable: self.subtables.get(written.subtable).name.clone(),
            writes,
            key: written.key,
            clicks: written.clicks,
            fast: u64::from(written.clicks) < self.threshold,
            every: self.scenario.log_every(),
        };
        self.log(written.acceptor, visit, line);
    }

    /// Hands a line to the log daemon.
    fn log(&mut self, tmm: u32, visit: &mut Visit, line: Line) {
        let worked = visit.work(self.costs.log);
        self.spend(tmm, Part::Log, worked);
        self.lines_under_way[tmm as usize].push_back(line);
        self.agenda
            .push(to_daemon(tmm), visit.clock, Arrival::Line(tmm));
    }

    /// The script is done: the reply leaves for the client.
    #[inline]
    fn respond(&mut self, request: RequestId, at: Nanoseconds) {
        let acceptor = self.requests[request as usize].acceptor;
        let network = self.client.half_round_trip();
        self.spend(acceptor, Part::Network, network);
        self.agenda
            .push(to_client(acceptor), at + network, Arrival::Reply(request));
    }

    /// A message leaves one TMM for another, on behalf of a request of `acceptor`.
    fn send_to_peer(&mut self, from: u32, acceptor: u32, at: Nanoseconds, message: Arrival) {
        let hop = self.costs.hop;
        self.spend(acceptor, Part::Hop, hop);
        self.agenda.push(to_peers(from), at + hop, message);
    }

    /// Work for a request of `acceptor` arrives at `tmm`; its time in the queue is booked.
    #[inline]
    fn begin_visit(&mut self, tmm: u32, acceptor: u32, queue: Part) -> Visit {
        let visit = self.tmms[tmm as usize].begin(self.now, self.stretch());
        self.spend(acceptor, queue, visit.start - self.now);
        visit
    }

    #[inline]
    fn spend(&mut self, acceptor: u32, part: Part, time: Nanoseconds) {
        self.results.tmms[acceptor as usize].spend(part, time);
    }
}
