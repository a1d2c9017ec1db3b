//! A run: the path of each request through client, DAG, TMM, subtable and log, event by event.
//!
//! Every event is an arrival somewhere: of a request at its acceptor, of a question at an owner, of an answer back at
//! the acceptor, of a reply at the client, of a line at the log daemon. What an arrival sets in motion is decided in
//! [`Simulation::happen`]; what a request does on its acceptor is told in [`script`].

mod script;
mod search;
mod snapshots;

use std::collections::VecDeque;

use crate::agenda::{Agenda, Lane, Nanoseconds};
use crate::client::{Client, Stretch};
use crate::dag::Dag;
use crate::log::{Daemon, Line};
use crate::ownership::AnyOwnership;
use crate::results::{Part, Results};
use crate::sampling::{Concern, QuantileTable, Stream};
use crate::scenario::{Count, Naming, Scenario, Workload};
use crate::subtable::{SubtableId, Subtables};
use crate::tmm::Tmm;

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

/// What arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// A request, from the client, at its acceptor.
    Request(RequestId),
    /// A question, from the acceptor, at the owner.
    Question(RequestId, Operation),
    /// The answer, from the owner, at the acceptor.
    Answer(RequestId, Operation),
    /// A reply, from the acceptor, at the client.
    Reply(RequestId),
    /// A log line of this TMM, at the daemon.
    Line(u32),
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
    keys: u64,
    /// The script's clock before the operation under way.
    asked_at: Nanoseconds,
    /// Keys in the list on its way.
    listed: u64,
    /// What its write took.
    clicks: u32,
    /// Number of its write on its TMM, when that one is logged.
    logged_as: Option<u64>,
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
        }
    }
}

/// A run of a scenario under a seed. The same scenario and seed give the same results on every machine.
#[derive(Clone, Debug)]
pub struct Simulation {
    scenario: Scenario,
    seed: u64,
    naming: Naming,
    workload: Workload,
    count: Count,
    threshold: u64,
    max_tries: u64,
    costs: Costs,
    ownership: AnyOwnership,
    client: Client,
    dag: Dag,
    tmms: Vec<Tmm>,
    /// Lines handed over by each TMM that have not reached the daemon.
    lines_under_way: Vec<VecDeque<Line>>,
    name_luck: Vec<Stream>,
    session_luck: Stream,
    subtables: Subtables,
    daemon: Daemon,
    requests: Vec<Request>,
    agenda: Agenda<Arrival>,
    results: Results,
    now: Nanoseconds,
    /// When the run is cut off: see [`TIME_OF_ALL_WORKERS`].
    horizon: Nanoseconds,
    keys: u64,
    names_known: usize,
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
        let count = scenario.tmms() as u32;
        let tmms = count as usize;
        let mut simulation = Self {
            seed,
            naming: scenario.naming(),
            workload: scenario.workload(),
            count: scenario.count(),
            threshold: scenario.threshold(),
            max_tries: scenario.max_tries(),
            costs: Costs::new(scenario),
            ownership: AnyOwnership::new(scenario.ownership(), scenario.hash_key(), count),
            client: Client::new(scenario),
            dag: Dag::new(scenario, seed),
            tmms: (0..count)
                .map(|number| Tmm::new(number, seed, scenario.log_every()))
                .collect(),
            lines_under_way: vec![VecDeque::new(); tmms],
            name_luck: (0..count)
                .map(|tmm| Stream::new(seed, Concern::Name, u64::from(tmm)))
                .collect(),
            session_luck: Stream::new(seed, Concern::Session, 0),
            subtables: Subtables::new(scenario.entries()),
            daemon: Daemon::new(scenario),
            requests: vec![Request::default(); scenario.workers() as usize],
            agenda: Agenda::new(1 + 3 * tmms),
            results: Results::new(tmms),
            now: 0,
            horizon: TIME_OF_ALL_WORKERS / scenario.workers(),
            keys: 0,
            names_known: 0,
            scenario: scenario.clone(),
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
        self.agenda.next_time().is_none() || self.is_cut_off()
    }

    /// Whether the run was cut off because its simulated time was up.
    #[must_use]
    pub const fn is_cut_off(&self) -> bool {
        self.now >= self.horizon
    }

    /// How many log lines are kept for [`snapshot`](Self::snapshot); the last 200 by default.
    pub const fn keep_lines(&mut self, most: usize) {
        self.results.lines_kept = most;
    }

    /// Lets things happen, as far as the budget goes. Returns whether anything is left to happen.
    pub fn advance(&mut self, budget: Budget) -> bool {
        match budget {
            Budget::Unlimited => while self.advance_one() {},
            Budget::Events(events) => {
                for _ in 0..events {
                    if !self.advance_one() {
                        break;
                    }
                }
            }
            Budget::Until(instant) => {
                while self.agenda.next_time().is_some_and(|at| at <= instant) && self.advance_one()
                {
                }
                // The clock does not run on when nothing is left to happen.
                if !self.is_finished() {
                    self.now = self.now.max(instant.min(self.horizon - 1));
                }
            }
            Budget::Replies(replies) => {
                let enough = self.results.replies.saturating_add(replies);
                while self.results.replies < enough && self.advance_one() {}
            }
        }
        !self.is_finished()
    }

    #[inline]
    fn advance_one(&mut self) -> bool {
        if self.is_cut_off() {
            return false;
        }
        let Some((at, arrival)) = self.agenda.pop() else {
            return false;
        };
        debug_assert!(
            at >= self.now,
            "time runs backwards: {at} after {}",
            self.now
        );
        self.now = at;
        self.happen(arrival);
        true
    }

    #[inline]
    fn happen(&mut self, arrival: Arrival) {
        match arrival {
            Arrival::Request(request) => self.accept(request),
            Arrival::Question(request, operation) => self.serve(request, operation),
            Arrival::Answer(request, operation) => self.resume(request, operation),
            Arrival::Reply(request) => self.receive_reply(request),
            Arrival::Line(tmm) => self.receive_line(tmm),
        }
    }

    /// A worker wants to send its next request: the client takes it up when it is free, and the DAG picks the TMM.
    fn send(&mut self, worker: RequestId) {
        let stretch = self.stretch();
        let Some(sent) = self.client.send(self.now, stretch) else {
            return;
        };
        let accepted = self.dag.accept(worker);
        let acceptor = accepted.tmm;
        self.requests[worker as usize] = Request {
            acceptor,
            port: accepted.port,
            key: self.keys,
            keys: sent.keys,
            ..Request::default()
        };
        self.keys += sent.keys;
        let results = &mut self.tmms[acceptor as usize].results;
        results.hits += 1;
        results.spend(Part::Client, sent.left - self.now);
        results.spend(Part::Network, sent.arrives - sent.left);
        self.agenda
            .push(TO_CLUSTER, sent.arrives, Arrival::Request(worker));
    }

    /// A reply reaches the client: its worker goes on with the next record.
    fn receive_reply(&mut self, worker: RequestId) {
        self.tmms[self.requests[worker as usize].acceptor as usize]
            .results
            .done += 1;
        self.results.replies += 1;
        self.results.last_reply = self.now;
        self.send(worker);
    }

    /// A line reaches the log daemon.
    fn receive_line(&mut self, tmm: u32) {
        let Some(line) = self.lines_under_way[tmm as usize].pop_front() else {
            return;
        };
        let bin = self.results.series.at(self.now);
        if self.daemon.receive(self.now) {
            bin.lines += 1;
            self.results.keep_line(self.now, line);
        } else {
            bin.dropped += 1;
            self.results.buffer_full_at.get_or_insert(self.now);
        }
    }

    /// How work on the host is slowed at this moment.
    #[inline]
    const fn stretch(&self) -> Stretch {
        self.daemon.stretch(self.now)
    }
}
