//! Files and words from strangers: whatever they hold, the program answers.

use proptest::prelude::*;
use subtable_lab::Exit;
use subtable_lab::report::read;

use crate::{lab, lab_with};

/// A text with some of its bytes replaced, or cut off.
fn mangled(text: String) -> impl Strategy<Value = Vec<u8>> {
    let length = text.len();
    let bytes = prop_oneof![
        any::<u8>(),
        proptest::sample::select(b"0123456789-.e,:\"[]{}\n".to_vec())
    ];
    let changes = proptest::collection::vec((0..length, bytes), 0..6);
    (changes, proptest::option::of(0..length)).prop_map(move |(changes, cut)| {
        let mut text = text.clone().into_bytes();
        for (place, byte) in changes {
            text[place] = byte;
        }
        text.truncate(cut.unwrap_or(length));
        text
    })
}

fn report() -> String {
    lab("run --records 600 --tmms 2 --log-every 7 --json --stretches 3").out
}

const SWEEP: &str = "sweep -p tmms --values 1,2 --records 20 --seeds 3 --json";

fn points() -> String {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let file = folder.path().join("points.jsonl");
    lab(&format!("{SWEEP} --output {}", file.display()));
    std::fs::read_to_string(file).expect("the file of the sweep")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_mangled_report_is_read_or_refused(bytes in mangled(report())) {
        if let Ok(report) = read(&String::from_utf8_lossy(&bytes)) {
            prop_assert!(!report.verdict_in_words().is_empty());
        }
    }

    #[test]
    fn a_mangled_file_of_points_is_resumed_or_refused_and_then_left_alone(bytes in mangled(points())) {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("points.jsonl");
        std::fs::write(&file, &bytes)?;
        let answer = lab(&format!("{SWEEP} --output {}", file.display()));
        if answer.exit == Exit::Unusable {
            prop_assert!(answer.err.starts_with("error: "), "{}", answer.err);
            prop_assert_eq!(std::fs::read(&file)?, bytes);
        } else {
            prop_assert_eq!(answer.exit, Exit::Success);
        }
    }

    #[test]
    fn any_link_is_decoded_or_refused(link in "\\PC{0,80}|([a-z-]{1,8}=[a-z0-9.-]{0,12}&){0,6}") {
        let answer = lab_with(["links", "decode", "--", &link]);
        prop_assert!(answer.out.starts_with("--preset "), "{}", answer.out);
        prop_assert_eq!(answer.exit == Exit::Success, !answer.err.contains("error: "));
    }
}
