//! What a run is made of beside its TMMs: what travels, where to, and all that a turn on a TMM can see and change.

use std::collections::{BTreeMap, VecDeque};

use crate::agenda::{Agenda, Lane, Nanoseconds};
use crate::client::Work;
use crate::log::{Daemon, Line};
use crate::naming::{PROBED, SUBTABLES_PER_TMM};
use crate::ownership::AnyOwnership;
use crate::results::Results;
use crate::sampling::{Concern, QuantileTable, Stream};
use crate::scenario::{Count, Naming, Placement, Scenario, Workload};
use crate::subtable::{SubtableId, Subtables};

use super::answers::Answers;
use super::quiet::RepliesAhead;

/// What a TMM asks of a subtable's owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// A timed write to a name that may or may not be local.
    Trial,
    /// The request's write.
    Write,
    /// A list of all keys.
    ListKeys,
    /// The removal of all entries.
    Delete,
    /// How many entries the request's user has.
    CountUser,
}

/// Index of a request among those in flight; a worker's request takes the worker's place.
pub(super) type RequestId = u32;

/// An arrival: of which request, or for a log line of which TMM; and what of it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    pub(super) id: u32,
    pub(super) of: What,
}

/// What arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// The intended start of a worker's next request, at the client.
    Start,
    /// The start of the next of several runs, at the client.
    Run,
    /// A request, from the client, at its acceptor.
    Request,
    /// A question, from the acceptor, at the owner.
    Question(Operation),
    /// The answer, from the owner, at the acceptor.
    Answer(Operation),
    /// Nothing, at the acceptor: the answer was lost, and the request has been parked for long enough.
    Timeout(Operation),
    /// A reply, from the acceptor, at the client.
    Reply,
    /// A log line of this TMM, at the daemon.
    Line,
}

impl What {
    /// This, of that request or TMM.
    pub(super) const fn of(self, id: u32) -> Arrival {
        Arrival { id, of: self }
    }
}

/// A request in flight.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Request {
    /// When it was meant to start; its latency counts from here.
    pub(super) intended: Nanoseconds,
    /// When a worker was free for it.
    pub(super) started: Nanoseconds,
    /// The TMM that accepted it.
    pub(super) acceptor: u32,
    /// The TMM that was last asked something.
    pub(super) owner: u32,
    pub(super) subtable: SubtableId,
    /// Source port of its connection.
    pub(super) port: u16,
    /// Number of the key that it writes, or writes next.
    pub(super) key: u64,
    /// Keys that it has still to write, this one included.
    pub(super) keys: u32,
    /// What its write took.
    pub(super) clicks: u32,
    /// The script's clock before the operation under way.
    pub(super) asked_at: Nanoseconds,
    /// Whose it is, where requests have sessions or users.
    pub(super) user: u32,
    /// Keys in the list on its way, or entries of its user.
    pub(super) listed: u64,
    /// Number of its write on its TMM when that one is logged, else 0.
    pub(super) logged_as: u64,
}

/// The constant pieces of work, read once from the scenario.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    pub(super) local_write: QuantileTable,
    pub(super) request: Work,
    pub(super) bulk_key: Nanoseconds,
    pub(super) hop: Nanoseconds,
    pub(super) remote_service: Nanoseconds,
    pub(super) resume: Nanoseconds,
    pub(super) count: Nanoseconds,
    pub(super) list_key: Nanoseconds,
    pub(super) receive_key: Nanoseconds,
    pub(super) log: Nanoseconds,
    pub(super) half_round_trip: Nanoseconds,
}

impl Costs {
    pub(super) fn new(scenario: &Scenario) -> Self {
        Self {
            local_write: QuantileTable::log_normal(
                scenario.local_floor(),
                scenario.local_median(),
                scenario.local_sigma(),
            ),
            request: Work::new(scenario.request_work(), scenario.work_spread()),
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

/// What a turn on a TMM can see and change beside that TMM.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) naming: Naming,
    pub(super) workload: Workload,
    pub(super) count: Count,
    pub(super) threshold: u64,
    pub(super) max_tries: u64,
    pub(super) log_every: u64,
    pub(super) log_accepts: u64,
    pub(super) sessions: u32,
    pub(super) limit: u64,
    pub(super) placement: Placement,
    pub(super) tmms: u32,
    /// Nanoseconds between two loads of the script.
    pub(super) reload_every: Option<Nanoseconds>,
    pub(super) costs: Costs,
    pub(super) answers: Answers,
    pub(super) ownership: AnyOwnership,
    /// The name that probes time.
    pub(super) probed: String,
    pub(super) session_luck: Stream,
    pub(super) subtables: Subtables,
    /// The subtables over which keys are spread, those in use so far.
    pub(super) spread: Vec<Option<SubtableId>>,
    /// Entries of each user in each subtable, where requests are limited.
    pub(super) slots: BTreeMap<(SubtableId, u32), u64>,
    pub(super) daemon: Daemon,
    /// Lines handed over by each TMM that have not reached the daemon.
    pub(super) lines_under_way: Vec<VecDeque<Line>>,
    pub(super) agenda: Agenda<Arrival>,
    pub(super) results: Results,
    pub(super) names_known: u32,
    /// TMMs that know a name which they own.
    pub(super) names_local: u32,
    /// Lines handed over that have not reached the daemon.
    pub(super) lines_pending: u64,
    /// Replies of requests that were served ahead; none but in quiet times.
    pub(super) replies_ahead: Option<RepliesAhead>,
    /// Whether the keys of a post are written alike, one after the other: see [`post`](super::post).
    pub(super) writes_alike: bool,
    /// Requests whose TMM has just got its name, each with the instant since when it has waited for it.
    pub(super) woken: Vec<(RequestId, Nanoseconds)>,
}

impl World {
    pub(super) fn new(scenario: &Scenario, seed: u64) -> Self {
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
            limit: scenario.limit(),
            placement: scenario.placement(),
            tmms: tmms as u32,
            reload_every: reload_every(scenario),
            costs: Costs::new(scenario),
            answers: Answers::new(scenario, seed),
            ownership: AnyOwnership::of(scenario),
            probed: PROBED.to_owned(),
            session_luck: Stream::new(seed, Concern::Session, 0),
            subtables: Subtables::new(scenario),
            spread: vec![None; tmms * SUBTABLES_PER_TMM as usize],
            slots: BTreeMap::new(),
            daemon: Daemon::new(scenario),
            lines_under_way: vec![VecDeque::new(); tmms],
            agenda: Agenda::new(2 + 3 * tmms),
            results: Results::new(tmms),
            names_known: 0,
            names_local: 0,
            lines_pending: 0,
            replies_ahead: None,
            writes_alike: super::post::writes_alike(scenario),
            woken: Vec::new(),
        }
    }
}

/// Nanoseconds between two loads of the script; none when it is loaded once.
pub(super) fn reload_every(scenario: &Scenario) -> Option<Nanoseconds> {
    let seconds = scenario.reload_every();
    (seconds > 0).then_some(seconds * 1_000_000_000)
}

/// Lane of requests on their way to the cluster.
pub(super) const TO_CLUSTER: Lane = Lane(0);

/// Lane of the intended starts of requests.
pub(super) const STARTS: Lane = Lane(1);

/// Lane of replies from a TMM to the client.
pub(super) const fn to_client(tmm: u32) -> Lane {
    Lane(2 + 3 * tmm)
}

/// Lane of questions and answers from a TMM to the others.
pub(super) const fn to_peers(tmm: u32) -> Lane {
    Lane(3 + 3 * tmm)
}

/// Lane of lines from a TMM to the log daemon.
pub(super) const fn to_daemon(tmm: u32) -> Lane {
    Lane(4 + 3 * tmm)
}
