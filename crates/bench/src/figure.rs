//! The figures: their keys, their units, and what they should be.

use serde::{Deserialize, Serialize};

/// What a figure should be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// Not more than this.
    AtMost(f64),
    /// Not less than this.
    AtLeast(f64),
}

impl Goal {
    /// Whether a value is as it should be.
    #[must_use]
    pub fn is_met_by(self, value: f64) -> bool {
        match self {
            Self::AtMost(limit) => value <= limit,
            Self::AtLeast(limit) => value >= limit,
        }
    }
}

impl std::fmt::Display for Goal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtMost(limit) => write!(f, "≤ {limit}"),
            Self::AtLeast(limit) => write!(f, "≥ {limit}"),
        }
    }
}

/// Which of the benchmark's parts measures a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `cargo xtask bench`
    Native,
    /// `cargo xtask bench --browser`
    Browser,
    /// `cargo xtask bench --peers`
    Peers,
}

/// A figure that can be measured. Keys do not change: reports over time are compared by them.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Its key in the summary. A `*` stands for a browser's or a peer's name.
    pub key: &'static str,
    /// Which part measures it.
    pub part: Part,
    /// What it is.
    pub what: &'static str,
    /// Its unit; `x` is a ratio.
    pub unit: &'static str,
    /// What it should be, if that was said.
    pub goal: Option<Goal>,
}

const fn figure(
    part: Part,
    key: &'static str,
    what: &'static str,
    unit: &'static str,
    goal: Option<Goal>,
) -> Definition {
    Definition {
        key,
        part,
        what,
        unit,
        goal,
    }
}

use Goal::{AtLeast, AtMost};
use Part::{Browser, Native, Peers};

/// Every figure, in the order of the table.
pub const FIGURES: &[Definition] = &[
    figure(Native, "native.load.ms", "published load run", "ms", None),
    figure(
        Native,
        "native.load.naive_ms",
        "the same in the naive loop",
        "ms",
        None,
    ),
    figure(
        Native,
        "native.load.over_naive",
        "published load run / naive loop",
        "x",
        Some(AtMost(0.6)),
    ),
    figure(
        Native,
        "native.load.ns_per_write",
        "published load run, per write",
        "ns",
        None,
    ),
    figure(
        Native,
        "native.load.events_per_write",
        "events per write of it",
        "",
        None,
    ),
    figure(
        Native,
        "native.broken.ms",
        "published broken run",
        "ms",
        None,
    ),
    figure(
        Native,
        "native.broken.naive_ms",
        "the same in the naive loop",
        "ms",
        None,
    ),
    figure(
        Native,
        "native.broken.over_naive",
        "published broken run / naive loop",
        "x",
        Some(AtMost(0.6)),
    ),
    figure(
        Native,
        "native.broken.ns_per_write",
        "published broken run, per write",
        "ns",
        None,
    ),
    figure(
        Native,
        "native.broken.events_per_write",
        "events per write of it",
        "",
        None,
    ),
    figure(
        Native,
        "native.bulk.ms",
        "bulk, 1,000,000 writes",
        "ms",
        Some(AtMost(15.0)),
    ),
    figure(
        Native,
        "native.bulk.ns_per_write",
        "bulk, per write",
        "ns",
        None,
    ),
    figure(
        Native,
        "native.sweep.efficiency",
        "sweep on all cores / linear",
        "x",
        Some(AtLeast(0.85)),
    ),
    figure(
        Native,
        "growth.writes.deviation",
        "time per write, most by which a run of 1e5 writes or more is off the longest",
        "%",
        Some(AtMost(10.0)),
    ),
    figure(
        Native,
        "growth.writes.most",
        "writes of the longest run",
        "",
        None,
    ),
    figure(
        Native,
        "growth.workers.time",
        "time per write, 65,536 workers / 64 (a logarithm: 2.67)",
        "x",
        Some(AtMost(2.67)),
    ),
    figure(
        Native,
        "growth.tmms.time",
        "time per event, 1,024 TMMs / 4 (a logarithm of their lanes: 3.13)",
        "x",
        Some(AtMost(3.13)),
    ),
    figure(
        Native,
        "growth.memory",
        "resident set, longest run / 1e5 writes",
        "x",
        Some(AtMost(1.1)),
    ),
    figure(
        Native,
        "growth.memory.mib",
        "resident set of the longest run",
        "MiB",
        None,
    ),
    figure(
        Browser,
        "browser.*.load.ms",
        "published load run in the worker, with its report",
        "ms",
        Some(AtMost(3.0)),
    ),
    figure(
        Browser,
        "browser.*.load.over_naive",
        "the same / naive loop run natively",
        "x",
        Some(AtMost(0.6)),
    ),
    figure(
        Browser,
        "browser.*.load.over_native",
        "the same / run natively",
        "x",
        Some(AtMost(1.25)),
    ),
    figure(
        Browser,
        "browser.*.broken.ms",
        "published broken run in the worker, with its report",
        "ms",
        None,
    ),
    figure(
        Browser,
        "browser.*.broken.over_naive",
        "the same / naive loop run natively",
        "x",
        Some(AtMost(0.6)),
    ),
    figure(
        Browser,
        "browser.*.broken.over_native",
        "the same / run natively",
        "x",
        Some(AtMost(1.25)),
    ),
    figure(
        Browser,
        "browser.*.bulk.ms",
        "bulk, 1,000,000 writes, in the worker",
        "ms",
        Some(AtMost(15.0)),
    ),
    figure(
        Browser,
        "browser.*.bulk.over_native",
        "the same / run natively",
        "x",
        Some(AtMost(1.25)),
    ),
    figure(
        Browser,
        "browser.*.event_to_paint_p95.ms",
        "key to paint while a run goes at full speed, 95th percentile",
        "ms",
        Some(AtMost(50.0)),
    ),
    figure(
        Browser,
        "browser.*.script_per_frame_p95.ms",
        "script per frame meanwhile, 95th percentile",
        "ms",
        Some(AtMost(8.0)),
    ),
    figure(
        Browser,
        "browser.*.first_chart.ms",
        "first chart after navigation",
        "ms",
        None,
    ),
    figure(
        Browser,
        "browser.*.memory.growth",
        "resident set in the last minute / the first, at full speed",
        "x",
        Some(AtMost(1.05)),
    ),
    figure(
        Browser,
        "browser.*.memory.minutes",
        "minutes between the two",
        "",
        None,
    ),
    figure(
        Peers,
        "peers.core.ns_per_round",
        "the two-station network in the core, per round",
        "ns",
        None,
    ),
    figure(
        Peers,
        "peers.*.over_core",
        "the same in it / in the core",
        "x",
        None,
    ),
    figure(
        Peers,
        "peers.fastest_rust.over_core",
        "fastest Rust peer / the core",
        "x",
        Some(AtLeast(5.0)),
    ),
    figure(
        Peers,
        "peers.simpy.over_core",
        "SimPy / the core",
        "x",
        Some(AtLeast(100.0)),
    ),
    figure(
        Peers,
        "peers.disagreement",
        "most by which a peer's results differ",
        "%",
        Some(AtMost(1.0)),
    ),
];

/// The definition of a key, and the name that stands in it for the `*`.
#[must_use]
pub fn definition(key: &str) -> Option<(&'static Definition, Option<&str>)> {
    let exact = FIGURES.iter().find(|figure| figure.key == key);
    if let Some(figure) = exact {
        // A key of its own may still name a peer that has figures of the general kind.
        return Some((figure, None));
    }
    FIGURES.iter().find_map(|figure| {
        let (before, after) = figure.key.split_once('*')?;
        let name = key.strip_prefix(before)?.strip_suffix(after)?;
        (!name.is_empty() && !name.contains('.')).then_some((figure, Some(name)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_unique_and_found() {
        for (place, figure) in FIGURES.iter().enumerate() {
            assert!(
                FIGURES[..place].iter().all(|other| other.key != figure.key),
                "{} stands twice",
                figure.key
            );
            let key = figure.key.replace('*', "name");
            let (found, name) = definition(&key).expect("a figure of the table");
            assert_eq!(found.key, figure.key);
            assert_eq!(name.is_some(), figure.key.contains('*'), "{key}");
        }
        for absent in ["", "native.load", "browser..load.ms", "browser.a.b.load.ms"] {
            assert!(definition(absent).is_none(), "{absent}");
        }
    }

    #[test]
    fn goals_include_their_limits() {
        assert!(AtMost(0.6).is_met_by(0.6) && !AtMost(0.6).is_met_by(0.61));
        assert!(AtLeast(5.0).is_met_by(5.0) && !AtLeast(5.0).is_met_by(4.9));
    }
}
