//! What is still to happen, in order of time: the future of a run.
//!
//! Hops and half round trips are constant and servers are first-in first-out, so the arrivals of one kind from one
//! sender come out in the order in which they went in. Each such kind is a [`Lane`], a plain queue; the next arrival
//! is the smallest of the lanes' heads, kept by a small tournament. Delays that are not constant go to a heap.
//!
//! | operation | cost |
//! |---|---|
//! | [`Agenda::push`] onto a lane that is not empty | constant |
//! | [`Agenda::push`] onto an empty lane, [`Agenda::pop`] | logarithmic in the number of lanes |
//! | [`Agenda::push_irregular`] | logarithmic in the irregular arrivals and the lanes |
//!
//! Arrivals at the same instant come out in the order in which they were pushed, whatever their lanes.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, VecDeque};

/// Instant of simulated time, in nanoseconds from the start of the run.
pub type Nanoseconds = u64;

/// An arrival in a queue: when, in which order it was pushed, and what arrives.
#[derive(Clone, Copy, Debug)]
struct Pending<T> {
    at: Nanoseconds,
    order: u64,
    what: T,
}

impl<T> Pending<T> {
    fn key(&self) -> Key {
        (self.at, self.order)
    }
}

impl<T> PartialEq for Pending<T> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<T> Eq for Pending<T> {}

impl<T> PartialOrd for Pending<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Reversed, so that the standard max-heap yields the earliest.
impl<T> Ord for Pending<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key().cmp(&self.key())
    }
}

/// Time first, order of pushing second.
type Key = (Nanoseconds, u64);

/// Key of a lane with nothing in it.
const NEVER: Key = (Nanoseconds::MAX, u64::MAX);

/// Which lane an arrival goes to: see [`Agenda::push`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane(pub u32);

/// Pending arrivals of things of type `T`.
#[derive(Clone, Debug)]
pub struct Agenda<T> {
    lanes: Vec<VecDeque<Pending<T>>>,
    irregular: BinaryHeap<Pending<T>>,
    /// Key of each lane's head; the irregular heap has the last place. Padded to a power of two.
    heads: Vec<Key>,
    /// Tournament over `heads`: node `n` holds the winner among its two children `2n` and `2n + 1`.
    winners: Vec<u32>,
    pushed: u64,
}

impl<T: Copy> Agenda<T> {
    /// An empty agenda with that many lanes.
    #[must_use]
    pub fn new(lanes: usize) -> Self {
        let places = (lanes + 1).next_power_of_two().max(2);
        let mut agenda = Self {
            lanes: (0..lanes).map(|_| VecDeque::new()).collect(),
            irregular: BinaryHeap::new(),
            heads: vec![NEVER; places],
            winners: vec![0; places],
            pushed: 0,
        };
        for node in (1..places).rev() {
            agenda.winners[node] = agenda.winner_below(node);
        }
        agenda
    }

    /// Adds an arrival to a lane. Within a lane, times must not fall: that is what makes it a lane.
    #[inline]
    pub fn push(&mut self, lane: Lane, at: Nanoseconds, what: T) {
        let place = lane.0 as usize;
        let pending = Pending {
            at,
            order: self.next_order(),
            what,
        };
        let queue = &mut self.lanes[place];
        debug_assert!(
            queue.back().is_none_or(|last| last.at <= at),
            "times fall on lane {place}"
        );
        let was_empty = queue.is_empty();
        queue.push_back(pending);
        if was_empty {
            self.set_head(place, pending.key());
        }
    }

    /// Adds an arrival whose delay is not that of a lane.
    pub fn push_irregular(&mut self, at: Nanoseconds, what: T) {
        let pending = Pending {
            at,
            order: self.next_order(),
            what,
        };
        self.irregular.push(pending);
        self.refresh_irregular_head();
    }

    /// When the next arrival is due.
    #[inline]
    #[must_use]
    pub fn next_time(&self) -> Option<Nanoseconds> {
        let head = self.heads[self.winners[1] as usize];
        (head != NEVER).then_some(head.0)
    }

    /// Takes the next arrival out.
    #[inline]
    pub fn pop(&mut self) -> Option<(Nanoseconds, T)> {
        let place = self.winners[1] as usize;
        if self.heads[place] == NEVER {
            return None;
        }
        if place >= self.lanes.len() {
            let pending = self.irregular.pop()?;
            self.refresh_irregular_head();
            return Some((pending.at, pending.what));
        }
        let queue = &mut self.lanes[place];
        let pending = queue.pop_front()?;
        let head = queue.front().map_or(NEVER, Pending::key);
        self.set_head(place, head);
        Some((pending.at, pending.what))
    }

    /// What is pending on a lane, earliest first.
    pub fn pending(&self, lane: Lane) -> impl Iterator<Item = (Nanoseconds, T)> + '_ {
        self.lanes[lane.0 as usize]
            .iter()
            .map(|pending| (pending.at, pending.what))
    }

    /// What is pending beside the lanes, in no order.
    pub fn pending_irregular(&self) -> impl Iterator<Item = (Nanoseconds, T)> + '_ {
        self.irregular
            .iter()
            .map(|pending| (pending.at, pending.what))
    }

    fn next_order(&mut self) -> u64 {
        self.pushed += 1;
        self.pushed
    }

    fn refresh_irregular_head(&mut self) {
        let head = self.irregular.peek().map_or(NEVER, Pending::key);
        self.set_head(self.lanes.len(), head);
    }

    /// Replays the matches of one place, from the leaf to the root.
    #[inline]
    fn set_head(&mut self, place: usize, head: Key) {
        self.heads[place] = head;
        let mut node = (place + self.heads.len()) / 2;
        while node >= 1 {
            self.winners[node] = self.winner_below(node);
            node /= 2;
        }
    }

    #[inline]
    fn winner_below(&self, node: usize) -> u32 {
        let places = self.heads.len();
        let contender = |child: usize| {
            if child >= places {
                u32::try_from(child - places).unwrap_or(u32::MAX)
            } else {
                self.winners[child]
            }
        };
        let (left, right) = (contender(2 * node), contender(2 * node + 1));
        if self.heads[right as usize] < self.heads[left as usize] {
            right
        } else {
            left
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_out_by_time_and_then_by_order_of_pushing() {
        let mut agenda = Agenda::new(3);
        agenda.push(Lane(2), 5, "third lane, first pushed");
        agenda.push(Lane(0), 5, "first lane, second pushed");
        agenda.push_irregular(5, "irregular, third pushed");
        agenda.push(Lane(1), 3, "earliest");
        let out: Vec<_> = std::iter::from_fn(|| agenda.pop()).collect();
        assert_eq!(
            out,
            [
                (3, "earliest"),
                (5, "third lane, first pushed"),
                (5, "first lane, second pushed"),
                (5, "irregular, third pushed"),
            ]
        );
        assert_eq!(agenda.next_time(), None);
    }

    #[test]
    fn agrees_with_a_sorted_list() {
        // A small generator of its own: the order must hold for any pattern of lanes and times.
        let mut state = 1_u64;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for lanes in [1_usize, 2, 3, 7, 8, 65] {
            let mut agenda = Agenda::new(lanes);
            let mut latest = vec![0; lanes];
            let mut expected = Vec::new();
            let mut got = Vec::new();
            let mut now = 0;
            for push in 0..2000_u64 {
                let lane = usize::try_from(next(lanes as u64 + 1)).unwrap_or(0);
                if lane == lanes {
                    let at = now + next(50);
                    agenda.push_irregular(at, push);
                    expected.push((at, push));
                } else {
                    latest[lane] = now.max(latest[lane]) + next(4);
                    agenda.push(Lane(u32::try_from(lane).unwrap_or(0)), latest[lane], push);
                    expected.push((latest[lane], push));
                }
                if next(3) == 0 {
                    let (at, what) = agenda.pop().unwrap_or_default();
                    now = at;
                    got.push((at, what));
                }
            }
            got.extend(std::iter::from_fn(|| agenda.pop()));
            expected.sort_unstable();
            assert_eq!(got, expected, "{lanes} lanes");
        }
    }
}
