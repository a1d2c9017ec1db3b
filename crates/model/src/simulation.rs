//! A run: the path of each request through client, DAG, TMM, subtable and log, event by event.
//!
//! Every event is an arrival somewhere: of a request at its acceptor, of a question at an owner, of an answer back at
//! the acceptor, of a reply at the client, of a line at the log daemon. What an arrival sets in motion is decided in
//! [`Simulation::happen`]; what a request does when a TMM turns to it is told in [`script`].

mod script;
mod search;
mod snapshots;
mod turn;

use std::collections::VecDeque;

use crate::agenda::{Agenda, Lane, Nanoseconds};
use crate::client::{Client, Stretch};
use crate::dag::Dag;
use crate::log::{Daemon, Line};
use crate::ownership::AnyOwnership;
use crate::results::{Part, Parts, Results};
use crate::sampling::{Concern, QuantileTable, Stream};
use crate::scenario::{Count, Naming, Scenario, Workload};
use crate::subtable::{SubtableId, Subtables};
use crate::tmm::Tmm;
use turn::Turn;

/// How far [`Simulation::advance`] goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// To the end.
    Unlimited,
    /// At most this many events: bounds the time that a call takes.
    Events(u64),
    /// Until this instant of simulated time, in nanoseconds.
    Until(Nanoseconds),
    /// Until this many more requests have their replies.
    Replies(u64),
}

/// What a TMM asks of a subtable's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    /// A timed write to a name that may or may not be local.
    Trial,
    /// The request's write.
    Write,
    /// A list of all keys.
    ListKeys,
    /// The removal of all entries.
    Delete,
}

/// Index of a request among those in flight; a worker's request takes the worker's place.
type RequestId = u32;

/// An arrival: of which request, or for a log line of which TMM; and what of it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    id: u32,
    of: What,
}

/// What arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A request, from the client, at its acceptor.
    Request,
    /// A question, from the acceptor, at the owner.
    Question(Operation),
    /// The answer, from the owner, at the acceptor.
    Answer(Operation),
    /// A reply, from the acceptor, at the client.
    Reply,
    /// A log line of this TMM, at the daemon.
    Line,
}

impl What {
    /// This, of that request or TMM.
    const fn of(self, id: u32) -> Arrival {
        Arrival { id, of: self }
    }
}

/// A request in flight.
#[derive(Clone, Copy, Debug, Default)]
struct Request {
    /// The TMM that accepted it.
    acceptor: u32,
    /// The TMM that was last asked something.
    owner: u32,
    subtable: SubtableId,
    /// Source port of its connection.
    port: u16,
    /// Number of the key that it writes, or writes next.
    key: u64,
    /// Keys that it has still to write, this one included.
    keys: u32,
    /// What its write took.
    clicks: u32,
    /// The script's clock before the operation under way.
    asked_at: Nanoseconds,
    /// Keys in the list on its way.
    listed: u64,
    /// Number of its write on its TMM when that one is logged, else 0.
    logged_as: u64,
}

/// The constant pieces of work, read once from the scenario.
#[derive(Clone, Debug)]
struct Costs {
    local_write: QuantileTable,
    request: Nanoseconds,
    bulk_key: Nanoseconds,
    hop: Nanoseconds,
    remote_service: Nanoseconds,
    resume: Nanoseconds,
    count: Nanoseconds,
    list_key: Nanoseconds,
    receive_key: Nanoseconds,
    log: Nanoseconds,
    half_round_trip: Nanoseconds,
}

impl Costs {
    fn new(scenario: &Scenario) -> Self {
        Self {
            local_write: QuantileTable::log_normal(
                scenario.local_floor(),
                scenario.local_median(),
                scenario.local_sigma(),
            ),
            request: scenario.request_work(),
            bulk_key: if scenario.workload() == Workload::Bulk {
                scenario.bulk_key_work()
            } else {
                0
            },
            hop: scenario.hop(),
            remote_service: scenario.remote_service(),
            resume: scenario.resume(),
            count: scenario.count_work(),
            list_key: scenario.enumerate_at_owner(),
            receive_key: scenario.enumerate_on_arrival(),
            log: scenario.log_work(),
            half_round_trip: scenario.rtt() / 2,
        }
    }
}

/// A run of a scenario under a seed. The same scenario and seed give the same results on every machine.
#[derive(Clone, Debug)]
pub struct Simulation {
    scenario: Scenario,
    seed: u64,
    client: Client,
    dag: Dag,
    tmms: Vec<Tmm>,
    /// Time of the requests that each TMM accepted.
    parts: Vec<Parts>,
    /// Requests in flight, by worker.
    requests: Vec<Request>,
    world: World,
    now: Nanoseconds,
    /// When the run is cut off: see [`TIME_OF_ALL_WORKERS`].
    horizon: Nanoseconds,
    keys: u64,
}

/// What a turn on a TMM can see and change beside that TMM.
#[derive(Clone, Debug)]
struct World {
    naming: Naming,
    workload: Workload,
    count: Count,
    threshold: u64,
    max_tries: u64,
    log_every: u64,
    log_accepts: u64,
    sessions: u32,
    tmms: u32,
    costs: Costs,
    ownership: AnyOwnership,
    session_luck: Stream,
    subtables: Subtables,
    daemon: Daemon,
    /// Lines handed over by each TMM that have not reached the daemon.
    lines_under_way: Vec<VecDeque<Line>>,
    agenda: Agenda<Arrival>,
    results: Results,
    names_known: u32,
    /// Requests whose TMM has just got its name, each with the instant since when it has waited for it.
    woken: Vec<(RequestId, Nanoseconds)>,
}

impl World {
    fn new(scenario: &Scenario, seed: u64) -> Self {
        let tmms = scenario.tmms() as usize;
        Self {
            naming: scenario.naming(),
            workload: scenario.workload(),
            count: scenario.count(),
            threshold: scenario.threshold(),
            max_tries: scenario.max_tries(),
            log_every: scenario.log_every(),
            log_accepts: scenario.log_accepts(),
            sessions: scenario.sessions() as u32,
            tmms: tmms as u32,
            costs: Costs::new(scenario),
            ownership: AnyOwnership::new(scenario.ownership(), scenario.hash_key(), tmms as u32),
            session_luck: Stream::new(seed, Concern::Session, 0),
            subtables: Subtables::new(scenario.entries()),
            daemon: Daemon::new(scenario),
            lines_under_way: vec![VecDeque::new(); tmms],
            agenda: Agenda::new(1 + 3 * tmms),
            results: Results::new(tmms),
            names_known: 0,
            woken: Vec::new(),
        }
    }
}

/// A run is cut off when the simulated time of all its workers together reaches this: 292 years, in nanoseconds. Only
/// settings far from any real system come near; the bound keeps every sum of times inside 64 bits.
const TIME_OF_ALL_WORKERS: Nanoseconds = 1 << 63;

/// Lane of requests on their way to the cluster.
const TO_CLUSTER: Lane = Lane(0);

/// Lane of replies from a TMM to the client.
const fn to_client(tmm: u32) -> Lane {
    Lane(1 + 3 * tmm)
}

/// Lane of questions and answers from a TMM to the others.
const fn to_peers(tmm: u32) -> Lane {
    Lane(2 + 3 * tmm)
}

/// Lane of lines from a TMM to the log daemon.
const fn to_daemon(tmm: u32) -> Lane {
    Lane(3 + 3 * tmm)
}

impl Simulation {
    /// A run that has not begun: every worker is about to send.
    #[must_use]
    pub fn new(scenario: &Scenario, seed: u64) -> Self {
        let tmms = scenario.tmms() as u32;
        let mut simulation = Self {
            scenario: scenario.clone(),
            seed,
            client: Client::new(scenario),
            dag: Dag::new(scenario, seed),
            tmms: (0..tmms)
                .map(|number| Tmm::new(number, seed, scenario.log_every()))
                .collect(),
            parts: vec![Parts::default(); tmms as usize],
            requests: vec![Request::default(); scenario.workers() as usize],
            world: World::new(scenario, seed),
            now: 0,
            horizon: TIME_OF_ALL_WORKERS / scenario.workers(),
            keys: 0,
        };
        for worker in 0..scenario.workers() as RequestId {
            simulation.send(worker);
        }
        simulation
    }

    /// The scenario of this run.
    #[must_use]
    pub const fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The seed of this run.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Simulated time, in nanoseconds.
    #[must_use]
    pub const fn now(&self) -> Nanoseconds {
        self.now
    }

    /// Whether everything has happened, or the run is cut off.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.world.agenda.next_time().is_none() || self.is_cut_off()
    }

    /// Whether the run was cut off because its simulated time was up.
    #[must_use]
    pub const fn is_cut_off(&self) -> bool {
        self.now >= self.horizon
    }

    /// How many log lines are kept for [`snapshot`](Self::snapshot); the last 200 by default.
    pub const fn keep_lines(&mut self, most: usize) {
        self.world.results.lines_kept = most;
    }

    /// Lets things happen, as far as the budget goes. Returns whether anything is left to happen.
    pub fn advance(&mut self, budget: Budget) -> bool {
        let (mut events, mut until, mut replies) = (u64::MAX, Nanoseconds::MAX, u64::MAX);
        match budget {
            Budget::Unlimited => {}
            Budget::Events(most) => events = most,
            Budget::Until(instant) => until = instant,
            Budget::Replies(more) => replies = self.world.results.replies.saturating_add(more),
        }
        let latest = until.min(self.horizon - 1);
        // One loop for all budgets: everything that can happen is compiled into it.
        while events > 0 && self.world.results.replies < replies {
            let Some((at, arrival)) = self.world.agenda.pop_until(latest) else {
                break;
            };
            debug_assert!(
                at >= self.now,
                "time runs backwards: {at} after {}",
                self.now
            );
            self.now = at;
            self.happen(arrival);
            events -= 1;
        }
        match self.world.agenda.next_time() {
            Some(next) if next >= self.horizon => self.now = self.now.max(until.min(self.horizon)),
            Some(_) if until < Nanoseconds::MAX => self.now = self.now.max(until),
            // The clock does not run on when nothing is left to happen.
            _ => {}
        }
        !self.is_finished()
    }

    #[inline(always)]
    fn happen(&mut self, Arrival { id, of }: Arrival) {
        match of {
            What::Request => {
                let mut turn = self.turn_of_acceptor(id);
                turn.accept();
                turn.end();
            }
            What::Question(operation) => {
                let mut turn = self.turn_of_owner(id);
                turn.serve(operation);
                turn.end();
            }
            What::Answer(operation) => {
                let mut turn = self.turn_of_acceptor(id);
                turn.resume(operation);
                turn.end();
            }
            What::Reply => self.receive_reply(id),
            What::Line => self.receive_line(id),
        }
        if !self.world.woken.is_empty() {
            self.wake();
        }
    }

    /// A TMM has its name: the requests that waited for it go on, one after the other, before it turns to others.
    #[cold]
    fn wake(&mut self) {
        for (request, since) in std::mem::take(&mut self.world.woken) {
            let mut turn = self.turn(request, |it| it.acceptor);
            turn.parts.spend(Part::Discovery, turn.visit.start - since);
            turn.find_name();
            turn.end();
        }
    }

    /// A request, or an answer to it, is at its acceptor; its time in the queue is booked.
    #[inline(always)]
    fn turn_of_acceptor(&mut self, request: RequestId) -> Turn<'_> {
        let now = self.now;
        let turn = self.turn(request, |it| it.acceptor);
        turn.parts
            .spend(Part::AcceptorQueue, turn.visit.start - now);
        turn
    }

    /// A question of a request is at the owner; its time in the queue is booked.
    #[inline(always)]
    fn turn_of_owner(&mut self, request: RequestId) -> Turn<'_> {
        let now = self.now;
        let turn = self.turn(request, |it| it.owner);
        turn.parts.spend(Part::OwnerQueue, turn.visit.start - now);
        turn
    }

    /// A TMM turns to a request, when all that came before it is done.
    #[inline(always)]
    fn turn(&mut self, id: RequestId, place: impl Fn(&Request) -> u32) -> Turn<'_> {
        let stretch = self.stretch();
        let request = &mut self.requests[id as usize];
        let tmm = &mut self.tmms[place(request) as usize];
        Turn {
            id,
            visit: tmm.begin(self.now, stretch),
            tmm,
            parts: &mut self.parts[request.acceptor as usize],
            request,
            world: &mut self.world,
        }
    }

    /// A worker wants to send its next request: the client takes it up when it is free, and the DAG picks the TMM.
    #[inline]
    fn send(&mut self, worker: RequestId) {
        let stretch = self.stretch();
        let Some(sent) = self.client.send(self.now, stretch) else {
            return;
        };
        let accepted = self.dag.accept(worker);
        self.requests[worker as usize] = Request {
            acceptor: accepted.tmm,
            port: accepted.port,
            key: self.keys,
            keys: sent.keys as u32,
            ..Request::default()
        };
        self.keys += sent.keys;
        self.tmms[accepted.tmm as usize].results.hits += 1;
        let parts = &mut self.parts[accepted.tmm as usize];
        parts.spend(Part::Client, sent.left - self.now);
        parts.spend(Part::Network, sent.arrives - sent.left);
        self.world
            .agenda
            .push(TO_CLUSTER, sent.arrives, What::Request.of(worker));
    }

    /// A reply reaches the client: its worker goes on with the next record.
    #[inline(always)]
    fn receive_reply(&mut self, worker: RequestId) {
        let acceptor = self.requests[worker as usize].acceptor;
        self.tmms[acceptor as usize].results.done += 1;
        self.world.results.replies += 1;
        self.world.results.last_reply = self.now;
        self.send(worker);
    }

    /// A line reaches the log daemon.
    fn receive_line(&mut self, tmm: u32) {
        let World {
            lines_under_way,
            daemon,
            results,
            ..
        } = &mut self.world;
        let Some(line) = lines_under_way[tmm as usize].pop_front() else {
            return;
        };
        let bin = results.series.at(self.now);
        if daemon.receive(self.now) {
            bin.lines += 1;
            results.keep_line(self.now, line);
        } else {
            bin.dropped += 1;
            results.buffer_full_at.get_or_insert(self.now);
        }
    }

    /// How work on the host is slowed at this moment.
    #[inline(always)]
    const fn stretch(&self) -> Stretch {
        self.world.daemon.stretch(self.now)
    }
}
