//! Discovery against the law that it should follow.
//!
//! A random name is local with probability 1/N on N TMMs, whatever was tried before. So the number of names tried is
//! geometric: P(T = t) = (1 - 1/N)^(t-1) / N, with mean N; and a discovery of at most m tries gives up with
//! probability (1 - 1/N)^m.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::observations::{Discoveries, Observations};
use crate::statistics::{chi_square_tail, geometric_total_p_value};
use crate::wording;

/// Expected discoveries in a bin of the goodness test, at the least.
const LEAST_EXPECTED: f64 = 5.0;
/// The mean's test ignores that discovery gives up, which is right while that is rarer than this.
const RARE_GIVING_UP: f64 = 0.001;
/// Below this probability the law is said not to hold.
const DOUBTFUL: f64 = 0.01;
/// Below this number of discoveries, agreement with the law says little.
const FEW_DISCOVERIES: u64 = 20;

/// How many discoveries took so many tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TriesCount {
    /// Names tried.
    pub tries: u32,
    /// Discoveries.
    pub discoveries: u64,
}

/// Discoveries on systems of one size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GeometricTest {
    /// N, the TMMs of the system; absent where no line says so.
    pub total_tmms: Option<u16>,
    /// Discoveries that found a name.
    pub discoveries: u64,
    /// Their numbers of tries.
    pub tries: Vec<TriesCount>,
    /// Their mean.
    pub mean_tries: f64,
    /// The mean by the law: N, or less where discovery gives up after a known number of tries.
    pub expected_mean: Option<f64>,
    /// The probability that the law gives a total of tries at least as far off (exact, two-sided).
    pub mean_p_value: Option<f64>,
    /// Pearson's statistic of the numbers of tries, in bins of five expected or more; absent where there are too few.
    pub chi_square: Option<f64>,
    /// Bins less one.
    pub degrees: u32,
    /// The probability that the law fits at least as badly.
    pub fit_p_value: Option<f64>,
    /// What that means.
    pub reading: String,
}

/// How discovery went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiscoveryStatistics {
    /// Discoveries that found a name.
    pub found: u64,
    /// Discoveries that gave up.
    pub exhausted: u64,
    /// The TMMs on which one gave up, ascending.
    pub exhausted_tmms: Vec<u16>,
    /// The most tries after which one gave up.
    pub max_tries: Option<u32>,
    /// The fewest clicks of an accepted trial.
    pub accepted_min: Option<u32>,
    /// The most clicks of an accepted trial.
    pub accepted_max: Option<u32>,
    /// One test for each size of system.
    pub tests: Vec<GeometricTest>,
}

pub(super) fn examine(seen: &Observations) -> Option<DiscoveryStatistics> {
    let lines = &seen.discoveries;
    if lines.tries.is_empty() && lines.exhausted.is_empty() {
        return None;
    }
    let mut by_size: BTreeMap<Option<u16>, Vec<TriesCount>> = BTreeMap::new();
    for (&(size, tries), &discoveries) in &lines.tries {
        let size = Some(size).filter(|&size| size > 0).or(seen.total_tmms);
        by_size
            .entry(size)
            .or_default()
            .push(TriesCount { tries, discoveries });
    }
    Some(DiscoveryStatistics {
        found: lines.tries.values().sum::<u64>() + lines.not_kept,
        exhausted: lines.exhausted.values().sum(),
        exhausted_tmms: lines.exhausted.keys().copied().collect(),
        max_tries: lines.max_tries,
        accepted_min: lines.accepted_diff.map(|(low, _)| low),
        accepted_max: lines.accepted_diff.map(|(_, high)| high),
        tests: by_size
            .into_iter()
            .map(|(size, tries)| test(size, tries, lines))
            .collect(),
    })
}

fn test(total_tmms: Option<u16>, mut tries: Vec<TriesCount>, lines: &Discoveries) -> GeometricTest {
    tries.sort_by_key(|row| row.tries);
    let discoveries: u64 = tries.iter().map(|row| row.discoveries).sum();
    let total: u128 = tries
        .iter()
        .map(|row| u128::from(row.tries) * u128::from(row.discoveries))
        .sum();
    let mean_tries = total as f64 / discoveries as f64;
    let law = total_tmms.map(|n| Geometric::new(n, lines.max_tries));
    let rarely_gives_up = law
        .as_ref()
        .is_some_and(|law| law.gives_up <= RARE_GIVING_UP);
    let mean_p_value = match (&law, u64::try_from(total)) {
        (Some(law), Ok(total)) if rarely_gives_up => {
            Some(geometric_total_p_value(discoveries, total, law.p))
        }
        _ => None,
    };
    let fit = law.as_ref().and_then(|law| law.fit(&tries, discoveries));
    let (chi_square, degrees) = fit.unzip();
    let mut result = GeometricTest {
        total_tmms,
        discoveries,
        tries,
        mean_tries,
        expected_mean: law.map(|law| law.mean()),
        mean_p_value,
        chi_square,
        degrees: degrees.unwrap_or(0),
        fit_p_value: fit.map(|(statistic, degrees)| chi_square_tail(statistic, degrees)),
        reading: String::new(),
    };
    result.reading = reading(&result);
    result
}

/// The law, conditional on finding a name where the number of tries is limited.
struct Geometric {
    p: f64,
    limit: Option<u32>,
    /// The probability of finding nothing within the limit.
    gives_up: f64,
}

impl Geometric {
    fn new(tmms: u16, limit: Option<u32>) -> Self {
        let p = 1.0 / f64::from(tmms.max(1));
        let mut law = Self {
            p,
            limit,
            gives_up: 0.0,
        };
        law.gives_up = limit.map_or(0.0, |limit| law.beyond(limit));
        law
    }

    /// P(T > t), without a limit.
    fn beyond(&self, t: u32) -> f64 {
        if self.p >= 1.0 {
            0.0
        } else {
            libm::exp(f64::from(t) * libm::log1p(-self.p))
        }
    }

    /// P(T > t | a name is found).
    fn survival(&self, t: u32) -> f64 {
        (self.beyond(t) - self.gives_up).max(0.0) / (1.0 - self.gives_up)
    }

    /// E(T | T ≤ m) = 1/p - m q^m / (1 - q^m).
    fn mean(&self) -> f64 {
        let cut = self.limit.map_or(0.0, |m| {
            f64::from(m) * self.gives_up / (1.0 - self.gives_up)
        });
        1.0 / self.p - cut
    }

    /// Pearson's statistic and its degrees of freedom, over bins of neighbouring numbers of tries.
    fn fit(&self, tries: &[TriesCount], discoveries: u64) -> Option<(f64, u32)> {
        let n = discoveries as f64;
        let mut observed = tries.iter().peekable();
        let (mut statistic, mut bins) = (0.0, 0_u32);
        let (mut begin, mut t) = (1.0, 0);
        while begin > 0.0 {
            t += 1;
            let mut end = self.survival(t);
            if n * (begin - end) < LEAST_EXPECTED && n * end >= LEAST_EXPECTED {
                continue;
            }
            if n * end < LEAST_EXPECTED {
                (end, t) = (0.0, u32::MAX);
            }
            let mut count = 0;
            while let Some(row) = observed.next_if(|row| row.tries <= t) {
                count += row.discoveries;
            }
            let expected = n * (begin - end);
            statistic += (count as f64 - expected) * (count as f64 - expected) / expected;
            bins += 1;
            begin = end;
        }
        (bins > 1).then(|| (statistic, bins - 1))
    }
}

fn reading(test: &GeometricTest) -> String {
    let Some(tmms) = test.total_tmms else {
        return "No line says how many TMMs there are, so there is no law to compare with."
            .to_owned();
    };
    let Some(p) = test.mean_p_value.or(test.fit_p_value) else {
        return "Too little to test against the law.".to_owned();
    };
    if let Some(fit) = test
        .fit_p_value
        .filter(|&fit| fit < DOUBTFUL && p >= DOUBTFUL)
    {
        return format!(
            "The mean is right but the spread is not ({}): the tries are not independent, or systems are mixed.",
            wording::p_value(fit)
        );
    }
    let expected = test.expected_mean.unwrap_or(f64::from(tmms));
    let mean = test.mean_tries;
    let p_text = wording::p_value(p);
    if p >= DOUBTFUL && test.discoveries < FEW_DISCOVERIES {
        format!(
            "Nothing against the geometric law after {} only: {mean:.2} tries on average where {expected:.2} are \
             expected ({p_text}).",
            wording::counted(test.discoveries, "discovery", "discoveries")
        )
    } else if p >= DOUBTFUL {
        format!(
            "As the geometric law says: {mean:.2} tries on average where {expected:.2} are expected ({p_text})."
        )
    } else if mean < expected {
        format!(
            "Too few tries: {mean:.2} on average where {expected:.2} are expected ({p_text}). Names that are not \
             local get accepted; the threshold is above what a remote write takes."
        )
    } else {
        format!(
            "Too many tries: {mean:.2} on average where {expected:.2} are expected ({p_text}). Local names get \
             rejected; the threshold is below what a local write takes."
        )
    }
}
