//! The naive loop and the core compute the same, to the last bit.

use subtable_bench::naive;
use subtable_model::Scenario;
use subtable_model::preset::Preset;

fn compare(settings: &[(&str, &str)], preset: &str, seed: u64) {
    let mut scenario = Preset::find(preset).expect("a preset").scenario();
    for (id, value) in settings {
        scenario.set(id, value).expect("an allowed value");
    }
    assert_equal(
        &scenario,
        seed,
        &format!("{preset} {settings:?} seed {seed}"),
    );
}

fn assert_equal(scenario: &Scenario, seed: u64, what: &str) {
    let expected = naive::run(scenario, seed);
    let core = naive::Outcome::from(subtable_model::run(scenario, seed));
    assert_eq!(core, expected, "{what}");
    assert_eq!(core.replies, scenario.records(), "{what}: all is answered");
}

#[test]
fn the_published_load_run_is_the_same() {
    compare(&[], "published-discovered", 1);
}

#[test]
fn the_published_broken_run_is_the_same() {
    compare(&[], "published-deterministic", 1);
}

#[test]
fn so_are_runs_that_differ_in_one_thing() {
    const VARIANTS: [&[(&str, &str)]; 12] = [
        &[],
        &[("tmms", "1")],
        &[("tmms", "64")],
        &[("workers", "1")],
        &[("workers", "512")],
        &[("log-every", "1")],
        &[("log-every", "0"), ("count", "none")],
        &[("threshold", "4"), ("max-tries", "20")],
        &[("threshold", "400")],
        &[("client-work", "0"), ("rtt", "0"), ("hop", "0")],
        &[
            ("dag", "ports"),
            ("source-ports", "random"),
            ("connection", "kept-alive"),
        ],
        &[
            ("entries", "1000"),
            ("count", "enumerate"),
            ("daemon-buffer", "1"),
        ],
    ];
    for preset in ["published-discovered", "published-deterministic"] {
        for (seed, variant) in (1..).zip(VARIANTS) {
            let mut settings = vec![("records", "5000")];
            settings.extend_from_slice(variant);
            compare(&settings, preset, seed);
        }
    }
}
