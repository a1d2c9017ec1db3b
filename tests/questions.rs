//! Questions that users ask of sharded storage, each answered by a preset.

use subtable_model::preset::Preset;
use subtable_model::results::{Part, Run};
use subtable_model::scenario::{Scenario, ScenarioError};
use subtable_model::statistics::BINS;
use subtable_model::{Budget, Simulation, Snapshot, run};

type Outcome = Result<(), ScenarioError>;

fn preset(id: &str) -> Scenario {
    Preset::find(id).expect("a preset").scenario()
}

/// A preset with changes.
fn changed(id: &str, changes: &[(&str, &str)]) -> Result<Scenario, ScenarioError> {
    let mut scenario = preset(id);
    for (parameter, value) in changes {
        scenario.set(parameter, value)?;
    }
    Ok(scenario)
}

fn bytes(snapshot: &Snapshot) -> u64 {
    snapshot.tmms.iter().map(|tmm| tmm.stored.bytes).sum()
}

/// Largest over mean of what the TMMs store.
fn skew(snapshot: &Snapshot) -> f64 {
    let most = snapshot.tmms.iter().map(|tmm| tmm.stored.bytes).max();
    most.unwrap_or(0) as f64 * snapshot.tmms.len() as f64 / bytes(snapshot) as f64
}

#[test]
fn when_is_a_subtable_per_session_a_bad_idea() -> Outcome {
    let many = run(&preset("per-session"), 1);
    let local = many.local_share().unwrap_or(1.0);
    assert!(
        (local - 0.25).abs() < 0.01,
        "one access in N is local: {local}"
    );
    assert!(
        skew(&many) < 1.2,
        "1,000 sessions even out: {}",
        skew(&many)
    );
    // With as few sessions as TMMs, some TMM has several and some none.
    let few = run(&changed("per-session", &[("sessions", "4")])?, 1);
    assert!(skew(&few) > 1.5, "{}", skew(&few));
    // A subtable that holds one entry costs more than the entry.
    let lonely = run(&changed("per-session", &[("sessions", "100000")])?, 1);
    let discovered = run(&changed("published-discovered", &[("count", "none")])?, 1);
    assert!(bytes(&lonely) > 2 * bytes(&discovered));
    assert!(discovered.local_share() == Some(1.0));
    Ok(())
}

#[test]
fn when_was_an_entry_created_and_last_touched() -> Outcome {
    let scenario = changed(
        "entries-end",
        &[("count", "enumerate"), ("records", "5000")],
    )?;
    let snapshot = run(&scenario, 1);
    for subtable in &snapshot.subtables {
        let age = subtable.oldest.expect("entries that end");
        let second = snapshot.now / 1_000_000_000;
        let (created, touched) = (age.created.unwrap_or(0), age.touched.unwrap_or(0));
        assert_eq!(
            created,
            second - (scenario.lifetime() - age.lifetime_left.unwrap_or(0))
        );
        assert_eq!(
            touched,
            second - (scenario.idle_timeout() - age.timeout_left.unwrap_or(0))
        );
        // Each request lists, and by that touches, all entries: the oldest was touched just now.
        assert!(
            created <= touched && second - touched <= 1,
            "{age:?} at {second} s"
        );
    }
    Ok(())
}

#[test]
fn listing_keeps_entries_alive_unless_told_not_to() -> Outcome {
    let expired = |listing: &str| -> Result<u64, ScenarioError> {
        let changes = [
            ("count", "enumerate"),
            ("lifetime", "0"),
            ("idle-timeout", "2"),
            ("records", "15000"),
            ("listing", listing),
        ];
        let snapshot = run(&changed("entries-end", &changes)?, 1);
        Ok(snapshot
            .subtables
            .iter()
            .map(|subtable| subtable.expired)
            .sum())
    };
    assert_eq!(expired("touch")?, 0);
    assert!(expired("notouch")? > 1000);
    Ok(())
}

#[test]
fn the_incremental_counter_does_not_fall_when_entries_go() {
    let snapshot = run(&preset("entries-end"), 1);
    for tmm in &snapshot.tmms {
        let subtable = &snapshot.subtables[tmm.subtable.expect("a name") as usize];
        assert_eq!(tmm.counter, subtable.entries + subtable.expired);
        // About six seconds of a run of 23 are alive.
        let alive = subtable.entries as f64 / tmm.counter as f64;
        assert!((0.2..0.35).contains(&alive), "{alive}");
    }
}

#[test]
fn a_limit_of_one_kept_by_each_tmm_admits_one_per_tmm() -> Outcome {
    let limit = |changes: &[(&str, &str)]| -> Result<_, ScenarioError> {
        Ok(run(&changed("limit-per-tmm", changes)?, 1)
            .limit
            .expect("a limit"))
    };
    let each = limit(&[])?;
    assert_eq!((each.admitted, each.most), (4 * 500, 4));
    let eight = limit(&[("tmms", "8"), ("records", "60000")])?;
    assert_eq!((eight.admitted, eight.most), (8 * 500, 8));
    // One worker cannot race with itself: a shared count is then exact, at the price of three remote counts in four.
    let shared = limit(&[("naming", "shared"), ("workers", "1")])?;
    assert_eq!((shared.admitted, shared.over), (500, 0));
    Ok(())
}

#[test]
fn counting_and_then_writing_races_where_the_count_is_remote() -> Outcome {
    let over = |changes: &[(&str, &str)]| -> Result<u64, ScenarioError> {
        let scenario = changed("limit-race", changes)?;
        Ok((1..=20)
            .map(|seed| run(&scenario, seed).limit.map_or(0, |limit| limit.over))
            .sum())
    };
    assert!(
        over(&[])? > 20,
        "others count between a remote count and its write"
    );
    assert_eq!(
        over(&[("tmms", "1")])?,
        0,
        "a local count and its write are one turn"
    );
    assert_eq!(over(&[("workers", "1")])?, 0, "nobody to race with");
    Ok(())
}

#[test]
fn keys_spread_by_crc32_are_balanced_in_storage_and_local_once_in_n() {
    let snapshot = run(&preset("spread"), 1);
    let sizes: Vec<u64> = snapshot
        .subtables
        .iter()
        .map(|subtable| subtable.entries)
        .collect();
    assert_eq!(sizes.len(), 12);
    let mean = sizes.iter().sum::<u64>() as f64 / 12.0;
    assert!(
        sizes
            .iter()
            .all(|&size| (size as f64 / mean - 1.0).abs() < 0.05),
        "{sizes:?}"
    );
    // The subtables are even; the hash gives the TMMs unlike numbers of them.
    assert!(skew(&snapshot) > 1.3, "{}", skew(&snapshot));
    let local = snapshot.local_share().unwrap_or(1.0);
    assert!((local - 0.25).abs() < 0.01, "{local}");
}

#[test]
fn counting_on_every_request_is_a_cap() {
    // Time of the last thousand requests over the first: by the entries listed in each.
    let mut simulation = Simulation::new(&preset("count-decay"), 1);
    simulation.advance(Budget::Replies(2000));
    let first = simulation.now() as f64;
    simulation.advance(Budget::Replies(76_000));
    let before = simulation.now() as f64;
    simulation.advance(Budget::Unlimited);
    let last = simulation.now() as f64 - before;
    assert!(
        last > 10.0 * first,
        "{first} ns at first, {last} ns at last"
    );
}

#[test]
fn indefinite_entries_leak_with_each_reload() -> Outcome {
    let orphans =
        |snapshot: &Snapshot| -> u64 { snapshot.tmms.iter().map(|tmm| tmm.stored.orphans).sum() };
    let mut simulation = Simulation::new(&preset("reload"), 1);
    let mut leaked = Vec::new();
    for second in [4, 9, 14, 19] {
        simulation.advance(Budget::Until(second * 1_000_000_000));
        leaked.push(orphans(&simulation.snapshot()));
    }
    assert_eq!(leaked[0], 0);
    assert!(leaked.is_sorted() && leaked[3] > 60_000, "{leaked:?}");
    // Entries that end take their orphans with them; neat names find theirs again.
    let ended = run(&changed("reload", &[("lifetime", "3")])?, 1);
    assert!(orphans(&ended) < 4000, "{}", orphans(&ended));
    let neat = run(&changed("reload", &[("naming", "deterministic")])?, 1);
    assert_eq!(orphans(&neat), 0);
    Ok(())
}

#[test]
fn a_lost_answer_parks_its_flow_and_what_is_behind_it() -> Outcome {
    let whole = run(&changed("lost-answer", &[("lost-answers", "0")])?, 1);
    assert_eq!(whole.given_up, 0);
    let lossy = run(&preset("lost-answer"), 1);
    assert!(
        (20..80).contains(&lossy.given_up),
        "{} of 45,000 answers",
        lossy.given_up
    );
    assert!(lossy.replies_per_s() < 0.9 * whole.replies_per_s());
    assert!(lossy.latency.max >= 5_000_000);
    // The entry is where it belongs all the same: only its writer does not know.
    let stored: u64 = lossy
        .subtables
        .iter()
        .map(|subtable| subtable.entries)
        .sum();
    let counted: u64 = lossy.tmms.iter().map(|tmm| tmm.counter).sum();
    assert_eq!(stored, counted + lossy.given_up);
    // A shorter timeout gives the workers back sooner.
    let short = run(&changed("lost-answer", &[("answer-timeout", "10000")])?, 1);
    assert!(short.replies_per_s() > 0.99 * whole.replies_per_s());
    let mut early = Simulation::new(&preset("lost-answer"), 1);
    early.advance(Budget::Until(4_000_000_000));
    assert!(early.snapshot().parked > 0);
    Ok(())
}

#[test]
fn two_readings_of_seventy_thousand_clicks_differ_with_one_worker() -> Outcome {
    let remote_mean = |id: &str, changes: &[(&str, &str)]| -> Result<f64, ScenarioError> {
        let snapshot = run(&changed(id, changes)?, 1);
        let remote: Vec<_> = snapshot.tmms[..3].iter().map(|tmm| tmm.all.avg).collect();
        Ok(remote.iter().sum::<f64>() / 3.0)
    };
    let published = 75_000.0;
    for id in ["published-deterministic", "stall"] {
        let mean = remote_mean(id, &[])?;
        assert!((mean / published - 1.0).abs() < 0.25, "{id}: {mean}");
    }
    let one = [("workers", "1"), ("records", "20000")];
    let queues = remote_mean("published-deterministic", &one)?;
    let stall = remote_mean("stall", &one)?;
    assert!(queues < 200.0, "no queue, no wait: {queues}");
    assert!(stall > 10_000.0, "dear in itself: {stall}");
    Ok(())
}

#[test]
fn a_closed_loop_hides_late_starts() -> Outcome {
    let late = run(&preset("late-starts"), 1);
    assert!(late.latency.p50 > 20 * late.latency_from_sending.p50);
    let closed = run(&changed("late-starts", &[("arrivals", "closed")])?, 1);
    assert_eq!(closed.latency, closed.latency_from_sending);
    // The whole latency is in the parts of the requests.
    let spent: u64 = late.tmms.iter().flat_map(|tmm| tmm.parts).sum();
    let mean = spent as f64 / late.replies as f64 / 1000.0;
    assert!(
        (mean / late.latency.avg - 1.0).abs() < 0.001,
        "{mean} us in parts, {}",
        late.latency.avg
    );
    assert!(late.tmms[0].parts[Part::Client as usize] > 0 && late.latency_bins.len() == BINS);
    Ok(())
}

#[test]
fn runs_in_a_row_drift_until_the_log_daemon_has_drained() -> Outcome {
    let rates = |changes: &[(&str, &str)]| -> Result<Vec<f64>, ScenarioError> {
        let snapshot = run(&changed("bulk-drift", changes)?, 1);
        Ok(snapshot.runs.iter().map(Run::per_s).collect())
    };
    // published.toml, bulk.runs_with_handler_logs_per_s.
    for (rate, published) in rates(&[])?.iter().zip([163_000.0, 129_000.0, 122_000.0]) {
        assert!(
            (rate / published - 1.0).abs() < 0.04,
            "{rate}/s, published {published}/s"
        );
    }
    let rested = rates(&[("pause", "60000000")])?;
    assert!(
        rested
            .iter()
            .all(|rate| (rate / rested[0] - 1.0).abs() < 0.04),
        "{rested:?}"
    );
    Ok(())
}

#[test]
fn values_stored_once_take_less_memory_and_one_more_read() -> Outcome {
    let once = run(&preset("store-once"), 1);
    let each = run(&changed("store-once", &[("placement", "each-index")])?, 1);
    // published.toml, store_once: 481 and 681 MiB for 100,000 entities.
    let mib = |snapshot: &Snapshot| bytes(snapshot) as f64 / f64::from(1 << 20);
    assert!((mib(&once) - 481.0).abs() < 1.0 && (mib(&each) - 681.0).abs() < 1.0);
    let reads = |snapshot: &Snapshot| snapshot.tmms.iter().map(|tmm| tmm.writes).sum::<u64>();
    assert_eq!((reads(&once), reads(&each)), (40_000, 20_000));
    assert!(once.latency_from_sending.min > each.latency_from_sending.min);
    Ok(())
}
