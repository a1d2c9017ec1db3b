//! What of a run a sweep sums up.

use std::fmt::Write as _;

use clap::builder::{PossibleValue, PossibleValuesParser};
use subtable_model::Snapshot;
use subtable_model::snapshot::TmmSnapshot;

/// One number of a run.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The word used in flags and JSON.
    pub id: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// What it is.
    pub says: &'static str,
    /// The number; `None` when the run has none.
    pub of: fn(&Snapshot) -> Option<f64>,
}

/// Every measure; the first one is the default.
pub const MEASURES: &[Measure] = &[
    Measure {
        id: "throughput",
        unit: "requests/s",
        says: "requests per second of simulated time, until the last reply",
        of: |run| Some(run.replies_per_s()),
    },
    Measure {
        id: "elapsed",
        unit: "s",
        says: "simulated time until the last reply",
        of: |run| Some(run.last_reply as f64 / 1e9),
    },
    Measure {
        id: "tries",
        unit: "names",
        says: "names tried per TMM in search of a local one, mean of those that looked",
        of: mean_tries,
    },
    Measure {
        id: "most-tries",
        unit: "names",
        says: "names tried by the TMM that tried most",
        of: |run| run.tmms.iter().map(|tmm| tmm.tried as f64).reduce(f64::max),
    },
    Measure {
        id: "local-share",
        unit: "",
        says: "share of the writes whose acceptor was the owner",
        of: Snapshot::local_share,
    },
    Measure {
        id: "avg-clicks",
        unit: "clicks",
        says: "mean of all writes",
        of: mean_clicks,
    },
    Measure {
        id: "worst-avg-clicks",
        unit: "clicks",
        says: "mean of all writes of the TMM where it is greatest",
        of: |run| written(run).map(|tmm| tmm.all.avg).reduce(f64::max),
    },
    Measure {
        id: "worst-p99-clicks",
        unit: "clicks",
        says: "99th percentile of all writes of the TMM where it is greatest",
        of: |run| {
            written(run)
                .map(|tmm| f64::from(tmm.all.p99))
                .reduce(f64::max)
        },
    },
    Measure {
        id: "max-clicks",
        unit: "clicks",
        says: "the slowest write",
        of: |run| {
            written(run)
                .map(|tmm| f64::from(tmm.all.max))
                .reduce(f64::max)
        },
    },
    Measure {
        id: "slow-tmms",
        unit: "TMMs",
        says: "TMMs that the verdict calls slow",
        of: |run| Some(run.verdict().slow_tmms.len() as f64),
    },
    Measure {
        id: "log-lines",
        unit: "lines",
        says: "log lines that the daemon took",
        of: |run| Some(run.log.lines as f64),
    },
    Measure {
        id: "log-dropped",
        unit: "lines",
        says: "log lines lost because the daemon's buffer was full",
        of: |run| Some(run.log.dropped as f64),
    },
    Measure {
        id: "hits-skew",
        unit: "",
        says: "connections of the TMM that accepted most, over the mean",
        of: hits_skew,
    },
];

/// The TMMs that wrote anything.
fn written(run: &Snapshot) -> impl Iterator<Item = &TmmSnapshot> {
    run.tmms.iter().filter(|tmm| tmm.all.n > 0)
}

fn mean_clicks(run: &Snapshot) -> Option<f64> {
    let n: u64 = written(run).map(|tmm| tmm.all.n).sum();
    let sum: f64 = written(run).map(|tmm| tmm.all.avg * tmm.all.n as f64).sum();
    (n > 0).then(|| sum / n as f64)
}

fn mean_tries(run: &Snapshot) -> Option<f64> {
    let looked = run.tmms.iter().filter(|tmm| tmm.tried > 0).count();
    (looked > 0).then(|| run.probes() as f64 / looked as f64)
}

fn hits_skew(run: &Snapshot) -> Option<f64> {
    let most = run.tmms.iter().map(|tmm| tmm.hits).max()?;
    let all: u64 = run.tmms.iter().map(|tmm| tmm.hits).sum();
    (all > 0).then(|| most as f64 * run.tmms.len() as f64 / all as f64)
}

impl Measure {
    /// The measure of that id.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        MEASURES.iter().find(|measure| measure.id == id)
    }
}

/// Reads the id of a measure.
pub(super) fn parser() -> PossibleValuesParser {
    let values = MEASURES
        .iter()
        .map(|measure| PossibleValue::new(measure.id).help(measure.says));
    PossibleValuesParser::new(values)
}

/// The measures in words, for the help.
pub(super) fn help() -> String {
    let mut text = "Measures:\n".to_string();
    for measure in MEASURES {
        let unit = if measure.unit.is_empty() {
            String::new()
        } else {
            format!(" ({})", measure.unit)
        };
        let _ = writeln!(text, "  {:<17} {}{unit}", measure.id, measure.says);
    }
    text
}

#[cfg(test)]
mod tests {
    use subtable_model::preset::Preset;

    use super::*;

    fn measured(settings: &[(&str, &str)], id: &str) -> Option<f64> {
        let mut scenario = Preset::find("published-discovered").unwrap().scenario();
        for (id, value) in settings {
            scenario.set(id, value).unwrap();
        }
        (Measure::find(id).unwrap().of)(&subtable_model::run(&scenario, 1))
    }

    #[test]
    fn the_mean_of_all_writes_weighs_each_write_alike() {
        let mut scenario = Preset::find("published-deterministic").unwrap().scenario();
        scenario.set("records", "3000").unwrap();
        scenario.set("log-every", "1").unwrap();
        let run = subtable_model::run(&scenario, 1);
        // With every write in the log, the lines hold what the measure sums up.
        let n: u64 = run.tmms.iter().map(|tmm| tmm.sampled.n).sum();
        let sum: f64 = run
            .tmms
            .iter()
            .map(|tmm| tmm.sampled.avg * tmm.sampled.n as f64)
            .sum();
        let mean = mean_clicks(&run).unwrap();
        assert_eq!(n, 3000);
        assert!((mean - sum / 3000.0).abs() < 1e-6, "{mean}");
    }

    #[test]
    fn tries_are_of_those_who_tried() {
        assert_eq!(
            measured(&[("records", "500"), ("naming", "shared")], "tries"),
            None
        );
        let tries = measured(&[("records", "500"), ("tmms", "1")], "tries");
        assert_eq!(tries, Some(1.0), "the first name of a single TMM is local");
    }

    #[test]
    fn a_single_tmm_has_no_skew_and_is_local() {
        let of = |id| measured(&[("records", "500"), ("tmms", "1")], id);
        assert_eq!((of("hits-skew"), of("local-share")), (Some(1.0), Some(1.0)));
        assert_eq!(of("slow-tmms"), Some(0.0));
    }
}
