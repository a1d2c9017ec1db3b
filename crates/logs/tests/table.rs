//! The table, against an implementation that is as plain as can be and shares no code with ours.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::sample::select;
use subtable_logs::{ReadOptions, Reader, Settings, TmmTimes, analyse};

/// What the plain implementation keeps of a TMM: all its clicks, and how many lines had each tag.
#[derive(Default)]
struct Plain {
    clicks: Vec<u64>,
    fast: u64,
    slow: u64,
}

/// The digits after the label, wherever it is on the line.
fn digits_after<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    let rest = &line[line.find(label)? + label.len()..];
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    Some(&rest[..end])
}

/// The rows by the rule as it is written down: collect, sort, pick.
fn plain_table(log: &str, all_lines: bool) -> Vec<String> {
    let mut tmms: BTreeMap<u64, Plain> = BTreeMap::new();
    for line in log.lines() {
        if !all_lines && !line.contains("sampled") {
            continue;
        }
        let (Some(tmm), Some(clicks)) = (digits_after(line, "tmm="), digits_after(line, "clicks="))
        else {
            continue;
        };
        let plain = tmms.entry(tmm.parse().unwrap()).or_default();
        plain.clicks.push(clicks.parse().unwrap());
        plain.fast += u64::from(line.contains("FAST_LOCAL"));
        plain.slow += u64::from(line.contains("SLOW"));
    }
    let mut rows = Vec::new();
    for (tmm, plain) in &mut tmms {
        plain.clicks.sort_unstable();
        let n = plain.clicks.len();
        let percentile = |p: usize| plain.clicks[std::cmp::min(n - 1, n * p / 100)];
        let avg = plain.clicks.iter().sum::<u64>() as f64 / n as f64;
        rows.push(format!(
            "{tmm} {n} {} {} {} {} {avg:.1} {} {} {}",
            plain.fast,
            plain.slow,
            plain.clicks[0],
            percentile(50),
            percentile(95),
            percentile(99),
            plain.clicks[n - 1]
        ));
    }
    rows
}

fn our_row(row: &TmmTimes) -> String {
    let TmmTimes {
        tmm,
        n,
        fast,
        slow,
        min,
        p50,
        avg,
        p95,
        p99,
        max,
    } = row;
    format!("{tmm} {n} {fast} {slow} {min} {p50} {avg:.1} {p95} {p99} {max}")
}

fn our_table(log: &str, all_lines: bool, chunk: usize) -> Vec<String> {
    let mut reader = Reader::new(ReadOptions { all_lines });
    for part in log.as_bytes().chunks(chunk) {
        reader.push(part);
    }
    analyse(&reader.finish(), Settings::default())
        .per_tmm
        .iter()
        .map(our_row)
        .collect()
}

/// Any line that a log may hold: sampled writes above all.
fn line() -> impl Strategy<Value = String> {
    let clicks =
        prop_oneof![4 => 2..20_u32, 2 => 20..500_u32, 2 => 500..300_000_u32, 1 => any::<u32>()];
    let end = select(vec!["\n", "\r\n"]);
    (0..12_u8, 0..6_u16, clicks, any::<bool>(), select(vec![1, 100, 1000]), end, any::<u32>()).prop_map(
        |(kind, tmm, clicks, slow, one_in, end, key)| {
            let tag = if slow { "SLOW" } else { "FAST_LOCAL" };
            match kind {
                0 => format!("PROBE tmm={tmm} subtable=u clicks={clicks} entries=4 OWNER{end}"),
                1 => format!("tmm={tmm} CLIENT_ACCEPTED accepts={key} from 10.0.0.1:99{end}"),
                2 => format!("tmm={tmm} subtable=n_{key} initialized after 3 probes (diff=5 clicks of 4 total TMMs){end}"),
                3 => format!("sshd[{key}]: session closed{end}"),
                4 => format!("Nov 30 20:15:01 box tmm{tmm}[9]: tmm={tmm} clicks={clicks} of another rule{end}"),
                5 => format!("(unique, sampled 1/{one_in}) {tag} clicks={clicks} key={key:x} tmm={tmm}{end}"),
                _ => format!(
                    "Nov 30 20:15:01 box tmm{tmm}[9]: Rule /Common/LOCALDB <HTTP_REQUEST>: tmm={tmm} subtable=n_{} \
                     writes={key} key={key:x} clicks={clicks} {tag} (sampled 1/{one_in}){end}",
                    tmm % 4
                ),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn tables_are_equal_to_the_digit(
        lines in prop::collection::vec(line(), 0..900),
        all_lines in any::<bool>(),
        chunk in 1..5000_usize,
    ) {
        let log = lines.concat();
        prop_assert_eq!(our_table(&log, all_lines, chunk), plain_table(&log, all_lines));
    }
}

/// Enough samples for the tallies to be merged many times.
#[test]
fn large_tables_are_equal_to_the_digit() {
    let mut log = String::new();
    let mut state = 1_u64;
    for _ in 0..60_000 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let tmm = (state >> 61) % 4;
        let clicks = if state & 0x1000 == 0 {
            (state >> 40) % 30
        } else {
            (state >> 36) % 300_000
        };
        writeln!(log, "tmm={tmm} clicks={clicks} SLOW (sampled 1/10)").unwrap();
    }
    assert_eq!(our_table(&log, false, 4096), plain_table(&log, false));
}
