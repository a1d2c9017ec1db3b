//! The load generator: workers taking turns on one interpreter, in a closed loop or at a set rate.

use crate::agenda::Nanoseconds;
use crate::sampling::{Concern, QuantileTable, Stream};
use crate::scenario::{Arrivals, Scenario, Sending, Spread, Workload};

/// The client: a single server of `client work` per request, in front of a constant way to the cluster.
///
/// All of its workers are threads of one interpreter with one lock, so preparing a request is serial; waiting for
/// replies is not.
#[derive(Clone, Debug)]
pub struct Client {
    work: Work,
    work_per_key: Nanoseconds,
    half_round_trip: Nanoseconds,
    /// How long the body waits for the acknowledgement of the head.
    body_waits: Nanoseconds,
    free_at: Nanoseconds,
    /// Records of a run, and those of the present run that have not been sent.
    records: u64,
    unsent: u64,
    keys_per_request: u64,
    schedule: Schedule,
}

/// How long a piece of work takes.
#[derive(Clone, Debug)]
pub enum Work {
    /// Always as long.
    Constant(Nanoseconds),
    /// Exponentially distributed: drawn anew each time.
    Exponential(QuantileTable),
}

impl Work {
    /// Work of that mean.
    #[must_use]
    pub fn new(mean: Nanoseconds, spread: Spread) -> Self {
        match spread {
            Spread::Constant => Self::Constant(mean),
            Spread::Exponential => Self::Exponential(QuantileTable::exponential(mean)),
        }
    }

    /// How long it takes this time, in nanoseconds.
    #[inline(always)]
    pub fn draw(&self, luck: &mut Stream) -> Nanoseconds {
        match self {
            Self::Constant(time) => *time,
            Self::Exponential(table) => table.draw(luck),
        }
    }
}

/// When requests are meant to start.
///
/// In an open loop each free worker takes the next start of the schedule. When no worker is free at a start, the request
/// is late; its latency counts from the start all the same.
#[derive(Clone, Debug)]
struct Schedule {
    arrivals: Arrivals,
    /// Requests for which no start has been given out in this run.
    left: u64,
    /// Starts given out in this run.
    given: u64,
    rate_per_1000_s: u64,
    /// Gaps between random starts.
    gaps: Option<QuantileTable>,
    luck: Stream,
    began: Nanoseconds,
    last: Nanoseconds,
}

impl Schedule {
    fn new(scenario: &Scenario, seed: u64, requests: u64) -> Self {
        let rate_per_1000_s = scenario.rate_per_1000_s();
        Self {
            arrivals: scenario.arrivals(),
            left: requests,
            given: 0,
            rate_per_1000_s,
            gaps: (scenario.arrivals() == Arrivals::Poisson)
                .then(|| QuantileTable::exponential(1_000_000_000_000 / rate_per_1000_s)),
            luck: Stream::new(seed, Concern::Arrival, 0),
            began: 0,
            last: 0,
        }
    }

    /// The next start for a worker that is free at `now`.
    fn next(&mut self, now: Nanoseconds) -> Option<Nanoseconds> {
        self.left = self.left.checked_sub(1)?;
        self.given += 1;
        self.last = match self.arrivals {
            Arrivals::Closed => now,
            Arrivals::Constant => {
                // Multiplied out each time: a rate that does not divide a second does not drift.
                let since =
                    u128::from(self.given) * 1_000_000_000_000 / u128::from(self.rate_per_1000_s);
                self.began
                    .saturating_add(u64::try_from(since).unwrap_or(u64::MAX))
            }
            Arrivals::Poisson => {
                let gap = self
                    .gaps
                    .as_ref()
                    .map_or(0, |gaps| gaps.draw(&mut self.luck));
                self.last.saturating_add(gap)
            }
        };
        Some(self.last)
    }
}

/// Bytes of a request's head.
const HEAD_BYTES: u64 = 80;
/// Bytes of a packet that are not the segment's: the headers of IP and TCP.
const PACKET_OVERHEAD: u64 = 40;

/// One request leaving the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// When the interpreter took it up.
    pub taken_up: Nanoseconds,
    /// When it left.
    pub left: Nanoseconds,
    /// When all of it has reached the DAG.
    pub arrives: Nanoseconds,
    /// Keys in it.
    pub keys: u64,
}

impl Client {
    /// The client of a scenario, with all records still to send, under a run's seed.
    #[must_use]
    pub fn new(scenario: &Scenario, seed: u64) -> Self {
        let bulk = scenario.workload() == Workload::Bulk;
        let keys_per_request = if bulk { scenario.keys_per_post() } else { 1 };
        Self {
            work: Work::new(
                if bulk { 0 } else { scenario.client_work() },
                scenario.work_spread(),
            ),
            work_per_key: if bulk {
                scenario.client_work_per_key()
            } else {
                0
            },
            half_round_trip: scenario.rtt() / 2,
            body_waits: body_waits(scenario),
            free_at: 0,
            records: scenario.records(),
            unsent: scenario.records(),
            keys_per_request,
            schedule: Schedule::new(
                scenario,
                seed,
                scenario.records().div_ceil(keys_per_request),
            ),
        }
    }

    /// When a worker that is free at `now` is to start its next request: now in a closed loop, at the next instant of
    /// the schedule in an open one, which may have passed. `None` when all requests of the run have their starts.
    #[inline]
    pub fn next_start(&mut self, now: Nanoseconds) -> Option<Nanoseconds> {
        self.schedule.next(now)
    }

    /// A run is over and the next one begins: all records are to be sent again.
    pub fn begin_run(&mut self, now: Nanoseconds) {
        self.unsent = self.records;
        self.schedule.left = self.requests(self.records);
        self.schedule.given = 0;
        (self.schedule.began, self.schedule.last) = (now, now);
    }

    /// One way between client and cluster.
    #[must_use]
    pub const fn half_round_trip(&self) -> Nanoseconds {
        self.half_round_trip
    }

    /// From leaving the client to having arrived whole.
    #[must_use]
    pub const fn way_to_cluster(&self) -> Nanoseconds {
        self.half_round_trip + self.body_waits
    }

    /// Requests that carry so many records.
    #[must_use]
    pub const fn requests(&self, records: u64) -> u64 {
        records.div_ceil(self.keys_per_request)
    }

    /// A worker is ready to send at `now`. `None` when every record has been sent. `stretch` is how the host slows
    /// the client's work at this moment.
    #[inline(always)]
    pub fn send(&mut self, now: Nanoseconds, stretch: Stretch) -> Option<Sent> {
        if self.unsent == 0 {
            return None;
        }
        let keys = self.keys_per_request.min(self.unsent);
        self.unsent -= keys;
        let taken_up = now.max(self.free_at);
        let work = self.work.draw(&mut self.schedule.luck);
        let left = taken_up + stretch.apply(work + self.work_per_key * keys);
        self.free_at = left;
        Some(Sent {
            taken_up,
            left,
            arrives: left + self.way_to_cluster(),
            keys,
        })
    }
}

/// Nagle's algorithm holds a second small write back until the first is acknowledged, and the receiver delays that
/// acknowledgement. Not when the two fill a segment, nor when they leave in one write or under `TCP_NODELAY`.
///
/// Source: RFC 896 and RFC 1122, 4.2.3.2; the sizes at which the stall ends are published (`split_write`).
fn body_waits(scenario: &Scenario) -> Nanoseconds {
    // A post is far larger than a segment.
    let small = scenario.workload() != Workload::Bulk
        && scenario.request_bytes() > 0
        && HEAD_BYTES + scenario.request_bytes() < scenario.mtu() - PACKET_OVERHEAD;
    if small && scenario.sending() == Sending::Two {
        scenario.delayed_ack()
    } else {
        0
    }
}

/// By how much work takes longer because something else has a share of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch(u32);

impl Stretch {
    const ONE: u32 = 1 << 10;

    /// The host is ours.
    pub const NONE: Self = Self(Self::ONE);

    /// Something else has `share` (0 to 0.9) of the host: work takes 1 / (1 - share) times as long.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1,024 and 10,240"
    )]
    pub fn from_share(share: f64) -> Self {
        Self((f64::from(Self::ONE) / (1.0 - share.clamp(0.0, 0.9))) as u32)
    }

    /// How long `work` takes.
    #[inline]
    #[must_use]
    pub const fn apply(self, work: Nanoseconds) -> Nanoseconds {
        (work * self.0 as u64) >> 10
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_take_turns() -> Result<(), crate::scenario::ScenarioError> {
        let mut scenario = Scenario::default();
        scenario.set("client-work", "200")?;
        scenario.set("rtt", "150")?;
        scenario.set("records", "2")?;
        let mut client = Client::new(&scenario, 1);
        let first = client.send(0, Stretch::NONE);
        let second = client.send(0, Stretch::NONE);
        let sent = |taken_up, left, arrives| {
            Some(Sent {
                taken_up,
                left,
                arrives,
                keys: 1,
            })
        };
        assert_eq!(first, sent(0, 200_000, 275_000));
        assert_eq!(second, sent(200_000, 400_000, 475_000));
        assert_eq!(client.send(0, Stretch::NONE), None, "both records are sent");
        Ok(())
    }

    #[test]
    fn a_small_body_in_a_second_write_waits_and_a_full_segment_does_not()
    -> Result<(), crate::scenario::ScenarioError> {
        let waits = |bytes: &str, mtu: &str, sending: &str| {
            let mut scenario = Scenario::default();
            scenario.set("request-bytes", bytes)?;
            scenario.set("mtu", mtu)?;
            scenario.set("sending", sending)?;
            Ok::<bool, crate::scenario::ScenarioError>(
                Client::new(&scenario, 1).way_to_cluster() > 1_000_000,
            )
        };
        // published.toml, split_write: the cliff lies between 1,300 and 1,400 bytes, and between 800 and 900.
        assert!(waits("1300", "1500", "two")? && !waits("1400", "1500", "two")?);
        assert!(waits("800", "1000", "two")? && !waits("900", "1000", "two")?);
        assert!(!waits("80", "1500", "one")? && !waits("80", "1500", "two-nodelay")?);
        Ok(())
    }

    #[test]
    fn half_of_the_host_doubles_the_work() {
        assert_eq!(Stretch::from_share(0.5).apply(100), 200);
        assert_eq!(Stretch::from_share(0.0), Stretch::NONE);
    }
}
