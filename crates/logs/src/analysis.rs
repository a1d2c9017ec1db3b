//! What the observations mean: tables, a verdict with its causes, and the tests that back them.

mod comparison;
mod dag;
mod discovery;
mod notes;
pub(crate) mod ownership;
pub(crate) mod threshold;
mod verdict;

use serde::{Deserialize, Serialize};

pub use self::comparison::{Comparison, TmmChange, VerdictChange, compare};
pub use self::dag::{DagTest, TmmHits};
pub use self::discovery::{DiscoveryStatistics, GeometricTest, TriesCount};
pub use self::notes::{Note, NoteKind};
pub use self::ownership::{Ownership, ProbeEvidence};
pub use self::threshold::{ErrorRate, Population, ThresholdErrors, ThresholdSuggestion};
pub use self::verdict::{Cause, CauseKind, Verdict};
use crate::faults::LineCounts;
use crate::observations::Observations;
use crate::reports::Report;
use crate::times::{TmmTimes, TotalTimes};
use crate::wording;

/// What the verdict is to be judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// A TMM whose average is at or above this many clicks is a locality issue.
    pub threshold: u32,
}

impl Settings {
    /// The harness's own threshold.
    pub const DEFAULT_THRESHOLD: u32 = 100;
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threshold: Self::DEFAULT_THRESHOLD,
        }
    }
}

/// Where the per-TMM table comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// From timed writes, one by one.
    Lines,
    /// From an analyser's table, as printed; there were no timed writes.
    AnalyserTable,
    /// There is neither.
    Nothing,
}

/// Lines of one sample rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateLines {
    /// One write in this many is logged.
    pub one_in: u32,
    /// Lines that say so.
    pub lines: u64,
}

/// One TMM's timed writes to one subtable. Times are in clicks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubtableTimes {
    /// The TMM that wrote.
    pub tmm: u16,
    /// The subtable; empty where lines do not say, or beyond the number that is told apart.
    pub subtable: String,
    /// Timed writes.
    pub n: u64,
    /// The fewest clicks.
    pub min: u32,
    /// The median.
    pub p50: u32,
    /// The mean.
    pub avg: f64,
    /// The most clicks.
    pub max: u32,
}

/// Bulk posts that one TMM answered.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BulkTimes {
    /// The TMM.
    pub tmm: u16,
    /// Posts.
    pub posts: u64,
    /// Keys written.
    pub writes: u64,
    /// Mean clicks per write.
    pub clicks_per_write: f64,
}

/// The whole analysis: plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// The threshold that the verdict was judged by, in clicks.
    pub threshold: u32,
    /// Where the table comes from.
    pub source: Source,
    /// One row a TMM, ascending.
    pub per_tmm: Vec<TmmTimes>,
    /// All TMMs together; absent where a table without a total line is all there is.
    pub total: Option<TotalTimes>,
    /// The table by the subtable written to.
    pub subtables: Vec<SubtableTimes>,
    /// Sample rates seen (one write in how many), ascending.
    pub sample_rates: Vec<u32>,
    /// How many lines there were of each.
    pub lines_per_rate: Vec<RateLines>,
    /// Whether locality holds; absent where nothing was timed.
    pub verdict: Option<Verdict>,
    /// Who owns which name, with the evidence.
    pub ownership: Vec<Ownership>,
    /// How discovery went; absent where no line tells of one.
    pub discovery: Option<DiscoveryStatistics>,
    /// A threshold that tells local from remote, as far as the data show.
    pub threshold_suggestion: ThresholdSuggestion,
    /// How evenly connections were spread, by each source that tells.
    pub dag: Vec<DagTest>,
    /// Bulk posts by TMM, from answers.
    pub bulk: Vec<BulkTimes>,
    /// TMMs in the system, where a line says so.
    pub total_tmms: Option<u16>,
    /// What a reader of the figures should know.
    pub notes: Vec<Note>,
    /// Text reports found in the input.
    pub reports: Vec<Report>,
    /// What became of the lines.
    pub lines: LineCounts,
}

/// Analyses what was read.
#[must_use]
pub fn analyse(seen: &Observations, settings: Settings) -> Analysis {
    let (source, per_tmm, total) = table(seen);
    let subtables = subtable_rows(seen);
    let ownership = ownership::infer(seen);
    let verdict = verdict::judge(&verdict::Evidence {
        per_tmm: &per_tmm,
        subtables: &subtables,
        ownership: &ownership,
        seen,
        threshold: settings.threshold,
    });
    let threshold_suggestion = threshold::suggest(seen, &ownership, settings.threshold);
    let notes = notes::collect(seen, source, &per_tmm, settings.threshold);
    Analysis {
        threshold: settings.threshold,
        source,
        per_tmm,
        total,
        subtables,
        sample_rates: seen.writes.rates.keys().copied().collect(),
        lines_per_rate: seen
            .writes
            .rates
            .iter()
            .map(|(&one_in, &lines)| RateLines { one_in, lines })
            .collect(),
        verdict,
        ownership,
        discovery: discovery::examine(seen),
        threshold_suggestion,
        dag: dag::examine(seen),
        bulk: bulk_rows(seen),
        total_tmms: seen.total_tmms,
        notes,
        reports: seen.reports.clone(),
        lines: seen.lines.clone(),
    }
}

/// The table from timed writes, or else from the last analyser's table that was read.
fn table(seen: &Observations) -> (Source, Vec<TmmTimes>, Option<TotalTimes>) {
    let writes = &seen.writes.per_tmm;
    if !writes.is_empty() {
        let rows = writes
            .iter()
            .map(|(&tmm, writes)| TmmTimes::of(tmm, writes))
            .collect();
        return (Source::Lines, rows, Some(TotalTimes::of(writes.values())));
    }
    let printed = seen.reports.iter().rev().find_map(|report| match report {
        Report::Analyser { rows, total } if !rows.is_empty() => Some((rows.clone(), *total)),
        _ => None,
    });
    match printed {
        Some((mut rows, total)) => {
            rows.sort_by_key(|row| row.tmm);
            (Source::AnalyserTable, rows, total)
        }
        None => (Source::Nothing, Vec::new(), None),
    }
}

fn subtable_rows(seen: &Observations) -> Vec<SubtableTimes> {
    let mut rows = Vec::new();
    for (&tmm, writes) in &seen.writes.per_tmm {
        for subtable in &writes.subtables {
            let clicks = &subtable.clicks;
            rows.push(SubtableTimes {
                tmm,
                subtable: wording::shown(&subtable.name),
                n: clicks.n(),
                min: clicks.min(),
                p50: clicks.counts().percentile(50),
                avg: clicks.mean(),
                max: clicks.max(),
            });
        }
    }
    rows
}

fn bulk_rows(seen: &Observations) -> Vec<BulkTimes> {
    let rows = seen.bulk.iter().map(|(&tmm, bulk)| BulkTimes {
        tmm,
        posts: bulk.posts,
        writes: bulk.written,
        clicks_per_write: if bulk.written == 0 {
            0.0
        } else {
            bulk.elapsed_clicks as f64 / bulk.written as f64
        },
    });
    rows.collect()
}
