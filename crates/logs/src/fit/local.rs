//! The distribution of local writes: a floor and a log-normal part, seen as whole clicks.

use serde::{Deserialize, Serialize};

use crate::observations::Counts;
use crate::statistics::chi_square_tail;

/// Expected writes in a bin of the goodness test, at the least.
const LEAST_EXPECTED: f64 = 5.0;
/// Below this probability the model's form is said not to be that of the data.
const DOUBTFUL: f64 = 0.01;

/// The fit of local writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LocalFit {
    /// The fixed part, in clicks.
    pub floor: f64,
    /// The median of the log-normal part, in clicks.
    pub median: f64,
    /// Its sigma.
    pub sigma: f64,
    /// Writes that it was fitted to.
    pub n: u64,
    /// The largest difference between the shares of data and fit up to any value (Kolmogorov's distance).
    pub distance: f64,
    /// The probability that data of this distribution fit worse (chi-square); absent where there are too few bins.
    pub p_value: Option<f64>,
    /// What that means.
    pub reading: String,
}

/// A point of the search: floor, and the logarithms of median and sigma.
type Point = [f64; 3];

impl LocalFit {
    /// The likeliest parameters; `None` where all values are alike.
    pub(super) fn of(counts: &Counts) -> Option<Self> {
        let (least, most) = (counts.min()?, counts.max()?);
        if least == most {
            return None;
        }
        let best = search(counts, f64::from(least));
        let (distance, p_value) = goodness(counts, &best);
        let [floor, log_median, log_sigma] = best;
        Some(Self {
            floor,
            median: libm::exp(log_median),
            sigma: libm::exp(log_sigma),
            n: counts.n(),
            distance,
            p_value,
            reading: reading(distance, p_value),
        })
    }
}

/// Hooke and Jeeves' pattern search, from several floors: three parameters, a smooth likelihood, no derivatives.
fn search(counts: &Counts, least: f64) -> Point {
    let median = f64::from(counts.percentile(50)).max(1.0);
    // A floor above this leaves no room for the least value.
    let highest_floor = least + 0.999;
    let badness = |point: &Point| {
        let inside = (0.0..=highest_floor).contains(&point[0])
            && (-7.0..=14.0).contains(&point[1])
            && (-3.0..=1.0).contains(&point[2]);
        if inside {
            -log_likelihood(counts, point)
        } else {
            f64::INFINITY
        }
    };
    let starts = [0.0, 0.3, 0.6, 0.9].map(|share| {
        let floor = share * least;
        [floor, libm::log((median - floor).max(0.3)), libm::log(0.6)]
    });
    let mut best = (f64::INFINITY, starts[0]);
    for mut point in starts {
        let mut value = badness(&point);
        let mut steps = [0.5, 0.3, 0.3];
        while steps[1] > 1e-3 {
            let before = value;
            for dimension in 0..3 {
                for sign in [1.0, -1.0] {
                    let mut next = point;
                    next[dimension] += sign * steps[dimension];
                    let there = badness(&next);
                    if there < value {
                        (value, point) = (there, next);
                        break;
                    }
                }
            }
            if value >= before {
                steps = steps.map(|step| step / 2.0);
            }
        }
        if value < best.0 {
            best = (value, point);
        }
    }
    best.1
}

fn log_likelihood(counts: &Counts, point: &Point) -> f64 {
    let pairs = counts.pairs().iter();
    pairs
        .map(|&(clicks, times)| {
            times as f64 * libm::log(probability(f64::from(clicks), point).max(1e-300))
        })
        .sum()
}

/// P(a write is seen as so many clicks).
fn probability(clicks: f64, point: &Point) -> f64 {
    at_most(clicks, point) - at_most(clicks - 1.0, point)
}

/// P(a write is seen as at most so many clicks).
///
/// A script reads a clock of whole microseconds before and after. Where between two ticks a write begins is anybody's guess,
/// so a duration `d` is seen as its whole part or one more: as at most `c` clicks when it ends before the tick `c + 1`, which
/// has the probability of `d < c + 1 - u`, averaged over all `u` from 0 to 1.
fn at_most(clicks: f64, point: &Point) -> f64 {
    shorter(clicks + 1.0, point) - shorter(clicks, point)
}

/// The integral of the distribution function of durations, up to a duration in clicks: of a log-normal part above a floor.
fn shorter(duration: f64, &[floor, log_median, log_sigma]: &Point) -> f64 {
    let above = duration - floor;
    if above <= 0.0 {
        return 0.0;
    }
    let sigma = libm::exp(log_sigma);
    let z = (libm::log(above) - log_median) / sigma;
    let mean = libm::exp(log_median + sigma * sigma / 2.0);
    above * normal(z) - mean * normal(z - sigma)
}

/// The distribution function of the standard normal distribution.
fn normal(z: f64) -> f64 {
    0.5 * libm::erfc(-z / core::f64::consts::SQRT_2)
}

/// Kolmogorov's distance, and the probability of a worse fit by Pearson's chi-square.
fn goodness(counts: &Counts, point: &Point) -> (f64, Option<f64>) {
    let n = counts.n() as f64;
    let (mut distance, mut seen) = (0.0_f64, 0.0);
    let (mut statistic, mut bins) = (0.0, 0_u32);
    let (mut observed, mut begun) = (0.0, 0.0);
    for &(clicks, times) in counts.pairs() {
        seen += times as f64;
        observed += times as f64;
        let expected_up_to = n * at_most(f64::from(clicks), point);
        distance = distance.max((seen - expected_up_to).abs() / n);
        let expected = expected_up_to - begun;
        // The last bin takes all that is beyond.
        if expected >= LEAST_EXPECTED && n - expected_up_to >= LEAST_EXPECTED {
            statistic += (observed - expected) * (observed - expected) / expected;
            bins += 1;
            (observed, begun) = (0.0, expected_up_to);
        }
    }
    let expected = n - begun;
    statistic += (observed - expected) * (observed - expected) / expected.max(f64::MIN_POSITIVE);
    // As many degrees of freedom as bins, this last one not counted, less the three parameters.
    let degrees = bins.saturating_sub(3);
    let p_value = (degrees > 0).then(|| chi_square_tail(statistic, degrees));
    (distance, p_value)
}

fn reading(distance: f64, p_value: Option<f64>) -> String {
    let apart = format!(
        "data and fit are nowhere more than {} apart",
        crate::wording::percent(distance)
    );
    match p_value {
        None => format!("Too few different values to test the form; {apart}."),
        Some(p) if p < DOUBTFUL => format!(
            "The form is not quite that of the data ({}): {apart}.",
            crate::wording::p_value(p)
        ),
        Some(p) => format!("A good fit ({}): {apart}.", crate::wording::p_value(p)),
    }
}

#[cfg(test)]
mod tests {
    use super::{Point, at_most, probability};

    const POINT: Point = [2.0, 1.194, -0.598];

    #[test]
    fn probabilities_add_up() {
        let mut sum = 0.0;
        for clicks in 0..2000 {
            sum += probability(f64::from(clicks), &POINT);
            assert!(
                (at_most(f64::from(clicks), &POINT) - sum).abs() < 1e-9,
                "{clicks}"
            );
        }
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
}
