//! A closed queueing network of two stations, as a scenario of the model: the same that `peers/` does in other simulators.
//!
//! Station A is the client, a single server of constant work; station B is the one TMM there is, whose work is that of a
//! local write, which is log-normal; between them lie half round trips.

use anyhow::Result;
use subtable_model::results::Part;
use subtable_model::{Budget, Scenario, Simulation};

/// Customers that go round.
pub const CUSTOMERS: u64 = 64;
/// Constant work at station A, in microseconds.
pub const WORK_AT_A: u64 = 200;
/// From one station to the other, in microseconds.
pub const DELAY: u64 = 7000;
/// Median of the work at station B, in microseconds.
pub const MEDIAN_AT_B: u64 = 150;
/// Its sigma.
pub const SIGMA_AT_B: f64 = 0.3;

/// What comes out of the network, and what a peer prints. Times of the network in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize)]
pub struct Rounds {
    /// How long the simulation took, in seconds of real time.
    pub seconds: f64,
    /// Rounds done.
    pub rounds: u64,
    /// Simulated time at the end.
    pub end: f64,
    /// Mean time at station B, waiting included.
    pub at_b: f64,
}

impl Rounds {
    /// Rounds per second of simulated time.
    #[must_use]
    pub fn throughput(&self) -> f64 {
        self.rounds as f64 / self.end * 1e6
    }
}

/// The network as a scenario.
///
/// # Errors
/// The parameter table no longer has one of the settings.
pub fn scenario(rounds: u64) -> Result<Scenario> {
    let mut scenario = Scenario::default();
    for (id, value) in [
        ("tmms", "1".to_owned()),
        ("naming", "deterministic".to_owned()),
        ("records", rounds.to_string()),
        ("workers", CUSTOMERS.to_string()),
        ("client-work", WORK_AT_A.to_string()),
        ("rtt", (2 * DELAY).to_string()),
        ("request-work", "0".to_owned()),
        ("local-floor", "0".to_owned()),
        ("local-median", MEDIAN_AT_B.to_string()),
        ("local-sigma", SIGMA_AT_B.to_string()),
        ("count", "none".to_owned()),
        ("log-every", "0".to_owned()),
    ] {
        scenario.set(id, &value)?;
    }
    Ok(scenario)
}

/// Runs the network.
#[must_use]
pub fn run(scenario: &Scenario, seed: u64) -> Rounds {
    let started = std::time::Instant::now();
    let mut simulation = Simulation::new(scenario, seed);
    simulation.advance(Budget::Unlimited);
    let snapshot = simulation.snapshot();
    let seconds = started.elapsed().as_secs_f64();
    let at_b: u64 = [Part::AcceptorQueue, Part::Work, Part::Service]
        .map(|part| snapshot.tmms[0].parts[part as usize])
        .iter()
        .sum();
    Rounds {
        seconds,
        rounds: snapshot.replies,
        end: snapshot.last_reply as f64 / 1000.0,
        at_b: at_b as f64 / 1000.0 / snapshot.replies as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_s_law_holds_for_the_whole_ring() -> Result<()> {
        let rounds = run(&scenario(20_000)?, 1);
        assert_eq!(rounds.rounds, 20_000);
        // Everybody is somewhere: at A, at B or between them. A is found from the rest, and cannot be below its work.
        let round_trip = CUSTOMERS as f64 / rounds.throughput() * 1e6;
        let at_a = round_trip - rounds.at_b - 2.0 * DELAY as f64;
        let work = WORK_AT_A as f64;
        assert!(
            (work..2.0 * work).contains(&at_a),
            "{at_a} at A, {rounds:?}"
        );
        Ok(())
    }
}
