//! Quiet times: stretches of a run in which requests are served ahead, without an event for each arrival.
//!
//! While every TMM writes to a subtable of its own and no line is on its way to the log daemon, a TMM hears from the client
//! alone, and requests reach it in the order in which they are sent. What a request will do there is then known when it
//! sets out: it is served at once, with its arrival for the time, and the one thing left of it is its reply. The replies
//! need no agenda: they are a short list, sorted.
//!
//! A quiet time ends before a write that is to be logged, since a line takes a share of the host from all others. It
//! gives the same run as the events one by one, to the last bit ([`Simulation::without_shortcuts`], tested); nobody
//! looks at a run while requests are served that have not arrived.

use std::collections::VecDeque;

use super::Simulation;
use super::world::{Arrival, RequestId, TO_CLUSTER, What, World, to_client};
use crate::agenda::Nanoseconds;
use crate::results::Part;
use crate::scenario::{Arrivals, Scenario, Workload};

/// Most workers in a quiet time: a reply may have to pass all others in the list.
const MOST_WORKERS: u64 = 256;

/// Fewest events for which it is worth to begin one.
pub(super) const FEWEST_EVENTS: u64 = 1024;

/// What a simulation knows of its quiet times.
#[derive(Clone, Debug)]
pub(super) struct Quiet {
    /// Before this instant there is no quiet time to be had.
    not_before: Nanoseconds,
    /// When the last request that was served ahead reaches its TMM.
    pub(super) served_until: Nanoseconds,
}

impl Quiet {
    pub(super) const NEVER: Self = Self {
        not_before: Nanoseconds::MAX,
        served_until: 0,
    };

    /// Whether a scenario can have quiet times, and long enough ones.
    pub(super) fn new(scenario: &Scenario) -> Self {
        let keys_per_request = match scenario.workload() {
            Workload::Bulk => scenario.keys_per_post(),
            _ => 2,
        };
        let workers = scenario.workers();
        let rarely_logs = scenario.log_every() == 0
            || scenario.log_every() >= keys_per_request.saturating_mul(workers);
        let possible = rarely_logs
            && scenario.log_accepts() == 0
            && workers <= MOST_WORKERS
            && scenario.arrivals() == Arrivals::Closed
            && scenario.workload() != Workload::Probe
            && !scenario.naming().is_brought()
            && scenario.reload_every() == 0;
        Self {
            not_before: if possible { 0 } else { Nanoseconds::MAX },
            served_until: 0,
        }
    }
}

/// Replies of requests that were served ahead, by the instant at which they reach the client; those of the same instant in
/// the order in which their requests were sent.
#[derive(Clone, Debug, Default)]
pub(super) struct RepliesAhead(VecDeque<(Nanoseconds, RequestId)>);

impl RepliesAhead {
    /// Adds a reply. Most replies come last.
    #[inline(always)]
    pub(super) fn insert(&mut self, at: Nanoseconds, request: RequestId) {
        let mut place = self.0.len();
        while place > 0 && self.0[place - 1].0 > at {
            place -= 1;
        }
        if place == self.0.len() {
            self.0.push_back((at, request));
        } else {
            self.0.insert(place, (at, request));
        }
    }
}

impl World {
    /// Whether every write is local, and how the host is shared is known until the next line.
    #[inline(always)]
    fn is_quiet(&self) -> bool {
        self.names_local == self.tmms && self.lines_pending == 0 && self.agenda.is_regular()
    }
}

impl Simulation {
    /// Whether a quiet time may begin now.
    #[inline(always)]
    pub(super) fn is_quiet(&self) -> bool {
        self.now >= self.quiet.not_before && self.world.is_quiet()
    }

    /// Passes a quiet time, as far as it goes: until `latest`, or for about so many events. Returns how many of them there
    /// were.
    #[inline(never)]
    pub(super) fn pass_quiet_time(&mut self, latest: Nanoseconds, most_events: u64) -> u64 {
        let mut events = 0;
        if self.begin_quiet_time(latest) {
            while events < most_events {
                let Some(worker) = self.next_reply_ahead(latest) else {
                    break;
                };
                events += 2;
                self.count_reply(worker);
                if !self.send_ahead(worker, latest) {
                    break;
                }
            }
        }
        self.end_quiet_time();
        events
    }

    /// Serves ahead what is on its way. Returns whether that was all: the first request that cannot be served ahead is
    /// left on its way, and so are those behind it.
    fn begin_quiet_time(&mut self, latest: Nanoseconds) -> bool {
        let mut replies = VecDeque::with_capacity(self.requests.len());
        let mut requests = VecDeque::with_capacity(self.requests.len());
        while let Some((at, Arrival { id, of })) = self.world.agenda.pop() {
            match of {
                What::Request => requests.push_back((at, id)),
                What::Reply => replies.push_back((at, id)),
                // Names are known and local, answers are all there, and no line is under way.
                _ => unreachable!("{of:?} in a quiet time"),
            }
        }
        self.world.replies_ahead = Some(RepliesAhead(replies));
        while let Some(&(arrives, request)) = requests.front()
            && self.serve_ahead(request, arrives, latest)
        {
            requests.pop_front();
        }
        let all_served = requests.is_empty();
        for (arrives, request) in requests {
            let arrival = What::Request.of(request);
            self.world.agenda.push(TO_CLUSTER, arrives, arrival);
        }
        all_served
    }

    /// Takes out the next reply, if it is due by `latest`.
    #[inline(always)]
    fn next_reply_ahead(&mut self, latest: Nanoseconds) -> Option<RequestId> {
        let replies = &mut self.world.replies_ahead.as_mut()?.0;
        let (at, worker) = replies.pop_front_if(|(at, _)| *at <= latest)?;
        self.now = at;
        Some(worker)
    }

    /// A worker that is free sends its next request, which is served at once. Returns whether it was.
    #[inline(always)]
    fn send_ahead(&mut self, worker: RequestId, latest: Nanoseconds) -> bool {
        let Some(intended) = self.client.next_start(self.now) else {
            self.end_run();
            return self.runs_left == 0;
        };
        self.requests[worker as usize].intended = intended;
        let Some(arrives) = self.set_out(worker) else {
            return true;
        };
        let served = self.serve_ahead(worker, arrives, latest);
        if !served {
            let arrival = What::Request.of(worker);
            self.world.agenda.push(TO_CLUSTER, arrives, arrival);
        }
        served
    }

    /// Serves a request before it arrives; not when it arrives after `latest`, or may have a line to log.
    #[inline(always)]
    fn serve_ahead(&mut self, id: RequestId, arrives: Nanoseconds, latest: Nanoseconds) -> bool {
        let request = &self.requests[id as usize];
        // A lookup reads twice at most.
        let writes = u64::from(request.keys.max(2));
        let sampler = &self.tmms[request.acceptor as usize].sampler;
        if arrives > latest || sampler.unpicked() < writes {
            self.quiet.not_before = arrives;
            return false;
        }
        self.quiet.served_until = arrives;
        let mut turn = self.turn(id, arrives, |it| it.acceptor);
        turn.parts
            .spend(Part::AcceptorQueue, turn.visit.start - arrives);
        turn.accept();
        turn.end();
        true
    }

    /// The replies of what was served ahead take the usual way from here on.
    fn end_quiet_time(&mut self) {
        let replies = self.world.replies_ahead.take().unwrap_or_default();
        for (at, request) in replies.0 {
            let acceptor = self.requests[request as usize].acceptor;
            let reply = What::Reply.of(request);
            self.world.agenda.push(to_client(acceptor), at, reply);
        }
    }
}
