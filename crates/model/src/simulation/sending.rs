//! The client's side of a run: workers that send a request, have its reply, and send the next.

use super::Simulation;
use super::world::{Request, RequestId, STARTS, TO_CLUSTER, What};
use crate::agenda::Nanoseconds;
use crate::results::{Part, Run};

impl Simulation {
    /// All workers are free, and all records are to be sent.
    pub(super) fn begin_run(&mut self) {
        self.run_over_at += self.client.requests(self.scenario.records());
        for worker in 0..self.scenario.workers() as RequestId {
            self.take_next(worker);
        }
    }

    /// The next of several runs begins.
    pub(super) fn begin_next_run(&mut self) {
        self.world.results.runs = self.runs();
        self.client.begin_run(self.now);
        self.world.results.runs.push(Run {
            began: self.now,
            ..Run::default()
        });
        self.begin_run();
    }

    /// The runs so far, the present one as it stands.
    pub(super) fn runs(&self) -> Vec<Run> {
        let mut runs = self.world.results.runs.clone();
        let before = |of: fn(&Run) -> u64| runs.iter().map(of).sum::<u64>();
        let writes = self.tmms.iter().map(|tmm| tmm.writes).sum::<u64>() - before(|run| run.writes);
        let replies = self.world.results.replies - before(|run| run.replies);
        if let Some(present) = runs.last_mut() {
            present.last_reply = self.world.results.last_reply.max(present.began);
            (present.writes, present.replies) = (writes, replies);
        }
        runs
    }

    /// A worker is free: it sends its next request, now or when that is meant to start.
    #[inline(always)]
    fn take_next(&mut self, worker: RequestId) {
        let Some(intended) = self.client.next_start(self.now) else {
            return self.end_run();
        };
        self.requests[worker as usize].intended = intended;
        if intended > self.now {
            let start = What::Start.of(worker);
            self.world.agenda.push(STARTS, intended, start);
        } else {
            self.send(worker);
        }
    }

    /// Nothing is left to send: when all replies are there, the run is over and the next one may follow.
    #[cold]
    pub(super) fn end_run(&mut self) {
        if self.world.results.replies == self.run_over_at && self.runs_left > 0 {
            self.runs_left -= 1;
            let next = self.now.saturating_add(self.scenario.pause());
            self.world.agenda.push_irregular(next, What::Run.of(0));
        }
    }

    /// A worker sends a request, which is then on its way.
    #[inline]
    pub(super) fn send(&mut self, worker: RequestId) {
        if let Some(arrives) = self.set_out(worker) {
            self.world
                .agenda
                .push(TO_CLUSTER, arrives, What::Request.of(worker));
        }
    }

    /// A request sets out: the client's interpreter takes it up when it is free, and the DAG picks the TMM. When it
    /// arrives there; `None` when every record has been sent.
    #[inline(always)]
    pub(super) fn set_out(&mut self, worker: RequestId) -> Option<Nanoseconds> {
        let stretch = self.stretch(self.now);
        let sent = self.client.send(self.now, stretch)?;
        let accepted = self.dag.accept(worker);
        let request = &mut self.requests[worker as usize];
        let late = self.now - request.intended;
        *request = Request {
            intended: request.intended,
            started: self.now,
            acceptor: accepted.tmm,
            port: accepted.port,
            key: self.keys,
            keys: sent.keys as u32,
            ..Request::default()
        };
        self.keys += sent.keys;
        self.tmms[accepted.tmm as usize].results.hits += 1;
        let parts = &mut self.parts[accepted.tmm as usize];
        parts.wait(Part::Client, late.saturating_add(sent.left - self.now));
        parts.spend(Part::Network, sent.arrives - sent.left);
        Some(sent.arrives)
    }

    /// A reply reaches the client: its worker is free for the next request.
    #[inline(always)]
    pub(super) fn receive_reply(&mut self, worker: RequestId) {
        self.count_reply(worker);
        self.take_next(worker);
    }

    /// A reply is at the client.
    #[inline(always)]
    pub(super) fn count_reply(&mut self, worker: RequestId) {
        let request = &self.requests[worker as usize];
        let latency_from = |instant| crate::tmm::clicks(instant, self.now);
        let results = &mut self.world.results;
        results.latency.add(latency_from(request.intended));
        if self.open_loop {
            results
                .latency_from_sending
                .add(latency_from(request.started));
        }
        self.tmms[request.acceptor as usize].results.done += 1;
        results.replies += 1;
        results.last_reply = self.now;
    }
}
