//! What must hold in every run, over scenarios drawn from the whole parameter table, extremes included.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use subtable_model::scenario::{Kind, PARAMETERS, Placement, Scenario, Workload};
use subtable_model::{Budget, Simulation, Snapshot, run};

/// Bounds of what one drawn run may cost: nothing but the number of events and of places is held back.
fn affordable(id: &str, value: u64) -> u64 {
    match id {
        "records" => value % 1500 + 1,
        "workers" => value % 300 + 1,
        "tmms" => value % 130 + 1,
        "max-tries" => value % 60 + 1,
        "log-accepts" => value % 4,
        "runs" => value % 3 + 1,
        _ => value,
    }
}

/// A value of a parameter: often an end of its range, else anything between.
fn value(kind: Kind) -> BoxedStrategy<u64> {
    match kind {
        Kind::Integer { min, max, slider } | Kind::Decimal { min, max, slider } => {
            prop_oneof![Just(min), Just(max), min..=slider, min..=max].boxed()
        }
        Kind::Choice(options) => (0..options.len() as u64).boxed(),
    }
}

fn any_scenario() -> impl Strategy<Value = Scenario> {
    let values: Vec<BoxedStrategy<u64>> = PARAMETERS
        .iter()
        .map(|parameter| value(parameter.kind))
        .collect();
    values.prop_map(|values| {
        let mut scenario = Scenario::default();
        for (parameter, value) in PARAMETERS.iter().zip(values) {
            let text = parameter.format(affordable(parameter.id, value));
            scenario
                .set(parameter.id, &text)
                .expect("a value inside the range");
        }
        scenario
    })
}

fn check(scenario: &Scenario, snapshot: &Snapshot) -> Result<(), TestCaseError> {
    prop_assert!(snapshot.finished);
    let cut_off = snapshot.replies < snapshot.requests;
    let (mut hits, mut done, mut writes) = (0, 0, 0);
    for tmm in &snapshot.tmms {
        hits += tmm.hits;
        done += tmm.done;
        writes += tmm.writes;
        prop_assert_eq!(tmm.all.n, tmm.writes);
        prop_assert_eq!(tmm.all.fast + tmm.all.slow, tmm.all.n);
        let binned: u32 = tmm.local_bins.iter().chain(&tmm.remote_bins).sum();
        prop_assert_eq!(u64::from(binned), tmm.writes);
        for row in [&tmm.all, &tmm.sampled] {
            prop_assert!(row.avg.is_finite());
            prop_assert!(
                row.n == 0 || (row.min <= row.p50 && row.p50 <= row.p95),
                "{:?}",
                row
            );
            prop_assert!(
                row.n == 0 || (row.p95 <= row.p99 && row.p99 <= row.max),
                "{:?}",
                row
            );
            prop_assert!(
                row.n == 0 || row.avg <= f64::from(row.max) + 0.5,
                "{:?}",
                row
            );
        }
        prop_assert!(
            tmm.busy <= snapshot.now,
            "busy {} of {}",
            tmm.busy,
            snapshot.now
        );
        if !cut_off {
            prop_assert_eq!(tmm.queue, 0);
            let lines = match (scenario.workload(), scenario.log_every()) {
                (Workload::Probe, _) => tmm.writes,
                (_, 0) => 0,
                (_, every) => tmm.writes / every,
            };
            // A request that is given up after its write logs nothing.
            prop_assert!(
                tmm.sampled.n <= lines && lines <= tmm.sampled.n + snapshot.given_up,
                "{} lines of {}",
                tmm.sampled.n,
                lines
            );
        }
    }
    prop_assert_eq!(snapshot.traffic.iter().sum::<u64>(), writes);
    let accessed: u64 = snapshot
        .series
        .bins()
        .iter()
        .map(|bin| u64::from(bin.writes))
        .sum();
    // A write whose answer is lost is at its owner, and its request given up.
    prop_assert!(
        writes <= accessed && accessed <= writes + snapshot.given_up + in_flight(snapshot)
    );
    if !cut_off {
        // Every request that started has ended, each with its writes.
        let most = match scenario.workload() {
            Workload::Load | Workload::Probe | Workload::Bulk => snapshot.records,
            Workload::Lookup if scenario.placement() == Placement::Once => 2 * snapshot.records,
            Workload::Lookup => snapshot.records,
            Workload::Limit => snapshot.limit.map_or(0, |limit| limit.admitted),
            Workload::Whoami | Workload::Reset => 0,
        };
        let all_there = snapshot.given_up == 0 && snapshot.refused == 0;
        prop_assert!(
            writes <= most && (writes == most || !all_there),
            "{} writes of {}",
            writes,
            most
        );
        prop_assert_eq!((hits, done), (snapshot.requests, snapshot.requests));
        prop_assert_eq!(snapshot.parked, 0);
        if let Some(limit) = snapshot.limit {
            let ended = limit.admitted + limit.turned_away;
            prop_assert!(
                ended <= snapshot.requests && snapshot.requests <= ended + snapshot.given_up
            );
        }
        // Entries are conserved: what was there, and what was written, is there or was deleted or had its time.
        let (mut entries, mut expired) = (0, 0);
        for subtable in &snapshot.subtables {
            entries += subtable.entries;
            expired += subtable.expired;
        }
        let before = scenario.entries() * snapshot.subtables.len() as u64;
        let kept = match scenario.workload() {
            Workload::Probe | Workload::Lookup => 0,
            _ => accessed,
        };
        prop_assert_eq!(entries + expired + snapshot.deleted, before + kept);
        let stored: u64 = snapshot.tmms.iter().map(|tmm| tmm.stored.entries).sum();
        prop_assert_eq!(stored, entries);
        let (latencies, binned) = (
            snapshot.latency.n,
            snapshot.latency_bins.iter().sum::<u32>(),
        );
        prop_assert_eq!(
            (latencies, u64::from(binned)),
            (snapshot.requests, snapshot.requests)
        );
        prop_assert!(snapshot.latency_from_sending.avg <= snapshot.latency.avg);
        let runs: u64 = snapshot.runs.iter().map(|run| run.replies).sum();
        prop_assert_eq!(
            (runs, snapshot.runs.len() as u64),
            (snapshot.requests, scenario.runs())
        );
    }
    // One owner per name.
    for (index, subtable) in snapshot.subtables.iter().enumerate() {
        prop_assert!(u64::from(subtable.owner) < scenario.tmms());
        prop_assert!(
            snapshot.subtables[..index]
                .iter()
                .all(|other| other.name != subtable.name)
        );
    }
    Ok(())
}

/// Requests that are under way.
fn in_flight(snapshot: &Snapshot) -> u64 {
    snapshot.tmms.iter().map(|tmm| tmm.hits - tmm.done).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_set_the_invariants_hold(scenario in any_scenario(), seed in 0..u64::MAX) {
        check(&scenario, &run(&scenario, seed))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, ..ProptestConfig::default() })]

    #[test]
    fn the_same_seed_gives_the_same_run_however_it_is_advanced(
        scenario in any_scenario(), seed in 0..1000_u64, slice in 1..500_u64, jump in 1..1_000_000_000_u64,
    ) {
        let whole = run(&scenario, seed);
        let mut by_events = Simulation::new(&scenario, seed);
        while by_events.advance(Budget::Events(slice)) {}
        prop_assert_eq!(by_events.snapshot().hash(), whole.hash());

        let mut by_replies = Simulation::new(&scenario, seed);
        while by_replies.advance(Budget::Replies(slice)) {}
        prop_assert_eq!(by_replies.snapshot().hash(), whole.hash());

        // Time moves on by itself, and looking does not disturb.
        let mut by_time = Simulation::new(&scenario, seed);
        for tick in 1..20 {
            by_time.advance(Budget::Until(tick * jump));
            let snapshot = by_time.snapshot();
            let seen = snapshot.moves.len() as u64 + snapshot.at_client
                + snapshot.tmms.iter().map(|tmm| u64::from(tmm.queue)).sum::<u64>();
            prop_assert!(seen <= scenario.workers(), "{} requests seen, {} in flight", seen, scenario.workers());
            prop_assert!(snapshot.moves.iter().all(|m| (0.0..=1.0).contains(&m.progress)));
        }
        by_time.advance(Budget::Unlimited);
        prop_assert_eq!(by_time.snapshot().hash(), whole.hash());
    }
}
