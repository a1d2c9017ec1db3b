//! What each piece of work costs, to the nanosecond, where nobody waits for anybody: one worker, so that every part of a
//! request's time follows from the parameters.

use subtable_model::results::Part;
use subtable_model::scenario::{Scenario, ScenarioError};
use subtable_model::{Snapshot, run};

type Outcome = Result<(), ScenarioError>;

const RECORDS: u64 = 600;

/// A run of one worker.
fn alone(settings: &[(&str, &str)]) -> Result<Snapshot, ScenarioError> {
    let mut scenario = Scenario::default();
    for (id, value) in [("workers", "1"), ("records", "600"), ("log-every", "0")]
        .iter()
        .chain(settings)
    {
        scenario.set(id, value)?;
    }
    Ok(run(&scenario, 4))
}

/// Time of all requests in one part, in nanoseconds.
fn spent(snapshot: &Snapshot, part: Part) -> u64 {
    snapshot
        .tmms
        .iter()
        .map(|tmm| tmm.parts[part as usize])
        .sum()
}

/// Writes whose acceptor was not the owner.
fn remote(snapshot: &Snapshot) -> u64 {
    let tmms = snapshot.tmms.len();
    let all = snapshot.traffic.iter().enumerate();
    all.filter(|(place, _)| place / tmms != place % tmms)
        .map(|(_, writes)| writes)
        .sum()
}

#[test]
fn a_remote_write_to_idle_tmms_takes_two_hops_the_service_and_the_resumption() -> Outcome {
    let snapshot = alone(&[("naming", "deterministic"), ("count", "none")])?;
    // 45 + 12 + 45 + 15 microseconds, to which the reading of a whole-microsecond clock adds nothing here.
    for tmm in &snapshot.tmms[..3] {
        assert_eq!((tmm.all.min, tmm.all.p50, tmm.all.max), (117, 117, 117));
    }
    let remote = remote(&snapshot);
    assert!(remote > 400, "{remote}");
    assert_eq!(spent(&snapshot, Part::Hop), remote * 2 * 45_000);
    assert_eq!(
        spent(&snapshot, Part::OwnerQueue) + spent(&snapshot, Part::AcceptorQueue),
        0
    );
    assert_eq!(
        spent(&snapshot, Part::Work),
        RECORDS * 100_000 + remote * 15_000
    );
    assert_eq!(spent(&snapshot, Part::Network), RECORDS * 150_000);
    assert_eq!(spent(&snapshot, Part::Client), RECORDS * 228_000);
    Ok(())
}

#[test]
fn a_local_write_takes_its_floor_and_a_log_normal() -> Outcome {
    let snapshot = alone(&[
        ("count", "none"),
        ("naming", "shared"),
        ("tmms", "1"),
        ("records", "40000"),
    ])?;
    let mean = spent(&snapshot, Part::Service) as f64 / 40_000.0;
    // Floor 2 and median 3.3 microseconds, sigma 0.55: mean 2 + 3.3 exp(0.55² / 2), deviation 2.3.
    let expected = 2000.0 + 3300.0 * (0.55_f64 * 0.55 / 2.0).exp();
    let deviation = 3300.0 * (0.55_f64 * 0.55 / 2.0).exp() * ((0.55_f64 * 0.55).exp() - 1.0).sqrt();
    let error = 2.576 * deviation / 40_000_f64.sqrt();
    assert!(
        (mean - expected).abs() < error,
        "{mean} ns, {expected} ± {error} expected"
    );
    // The same mean in clicks, which the script sees through a clock of whole microseconds.
    assert!(
        (snapshot.tmms[0].all.avg - expected / 1000.0).abs() < 0.05,
        "{}",
        snapshot.tmms[0].all.avg
    );
    Ok(())
}

#[test]
fn listing_costs_each_key_at_the_owner_and_where_the_list_arrives() -> Outcome {
    for naming in ["deterministic", "shared", "random-unprobed"] {
        let snapshot = alone(&[
            ("naming", naming),
            ("count", "enumerate"),
            ("entries", "50"),
            ("log-every", "0"),
        ])?;
        // A subtable of 50 entries that takes w writes is listed with 51, 52, … 50 + w entries.
        let listed: u64 = snapshot
            .subtables
            .iter()
            .map(|subtable| (51..=subtable.entries).sum::<u64>())
            .sum();
        assert_eq!(
            spent(&snapshot, Part::Enumeration),
            listed * (80 + 555),
            "{naming}"
        );
    }
    Ok(())
}

#[test]
fn each_line_costs_its_tmm_and_goes_to_the_daemon() -> Outcome {
    let settings = [
        ("log-every", "7"),
        ("daemon-share", "0"),
        ("naming", "shared"),
    ];
    let snapshot = alone(&settings)?;
    let lines: u64 = snapshot.tmms.iter().map(|tmm| tmm.writes / 7).sum();
    assert_eq!(spent(&snapshot, Part::Log), lines * 60_000);
    assert_eq!((snapshot.log.lines, snapshot.log.dropped), (lines, 0));
    Ok(())
}

#[test]
fn a_busy_log_daemon_takes_its_share_and_a_full_buffer_drops() -> Outcome {
    let mut scenario = Scenario::default();
    scenario.set("records", "50000")?;
    let quiet = run(&scenario, 1).replies_per_s();
    scenario.set("log-every", "1")?;
    let logged = run(&scenario, 1);
    // The client is what holds this run up, and a quarter of its host is gone.
    let share = logged.replies_per_s() / quiet;
    assert!((share - 0.75).abs() < 0.01, "{share}");
    // 3,290 lines arrive each second and 2,500 are written.
    assert!(logged.log.dropped > 1000, "{}", logged.log.dropped);
    // Every write is logged, and so is each TMM's search for its name.
    assert_eq!(logged.log.lines + logged.log.dropped, 50_004);
    Ok(())
}

#[test]
fn a_bulk_post_is_written_in_one_visit_and_a_large_one_is_refused() -> Outcome {
    let posts = [
        ("workload", "bulk"),
        ("records", "4000"),
        ("keys-per-post", "1000"),
        ("count", "none"),
    ];
    let snapshot = alone(&posts)?;
    assert_eq!((snapshot.requests, snapshot.replies), (4, 4));
    assert_eq!(spent(&snapshot, Part::Client), 4000 * 7200);
    assert_eq!(
        snapshot.tmms.iter().map(|tmm| tmm.writes).sum::<u64>(),
        4000
    );
    // 453,439 keys of 37 bytes are the first above 16 MiB.
    for (keys, refused) in [("453438", 0), ("453439", 1)] {
        let one = [
            ("workload", "bulk"),
            ("records", keys),
            ("keys-per-post", keys),
            ("count", "none"),
        ];
        assert_eq!(alone(&one)?.refused, refused, "{keys} keys");
    }
    Ok(())
}

#[test]
fn a_second_small_write_waits_for_the_acknowledgement() -> Outcome {
    let snapshot = alone(&[("sending", "two")])?;
    assert_eq!(
        spent(&snapshot, Part::Network),
        RECORDS * (150_000 + 39_800_000)
    );
    Ok(())
}

#[test]
fn a_reset_deletes_what_is_there_and_a_whoami_writes_nothing() -> Outcome {
    let reset = alone(&[("workload", "reset"), ("entries", "1000")])?;
    assert_eq!(
        (
            reset.deleted,
            reset.subtables.iter().map(|s| s.entries).sum::<u64>()
        ),
        (4000, 0)
    );
    let whoami = alone(&[("workload", "whoami")])?;
    assert_eq!(whoami.tmms.iter().map(|tmm| tmm.writes).sum::<u64>(), 0);
    assert!(
        whoami.tmms.iter().all(|tmm| tmm.subtable.is_some()),
        "every TMM has found its name"
    );
    Ok(())
}
