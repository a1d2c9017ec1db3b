//! What a reader of the figures should know before believing them.

use serde::{Deserialize, Serialize};

use super::Source;
use crate::observations::Observations;
use crate::times::TmmTimes;
use crate::wording;

/// Up to this many samples the percentile rule makes p99 the maximum: floor(99 n / 100) is n - 1 for n ≤ 100.
const P99_IS_MAXIMUM: u64 = 100;
/// Samples that leave ten above p99.
const ENOUGH_FOR_P99: u64 = 1000;

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoteKind {
    /// Too few samples for the p99 that is shown.
    SmallSample,
    /// Several sample rates in one log.
    MixedRates,
    /// The rule's threshold is not the one that the verdict uses.
    OtherThreshold,
    /// Tags contradict the threshold.
    TagsDisagree,
    /// A TMM of the system has no timed write.
    SilentTmms,
    /// Counts are rounded.
    Rounded,
    /// Something was beyond what is kept.
    NotKept,
    /// The last line was cut off.
    CutOff,
    /// Lines of ours were broken.
    Malformed,
    /// The table is copied from a report.
    FromReport,
    /// The input has timed writes and an analyser's table.
    TwoTables,
}

/// One thing to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// The note in words.
    pub text: String,
}

pub(super) fn collect(
    seen: &Observations,
    source: Source,
    rows: &[TmmTimes],
    threshold: u32,
) -> Vec<Note> {
    let notes = [
        (NoteKind::SmallSample, small_sample(seen, rows)),
        (NoteKind::MixedRates, mixed_rates(seen)),
        (NoteKind::OtherThreshold, other_threshold(seen, threshold)),
        (NoteKind::TagsDisagree, tags_disagree(seen, threshold)),
        (NoteKind::SilentTmms, silent(seen, rows)),
        (NoteKind::Rounded, rounded(seen)),
        (NoteKind::NotKept, not_kept(seen)),
        (NoteKind::CutOff, cut_off(seen)),
        (NoteKind::Malformed, malformed(seen)),
        (NoteKind::FromReport, from_report(source)),
        (NoteKind::TwoTables, two_tables(seen, source)),
    ];
    notes
        .into_iter()
        .filter_map(|(kind, text)| Some(Note { kind, text: text? }))
        .collect()
}

fn small_sample(seen: &Observations, rows: &[TmmTimes]) -> Option<String> {
    let timed = || rows.iter().filter(|row| row.n > 0);
    let small: Vec<u16> = timed()
        .filter(|row| row.n <= P99_IS_MAXIMUM)
        .map(|row| row.tmm)
        .collect();
    if small.is_empty() {
        return None;
    }
    let fewest = timed().map(|row| row.n).min()?;
    Some(format!(
        "{}: p99 is the maximum, for it is so up to 100 samples (the fewest here are {fewest}). The largest of 299 \
         samples is at or above the true p99 with 95 % confidence; {} leave ten above it.{}",
        wording::tmms(&small),
        wording::grouped(ENOUGH_FOR_P99),
        denser_sampling(seen, &small).unwrap_or_default()
    ))
}

/// The sample rate that would have given enough samples on each of the TMMs.
fn denser_sampling(seen: &Observations, tmms: &[u16]) -> Option<String> {
    let coarsest = *seen.writes.rates.keys().next_back()?;
    let of = tmms.iter().filter_map(|tmm| seen.writes.per_tmm.get(tmm));
    let writes = of.map(|writes| writes.stands_for).min()?;
    let one_in = writes / ENOUGH_FOR_P99;
    let about = wording::counted(writes, "write", "writes");
    match one_in {
        0 => Some(format!(
            " With about {about} a TMM even logging every one would not."
        )),
        _ if one_in >= u64::from(coarsest) => None,
        _ => Some(format!(
            " With about {about} a TMM, logging one in {} would give that many.",
            wording::grouped(one_in)
        )),
    }
}

fn mixed_rates(seen: &Observations) -> Option<String> {
    let rates = &seen.writes.rates;
    (rates.len() > 1).then(|| {
        let list: Vec<String> = rates.keys().take(8).map(|rate| format!("1/{rate}")).collect();
        format!(
            "Several sample rates ({}{}): averages and percentiles weigh each line alike, so the times logged more \
             densely count for more.",
            list.join(", "),
            if rates.len() > 8 { ", …" } else { "" }
        )
    })
}

fn other_threshold(seen: &Observations, threshold: u32) -> Option<String> {
    let rule = seen.rule.filter(|rule| rule.fast_threshold != threshold)?;
    Some(format!(
        "The rule was loaded with fast_threshold={}; the verdict here uses {threshold} clicks.",
        rule.fast_threshold
    ))
}

fn tags_disagree(seen: &Observations, threshold: u32) -> Option<String> {
    let fast = seen
        .writes
        .fast_tag_max
        .filter(|&clicks| clicks >= threshold);
    let slow = seen
        .writes
        .slow_tag_min
        .filter(|&clicks| clicks < threshold);
    let what = match (fast, slow) {
        (None, None) => return None,
        (Some(fast), None) => format!("A write of {fast} clicks is tagged FAST_LOCAL"),
        (None, Some(slow)) => format!("A write of {slow} clicks is tagged SLOW"),
        (Some(fast), Some(slow)) => {
            format!(
                "A write of {fast} clicks is tagged FAST_LOCAL and one of {slow} is tagged SLOW"
            )
        }
    };
    Some(format!(
        "{what}: the rule that logged it did not use the {threshold} clicks of this verdict."
    ))
}

fn silent(seen: &Observations, rows: &[TmmTimes]) -> Option<String> {
    if rows.is_empty() {
        return None;
    }
    let timed = |tmm: &u16| rows.iter().any(|row| row.tmm == *tmm && row.n > 0);
    let silent: Vec<u16> = (0..seen.total_tmms?).filter(|tmm| !timed(tmm)).collect();
    (!silent.is_empty()).then(|| {
        format!(
            "No timed write of {}: the verdict does not cover that.",
            wording::tmms(&silent)
        )
    })
}

fn rounded(seen: &Observations) -> Option<String> {
    let step = seen
        .writes
        .per_tmm
        .values()
        .map(crate::observations::TmmWrites::step)
        .max()?;
    (step > 1).then(|| {
        format!(
            "So many different clicks that medians and percentiles are rounded down to a multiple of {}; all other \
             figures are exact.",
            wording::grouped(u64::from(step))
        )
    })
}

fn not_kept(seen: &Observations) -> Option<String> {
    let (probes, discoveries) = (seen.probes.not_kept, seen.discoveries.not_kept);
    (probes + discoveries > 0).then(|| {
        format!(
            "{} of names beyond the {} kept, {} beyond the different results kept.",
            wording::counted(probes, "probe", "probes"),
            wording::grouped(crate::limits::MAX_PROBED_PAIRS as u64),
            wording::counted(discoveries, "discovery", "discoveries")
        )
    })
}

fn cut_off(seen: &Observations) -> Option<String> {
    let cut = seen
        .lines
        .first_malformed
        .iter()
        .any(|line| line.fault == crate::faults::Fault::CutOff);
    (cut && seen.unterminated)
        .then(|| "The input ends in the middle of a line, which was not used.".to_owned())
}

fn malformed(seen: &Observations) -> Option<String> {
    let broken = seen.lines.malformed;
    (broken > 0).then(|| {
        format!(
            "{} of the harness's own could not be used: see the list.",
            wording::counted(broken, "line", "lines")
        )
    })
}

fn from_report(source: Source) -> Option<String> {
    (source == Source::AnalyserTable)
        .then(|| "The table is copied from the analyser's report; there were no timed writes to work it out from.".to_owned())
}

fn two_tables(seen: &Observations, source: Source) -> Option<String> {
    let printed = seen
        .reports
        .iter()
        .any(|report| matches!(report, crate::reports::Report::Analyser { .. }));
    (printed && source == Source::Lines).then(|| {
        "The input has timed writes and an analyser's table. The figures here are worked out from the writes; if those \
         are only the slow ones that the analyser listed, trust its table."
            .to_owned()
    })
}
