//! What must hold in every run, over scenarios drawn from the whole parameter table, extremes included.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use subtable_model::scenario::{Kind, PARAMETERS, Placement, Scenario, Workload};
use subtable_model::snapshot::{SubtableSnapshot, TmmSnapshot};
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

/// Whether the run ended before all of its requests did, because its simulated time was up.
fn is_cut_off(snapshot: &Snapshot) -> bool {
    snapshot.replies < snapshot.requests
}

/// Writes and lookups at their owners.
fn accesses(snapshot: &Snapshot) -> u64 {
    let bins = snapshot.series.bins().iter();
    bins.map(|bin| u64::from(bin.writes)).sum()
}

fn check(scenario: &Scenario, snapshot: &Snapshot) -> Result<(), TestCaseError> {
    prop_assert!(snapshot.finished);
    for tmm in &snapshot.tmms {
        check_tmm(scenario, snapshot, tmm)?;
    }
    let writes: u64 = snapshot.tmms.iter().map(|tmm| tmm.writes).sum();
    prop_assert_eq!(snapshot.traffic.iter().sum::<u64>(), writes);
    // A write whose answer is lost is at its owner, and its request given up.
    let accesses = accesses(snapshot);
    prop_assert!(
        writes <= accesses && accesses <= writes + snapshot.given_up + in_flight(snapshot)
    );
    if !is_cut_off(snapshot) {
        check_requests(scenario, snapshot, writes)?;
        check_entries(scenario, snapshot)?;
        check_times(scenario, snapshot)?;
    }
    // One owner per name.
    for (index, subtable) in snapshot.subtables.iter().enumerate() {
        prop_assert!(u64::from(subtable.owner) < scenario.tmms());
        let others = &snapshot.subtables[..index];
        prop_assert!(others.iter().all(|other| other.name != subtable.name));
    }
    Ok(())
}

fn check_tmm(
    scenario: &Scenario,
    snapshot: &Snapshot,
    tmm: &TmmSnapshot,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(tmm.all.n, tmm.writes);
    prop_assert_eq!(tmm.all.fast + tmm.all.slow, tmm.all.n);
    let binned: u32 = tmm.local_bins.iter().chain(&tmm.remote_bins).sum();
    prop_assert_eq!(u64::from(binned), tmm.writes);
    for row in [&tmm.all, &tmm.sampled] {
        prop_assert!(row.avg.is_finite());
        let ascending = [row.min, row.p50, row.p95, row.p99, row.max].is_sorted();
        prop_assert!(row.n == 0 || ascending, "{:?}", row);
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
    if !is_cut_off(snapshot) {
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
    Ok(())
}

/// Every request that started has ended, each with its writes.
fn check_requests(
    scenario: &Scenario,
    snapshot: &Snapshot,
    writes: u64,
) -> Result<(), TestCaseError> {
    let most = match scenario.workload() {
        Workload::Lookup if scenario.placement() == Placement::Once => 2 * snapshot.records,
        Workload::Load | Workload::Probe | Workload::Bulk | Workload::Lookup => snapshot.records,
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
    let sum = |of: fn(&TmmSnapshot) -> u64| snapshot.tmms.iter().map(of).sum::<u64>();
    let ended = (sum(|tmm| tmm.hits), sum(|tmm| tmm.done));
    prop_assert_eq!(ended, (snapshot.requests, snapshot.requests));
    prop_assert_eq!(snapshot.parked, 0);
    if let Some(limit) = snapshot.limit {
        let answered = limit.admitted + limit.turned_away;
        prop_assert!(
            answered <= snapshot.requests && snapshot.requests <= answered + snapshot.given_up
        );
    }
    Ok(())
}

/// Entries are conserved: what was there, and what was written, is there or was deleted or had its time.
fn check_entries(scenario: &Scenario, snapshot: &Snapshot) -> Result<(), TestCaseError> {
    let sum = |of: fn(&SubtableSnapshot) -> u64| snapshot.subtables.iter().map(of).sum::<u64>();
    let (entries, expired) = (sum(|it| it.entries), sum(|it| it.expired));
    let before = scenario.entries() * snapshot.subtables.len() as u64;
    let kept = match scenario.workload() {
        Workload::Probe | Workload::Lookup => 0,
        _ => accesses(snapshot),
    };
    prop_assert_eq!(entries + expired + snapshot.deleted, before + kept);
    let stored: u64 = snapshot.tmms.iter().map(|tmm| tmm.stored.entries).sum();
    prop_assert_eq!(stored, entries);
    Ok(())
}

/// Every reply has a latency, and belongs to one of the runs.
fn check_times(scenario: &Scenario, snapshot: &Snapshot) -> Result<(), TestCaseError> {
    let binned: u32 = snapshot.latency_bins.iter().sum();
    let latencies = (snapshot.latency.n, u64::from(binned));
    prop_assert_eq!(latencies, (snapshot.requests, snapshot.requests));
    prop_assert!(snapshot.latency_from_sending.avg <= snapshot.latency.avg);
    let replies: u64 = snapshot.runs.iter().map(|run| run.replies).sum();
    let runs = snapshot.runs.len() as u64;
    prop_assert_eq!((replies, runs), (snapshot.requests, scenario.runs()));
    Ok(())
}

/// A scenario with quiet times: names that are found, and lines that are rare. Whatever else is set is set.
fn quiet_scenario() -> impl Strategy<Value = Scenario> {
    let workload = prop_oneof![Just("load"), Just("bulk")];
    let log_every = prop_oneof![Just(0), 100..20_000_u64];
    // Without a spread of costs, replies of several TMMs reach the client in the same nanosecond.
    let sigma = prop_oneof![Just("0"), Just("0.5")];
    let sizes = (1..8_u64, 1..100_u64, 1..6000_u64);
    (any_scenario(), workload, log_every, sigma, sizes).prop_map(set_quiet)
}

fn set_quiet(
    (mut scenario, workload, log_every, sigma, (tmms, workers, records)): (
        Scenario,
        &str,
        u64,
        &str,
        (u64, u64, u64),
    ),
) -> Scenario {
    let settings = [
        ("workload", workload),
        ("naming", "random-probe"),
        ("threshold", "90"),
        ("max-tries", "200"),
        ("local-median", "4"),
        ("local-sigma", sigma),
        ("arrivals", "closed"),
        ("reload-every", "0"),
        ("log-accepts", "0"),
        ("lost-answers", "0"),
        ("dag", "fair"),
    ];
    let numbers = [
        ("keys-per-post", records / 40 + 1),
        ("log-every", log_every),
        ("tmms", tmms),
        ("workers", workers),
        ("records", records),
    ];
    let settings = settings.map(|(id, value)| (id, value.to_string()));
    let numbers = numbers.map(|(id, value)| (id, value.to_string()));
    for (id, value) in settings.iter().chain(&numbers) {
        scenario.set(id, value).expect("a value inside the range");
    }
    scenario
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn no_shortcut_is_seen_at_any_moment(
        scenario in prop_oneof![1 => any_scenario(), 3 => quiet_scenario()],
        seed in 0..1000_u64, slice in 1024..5000_u64, jump in 1..3_000_000_000_u64,
    ) {
        let mut plain = Simulation::new(&scenario, seed).without_shortcuts();
        let mut by_events = Simulation::new(&scenario, seed);
        while by_events.advance(Budget::Events(slice)) {
            // What else happens in the same nanosecond.
            let now = Budget::Until(by_events.now());
            by_events.advance(now);
            plain.advance(now);
            prop_assert_eq!(by_events.snapshot().hash(), plain.snapshot().hash());
        }
        plain.advance(Budget::Unlimited);
        let whole = plain.snapshot().hash();
        prop_assert_eq!(by_events.snapshot().hash(), whole);
        prop_assert_eq!(run(&scenario, seed).hash(), whole);

        let mut plain = Simulation::new(&scenario, seed).without_shortcuts();
        let mut by_time = Simulation::new(&scenario, seed);
        for tick in 1..30 {
            let until = Budget::Until(tick * jump);
            by_time.advance(until);
            plain.advance(until);
            prop_assert_eq!(by_time.snapshot().hash(), plain.snapshot().hash());
        }
    }
}
