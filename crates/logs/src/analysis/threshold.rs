//! A threshold that tells local from remote, from the two populations of clicks.
//!
//! The rule calls a write local when it took fewer clicks than the threshold. So with threshold T
//! false accepts are P(remote < T) and false rejects are P(local ≥ T). The suggestion makes their sum smallest, and
//! lies in the middle, by ratio, of the thresholds that do.

use serde::{Deserialize, Serialize};

use super::Ownership;
use crate::observations::{Counts, Observations, SubtableWrites, Tally};
use crate::statistics::upper_bound_95;
use crate::wording;

/// One of the two populations. Times are in clicks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Population {
    /// Accesses.
    pub n: u64,
    /// The fewest clicks.
    pub min: u32,
    /// The median.
    pub p50: u32,
    /// The 99th percentile.
    pub p99: u32,
    /// The most clicks.
    pub max: u32,
}

/// How often something went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorRate {
    /// Times that it did.
    pub count: u64,
    /// Of so many.
    pub of: u64,
    /// The share.
    pub rate: f64,
    /// The 95 % upper bound of the probability (Clopper and Pearson): none seen does not mean none.
    pub upper_95: f64,
}

/// What a threshold gets wrong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThresholdErrors {
    /// The threshold, in clicks.
    pub threshold: u32,
    /// Remote accesses below it; absent where none were seen.
    pub false_accepts: Option<ErrorRate>,
    /// Local accesses at or above it; absent where none were seen.
    pub false_rejects: Option<ErrorRate>,
    /// The probability that a name which discovery accepts is remote after all: of N random names one is local, so
    /// (N-1)a / ((N-1)a + 1-r) with a and r the two rates. Absent where N or a rate is unknown.
    pub wrong_names: Option<f64>,
}

/// A threshold for these data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThresholdSuggestion {
    /// The suggestion and its errors; absent where one of the populations is.
    pub suggested: Option<ThresholdErrors>,
    /// The errors of the threshold that the verdict was judged by.
    pub current: ThresholdErrors,
    /// Accesses taken for local.
    pub local: Option<Population>,
    /// Accesses taken for remote.
    pub remote: Option<Population>,
    /// Where all local accesses are faster than all remote ones: the slowest local and the fastest remote.
    pub gap: Option<(u32, u32)>,
    /// The suggestion in words.
    pub reading: String,
}

pub(super) fn suggest(
    seen: &Observations,
    ownership: &[Ownership],
    current: u32,
) -> ThresholdSuggestion {
    let (local, remote) = populations(seen, ownership, current);
    let errors = |threshold| errors(threshold, &local, &remote, seen.total_tmms);
    let suggested = best(&local, &remote).map(errors);
    let gap = local
        .max()
        .zip(remote.min())
        .filter(|(slowest, fastest)| slowest < fastest);
    let (local_summary, remote_summary) = (Population::of(&local), Population::of(&remote));
    ThresholdSuggestion {
        reading: reading(suggested.as_ref(), gap, local_summary, remote_summary),
        suggested,
        current: errors(current),
        local: local_summary,
        remote: remote_summary,
        gap,
    }
}

/// Tells a TMM's local subtables from its remote ones, name by name and not access by access, so that the tails stay
/// whole: by the name's owner where probes tell it, else by the median against the threshold in force.
pub(crate) struct Locality<'a> {
    ownership: &'a [Ownership],
    threshold: u32,
}

impl<'a> Locality<'a> {
    pub(crate) fn new(ownership: &'a [Ownership], threshold: u32) -> Self {
        Self {
            ownership,
            threshold,
        }
    }

    fn owner_of(&self, name: &[u8]) -> Option<u16> {
        let name = wording::shown(name);
        self.ownership
            .iter()
            .find(|known| known.name.as_deref() == Some(&*name))?
            .likely_owner
    }

    pub(crate) fn is_local(&self, tmm: u16, subtable: &SubtableWrites) -> bool {
        match self.owner_of(&subtable.name) {
            Some(owner) => owner == tmm,
            None => subtable.clicks.counts().percentile(50) < self.threshold,
        }
    }
}

/// Local and remote accesses.
pub(crate) fn populations(
    seen: &Observations,
    ownership: &[Ownership],
    threshold: u32,
) -> (Counts, Counts) {
    let locality = Locality::new(ownership, threshold);
    let (mut local, mut remote): (Vec<&Tally>, Vec<&Tally>) = (Vec::new(), Vec::new());
    for (&tmm, writes) in &seen.writes.per_tmm {
        for subtable in &writes.subtables {
            if locality.is_local(tmm, subtable) {
                local.push(&subtable.clicks);
            } else {
                remote.push(&subtable.clicks);
            }
        }
    }
    for (name, tmms) in &seen.probes.names {
        let Some(owner) = locality.owner_of(name) else {
            continue;
        };
        for (&tmm, probe) in tmms {
            if tmm == owner {
                local.push(&probe.clicks);
            } else {
                remote.push(&probe.clicks);
            }
        }
    }
    (Counts::union(local), Counts::union(remote))
}

/// The threshold of the least errors.
fn best(local: &Counts, remote: &Counts) -> Option<u32> {
    let slowest = local.max()?.max(remote.max()?);
    let mut steps: Vec<u32> = local
        .pairs()
        .iter()
        .chain(remote.pairs())
        .map(|&(value, _)| value)
        .collect();
    steps.sort_unstable();
    steps.dedup();
    steps.push(slowest.saturating_add(1));
    let (mut local_below, mut remote_below) = (Below::new(local), Below::new(remote));
    let mut least: Option<(f64, f64, u32)> = None;
    let mut before = 0;
    // All thresholds in (before, step] treat the data alike.
    for step in steps {
        let accepted = remote_below.at(step) as f64 / remote.n() as f64;
        let rejected = 1.0 - local_below.at(step) as f64 / local.n() as f64;
        let cost = accepted + rejected;
        let width = f64::from(step) / f64::from(before.max(1));
        if least
            .is_none_or(|(lowest, widest, _)| cost < lowest || (cost <= lowest && width > widest))
        {
            let middle = libm::sqrt(f64::from(before) * f64::from(step));
            least = Some((cost, width, in_between(middle, before, step)));
        }
        before = step;
    }
    least.map(|(_, _, threshold)| threshold)
}

/// The whole number next to the middle that is in (before, step].
fn in_between(middle: f64, before: u32, step: u32) -> u32 {
    // `as` saturates, and the square root of a product of two u32 is one.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and u32::MAX"
    )]
    let rounded = libm::round(middle) as u32;
    rounded.clamp(before.saturating_add(1).min(step), step)
}

/// How many values are below a limit that only rises.
struct Below<'a> {
    rest: &'a [(u32, u64)],
    count: u64,
}

impl<'a> Below<'a> {
    fn new(counts: &'a Counts) -> Self {
        Self {
            rest: counts.pairs(),
            count: 0,
        }
    }

    fn at(&mut self, limit: u32) -> u64 {
        while let [(value, times), rest @ ..] = self.rest
            && *value < limit
        {
            self.count += times;
            self.rest = rest;
        }
        self.count
    }
}

fn errors(
    threshold: u32,
    local: &Counts,
    remote: &Counts,
    total_tmms: Option<u16>,
) -> ThresholdErrors {
    let false_accepts = ErrorRate::of(remote.below(threshold), remote.n());
    let false_rejects = ErrorRate::of(local.n() - local.below(threshold), local.n());
    let wrong_names = match (total_tmms, false_accepts, false_rejects) {
        (Some(tmms), Some(accepts), Some(rejects)) => {
            let wrong = (f64::from(tmms) - 1.0) * accepts.rate;
            let all = wrong + 1.0 - rejects.rate;
            (all > 0.0).then(|| wrong / all)
        }
        _ => None,
    };
    ThresholdErrors {
        threshold,
        false_accepts,
        false_rejects,
        wrong_names,
    }
}

impl ErrorRate {
    fn of(count: u64, of: u64) -> Option<Self> {
        (of > 0).then(|| Self {
            count,
            of,
            rate: count as f64 / of as f64,
            upper_95: upper_bound_95(count, of),
        })
    }
}

impl Population {
    fn of(counts: &Counts) -> Option<Self> {
        Some(Self {
            n: counts.n(),
            min: counts.min()?,
            p50: counts.percentile(50),
            p99: counts.percentile(99),
            max: counts.max()?,
        })
    }
}

fn reading(
    suggested: Option<&ThresholdErrors>,
    gap: Option<(u32, u32)>,
    local: Option<Population>,
    remote: Option<Population>,
) -> String {
    match (suggested, local, remote) {
        (Some(suggested), Some(local), Some(remote)) => {
            let threshold = suggested.threshold;
            let bound =
                |rate: Option<ErrorRate>| wording::percent(rate.map_or(1.0, |rate| rate.upper_95));
            let bounds = format!(
                "false accepts at most {}, false rejects at most {} with 95 % confidence",
                bound(suggested.false_accepts),
                bound(suggested.false_rejects)
            );
            match gap {
                Some((slowest, fastest)) => format!(
                    "{threshold} clicks: between the slowest local access ({slowest}) and the fastest remote one \
                     ({fastest}); {bounds}."
                ),
                None => format!(
                    "{threshold} clicks makes the fewest errors, but the populations overlap (local up to {}, remote \
                     from {}); {bounds}.",
                    local.max, remote.min
                ),
            }
        }
        (_, Some(local), None) => format!(
            "No remote access was seen, so nothing bounds a threshold from above; anything over {} clicks keeps all \
             local ones. Probe one name from every TMM to see remote times.",
            local.max
        ),
        (_, None, Some(remote)) => format!(
            "No local access was seen, so nothing bounds a threshold from below; anything up to {} clicks refuses all \
             remote ones.",
            remote.min
        ),
        _ => "No single times were read, so there are no local and remote ones to tell apart."
            .to_owned(),
    }
}
