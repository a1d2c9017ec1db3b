//! The clock of the live model.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use subtable_model::agenda::Nanoseconds;

use crate::Pace;

/// For how long the most connections at a time are remembered: this long to twice as long.
const MEMORY: Nanoseconds = 1_000_000_000;

/// Tells when a request arrives, in the model's time.
///
/// Where callers wait, that is the real time. Where they do not, requests would arrive faster than any TMM could serve
/// them, and queues would grow for ever, which no client with so many connections can bring about. So the clock goes
/// ahead over the time that nobody waited: at each arrival, there are never more requests in the model than there were
/// connections of late.
#[derive(Debug)]
pub struct Clock {
    pace: Pace,
    /// How far the model's time is ahead of the real one.
    ahead: Nanoseconds,
    /// When the requests in the model will be done.
    in_flight: BinaryHeap<Reverse<Nanoseconds>>,
    /// Most connections in this stretch of time and in the one before.
    most: [usize; 2],
    stretch_ends: Nanoseconds,
}

impl Clock {
    /// A clock that begins now.
    pub fn new(pace: Pace) -> Self {
        Self {
            pace,
            ahead: 0,
            in_flight: BinaryHeap::new(),
            most: [0; 2],
            stretch_ends: MEMORY,
        }
    }

    /// A request arrives, so long after the start in real time, while so many connections are open, its own included.
    pub fn arrival(&mut self, real: Nanoseconds, open: usize) -> Nanoseconds {
        if self.pace == Pace::Real {
            return real;
        }
        if real >= self.stretch_ends {
            let idle = real >= self.stretch_ends + MEMORY;
            self.most = [0, if idle { 0 } else { self.most[0] }];
            self.stretch_ends = real + MEMORY;
        }
        self.most[0] = self.most[0].max(open);
        let workers = self.most[0].max(self.most[1]).max(1);
        let mut now = real + self.ahead;
        while let Some(&Reverse(done)) = self.in_flight.peek() {
            if done > now && self.in_flight.len() < workers {
                break;
            }
            now = now.max(done);
            self.in_flight.pop();
        }
        self.ahead = now - real;
        now
    }

    /// A request that has arrived will be done then.
    pub fn will_depart(&mut self, at: Nanoseconds) {
        if self.pace == Pace::Fast {
            self.in_flight.push(Reverse(at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_callers_wait_the_clock_is_the_real_one() {
        let mut clock = Clock::new(Pace::Real);
        clock.will_depart(1_000_000);
        assert_eq!([clock.arrival(10, 1), clock.arrival(20, 1)], [10, 20]);
    }

    #[test]
    fn where_they_do_not_there_are_never_more_requests_than_connections() {
        let mut clock = Clock::new(Pace::Fast);
        let mut departures = Vec::new();
        for request in 0..100 {
            let now = clock.arrival(request, 4);
            let in_flight = departures.iter().filter(|&&done| done > now).count();
            assert!(in_flight < 4, "{in_flight} at {now}");
            clock.will_depart(now + 1000);
            departures.push(now + 1000);
        }
        // Four at a time, a thousand each: a hundred take a quarter of a hundred thousand.
        assert!(
            departures
                .last()
                .is_some_and(|last| (25_000..26_000).contains(last))
        );
        // After a while without anybody, one connection is one request.
        let now = clock.arrival(10 * MEMORY, 1);
        clock.will_depart(now + 1000);
        assert_eq!(clock.arrival(10 * MEMORY + 1, 1), now + 1000);
    }
}
