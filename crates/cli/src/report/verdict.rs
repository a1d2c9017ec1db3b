//! The verdict of a report, as data and in words.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use subtable_model::snapshot;

use super::{Report, TmmRow};
use crate::tables::grouped;

/// Whether the writes are local. A TMM whose average is at or above the threshold is a locality issue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// No TMM is slow.
    pub ok: bool,
    /// The TMMs whose average is at or above the threshold.
    pub slow_tmms: Vec<u32>,
    /// What was averaged.
    pub basis: Basis,
}

/// What a verdict rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The sampled writes, as for the reader of a log.
    Sampled,
    /// All writes, because nothing was logged.
    AllWrites,
    /// Nothing: there were no writes.
    Nothing,
}

impl From<snapshot::Verdict> for Verdict {
    fn from(verdict: snapshot::Verdict) -> Self {
        Self {
            ok: verdict.ok,
            slow_tmms: verdict.slow_tmms,
            basis: match verdict.basis {
                snapshot::Basis::Sampled => Basis::Sampled,
                snapshot::Basis::AllWrites => Basis::AllWrites,
                snapshot::Basis::Nothing => Basis::Nothing,
            },
        }
    }
}

/// TMMs that a sentence names one by one; of more it gives the number.
const NAMED: usize = 8;

impl Report {
    /// The verdict in sentences: what was found, what it rests on, and where the slow TMMs write to.
    #[must_use]
    pub fn verdict_in_words(&self) -> String {
        let threshold = grouped(self.scenario.threshold() as f64, 0);
        let basis = match self.verdict.basis {
            Basis::Sampled => format!("{} sampled writes", grouped(self.totals.samples as f64, 0)),
            Basis::AllWrites => "all writes, because none was logged".to_string(),
            Basis::Nothing => return "No verdict: nothing was written.".to_string(),
        };
        let slow: Vec<&TmmRow> = self
            .per_tmm
            .iter()
            .filter(|row| self.verdict.slow_tmms.contains(&row.tmm))
            .collect();
        let mut words = if self.verdict.ok {
            format!("OK: every TMM averages below {threshold} clicks")
                + &self.slowest_in_words()
                + &format!(" (from {basis}).")
        } else {
            format!(
                "LOCALITY ISSUE: {} of {} TMMs average {threshold} clicks or more (from {basis}): {}.{}",
                slow.len(),
                self.per_tmm.len(),
                listed(slow.iter().map(|row| format!(
                    "TMM {} {}",
                    row.tmm,
                    grouped(row.avg.unwrap_or_default(), 1)
                ))),
                owners_in_words(&slow)
            )
        };
        words.push_str(&self.unjudged_in_words());
        words
    }

    fn slowest_in_words(&self) -> String {
        let averages = self
            .per_tmm
            .iter()
            .filter_map(|row| Some((row.tmm, row.avg?)));
        let slowest = averages.max_by(|(_, a), (_, b)| a.total_cmp(b));
        slowest.map_or_else(String::new, |(tmm, avg)| {
            format!("; the slowest is TMM {tmm} with {}", grouped(avg, 1))
        })
    }

    /// A TMM without a sampled write was not judged, which an OK must not hide.
    fn unjudged_in_words(&self) -> String {
        let unjudged: Vec<u32> = self
            .per_tmm
            .iter()
            .filter(|row| row.n() == 0)
            .map(|row| row.tmm)
            .collect();
        if unjudged.is_empty() {
            String::new()
        } else {
            let tmms = listed(unjudged.iter().map(|tmm| format!("TMM {tmm}")));
            format!(" Not judged, for want of values: {tmms}.")
        }
    }
}

/// Whose subtables the slow TMMs write to.
fn owners_in_words(slow: &[&TmmRow]) -> String {
    let mut words = String::new();
    let elsewhere = slow
        .iter()
        .filter_map(|row| Some((row.tmm, row.owner?)))
        .filter(|(tmm, owner)| tmm != owner)
        .map(|(tmm, owner)| format!("{tmm} to {owner}"));
    let elsewhere = listed(elsewhere);
    if !elsewhere.is_empty() {
        let _ = write!(words, " Their subtables belong to other TMMs: {elsewhere}.");
    }
    let own = slow.iter().filter(|row| row.owner == Some(row.tmm));
    let own = listed(own.map(|row| format!("TMM {}", row.tmm)));
    if !own.is_empty() {
        let _ = write!(words, " Slow although the owner: {own}.");
    }
    words
}

/// `a, b and c`, or the first few `and 12 more`.
fn listed(items: impl Iterator<Item = String>) -> String {
    let mut items: Vec<String> = items.collect();
    if items.len() > NAMED + 1 {
        let more = items.len() - NAMED;
        items.truncate(NAMED);
        items.push(format!("{more} more"));
    }
    match items.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use subtable_model::scenario::link;

    use super::*;

    fn report(settings: &[(&str, &str)]) -> Report {
        let mut run = link::Run::default();
        for (id, value) in settings {
            run.scenario.set(id, value).unwrap();
        }
        let snapshot = subtable_model::run(&run.scenario, run.seed);
        Report::new(&run, &snapshot, 10)
    }

    #[test]
    fn a_locality_issue_names_the_tmms_and_the_owners() {
        let words = report(&[("records", "4000"), ("log-every", "100")]).verdict_in_words();
        assert!(
            words.starts_with("LOCALITY ISSUE: 3 of 4 TMMs average 100 clicks or more (from "),
            "{words}"
        );
        assert!(
            words.ends_with("Their subtables belong to other TMMs: 0 to 2, 1 to 2 and 2 to 3."),
            "{words}"
        );
    }

    #[test]
    fn an_ok_says_what_it_rests_on() {
        let words = report(&[
            ("records", "4000"),
            ("log-every", "0"),
            ("naming", "random-probe"),
        ])
        .verdict_in_words();
        assert!(
            words.starts_with("OK: every TMM averages below 100 clicks; the slowest is TMM "),
            "{words}"
        );
        assert!(
            words.ends_with("(from all writes, because none was logged)."),
            "{words}"
        );
    }

    #[test]
    fn a_tmm_without_values_is_named_as_not_judged() {
        // 64 TMMs with about 31 writes each, sampled one in 31: about half of them have no sample.
        let report = report(&[("records", "2000"), ("log-every", "31"), ("tmms", "64")]);
        let missing = report.per_tmm.iter().filter(|row| row.n() == 0).count();
        assert!((5..60).contains(&missing), "{missing}");
        let words = report.verdict_in_words();
        assert!(
            words.contains("Not judged, for want of values: TMM "),
            "{words}"
        );
        assert!(
            report
                .per_tmm
                .iter()
                .all(|row| row.avg.is_some() == (row.n() > 0))
        );
    }

    #[test]
    fn lists_stay_short() {
        let list = |n: usize| listed((0..n).map(|i| i.to_string()));
        assert_eq!(list(0), "");
        assert_eq!(list(1), "0");
        assert_eq!(list(3), "0, 1 and 2");
        assert_eq!(list(9), "0, 1, 2, 3, 4, 5, 6, 7 and 8");
        assert_eq!(list(10), "0, 1, 2, 3, 4, 5, 6, 7 and 2 more");
    }
}
