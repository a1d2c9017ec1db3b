//! Links that are out in the world: they must open the same run for ever, and stay short enough for a chat message.

use subtable_model::preset::PRESETS;
use subtable_model::scenario::link::{self, LARGEST_SEED};
use subtable_model::scenario::{Kind, PARAMETERS};

/// Links of version 1, and settings that they must give. Never change one: add another.
type Golden = (&'static str, &'static [(&'static str, &'static str)], u64);
const GOLDEN: [Golden; 6] = [
    (
        "v=1&preset=published-deterministic",
        &[
            ("tmms", "4"),
            ("naming", "deterministic"),
            ("count", "enumerate"),
            ("log-every", "500"),
        ],
        1,
    ),
    (
        "v=1&preset=published-discovered&tmms=8&hop=45.5&seed=42",
        &[("tmms", "8"), ("hop", "45.5"), ("naming", "random-probe")],
        42,
    ),
    (
        "v=1&preset=count-decay&records=2000&workers=16&seed=7",
        &[
            ("records", "2000"),
            ("workers", "16"),
            ("count", "enumerate"),
        ],
        7,
    ),
    (
        "v=1&preset=threshold-too-high&threshold=250&max-tries=9&daemon-share=0.3",
        &[
            ("threshold", "250"),
            ("max-tries", "9"),
            ("daemon-share", "0.3"),
        ],
        1,
    ),
    (
        "v=1&preset=bulk&sending=two&mtu=9000&seed=9007199254740991",
        &[("sending", "two"), ("mtu", "9000"), ("workload", "bulk")],
        LARGEST_SEED,
    ),
    (
        "v=1&preset=even-ports&client-addresses=3&connection=kept-alive&ownership=redis",
        &[
            ("dag", "ports"),
            ("source-ports", "even"),
            ("client-addresses", "3"),
        ],
        1,
    ),
];

#[test]
fn links_of_version_1_open_what_they_opened() {
    for (text, settings, seed) in GOLDEN {
        let (run, errors) = link::decode(text);
        assert_eq!(errors, [], "{text}");
        assert_eq!(run.seed, seed, "{text}");
        for (id, value) in settings {
            assert_eq!(run.scenario.get(id).as_deref(), Ok(*value), "{text}");
        }
        assert_eq!(link::encode(&run), text);
    }
}

#[test]
fn a_preset_with_five_changes_is_shorter_than_300_characters() {
    // The five parameters whose longest values take most room.
    let mut longest: Vec<(&str, String)> = PARAMETERS
        .iter()
        .map(|parameter| {
            let value = match parameter.kind {
                Kind::Choice(options) => {
                    let ids = options.iter().map(|option| option.id);
                    ids.max_by_key(|id| id.len()).unwrap_or_default().to_owned()
                }
                Kind::Integer { max, .. } => parameter.format(max),
                Kind::Decimal { max, .. } => parameter.format(max - 1),
            };
            (parameter.id, value)
        })
        .collect();
    longest.sort_by_key(|(id, value)| std::cmp::Reverse(id.len() + value.len()));
    for preset in PRESETS {
        let mut run = link::Run {
            preset,
            scenario: preset.scenario(),
            seed: LARGEST_SEED,
            others: vec![
                ("view".into(), "published".into()),
                ("seeds".into(), "200".into()),
            ],
        };
        let mut changes = 0;
        for (id, value) in &longest {
            if changes < 5 && run.scenario.get(id).as_ref() != Ok(value) {
                run.scenario.set(id, value).unwrap();
                changes += 1;
            }
        }
        let text = link::encode(&run);
        assert!(text.len() < 300, "{} characters: {text}", text.len());
    }
}
