//! Runs whose results are compared between this machine and WebAssembly.

#![forbid(unsafe_code)]

use subtable_model::Scenario;
use subtable_model::preset::PRESETS;

/// Seeds that each preset is run with.
const SEEDS: u64 = 100;
/// Records of each of those runs: enough for names to be found, lines to be logged and queues to grow. Under the first seed
/// it is the whole preset.
const RECORDS: u64 = 2_500;

/// Runs beside the presets, chosen to go through every naming strategy, every way to count, the clutter of long logs,
/// and the mathematics (logarithms, log-normal draws) at the ends of their ranges.
const OTHERS: [&[(&str, &str)]; 6] = [
    &[
        ("naming", "random-probe"),
        ("tmms", "64"),
        ("records", "20000"),
        ("local-sigma", "3"),
    ],
    &[
        ("naming", "random-unprobed"),
        ("tmms", "7"),
        ("count", "enumerate"),
        ("records", "5000"),
    ],
    &[
        ("naming", "deterministic-probed"),
        ("threshold", "4"),
        ("records", "5000"),
    ],
    &[
        ("naming", "shared"),
        ("log-every", "1"),
        ("daemon-share", "0.9"),
        ("records", "20000"),
    ],
    &[
        ("naming", "deterministic"),
        ("entries", "100000"),
        ("count", "enumerate"),
        ("records", "500"),
    ],
    &[
        ("count", "none"),
        ("workers", "512"),
        ("rtt", "0"),
        ("client-work", "0"),
        ("records", "20000"),
    ],
];

/// One line for each run: what it was, and the hash of its whole result.
///
/// # Panics
/// When the parameter table no longer accepts one of the runs above.
#[must_use]
pub fn results() -> String {
    let mut lines = Vec::new();
    let mut add = |name: &str, scenario: &Scenario, seed: u64| {
        let hash = subtable_model::run(scenario, seed).hash_text();
        lines.push(format!("{name} seed={seed} {hash}\n"));
    };
    for preset in PRESETS {
        let mut scenario = preset.scenario();
        add(preset.id, &scenario, 1);
        let records = scenario.records().min(RECORDS).to_string();
        scenario
            .set("records", &records)
            .expect("fewer records than the preset has");
        for seed in 1..=SEEDS {
            add(
                &format!("{}, {records} records", preset.id),
                &scenario,
                seed,
            );
        }
    }
    for settings in OTHERS {
        let mut scenario = Scenario::default();
        for (id, value) in settings {
            scenario
                .set(id, value)
                .expect("a value that the parameter table allows");
        }
        let name: Vec<String> = settings
            .iter()
            .map(|(id, value)| format!("{id}={value}"))
            .collect();
        add(&name.join("&"), &scenario, 1);
    }
    lines.concat()
}
