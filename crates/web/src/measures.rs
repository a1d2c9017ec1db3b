//! What of a run a sweep sums up. The ids are those of the command line's `sweep --measure`.

use subtable_model::Snapshot;
use subtable_model::snapshot::TmmSnapshot;

/// One number of a run.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// The word used in links.
    pub id: &'static str,
    /// Its name.
    pub label: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// The number; not a number when the run has none.
    pub of: fn(&Snapshot) -> f64,
}

/// Every measure; the first one is the default.
pub const MEASURES: &[Measure] = &[
    Measure {
        id: "throughput",
        label: "Throughput",
        unit: "requests/s",
        of: Snapshot::replies_per_s,
    },
    Measure {
        id: "tries",
        label: "Names tried per TMM",
        unit: "names",
        of: mean_tries,
    },
    Measure {
        id: "local-share",
        label: "Local share of the writes",
        unit: "%",
        of: |run| run.local_share().map_or(f64::NAN, |share| share * 100.0),
    },
    Measure {
        id: "slow-tmms",
        label: "TMMs that the verdict calls slow",
        unit: "TMMs",
        of: |run| run.verdict().slow_tmms.len() as f64,
    },
    Measure {
        id: "false-accepts",
        label: "Remote names taken for local",
        unit: "TMMs",
        of: false_accepts,
    },
    Measure {
        id: "avg-clicks",
        label: "Mean of all writes",
        unit: "clicks",
        of: mean_clicks,
    },
    Measure {
        id: "worst-avg-clicks",
        label: "Mean of the slowest TMM",
        unit: "clicks",
        of: |run| greatest(run, |tmm| tmm.all.avg),
    },
    Measure {
        id: "worst-p99-clicks",
        label: "p99 of the slowest TMM",
        unit: "clicks",
        of: |run| greatest(run, |tmm| f64::from(tmm.all.p99)),
    },
    Measure {
        id: "max-clicks",
        label: "Slowest write",
        unit: "clicks",
        of: |run| greatest(run, |tmm| f64::from(tmm.all.max)),
    },
    Measure {
        id: "log-dropped",
        label: "Log lines dropped",
        unit: "lines",
        of: |run| run.log.dropped as f64,
    },
    Measure {
        id: "elapsed",
        label: "Length of the run",
        unit: "s",
        of: |run| run.last_reply as f64 / 1e9,
    },
];

/// Every measure of a run, in the order of the table.
#[must_use]
pub fn all(run: &Snapshot) -> Vec<f64> {
    MEASURES.iter().map(|measure| (measure.of)(run)).collect()
}

fn written(run: &Snapshot) -> impl Iterator<Item = &TmmSnapshot> {
    run.tmms.iter().filter(|tmm| tmm.all.n > 0)
}

fn greatest(run: &Snapshot, of: impl Fn(&TmmSnapshot) -> f64) -> f64 {
    written(run).map(of).fold(f64::NAN, f64::max)
}

fn mean_clicks(run: &Snapshot) -> f64 {
    let n: u64 = written(run).map(|tmm| tmm.all.n).sum();
    let sum: f64 = written(run).map(|tmm| tmm.all.avg * tmm.all.n as f64).sum();
    sum / n as f64
}

fn mean_tries(run: &Snapshot) -> f64 {
    let looked = run.tmms.iter().filter(|tmm| tmm.tried > 0).count();
    run.probes() as f64 / looked as f64
}

/// TMMs that searched, kept a name, and do not own it.
fn false_accepts(run: &Snapshot) -> f64 {
    let wrong = (0_u32..).zip(&run.tmms).filter(|(number, tmm)| {
        let owner = tmm
            .subtable
            .and_then(|index| run.subtables.get(index as usize))
            .map(|subtable| subtable.owner);
        tmm.tried > 0 && owner.is_some_and(|owner| owner != *number)
    });
    wrong.count() as f64
}

#[cfg(test)]
mod tests {
    use subtable_model::preset::Preset;
    use subtable_model::run;

    use super::*;

    fn measured(preset: &str, id: &str) -> f64 {
        let run = run(&Preset::find(preset).unwrap().scenario(), 1);
        let place = MEASURES.iter().position(|measure| measure.id == id);
        all(&run)[place.unwrap()]
    }

    #[test]
    fn measures_tell_good_runs_from_bad_ones() {
        assert!((measured("published-deterministic", "slow-tmms") - 3.0).abs() < 1e-9);
        assert!((measured("published-discovered", "local-share") - 100.0).abs() < 1e-9);
        assert!(measured("published-discovered", "false-accepts") < 0.5);
        assert!(measured("threshold-too-high", "false-accepts") > 0.5);
        assert!(measured("published-deterministic", "tries").is_nan());
        assert!((measured("minimum-of", "tries") - 28.0).abs() < 1e-9);
    }
}
