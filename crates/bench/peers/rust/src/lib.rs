//! What both Rust programs read and print: see the README beside this crate.

use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand_distr::LogNormal;

pub struct Network {
    pub customers: u64,
    pub work: f64,
    pub delay: f64,
    median: f64,
    sigma: f64,
    pub rounds: u64,
    seed: u64,
}

impl Network {
    pub fn from_arguments() -> Self {
        let numbers: Vec<f64> = std::env::args()
            .skip(1)
            .map(|text| text.parse().expect("a number"))
            .collect();
        let [customers, work, delay, median, sigma, rounds, seed, _] = numbers[..] else {
            panic!("eight numbers are needed, not {}", numbers.len());
        };
        Self {
            customers: customers as u64,
            work,
            delay,
            median,
            sigma,
            rounds: rounds as u64,
            seed: seed as u64,
        }
    }

    pub fn work_at_b(&self) -> LogNormal<f64> {
        LogNormal::new(self.median.ln(), self.sigma).expect("a log-normal")
    }

    pub fn luck(&self) -> SmallRng {
        SmallRng::seed_from_u64(self.seed)
    }
}

/// Prints the results; times in microseconds.
pub fn report(took: Duration, rounds: u64, end: f64, at_b: f64) {
    println!(
        "{{\"seconds\": {}, \"rounds\": {rounds}, \"end\": {end}, \"at_b\": {}}}",
        took.as_secs_f64(),
        at_b / rounds as f64
    );
}
