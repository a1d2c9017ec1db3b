//! How evenly connections were spread over the TMMs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::observations::Observations;
use crate::statistics::chi_square_tail;
use crate::wording;

/// Below this expectation a TMM, the chi-square distribution is no approximation of the statistic's.
const LEAST_EXPECTED: f64 = 5.0;

/// What one TMM took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TmmHits {
    /// The TMM.
    pub tmm: u16,
    /// Connections, requests or posts.
    pub hits: u64,
}

/// Pearson's chi-square test of equal shares.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DagTest {
    /// Where the hits come from.
    pub source: String,
    /// One entry a TMM, those without a hit included.
    pub hits: Vec<TmmHits>,
    /// Sum of (hits - expected)² / expected; absent where there is too little to test.
    pub chi_square: Option<f64>,
    /// TMMs less one.
    pub degrees: u32,
    /// The probability that a fair, independent choice per connection is at least as uneven.
    pub p_value: Option<f64>,
    /// What that means.
    pub reading: String,
}

pub(super) fn examine(seen: &Observations) -> Vec<DagTest> {
    let mut tests = Vec::new();
    let mut add = |source: &str, hits: BTreeMap<u16, u64>| {
        if hits.values().any(|&hits| hits > 0) {
            tests.push(test(source, &hits, seen.total_tmms));
        }
    };
    add("accepted connections", seen.accepts.clone());
    add("probes", seen.probes.hits.clone());
    add(
        "bulk posts",
        seen.bulk
            .iter()
            .map(|(&tmm, bulk)| (tmm, bulk.posts))
            .collect(),
    );
    add("answers", seen.answers.clone());
    add("timed writes", writes(seen).unwrap_or_default());
    for report in &seen.reports {
        let (source, rows) = report.hits();
        let mut hits = BTreeMap::new();
        for (tmm, count) in rows {
            let sum: &mut u64 = hits.entry(tmm).or_default();
            *sum = sum.saturating_add(count);
        }
        add(source, hits);
    }
    tests
}

/// Writes that the timed ones stand for, unless sampling hides more than chance does.
///
/// A TMM that logs one write in r shows a multiple of r; what is cut off is spread evenly over r and has variance
/// r²/12. Chance has the variance of the expected count e. With r² at most e the first is below a tenth of the second.
fn writes(seen: &Observations) -> Option<BTreeMap<u16, u64>> {
    let hits: BTreeMap<u16, u64> = seen
        .writes
        .per_tmm
        .iter()
        .map(|(&tmm, writes)| (tmm, writes.stands_for))
        .collect();
    let sum: u128 = hits.values().map(|&hits| u128::from(hits)).sum();
    let coarsest = u128::from(seen.writes.rates.keys().next_back().copied().unwrap_or(1));
    let tmms = tmm_count(&hits, seen.total_tmms) as u128;
    (coarsest * coarsest * tmms <= sum && seen.writes.further_rates == 0).then_some(hits)
}

/// TMMs of the system, where lines say so, and at the least up to the highest that was seen.
fn tmm_count(hits: &BTreeMap<u16, u64>, total: Option<u16>) -> usize {
    let highest = hits
        .keys()
        .next_back()
        .map_or(0, |&tmm| usize::from(tmm) + 1);
    highest.max(usize::from(total.unwrap_or(0)))
}

fn test(source: &str, hits: &BTreeMap<u16, u64>, total_tmms: Option<u16>) -> DagTest {
    let tmms = tmm_count(hits, total_tmms);
    let all: Vec<TmmHits> = (0..tmms)
        .filter_map(|tmm| u16::try_from(tmm).ok())
        .map(|tmm| TmmHits {
            tmm,
            hits: hits.get(&tmm).copied().unwrap_or(0),
        })
        .collect();
    let sum: f64 = all.iter().map(|row| row.hits as f64).sum();
    let expected = sum / tmms as f64;
    let degrees = u32::try_from(tmms.saturating_sub(1)).unwrap_or(u32::MAX);
    let enough = expected >= LEAST_EXPECTED && degrees > 0;
    let chi_square = enough.then(|| {
        let squares = all
            .iter()
            .map(|row| (row.hits as f64 - expected) * (row.hits as f64 - expected));
        squares.sum::<f64>() / expected
    });
    let p_value = chi_square.map(|statistic| chi_square_tail(statistic, degrees));
    DagTest {
        source: source.to_owned(),
        hits: all,
        chi_square,
        degrees,
        p_value,
        reading: reading(p_value, degrees),
    }
}

fn reading(p_value: Option<f64>, degrees: u32) -> String {
    match p_value {
        None if degrees == 0 => "One TMM only: nothing to compare.".to_owned(),
        None => "Fewer than five hits a TMM: too few to test.".to_owned(),
        Some(p) if p < 0.001 => format!(
            "Too uneven for a fair choice per connection ({}): look at how the DAG hashes ports and addresses, and at \
             connections that are kept alive.",
            wording::p_value(p)
        ),
        Some(p) if p < 0.05 => {
            format!(
                "Somewhat uneven ({}): a fair choice gives this now and then.",
                wording::p_value(p)
            )
        }
        Some(p) if p > 0.999 => {
            format!(
                "More even than chance would be ({}): more like a rotation than a hash.",
                wording::p_value(p)
            )
        }
        Some(p) => format!(
            "As even as a fair choice per connection makes it ({}).",
            wording::p_value(p)
        ),
    }
}
