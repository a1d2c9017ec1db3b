//! One side of a comparison.

use core::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use subtable_model::preset::{PRESETS, Preset};
use subtable_model::scenario::link;

use crate::report::{LONGEST, ReadError, Report, read};
use crate::{Console, Failure, arguments};

/// Rates in the report of a run that is made for a comparison.
const STRETCHES: usize = 100;

/// Why a text is not a side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandError {
    /// It is none of the three things that it could be.
    Unknown {
        /// What it is (shortened).
        text: String,
    },
}

impl fmt::Display for OperandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Unknown { text } = self;
        let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.id).collect();
        write!(
            f,
            "`{text}` is no preset ({}), no link (`preset=…&…`) and no file",
            presets.join(", ")
        )
    }
}

impl core::error::Error for OperandError {}

/// The report of the run that a text stands for.
pub fn report(text: &str, seed: Option<u64>, console: &mut Console<'_>) -> Result<Report, Failure> {
    let mut run = if let Some(preset) = Preset::find(text) {
        link::Run {
            preset,
            scenario: preset.scenario(),
            ..link::Run::default()
        }
    } else if Path::new(text).is_file() {
        return from_file(Path::new(text));
    } else if text.contains('=') {
        arguments::read_link(text, console)?
    } else {
        let text = text.chars().take(80).flat_map(char::escape_debug).collect();
        return Err(OperandError::Unknown { text }.into());
    };
    run.seed = seed.unwrap_or(run.seed);
    let snapshot = subtable_model::run(&run.scenario, run.seed);
    Ok(Report::new(&run, &snapshot, STRETCHES))
}

fn from_file(path: &Path) -> Result<Report, Failure> {
    let attempt = Failure::file(path, "read");
    let mut bytes = Vec::new();
    File::open(path)
        .map_err(&attempt)?
        .take(LONGEST as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(&attempt)?;
    // What is not UTF-8 is not JSON, and is refused as such.
    let text = String::from_utf8_lossy(&bytes);
    let refused = |error: ReadError| Failure::Report {
        path: path.to_path_buf(),
        error,
    };
    read(&text).map_err(refused)
}
