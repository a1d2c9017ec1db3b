//! Going back in a run: copies of it that are kept on the way, and how a place between two of them is reached.
//!
//! A run goes forwards only. To go back, the last copy before the wanted place takes its place and goes on from there,
//! which gives the same states again. Copies are kept at equal distances of computing, not of simulated time: no place
//! takes longer to reach than that.

use subtable_model::{Budget, Simulation};

/// Copies at most. When there are more, every other one is let go, and the distance doubles.
const MOST: usize = 64;
/// The first distance between two copies, in milliseconds of computing.
const DISTANCE_MS: f64 = 8.0;
/// A distance is at least this many times what making a copy takes: copies are a small part of the work.
const TIMES_A_COPY: f64 = 20.0;
/// Memory that copies may take, in bytes.
const MOST_BYTES: usize = 64 << 20;

/// What this machine says of the work.
pub trait Gauge {
    /// The time, in milliseconds.
    fn clock(&self) -> f64;
    /// The memory that is taken, in bytes, by copies and everything else. What is let go need not be given back.
    fn memory(&self) -> usize;
}

/// The copies of a run, in order.
pub struct Checkpoints {
    kept: Vec<Simulation>,
    most: usize,
    distance: f64,
    /// Work since the last copy, in milliseconds.
    work: f64,
    /// Memory beyond which there are too many.
    memory: usize,
}

/// A place to go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// This instant, in nanoseconds.
    Instant(u64),
    /// Just after so many replies, from 1.
    Replies(u64),
}

impl Goal {
    /// Whether a run at this place has still to go on to the goal, or is there.
    fn is_ahead_of(self, simulation: &Simulation) -> bool {
        match self {
            Self::Instant(instant) => simulation.now() <= instant,
            Self::Replies(replies) => simulation.replies() < replies,
        }
    }
}

impl Checkpoints {
    /// No copies.
    pub fn new(gauge: &impl Gauge) -> Self {
        Self {
            kept: Vec::new(),
            most: MOST,
            distance: DISTANCE_MS,
            work: 0.0,
            memory: gauge.memory().saturating_add(MOST_BYTES),
        }
    }

    /// Notes that a run has gone on for so many milliseconds of work, and keeps a copy of it when one is due.
    pub fn note(&mut self, simulation: &Simulation, work: f64, gauge: &impl Gauge) {
        let last = self.kept.last();
        if last.is_some_and(|last| simulation.now() <= last.now()) {
            return;
        }
        self.work += work;
        if self.work < self.distance {
            return;
        }
        self.work = 0.0;
        let began = gauge.clock();
        self.kept.push(simulation.clone());
        self.distance = self.distance.max(TIMES_A_COPY * (gauge.clock() - began));
        if gauge.memory() > self.memory {
            // What is let go now makes room for later copies: only more than this is too much from now on.
            self.memory = gauge.memory();
            self.most = self.kept.len() / 2;
        }
        if self.kept.len() > self.most {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 0
            });
            self.distance *= 2.0;
        }
    }

    /// Puts a run where it has only to go on to the goal: at the last copy before it, at the start, or where it is.
    pub fn put_before(&self, simulation: &mut Simulation, goal: Goal) {
        let before = self.kept.partition_point(|kept| goal.is_ahead_of(kept));
        let kept = before.checked_sub(1).and_then(|last| self.kept.get(last));
        let stays = goal.is_ahead_of(simulation);
        match kept {
            Some(kept) if !stays || kept.now() > simulation.now() => {
                simulation.clone_from(kept);
            }
            None if !stays => {
                *simulation = Simulation::new(simulation.scenario(), simulation.seed());
            }
            _ => {}
        }
    }
}

/// Lets a run go on to a goal ahead of it, as long as there is time. Returns whether it is there.
pub fn go_on_to(
    simulation: &mut Simulation,
    goal: Goal,
    mut time_left: impl FnMut() -> bool,
) -> bool {
    // In steps, between which the clock is looked at.
    const STEPS: u64 = 40;
    match goal {
        Goal::Instant(instant) => {
            let mut at = simulation.now();
            let step = (instant.saturating_sub(at) / STEPS).max(1);
            loop {
                at = at.saturating_add(step).min(instant);
                simulation.advance(Budget::Until(at));
                if at == instant {
                    return true;
                }
                if !time_left() {
                    return false;
                }
            }
        }
        Goal::Replies(replies) => {
            let step = (replies.saturating_sub(simulation.replies()) / STEPS).max(1);
            loop {
                let left = replies.saturating_sub(simulation.replies());
                let more = simulation.advance(Budget::Replies(left.min(step)));
                if !more || simulation.replies() >= replies {
                    return true;
                }
                if !time_left() {
                    return false;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use subtable_model::Scenario;

    use super::*;

    /// A machine on which copies take no time, and every look finds so much more memory taken.
    struct Growing {
        memory: Cell<usize>,
        step: usize,
    }

    impl Growing {
        const fn by(step: usize) -> Self {
            Self {
                memory: Cell::new(0),
                step,
            }
        }
    }

    impl Gauge for Growing {
        fn clock(&self) -> f64 {
            0.0
        }

        fn memory(&self) -> usize {
            self.memory.set(self.memory.get() + self.step);
            self.memory.get()
        }
    }

    /// A run with an answer now and then that comes late, and lines under way.
    fn run() -> Simulation {
        let mut scenario = Scenario::default();
        for (id, value) in [
            ("records", "3000"),
            ("naming", "deterministic"),
            ("stall", "500"),
            ("log-every", "7"),
        ] {
            scenario.set(id, value).unwrap();
        }
        Simulation::new(&scenario, 5)
    }

    /// Plays a run to its end, a copy due at every step; what it was at each.
    fn played(gauge: &impl Gauge) -> (Checkpoints, Simulation, Vec<(u64, u64, String)>) {
        let mut simulation = run();
        let mut checkpoints = Checkpoints::new(gauge);
        let mut states = Vec::new();
        while simulation.advance(Budget::Replies(10)) {
            checkpoints.note(&simulation, DISTANCE_MS, gauge);
            states.push((
                simulation.now(),
                simulation.replies(),
                simulation.snapshot().hash_text(),
            ));
        }
        (checkpoints, simulation, states)
    }

    #[test]
    fn copies_are_few_and_evenly_spread() {
        let (checkpoints, simulation, states) = played(&Growing::by(0));
        assert!(states.len() > 4 * MOST, "{} steps", states.len());
        let count = checkpoints.kept.len();
        assert!((MOST / 2..=MOST).contains(&count), "{count} copies");
        let replies: Vec<u64> = checkpoints.kept.iter().map(Simulation::replies).collect();
        let gaps = replies.windows(2).map(|pair| pair[1] - pair[0]);
        let widest = gaps.max().unwrap();
        assert!(
            widest <= 2 * simulation.replies() / count as u64,
            "{widest} replies between two of {count} copies"
        );
    }

    #[test]
    fn too_much_memory_halves_their_number() {
        let (checkpoints, ..) = played(&Growing::by(MOST_BYTES / 20));
        let count = checkpoints.kept.len();
        assert!((1..=10).contains(&count), "{count} copies");
    }

    #[test]
    fn every_place_is_found_again_in_any_order() {
        let gauge = Growing::by(0);
        let (checkpoints, mut simulation, states) = played(&gauge);
        let end = simulation.snapshot().hash_text();
        // Far apart, there and back.
        for number in (0..states.len())
            .step_by(7)
            .chain([1, 0, states.len() - 1, 3])
        {
            for place in [number, states.len() - 1 - number] {
                let (_, replies, hash) = &states[place];
                let goal = Goal::Replies(*replies);
                checkpoints.put_before(&mut simulation, goal);
                while !go_on_to(&mut simulation, goal, || false) {}
                assert_eq!(&simulation.snapshot().hash_text(), hash, "{goal:?}");
            }
        }
        simulation.advance(Budget::Unlimited);
        assert_eq!(simulation.snapshot().hash_text(), end);
    }

    #[test]
    fn an_instant_is_the_same_from_before_and_from_behind() {
        let gauge = Growing::by(0);
        let (checkpoints, mut simulation, _) = played(&gauge);
        let last = simulation.now();
        let end = simulation.snapshot().hash_text();
        for share in [0, 1, 17, 400, 999] {
            let instant = last / 1000 * share;
            let mut fresh = run();
            fresh.advance(Budget::Until(instant));
            let goal = Goal::Instant(instant);
            checkpoints.put_before(&mut simulation, goal);
            while !go_on_to(&mut simulation, goal, || false) {}
            assert_eq!(simulation.snapshot(), fresh.snapshot(), "at {instant}");
        }
        // The end is a place like any other.
        let goal = Goal::Instant(last);
        checkpoints.put_before(&mut simulation, goal);
        assert!(go_on_to(&mut simulation, goal, || true));
        assert!(simulation.is_finished());
        assert_eq!(simulation.snapshot().hash_text(), end);
    }

    #[test]
    fn without_copies_a_run_begins_anew() {
        let mut simulation = run();
        simulation.advance(Budget::Replies(100));
        let hash = simulation.snapshot().hash_text();
        simulation.advance(Budget::Unlimited);
        let checkpoints = Checkpoints::new(&Growing::by(0));
        let goal = Goal::Replies(100);
        checkpoints.put_before(&mut simulation, goal);
        assert!(go_on_to(&mut simulation, goal, || true));
        assert_eq!(simulation.snapshot().hash_text(), hash);
    }
}
