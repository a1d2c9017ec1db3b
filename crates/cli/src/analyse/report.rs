//! The analysis as data: the JSON of the command.

use std::path::PathBuf;

use serde::Serialize;
use subtable_logs::{Analysis, Comparison, Observations, Settings, analyse, compare};

use super::input::{self, Slow};

/// Name of the JSON's schema.
pub const SCHEMA: &str = "subtable-lab/analysis";
/// Version of the JSON's schema.
pub const VERSION: u32 = 1;

/// What was found in the input.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisReport {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The [`VERSION`] of the schema.
    pub version: u32,
    /// The files in order, or `standard input`.
    pub inputs: Vec<String>,
    /// The analysis.
    #[serde(flatten)]
    pub analysis: Analysis,
    /// Writes tagged SLOW or at or above the threshold.
    pub slow_lines: SlowLines,
    /// What became of each TMM since the log from before; absent where none was given.
    pub comparison: Option<Comparison>,
}

/// Slow writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SlowLines {
    /// How many there are.
    pub count: u64,
    /// The first ones, as many as were asked for.
    pub first: Vec<SlowLine>,
}

/// One slow write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SlowLine {
    /// Which input, counted from 0.
    pub input: u32,
    /// Which line of it, counted from 1.
    pub line: u64,
    /// The TMM.
    pub tmm: u16,
    /// The clicks that it took.
    pub clicks: u32,
    /// The subtable, where the line says.
    pub subtable: Option<String>,
    /// The key, where the line says.
    pub key: Option<String>,
}

impl AnalysisReport {
    /// Analyses what was read.
    #[must_use]
    pub(super) fn new(
        files: &[PathBuf],
        seen: &Observations,
        before: Option<&Observations>,
        slow: Slow,
        settings: Settings,
    ) -> Self {
        let analysis = analyse(seen, settings);
        let comparison = before.map(|before| compare(&analyse(before, settings), &analysis));
        Self {
            schema: SCHEMA,
            version: VERSION,
            inputs: files.iter().map(|file| input::name(file)).collect(),
            analysis,
            slow_lines: SlowLines {
                count: slow.count,
                first: slow.first,
            },
            comparison,
        }
    }
}
