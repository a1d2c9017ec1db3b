//! The model, live: TMMs with queues, subtables with owners, names that are found, a log; driven by requests that
//! really arrive.
//!
//! A request is followed to its end the moment it arrives: its work on the acceptor and on the owner is entered into
//! their [`calendar`]s, and what it sees there, queues included, is its answer and its clicks. Costs, hashes, names and
//! the log daemon are the model's own.

mod calendar;
mod clock;
mod script;
mod store;

use std::net::{IpAddr, SocketAddr};

use subtable_model::Scenario;
use subtable_model::agenda::Nanoseconds;
use subtable_model::dag::Dag;
use subtable_model::log::{Daemon, Sampler};
use subtable_model::ownership::AnyOwnership;
use subtable_model::sampling::{Concern, QuantileTable, Stream};
use subtable_model::scenario::{Count, Naming};

use self::calendar::Calendar;
use self::clock::Clock;
use self::script::Script;
use self::store::{Store, SubtableId};
use crate::Settings;
use crate::request::{Refusal, Request};

/// A connection that the DAG has given to a TMM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The TMM.
    pub tmm: u32,
    /// Whose connection it is.
    pub peer: SocketAddr,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What the caller is told.
    pub result: Result<String, Refusal>,
    /// How long the TMMs take for it, in nanoseconds from its arrival.
    pub takes: Nanoseconds,
    /// Lines for the log.
    pub lines: Vec<String>,
}

/// What has been done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Requests that were answered.
    pub requests: u64,
    /// Entries that were written.
    pub writes: u64,
    /// Log lines.
    pub lines: u64,
    /// Log lines that the log daemon of the model had no room for.
    pub dropped: u64,
}

/// What a TMM knows of its subtable's name.
#[derive(Clone, Copy, Debug)]
enum Name {
    /// Nothing yet.
    Unknown,
    /// It is this subtable's, since some moment that may be still to come: until then requests wait for the one that
    /// is looking for it.
    Known {
        subtable: SubtableId,
        since: Nanoseconds,
    },
}

#[derive(Debug)]
struct Tmm {
    calendar: Calendar,
    name: Name,
    writes: u64,
    /// The incremental counter: what was written since the last reset.
    counted: u64,
    accepts: u64,
    sampler: Sampler,
    luck: Stream,
    name_luck: Stream,
}

/// The constant pieces of work, in nanoseconds.
#[derive(Debug)]
struct Costs {
    local_write: QuantileTable,
    /// A local write as it usually is.
    local_usual: Nanoseconds,
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

/// The live model.
#[derive(Debug)]
pub struct Live {
    naming: Naming,
    count: Count,
    threshold: u64,
    max_tries: u64,
    log_every: u64,
    log_accepts: u64,
    sessions: u32,
    costs: Costs,
    dag: Dag,
    tmms: Vec<Tmm>,
    store: Store,
    daemon: Daemon,
    session_luck: Stream,
    clock: Clock,
    done: Done,
}

impl Live {
    /// Idle TMMs that know no names.
    #[must_use]
    pub fn new(settings: &Settings) -> Self {
        let (scenario, seed) = (&settings.scenario, settings.seed);
        let tmms = scenario.tmms() as u32;
        let ownership = AnyOwnership::of(scenario);
        Self {
            naming: scenario.naming(),
            count: scenario.count(),
            threshold: scenario.threshold(),
            max_tries: scenario.max_tries(),
            log_every: scenario.log_every(),
            log_accepts: scenario.log_accepts(),
            sessions: scenario.sessions() as u32,
            costs: Costs::new(scenario),
            dag: Dag::new(scenario, seed),
            tmms: (0..tmms).map(|tmm| Tmm::new(tmm, scenario, seed)).collect(),
            store: Store::new(
                ownership,
                settings.lifetime,
                scenario.entries(),
                settings.max_entries,
            ),
            daemon: Daemon::new(scenario),
            session_luck: Stream::new(seed, Concern::Session, 0),
            clock: Clock::new(settings.pace),
            done: Done::default(),
        }
    }

    /// What the rule says of itself when it is loaded: a line for each TMM.
    #[must_use]
    pub fn loaded(&self) -> Vec<String> {
        let (sample, threshold) = (self.log_every, self.threshold);
        (0..self.tmms.len())
            .map(|tmm| {
                format!("LOCALDB procs loaded debug_sample={sample} fast_threshold={threshold} tmm={tmm}")
            })
            .collect()
    }

    /// The DAG gives a connection to a TMM.
    pub fn connect(&mut self, peer: SocketAddr) -> Connection {
        let address = match peer.ip() {
            IpAddr::V4(address) => u32::from(address),
            IpAddr::V6(address) => {
                let halves = u128::from(address);
                (halves ^ (halves >> 32) ^ (halves >> 64) ^ (halves >> 96)) as u32
            }
        };
        let tmm = self.dag.give(address, peer.port());
        Connection { tmm, peer }
    }

    /// A request arrives, `real` nanoseconds after the start, while `open` connections are open. `keys` are those of a
    /// post.
    pub fn answer(
        &mut self,
        connection: &Connection,
        request: &Request,
        keys: &[String],
        (real, open): (Nanoseconds, usize),
    ) -> Answer {
        let arrival = self.clock.arrival(real, open);
        let mut script = Script::accept(self, connection, request, keys.len(), arrival);
        let result = script.run(request, keys);
        let (end, lines) = script.end();
        self.clock.will_depart(end);
        self.done.requests += 1;
        Answer {
            result,
            takes: end - arrival,
            lines,
        }
    }

    /// What has been done so far.
    #[must_use]
    pub const fn done(&self) -> Done {
        self.done
    }

    /// How many TMMs there are.
    #[must_use]
    pub const fn tmms(&self) -> usize {
        self.tmms.len()
    }
}

impl Tmm {
    fn new(number: u32, scenario: &Scenario, seed: u64) -> Self {
        Self {
            calendar: Calendar::default(),
            name: Name::Unknown,
            writes: 0,
            counted: 0,
            accepts: 0,
            sampler: Sampler::new(scenario.log_every()),
            luck: Stream::new(seed, Concern::Cost, u64::from(number)),
            name_luck: Stream::new(seed, Concern::Name, u64::from(number)),
        }
    }
}

impl Costs {
    fn new(scenario: &Scenario) -> Self {
        let (floor, median) = (scenario.local_floor(), scenario.local_median());
        Self {
            local_write: QuantileTable::log_normal(floor, median, scenario.local_sigma()),
            local_usual: floor + median,
            request: scenario.request_work(),
            bulk_key: scenario.bulk_key_work(),
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
