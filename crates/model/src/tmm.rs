//! A TMM: a single-threaded loop with a first-in first-out queue.
//!
//! Work that reaches a TMM runs to completion or until it parks. Since the queue is first-in first-out, when a piece
//! of work will start and end is known as soon as it arrives (Lindley's recursion): it starts when the TMM is free of
//! everything that arrived before. A [`Visit`] is one such piece of work, with a clock that advances as it runs; it
//! sees the TMM's own state as the work before it will have left it.

use crate::agenda::Nanoseconds;
use crate::client::Stretch;
use crate::log::Sampler;
use crate::naming::Name;
use crate::results::TmmResults;
use crate::sampling::{Concern, Stream};

/// One TMM.
#[derive(Clone, Debug)]
pub struct Tmm {
    /// Which one it is.
    pub number: u32,
    /// When everything that has arrived so far will be done.
    free_at: Nanoseconds,
    /// Time spent working, up to `free_at`.
    busy: Nanoseconds,
    /// The name of its subtable, as far as it knows.
    pub name: Name,
    /// Writes of the requests that it accepted.
    pub writes: u64,
    /// Writes before the script was last loaded: its counter began again at 0 then.
    pub writes_before_reload: u64,
    /// When the script will be loaded again.
    pub reload_at: Nanoseconds,
    /// Which of them are logged.
    pub sampler: Sampler,
    /// Costs of its own writes.
    pub luck: Stream,
    /// How long it works on each request.
    pub work_luck: Stream,
    /// The names that it tries.
    pub name_luck: Stream,
    /// What is kept of the requests that it accepted.
    pub results: TmmResults,
}

impl Tmm {
    /// An idle TMM: it logs one write in `log_every`, and loads its script anew after each `reload_every`.
    #[must_use]
    pub fn new(number: u32, seed: u64, log_every: u64, reload_every: Option<Nanoseconds>) -> Self {
        Self {
            number,
            free_at: 0,
            busy: 0,
            name: Name::Unknown,
            writes: 0,
            writes_before_reload: 0,
            reload_at: reload_every.unwrap_or(Nanoseconds::MAX),
            sampler: Sampler::new(log_every),
            luck: Stream::new(seed, Concern::Cost, u64::from(number)),
            work_luck: Stream::new(seed, Concern::Work, u64::from(number)),
            name_luck: Stream::new(seed, Concern::Name, u64::from(number)),
            results: TmmResults::default(),
        }
    }

    /// Work arrives at `now`: its visit starts when all earlier work is done.
    #[inline]
    #[must_use]
    pub fn begin(&self, now: Nanoseconds, stretch: Stretch) -> Visit {
        let start = now.max(self.free_at);
        Visit {
            start,
            clock: start,
            stretch,
        }
    }

    /// The visit is over: the TMM is free from here on.
    #[inline]
    pub fn end(&mut self, visit: &Visit) {
        self.busy += visit.clock - visit.start;
        self.free_at = visit.clock;
    }

    /// Time spent working until `now`. Work that has arrived but lies after `now` does not count.
    #[must_use]
    pub fn busy_until(&self, now: Nanoseconds) -> Nanoseconds {
        // What lies after `now` is one unbroken stretch of work: nobody waits in front of an idle TMM.
        self.busy.saturating_sub(self.free_at.saturating_sub(now))
    }
}

/// One piece of work on a TMM, from taking it up to completion or parking.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// When the TMM took it up.
    pub start: Nanoseconds,
    /// How far it has come.
    pub clock: Nanoseconds,
    stretch: Stretch,
}

impl Visit {
    /// Works for `work` nanoseconds; longer when the host is shared at this moment. Returns the time that passed.
    #[inline]
    pub fn work(&mut self, work: Nanoseconds) -> Nanoseconds {
        let passed = self.stretch.apply(work);
        self.clock += passed;
        passed
    }
}

/// Clock clicks between two instants, as a script sees them: it reads a clock of whole microseconds before and after.
#[inline]
#[must_use]
pub fn clicks(from: Nanoseconds, to: Nanoseconds) -> u32 {
    const CLICK: Nanoseconds = 1000;
    u32::try_from(to / CLICK - from / CLICK).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_waits_for_the_work_before_it() {
        let mut tmm = Tmm::new(0, 1, 0, None);
        let mut first = tmm.begin(1000, Stretch::NONE);
        first.work(500);
        tmm.end(&first);
        let second = tmm.begin(1200, Stretch::NONE);
        assert_eq!((first.start, second.start), (1000, 1500));
        assert_eq!(tmm.begin(9000, Stretch::NONE).start, 9000);
        assert_eq!((tmm.busy_until(1100), tmm.busy_until(9000)), (100, 500));
    }

    #[test]
    fn clicks_are_whole_microseconds_between_two_readings() {
        assert_eq!(clicks(0, 999), 0);
        assert_eq!(clicks(999, 1000), 1);
        assert_eq!(clicks(1500, 6400), 5);
    }
}
