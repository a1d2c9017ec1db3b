//! `sweep`: cut off, resumed, refused, and right.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use subtable_lab::Exit;

use crate::{Answer, Tested, json, lab};

const SWEEP: &str = "sweep -p tmms --values 1,2,4,8 --preset published-discovered --records 2000 --seeds 6 \
                     --measure tries,throughput,local-share,worst-p99-clicks --json";

fn sweep_into(file: &Path) -> Answer {
    lab(&format!("{SWEEP} --output {}", file.display()))
}

#[test]
fn a_sweep_that_was_cut_off_and_resumed_equals_one_that_was_not() -> Tested {
    let whole = json(SWEEP)?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("points.jsonl");
    let first = sweep_into(&file);
    assert_eq!(first.exit, Exit::Success, "{}", first.err);
    assert_eq!(serde_json::from_str::<Value>(&first.out)?, whole);
    let complete = std::fs::read_to_string(&file)?;
    assert_eq!(complete.lines().count(), 1 + 4 * 6);

    // Cut off after every length in steps, in the middle of lines and of the header too.
    for length in (0..complete.len()).step_by(complete.len() / 9) {
        std::fs::write(&file, &complete[..length])?;
        let there = complete[..length].matches('\n').count().saturating_sub(1);
        let resumed = sweep_into(&file);
        assert_eq!(resumed.exit, Exit::Success, "{length}: {}", resumed.err);
        assert_eq!(
            serde_json::from_str::<Value>(&resumed.out)?,
            whole,
            "{length}"
        );
        if there > 0 {
            assert_eq!(
                resumed.err,
                format!("note: {there} of 24 runs are in the file already\n")
            );
        }
        let lines = |text: &str| text.lines().map(str::to_string).collect::<BTreeSet<_>>();
        let after = std::fs::read_to_string(&file)?;
        assert_eq!(lines(&after), lines(&complete), "{length}");
        assert_eq!(
            after.lines().count(),
            25,
            "{length}: no point is there twice"
        );
    }
    Ok(())
}

#[test]
fn the_file_of_another_sweep_is_left_alone() -> Tested {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("points.jsonl");
    assert_eq!(sweep_into(&file).exit, Exit::Success);
    let complete = std::fs::read_to_string(&file)?;
    let refused = |words: &str, said: &str| {
        let answer = lab(&format!("{words} --output {}", file.display()));
        assert_eq!(answer.exit, Exit::Unusable, "{words}");
        assert!(answer.err.contains(said), "{words}: {}", answer.err);
    };
    refused(
        &format!("{SWEEP} --hop 60"),
        "hop is 45.0 there and 60.0 here",
    );
    refused(
        &SWEEP.replace("tmms --values 1,2,4,8", "workers --values 1"),
        "it varies `tmms`, not `workers`",
    );
    assert_eq!(std::fs::read_to_string(&file)?, complete);

    // More values and seeds of the same sweep are welcome.
    let more = lab(&format!(
        "{} --output {}",
        SWEEP.replace("1,2,4,8", "2,3"),
        file.display()
    ));
    assert_eq!(more.err, "note: 6 of 12 runs are in the file already\n");

    // Two sweeps cannot write one file at the same time.
    let held = std::fs::File::open(&file)?;
    held.lock()?;
    refused(SWEEP, "is being written by another sweep");
    drop(held);

    // Points of another model are not mixed with ours.
    let forged = complete.replacen("\"result_hash\":\"", "\"result_hash\":\"f", 1);
    let cut = &forged[..forged.len() - 10];
    std::fs::write(&file, cut)?;
    refused(SWEEP, "was written by another version of the model");
    assert_eq!(
        std::fs::read_to_string(&file)?,
        cut,
        "its unfinished line too"
    );
    // Nor is a file that is no sweep at all overwritten.
    for text in ["dear diary", "dear diary\n", "{}\n"] {
        std::fs::write(&file, text)?;
        refused(SWEEP, "line 1: not the points of a sweep");
        assert_eq!(std::fs::read_to_string(&file)?, text);
    }
    let damaged = complete.replacen("\"seed\":", "\"seed\"", 2);
    std::fs::write(&file, damaged)?;
    refused(SWEEP, "line 2: not the points of a sweep");
    Ok(())
}

#[test]
fn more_tmms_need_more_tries() -> Tested {
    // The tries of a TMM are geometric with mean N and variance N (N - 1), so that the mean of N TMMs has the variance
    // N - 1. Four standard errors over 40 seeds, and a tenth for the median of a skewed law, which lies below its mean.
    let sweep = json(
        "sweep -p tmms --values 4,16 --preset published-discovered --records 2000 --seeds 40 --measure tries --json",
    )?;
    for (index, tmms) in [4.0_f64, 16.0].into_iter().enumerate() {
        let band = &sweep["points"][index]["measures"]["tries"];
        let of = |part: &str| band[part].as_f64().unwrap_or(f64::NAN);
        let tolerance = 4.0 * ((tmms - 1.0) / 40.0).sqrt() + 0.1 * tmms;
        assert!((of("median") - tmms).abs() < tolerance, "{tmms}: {band}");
        assert!(
            of("low") < of("median") && of("median") < of("high"),
            "{band}"
        );
        assert_eq!(band["runs"], 40);
    }
    Ok(())
}
