//! `run`: the report and the log.

use std::collections::BTreeSet;

use serde_json::Value;
use subtable_lab::Exit;
use subtable_model::preset::{PRESETS, Preset};
use subtable_model::scenario::PARAMETERS;

use crate::{Tested, json, keys, lab};

#[test]
fn a_run_is_the_models_own_run() -> Tested {
    for preset in PRESETS {
        let mut scenario = preset.scenario();
        scenario.set("records", "9000")?;
        for seed in [1, 7] {
            let words = format!(
                "run --preset {} --records 9000 --seed {seed} --json",
                preset.id
            );
            let expected = subtable_model::run(&scenario, seed);
            assert_eq!(
                json(&words)?["result_hash"],
                expected.hash_text(),
                "{words}"
            );
        }
    }
    let words = "run --preset published-discovered --json";
    let preset = Preset::find("published-discovered").ok_or("a preset")?;
    let expected = subtable_model::run(&preset.scenario(), 1);
    assert_eq!(json(words)?["result_hash"], expected.hash_text(), "{words}");
    Ok(())
}

#[test]
fn the_json_of_a_run_has_every_field_that_is_promised() -> Tested {
    let report = json("run --preset published-deterministic --format json")?;
    assert_eq!(report["schema"], "subtable-lab/run");
    assert_eq!(report["version"], 1);
    assert_eq!(report["preset"], "published-deterministic");
    assert_eq!(report["seed"], 1);
    let promised = |value: &Value, fields: &str| {
        let there = keys(value);
        for field in fields.split_whitespace() {
            assert!(there.contains(field), "{field} is not in {there:?}");
        }
    };
    promised(
        &report,
        "schema version preset scenario seed per_tmm verdict throughput totals result_hash",
    );
    promised(&report["verdict"], "ok slow_tmms basis");
    promised(
        &report["totals"],
        "requests elapsed_s writes_per_s log_lines log_dropped probes local_share",
    );
    let ids: BTreeSet<&str> = PARAMETERS.iter().map(|parameter| parameter.id).collect();
    assert_eq!(keys(&report["scenario"]), ids);
    let rows = report["per_tmm"].as_array().ok_or("a list")?;
    assert_eq!(rows.len(), 4);
    for row in rows {
        promised(
            row,
            "tmm hits writes samples fast slow min p50 avg p95 p99 max name owner owner_of tries",
        );
    }
    let rates = report["throughput"].as_array().ok_or("a list")?;
    assert!((50..=100).contains(&rates.len()), "{}", rates.len());
    for rate in rates {
        promised(rate, "t_s writes_per_s lines_per_s dropped_per_s");
    }
    Ok(())
}

#[test]
fn the_figures_of_a_run_are_those_of_the_snapshot() -> Tested {
    let report = json("run --preset published-deterministic --json")?;
    let preset = Preset::find("published-deterministic").ok_or("a preset")?;
    let snapshot = subtable_model::run(&preset.scenario(), 1);
    assert_eq!(report["verdict"]["ok"], false);
    assert_eq!(report["verdict"]["slow_tmms"], serde_json::json!([0, 1, 2]));
    assert_eq!(report["verdict"]["basis"], "sampled");
    let mut owned = BTreeSet::new();
    for (number, tmm) in snapshot.tmms.iter().enumerate() {
        let row = &report["per_tmm"][number];
        assert_eq!(row["tmm"], number);
        assert_eq!(row["hits"], tmm.hits);
        assert_eq!(row["writes"], tmm.writes);
        assert_eq!(row["samples"], tmm.sampled.n);
        assert_eq!(row["fast"], tmm.sampled.fast);
        assert_eq!(row["slow"], tmm.sampled.slow);
        assert_eq!(row["avg"], tmm.sampled.avg);
        assert_eq!(row["p99"], tmm.sampled.p99);
        assert_eq!(row["name"], format!("localdb_tmm_{number}"));
        for name in row["owner_of"].as_array().ok_or("a list")? {
            owned.insert((number, name.as_str().ok_or("a name")?.to_string()));
        }
    }
    // The published ownerships: names 0 and 1 on TMM 2, names 2 and 3 on TMM 3.
    let published = [(2, 0), (2, 1), (3, 2), (3, 3)]
        .map(|(owner, name)| (owner, format!("localdb_tmm_{name}")));
    assert_eq!(owned, BTreeSet::from(published));
    assert_eq!(report["totals"]["requests"], preset.scenario().records());
    Ok(())
}

#[test]
fn the_rates_of_a_run_add_up_to_its_writes() -> Tested {
    for words in [
        "run --preset count-decay --json",
        "run --preset count-decay --stretches 7 --json",
        "run --preset published-discovered --log-every 1 --json",
    ] {
        let report = json(words)?;
        let rates = report["throughput"].as_array().ok_or("a list")?;
        let times: Vec<f64> = rates
            .iter()
            .filter_map(|rate| rate["t_s"].as_f64())
            .collect();
        let length = times[0];
        for (index, t) in times.iter().enumerate() {
            assert!(
                (t - length * (index + 1) as f64).abs() < 1e-6,
                "{words}: {t}"
            );
        }
        let elapsed = report["totals"]["elapsed_s"].as_f64().ok_or("a number")?;
        let end = times[times.len() - 1];
        assert!(
            end <= elapsed && elapsed < end + 2.0 * length,
            "{words}: {end} of {elapsed}"
        );
        let counted: f64 = rates
            .iter()
            .filter_map(|rate| Some(rate["writes_per_s"].as_f64()? * length))
            .sum();
        let requests = report["totals"]["requests"].as_f64().ok_or("a number")?;
        let last = rates[rates.len() - 1]["writes_per_s"]
            .as_f64()
            .ok_or("a number")?;
        let missing = requests - counted;
        assert!(
            (-1.0..=last * length * 2.2 + 1.0).contains(&missing),
            "{words}: {missing} of {requests} are after the last stretch"
        );
    }
    Ok(())
}

#[test]
fn the_table_of_a_run_has_the_analysers_columns_and_the_verdict() {
    let broken = lab("run");
    let heading = broken.out.lines().find(|line| line.starts_with("TMM"));
    let columns: Vec<&str> = heading.unwrap_or("").split_whitespace().collect();
    let known = [
        "n", "FAST", "SLOW", "min", "p50", "avg", "p95", "p99", "max",
    ];
    assert!(
        columns.windows(known.len()).any(|window| window == known),
        "{columns:?}"
    );
    assert!(
        broken
            .out
            .contains("\nLOCALITY ISSUE: 3 of 4 TMMs average 100 clicks or more"),
        "{}",
        broken.out
    );
    assert!(
        broken.out.contains("0 to 2, 1 to 2 and 2 to 3."),
        "{}",
        broken.out
    );
    let sound = lab("run --preset published-discovered");
    assert!(
        sound
            .out
            .contains("\nOK: every TMM averages below 100 clicks"),
        "{}",
        sound.out
    );
    assert_eq!((broken.exit, sound.exit), (Exit::Success, Exit::Success));
    assert_eq!(lab("run --exit-status").exit, Exit::LocalityIssue);
    assert_eq!(
        lab("run --exit-status --preset published-discovered").exit,
        Exit::Success
    );
}

#[test]
fn the_log_is_written_whole_and_does_not_change_the_run() -> Tested {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("run.log");
    let words = "run --preset published-discovered --records 30000 --log-every 5 --json";
    let plain = json(words)?;
    let logged = json(&format!("{words} --log {}", file.display()))?;
    assert_eq!(plain, logged);
    let log = std::fs::read_to_string(&file)?;
    let sampled = log
        .lines()
        .filter(|line| line.ends_with("(sampled 1/5)"))
        .count();
    assert_eq!(Some(sampled as u64), plain["totals"]["samples"].as_u64());
    assert_eq!(
        Some(log.lines().count() as u64),
        plain["totals"]["log_lines"].as_u64()
    );
    assert_eq!(
        log.lines()
            .filter(|line| line.contains(" initialized after "))
            .count(),
        4
    );

    let split = lab(&format!("{words} --log -"));
    assert_eq!(split.out, log, "the log is on standard output");
    assert_eq!(
        serde_json::from_str::<Value>(&split.err)?,
        plain,
        "and the report is not"
    );
    Ok(())
}

#[test]
fn figures_that_are_outside_say_why() -> Tested {
    let told = lab("fidelity --seeds 20").out;
    let figures = json("fidelity --seeds 20 --format json")?["figures"].clone();
    let mut reasons = BTreeSet::new();
    for figure in figures.as_array().ok_or("no figures")? {
        let id = figure["id"].as_str().ok_or("no id")?;
        if figure["inside"] == false {
            let reason = figure["not_explained"].as_str();
            let reason = reason.unwrap_or("More seeds may tell.");
            assert!(
                told.lines().any(|line| line.starts_with("Outside: ")
                    && line.contains(id)
                    && line.ends_with(reason)),
                "{id}: {told}"
            );
            reasons.insert(reason.to_owned());
        }
    }
    assert!(reasons.iter().any(|reason| reason.contains("No fair DAG")));
    Ok(())
}
