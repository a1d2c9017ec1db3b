//! From bytes to conclusions and to a comparison: no panic, every figure a number, every probability between 0 and 1.

use subtable_logs::{ReadOptions, Settings, analyse_bytes, compare};

/// Panics when that does not hold.
pub fn check(text: &[u8]) {
    let Some((&choice, text)) = text.split_first() else {
        return;
    };
    let settings = Settings {
        threshold: u32::from(choice >> 1),
    };
    let analysis = analyse_bytes(
        text,
        ReadOptions {
            all_lines: choice & 1 == 1,
        },
        settings,
    );
    for row in &analysis.per_tmm {
        assert!(row.avg.is_finite());
    }
    for subtable in &analysis.subtables {
        assert!(subtable.avg >= f64::from(subtable.min) && subtable.avg <= f64::from(subtable.max));
    }
    if let Some(verdict) = &analysis.verdict {
        assert_eq!(verdict.ok, verdict.slow_tmms.is_empty());
        assert_eq!(verdict.ok, verdict.causes.is_empty());
    }
    let tests = analysis
        .discovery
        .iter()
        .flat_map(|discovery| &discovery.tests);
    let probabilities = tests
        .flat_map(|test| [test.mean_p_value, test.fit_p_value])
        .chain(analysis.dag.iter().map(|test| test.p_value))
        .flatten();
    for p in probabilities {
        assert!((0.0..=1.0).contains(&p), "{p}");
    }
    let halves = text.split_at(text.len() / 2);
    let after = analyse_bytes(halves.1, ReadOptions::default(), Settings::default());
    let _ = compare(&analysis, &after);
}
