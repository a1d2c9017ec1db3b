//! The report of a run, as JSON: schema `subtable-lab/run`, version 1.
//!
//! A reader may rely on every field described here. Fields may be added without a new version; a field that changes its
//! meaning or goes makes a new version. Times are in clicks (1 click = 1 microsecond) where nothing else is said, seconds
//! are of simulated time, and a value that does not exist (the median of nothing) is `null`.
//!
//! [`Report::new`] makes one of a finished run, [`read`] reads one back and believes nothing of it.

mod reading;
mod verdict;

use serde::{Deserialize, Serialize};
use subtable_model::Snapshot;
use subtable_model::preset::Preset;
use subtable_model::scenario::{Scenario, link};
use subtable_model::snapshot::TmmSnapshot;

pub use reading::{LONGEST, ReadError, read};
pub use verdict::{Basis, Verdict};

/// Name of the schema.
pub const SCHEMA: &str = "subtable-lab/run";
/// Version of the schema.
pub const VERSION: u32 = 1;

/// What a run was and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The [`VERSION`] of the schema.
    pub version: u32,
    /// Id of the preset that the run began with.
    pub preset: String,
    /// Every parameter by id: numbers as numbers, choices as words. When read, an absent parameter has its default.
    #[serde(deserialize_with = "reading::scenario")]
    pub scenario: Scenario,
    /// The seed.
    pub seed: u64,
    /// The run as a link: what follows the `#` of the page's address.
    pub link: String,
    /// Each TMM, by number.
    pub per_tmm: Vec<TmmRow>,
    /// Whether the writes are local.
    pub verdict: Verdict,
    /// Rates over the course of the run, in equal stretches.
    pub throughput: Vec<Rates>,
    /// Of the whole run.
    pub totals: Totals,
    /// Sixteen hexadecimal digits that stand for everything that can be seen of the run: equal on every machine for the
    /// same scenario and seed.
    pub result_hash: String,
}

/// One TMM. The click figures are of its sampled writes, as the analyser of a log would have them; when nothing at all
/// was logged in the run (`verdict.basis` is then `all-writes`) they are of all its writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TmmRow {
    /// Its number.
    pub tmm: u32,
    /// Connections that the DAG gave to it.
    pub hits: u64,
    /// Writes of the requests that it accepted.
    pub writes: u64,
    /// Writes that were sampled for the log.
    pub samples: u64,
    /// Writes below the threshold, of those that the row is about.
    pub fast: u64,
    /// Writes at or above it.
    pub slow: u64,
    /// Least.
    pub min: Option<u32>,
    /// Median.
    pub p50: Option<u32>,
    /// Mean.
    pub avg: Option<f64>,
    /// 95th percentile: `sorted[floor(n * 95 / 100)]`, as for the others.
    pub p95: Option<u32>,
    /// 99th percentile; the maximum when there are no more than 100 values.
    pub p99: Option<u32>,
    /// Greatest.
    pub max: Option<u32>,
    /// Name of the subtable that it writes to; `null` when it never needed one.
    pub name: Option<String>,
    /// The TMM that owns that subtable.
    pub owner: Option<u32>,
    /// Names of the subtables in use that it owns, whoever writes to them.
    pub owner_of: Vec<String>,
    /// Names that it tried in search of a local one.
    pub tries: u64,
}

impl TmmRow {
    /// Values that the click figures are made of.
    #[must_use]
    pub const fn n(&self) -> u64 {
        self.fast.saturating_add(self.slow)
    }
}

/// Rates in one stretch of the run. All stretches are equally long, so that the first `t_s` is also the length.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// End of the stretch, in seconds from the start of the run.
    pub t_s: f64,
    /// Writes per second.
    pub writes_per_s: f64,
    /// Log lines per second that reached the daemon.
    pub lines_per_s: f64,
    /// Log lines per second that found its buffer full.
    pub dropped_per_s: f64,
}

/// Sums over the run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Requests that had their replies.
    pub requests: u64,
    /// Until the last reply, in seconds.
    pub elapsed_s: f64,
    /// Requests, and with them writes, per second until the last reply.
    pub writes_per_s: f64,
    /// Writes that were sampled for the log.
    pub samples: u64,
    /// Log lines that the daemon took: sampled writes, and a line for each search for a name.
    pub log_lines: u64,
    /// Log lines that were lost because its buffer was full.
    pub log_dropped: u64,
    /// Names tried in search of local ones.
    pub probes: u64,
    /// Share of the writes whose acceptor was the owner, 0 to 1; `null` when there were none.
    pub local_share: Option<f64>,
}

impl Report {
    /// The report of a run, with its rates in at most `stretches` stretches.
    #[must_use]
    pub fn new(run: &link::Run, snapshot: &Snapshot, stretches: usize) -> Self {
        Self {
            schema: SCHEMA.to_string(),
            version: VERSION,
            preset: run.preset.id.to_string(),
            scenario: run.scenario.clone(),
            seed: run.seed,
            link: link::encode(run),
            per_tmm: rows(snapshot),
            verdict: snapshot.verdict().into(),
            throughput: rates(snapshot, stretches),
            totals: totals(snapshot),
            result_hash: snapshot.hash_text(),
        }
    }

    /// The parameters that differ from the preset's, with their text.
    #[must_use]
    pub fn changes(&self) -> Vec<(&'static str, String)> {
        let preset = Preset::find(&self.preset);
        let base = preset.map_or_else(Scenario::default, Preset::scenario);
        let changes = self.scenario.changes_from(&base);
        changes
            .map(|(parameter, text)| (parameter.id, text))
            .collect()
    }
}

fn rows(snapshot: &Snapshot) -> Vec<TmmRow> {
    let mut owned = vec![Vec::new(); snapshot.tmms.len()];
    for subtable in &snapshot.subtables {
        if let Some(names) = owned.get_mut(subtable.owner as usize) {
            names.push(subtable.name.clone());
        }
    }
    let sampled = snapshot.verdict().basis == subtable_model::snapshot::Basis::Sampled;
    (0_u32..)
        .zip(&snapshot.tmms)
        .zip(owned)
        .map(|((number, tmm), owner_of)| row(snapshot, number, tmm, sampled, owner_of))
        .collect()
}

fn row(
    snapshot: &Snapshot,
    number: u32,
    tmm: &TmmSnapshot,
    sampled: bool,
    owner_of: Vec<String>,
) -> TmmRow {
    let clicks = if sampled { &tmm.sampled } else { &tmm.all };
    let some = clicks.n > 0;
    let subtable = tmm
        .subtable
        .and_then(|index| snapshot.subtables.get(index as usize));
    TmmRow {
        tmm: number,
        hits: tmm.hits,
        writes: tmm.writes,
        samples: tmm.sampled.n,
        fast: clicks.fast,
        slow: clicks.slow,
        min: some.then_some(clicks.min),
        p50: some.then_some(clicks.p50),
        avg: some.then_some(clicks.avg),
        p95: some.then_some(clicks.p95),
        p99: some.then_some(clicks.p99),
        max: some.then_some(clicks.max),
        name: subtable.map(|subtable| subtable.name.clone()),
        owner: subtable.map(|subtable| subtable.owner),
        owner_of,
        tries: tmm.tried,
    }
}

fn rates(snapshot: &Snapshot, stretches: usize) -> Vec<Rates> {
    let (length_s, bins) = snapshot.series.stretches(snapshot.last_reply, stretches);
    (1_u32..)
        .zip(bins)
        .map(|(number, bin)| Rates {
            t_s: f64::from(number) * length_s,
            writes_per_s: f64::from(bin.writes) / length_s,
            lines_per_s: f64::from(bin.lines) / length_s,
            dropped_per_s: f64::from(bin.dropped) / length_s,
        })
        .collect()
}

fn totals(snapshot: &Snapshot) -> Totals {
    Totals {
        requests: snapshot.replies,
        elapsed_s: snapshot.last_reply as f64 / 1e9,
        writes_per_s: snapshot.replies_per_s(),
        samples: snapshot.tmms.iter().map(|tmm| tmm.sampled.n).sum(),
        log_lines: snapshot.log.lines,
        log_dropped: snapshot.log.dropped,
        probes: snapshot.probes(),
        local_share: snapshot.local_share(),
    }
}
