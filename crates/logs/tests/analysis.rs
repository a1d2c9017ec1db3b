//! What the analysis concludes, on logs whose truth is known.

use std::fmt::Write as _;

use subtable_logs::analysis::{CauseKind, NoteKind, VerdictChange};
use subtable_logs::{Analysis, ReadOptions, Settings, analyse_bytes, compare};

fn read(text: &str) -> Analysis {
    analyse_bytes(text.as_bytes(), ReadOptions::default(), Settings::default())
}

fn writes(tmm: u16, name: &str, clicks: &[u32]) -> String {
    let mut text = String::new();
    for (i, clicks) in (1..).zip(clicks) {
        let tag = if *clicks < 100 { "FAST_LOCAL" } else { "SLOW" };
        let writes = i * 1000;
        writeln!(
            text,
            "tmm={tmm} subtable={name} writes={writes} key=k clicks={clicks} {tag} (sampled 1/1000)"
        )
        .unwrap();
    }
    text
}

fn causes(analysis: &Analysis) -> Vec<(CauseKind, Vec<u16>)> {
    let verdict = analysis.verdict.as_ref().expect("a verdict");
    verdict
        .causes
        .iter()
        .map(|cause| (cause.kind, cause.tmms.clone()))
        .collect()
}

fn note(analysis: &Analysis, kind: NoteKind) -> &str {
    &analysis
        .notes
        .iter()
        .find(|note| note.kind == kind)
        .unwrap_or_else(|| panic!("{:?}", analysis.notes))
        .text
}

/// Every figure of the published session's timing table, from samples that have those figures.
#[test]
fn the_published_session_is_read_as_published() {
    let figures: [(usize, u32, u32, &str, u32, u32, u32); 4] = [
        (25, 3, 5, "5.5", 10, 11, 11),
        (24, 3, 5, "6.1", 11, 18, 18),
        (24, 2, 6, "6.1", 10, 11, 11),
        (25, 2, 6, "6.5", 12, 13, 13),
    ];
    let samples: [&[u32]; 4] = [
        &[
            3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 6, 6, 7, 8, 9, 10, 10, 11,
        ],
        &[
            3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 7, 7, 7, 8, 9, 9, 11, 18,
        ],
        &[
            2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 6, 7, 7, 8, 8, 8, 9, 9, 10, 11,
        ],
        &[
            2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 7, 7, 8, 8, 9, 10, 10, 11, 12, 13,
        ],
    ];
    let names = [
        "localdb_tmm_0_865802",
        "localdb_tmm_1_922743",
        "localdb_tmm_2_5946",
        "localdb_tmm_3_441563",
    ];
    let log: String = (0..4)
        .map(|tmm| writes(tmm, names[usize::from(tmm)], samples[usize::from(tmm)]))
        .collect();
    let analysis = read(&log);
    for (row, (n, min, p50, avg, p95, p99, max)) in analysis.per_tmm.iter().zip(figures) {
        assert_eq!((row.n, row.fast, row.slow), (n as u64, n as u64, 0));
        assert_eq!(
            (row.min, row.p50, row.p95, row.p99, row.max),
            (min, p50, p95, p99, max),
            "TMM {}",
            row.tmm
        );
        assert_eq!(format!("{:.1}", row.avg), avg, "TMM {}", row.tmm);
    }
    let total = analysis.total.expect("samples");
    assert_eq!((total.n, total.fast, total.slow), (98, 98, 0));
    assert!(
        analysis
            .verdict
            .as_ref()
            .is_some_and(|verdict| verdict.ok && verdict.causes.is_empty())
    );
    assert_eq!(analysis.sample_rates, [1000]);
    assert!(note(&analysis, NoteKind::SmallSample).contains("one in 24"));
    assert!(
        analysis.dag.is_empty(),
        "rounding down to thousands hides the chance that a test would look for"
    );
    assert_eq!(
        analysis.threshold_suggestion.suggested, None,
        "no remote times to bound it from above"
    );
}

#[test]
fn deterministic_names_are_found_out() {
    let owners = [2, 2, 3, 3];
    let mut log = String::new();
    for tmm in 0..4_u16 {
        let local = owners[usize::from(tmm)] == tmm;
        let clicks: Vec<u32> = (0..40)
            .map(|i| if local { 3 + i % 20 } else { 121 + i * 5000 })
            .collect();
        log += &writes(tmm, &format!("localdb_tmm_{tmm}"), &clicks);
        for prober in 0..4_u16 {
            for i in 0..5 {
                let (clicks, tag) = if prober == owners[usize::from(tmm)] {
                    (4 + i, "OWNER")
                } else {
                    (300 + 100 * i, "NON_OWNER")
                };
                writeln!(
                    log,
                    "PROBE tmm={prober} subtable=localdb_tmm_{tmm} clicks={clicks} entries=9 {tag}"
                )
                .unwrap();
            }
        }
    }
    let analysis = read(&log);
    let verdict = analysis.verdict.as_ref().expect("a verdict");
    assert_eq!(
        (verdict.ok, &verdict.slow_tmms[..]),
        (false, &[0, 1, 2][..])
    );
    assert_eq!(
        causes(&analysis),
        [
            (CauseKind::OwnedElsewhere, vec![0, 1, 2]),
            (CauseKind::NamedByNumber, vec![0, 1, 2]),
            (CauseKind::LongQueues, vec![0, 1, 2]),
        ]
    );
    assert!(
        verdict.causes[0]
            .text
            .contains("localdb_tmm_0 is owned by TMM 2"),
        "{}",
        verdict.causes[0].text
    );
    let found: Vec<Option<u16>> = analysis
        .ownership
        .iter()
        .map(|name| name.likely_owner)
        .collect();
    assert_eq!(found, owners.map(Some));
    let suggestion = &analysis.threshold_suggestion;
    assert_eq!(suggestion.gap, Some((22, 121)));
    let suggested = suggestion.suggested.expect("both populations");
    assert_eq!(suggested.threshold, 52, "the middle by ratio of 22 and 121");
    assert_eq!(suggested.false_accepts.map(|rate| rate.count), Some(0));
    assert!(
        suggested
            .false_accepts
            .is_some_and(|rate| rate.upper_95 > 0.0 && rate.upper_95 < 0.02)
    );
}

#[test]
fn other_causes_are_told_apart() {
    let slow = [200, 300, 400];
    let shared = writes(0, "one", &slow) + &writes(1, "one", &[5, 6, 7]);
    assert_eq!(
        causes(&read(&shared)),
        [(CauseKind::SharedSubtable, vec![0])]
    );

    let gave_up = "tmm=1 WARNING could not find local subtable after 200 probes; using n_1_77 (last diff=150)\n".to_owned()
        + &writes(1, "n_1_77", &slow);
    assert_eq!(
        causes(&read(&gave_up)),
        [(CauseKind::DiscoveryGaveUp, vec![1])]
    );

    let accepted =
        "tmm=1 subtable=n_1_77 initialized after 1 probes (diff=95 clicks of 4 total TMMs)\n"
            .to_owned()
            + &writes(1, "n_1_77", &slow);
    assert_eq!(
        causes(&read(&accepted)),
        [(CauseKind::AcceptedByMistake, vec![1])]
    );

    let changed = writes(1, "n_1_77", &slow) + &writes(1, "n_1_78", &[5, 6, 7]);
    assert_eq!(
        causes(&read(&changed)),
        [(CauseKind::ChangedSubtable, vec![1])]
    );

    let stalls = writes(1, "n_1_77", &[5, 5, 5, 5, 5, 9000]);
    assert_eq!(causes(&read(&stalls)), [(CauseKind::RareStalls, vec![1])]);

    assert_eq!(
        causes(&read(&writes(1, "n_1_77", &slow))),
        [(CauseKind::Unexplained, vec![1])]
    );
}

#[test]
fn the_threshold_decides_at_equality() {
    let log = writes(0, "a", &[100]);
    let at = |threshold| {
        let analysis = analyse_bytes(
            log.as_bytes(),
            ReadOptions::default(),
            Settings { threshold },
        );
        analysis.verdict.expect("a verdict").ok
    };
    assert!(!at(100) && at(101) && !at(0));
}

#[test]
fn the_owner_is_the_fastest_of_those_tagged_owner() {
    let mut log = String::new();
    for (tmm, clicks, tag) in [
        (0, 90, "OWNER"),
        (0, 900, "NON_OWNER"),
        (1, 8, "OWNER"),
        (1, 120, "NON_OWNER"),
        (2, 5, "NON_OWNER"),
    ] {
        writeln!(
            log,
            "PROBE tmm={tmm} subtable=u clicks={clicks} entries=0 {tag}"
        )
        .unwrap();
    }
    log.push_str("tmm=0 total_tmms=4\n");
    let analysis = read(&log);
    let [name] = &analysis.ownership[..] else {
        panic!("one name")
    };
    assert_eq!(
        (name.likely_owner, name.stray_tags, &name.not_probed[..]),
        (Some(1), 2, &[3][..])
    );
    assert!(
        name.summary
            .contains("another TMM without an OWNER tag is faster"),
        "{}",
        name.summary
    );

    let nobody =
        read("PROBE tmm=0 subtable=u clicks=900 entries=0 NON_OWNER\ntmm=0 total_tmms=2\n");
    assert_eq!(nobody.ownership[0].likely_owner, None);
    assert!(
        nobody.ownership[0]
            .summary
            .contains("TMM 1 did not probe it")
    );
}

/// Tries drawn from the law pass the test; tries from another fail it, in the direction that they are off.
#[test]
fn discovery_is_held_against_the_geometric_law() {
    let discoveries = |tmms: u32, accept_one_in: u32| {
        let mut state = 5_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as u32
        };
        let mut log = String::new();
        for i in 0..400 {
            let mut tries = 1;
            while random() % accept_one_in != 0 {
                tries += 1;
            }
            writeln!(log, "tmm=0 subtable=n_{i} initialized after {tries} probes (diff=9 clicks of {tmms} total TMMs)").unwrap();
        }
        read(&log).discovery.expect("discoveries")
    };
    let lawful = discoveries(4, 4);
    let test = &lawful.tests[0];
    assert_eq!(
        (lawful.found, test.total_tmms, test.expected_mean),
        (400, Some(4), Some(4.0))
    );
    assert!(
        test.mean_p_value.is_some_and(|p| p > 0.01) && test.fit_p_value.is_some_and(|p| p > 0.01),
        "{test:?}"
    );
    assert!(test.reading.starts_with("As the geometric law says"));
    let eager = discoveries(4, 2);
    assert!(
        eager.tests[0].reading.starts_with("Too few tries"),
        "{}",
        eager.tests[0].reading
    );
    let shy = discoveries(4, 8);
    assert!(
        shy.tests[0].reading.starts_with("Too many tries"),
        "{}",
        shy.tests[0].reading
    );
}

#[test]
fn giving_up_is_part_of_the_law() {
    let text = "tmm=0 subtable=a initialized after 3 probes (diff=9 clicks of 128 total TMMs)\n\
                tmm=1 WARNING could not find local subtable after 200 probes; using b (last diff=345)\n";
    let discovery = read(text).discovery.expect("discoveries");
    assert_eq!(
        (
            discovery.exhausted,
            discovery.max_tries,
            &discovery.exhausted_tmms[..]
        ),
        (1, Some(200), &[1][..])
    );
    let q200 = (1.0 - 1.0 / 128.0_f64).powi(200);
    let expected = 128.0 - 200.0 * q200 / (1.0 - q200);
    assert!((discovery.tests[0].expected_mean.unwrap() - expected).abs() < 1e-9);
    assert_eq!(
        discovery.tests[0].mean_p_value, None,
        "the exact test knows no giving up"
    );
}

#[test]
fn overlapping_populations_get_the_threshold_of_the_fewest_errors() {
    // 1 of 50 local accesses is at 500; 1 of 50 remote ones at 40.
    let local: Vec<u32> = (0..49).map(|i| 3 + i % 9).chain([500]).collect();
    let remote: Vec<u32> = (0..49).map(|i| 200 + i).chain([40]).collect();
    let analysis =
        read(&(writes(0, "a", &local) + &writes(1, "b", &remote) + "tmm=0 total_tmms=4\n"));
    let suggestion = &analysis.threshold_suggestion;
    assert_eq!(suggestion.gap, None);
    let suggested = suggestion.suggested.expect("both populations");
    assert!((12..=40).contains(&suggested.threshold) || (41..=200).contains(&suggested.threshold));
    let (accepts, rejects) = (
        suggested.false_accepts.unwrap(),
        suggested.false_rejects.unwrap(),
    );
    assert_eq!(
        accepts.count + rejects.count,
        1,
        "either the one or the other cannot be helped: {suggested:?}"
    );
    // The plain search over every threshold finds nothing better.
    let errors = |t: u32| {
        local.iter().filter(|&&c| c >= t).count() + remote.iter().filter(|&&c| c < t).count()
    };
    assert_eq!(
        (1..=600).map(errors).min(),
        Some(errors(suggested.threshold))
    );
    let current = suggestion.current;
    assert_eq!(
        (current.threshold, current.false_accepts.unwrap().count),
        (100, 1)
    );
    // a = 1/50, r = 1/50: of the accepted names 3a / (3a + 1 - r).
    assert!((current.wrong_names.unwrap() - 0.06 / 1.04).abs() < 1e-12);
}

#[test]
fn hits_are_tested_by_each_source() {
    let mut log = String::new();
    for (tmm, hits) in [(0, 50), (1, 47), (2, 55), (3, 48)] {
        for i in 0..hits {
            writeln!(
                log,
                "tmm={tmm} CLIENT_ACCEPTED accepts={i} from 10.0.0.1:5{i}"
            )
            .unwrap();
        }
    }
    for tmm in 0..4 {
        for _ in 0..16 {
            writeln!(
                log,
                "tmm={tmm} subtable=a written=15625 elapsed_clicks=62500 clicks_per_write=4"
            )
            .unwrap();
        }
    }
    let analysis = read(&log);
    let [accepts, bulk] = &analysis.dag[..] else {
        panic!("{:?}", analysis.dag)
    };
    assert!((accepts.chi_square.unwrap() - 38.0 / 50.0).abs() < 1e-12);
    assert!(
        accepts.p_value.is_some_and(|p| (0.85..0.87).contains(&p)),
        "{accepts:?}"
    );
    assert!(
        bulk.reading.starts_with("More even than chance"),
        "{}",
        bulk.reading
    );
    assert!((analysis.bulk[0].clicks_per_write - 4.0).abs() < 1e-12);
}

#[test]
fn unseen_tmms_count_as_hit_by_nothing() {
    let log =
        "tmm=0 CLIENT_ACCEPTED accepts=1 from 10.0.0.1:5\n".repeat(40) + "tmm=0 total_tmms=4\n";
    let dag = &read(&log).dag[0];
    assert_eq!((dag.hits.len(), dag.degrees), (4, 3));
    assert!((dag.chi_square.unwrap() - 120.0).abs() < 1e-9);
}

#[test]
fn every_write_logged_tells_of_the_dag() {
    let log = writes(0, "a", &[5; 60]).replace("1/1000", "1/1")
        + &writes(1, "b", &[5; 20]).replace("1/1000", "1/1");
    let dag = &read(&log).dag[0];
    assert_eq!(
        (dag.source.as_str(), dag.hits[0].hits),
        ("timed writes", 60)
    );
    assert!((dag.chi_square.unwrap() - 20.0).abs() < 1e-9);
}

#[test]
fn notes_say_what_to_mind() {
    let log = "LOCALDB procs loaded debug_sample=1000 fast_threshold=50 tmm=0\n".to_owned()
        + &writes(0, "a", &[5, 60])
        + "tmm=0 subtable=a writes=9 key=k clicks=70 SLOW (sampled 1/10)\ntmm=0 total_tmms=2\ntmm=0 clicks=x sampled\ntmm=0 sub";
    let analysis = read(&log);
    assert!(note(&analysis, NoteKind::OtherThreshold).contains("fast_threshold=50"));
    assert!(note(&analysis, NoteKind::TagsDisagree).contains("70 clicks is tagged SLOW"));
    assert!(note(&analysis, NoteKind::MixedRates).contains("1/10, 1/1000"));
    assert!(note(&analysis, NoteKind::SilentTmms).contains("TMM 1"));
    assert!(note(&analysis, NoteKind::Malformed).contains("2 lines"));
    assert!(note(&analysis, NoteKind::CutOff).contains("middle of a line"));
}

#[test]
fn before_and_after_are_compared() {
    let before = read(
        &(writes(0, "localdb_tmm_0", &[60_000, 70_000]) + &writes(1, "localdb_tmm_1", &[5, 7])),
    );
    let after =
        read(&(writes(0, "localdb_tmm_0_1", &[5, 7]) + &writes(2, "localdb_tmm_2_1", &[5])));
    let fixed = compare(&before, &after);
    assert_eq!(
        (fixed.verdict, &fixed.fixed_tmms[..], fixed.per_tmm.len()),
        (VerdictChange::Fixed, &[0][..], 3)
    );
    assert!(
        fixed.per_tmm[0]
            .avg_ratio
            .is_some_and(|ratio| (ratio - 6.0 / 65_000.0).abs() < 1e-12)
    );
    assert_eq!(
        (fixed.per_tmm[1].after, fixed.per_tmm[2].before),
        (None, None)
    );
    assert!(fixed.summary.starts_with("Fixed"), "{}", fixed.summary);
    assert_eq!(compare(&after, &before).verdict, VerdictChange::Broken);
    assert_eq!(compare(&after, &after).verdict, VerdictChange::StillOk);
    assert_eq!(compare(&before, &before).verdict, VerdictChange::StillSlow);
    assert_eq!(compare(&before, &read("")).verdict, VerdictChange::Unknown);
}

#[test]
fn results_are_plain_data() -> Result<(), serde_json::Error> {
    let log = writes(0, "localdb_tmm_0", &[60_000, 70_000])
        + "PROBE tmm=0 subtable=u clicks=5 entries=0 OWNER\nTMM hits pct\n0 5 100%\ntmm=0 clicks=x sampled\n";
    let analysis = read(&log);
    let text = serde_json::to_string(&analysis)?;
    assert_eq!(serde_json::from_str::<Analysis>(&text)?, analysis);
    let value: serde_json::Value = serde_json::from_str(&text)?;
    for key in [
        "tmm", "n", "fast", "slow", "min", "p50", "avg", "p95", "p99", "max",
    ] {
        assert!(value["per_tmm"][0][key].is_number(), "{key}");
    }
    assert_eq!(value["verdict"]["ok"], false);
    assert_eq!(
        value["lines"]["first_malformed"][0]["fault"]["kind"],
        "not_a_number"
    );
    Ok(())
}
