//! What can be seen of a run at one moment: plain data, for charts, tables and reports.

use core::hash::Hasher;

use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;

use crate::agenda::Nanoseconds;
use crate::results::{Part, Run, Try};
use crate::series::Series;
use crate::statistics::Summary;
use crate::subtable::ages::Age;

/// A run at one moment. Two runs with equal snapshots went the same way; [`Snapshot::hash`] makes that one number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Simulated time, in nanoseconds.
    pub now: Nanoseconds,
    /// Whether everything has happened.
    pub finished: bool,
    /// Records to write, in all runs; for workloads that write none, requests to send.
    pub records: u64,
    /// Requests of all runs.
    pub requests: u64,
    /// Requests refused because their bodies were too large.
    pub refused: u64,
    /// Entries deleted.
    pub deleted: u64,
    /// Requests given up because an answer was lost.
    pub given_up: u64,
    /// Requests parked for an answer that will not come.
    pub parked: u64,
    /// What became of requests that are limited per user; none where they are not.
    pub limit: Option<LimitSnapshot>,
    /// Replies received.
    pub replies: u64,
    /// When the last reply was received, in nanoseconds.
    pub last_reply: Nanoseconds,
    /// The runs in a row so far, the present one last.
    pub runs: Vec<Run>,
    /// From the intended start of a request to its reply, in clicks. Nothing is fast or slow here.
    pub latency: Summary,
    /// The same in logarithmic bins (see [`crate::statistics::BINS`]).
    pub latency_bins: Vec<u32>,
    /// From when a worker was free for the request: what a client measures that cannot start late, because it waits for
    /// each reply (coordinated omission). The same as `latency` in a closed loop.
    pub latency_from_sending: Summary,
    /// A write below this many clicks is fast.
    pub threshold: u64,
    /// Each TMM, by number.
    pub tmms: Vec<TmmSnapshot>,
    /// Writes from acceptor `a` to owner `o`, at `a * tmms + o`.
    pub traffic: Vec<u64>,
    /// The subtables in use, in the order of first use.
    pub subtables: Vec<SubtableSnapshot>,
    /// Writes and log lines over time.
    pub series: Series,
    /// The log.
    pub log: LogSnapshot,
    /// Messages on their way at this moment.
    pub moves: Vec<Move>,
    /// Requests in the client, waiting for its interpreter or being prepared.
    pub at_client: u64,
    /// What happened at which moment, in order of time.
    pub events: Vec<(Nanoseconds, RunEvent)>,
}

/// One TMM at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TmmSnapshot {
    /// Connections given to it by the DAG.
    pub hits: u64,
    /// Requests that it accepted and that have their replies.
    pub done: u64,
    /// Writes of the requests that it accepted.
    pub writes: u64,
    /// Time spent working so far, in nanoseconds.
    pub busy: Nanoseconds,
    /// Pieces of work in its queue, the one in hand included.
    pub queue: u32,
    /// Its subtable, an index into [`Snapshot::subtables`]; none while it is unknown.
    pub subtable: Option<u32>,
    /// Names tried to find it.
    pub tried: u64,
    /// The first of these tries, one by one.
    pub tries: Vec<Try>,
    /// Clicks of the writes that were logged, as the analyser of the harness sums them up.
    pub sampled: Summary,
    /// Clicks of all writes; percentiles to two significant digits.
    pub all: Summary,
    /// Local writes by clicks, in logarithmic bins (see [`crate::statistics::BINS`]).
    pub local_bins: Vec<u32>,
    /// Remote writes by clicks, in the same bins.
    pub remote_bins: Vec<u32>,
    /// Time of the requests it accepted, by [`Part`], in nanoseconds.
    pub parts: [Nanoseconds; Part::COUNT],
    /// What its incremental counter shows: its writes since the script was last loaded. It does not fall when entries go.
    pub counter: u64,
    /// What it stores.
    pub stored: Stored,
}

/// A subtable in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubtableSnapshot {
    /// Its name.
    pub name: String,
    /// The TMM that stores it.
    pub owner: u32,
    /// Entries in it.
    pub entries: u64,
    /// Entries that have gone because their time had come.
    pub expired: u64,
    /// Whether requests still use it. The entries of others are orphans: nothing will find or delete them.
    pub in_use: bool,
    /// Its oldest entry, where entries end.
    pub oldest: Option<Age>,
}

/// What a TMM stores, as the owner of subtables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stored {
    /// Subtables with entries.
    pub subtables: u64,
    /// Entries in them.
    pub entries: u64,
    /// Those of them in subtables that nothing uses any more.
    pub orphans: u64,
    /// Bytes, with what the platform spends on entries and subtables (assumed).
    pub bytes: u64,
}

/// What became of requests that are limited per user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitSnapshot {
    /// Requests admitted.
    pub admitted: u64,
    /// Requests turned away.
    pub turned_away: u64,
    /// Admitted beyond what the limit allows each user.
    pub over: u64,
    /// The most that one user was admitted.
    pub most: u32,
}

/// The log at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogSnapshot {
    /// The last lines that the daemon took: when, and what.
    pub tail: Vec<(Nanoseconds, String)>,
    /// Lines that the daemon took.
    pub lines: u64,
    /// Lines lost because its buffer was full.
    pub dropped: u64,
    /// Lines in its buffer.
    pub backlog: u64,
}

/// A message on its way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Move {
    /// The TMM that sent it; none is the client.
    pub from: Option<u32>,
    /// The TMM it goes to; none is the client.
    pub to: Option<u32>,
    /// The share of its way that lies behind it, 0 to 1.
    pub progress: f32,
    /// What it is.
    pub kind: MoveKind,
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MoveKind {
    /// A request.
    Request,
    /// A write asked of the owner.
    Write,
    /// A trial write asked of the owner of a candidate name.
    Trial,
    /// A list of keys, or their removal, asked of the owner.
    ListKeys,
    /// An answer of an owner.
    Answer,
    /// A reply.
    Reply,
    /// An answer that is lost: its request is parked at the acceptor until it is given up.
    Lost,
}

/// A moment of a run worth a mark on the time axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunEvent {
    /// Every TMM has its name.
    NamesKnown,
    /// The log daemon's buffer was full for the first time.
    BufferFull,
    /// The next of several runs began.
    RunBegan,
    /// The last reply was received.
    Finished,
    /// The run was cut off: its simulated time was up.
    CutOff,
}

impl RunEvent {
    /// In words.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::NamesKnown => "names known",
            Self::BufferFull => "log buffer full",
            Self::RunBegan => "next run",
            Self::Finished => "finished",
            Self::CutOff => "cut off: time is up",
        }
    }
}

/// Whether the writes are local, by the rule of the harness: a TMM whose average is at or above the threshold is a
/// locality issue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// No TMM is slow.
    pub ok: bool,
    /// The TMMs whose average is at or above the threshold.
    pub slow_tmms: Vec<u32>,
    /// What was averaged.
    pub basis: Basis,
}

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The log lines, as on the box.
    Sampled,
    /// All writes, because nothing was logged: the box could not tell.
    AllWrites,
    /// Nothing: there were no writes.
    Nothing,
}

impl Snapshot {
    /// Whether the writes are local.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let basis = if self.tmms.iter().any(|tmm| tmm.sampled.n > 0) {
            Basis::Sampled
        } else if self.tmms.iter().any(|tmm| tmm.all.n > 0) {
            Basis::AllWrites
        } else {
            Basis::Nothing
        };
        let slow = |tmm: &TmmSnapshot| {
            let judged = if basis == Basis::Sampled {
                &tmm.sampled
            } else {
                &tmm.all
            };
            judged.n > 0 && judged.avg >= self.threshold as f64
        };
        let slow_tmms: Vec<u32> = (0_u32..)
            .zip(&self.tmms)
            .filter(|(_, tmm)| slow(tmm))
            .map(|(number, _)| number)
            .collect();
        Verdict {
            ok: slow_tmms.is_empty(),
            slow_tmms,
            basis,
        }
    }

    /// The row of the table for a TMM: the log lines when there are any in the run, else all writes.
    #[must_use]
    pub fn row(&self, tmm: usize) -> Summary {
        let row = &self.tmms[tmm];
        if self.verdict().basis == Basis::Sampled {
            row.sampled
        } else {
            row.all
        }
    }

    /// Replies per second of simulated time, 0 before the first.
    #[must_use]
    pub fn replies_per_s(&self) -> f64 {
        if self.last_reply == 0 {
            0.0
        } else {
            self.replies as f64 / (self.last_reply as f64 / 1e9)
        }
    }

    /// Share of the writes whose acceptor was the owner; `None` before the first.
    #[must_use]
    pub fn local_share(&self) -> Option<f64> {
        let all: u64 = self.traffic.iter().sum();
        let local: u64 = self.traffic.iter().step_by(self.tmms.len() + 1).sum();
        (all > 0).then(|| local as f64 / all as f64)
    }

    /// Names tried by all TMMs.
    #[must_use]
    pub fn probes(&self) -> u64 {
        self.tmms.iter().map(|tmm| tmm.tried).sum()
    }

    /// One number for all of it: SipHash-1-3 of the postcard encoding, which is the same on every machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hasher = SipHasher13::new();
        // Encoding plain data into memory cannot fail.
        hasher.write(&postcard::to_allocvec(self).unwrap_or_default());
        hasher.finish()
    }

    /// [`Snapshot::hash`] as people compare it: 16 hexadecimal digits.
    #[must_use]
    pub fn hash_text(&self) -> String {
        format!("{:016x}", self.hash())
    }
}
