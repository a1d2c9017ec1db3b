//! When a TMM is busy.

use std::collections::VecDeque;

use subtable_model::agenda::Nanoseconds;

/// The stretches of time for which a TMM has work, ascending and apart.
///
/// A request is followed to its end the moment it arrives, so some of its work lies in the future: its answer comes back
/// only after a hop, or after the owner's queue. Other work that arrives before it must not wait behind it, so it takes
/// the first gap that holds it. Work that arrives in order is served first in, first out, as in the model.
#[derive(Clone, Debug, Default)]
pub struct Calendar {
    busy: VecDeque<(Nanoseconds, Nanoseconds)>,
}

impl Calendar {
    /// When work that arrives at `arrival` and takes `length` can begin.
    pub fn first_gap(&self, arrival: Nanoseconds, length: Nanoseconds) -> Nanoseconds {
        let mut start = arrival;
        let from = self.busy.partition_point(|&(_, end)| end <= arrival);
        for &(begin, end) in self.busy.range(from..) {
            if start + length <= begin {
                break;
            }
            start = start.max(end);
        }
        start
    }

    /// Takes the time from `start` to `end`.
    pub fn book(&mut self, start: Nanoseconds, end: Nanoseconds) {
        if end <= start {
            return;
        }
        let from = self.busy.partition_point(|&(_, done)| done < start);
        let to = self.busy.partition_point(|&(begin, _)| begin <= end);
        let mut whole = (start, end);
        for &(begin, done) in self.busy.range(from..to) {
            whole = (whole.0.min(begin), whole.1.max(done));
        }
        self.busy.drain(from..to);
        self.busy.insert(from, whole);
    }

    /// Forgets what ended by then.
    pub fn forget(&mut self, before: Nanoseconds) {
        while self.busy.front().is_some_and(|&(_, end)| end <= before) {
            self.busy.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn work_in_order_waits_for_the_work_before_it() {
        let mut calendar = Calendar::default();
        calendar.book(100, 200);
        assert_eq!(calendar.first_gap(150, 30), 200);
        calendar.book(200, 230);
        assert_eq!(calendar.busy, [(100, 230)], "no gap, no border");
        assert_eq!(calendar.first_gap(10, 90), 10);
        assert_eq!(calendar.first_gap(10, 91), 230);
        calendar.forget(230);
        assert_eq!(calendar.busy, []);
    }

    #[test]
    fn work_that_fits_goes_before_work_that_is_to_come() {
        let mut calendar = Calendar::default();
        calendar.book(0, 10);
        calendar.book(1000, 2000);
        assert_eq!(calendar.first_gap(5, 100), 10);
        assert_eq!(calendar.first_gap(5, 991), 2000);
    }

    proptest! {
        #[test]
        fn nobody_is_served_twice_at_a_time(works in proptest::collection::vec((0_u64..500, 1_u64..50), 1..60)) {
            let mut calendar = Calendar::default();
            let mut taken: Vec<(u64, u64)> = Vec::new();
            for (arrival, length) in works {
                let start = calendar.first_gap(arrival, length);
                prop_assert!(start >= arrival);
                for &(begin, end) in &taken {
                    prop_assert!(start + length <= begin || end <= start);
                }
                taken.push((start, start + length));
                calendar.book(start, start + length);
            }
            let booked: u64 = calendar.busy.iter().map(|(begin, end)| end - begin).sum();
            prop_assert_eq!(booked, taken.iter().map(|(begin, end)| end - begin).sum::<u64>());
        }
    }
}
