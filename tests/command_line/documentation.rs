//! The documentation of the JSON against the JSON.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::analyses::{corpus, inputs};
use crate::{Tested, json, lab, lab_with};

const README: &str = include_str!("../../crates/cli/README.md");

/// What stands under the heading of a schema.
fn section(schema: &str) -> Result<&'static str, String> {
    let heading = format!("### `{schema}`, version 1\n");
    let (_, after) = README
        .split_once(&heading)
        .ok_or_else(|| format!("no heading for {schema}"))?;
    Ok(after.split("\n### ").next().unwrap_or(after))
}

/// Every field, however deep. The keys of these maps are values: ids of parameters and measures; the two reports in a
/// comparison have their own section.
fn fields(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| fields(item, into)),
        Value::Object(map) => {
            for (key, value) in map {
                into.insert(key.clone());
                let report = value.get("schema").is_some();
                match (key.as_str(), value) {
                    ("measures", Value::Object(by_id)) => {
                        by_id.values().for_each(|value| fields(value, into));
                    }
                    ("scenario" | "settings", Value::Object(_)) => {}
                    _ if report => {}
                    _ => fields(value, into),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_field_of_the_json_is_documented() -> Tested {
    let folder = tempfile::tempdir()?;
    let points = folder.path().join("points.jsonl");
    let sweep = "sweep -p tmms --values 2 --records 500 --seeds 2 --json";
    let mut objects = vec![
        json("run --records 5000 --log-every 100 --json")?,
        json(sweep)?,
        json("compare records=500 records=600 --json")?,
        json("params --json")?,
        json("presets --json")?,
        json("links decode tmms=8 --json")?,
    ];
    lab(&format!("{sweep} --output {}", points.display()));
    let points = std::fs::read_to_string(points)?;
    let header: Value = serde_json::from_str(points.lines().next().ok_or("a header")?)?;
    let mut point: Value = serde_json::from_str(points.lines().nth(1).ok_or("a point")?)?;
    point["schema"] = header["schema"].clone();
    objects.extend([header, point]);
    let (files, before) = (inputs()?, corpus("published-session.log"));
    let words = ["analyse", "--json", "--show-slow", "--before", &before];
    let all = lab_with(words.into_iter().chain(files.iter().map(String::as_str)));
    objects.push(serde_json::from_str(&all.out)?);
    for object in objects {
        let schema = object["schema"].as_str().ok_or("a schema")?;
        let section = section(schema)?;
        let mut all = BTreeSet::new();
        fields(&object, &mut all);
        for field in all
            .iter()
            .filter(|field| !["schema", "version"].contains(&field.as_str()))
        {
            assert!(
                section.contains(&format!("`{field}`")),
                "{schema}: {field} is not documented"
            );
        }
    }
    Ok(())
}

#[test]
fn every_command_of_the_readme_is_understood() {
    let commands = README
        .lines()
        .filter_map(|line| line.strip_prefix("subtable-lab "));
    let mut understood = 0;
    for command in commands {
        let words = command.split(['#', '|']).next().unwrap_or("").trim();
        let parsed = subtable_lab::command()
            .try_get_matches_from(["subtable-lab"].into_iter().chain(words.split_whitespace()));
        assert!(parsed.is_ok(), "{words}: {parsed:?}");
        understood += 1;
    }
    assert!(understood >= 8, "{understood}");
}
