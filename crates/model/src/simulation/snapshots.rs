//! From the state of a run to a [`Snapshot`].

use super::Simulation;
use super::world::{Arrival, Operation, RequestId, TO_CLUSTER, What, to_client, to_peers};
use crate::agenda::Nanoseconds;
use crate::naming::Name;
use crate::snapshot::{LogSnapshot, Move, MoveKind, RunEvent, Snapshot, Stored, TmmSnapshot};
use crate::statistics::Summary;

impl Simulation {
    /// Replies received so far.
    #[must_use]
    pub const fn replies(&self) -> u64 {
        self.world.results.replies
    }

    /// What can be seen of the run now.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let (moves, at_client, queues) = self.under_way();
        let subtables = self.stored();
        let memory = self.memory(&subtables);
        let tmms = (0..self.tmms.len())
            .map(|tmm| self.tmm_snapshot(tmm, queues[tmm], memory[tmm]))
            .collect();
        Snapshot {
            now: self.now,
            finished: self.is_finished(),
            records: self.scenario.records() * self.scenario.runs(),
            requests: self.client.requests(self.scenario.records()) * self.scenario.runs(),
            refused: self.world.results.refused,
            deleted: self.world.results.deleted,
            given_up: self.world.results.given_up,
            parked: self.parked(),
            limit: self.limit(),
            replies: self.world.results.replies,
            last_reply: self.world.results.last_reply,
            runs: self.runs(),
            latency: self.world.results.latency.summary(0),
            latency_bins: self.world.results.latency.log_bins(),
            latency_from_sending: self.latency_from_sending(),
            threshold: self.world.threshold,
            tmms,
            traffic: self.world.results.traffic.clone(),
            subtables,
            series: self.world.results.series.clone(),
            log: LogSnapshot {
                tail: self
                    .world
                    .results
                    .lines
                    .iter()
                    .map(|(at, line)| (*at, line.to_string()))
                    .collect(),
                lines: self.world.daemon.lines,
                dropped: self.world.daemon.dropped,
                backlog: self.world.daemon.backlog(self.now),
            },
            moves,
            at_client,
            events: self.events(),
        }
    }

    /// Requests whose answer is lost.
    fn parked(&self) -> u64 {
        let irregular = self.world.agenda.pending_irregular();
        irregular
            .filter(|(_, arrival)| matches!(arrival.of, What::Timeout(_)))
            .count() as u64
    }

    /// In a closed loop a worker is free for a request just when it is meant to start.
    fn latency_from_sending(&self) -> Summary {
        let results = &self.world.results;
        if self.open_loop {
            results.latency_from_sending.summary(0)
        } else {
            results.latency.summary(0)
        }
    }

    fn tmm_snapshot(&self, number: usize, queue: u32, stored: Stored) -> TmmSnapshot {
        let tmm = &self.tmms[number];
        let results = &tmm.results;
        let mut all = results.local.clone();
        all.merge(&results.remote);
        TmmSnapshot {
            hits: results.hits,
            done: results.done,
            writes: tmm.writes,
            busy: tmm.busy_until(self.now),
            queue,
            subtable: match tmm.name {
                Name::Known(subtable) => Some(subtable),
                _ => None,
            },
            tried: results.tried,
            tries: results.tries.clone(),
            sampled: results.sampled.summary(self.world.threshold),
            all: all.summary(self.world.threshold),
            local_bins: results.local.log_bins(),
            remote_bins: results.remote.log_bins(),
            parts: self.parts[number].0,
            counter: tmm.writes - tmm.writes_before_reload,
            stored,
        }
    }

    /// Messages between places, requests still in the client, and the queue of each TMM. What leaves a TMM later than
    /// now is still being worked on there, or waits for it.
    fn under_way(&self) -> (Vec<Move>, u64, Vec<u32>) {
        let (way_to_cluster, half_round_trip) =
            (self.client.way_to_cluster(), self.client.half_round_trip());
        let (mut moves, mut at_client) = (Vec::new(), 0);
        let mut queues = vec![0; self.tmms.len()];
        for (at, arrival) in self.world.agenda.pending(TO_CLUSTER) {
            match self.progress(at, way_to_cluster) {
                Some(progress) => moves.push(self.message(None, progress, arrival)),
                None => at_client += 1,
            }
        }
        for (number, queue) in (0_u32..).zip(&mut queues) {
            let replies = self
                .world
                .agenda
                .pending(to_client(number))
                .map(|(at, what)| (at, half_round_trip, what));
            let messages = self
                .world
                .agenda
                .pending(to_peers(number))
                .map(|(at, what)| (at, self.world.costs.hop, what));
            for (at, way, arrival) in replies.chain(messages) {
                match self.progress(at, way) {
                    Some(progress) => moves.push(self.message(Some(number), progress, arrival)),
                    None => *queue += 1,
                }
            }
        }
        self.irregular_answers(&mut moves);
        (moves, at_client, queues)
    }

    /// Answers that come late or never. One that stalls is held at its owner until it sets out; one that is lost lies
    /// halfway.
    fn irregular_answers(&self, moves: &mut Vec<Move>) {
        let irregular = self.world.agenda.pending_irregular();
        let mut answers: Vec<(Nanoseconds, Arrival)> = irregular
            .filter(|(_, arrival)| matches!(arrival.of, What::Answer(_) | What::Timeout(_)))
            .collect();
        // They lie in no order of their own.
        answers.sort_by_key(|(at, arrival)| (*at, arrival.id));
        for (at, arrival) in answers {
            let request = &self.requests[arrival.id as usize];
            let (progress, kind) = if matches!(arrival.of, What::Timeout(_)) {
                (0.5, MoveKind::Lost)
            } else {
                let progress = self.progress(at, self.world.costs.hop);
                (progress.unwrap_or(0.0), MoveKind::Answer)
            };
            moves.push(Move {
                from: Some(request.owner),
                to: Some(request.acceptor),
                progress,
                kind,
            });
        }
    }

    /// How much of a way that ends at `at` lies behind; `None` when it has not begun.
    fn progress(&self, at: Nanoseconds, way: Nanoseconds) -> Option<f32> {
        let left = at.saturating_sub(self.now);
        (left <= way).then(|| {
            if way == 0 {
                1.0
            } else {
                1.0 - left as f32 / way as f32
            }
        })
    }

    fn message(&self, from: Option<u32>, progress: f32, arrival: Arrival) -> Move {
        let request = |id: RequestId| &self.requests[id as usize];
        let id = arrival.id;
        let (to, kind) = match arrival.of {
            What::Request => (Some(request(id).acceptor), MoveKind::Request),
            What::Question(operation) => (
                Some(request(id).owner),
                match operation {
                    Operation::Write => MoveKind::Write,
                    Operation::Trial => MoveKind::Trial,
                    Operation::ListKeys | Operation::Delete | Operation::CountUser => {
                        MoveKind::ListKeys
                    }
                },
            ),
            What::Answer(_) => (Some(request(id).acceptor), MoveKind::Answer),
            What::Reply | What::Line | What::Start | What::Run | What::Timeout(_) => {
                (None, MoveKind::Reply)
            }
        };
        Move {
            from,
            to,
            progress,
            kind,
        }
    }

    fn events(&self) -> Vec<(Nanoseconds, RunEvent)> {
        let end = match (self.is_cut_off(), self.is_finished()) {
            (true, _) => Some(self.now),
            (false, finished) => finished.then_some(self.world.results.last_reply),
        };
        let later_runs = self.world.results.runs[1..]
            .iter()
            .map(|run| (run.began, RunEvent::RunBegan));
        let mut events: Vec<_> = [
            (self.world.results.names_known_at, RunEvent::NamesKnown),
            (self.world.results.buffer_full_at, RunEvent::BufferFull),
            (
                end,
                if self.is_cut_off() {
                    RunEvent::CutOff
                } else {
                    RunEvent::Finished
                },
            ),
        ]
        .into_iter()
        .filter_map(|(at, event)| Some((at?, event)))
        .chain(later_runs)
        .collect();
        events.sort_by_key(|(at, _)| *at);
        events
    }
}
