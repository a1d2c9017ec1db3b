//! Two analyses side by side: before a change and after it.

use serde::{Deserialize, Serialize};

use super::Analysis;
use crate::times::{TmmTimes, TotalTimes};
use crate::wording;

/// What became of the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictChange {
    /// A locality issue before, none after.
    Fixed,
    /// None before, one after.
    Broken,
    /// Locality holds in both.
    StillOk,
    /// A locality issue in both.
    StillSlow,
    /// One of the two has no verdict.
    Unknown,
}

/// One TMM before and after.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TmmChange {
    /// The TMM.
    pub tmm: u16,
    /// Its row before; absent where it had no timed write.
    pub before: Option<TmmTimes>,
    /// Its row after; absent where it had no timed write.
    pub after: Option<TmmTimes>,
    /// Average after divided by average before; absent where either is missing or the first is 0.
    pub avg_ratio: Option<f64>,
    /// Median after divided by median before, likewise.
    pub p50_ratio: Option<f64>,
    /// p99 after divided by p99 before, likewise.
    pub p99_ratio: Option<f64>,
}

/// Two analyses side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// What became of the verdict.
    pub verdict: VerdictChange,
    /// TMMs that were slow before and are not after.
    pub fixed_tmms: Vec<u16>,
    /// TMMs that are slow after and were not before.
    pub broken_tmms: Vec<u16>,
    /// One entry a TMM that is in either, ascending.
    pub per_tmm: Vec<TmmChange>,
    /// All TMMs together, before.
    pub total_before: Option<TotalTimes>,
    /// All TMMs together, after.
    pub total_after: Option<TotalTimes>,
    /// Overall average after divided by the one before.
    pub avg_ratio: Option<f64>,
    /// The comparison in words.
    pub summary: String,
}

/// Compares an analysis with a later one. Each is judged by its own threshold.
#[must_use]
pub fn compare(before: &Analysis, after: &Analysis) -> Comparison {
    let verdict = match (&before.verdict, &after.verdict) {
        (Some(was), Some(is)) => match (was.ok, is.ok) {
            (false, true) => VerdictChange::Fixed,
            (true, false) => VerdictChange::Broken,
            (true, true) => VerdictChange::StillOk,
            (false, false) => VerdictChange::StillSlow,
        },
        _ => VerdictChange::Unknown,
    };
    let per_tmm = changes(&before.per_tmm, &after.per_tmm);
    let timed = |rows: &[TmmTimes], tmm: u16| rows.iter().any(|row| row.tmm == tmm && row.n > 0);
    let slow = |analysis: &Analysis| {
        analysis
            .verdict
            .as_ref()
            .map_or(Vec::new(), |verdict| verdict.slow_tmms.clone())
    };
    let (slow_before, slow_after) = (slow(before), slow(after));
    let only = |list: &[u16], other: &[u16], other_rows: &[TmmTimes]| -> Vec<u16> {
        list.iter()
            .copied()
            .filter(|tmm| !other.contains(tmm) && timed(other_rows, *tmm))
            .collect()
    };
    let mut comparison = Comparison {
        verdict,
        fixed_tmms: only(&slow_before, &slow_after, &after.per_tmm),
        broken_tmms: only(&slow_after, &slow_before, &before.per_tmm),
        per_tmm,
        total_before: before.total,
        total_after: after.total,
        avg_ratio: before
            .total
            .zip(after.total)
            .and_then(|(was, is)| ratio(was.avg, is.avg)),
        summary: String::new(),
    };
    comparison.summary = comparison.summarise();
    comparison
}

fn changes(before: &[TmmTimes], after: &[TmmTimes]) -> Vec<TmmChange> {
    let find =
        |rows: &[TmmTimes], tmm: u16| rows.iter().find(|row| row.tmm == tmm && row.n > 0).copied();
    let mut tmms: Vec<u16> = before.iter().chain(after).map(|row| row.tmm).collect();
    tmms.sort_unstable();
    tmms.dedup();
    let change = |tmm| {
        let (before, after) = (find(before, tmm), find(after, tmm));
        let of =
            |figure: fn(&TmmTimes) -> f64| ratio(figure(before.as_ref()?), figure(after.as_ref()?));
        TmmChange {
            tmm,
            before,
            after,
            avg_ratio: of(|row| row.avg),
            p50_ratio: of(|row| f64::from(row.p50)),
            p99_ratio: of(|row| f64::from(row.p99)),
        }
    };
    tmms.into_iter().map(change).collect()
}

fn ratio(before: f64, after: f64) -> Option<f64> {
    (before > 0.0).then(|| after / before)
}

impl Comparison {
    fn summarise(&self) -> String {
        let what = match self.verdict {
            VerdictChange::Fixed => "Fixed: a locality issue before, none after",
            VerdictChange::Broken => "Broken: locality held before, and does not after",
            VerdictChange::StillOk => "Locality holds in both",
            VerdictChange::StillSlow => "A locality issue in both",
            VerdictChange::Unknown => {
                return "Not comparable: one of the two has no timed writes.".to_owned();
            }
        };
        let which = |tmms: &[u16], how: &str| match tmms {
            [] => String::new(),
            _ => format!("; {how} slow: {}", wording::tmms(tmms)),
        };
        let (fixed, broken) = match self.verdict {
            VerdictChange::StillSlow => (
                which(&self.fixed_tmms, "no longer"),
                which(&self.broken_tmms, "newly"),
            ),
            _ => (String::new(), String::new()),
        };
        let average = match (self.total_before, self.total_after) {
            (Some(was), Some(is)) => {
                format!(
                    "; the average went from {:.1} to {:.1} clicks{}",
                    was.avg,
                    is.avg,
                    self.how_much()
                )
            }
            _ => String::new(),
        };
        format!("{what}{fixed}{broken}{average}.")
    }

    fn how_much(&self) -> String {
        match self.avg_ratio {
            Some(ratio) if ratio > 0.0 && ratio < 1.0 => {
                format!(", {:.1} times faster", 1.0 / ratio)
            }
            Some(ratio) if ratio > 1.0 => format!(", {ratio:.1} times slower"),
            _ => String::new(),
        }
    }
}
