//! `links`: flags to link and back.

use serde_json::Value;
use subtable_lab::Exit;
use subtable_model::scenario::{Kind, PARAMETERS};

use crate::{Tested, json, lab, lab_with};

#[test]
fn every_parameter_can_be_set_and_comes_back() -> Tested {
    for parameter in PARAMETERS {
        let value = match parameter.kind {
            Kind::Choice(options) => options[options.len() - 1].id.to_string(),
            Kind::Integer { min, .. } | Kind::Decimal { min, .. } => parameter.format(min + 1),
        };
        let id = parameter.id;
        let decoded = lab_with([
            "links",
            "decode",
            lab(&format!("links encode --{id} {value}")).out.trim(),
            "--json",
        ]);
        let decoded: Value = serde_json::from_str(&decoded.out)?;
        let there = &decoded["scenario"][id];
        let text = there
            .as_str()
            .map_or_else(|| there.to_string(), str::to_string);
        assert_eq!(text.trim_end_matches(".0"), value, "{id}");
    }
    Ok(())
}

#[test]
fn a_link_and_its_flags_are_the_same_run() -> Tested {
    let flags = "--preset count-decay --tmms 8 --hop 12.5 --records 3000 --seed 42";
    let link = lab(&format!("links encode {flags}")).out;
    assert_eq!(
        link,
        "v=1&preset=count-decay&tmms=8&records=3000&hop=12.5&seed=42\n"
    );
    let back = lab_with(["links", "decode", link.trim()]);
    assert_eq!(
        back.out,
        "--preset count-decay --tmms 8 --records 3000 --hop 12.5 --seed 42\n"
    );
    let address = lab(&format!(
        "links encode --base https://example.org/lab/ {flags}"
    ))
    .out;
    assert_eq!(address, format!("https://example.org/lab/#{link}"));

    let by_flags = json(&format!("run --json {flags}"))?;
    let by_link = json(&format!("run --json --link {}", address.trim()))?;
    assert_eq!(by_flags, by_link);
    assert_eq!(by_flags["link"], link.trim());
    // Flags change what a link says.
    let changed = json(&format!("run --json --tmms 2 --link {}", address.trim()))?;
    assert_eq!(changed["per_tmm"].as_array().map(Vec::len), Some(2));
    Ok(())
}

#[test]
fn what_a_link_says_beside_the_model_is_noted_and_left_out() {
    let answer = lab_with(["run", "--json", "--link", "#v=1&tmm=8&records=500"]);
    assert_eq!(answer.exit, Exit::Success);
    assert_eq!(
        answer.err,
        "note: in the link, `tmm` is not of the model and left out\n"
    );
}

#[test]
fn a_link_that_is_wrong_in_part_is_decoded_in_part() {
    let answer = lab_with(["links", "decode", "#v=1&tmms=8&workers=0&naming=clever"]);
    assert_eq!(answer.exit, Exit::Unusable);
    assert_eq!(answer.out, "--preset published-deterministic --tmms 8\n");
    assert_eq!(
        answer
            .err
            .lines()
            .filter(|line| line.starts_with("error: in the link: "))
            .count(),
        2
    );
}
