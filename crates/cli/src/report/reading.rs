//! Reading a report back. Its text may come from anywhere.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::{Map, Value};
use subtable_model::scenario::Scenario;

use super::{Report, SCHEMA, VERSION};
use crate::parameters::plain;

/// Longest report that is read, in bytes: more than one of 1,024 TMMs with all its rates.
pub const LONGEST: usize = 16 << 20;

/// Why a text is not a report that can be used.
#[derive(Debug)]
pub enum ReadError {
    /// It is longer than [`LONGEST`].
    TooLong,
    /// It is not JSON, or a field is absent or has a value that it cannot have.
    Malformed(serde_json::Error),
    /// It is JSON of something else.
    OtherSchema {
        /// What it says that it is (shortened).
        schema: String,
    },
    /// It was made by a later version.
    LaterVersion {
        /// Its version.
        version: u64,
    },
    /// Its TMMs are not those of its scenario.
    OtherTmms {
        /// TMMs of the scenario.
        tmms: u64,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(
                f,
                "longer than {LONGEST} bytes: this is not the report of a run"
            ),
            Self::Malformed(error) => write!(f, "not the report of a run: {error}"),
            Self::OtherSchema { schema } => {
                write!(
                    f,
                    "has the schema `{schema}`; only `{SCHEMA}` can be read here"
                )
            }
            Self::LaterVersion { version } => {
                write!(
                    f,
                    "has version {version} of `{SCHEMA}`; this program reads versions up to {VERSION}"
                )
            }
            Self::OtherTmms { tmms } => write!(
                f,
                "not the report of a run: the scenario has {tmms} TMMs, and `per_tmm` or `slow_tmms` has others"
            ),
        }
    }
}

impl core::error::Error for ReadError {}

/// Reads a report.
///
/// # Errors
/// [`ReadError`] when it is none, or none that this version understands.
pub fn read(text: &str) -> Result<Report, ReadError> {
    #[derive(serde::Deserialize)]
    struct Label {
        schema: String,
        version: u64,
    }
    if text.len() > LONGEST {
        return Err(ReadError::TooLong);
    }
    let label: Label = serde_json::from_str(text).map_err(ReadError::Malformed)?;
    if label.schema != SCHEMA {
        let schema = label.schema.chars().take(40).flat_map(char::escape_debug);
        return Err(ReadError::OtherSchema {
            schema: schema.collect(),
        });
    }
    if label.version > u64::from(VERSION) {
        return Err(ReadError::LaterVersion {
            version: label.version,
        });
    }
    let report: Report = serde_json::from_str(text).map_err(ReadError::Malformed)?;
    let tmms = report.scenario.tmms();
    let numbers = report.per_tmm.iter().map(|row| u64::from(row.tmm));
    let slow = report.verdict.slow_tmms.iter();
    if !numbers.eq(0..tmms) || slow.len() as u64 > tmms {
        return Err(ReadError::OtherTmms { tmms });
    }
    Ok(report)
}

/// A scenario from its map: every value goes through the validation of its parameter.
pub(super) fn scenario<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Scenario, D::Error> {
    let map = Map::<String, Value>::deserialize(deserializer)?;
    let mut scenario = Scenario::default();
    for (id, value) in &map {
        let text = match value {
            Value::String(_) | Value::Number(_) => plain(value),
            _ => {
                return Err(D::Error::custom(format_args!(
                    "{}: neither number nor word",
                    id.escape_debug()
                )));
            }
        };
        scenario.set(id, &text).map_err(D::Error::custom)?;
    }
    Ok(scenario)
}

#[cfg(test)]
mod tests {
    use subtable_model::scenario::link;

    use super::*;

    fn sample() -> Report {
        let mut run = link::Run::default();
        for (id, value) in [
            ("records", "2000"),
            ("tmms", "3"),
            ("log-every", "10"),
            ("hop", "45.125"),
        ] {
            run.scenario.set(id, value).unwrap();
        }
        let snapshot = subtable_model::run(&run.scenario, run.seed);
        Report::new(&run, &snapshot, 10)
    }

    #[test]
    fn a_report_survives_the_way_through_text() {
        let report = sample();
        let text = serde_json::to_string_pretty(&report).unwrap();
        assert_eq!(read(&text).unwrap(), report);
    }

    #[test]
    fn what_is_not_a_report_is_refused_with_a_reason() {
        let text = serde_json::to_string(&sample()).unwrap();
        let reason = |text: &str| read(text).unwrap_err().to_string();
        assert!(reason("").starts_with("not the report of a run: EOF"));
        assert!(reason(&text[..text.len() / 2]).starts_with("not the report of a run"));
        assert_eq!(
            reason(&text.replace(SCHEMA, "other\\u001b")),
            "has the schema `other\\u{1b}`; only `subtable-lab/run` can be read here"
        );
        assert_eq!(
            reason(&text.replace("\"version\":1", "\"version\":7")),
            "has version 7 of `subtable-lab/run`; this program reads versions up to 1"
        );
        let message = reason(&text.replace("\"tmms\":3", "\"tmms\":3000"));
        assert!(
            message.contains("tmms: 3000 is outside 1 to 1024"),
            "{message}"
        );
        let message = reason(&text.replace("\"tmms\":3", "\"tmms\":4"));
        assert!(message.contains("the scenario has 4 TMMs"), "{message}");
        let message = reason(&text.replace("\"tmms\":3", "\"tmms\":[3]"));
        assert!(
            message.contains("tmms: neither number nor word"),
            "{message}"
        );
        assert!(matches!(
            read(&" ".repeat(LONGEST + 1)),
            Err(ReadError::TooLong)
        ));
    }
}
