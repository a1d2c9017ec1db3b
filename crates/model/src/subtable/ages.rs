//! How long the entries of a subtable live.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::agenda::Nanoseconds;
use crate::scenario::{Reading, Scenario};

/// Seconds of simulated time: the resolution of entries' lives.
pub type Seconds = u64;

/// The second in which an instant lies.
#[must_use]
pub const fn second(instant: Nanoseconds) -> Seconds {
    instant / 1_000_000_000
}

/// How long entries live: the same for all entries of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lives {
    /// An entry that is not touched for so long goes.
    pub idle_timeout: Option<Seconds>,
    /// An entry goes when it is that old, touched or not.
    pub lifetime: Option<Seconds>,
    /// Whether listing the keys touches their entries.
    pub listing_touches: bool,
}

impl Lives {
    /// The lives that a scenario sets; 0 seconds stand for ever.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        let limit = |seconds: Seconds| (seconds > 0).then_some(seconds);
        Self {
            idle_timeout: limit(scenario.idle_timeout()),
            lifetime: limit(scenario.lifetime()),
            listing_touches: scenario.listing() == Reading::Touch,
        }
    }

    /// Whether entries go at all.
    #[must_use]
    pub const fn end(self) -> bool {
        self.idle_timeout.is_some() || self.lifetime.is_some()
    }

    /// When an entry goes that was created and last touched in these seconds.
    #[must_use]
    pub fn deadline(self, created: Seconds, touched: Seconds) -> Seconds {
        let idle = self
            .idle_timeout
            .map_or(Seconds::MAX, |timeout| touched.saturating_add(timeout));
        let old = self
            .lifetime
            .map_or(Seconds::MAX, |lifetime| created.saturating_add(lifetime));
        idle.min(old)
    }

    /// When an entry was created and last touched, from what is left of its lifetime and of its timeout at `now`: the box
    /// tells only what is left (`table lifetime -remaining`, `table timeout -remaining`).
    #[must_use]
    pub fn age(self, now: Nanoseconds, left: Left) -> Age {
        let since = |whole: Option<Seconds>, left: Option<Seconds>| {
            Some(second(now).saturating_sub(whole?.saturating_sub(left?)))
        };
        Age {
            created: since(self.lifetime, left.lifetime),
            touched: since(self.idle_timeout, left.idle_timeout),
            lifetime_left: left.lifetime,
            timeout_left: left.idle_timeout,
        }
    }
}

/// When an entry was created and last touched, and what is left of its life. Seconds of simulated time; `None` where its
/// life is indefinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Age {
    /// When it was created: lifetime less what is left of it.
    pub created: Option<Seconds>,
    /// When it was last touched: timeout less what is left of it.
    pub touched: Option<Seconds>,
    /// What is left of its lifetime.
    pub lifetime_left: Option<Seconds>,
    /// What is left of its idle timeout.
    pub timeout_left: Option<Seconds>,
}

/// What is left of an entry's life, in seconds; `None` where that is indefinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Of its lifetime.
    pub lifetime: Option<Seconds>,
    /// Of its idle timeout.
    pub idle_timeout: Option<Seconds>,
}

/// Entries created in one second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cohort {
    created: Seconds,
    entries: u64,
}

/// Cohorts that are told apart at most; beyond, each stands for twice as many seconds, and goes when its last second does.
/// An entry then lives too long by at most a thousandth of the time over which those alive were written.
const MOST_COHORTS: usize = 2048;

/// The entries of one subtable by age. Memory is bounded, whatever is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ages {
    cohorts: VecDeque<Cohort>,
    /// Seconds of one cohort: a power of two.
    width: Seconds,
    /// When all entries were last touched.
    touched: Seconds,
}

impl Default for Ages {
    fn default() -> Self {
        Self {
            cohorts: VecDeque::new(),
            width: 1,
            touched: 0,
        }
    }
}

impl Ages {
    /// Entries are written. Instants must not fall from call to call.
    pub fn write(&mut self, at: Nanoseconds, entries: u64) {
        self.add(Cohort {
            created: second(at),
            entries,
        });
        if self.cohorts.len() > MOST_COHORTS {
            self.width *= 2;
            for cohort in std::mem::take(&mut self.cohorts) {
                self.add(cohort);
            }
        }
    }

    fn add(&mut self, cohort: Cohort) {
        let last_second = cohort.created | (self.width - 1);
        match self.cohorts.back_mut() {
            Some(last) if last.created >= last_second => last.entries += cohort.entries,
            _ => self.cohorts.push_back(Cohort {
                created: last_second,
                ..cohort
            }),
        }
    }

    /// All entries are touched.
    pub fn touch(&mut self, at: Nanoseconds) {
        self.touched = second(at);
    }

    /// Takes out the entries whose time has come by `at`; how many they were.
    pub fn expire(&mut self, at: Nanoseconds, lives: Lives) -> u64 {
        let mut gone = 0;
        while let Some(first) = self.cohorts.front()
            && self.is_over(*first, at, lives)
        {
            gone += first.entries;
            self.cohorts.pop_front();
        }
        gone
    }

    /// How many entries' time has come by `at`.
    #[must_use]
    pub fn over(&self, at: Nanoseconds, lives: Lives) -> u64 {
        self.cohorts
            .iter()
            .take_while(|cohort| self.is_over(**cohort, at, lives))
            .map(|cohort| cohort.entries)
            .sum()
    }

    fn is_over(&self, cohort: Cohort, at: Nanoseconds, lives: Lives) -> bool {
        lives.deadline(cohort.created, cohort.created.max(self.touched)) <= second(at)
    }

    /// What is left of the life of the oldest entry at `at`.
    #[must_use]
    pub fn oldest(&self, at: Nanoseconds, lives: Lives) -> Option<Left> {
        let first = self
            .cohorts
            .iter()
            .find(|cohort| !self.is_over(**cohort, at, lives))?;
        let left = |limit: Option<Seconds>, since: Seconds| {
            limit.map(|limit| since.saturating_add(limit).saturating_sub(second(at)))
        };
        Some(Left {
            lifetime: left(lives.lifetime, first.created),
            idle_timeout: left(lives.idle_timeout, first.created.max(self.touched)),
        })
    }

    /// All entries are deleted.
    pub fn clear(&mut self) {
        self.cohorts.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Nanoseconds = 1_000_000_000;

    fn lives(idle_timeout: Option<Seconds>, lifetime: Option<Seconds>) -> Lives {
        Lives {
            idle_timeout,
            lifetime,
            listing_touches: true,
        }
    }

    #[test]
    fn a_touch_puts_off_the_timeout_and_not_the_lifetime() {
        let both = lives(Some(5), Some(20));
        let mut ages = Ages::default();
        ages.write(S, 3);
        ages.write(2 * S, 4);
        assert_eq!(ages.expire(5 * S + 999, both), 0);
        ages.touch(5 * S);
        assert_eq!((ages.over(9 * S, both), ages.over(10 * S, both)), (0, 7));
        for at in (9..=21).step_by(4) {
            ages.touch(at * S);
        }
        assert_eq!(ages.expire(20 * S, both), 0);
        assert_eq!(ages.expire(21 * S, both), 3, "created at 1 s, 20 s old");
        assert_eq!(ages.expire(22 * S, both), 4);
    }

    #[test]
    fn what_is_left_tells_when_an_entry_was_created_and_touched() {
        let both = lives(Some(60), Some(3600));
        let mut ages = Ages::default();
        ages.write(100 * S, 1);
        ages.touch(130 * S);
        let left = ages.oldest(150 * S, both).expect("an entry");
        assert_eq!(
            left,
            Left {
                lifetime: Some(3550),
                idle_timeout: Some(40)
            }
        );
        let age = both.age(150 * S, left);
        assert_eq!((age.created, age.touched), (Some(100), Some(130)));
        let indefinite = lives(None, None);
        let left = ages.oldest(150 * S, indefinite).expect("an entry");
        let age = indefinite.age(150 * S, left);
        assert_eq!((age.created, age.touched), (None, None));
    }

    #[test]
    fn memory_is_bounded_and_entries_go_late_by_a_thousandth_at_most() {
        let alive = lives(None, Some(10_000));
        let mut ages = Ages::default();
        let (mut written, mut gone) = (0, 0);
        for at in 0..100_000 {
            ages.write(at * S, 1);
            written += 1;
            gone += ages.expire(at * S, alive);
            let exact = (at + 1_u64).saturating_sub(10_000);
            assert!(
                gone <= exact && exact - gone <= 16,
                "{gone}, exactly {exact}"
            );
        }
        assert!(ages.cohorts.len() <= MOST_COHORTS);
        gone += ages.expire(200_000 * S, alive);
        assert_eq!(gone, written);
    }
}
