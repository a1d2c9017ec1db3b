//! The client's and the analyser's text reports.

use std::fmt::Write as _;

use proptest::prelude::*;
use subtable_logs::analysis::Source;
use subtable_logs::{Analysis, Fault, ReadOptions, Report, Settings, TmmTimes, analyse_bytes};

fn read(text: &str) -> Analysis {
    analyse_bytes(text.as_bytes(), ReadOptions::default(), Settings::default())
}

const ANALYSER: &str = "\
TMM     n   FAST   SLOW    min    p50      avg    p95    p99    max
---  ----  -----  -----  -----  -----  -------  -----  -----  -----
0      25     25      0      3      5      5.5     10     11     11
1      24     24      0      3      5      6.1     11     18     18
2      24      0     24    121  60000  88516.9 200000 293259 293259
3      25     25      0      2      6      6.5     12     13     13
total  98     74     24      2      6  21679.0 200000 293259 293259
";

#[test]
fn an_analysers_table_gives_a_verdict() {
    let analysis = read(ANALYSER);
    assert_eq!(analysis.source, Source::AnalyserTable);
    assert_eq!(analysis.per_tmm.len(), 4);
    let expected = TmmTimes {
        tmm: 1,
        n: 24,
        fast: 24,
        slow: 0,
        min: 3,
        p50: 5,
        avg: 6.1,
        p95: 11,
        p99: 18,
        max: 18,
    };
    assert_eq!(analysis.per_tmm[1], expected);
    assert_eq!(
        analysis.total.map(|total| (total.n, total.fast, total.max)),
        Some((98, 74, 293_259))
    );
    assert_eq!(
        analysis.verdict.map(|verdict| verdict.slow_tmms),
        Some(vec![2])
    );
    assert_eq!((analysis.lines.read, analysis.lines.skipped), (7, 0));
}

#[test]
fn a_probe_table_gives_the_owner_and_the_spread() {
    let text = "TMM hits OWNER NON_OWNER min_clicks avg_clicks max_clicks\n\
                0 55 0 55 286 5139.9 19814\n\
                1 70 1 69 127 12475.3 52544\n\
                2 8 8 0 3 8.6 20\n\
                3 67 0 67 238 7126.6 51939\n";
    let analysis = read(text);
    let owned = &analysis.ownership[0];
    assert_eq!(
        (owned.name.as_deref(), owned.likely_owner, owned.stray_tags),
        (None, Some(2), 1)
    );
    let dag = &analysis.dag[0];
    assert_eq!(dag.source, "probe table");
    assert!((dag.chi_square.expect("enough hits") - 49.56).abs() < 1e-9);
    assert!(dag.p_value.is_some_and(|p| (9e-11..2e-10).contains(&p)));
}

#[test]
fn reset_bulk_and_load_are_read() {
    let text = "\
completed=40000/100000 (40.0%) rate=4380.5/s coverage=3/4 missing=[2] errors=0\r\
completed=100000/100000 (100.0%) rate=4375.1/s coverage=4/4 missing=[] errors=1\r
TMM 0: 25198 (25.2%)
TMM 1: 24782 (24.8%)
tmm=2 writes=24914 (24.9%)
  tmm 3  25,106  25.1 %

| TMM | hits | first_deleted | total_deleted |
|-----|------|---------------|---------------|
| 0   | 50   | 25,198        | 25198         |
| 1   | 47   | 24782         | 24782         |

TMM posts writes pct avg_per_write min max
0 16 250000 25.0% 4.1 3.0 6.2
1 16 250000 25.0% 4.2 - 6.9
16.9 posts/s, 133000 writes/s
";
    let analysis = read(text);
    assert_eq!(
        (
            analysis.lines.malformed,
            analysis.lines.first_not_ours.len()
        ),
        (0, 0),
        "{:?}",
        analysis.lines
    );
    let [
        Report::Load(load),
        Report::Reset { rows: reset },
        Report::Bulk {
            rows: bulk,
            posts_per_s,
            writes_per_s,
        },
    ] = &analysis.reports[..]
    else {
        panic!("{:?}", analysis.reports)
    };
    let last = load.last.as_ref().expect("progress");
    assert_eq!(
        (last.completed, last.total, last.errors),
        (100_000, 100_000, Some(1))
    );
    assert_eq!(
        load.points
            .iter()
            .map(|point| point.completed)
            .collect::<Vec<_>>(),
        [40_000, 100_000]
    );
    assert_eq!(
        load.distribution
            .iter()
            .map(|share| share.count)
            .collect::<Vec<_>>(),
        [25198, 24782, 24914, 25106]
    );
    assert_eq!((reset[0].hits, reset[0].first_deleted), (50, 25198));
    assert_eq!(
        (bulk[1].posts, bulk[1].percent, bulk[1].max),
        (16, Some(25.0), 6.9)
    );
    assert_eq!((*posts_per_s, *writes_per_s), (Some(16.9), Some(133_000.0)));
    assert_eq!(analysis.total_tmms, Some(4));
    let sources: Vec<&str> = analysis
        .dag
        .iter()
        .map(|test| test.source.as_str())
        .collect();
    assert_eq!(sources, ["load distribution", "reset table", "bulk table"]);
}

#[test]
fn runs_one_after_the_other_are_two_reports() {
    let text = "completed=5/10 rate=1/s\ncompleted=10/10 rate=2/s\ncompleted=1/10 rate=3/s\nTMM 0: 1 (100%)\nTMM 0: 2 (100%)\n";
    let loads = read(text).reports;
    assert_eq!(loads.len(), 3, "{loads:?}");
}

#[test]
fn a_long_progress_is_thinned_out_evenly() {
    let mut text = String::new();
    for i in 1..=20_000 {
        writeln!(text, "completed={i}/20000 (1%) rate={i}.5/s").unwrap();
    }
    let reports = read(&text).reports;
    let [Report::Load(load)] = &reports[..] else {
        panic!("one load")
    };
    assert!(
        (1000..4096).contains(&load.points.len()),
        "{}",
        load.points.len()
    );
    let steps: Vec<u64> = load
        .points
        .windows(2)
        .map(|pair| pair[1].completed - pair[0].completed)
        .collect();
    assert!(steps.iter().all(|&step| step == steps[0]), "{steps:?}");
    assert_eq!(load.last.as_ref().map(|last| last.completed), Some(20_000));
}

#[test]
fn broken_rows_are_listed_and_the_table_goes_on() {
    let text = "TMM hits first_deleted total_deleted\n0 50 many 9\n1 2 3\n99999 1 2 3\n2 1 2 3\nnot a row\n3 1 2 3\n";
    let analysis = read(text);
    let faults: Vec<(u64, Fault)> = analysis
        .lines
        .first_malformed
        .iter()
        .map(|line| (line.line, line.fault))
        .collect();
    assert_eq!(
        faults,
        [
            (2, Fault::RowNumber),
            (3, Fault::RowShape),
            (4, Fault::RowNumber)
        ]
    );
    let others: Vec<u64> = analysis
        .lines
        .first_not_ours
        .iter()
        .map(|line| line.line)
        .collect();
    assert_eq!(
        others,
        [6, 7],
        "a table ends at the first line that is none of its rows"
    );
    assert!(
        matches!(&analysis.reports[..], [Report::Reset { rows }] if rows.len() == 1 && rows[0].tmm == 2)
    );
}

#[test]
fn reports_and_rows_beyond_the_limits_are_refused() {
    let many = "TMM hits first_deleted total_deleted\n".repeat(200);
    let analysis = read(&many);
    assert_eq!(
        (analysis.reports.len(), analysis.lines.malformed),
        (128, 72)
    );
    let rows = format!("TMM hits pct\n{}", "0 1 1%\n".repeat(2000));
    assert_eq!(read(&rows).lines.used, 1 + 1024);
}

#[test]
fn what_only_looks_like_a_report_is_not_ours() {
    let text = "TMM is busy\ntmm\nTMM hits hits pct\ncompleted=\ncompleted=x/y\nincompleted=1/2\nTMM 0: fine\nTMM 0: 5 6 (7%)\n1 2 3\n";
    let analysis = read(text);
    assert_eq!(
        (analysis.lines.used, analysis.lines.malformed),
        (0, 2),
        "{:?}",
        analysis.lines
    );
    assert!(
        analysis
            .reports
            .iter()
            .all(|report| matches!(report, Report::Load(_)))
    );
}

proptest! {
    /// A table as any analyser prints it comes back to the digit.
    #[test]
    fn analyser_tables_come_back(
        rows in prop::collection::vec((1..100_000_u64, 0..1000_u32, 0..3_000_000_u64), 1..40),
        width in 1..14_usize,
    ) {
        let mut text = String::from("TMM n FAST SLOW min p50 avg p95 p99 max\n");
        let mut expected = Vec::new();
        for (tmm, (n, min, tenths)) in (0_u16..).zip(rows) {
            let avg = tenths as f64 / 10.0;
            let row = TmmTimes { tmm, n, fast: n / 2, slow: n - n / 2, min, p50: min + 1, avg, p95: min + 2, p99: min + 3, max: min + 4 };
            let TmmTimes { fast, slow, p50, p95, p99, max, .. } = row;
            let cells = [n, fast, slow, min.into(), p50.into()].map(|cell| format!("{cell:>width$}")).join(" ");
            writeln!(text, "{tmm:>width$} {cells} {avg:>width$.1} {p95:>width$} {p99} {max}").unwrap();
            expected.push(row);
        }
        prop_assert_eq!(read(&text).per_tmm, expected);
    }

    #[test]
    fn any_text_in_a_table_is_read_without_a_panic(text in "(TMM|tmm|completed=|posts/s|writes/s|[0-9:=%/|().,\\[\\] \r\n-]|hits|pct){0,80}") {
        let analysis = read(&format!("TMM hits pct\n{text}"));
        prop_assert_eq!(analysis.lines.read, analysis.lines.used + analysis.lines.skipped);
    }
}
