//! What all subcommands have in common: errors, tables, and what shells and `man` are told.

use std::collections::BTreeSet;

use serde_json::Value;
use subtable_lab::Exit;
use subtable_model::preset::PRESETS;
use subtable_model::scenario::PARAMETERS;

use crate::{Tested, csv, json, keys, lab};

#[test]
fn refused_values_are_named_with_their_parameter_and_range() {
    for (words, said) in [
        ("run --tmms 5000", "tmms: 5000 is outside 1 to 1024"),
        (
            "run --tmms four",
            "tmms: `four` is not a whole number; allowed: 1 to 1024",
        ),
        (
            "run --hop -3",
            "hop: `-3` is not a number with at most three decimals; allowed: 0 to 100000 us",
        ),
        (
            "run --naming clever",
            "possible values: deterministic, random-probe",
        ),
        (
            "run --preset nothing",
            "possible values: published-deterministic",
        ),
        (
            "run --seed 1.5",
            "the seed is a whole number from 0 to 9007199254740991",
        ),
        (
            "run --link preset=nothing",
            "in the link: there is no preset `nothing`",
        ),
        (
            "run --link tmms=0&workers=0",
            "in the link: workers: 0 is outside 1 to 65536",
        ),
        ("run --colour red", "unexpected argument '--colour'"),
        (
            "run --log /nowhere/at/all",
            "cannot write the log to /nowhere/at/all: ",
        ),
        (
            "sweep --parameter colour --values 1",
            "there is no parameter `colour`",
        ),
        (
            "sweep --parameter tmms --values 1,2,5000",
            "tmms: 5000 is outside 1 to 1024",
        ),
        ("sweep --parameter tmms --from 1", "--to"),
        ("sweep --parameter tmms", "--values"),
        (
            "sweep --parameter naming --from shared --to shared",
            "naming: a choice has no range",
        ),
        (
            "sweep --parameter tmms --values 1 --seeds 0",
            "a whole number from 1 to 10000",
        ),
        (
            "sweep --parameter tmms --values 1 --measure beauty",
            "invalid value 'beauty'",
        ),
        (
            "sweep --parameter tmms --values 1 --seed 9007199254740991",
            "go beyond the largest seed",
        ),
        (
            "compare published-deterministic nothing",
            "`nothing` is no preset",
        ),
        (
            "compare published-deterministic tmms=0",
            "in the link: tmms: 0 is outside 1 to 1024",
        ),
        (
            "links decode tmms=0",
            "in the link: tmms: 0 is outside 1 to 1024",
        ),
        ("man nothing", "`nothing` has no page"),
        ("completions tcl", "invalid value 'tcl'"),
    ] {
        let answer = lab(words);
        assert_eq!(answer.exit, Exit::Unusable, "{words}");
        assert!(answer.err.starts_with("error: "), "{words}: {}", answer.err);
        assert!(answer.err.contains(said), "{words}: {}", answer.err);
    }
}

#[test]
fn csv_is_read_by_others() -> Tested {
    let report = json("run --json")?;
    let (heading, rows) = csv("run --format csv")?;
    assert_eq!(rows.len(), 4);
    for (row, expected) in rows
        .iter()
        .zip(report["per_tmm"].as_array().ok_or("a list")?)
    {
        assert_eq!(
            heading.iter().map(String::as_str).collect::<BTreeSet<_>>(),
            keys(expected)
        );
        for (column, cell) in heading.iter().zip(row) {
            match &expected[column] {
                Value::Number(number) => {
                    assert_eq!(cell.parse::<f64>().ok(), number.as_f64(), "{column}");
                }
                Value::String(text) => assert_eq!(cell, text, "{column}"),
                _ => {}
            }
        }
    }
    let (heading, rows) = csv("run --format csv --rows throughput")?;
    assert_eq!(
        heading,
        ["t_s", "writes_per_s", "lines_per_s", "dropped_per_s"]
    );
    assert_eq!(
        Some(rows.len()),
        report["throughput"].as_array().map(Vec::len)
    );

    let (heading, rows) =
        csv("sweep -p naming --values shared,random-probe --records 500 --seeds 2 --format csv")?;
    assert_eq!(
        heading,
        [
            "naming",
            "throughput_runs",
            "throughput_low",
            "throughput_median",
            "throughput_high"
        ]
    );
    assert_eq!([&*rows[0][0], &*rows[1][0]], ["shared", "random-probe"]);

    let (_, rows) = csv("params --format csv")?;
    assert_eq!(rows.len(), PARAMETERS.len());
    let (_, rows) = csv("compare tmms=2&records=900 tmms=3&records=900 --format csv")?;
    assert_eq!(rows.len(), 3);
    Ok(())
}

#[test]
fn the_table_of_parameters_is_the_models() -> Tested {
    let described = json("params --json")?;
    assert_eq!(
        (&described["schema"], &described["version"]),
        (&"subtable-lab/parameters".into(), &1.into())
    );
    let rows = described["parameters"].as_array().ok_or("a list")?;
    assert_eq!(rows.len(), PARAMETERS.len());
    for (row, parameter) in rows.iter().zip(PARAMETERS) {
        assert_eq!(row["id"], parameter.id);
        assert_eq!(row["help"], parameter.help);
    }
    assert_eq!(rows[0]["min"], 1);
    assert_eq!(rows[0]["max"], 1024);
    let people = lab("params").out;
    let markdown = lab("params --format markdown").out;
    assert_eq!(markdown.lines().count(), PARAMETERS.len() + 2);
    for parameter in PARAMETERS {
        assert!(
            people.contains(&format!("  {} ", parameter.id)),
            "{parameter}"
        );
        assert!(people.contains(parameter.help), "{parameter}");
        assert!(
            markdown.contains(&format!("| {} |", parameter.id)),
            "{parameter}"
        );
    }
    let presets = json("presets --json")?;
    assert_eq!(
        presets["presets"].as_array().map(Vec::len),
        Some(PRESETS.len())
    );
    Ok(())
}

#[test]
fn shells_and_man_are_served() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = lab(&format!("completions {shell}"));
        assert_eq!(script.exit, Exit::Success);
        let parameter = script.out.contains("daemon-buffer");
        let choice =
            script.out.contains("random-unprobed") || shell == "elvish" || shell == "powershell";
        assert!(parameter && choice, "{shell}");
    }
    for (words, said) in [
        ("man", ".TH subtable-lab 1"),
        ("man run", "daemon\\-buffer"),
        ("man links encode", "subtable\\-lab\\-links\\-encode"),
    ] {
        let page = lab(words);
        assert_eq!(page.exit, Exit::Success, "{}", page.err);
        assert!(page.out.contains(said), "{words}: {}", page.out);
    }
}
