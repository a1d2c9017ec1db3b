//! What a run writes down as it goes: everything here is constant in the number of writes.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::agenda::Nanoseconds;
use crate::log::Line;
use crate::series::Series;
use crate::statistics::{Counts, Population};

/// Where a request's time goes. The parts of a request add up to its whole time, from the worker's wish to send to
/// the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Waiting for a free worker, where it starts late; waiting for and using the client's interpreter.
    Client,
    /// On the wire between client and cluster.
    Network,
    /// In the queue of the TMM that accepted it, before the request and after each answer.
    AcceptorQueue,
    /// The request's own work, resuming and the incremental counter included.
    Work,
    /// Between TMMs, coordination and waiting for lost answers included.
    Hop,
    /// In the queue of the owner.
    OwnerQueue,
    /// Being written, or tried, at the owner.
    Service,
    /// Listing keys and receiving the list.
    Enumeration,
    /// Handing over log lines.
    Log,
    /// Waiting for another request's search for a name.
    Discovery,
}

impl Part {
    /// How many parts there are.
    pub const COUNT: usize = 10;

    /// Every part with its words, in the order of a request.
    pub const ALL: [(Self, &'static str); Self::COUNT] = [
        (Self::Client, "client"),
        (Self::Network, "network"),
        (Self::AcceptorQueue, "queue here"),
        (Self::Work, "request work"),
        (Self::Hop, "hops"),
        (Self::OwnerQueue, "queue at owner"),
        (Self::Service, "the write"),
        (Self::Enumeration, "enumerate"),
        (Self::Log, "log"),
        (Self::Discovery, "waiting for a name"),
    ];
}

/// Time of requests, part by part, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parts(pub [Nanoseconds; Part::COUNT]);

impl Parts {
    /// Adds time to one part.
    #[inline]
    pub const fn spend(&mut self, part: Part, time: Nanoseconds) {
        self.0[part as usize] += time;
    }

    /// Adds the time that a request spent waiting for a free worker and then at the client.
    ///
    /// Any number of requests of an open loop may be late at once, so that the bound on the time of all workers is none on
    /// this: the sum stops growing at 146 years, and all parts together stay inside 64 bits.
    pub fn wait(&mut self, part: Part, time: Nanoseconds) {
        let sum = &mut self.0[part as usize];
        *sum = sum.saturating_add(time).min(LONGEST_WAIT);
    }
}

/// Longest sum of waiting that is told: 146 years, in nanoseconds.
const LONGEST_WAIT: Nanoseconds = 1 << 62;

/// One name tried by a TMM in search of a local one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Try {
    /// The name.
    pub name: String,
    /// Who owns it; the script does not know.
    pub owner: u32,
    /// What the trial write took.
    pub clicks: u32,
    /// Whether it was kept.
    pub kept: bool,
}

/// What is kept of the requests that one TMM accepted.
#[derive(Clone, Debug, Default)]
pub struct TmmResults {
    /// Connections accepted.
    pub hits: u64,
    /// Requests answered.
    pub done: u64,
    /// Clicks of the sampled writes.
    pub sampled: Counts,
    /// Clicks of all writes that were local.
    pub local: Population,
    /// Clicks of all writes that were not.
    pub remote: Population,
    /// Names tried; further ones than [`TRIES_KEPT`] are counted only.
    pub tries: Vec<Try>,
    /// How many names were tried.
    pub tried: u64,
}

/// Tries of one TMM that are kept one by one.
pub const TRIES_KEPT: usize = 200;
/// Log lines that a run keeps unless it is told otherwise.
pub const LINES_KEPT: usize = 200;

impl TmmResults {
    /// Counts one write.
    #[inline]
    pub fn write(&mut self, clicks: u32, local: bool) {
        let population = if local {
            &mut self.local
        } else {
            &mut self.remote
        };
        population.add(clicks);
    }
}

/// One of several runs in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// When it began, in nanoseconds.
    pub began: Nanoseconds,
    /// When its last reply so far was received, in nanoseconds.
    pub last_reply: Nanoseconds,
    /// Replies received.
    pub replies: u64,
    /// Writes done.
    pub writes: u64,
}

impl Run {
    /// Writes per second, or requests where nothing is written; 0 before the first reply.
    #[must_use]
    pub fn per_s(&self) -> f64 {
        let done = if self.writes > 0 {
            self.writes
        } else {
            self.replies
        };
        match self.last_reply - self.began {
            0 => 0.0,
            time => done as f64 / (time as f64 / 1e9),
        }
    }
}

/// Latencies of requests below this many clicks have a counter each: those of 64 workers in a closed loop are.
const LATENCIES_EXACT_BELOW: usize = 1 << 15;

/// What a run keeps beside what each TMM keeps.
#[derive(Clone, Debug)]
pub struct Results {
    /// Writes from acceptor `a` to owner `o` at `a * tmms + o`.
    pub traffic: Vec<u64>,
    /// Over time.
    pub series: Series,
    /// The last log lines that the daemon took, each with the instant at which it did.
    pub lines: VecDeque<(Nanoseconds, Line)>,
    /// How many lines are kept.
    pub lines_kept: usize,
    /// From the intended start of a request to its reply, in clicks.
    pub latency: Population,
    /// The same from when a worker was free for it: what a client measures that waits for one reply before it sends the
    /// next. Empty in a closed loop, where both are the same.
    pub latency_from_sending: Population,
    /// Runs one after the other, the present one last.
    pub runs: Vec<Run>,
    /// Replies received.
    pub replies: u64,
    /// Requests refused because their bodies were too large.
    pub refused: u64,
    /// Entries deleted.
    pub deleted: u64,
    /// Requests given up because an answer was lost.
    pub given_up: u64,
    /// What each user was admitted, where requests are limited.
    pub admitted: Vec<u32>,
    /// Requests turned away because their users had reached the limit.
    pub turned_away: u64,
    /// When the last reply was received.
    pub last_reply: Nanoseconds,
    /// When the last TMM had its name.
    pub names_known_at: Option<Nanoseconds>,
    /// When the log daemon's buffer was first full.
    pub buffer_full_at: Option<Nanoseconds>,
}

impl Results {
    /// Nothing yet.
    #[must_use]
    pub fn new(tmms: usize) -> Self {
        Self {
            traffic: vec![0; tmms * tmms],
            series: Series::default(),
            lines: VecDeque::new(),
            lines_kept: LINES_KEPT,
            latency: Population::exact_below(LATENCIES_EXACT_BELOW),
            latency_from_sending: Population::default(),
            runs: vec![Run::default()],
            replies: 0,
            refused: 0,
            deleted: 0,
            given_up: 0,
            admitted: Vec::new(),
            turned_away: 0,
            last_reply: 0,
            names_known_at: None,
            buffer_full_at: None,
        }
    }

    /// Keeps a log line, and forgets the oldest when there are too many.
    pub fn keep_line(&mut self, at: Nanoseconds, line: Line) {
        self.lines.push_back((at, line));
        while self.lines.len() > self.lines_kept {
            self.lines.pop_front();
        }
    }
}
