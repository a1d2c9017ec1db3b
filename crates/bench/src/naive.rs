//! The naive loop: what the model computes, written plainly on one standard heap of events.
//!
//! It is the yardstick of the core's speed and, since its results must be the same to the last bit, a second opinion on
//! them. It is written as one would write it first: every event goes through one
//! `BinaryHeap<Reverse<(time, sequence, event)>>`; everything else is plain structures.
//!
//! Shared with the core, so that both draw the same numbers and count the same things: the client, the DAG, the samplers,
//! the ownership, the names, the daemon's arithmetic, and the statistics. Left out, because the compared runs do not need
//! it: the words of the log lines, and workloads other than single writes.

mod requests;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

use subtable_model::agenda::Nanoseconds;
use subtable_model::client::{Client, Stretch};
use subtable_model::dag::Dag;
use subtable_model::log::{Daemon, Sampler};
use subtable_model::ownership::{AnyOwnership, Ownership};
use subtable_model::results::Part;
use subtable_model::sampling::{Concern, QuantileTable, Stream};
use subtable_model::scenario::{Count, Naming, Workload};
use subtable_model::series::Series;
use subtable_model::statistics::{Counts, Population, Summary};
use subtable_model::tmm::clicks;
use subtable_model::{Scenario, Snapshot};

/// Latencies below this many clicks have a counter each, as in the core; larger ones are counted to two digits.
const LATENCIES_EXACT_BELOW: usize = 1 << 15;

/// What is compared between the naive loop and the core, and drawn by the page.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// When the last reply was received, in nanoseconds.
    pub last_reply: Nanoseconds,
    /// Replies received.
    pub replies: u64,
    /// Each TMM, by number.
    pub tmms: Vec<TmmOutcome>,
    /// Writes from acceptor `a` to owner `o`, at `a * tmms + o`.
    pub traffic: Vec<u64>,
    /// Entries of each subtable, in the order of first use.
    pub entries: Vec<u64>,
    /// Writes and log lines over time.
    pub series: Series,
    /// Log lines written, and lost.
    pub lines: [u64; 2],
    /// From the worker's wish to send to the reply: how many, their mean, and the greatest, in clicks.
    pub latency: (u64, f64, u32),
}

/// What is compared of one TMM.
#[derive(Clone, Debug, PartialEq)]
pub struct TmmOutcome {
    /// Connections given to it by the DAG.
    pub hits: u64,
    /// Writes of the requests that it accepted.
    pub writes: u64,
    /// Names tried.
    pub tried: u64,
    /// Clicks of the writes that were logged.
    pub sampled: Summary,
    /// Clicks of all writes.
    pub all: Summary,
    /// Local writes by clicks, in logarithmic bins.
    pub local_bins: Vec<u32>,
    /// Remote writes likewise.
    pub remote_bins: Vec<u32>,
    /// Time of the requests it accepted, by [`Part`], in nanoseconds.
    pub parts: [Nanoseconds; Part::COUNT],
}

impl From<Snapshot> for Outcome {
    fn from(snapshot: Snapshot) -> Self {
        Self {
            last_reply: snapshot.last_reply,
            replies: snapshot.replies,
            tmms: snapshot
                .tmms
                .into_iter()
                .map(|tmm| TmmOutcome {
                    hits: tmm.hits,
                    writes: tmm.writes,
                    tried: tmm.tried,
                    sampled: tmm.sampled,
                    all: tmm.all,
                    local_bins: tmm.local_bins,
                    remote_bins: tmm.remote_bins,
                    parts: tmm.parts,
                })
                .collect(),
            traffic: snapshot.traffic,
            entries: snapshot
                .subtables
                .iter()
                .map(|subtable| subtable.entries)
                .collect(),
            series: snapshot.series,
            lines: [snapshot.log.lines, snapshot.log.dropped],
            latency: exactly(&snapshot.latency),
        }
    }
}

/// What of a summary does not depend on how finely large values are counted.
fn exactly(summary: &Summary) -> (u64, f64, u32) {
    (summary.n, summary.avg, summary.max)
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A worker's request reaches its acceptor.
    Request(u32),
    /// A worker's request reaches the owner of what it asks for.
    Question(u32, Operation),
    /// The owner's answer is back at the acceptor.
    Answer(u32, Operation),
    /// The reply reaches the worker.
    Reply(u32),
    /// A log line reaches the daemon.
    Line,
}

/// What an owner is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Operation {
    Trial,
    Write,
    ListKeys,
}

/// A worker's request.
#[derive(Clone, Copy, Debug, Default)]
struct Request {
    acceptor: usize,
    owner: usize,
    subtable: usize,
    wanted_at: Nanoseconds,
    asked_at: Nanoseconds,
    listed: u64,
    clicks: u32,
    logged: bool,
}

/// What a TMM knows of its subtable's name.
enum Name {
    Unknown,
    Searching {
        candidate: String,
        tries: u64,
        waiting: Vec<(u32, Nanoseconds)>,
    },
    Known(usize),
}

struct Tmm {
    free_at: Nanoseconds,
    name: Name,
    name_luck: Stream,
    write_luck: Stream,
    sampler: Sampler,
    hits: u64,
    writes: u64,
    tried: u64,
    sampled: Counts,
    local: Population,
    remote: Population,
    parts: [Nanoseconds; Part::COUNT],
}

struct Subtable {
    name: String,
    owner: usize,
    entries: u64,
}

/// One piece of work on a TMM.
struct Visit {
    tmm: usize,
    /// On whose account: the TMM that accepted the request.
    acceptor: usize,
    clock: Nanoseconds,
    stretch: Stretch,
}

struct Loop<'a> {
    scenario: &'a Scenario,
    heap: BinaryHeap<Reverse<(Nanoseconds, u64, Event)>>,
    sequence: u64,
    now: Nanoseconds,
    client: Client,
    dag: Dag,
    ownership: AnyOwnership,
    local_write: QuantileTable,
    count: Count,
    costs: Costs,
    daemon: Daemon,
    tmms: Vec<Tmm>,
    subtables: Vec<Subtable>,
    requests: Vec<Request>,
    traffic: Vec<u64>,
    series: Series,
    latency: Population,
    replies: u64,
    last_reply: Nanoseconds,
}

struct Costs {
    request: Nanoseconds,
    hop: Nanoseconds,
    service: Nanoseconds,
    resume: Nanoseconds,
    count: Nanoseconds,
    list_key: Nanoseconds,
    receive_key: Nanoseconds,
    log: Nanoseconds,
}

/// A whole run of single writes by name, or why it is not one that the naive loop knows.
///
/// # Panics
/// When the scenario is not one of single writes with deterministic or discovered names and closed-loop workers.
#[must_use]
pub fn run(scenario: &Scenario, seed: u64) -> Outcome {
    assert_eq!(scenario.workload(), Workload::Load, "single writes only");
    assert!(
        matches!(
            scenario.naming(),
            Naming::Deterministic | Naming::RandomProbe
        ),
        "deterministic or discovered names only"
    );
    assert_eq!(scenario.log_accepts(), 0, "no lines of the handler's own");
    let mut run = Loop::new(scenario, seed);
    for worker in 0..scenario.workers() {
        run.send(u32::try_from(worker).unwrap_or(u32::MAX));
    }
    while let Some(Reverse((at, _, event))) = run.heap.pop() {
        run.now = at;
        match event {
            Event::Request(worker) => run.accept(worker),
            Event::Question(worker, operation) => run.serve(worker, operation),
            Event::Answer(worker, operation) => run.resume(worker, operation),
            Event::Reply(worker) => {
                let wanted_at = run.requests[worker as usize].wanted_at;
                run.latency.add(clicks(wanted_at, at));
                run.replies += 1;
                run.last_reply = at;
                run.send(worker);
            }
            Event::Line => run.receive_line(),
        }
    }
    run.outcome()
}

impl<'a> Loop<'a> {
    fn new(scenario: &'a Scenario, seed: u64) -> Self {
        let count = scenario.tmms();
        let tmms = usize::try_from(count).unwrap_or(usize::MAX);
        let workers = usize::try_from(scenario.workers()).unwrap_or(usize::MAX);
        Self {
            scenario,
            heap: BinaryHeap::with_capacity(2 * workers),
            sequence: 0,
            now: 0,
            client: Client::new(scenario, seed),
            dag: Dag::new(scenario, seed),
            ownership: AnyOwnership::of(scenario),
            local_write: QuantileTable::log_normal(
                scenario.local_floor(),
                scenario.local_median(),
                scenario.local_sigma(),
            ),
            count: scenario.count(),
            costs: Costs {
                request: scenario.request_work(),
                hop: scenario.hop(),
                service: scenario.remote_service(),
                resume: scenario.resume(),
                count: scenario.count_work(),
                list_key: scenario.enumerate_at_owner(),
                receive_key: scenario.enumerate_on_arrival(),
                log: scenario.log_work(),
            },
            daemon: Daemon::new(scenario),
            tmms: (0..count)
                .map(|tmm| Tmm {
                    free_at: 0,
                    name: Name::Unknown,
                    name_luck: Stream::new(seed, Concern::Name, tmm),
                    write_luck: Stream::new(seed, Concern::Cost, tmm),
                    sampler: Sampler::new(scenario.log_every()),
                    hits: 0,
                    writes: 0,
                    tried: 0,
                    sampled: Counts::default(),
                    local: Population::default(),
                    remote: Population::default(),
                    parts: [0; Part::COUNT],
                })
                .collect(),
            subtables: Vec::new(),
            requests: vec![Request::default(); workers],
            traffic: vec![0; tmms * tmms],
            series: Series::default(),
            latency: Population::exact_below(LATENCIES_EXACT_BELOW),
            replies: 0,
            last_reply: 0,
        }
    }

    fn push(&mut self, at: Nanoseconds, event: Event) {
        self.sequence += 1;
        self.heap.push(Reverse((at, self.sequence, event)));
    }

    fn spend(&mut self, acceptor: usize, part: Part, time: Nanoseconds) {
        self.tmms[acceptor].parts[part as usize] += time;
    }

    fn begin(&mut self, tmm: usize, acceptor: usize, queue: Part) -> Visit {
        let start = self.now.max(self.tmms[tmm].free_at);
        self.spend(acceptor, queue, start - self.now);
        Visit {
            tmm,
            acceptor,
            clock: start,
            stretch: self.daemon.stretch(self.now),
        }
    }

    fn work(&mut self, visit: &mut Visit, work: Nanoseconds, part: Part) {
        let passed = visit.stretch.apply(work);
        visit.clock += passed;
        self.spend(visit.acceptor, part, passed);
    }

    fn end(&mut self, visit: &Visit) {
        self.tmms[visit.tmm].free_at = visit.clock;
    }

    fn receive_line(&mut self) {
        let bin = self.series.at(self.now);
        if self.daemon.receive(self.now) {
            bin.lines += 1;
        } else {
            bin.dropped += 1;
        }
    }

    fn outcome(self) -> Outcome {
        let threshold = self.scenario.threshold();
        // The bins are drawn by the page, and so belong to the work.
        let latency = self.latency.summary(0);
        black_box(self.latency.log_bins());
        let tmms = self
            .tmms
            .into_iter()
            .map(|tmm| {
                let mut all = tmm.local.clone();
                all.merge(&tmm.remote);
                TmmOutcome {
                    hits: tmm.hits,
                    writes: tmm.writes,
                    tried: tmm.tried,
                    sampled: tmm.sampled.summary(threshold),
                    all: all.summary(threshold),
                    local_bins: tmm.local.log_bins(),
                    remote_bins: tmm.remote.log_bins(),
                    parts: tmm.parts,
                }
            })
            .collect();
        Outcome {
            last_reply: self.last_reply,
            replies: self.replies,
            tmms,
            traffic: self.traffic,
            entries: self.subtables.iter().map(|one| one.entries).collect(),
            series: self.series,
            lines: [self.daemon.lines, self.daemon.dropped],
            latency: exactly(&latency),
        }
    }

    /// The subtable of that name, made on first use.
    fn open(&mut self, name: &str) -> usize {
        if let Some(known) = self.subtables.iter().position(|one| one.name == name) {
            return known;
        }
        self.subtables.push(Subtable {
            name: name.to_owned(),
            owner: self.ownership.owner(name.as_bytes()) as usize,
            entries: self.scenario.entries(),
        });
        self.subtables.len() - 1
    }
}
