//! What is still to happen, in order of time: the future of a run.
//!
//! Hops and half round trips are constant and servers are first-in first-out, so the arrivals of one kind from one
//! sender come out in the order in which they went in. Each such kind is a [`Lane`], a plain queue; only the heads of
//! the lanes that are not empty, which are few, are kept in a heap. Delays that are not constant have a heap of their
//! own.
//!
//! | operation | cost |
//! |---|---|
//! | [`Agenda::push`] onto a lane that is not empty | constant |
//! | [`Agenda::push`] onto an empty lane, [`Agenda::pop`] | logarithmic in the number of lanes that are not empty |
//! | [`Agenda::push_irregular`] and its [`Agenda::pop`] | logarithmic in the number of irregular arrivals |
//!
//! Arrivals at the same instant come out in the order in which they were pushed, whatever their lanes.

use std::cmp::{Ordering, Reverse};
use std::collections::binary_heap::PeekMut;
use std::collections::{BinaryHeap, VecDeque};

/// Instant of simulated time, in nanoseconds from the start of the run.
pub type Nanoseconds = u64;

/// Where an arrival stands in the order of things: its instant in the upper half; in the lower half the order of
/// pushing and, in the last [`LANE_BITS`], its lane. One comparison of whole numbers decides.
type Key = u128;

/// Bits of a key that hold the lane.
const LANE_BITS: u32 = 12;

#[inline(always)]
const fn instant(key: Key) -> Nanoseconds {
    (key >> 64) as Nanoseconds
}

#[inline(always)]
const fn lane(key: Key) -> usize {
    (key as usize) & ((1 << LANE_BITS) - 1)
}

/// An arrival in a queue: its place in the order, and what arrives.
#[derive(Clone, Copy, Debug)]
struct Pending<T> {
    key: Key,
    what: T,
}

impl<T> PartialEq for Pending<T> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
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
        other.key.cmp(&self.key)
    }
}

/// Which lane an arrival goes to: see [`Agenda::push`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane(pub u32);

/// Pending arrivals of things of type `T`.
#[derive(Clone, Debug)]
pub struct Agenda<T> {
    lanes: Vec<VecDeque<Pending<T>>>,
    /// The first key of every lane that is not empty.
    heads: BinaryHeap<Reverse<Key>>,
    irregular: BinaryHeap<Pending<T>>,
    pushed: u64,
}

impl<T: Copy> Agenda<T> {
    /// Lanes that an agenda can have.
    pub const MOST_LANES: usize = (1 << LANE_BITS) - 1;

    /// An empty agenda with that many lanes, at most [`Agenda::MOST_LANES`].
    ///
    /// # Panics
    /// When there are more.
    #[must_use]
    pub fn new(lanes: usize) -> Self {
        assert!(
            lanes <= Self::MOST_LANES,
            "{lanes} lanes, of {} at most",
            Self::MOST_LANES
        );
        Self {
            lanes: (0..lanes).map(|_| VecDeque::new()).collect(),
            heads: BinaryHeap::with_capacity(lanes),
            irregular: BinaryHeap::new(),
            pushed: 0,
        }
    }

    /// Adds an arrival to a lane. Within a lane, times must not fall: that is what makes it a lane.
    #[inline(always)]
    pub fn push(&mut self, lane: Lane, at: Nanoseconds, what: T) {
        let place = lane.0 as usize;
        let key = self.next_key(at, place);
        let queue = &mut self.lanes[place];
        debug_assert!(
            queue.back().is_none_or(|last| instant(last.key) <= at),
            "times fall on lane {place}"
        );
        if queue.is_empty() {
            self.heads.push(Reverse(key));
        }
        queue.push_back(Pending { key, what });
    }

    /// Adds an arrival whose delay is not that of a lane.
    pub fn push_irregular(&mut self, at: Nanoseconds, what: T) {
        let place = self.lanes.len();
        let key = self.next_key(at, place);
        self.irregular.push(Pending { key, what });
    }

    /// When the next arrival is due.
    #[inline]
    #[must_use]
    pub fn next_time(&self) -> Option<Nanoseconds> {
        let regular = self.heads.peek().map(|head| instant(head.0));
        let irregular = self.irregular.peek().map(|first| instant(first.key));
        match (regular, irregular) {
            (Some(regular), Some(irregular)) => Some(regular.min(irregular)),
            (first, None) | (None, first) => first,
        }
    }

    /// Takes the next arrival out.
    #[inline]
    pub fn pop(&mut self) -> Option<(Nanoseconds, T)> {
        self.pop_until(Nanoseconds::MAX)
    }

    /// Takes the next arrival out if it is due by `latest`.
    #[inline(always)]
    pub fn pop_until(&mut self, latest: Nanoseconds) -> Option<(Nanoseconds, T)> {
        if let Some(pending) = self.irregular.peek()
            && self.heads.peek().is_none_or(|head| pending.key < head.0)
        {
            return self.pop_irregular(latest);
        }
        let mut head = self.heads.peek_mut()?;
        let at = instant(head.0);
        if at > latest {
            return None;
        }
        let queue = &mut self.lanes[lane(head.0)];
        let pending = queue.pop_front()?;
        match queue.front() {
            Some(next) => head.0 = next.key,
            None => drop(PeekMut::pop(head)),
        }
        Some((at, pending.what))
    }

    #[cold]
    fn pop_irregular(&mut self, latest: Nanoseconds) -> Option<(Nanoseconds, T)> {
        let first = self.irregular.peek_mut()?;
        if instant(first.key) > latest {
            return None;
        }
        let pending = PeekMut::pop(first);
        Some((instant(pending.key), pending.what))
    }

    /// Whether nothing is pending beside the lanes.
    #[inline]
    #[must_use]
    pub fn is_regular(&self) -> bool {
        self.irregular.is_empty()
    }

    /// What is pending on a lane, earliest first.
    pub fn pending(&self, lane: Lane) -> impl Iterator<Item = (Nanoseconds, T)> + '_ {
        self.lanes[lane.0 as usize]
            .iter()
            .map(|pending| (instant(pending.key), pending.what))
    }

    /// What is pending beside the lanes, in no order.
    pub fn pending_irregular(&self) -> impl Iterator<Item = (Nanoseconds, T)> + '_ {
        self.irregular
            .iter()
            .map(|pending| (instant(pending.key), pending.what))
    }

    #[inline(always)]
    const fn next_key(&mut self, at: Nanoseconds, place: usize) -> Key {
        self.pushed += 1 << LANE_BITS;
        (at as Key) << 64 | (self.pushed | place as u64) as Key
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
