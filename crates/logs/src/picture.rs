//! A log in the form of a run, so that the charts draw both alike and on the same axes.

use subtable_model::statistics::{Population, Summary};
use subtable_model::{Scenario, Simulation, Snapshot};

use crate::Settings;
use crate::analysis::ownership;
use crate::analysis::threshold::Locality;
use crate::observations::{Counts, Observations, TmmWrites};
use crate::times::TmmTimes;

/// The timed writes of a log as the snapshot of a run: for each TMM its table row and its histogram, local and remote
/// told apart subtable by subtable. Nothing else of a run can be told from a log, and stays as it is before the first
/// request. `None` where nothing was timed line by line.
#[must_use]
pub fn snapshot(seen: &Observations, settings: Settings) -> Option<Snapshot> {
    let highest = *seen.writes.per_tmm.keys().next_back()?;
    let tmms = seen.total_tmms.unwrap_or(0).max(highest + 1);
    let mut snapshot = before_a_run(tmms);
    snapshot.threshold = u64::from(settings.threshold);
    snapshot.finished = true;
    let owners = ownership::infer(seen);
    let locality = Locality::new(&owners, settings.threshold);
    for (&tmm, writes) in &seen.writes.per_tmm {
        let Some(place) = snapshot.tmms.get_mut(usize::from(tmm)) else {
            continue;
        };
        let row = summary(tmm, writes);
        (place.hits, place.done, place.writes) = (row.n, row.n, row.n);
        (place.sampled, place.all) = (row, row);
        let (local, remote): (Vec<_>, Vec<_>) = writes
            .subtables
            .iter()
            .partition(|subtable| locality.is_local(tmm, subtable));
        place.local_bins = bins(&Counts::union(local.iter().map(|part| &part.clicks)));
        place.remote_bins = bins(&Counts::union(remote.iter().map(|part| &part.clicks)));
    }
    Some(snapshot)
}

/// A run of that many TMMs, none of which has done anything.
fn before_a_run(tmms: u16) -> Snapshot {
    let mut scenario = Scenario::default();
    for (id, value) in [
        ("tmms", tmms.to_string()),
        ("workers", "1".to_owned()),
        ("records", "1".to_owned()),
    ] {
        let set = scenario.set(id, &value);
        debug_assert!(set.is_ok(), "the reader believes no TMM above 1023");
    }
    let mut snapshot = Simulation::new(&scenario, 1).snapshot();
    // The one request that is about to be sent is none of the log's.
    (snapshot.at_client, snapshot.requests, snapshot.records) = (0, 0, 0);
    snapshot.moves.clear();
    snapshot
}

fn summary(tmm: u16, writes: &TmmWrites) -> Summary {
    let row = TmmTimes::of(tmm, writes);
    Summary {
        n: row.n,
        fast: row.fast,
        slow: row.slow,
        min: row.min,
        p50: row.p50,
        avg: row.avg,
        p95: row.p95,
        p99: row.p99,
        max: row.max,
    }
}

fn bins(counts: &Counts) -> Vec<u32> {
    let mut population = Population::default();
    for &(clicks, times) in counts.pairs() {
        for _ in 0..times {
            population.add(clicks);
        }
    }
    population.log_bins()
}

#[cfg(test)]
mod tests {
    use super::snapshot;
    use crate::{ReadOptions, Reader, Settings};

    fn read(log: &str) -> crate::Observations {
        let mut reader = Reader::new(ReadOptions::default());
        reader.push(log.as_bytes());
        reader.finish()
    }

    #[test]
    fn every_timed_write_is_in_a_bin_of_its_tmm() {
        let log = "tmm=2 subtable=a writes=1 key=k clicks=6 FAST_LOCAL (sampled 1/1)\n\
                   tmm=2 subtable=b writes=2 key=k clicks=20000 SLOW (sampled 1/1)\n\
                   tmm=0 subtable=c writes=1 key=k clicks=7 FAST_LOCAL (sampled 1/1)\n";
        let picture = snapshot(&read(log), Settings::default()).expect("there are timed writes");
        let count = |bins: &[u32]| bins.iter().sum::<u32>();
        let of: Vec<_> = picture
            .tmms
            .iter()
            .map(|tmm| (tmm.all.n, count(&tmm.local_bins), count(&tmm.remote_bins)))
            .collect();
        assert_eq!(of, [(1, 1, 0), (0, 0, 0), (2, 1, 1)]);
        assert_eq!((picture.tmms[2].all.max, picture.threshold), (20_000, 100));
    }

    #[test]
    fn nothing_timed_is_no_picture() {
        assert!(snapshot(&read("hello\n"), Settings::default()).is_none());
    }
}
