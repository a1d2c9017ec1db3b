//! The sharding and timing model behind Subtable Lab: pure computation, no clock, no browser.
//!
//! On F5 BIG-IP, N single-threaded TMMs share work. The [`dag`] hashes a connection to the TMM that accepts it; a
//! second, hidden hash of a subtable's name ([`ownership`]) picks the TMM that owns its storage. A write whose
//! acceptor is the owner is a function call; any other parks its script, sends a message to the owner, and waits its
//! turn there and back.
//!
//! The path of a write, and the order in which to read: [`client`] → [`dag`] → [`tmm`] → [`subtable`] → [`log`], told
//! in [`simulation`]; before it, [`scenario`] says what can be set.
//!
//! | quantity | unit | limit |
//! |---|---|---|
//! | simulated time | nanoseconds, from the start of the run | 2^64, about 584 years |
//! | clicks | microseconds, whole | 2^32, about 71 minutes |
//! | durations drawn at random | nanoseconds | 2^42, about 73 minutes |
//! | memory | | constant in the number of writes |
//!
//! ```
//! use subtable_model::preset::Preset;
//!
//! let broken = Preset::find("published-deterministic").expect("a preset of the published run");
//! let snapshot = subtable_model::run(&broken.scenario(), 1);
//! assert_eq!(snapshot.verdict().slow_tmms, [0, 1, 2]);
//! ```

#![forbid(unsafe_code)]
// Numbers of TMMs, requests and bins are bounded by the parameter table or by a constant, far below 2^32.
#![allow(
    clippy::cast_possible_truncation,
    reason = "bounded by the parameter table"
)]
#![allow(
    clippy::inline_always,
    reason = "the path of a write is told in many small functions and must be compiled as one"
)]

pub mod agenda;
pub mod client;
pub mod dag;
pub mod fidelity;
pub mod log;
pub mod naming;
pub mod ownership;
pub mod preset;
pub mod results;
pub mod sampling;
pub mod scenario;
pub mod series;
pub mod simulation;
pub mod snapshot;
pub mod statistics;
pub mod subtable;
pub mod tmm;

pub use scenario::Scenario;
pub use simulation::{Budget, Simulation};
pub use snapshot::Snapshot;

/// A whole run.
#[must_use]
pub fn run(scenario: &Scenario, seed: u64) -> Snapshot {
    let mut simulation = Simulation::new(scenario, seed);
    simulation.advance(Budget::Unlimited);
    simulation.snapshot()
}
