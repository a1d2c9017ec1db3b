//! The checks of the fuzz targets on the corpus of the logs and on samples of the other inputs: whole, line by line, and
//! cut off anywhere. `examples/hammer.rs` does the same ten million times.

#[path = "../../logs/fuzz/checks/analysis.rs"]
mod analysis;
#[path = "../../logs/fuzz/checks/line.rs"]
mod line;
#[path = "../fuzz/checks/link.rs"]
mod link;
#[path = "../../logs/fuzz/checks/log.rs"]
mod log;
#[path = "../../logs/fuzz/checks/prefix.rs"]
mod prefix;
#[path = "../../logs/fuzz/checks/report.rs"]
mod report;
#[path = "../fuzz/checks/request.rs"]
mod request;
#[path = "../fuzz/checks/run_json.rs"]
mod run_json;

use std::path::Path;

type Tested = Result<(), Box<dyn std::error::Error>>;

#[test]
fn the_corpus_passes_the_checks_of_the_log_readers() -> Tested {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/logs");
    let mut files = 0;
    for entry in std::fs::read_dir(corpus)? {
        let text = std::fs::read(entry?.path())?;
        files += 1;
        for check in [log::check, analysis::check, report::check] {
            check(&text);
            (0..text.len())
                .step_by(text.len() / 20 + 1)
                .for_each(|end| check(&text[..end]));
        }
        for whole in text.split(|&byte| byte == b'\n') {
            for check in [line::check, prefix::check] {
                check(whole);
                check(&whole[..whole.len() / 2]);
            }
        }
    }
    assert!(files >= 30, "{files} files");
    Ok(())
}

#[test]
fn samples_of_the_other_inputs_pass_theirs() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = [
        "subtable-lab",
        "run",
        "--records",
        "300",
        "--json",
        "--stretches",
        "2",
    ];
    subtable_lab::run(words, &mut subtable_lab::Console::new(&mut out, &mut err));
    for end in 0..out.len() {
        run_json::check(&out[..end]);
    }
    run_json::check(&out);
    for sample in [
        "v=1&preset=published-deterministic&tmms=8&hop=1.5&naming=shared&seed=7",
        "https://example.org/lab/#v=1&preset=bulk&keys-per-post=9&view=log",
        "v=2&preset=&tmms=99999999999999999999&%20=&&==",
    ] {
        (0..=sample.len()).for_each(|end| link::check(&sample.as_bytes()[..end]));
    }
    for sample in [
        "GET /load?key=a&val=b",
        "GET /whoami",
        "GET /dump",
        "GET /reset",
        "GET /probe?name=localdb_tmm_0",
        "POST /bulk_load 12\nabc\ndef\r\n\0 ghi\n",
    ] {
        (0..=sample.len()).for_each(|end| request::check(&sample.as_bytes()[..end]));
    }
}
