//! The published figures, read from `published.toml`, against the model.

use subtable_model::log::Sampler;
use subtable_model::ownership::{Opaque, Ownership, PUBLISHED_KEY};
use subtable_model::preset::Preset;
use subtable_model::scenario::{Scenario, ScenarioError};
use subtable_model::{Snapshot, run};
use toml::Value;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Seeds for what must hold whatever the luck.
const SEEDS: std::ops::Range<u64> = 1..9;

fn published() -> Result<Value, toml::de::Error> {
    include_str!("published.toml")
        .parse::<toml::Table>()
        .map(Value::Table)
}

fn preset(id: &str) -> Result<Scenario, String> {
    Preset::find(id)
        .map(Preset::scenario)
        .ok_or_else(|| format!("no preset {id}"))
}

fn numbers(value: &Value) -> Vec<u64> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .filter_map(Value::as_integer)
        .filter_map(|n| n.try_into().ok())
        .collect()
}

#[test]
fn all_eight_published_ownerships_hold_at_once() -> Outcome {
    let published = published()?;
    let ownership = Opaque::new(PUBLISHED_KEY, 4);
    let mut checked = 0;
    for section in [&published["deterministic"], &published["session"]["whoami"]] {
        let names = section["names"].as_array().ok_or("names")?;
        for (name, owner) in names.iter().zip(numbers(&section["owners"])) {
            let name = name.as_str().ok_or("a name")?;
            assert_eq!(u64::from(ownership.owner(name.as_bytes())), owner, "{name}");
            checked += 1;
        }
    }
    assert_eq!(checked, 8);
    Ok(())
}

#[test]
fn the_published_distribution_of_writes_gives_98_sampled_lines() -> Outcome {
    let published = published()?;
    let session = &published["session"];
    let every = u64::try_from(
        session["timing"]["sample_rate"]
            .as_integer()
            .ok_or("rate")?,
    )?;
    let lines: Vec<u64> = numbers(&session["load"]["writes"])
        .into_iter()
        .map(|writes| {
            let mut sampler = Sampler::new(every);
            (0..writes).map(|_| u64::from(sampler.count())).sum()
        })
        .collect();
    assert_eq!(lines, numbers(&session["timing"]["samples"]));
    assert_eq!(lines.iter().sum::<u64>(), 98);
    Ok(())
}

#[test]
fn every_run_logs_the_whole_part_of_writes_over_n_per_tmm() -> Outcome {
    for id in ["published-deterministic", "published-discovered"] {
        let scenario = preset(id)?;
        let snapshot = run(&scenario, 3);
        for (number, tmm) in snapshot.tmms.iter().enumerate() {
            assert_eq!(
                tmm.sampled.n,
                tmm.writes / scenario.log_every(),
                "{id}, TMM {number}"
            );
        }
    }
    Ok(())
}

#[test]
fn deterministic_names_leave_tmm_3_alone_local() -> Outcome {
    let published = published()?;
    let least_ratio = published["deterministic"]["local_over_remote_mean"][0]
        .as_integer()
        .ok_or("ratio")?;
    for seed in SEEDS {
        let snapshot = run(&preset("published-deterministic")?, seed);
        let verdict = snapshot.verdict();
        assert_eq!(
            (verdict.ok, verdict.slow_tmms),
            (false, vec![0, 1, 2]),
            "seed {seed}"
        );
        let owners: Vec<u32> = owners(&snapshot)?;
        assert_eq!(owners, [2, 2, 3, 3]);
        let local = snapshot.tmms[3].all.avg;
        for tmm in &snapshot.tmms[..3] {
            assert!(
                tmm.sampled.avg > 10_000.0,
                "seed {seed}: tens of thousands, not {}",
                tmm.sampled.avg
            );
            // The order of magnitude of the published ratio; the ratio itself is a figure of the fidelity table.
            assert!(
                tmm.all.avg / local > least_ratio as f64 / 2.0,
                "seed {seed}: {} / {local}",
                tmm.all.avg
            );
        }
        assert!(snapshot.tmms[3].sampled.max < 100, "seed {seed}");
    }
    Ok(())
}

fn owners(snapshot: &Snapshot) -> Result<Vec<u32>, String> {
    let owner = |tmm: &subtable_model::snapshot::TmmSnapshot| {
        tmm.subtable
            .map(|index| snapshot.subtables[index as usize].owner)
            .ok_or("a TMM without a name".to_string())
    };
    snapshot.tmms.iter().map(owner).collect()
}

#[test]
fn discovered_names_are_local_on_every_tmm() -> Outcome {
    for seed in SEEDS {
        let snapshot = run(&preset("published-discovered")?, seed);
        assert!(snapshot.verdict().ok, "seed {seed}");
        assert_eq!(owners(&snapshot)?, [0, 1, 2, 3], "seed {seed}");
        assert_eq!(snapshot.local_share(), Some(1.0), "seed {seed}");
        assert!(
            snapshot
                .tmms
                .iter()
                .all(|tmm| tmm.sampled.avg < 100.0 && tmm.sampled.slow == 0)
        );
        let lines: u64 = snapshot.tmms.iter().map(|tmm| tmm.sampled.n).sum();
        // 100,000 writes on four TMMs, each rounded down to a whole thousand.
        assert!(
            (97..=100).contains(&lines),
            "seed {seed}: {lines} sampled lines"
        );
    }
    Ok(())
}

#[test]
fn local_and_remote_writes_do_not_overlap() -> Outcome {
    for (id, seed) in [
        ("published-deterministic", 1),
        ("published-discovered", 1),
        ("published-deterministic", 2),
    ] {
        let snapshot = run(&preset(id)?, seed);
        let threshold = snapshot.threshold;
        for tmm in &snapshot.tmms {
            let slowest_local = last_click(&tmm.local_bins);
            let fastest_remote = first_click(&tmm.remote_bins);
            assert!(
                slowest_local.is_none_or(|clicks| clicks < threshold as f64),
                "{slowest_local:?}"
            );
            assert!(
                fastest_remote.is_none_or(|clicks| clicks >= threshold as f64),
                "{fastest_remote:?}"
            );
        }
    }
    Ok(())
}

fn edge(bin: usize) -> f64 {
    10_f64.powf(bin as f64 / subtable_model::statistics::BINS_PER_DECADE as f64)
}

fn first_click(bins: &[u32]) -> Option<f64> {
    bins.iter()
        .position(|&count| count > 0)
        .map(|bin| edge(bin).round())
}

fn last_click(bins: &[u32]) -> Option<f64> {
    bins.iter().rposition(|&count| count > 0).map(edge)
}

#[test]
fn the_other_strategies_of_the_two_by_two_find_nothing() -> Result<(), ScenarioError> {
    let mut scenario = Scenario::default();
    scenario.set("tmms", "8")?;
    scenario.set("records", "20000")?;
    // Without timing, a random name is local for one TMM in eight.
    scenario.set("naming", "random-unprobed")?;
    let local: usize = (0..200).map(|seed| local_tmms(&run(&scenario, seed))).sum();
    let expected = 200.0 * 8.0 / 8.0;
    let deviation = (200.0 * 8.0 * (1.0 / 8.0) * (7.0 / 8.0_f64)).sqrt();
    assert!(
        (local as f64 - expected).abs() < 4.0 * deviation,
        "{local} local, {expected} expected"
    );
    // Without new names, timing only finds out that the neat name is remote, as often as it is allowed to.
    scenario.set("naming", "deterministic-probed")?;
    let snapshot = run(&scenario, 1);
    for tmm in &snapshot.tmms {
        let local = tmm.remote_bins.iter().all(|&count| count == 0);
        assert_eq!(tmm.tried, if local { 1 } else { scenario.max_tries() });
    }
    assert!(
        snapshot
            .log
            .tail
            .iter()
            .any(|(_, line)| line.contains("WARNING")),
        "{:?}",
        snapshot.log.tail
    );
    // One name for all is local for its one owner.
    scenario.set("naming", "shared")?;
    assert_eq!(local_tmms(&run(&scenario, 1)), 1);
    Ok(())
}

fn local_tmms(snapshot: &Snapshot) -> usize {
    snapshot
        .tmms
        .iter()
        .filter(|tmm| tmm.remote_bins.iter().all(|&count| count == 0))
        .count()
}
