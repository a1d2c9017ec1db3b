//! The reader: chunks, limits, several inputs, bad ends.

use proptest::prelude::*;
use subtable_logs::limits::{LISTED_LINES, MAX_LINE_BYTES};
use subtable_logs::{
    Fault, Field, Observations, ReadOptions, Reader, Settings, analyse, analyse_bytes,
};

const WRITE: &str = "tmm=2 subtable=a writes=1000 key=k clicks=6 FAST_LOCAL (sampled 1/1000)";

fn read(chunks: &[&[u8]]) -> Observations {
    let mut reader = Reader::default();
    for chunk in chunks {
        reader.push(chunk);
    }
    reader.finish()
}

fn any_text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(WRITE.as_bytes().to_vec()),
        Just(b"PROBE tmm=1 subtable=u clicks=90 entries=4 NON_OWNER".to_vec()),
        Just(b"TMM hits first_deleted total_deleted".to_vec()),
        Just(b"0 50 25198 25198".to_vec()),
        Just(b"completed=10/20 (50.0%) rate=5/s coverage=1/4 missing=[1,2] errors=0".to_vec()),
        Just(b"\r".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(vec![b'x'; MAX_LINE_BYTES - 1]),
        prop::collection::vec(any::<u8>(), 0..40),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Cutting the input elsewhere changes nothing, and every line is either used or skipped.
    #[test]
    fn chunks_make_no_difference(text in any_text(), chunk in 1..70_000_usize) {
        let whole = analyse(&read(&[&text]), Settings::default());
        let cut: Vec<&[u8]> = text.chunks(chunk).collect();
        prop_assert_eq!(&analyse(&read(&cut), Settings::default()), &whole);
        prop_assert_eq!(whole.lines.read, whole.lines.used + whole.lines.skipped);
        let pieces = text.split(|&b| b == b'\n');
        let after_the_last_end = usize::from(text.last().is_none_or(|&b| b == b'\n'));
        prop_assert_eq!(whole.lines.read, (pieces.count() - after_the_last_end) as u64);
    }
}

#[test]
fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
    let padded = |length: usize| format!("{WRITE} {}", "x".repeat(length - WRITE.len() - 1));
    for end in ["\n", "\r\n", ""] {
        let longest = padded(MAX_LINE_BYTES) + end;
        assert_eq!(read(&[longest.as_bytes()]).lines.used, 1);
        let longer = padded(MAX_LINE_BYTES + 1) + end;
        for cut in [1, MAX_LINE_BYTES - 1, longer.len() - 1] {
            let (a, b) = longer.as_bytes().split_at(cut);
            let lines = read(&[a, b]).lines;
            assert_eq!(
                (lines.used, lines.too_long, lines.first_malformed[0].fault),
                (0, 1, Fault::TooLong)
            );
            assert!(
                lines.first_malformed[0].text.len() < 200,
                "only the beginning is kept"
            );
            assert!(lines.first_malformed[0].text.ends_with('…'));
        }
    }
}

#[test]
fn an_endless_line_does_not_hide_what_follows() {
    let mut reader = Reader::default();
    for _ in 0..1000 {
        reader.push(&[b'a'; 10_000]);
    }
    reader.push(b"\n");
    reader.push(WRITE.as_bytes());
    reader.push(b"\n");
    assert_eq!(reader.bytes_read(), 10_000_000 + 1 + WRITE.len() as u64 + 1);
    let seen = reader.finish();
    assert_eq!(
        (seen.lines.read, seen.lines.used, seen.lines.too_long),
        (2, 1, 1)
    );
}

#[test]
fn the_first_hundred_of_each_sort_are_listed_with_number_and_reason() {
    let mut text = String::new();
    for _ in 0..150 {
        text.push_str("sshd: hello\n\ntmm=1 clicks=abc SLOW (sampled 1/10)\n");
    }
    let lines = read(&[text.as_bytes()]).lines;
    assert_eq!(
        (
            lines.read,
            lines.used,
            lines.skipped,
            lines.blank,
            lines.malformed
        ),
        (450, 0, 450, 150, 150)
    );
    assert_eq!(
        (lines.first_malformed.len(), lines.first_not_ours.len()),
        (LISTED_LINES, LISTED_LINES)
    );
    let listed = &lines.first_malformed[1];
    assert_eq!(
        (listed.line, listed.fault),
        (6, Fault::NotANumber(Field::Clicks))
    );
    assert_eq!(listed.reason, "clicks= is not a whole number");
    assert_eq!(lines.first_not_ours[1].line, 4);
}

#[test]
fn inputs_are_not_glued_together() {
    let mut reader = Reader::default();
    reader.push(b"noise\n");
    reader.push(WRITE.as_bytes());
    reader.next_input();
    reader.push(WRITE.as_bytes());
    reader.push(b"\nmore noise");
    let seen = reader.finish();
    assert_eq!(seen.lines.used, 2);
    let places: Vec<(u32, u64)> = seen
        .lines
        .first_not_ours
        .iter()
        .map(|line| (line.input, line.line))
        .collect();
    assert_eq!(places, [(0, 1), (1, 2)]);
}

#[test]
fn a_visitor_sees_every_understood_line_with_its_place() {
    let text = format!("noise\n{WRITE}\r\nnoise\n{WRITE}");
    let mut places = Vec::new();
    let mut reader = Reader::default();
    reader.push_each(text.as_bytes(), |at, _| places.push(at.line));
    reader.next_input_each(|at, _| places.push(at.line));
    assert_eq!(places, [2, 4]);
}

#[test]
fn a_cut_last_line_is_told_apart_from_a_broken_one() {
    let cut = format!("{WRITE}\ntmm=2 subtable=a writes=2000 key=k clicks=64");
    let analysis = analyse_bytes(cut.as_bytes(), ReadOptions::default(), Settings::default());
    assert_eq!(analysis.per_tmm[0].n, 1);
    assert_eq!(analysis.lines.first_malformed[0].fault, Fault::CutOff);
    // Whole but for the end of the rate: the time counts, the rate does not.
    let cut =
        format!("{WRITE}\ntmm=2 subtable=a writes=2000 key=k clicks=64 FAST_LOCAL (sampled 1/10");
    let analysis = analyse_bytes(cut.as_bytes(), ReadOptions::default(), Settings::default());
    assert_eq!((analysis.per_tmm[0].n, analysis.per_tmm[0].max), (2, 64));
    assert_eq!(analysis.sample_rates, [1000]);
    // Whole, only without its line end: as good as any other.
    let whole = format!("{WRITE}\n{WRITE}");
    let analysis = analyse_bytes(
        whole.as_bytes(),
        ReadOptions::default(),
        Settings::default(),
    );
    assert_eq!((analysis.per_tmm[0].n, analysis.lines.skipped), (2, 0));
}

#[test]
fn bytes_that_are_not_text_are_no_obstacle() {
    let mut text = b"\xff\xfe\x00\x01 tmm=\xff clicks=\xfe sampled\n".to_vec();
    text.extend_from_slice(
        b"tmm=1 subtable=\xff\xfe key=\x80 clicks=7 FAST_LOCAL (sampled 1/10)\n",
    );
    let analysis = analyse_bytes(&text, ReadOptions::default(), Settings::default());
    assert_eq!(analysis.per_tmm[0].max, 7);
    assert_eq!(analysis.subtables[0].subtable, "\u{fffd}\u{fffd}");
    assert_eq!(
        analysis.lines.first_malformed[0].fault,
        Fault::NotANumber(Field::Tmm)
    );
    assert!(
        !analysis.lines.first_malformed[0]
            .text
            .chars()
            .any(char::is_control)
    );
}

#[test]
fn what_is_known_while_reading_can_be_analysed() {
    let mut reader = Reader::default();
    reader.push(format!("{WRITE}\n{WRITE}\n{WRITE}").as_bytes());
    assert_eq!(
        analyse(reader.so_far(), Settings::default()).per_tmm[0].n,
        2
    );
    assert_eq!(
        analyse(&reader.finish(), Settings::default()).per_tmm[0].n,
        3
    );
}

#[test]
fn all_lines_count_probes_and_unsampled_ones() {
    let text =
        "tmm=1 clicks=5\nPROBE tmm=1 subtable=u clicks=90 entries=4 NON_OWNER\ntmm=1 deleted=4\n";
    let only = analyse_bytes(text.as_bytes(), ReadOptions::default(), Settings::default());
    assert!(only.per_tmm.is_empty());
    assert_eq!(only.verdict, None);
    let all = analyse_bytes(
        text.as_bytes(),
        ReadOptions { all_lines: true },
        Settings::default(),
    );
    assert_eq!(
        (all.per_tmm[0].n, all.per_tmm[0].max, all.ownership.len()),
        (2, 90, 1)
    );
}
