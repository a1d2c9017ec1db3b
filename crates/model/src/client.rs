//! The load generator: workers in a closed loop, taking turns on one interpreter.

use crate::agenda::Nanoseconds;
use crate::scenario::Scenario;

/// The client: a single server of `client work` per request, in front of a constant half round trip.
///
/// All of its workers are threads of one interpreter with one lock, so preparing a request is serial; waiting for
/// replies is not.
#[derive(Clone, Debug)]
pub struct Client {
    work: Nanoseconds,
    half_round_trip: Nanoseconds,
    free_at: Nanoseconds,
    unsent: u64,
}

/// One request leaving the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// When the interpreter took it up.
    pub taken_up: Nanoseconds,
    /// When it left.
    pub left: Nanoseconds,
    /// When it reaches the DAG.
    pub arrives: Nanoseconds,
}

impl Client {
    /// The client of a scenario, with all records still to send.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        Self {
            work: scenario.client_work(),
            half_round_trip: scenario.rtt() / 2,
            free_at: 0,
            unsent: scenario.records(),
        }
    }

    /// One way between client and cluster.
    #[must_use]
    pub const fn half_round_trip(&self) -> Nanoseconds {
        self.half_round_trip
    }

    /// A worker is ready to send at `now`. `None` when every record has been sent. `stretch` is how the host slows
    /// the client's work at this moment.
    #[inline]
    pub fn send(&mut self, now: Nanoseconds, stretch: Stretch) -> Option<Sent> {
        self.unsent = self.unsent.checked_sub(1)?;
        let taken_up = now.max(self.free_at);
        let left = taken_up + stretch.apply(self.work);
        self.free_at = left;
        Some(Sent {
            taken_up,
            left,
            arrives: left + self.half_round_trip,
        })
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
        let mut client = Client::new(&scenario);
        let first = client.send(0, Stretch::NONE);
        let second = client.send(0, Stretch::NONE);
        assert_eq!(
            first,
            Some(Sent {
                taken_up: 0,
                left: 200_000,
                arrives: 275_000
            })
        );
        assert_eq!(
            second,
            Some(Sent {
                taken_up: 200_000,
                left: 400_000,
                arrives: 475_000
            })
        );
        assert_eq!(client.send(0, Stretch::NONE), None, "both records are sent");
        Ok(())
    }

    #[test]
    fn half_of_the_host_doubles_the_work() {
        assert_eq!(Stretch::from_share(0.5).apply(100), 200);
        assert_eq!(Stretch::from_share(0.0), Stretch::NONE);
    }
}
