//! A turn: a TMM's attention to one request, from taking it up to answering or parking it.

use super::world::{Operation, Request, RequestId, What, World, to_client, to_daemon, to_peers};
use crate::agenda::Nanoseconds;
use crate::log::Line;
use crate::results::{Part, Parts};
use crate::tmm::{Tmm, Visit};

/// A TMM at work for a request. What the request does in it is told in [`script`](super::script).
pub(super) struct Turn<'a> {
    pub(super) id: RequestId,
    pub(super) request: &'a mut Request,
    /// How far the work has come.
    pub(super) visit: Visit,
    /// The TMM that works: the acceptor of the request, or the owner that it asks.
    pub(super) tmm: &'a mut Tmm,
    /// Where the request's time is booked: at its acceptor, whoever works.
    pub(super) parts: &'a mut Parts,
    pub(super) world: &'a mut World,
}

impl Turn<'_> {
    /// Works for a while; the time is booked as a part of the request's.
    #[inline(always)]
    pub(super) fn work(&mut self, work: Nanoseconds, part: Part) {
        let passed = self.visit.work(work);
        self.parts.spend(part, passed);
    }

    /// The TMM is free for what comes next.
    #[inline(always)]
    pub(super) fn end(self) {
        self.tmm.end(&self.visit);
    }

    /// The request parks: its question goes to the owner, and the TMM turns to other work.
    #[inline(never)]
    pub(super) fn park(&mut self, operation: Operation) {
        self.request.asked_at = self.visit.clock;
        self.send_to_peer(What::Question(operation));
    }

    /// A message leaves this TMM for another.
    pub(super) fn send_to_peer(&mut self, message: What) {
        let hop = self.world.costs.hop;
        self.parts.spend(Part::Hop, hop);
        self.world.agenda.push(
            to_peers(self.tmm.number),
            self.visit.clock + hop,
            message.of(self.id),
        );
    }

    /// The script is done: the reply leaves for the client.
    #[inline(always)]
    pub(super) fn respond(&mut self) {
        let network = self.world.costs.half_round_trip;
        self.parts.spend(Part::Network, network);
        let arrives = self.visit.clock + network;
        if let Some(replies) = &mut self.world.replies_ahead {
            return replies.insert(arrives, self.id);
        }
        let reply = What::Reply.of(self.id);
        let lane = to_client(self.tmm.number);
        self.world.agenda.push(lane, arrives, reply);
    }

    /// Hands a line to the log daemon.
    #[inline(never)]
    pub(super) fn log(&mut self, line: Line) {
        self.work(self.world.costs.log, Part::Log);
        let tmm = self.tmm.number;
        self.world.lines_under_way[tmm as usize].push_back(line);
        self.world.lines_pending += 1;
        self.world
            .agenda
            .push(to_daemon(tmm), self.visit.clock, What::Line.of(tmm));
    }
}
