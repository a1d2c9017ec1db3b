//! The command line, as its users and their scripts see it: arguments in, text and status out.

mod analyses;
mod answers;
mod comparisons;
mod documentation;
mod links;
mod runs;
mod strangers;
mod sweeps;

use std::collections::BTreeSet;

use serde_json::Value;
use subtable_lab::{Console, Exit};

type Tested = Result<(), Box<dyn std::error::Error>>;

/// What the program answered.
struct Answer {
    exit: Exit,
    out: String,
    err: String,
}

/// Runs the program with these words, parted by blanks.
fn lab(words: &str) -> Answer {
    lab_with(words.split_whitespace())
}

fn lab_with<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Answer {
    lab_fed(b"", arguments)
}

/// Runs the program with this on its standard input.
fn lab_fed<'a>(mut input: &[u8], arguments: impl IntoIterator<Item = &'a str>) -> Answer {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments: Vec<&str> = std::iter::once("subtable-lab").chain(arguments).collect();
    let mut console = Console::new(&mut out, &mut err).reading(&mut input);
    let exit = subtable_lab::run(arguments, &mut console);
    Answer {
        exit,
        out: String::from_utf8_lossy(&out).into_owned(),
        err: String::from_utf8_lossy(&err).into_owned(),
    }
}

/// The JSON of an answer that must be a success.
fn json(words: &str) -> Result<Value, Box<dyn std::error::Error>> {
    let answer = lab(words);
    assert_eq!(
        (answer.exit, answer.err.as_str()),
        (Exit::Success, ""),
        "{words}"
    );
    Ok(serde_json::from_str(&answer.out)?)
}

/// The rows of an answer in CSV, each with as many cells as the heading.
fn csv(words: &str) -> Result<(Vec<String>, Vec<Vec<String>>), csv::Error> {
    let answer = lab(words);
    assert_eq!(
        (answer.exit, answer.err.as_str()),
        (Exit::Success, ""),
        "{words}"
    );
    let mut reader = csv::Reader::from_reader(answer.out.as_bytes());
    let cells = |record: &csv::StringRecord| record.iter().map(str::to_string).collect();
    let heading = cells(reader.headers()?);
    let rows = reader
        .records()
        .map(|record| record.map(|record| cells(&record)))
        .collect::<Result<_, _>>()?;
    Ok((heading, rows))
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value
        .as_object()
        .map(|map| map.keys().map(String::as_str).collect())
        .unwrap_or_default()
}
