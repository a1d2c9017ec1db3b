//! The corpus of logs and reports, read as a person would give it: each file beside what must be concluded from it.
//!
//! `tests/corpus/logs/NAME` is the input and `NAME.expected` the conclusion. With `UPDATE_EXPECTED=1` in the environment
//! the conclusions are written instead of compared; read the difference before keeping it.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use subtable_logs::{Analysis, ReadOptions, Reader, Settings, SkippedLine, analyse};

type Outcome = Result<(), Box<dyn Error>>;

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/logs")
}

/// The inputs, in order of their names.
fn inputs() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(corpus())? {
        let path = entry?.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if matches!(extension, Some("log" | "txt")) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn read(text: &[u8], chunk: usize) -> Analysis {
    let mut reader = Reader::new(ReadOptions::default());
    for part in text.chunks(chunk) {
        reader.push(part);
    }
    analyse(&reader.finish(), Settings::default())
}

/// The conclusions, one a line.
fn summary(analysis: &Analysis) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let lines = &analysis.lines;
    writeln!(
        text,
        "lines: {} read, {} used, {} skipped ({} blank, {} malformed)",
        lines.read, lines.used, lines.skipped, lines.blank, lines.malformed
    )?;
    for row in &analysis.per_tmm {
        writeln!(
            text,
            "TMM {}: n {} FAST {} SLOW {} min {} p50 {} avg {:.1} p95 {} p99 {} max {}",
            row.tmm,
            row.n,
            row.fast,
            row.slow,
            row.min,
            row.p50,
            row.avg,
            row.p95,
            row.p99,
            row.max
        )?;
    }
    for row in &analysis.subtables {
        writeln!(
            text,
            "writes of TMM {} to {}: n {} avg {:.1}",
            row.tmm, row.subtable, row.n, row.avg
        )?;
    }
    if !analysis.sample_rates.is_empty() {
        writeln!(text, "sample rates: {:?}", analysis.sample_rates)?;
    }
    match &analysis.verdict {
        None => writeln!(text, "verdict: none")?,
        Some(verdict) => {
            writeln!(text, "verdict: {}", verdict.summary)?;
            for cause in &verdict.causes {
                writeln!(text, "cause: {}", cause.text)?;
            }
        }
    }
    for name in &analysis.ownership {
        writeln!(text, "owner: {}", name.summary)?;
    }
    if let Some(discovery) = &analysis.discovery {
        writeln!(
            text,
            "discovery: {} found, {} gave up",
            discovery.found, discovery.exhausted
        )?;
        for test in &discovery.tests {
            writeln!(text, "tries: {}", test.reading)?;
        }
    }
    writeln!(text, "threshold: {}", analysis.threshold_suggestion.reading)?;
    for test in &analysis.dag {
        let hits: Vec<u64> = test.hits.iter().map(|row| row.hits).collect();
        writeln!(text, "hits ({}): {hits:?}: {}", test.source, test.reading)?;
    }
    for row in &analysis.bulk {
        writeln!(
            text,
            "bulk on TMM {}: {} writes, {:.2} clicks each",
            row.tmm, row.writes, row.clicks_per_write
        )?;
    }
    for report in &analysis.reports {
        let value = serde_json::to_value(report)?;
        let rows = value["rows"]
            .as_array()
            .or(value["distribution"].as_array())
            .map_or(0, Vec::len);
        writeln!(
            text,
            "report: {} with {rows} rows",
            value["kind"].as_str().unwrap_or_default()
        )?;
        if let Value::Object(last) = &value["last"] {
            writeln!(text, "progress: {}", Value::Object(last.clone()))?;
        }
    }
    for note in &analysis.notes {
        writeln!(text, "note: {}", note.text)?;
    }
    list_lines(&mut text, "malformed", &lines.first_malformed)?;
    list_lines(
        &mut text,
        "not ours",
        lines
            .first_not_ours
            .get(..8)
            .unwrap_or(&lines.first_not_ours),
    )?;
    Ok(text)
}

fn list_lines(text: &mut String, what: &str, list: &[SkippedLine]) -> std::fmt::Result {
    for line in list {
        writeln!(text, "{what} {}: {}: {}", line.line, line.reason, line.text)?;
    }
    Ok(())
}

#[test]
fn every_file_is_read_as_expected() -> Outcome {
    let update = std::env::var_os("UPDATE_EXPECTED").is_some();
    let inputs = inputs()?;
    assert!(inputs.len() >= 17, "the corpus is there: {inputs:?}");
    let mut wrong = String::new();
    for input in &inputs {
        let concluded = summary(&read(&fs::read(input)?, usize::MAX))?;
        let mut expected_path = input.clone().into_os_string();
        expected_path.push(".expected");
        if update {
            fs::write(&expected_path, &concluded)?;
            continue;
        }
        let expected = fs::read_to_string(&expected_path)
            .map_err(|error| format!("{}: {error}", Path::new(&expected_path).display()))?;
        if concluded != expected {
            writeln!(
                wrong,
                "{}\n--- expected\n{expected}--- concluded\n{concluded}",
                input.display()
            )?;
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    Ok(())
}

#[test]
fn every_expectation_has_its_input() -> Outcome {
    let inputs = inputs()?;
    for entry in fs::read_dir(corpus())? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "expected")
        {
            assert!(
                inputs.contains(&path.with_extension("")),
                "{} has no input",
                path.display()
            );
        }
    }
    Ok(())
}

#[test]
fn how_a_file_is_cut_into_chunks_makes_no_difference() -> Outcome {
    for input in inputs()? {
        let text = fs::read(&input)?;
        let whole = read(&text, usize::MAX);
        for chunk in [1, 7, 64, 4093] {
            assert_eq!(
                read(&text, chunk),
                whole,
                "{} in chunks of {chunk}",
                input.display()
            );
        }
    }
    Ok(())
}

/// Both line ends give the same figures; only what is listed of the lines may differ.
#[test]
fn line_ends_make_no_difference() -> Outcome {
    let mut compared = 0;
    for input in inputs()? {
        let Ok(text) = fs::read_to_string(&input) else {
            continue;
        };
        let unix = text.replace("\r\n", "\n");
        if unix.contains('\r') {
            continue;
        }
        let (one, other) = (
            read(unix.as_bytes(), 4096),
            read(unix.replace('\n', "\r\n").as_bytes(), 4096),
        );
        assert_eq!(summary(&one)?, summary(&other)?, "{}", input.display());
        compared += 1;
    }
    assert!(compared >= 14, "most files are text: {compared}");
    Ok(())
}

/// A file that stops anywhere is read up to there: all lines are accounted for, and no figure appears from nowhere.
#[test]
fn a_file_may_stop_anywhere() -> Outcome {
    for input in inputs()? {
        let text = fs::read(&input)?;
        let whole = read(&text, usize::MAX);
        let highest = whole.total.map_or(0, |total| total.max);
        for end in (0..text.len()).step_by(text.len() / 150 + 1) {
            let part = read(&text[..end], 4096);
            assert_eq!(part.lines.read, part.lines.used + part.lines.skipped);
            assert!(
                part.total.is_none_or(|total| total.max <= highest),
                "{} up to {end}",
                input.display()
            );
        }
    }
    Ok(())
}
