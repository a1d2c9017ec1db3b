//! `compare`: two runs, from presets, links and files.

use serde_json::Value;
use subtable_lab::Exit;

use subtable_model::Scenario;
use subtable_model::preset::Preset;

use crate::{Tested, json, lab, lab_with};

fn preset(id: &str) -> Result<Scenario, String> {
    let preset = Preset::find(id).ok_or_else(|| format!("there is no preset {id}"))?;
    Ok(preset.scenario())
}

#[test]
fn two_runs_are_compared_tmm_by_tmm() -> Tested {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("before.json");
    let before = lab("run --preset published-deterministic --json").out;
    std::fs::write(&file, &before)?;
    let comparison = json("compare published-deterministic published-discovered --json")?;
    let with_file = json(&format!(
        "compare {} published-discovered --json",
        file.display()
    ))?;
    assert_eq!(comparison, with_file, "a file stands for its run");
    assert_eq!(comparison["a"], serde_json::from_str::<Value>(&before)?);

    let avg = &comparison["per_tmm"][2]["avg"];
    let [a, b, difference, ratio] =
        ["a", "b", "difference", "ratio"].map(|part| avg[part].as_f64().unwrap_or(f64::NAN));
    assert_eq!(Some(a), comparison["a"]["per_tmm"][2]["avg"].as_f64());
    assert!(
        (difference - (b - a)).abs() < 1e-9 && (ratio - b / a).abs() < 1e-12,
        "{avg}"
    );
    let settings = comparison["settings"].as_array().ok_or("a list")?;
    let changed: Vec<&str> = settings
        .iter()
        .filter_map(|setting| setting["id"].as_str())
        .collect();
    let [broken, sound] = [
        preset("published-deterministic")?,
        preset("published-discovered")?,
    ];
    let expected: Vec<&str> = sound
        .changes_from(&broken)
        .map(|(parameter, _)| parameter.id)
        .collect();
    assert_eq!(changed, expected);

    let table = lab("compare records=900&tmms=2 records=900&tmms=3");
    let last = table
        .out
        .lines()
        .find(|line| line.starts_with("  2 "))
        .unwrap_or("");
    assert!(
        last.split_whitespace().any(|cell| cell == "-"),
        "TMM 2 is in one run only: {}",
        table.out
    );
    Ok(())
}

#[test]
fn a_report_that_is_none_is_refused_with_the_reason() -> Tested {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("x.json");
    for (text, said) in [
        ("{}", "not the report of a run: missing field `schema`"),
        ("\u{0}\u{ff}", "not the report of a run: "),
        (
            "{\"schema\":\"subtable-lab/sweep\",\"version\":1}",
            "has the schema `subtable-lab/sweep`",
        ),
        (
            "{\"schema\":\"subtable-lab/run\",\"version\":99}",
            "has version 99",
        ),
        (
            "{\"schema\":\"subtable-lab/run\",\"version\":1}",
            "missing field",
        ),
    ] {
        std::fs::write(&file, text)?;
        let answer = lab_with(["compare", "count-decay", &file.display().to_string()]);
        assert_eq!(answer.exit, Exit::Unusable, "{text}");
        assert!(
            answer.err.contains(said) && answer.err.contains("x.json"),
            "{}",
            answer.err
        );
    }
    Ok(())
}
