//! A run: the path of each request through client, DAG, TMM, subtable and log, event by event.
//!
//! Every event is an arrival somewhere: of a request at its acceptor, of a question at an owner, of an answer back at
//! the acceptor, of a reply at the client, of a line at the log daemon. What an arrival sets in motion is decided in
//! [`Simulation::happen`]; what a request does when a TMM turns to it is told in [`script`].

mod answers;
mod limit;
mod memory;
mod post;
mod quiet;
mod script;
mod search;
mod sending;
mod snapshots;
mod turn;
mod world;

use crate::agenda::Nanoseconds;
use crate::client::{Client, Stretch};
use crate::dag::Dag;
use crate::results::{Part, Parts};
use crate::scenario::{Arrivals, Scenario};
use crate::tmm::Tmm;
use quiet::Quiet;
use turn::Turn;
use world::{Arrival, Request, RequestId, What, World};

/// How far [`Simulation::advance`] goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// To the end.
    Unlimited,
    /// About this many events: bounds the time that a call takes. Less than a thousand are exactly as many; of more,
    /// there may be a few further ones, since requests may have been served ahead of their arrival.
    Events(u64),
    /// Until this instant of simulated time, in nanoseconds.
    Until(Nanoseconds),
    /// Until this many more requests have their replies.
    Replies(u64),
}

/// A run of a scenario under a seed. The same scenario and seed give the same results on every machine.
#[derive(Clone, Debug)]
pub struct Simulation {
    scenario: Scenario,
    seed: u64,
    client: Client,
    /// Runs of the same records that are still to begin after the present one.
    runs_left: u64,
    /// Requests that will have their replies when the present run is over.
    run_over_at: u64,
    /// Whether requests start at a rate of their own.
    open_loop: bool,
    dag: Dag,
    tmms: Vec<Tmm>,
    /// Time of the requests that each TMM accepted.
    parts: Vec<Parts>,
    /// Requests in flight, by worker.
    requests: Vec<Request>,
    world: World,
    now: Nanoseconds,
    /// When the run is cut off: see [`TIME_OF_ALL_WORKERS`].
    horizon: Nanoseconds,
    keys: u64,
    quiet: Quiet,
}

/// A run is cut off when the simulated time of all its workers together reaches this: 292 years, in nanoseconds. Only
/// settings far from any real system come near; the bound keeps every sum of times inside 64 bits.
const TIME_OF_ALL_WORKERS: Nanoseconds = 1 << 63;

impl Simulation {
    /// A run that has not begun: every worker is about to send.
    #[must_use]
    pub fn new(scenario: &Scenario, seed: u64) -> Self {
        let tmms = scenario.tmms() as u32;
        let mut simulation = Self {
            scenario: scenario.clone(),
            seed,
            client: Client::new(scenario, seed),
            runs_left: scenario.runs() - 1,
            run_over_at: 0,
            open_loop: scenario.arrivals() != Arrivals::Closed,
            dag: Dag::new(scenario, seed),
            tmms: (0..tmms)
                .map(|number| {
                    Tmm::new(
                        number,
                        seed,
                        scenario.log_every(),
                        world::reload_every(scenario),
                    )
                })
                .collect(),
            parts: vec![Parts::default(); tmms as usize],
            requests: vec![Request::default(); scenario.workers() as usize],
            world: World::new(scenario, seed),
            now: 0,
            horizon: TIME_OF_ALL_WORKERS / scenario.workers(),
            keys: 0,
            quiet: Quiet::new(scenario),
        };
        simulation.begin_run();
        simulation
    }

    /// The same run, event by event and write by write: the same results, more slowly. It is what the shortcuts are held to.
    #[must_use]
    pub fn without_shortcuts(mut self) -> Self {
        self.quiet = Quiet::NEVER;
        self.world.writes_alike = false;
        self
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
        self.world.agenda.next_time().is_none() || self.is_cut_off()
    }

    /// Whether the run was cut off because its simulated time was up.
    #[must_use]
    pub const fn is_cut_off(&self) -> bool {
        self.now >= self.horizon
    }

    /// Has probes time another name than the published one; to be said before the run begins.
    pub fn probe(&mut self, name: &str) {
        name.clone_into(&mut self.world.probed);
    }

    /// How many log lines are kept for [`snapshot`](Self::snapshot); the last 200 by default.
    pub const fn keep_lines(&mut self, most: usize) {
        self.world.results.lines_kept = most;
    }

    /// Lets things happen, as far as the budget goes. Returns whether anything is left to happen.
    pub fn advance(&mut self, budget: Budget) -> bool {
        let (mut events, mut until, mut replies) = (u64::MAX, Nanoseconds::MAX, u64::MAX);
        match budget {
            Budget::Unlimited => {}
            Budget::Events(most) => events = most,
            Budget::Until(instant) => until = instant,
            Budget::Replies(more) => replies = self.world.results.replies.saturating_add(more),
        }
        let latest = until.min(self.horizon - 1);
        let shortcuts = replies == u64::MAX && events >= quiet::FEWEST_EVENTS;
        // One loop for all budgets: everything that can happen is compiled into it. What was served ahead arrives before
        // anybody looks.
        while (events > 0 && self.world.results.replies < replies)
            || self.now < self.quiet.served_until
        {
            if shortcuts && events > 0 && self.is_quiet() {
                events = events.saturating_sub(self.pass_quiet_time(latest, events));
                if events == 0 {
                    continue;
                }
            }
            let Some((at, arrival)) = self.world.agenda.pop_until(latest) else {
                break;
            };
            debug_assert!(
                at >= self.now,
                "time runs backwards: {at} after {}",
                self.now
            );
            self.now = at;
            self.happen(arrival);
            events = events.saturating_sub(1);
        }
        match self.world.agenda.next_time() {
            Some(next) if next >= self.horizon => self.now = self.now.max(until.min(self.horizon)),
            Some(_) if until < Nanoseconds::MAX => self.now = self.now.max(until),
            // The clock does not run on when nothing is left to happen.
            _ => {}
        }
        !self.is_finished()
    }

    #[inline(always)]
    fn happen(&mut self, Arrival { id, of }: Arrival) {
        match of {
            What::Request => {
                let mut turn = self.turn_of_acceptor(id);
                turn.accept();
                turn.end();
            }
            What::Question(operation) => {
                let mut turn = self.turn_of_owner(id);
                turn.serve(operation);
                turn.end();
            }
            What::Answer(operation) => {
                let mut turn = self.turn_of_acceptor(id);
                turn.resume(operation);
                turn.end();
            }
            What::Timeout(operation) => {
                let mut turn = self.turn_of_acceptor(id);
                turn.give_up(operation);
                turn.end();
            }
            What::Reply => self.receive_reply(id),
            What::Start => self.send(id),
            What::Run => self.begin_next_run(),
            What::Line => self.receive_line(id),
        }
        if !self.world.woken.is_empty() {
            self.wake();
        }
    }

    /// A TMM has its name: the requests that waited for it go on, one after the other, before it turns to others.
    #[cold]
    fn wake(&mut self) {
        for (request, since) in std::mem::take(&mut self.world.woken) {
            let mut turn = self.turn(request, self.now, |it| it.acceptor);
            turn.parts.spend(Part::Discovery, turn.visit.start - since);
            turn.find_name();
            turn.end();
        }
    }

    /// A request, or an answer to it, is at its acceptor; its time in the queue is booked.
    #[inline(always)]
    fn turn_of_acceptor(&mut self, request: RequestId) -> Turn<'_> {
        let now = self.now;
        let turn = self.turn(request, now, |it| it.acceptor);
        turn.parts
            .spend(Part::AcceptorQueue, turn.visit.start - now);
        turn
    }

    /// A question of a request is at the owner; its time in the queue is booked.
    #[inline(always)]
    fn turn_of_owner(&mut self, request: RequestId) -> Turn<'_> {
        let now = self.now;
        let turn = self.turn(request, now, |it| it.owner);
        turn.parts.spend(Part::OwnerQueue, turn.visit.start - now);
        turn
    }

    /// A TMM turns to a request that arrives at an instant, when all that came before it is done.
    #[inline(always)]
    fn turn(
        &mut self,
        id: RequestId,
        arrives: Nanoseconds,
        place: impl Fn(&Request) -> u32,
    ) -> Turn<'_> {
        let stretch = self.stretch(arrives);
        let request = &mut self.requests[id as usize];
        let tmm = &mut self.tmms[place(request) as usize];
        Turn {
            id,
            visit: tmm.begin(arrives, stretch),
            tmm,
            parts: &mut self.parts[request.acceptor as usize],
            request,
            world: &mut self.world,
        }
    }

    /// A line reaches the log daemon.
    #[inline(never)]
    fn receive_line(&mut self, tmm: u32) {
        let World {
            lines_under_way,
            lines_pending,
            daemon,
            results,
            ..
        } = &mut self.world;
        let Some(line) = lines_under_way[tmm as usize].pop_front() else {
            return;
        };
        *lines_pending -= 1;
        let bin = results.series.at(self.now);
        if daemon.receive(self.now) {
            bin.lines += 1;
            results.keep_line(self.now, line);
        } else {
            bin.dropped += 1;
            results.buffer_full_at.get_or_insert(self.now);
        }
    }

    /// How work on the host is slowed at an instant, as far as the lines received so far tell.
    #[inline(always)]
    fn stretch(&self, instant: Nanoseconds) -> Stretch {
        self.world.daemon.stretch(instant)
    }
}
