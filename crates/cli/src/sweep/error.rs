//! Why a sweep cannot be made.

use core::fmt;
use std::path::PathBuf;

use subtable_model::scenario::ScenarioError;

/// Why a sweep cannot be made.
#[derive(Debug)]
pub enum SweepError {
    /// There is no such parameter, or one of the values is not allowed.
    Value(ScenarioError),
    /// The words of a choice have no range.
    ChoiceHasNoRange {
        /// The parameter.
        parameter: &'static str,
        /// Its words.
        options: String,
    },
    /// A range that begins at 0 cannot be spaced by equal factors.
    FactorFromZero {
        /// The parameter.
        parameter: &'static str,
    },
    /// A range ends before it begins.
    Backwards {
        /// The parameter.
        parameter: &'static str,
        /// Its beginning.
        from: String,
        /// Its end.
        to: String,
    },
    /// The seeds would go beyond the largest one.
    TooManySeeds {
        /// The first.
        first: u64,
        /// How many.
        count: u64,
    },
    /// The file holds something else than points of a sweep, or is damaged before its end.
    NotPoints {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The points in the file are those of another sweep.
    OtherSweep {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// The points in the file were computed by a program whose model gives other results.
    OtherModel {
        /// The file.
        path: PathBuf,
        /// Value of the point that was computed again.
        value: String,
        /// Its seed.
        seed: u64,
    },
    /// Another sweep is writing the file.
    InUse {
        /// The file.
        path: PathBuf,
    },
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(error) => error.fmt(f),
            Self::ChoiceHasNoRange { parameter, options } => {
                write!(
                    f,
                    "{parameter}: a choice has no range; name its words with --values, out of {options}"
                )
            }
            Self::FactorFromZero { parameter } => {
                write!(
                    f,
                    "{parameter}: equal factors cannot begin at 0; begin --from above it, or leave out --logarithmic"
                )
            }
            Self::Backwards {
                parameter,
                from,
                to,
            } => write!(
                f,
                "{parameter}: the range from {from} to {to} ends before it begins"
            ),
            Self::TooManySeeds { first, count } => {
                write!(
                    f,
                    "seed: {count} seeds from {first} go beyond the largest seed"
                )
            }
            Self::NotPoints { path, line, reason } => {
                write!(
                    f,
                    "{}, line {line}: not the points of a sweep: {reason}",
                    path.display()
                )
            }
            Self::OtherSweep { path, difference } => write!(
                f,
                "{} holds the points of another sweep: {difference}; give another --output",
                path.display()
            ),
            Self::OtherModel { path, value, seed } => write!(
                f,
                "{} was written by another version of the model: the point {value}, seed {seed} comes out differently now; give another --output",
                path.display()
            ),
            Self::InUse { path } => {
                write!(f, "{} is being written by another sweep", path.display())
            }
        }
    }
}

impl core::error::Error for SweepError {}

impl From<ScenarioError> for SweepError {
    fn from(error: ScenarioError) -> Self {
        Self::Value(error)
    }
}
