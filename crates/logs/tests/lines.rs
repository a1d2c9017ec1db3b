//! Every kind of line, whatever stands before it and in whatever order its parts come, is read as what was written.

use proptest::prelude::*;
use proptest::sample::select;
use subtable_logs::lines::{Discovery, Ending, Exhausted, Line, Probe, Tag, Write, parse};
use subtable_logs::{Fault, Field};

const PREFIXES: [&str; 10] = [
    "",
    "Rule /Common/LOCALDB <HTTP_REQUEST>: ",
    "Rule /Common/LOCALDB: ",
    "Nov 30 20:15:01 bigip1 info tmm2[12345]: 01220002:6: Rule /Common/LOCALDB <HTTP_REQUEST>: ",
    "Nov  3 20:15:01 bigip1 tmm[1234]: Rule /Common/LOCALDB <CLIENT_ACCEPTED>: ",
    "<134>Nov 30 20:15:01 bigip1 slot1/tmm2[1234]: Rule /Lab/rule_7 <HTTP_REQUEST>: ",
    "2024-11-30T20:15:01.123456+00:00 bigip1 tmm2[1234]: Rule /Common/LOCALDB <HTTP_REQUEST>: ",
    "<134>1 2024-11-30T20:15:01Z bigip1 tmm 1234 - - Rule /Common/LOCALDB <HTTP_REQUEST>: ",
    "<134>1 2024-11-30T20:15:01.003Z bigip1 tmm1 1234 - [origin x=\"tmm=9 clicks=9\"] ",
    "slot1/tmm2[1234]: ",
];

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "localdb_tmm_[0-9]{1,3}_[0-9]{1,6}",
        "[a-z][a-zA-Z0-9_:./-]{0,40}[a-z]"
    ]
}

/// A line of the parts in any order, behind any prefix.
fn line_of(parts: Vec<String>) -> impl Strategy<Value = String> {
    (select(&PREFIXES[..]), Just(parts).prop_shuffle())
        .prop_map(|(prefix, parts)| prefix.to_owned() + &parts.join(" "))
}

prop_compose! {
    fn writes()(
        tmm in 0_u16..1024,
        subtable in name(),
        writes in any::<u64>(),
        key in "[!-~]{1,40}",
        clicks in any::<u32>(),
        slow in any::<bool>(),
        one_in in 1..=u32::MAX,
        unique in any::<bool>(),
    ) -> (u16, String, u64, String, u32, bool, u32, bool) {
        (tmm, subtable, writes, key.trim_end_matches([')', ']', ',', ';']).to_owned() + "k", clicks, slow, one_in, unique)
    }
}

proptest! {
    #[test]
    fn writes_come_back(
        (line, (tmm, subtable, writes, key, clicks, slow, one_in, unique)) in writes().prop_flat_map(|write| {
            let (tmm, subtable, writes, key, clicks, slow, one_in, unique) = write.clone();
            let parts = vec![
                format!("tmm={tmm}"),
                format!("subtable={subtable}"),
                format!("writes={writes}"),
                format!("key={key}"),
                format!("clicks={clicks}"),
                if slow { "SLOW" } else { "FAST_LOCAL" }.to_owned(),
                format!("({}sampled 1/{one_in})", if unique { "unique, " } else { "" }),
            ];
            (line_of(parts), Just(write))
        })
    ) {
        let expected = Line::Write(Write {
            tmm,
            clicks,
            tag: Some(if slow { Tag::Slow } else { Tag::FastLocal }),
            one_in: Some(one_in),
            unique,
            subtable: Some(subtable.as_bytes()),
            writes: Some(writes),
            key: Some(key.as_bytes()),
        });
        prop_assert_eq!(parse(line.as_bytes(), Ending::LineFeed, false), Ok(expected));
        prop_assert_eq!(parse(line.as_bytes(), Ending::EndOfInput, true), Ok(expected));
    }

    #[test]
    fn probes_come_back(
        (line, subtable) in name().prop_flat_map(|subtable| {
            let parts = ["PROBE", "tmm=3", &format!("subtable={subtable}"), "clicks=19814", "entries=25000", "NON_OWNER"];
            (line_of(parts.map(str::to_owned).to_vec()), Just(subtable))
        })
    ) {
        let expected = Probe {
            tmm: 3,
            subtable: subtable.as_bytes(),
            clicks: 19814,
            entries: Some(25000),
            owner: false,
            logged: true,
        };
        prop_assert_eq!(parse(line.as_bytes(), Ending::LineFeed, false), Ok(Line::Probe(expected)));
    }

    #[test]
    fn discoveries_come_back(
        (line, subtable, tries, total) in (name(), 1..1000_u32, 1..1024_u16).prop_flat_map(|(subtable, tries, total)| {
            let parts = vec![
                "tmm=0".to_owned(),
                format!("subtable={subtable}"),
                "initialized".to_owned(),
                format!("after {tries} probes"),
                "(diff=7 clicks".to_owned(),
                format!("of {total} total TMMs)"),
            ];
            (line_of(parts), Just(subtable), Just(tries), Just(total))
        })
    ) {
        let expected =
            Discovery { tmm: 0, subtable: subtable.as_bytes(), tries, diff: Some(7), total_tmms: Some(total) };
        prop_assert_eq!(parse(line.as_bytes(), Ending::LineFeed, false), Ok(Line::Discovery(expected)));
    }

    #[test]
    fn exhaustions_come_back(
        (line, using) in name().prop_flat_map(|using| {
            let parts = vec![
                "tmm=12".to_owned(),
                "WARNING".to_owned(),
                "could not find local subtable".to_owned(),
                "after 200 probes;".to_owned(),
                format!("using {using}"),
                "(last diff=345)".to_owned(),
            ];
            (line_of(parts), Just(using))
        })
    ) {
        let expected = Exhausted { tmm: 12, tries: 200, using: using.as_bytes(), diff: Some(345) };
        prop_assert_eq!(parse(line.as_bytes(), Ending::LineFeed, false), Ok(Line::Exhausted(expected)));
    }

    #[test]
    fn accepts_and_settings_come_back(
        accept in line_of(["tmm=1", "CLIENT_ACCEPTED", "accepts=17", "from 10.0.0.9:50122"].map(str::to_owned).to_vec()),
        loaded in line_of(["LOCALDB procs loaded", "debug_sample=1000", "fast_threshold=100", "tmm=2"].map(str::to_owned).to_vec()),
    ) {
        let expected = Line::Accept { tmm: 1, accepts: Some(17) };
        prop_assert_eq!(parse(accept.as_bytes(), Ending::LineFeed, false), Ok(expected));
        let expected = Line::Loaded { tmm: 2, debug_sample: 1000, fast_threshold: 100 };
        prop_assert_eq!(parse(loaded.as_bytes(), Ending::LineFeed, false), Ok(expected));
    }

    /// Whatever the bytes: no panic, and what a cut line gives is the whole line's value or none.
    #[test]
    fn a_cut_line_never_gives_another_value(at in 0_usize..150, prefix in select(&PREFIXES[..])) {
        let whole = format!("{prefix}tmm=12 subtable=localdb_tmm_12_77 writes=34000 key=abc clicks=5678 SLOW (sampled 1/1000)");
        let cut = &whole.as_bytes()[..at.min(whole.len() - 1)];
        match parse(cut, Ending::EndOfInput, false) {
            Ok(Line::Write(write)) => {
                prop_assert_eq!((write.tmm, write.clicks, write.tag), (12, 5678, Some(Tag::Slow)));
                prop_assert!(write.one_in.is_none_or(|one_in| one_in == 1000));
            }
            Ok(other) => prop_assert!(false, "{other:?}"),
            Err(fault) => prop_assert!(matches!(fault, Fault::CutOff | Fault::NotOurs), "{fault}"),
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300), all in any::<bool>()) {
        let _ = parse(&bytes, Ending::LineFeed, all);
        let _ = parse(&bytes, Ending::EndOfInput, all);
    }
}

#[test]
fn answers_are_read() {
    let read = |line: &'static str| parse(line.as_bytes(), Ending::LineFeed, false);
    assert!(
        matches!(read("tmm=2 total_tmms=4"), Ok(Line::Status(s)) if s.tmm == 2 && s.total_tmms == Some(4))
    );
    for line in [
        "tmm=2 subtable=tmm 2 subtable localdb_tmm_2_5946 total_tmms 4 writes 9 entries 8 key=k",
        "tmm 2 subtable localdb_tmm_2_5946 total_tmms 4 writes 9 entries 8",
    ] {
        let Ok(Line::Status(status)) = read(line) else {
            panic!("{line}")
        };
        assert_eq!((status.tmm, status.total_tmms), (2, Some(4)));
        assert_eq!(status.subtable, Some(&b"localdb_tmm_2_5946"[..]));
    }
    assert_eq!(
        read("tmm=1 subtable=localdb_tmm_1 written=15625 elapsed_clicks=62500 clicks_per_write=4"),
        Ok(Line::Bulk {
            tmm: 1,
            written: 15625,
            elapsed_clicks: 62500
        })
    );
    assert_eq!(
        read("tmm=1 deleted=25000"),
        Ok(Line::Entries {
            tmm: 1,
            entries: 25000
        })
    );
    assert_eq!(
        read("tmm=1 count=2 keys=a b"),
        Ok(Line::Entries { tmm: 1, entries: 2 })
    );
    let answered = read("tmm=1 subtable=uuid_01 clicks=8 entries=0 OWNER");
    assert!(matches!(answered, Ok(Line::Probe(probe)) if probe.owner && !probe.logged));
}

const BROKEN: &[(&str, Fault)] = &[
    (
        "tmm=1 clicks=abc SLOW (sampled 1/10)",
        Fault::NotANumber(Field::Clicks),
    ),
    (
        "tmm=1 clicks=-5 SLOW (sampled 1/10)",
        Fault::NotANumber(Field::Clicks),
    ),
    (
        "tmm=1 clicks=5.5 SLOW (sampled 1/10)",
        Fault::NotANumber(Field::Clicks),
    ),
    (
        "tmm=1 clicks=4294967296 SLOW (sampled 1/10)",
        Fault::OutOfRange(Field::Clicks),
    ),
    (
        "tmm=1 clicks= SLOW (sampled 1/10)",
        Fault::Missing(Field::Clicks),
    ),
    ("tmm=1 SLOW (sampled 1/10)", Fault::Missing(Field::Clicks)),
    (
        "tmm=99999999999 clicks=5 SLOW (sampled 1/10)",
        Fault::OutOfRange(Field::Tmm),
    ),
    (
        "tmm=99999999999999999999999 clicks=5 SLOW (sampled 1/10)",
        Fault::OutOfRange(Field::Tmm),
    ),
    (
        "tmm=1024 clicks=5 SLOW (sampled 1/10)",
        Fault::OutOfRange(Field::Tmm),
    ),
    (
        "tmm=one clicks=5 SLOW (sampled 1/10)",
        Fault::NotANumber(Field::Tmm),
    ),
    ("clicks=5 SLOW (sampled 1/10)", Fault::Missing(Field::Tmm)),
    (
        "tmm=1 tmm=2 clicks=5 SLOW (sampled 1/10)",
        Fault::Twice(Field::Tmm),
    ),
    (
        "tmm=1 key=x clicks=9 clicks=5 SLOW (sampled 1/10)",
        Fault::Twice(Field::Clicks),
    ),
    (
        "tmm=1 clicks=5 SLOW (sampled 1/0)",
        Fault::OutOfRange(Field::SampleRate),
    ),
    (
        "tmm=1 clicks=5 SLOW (sampled 2/10)",
        Fault::NotANumber(Field::SampleRate),
    ),
    (
        "tmm=1 clicks=5 writes=x SLOW (sampled 1/10)",
        Fault::NotANumber(Field::Writes),
    ),
    (
        "PROBE tmm=1 subtable=a clicks=5 entries=1",
        Fault::Missing(Field::OwnerTag),
    ),
    (
        "PROBE tmm=1 subtable=a clicks=5 entries=1 OWNER NON_OWNER",
        Fault::Twice(Field::OwnerTag),
    ),
    (
        "PROBE tmm=1 clicks=5 entries=1 OWNER",
        Fault::Missing(Field::Subtable),
    ),
    (
        "tmm=1 subtable=a initialized after zero probes",
        Fault::NotANumber(Field::Tries),
    ),
    (
        "tmm=1 subtable=a initialized after 0 probes",
        Fault::OutOfRange(Field::Tries),
    ),
    (
        "tmm=1 subtable=a initialized after 2 probes (diff=5 clicks of 0 total TMMs)",
        Fault::OutOfRange(Field::TotalTmms),
    ),
    (
        "tmm=1 WARNING could not find local subtable after 200 probes; (last diff=5)",
        Fault::Missing(Field::Using),
    ),
    (
        "tmm=1 CLIENT_ACCEPTED accepts=many from 10.0.0.1:9",
        Fault::NotANumber(Field::Accepts),
    ),
    (
        "LOCALDB procs loaded debug_sample=1000 tmm=1",
        Fault::Missing(Field::FastThreshold),
    ),
];

#[test]
fn a_broken_line_of_ours_says_what_is_wrong() {
    let fault = |line: &str| parse(line.as_bytes(), Ending::LineFeed, false).expect_err(line);
    for &(line, expected) in BROKEN {
        assert_eq!(fault(line), expected, "{line}");
        assert!(expected.is_malformed());
        assert!(!expected.to_string().is_empty());
    }
    assert_eq!(fault("tmm=1 clicks=5"), Fault::Unsampled);
    assert_eq!(fault("rtt of tmm=1 is fine"), Fault::Unrecognised);
    assert_eq!(fault("sshd[1]: Accepted publickey"), Fault::NotOurs);
}
