//! How the program ends.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use subtable_model::scenario::ScenarioError;
use subtable_model::scenario::link::LinkError;
use subtable_stand_in::StandInError;

use crate::analyse::AnalyseError;
use crate::compare::OperandError;
use crate::report::ReadError;
use crate::sweep::SweepError;

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Success = 0,
    /// Done, and a locality issue was found where that was asked for.
    LocalityIssue = 1,
    /// The input cannot be used, or the output cannot be written.
    Unusable = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a subcommand could not do what was asked. The message names what, where and why.
#[derive(Debug)]
pub enum Failure {
    /// The arguments are not understood, or are a request for help.
    Arguments(clap::Error),
    /// A link has parts that cannot be used.
    Link(Vec<LinkError>),
    /// A parameter cannot have the value that it was given.
    Setting(ScenarioError),
    /// A side of a comparison cannot be used.
    Operand(OperandError),
    /// A file is not the report of a run.
    Report {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: ReadError,
    },
    /// A sweep cannot be made.
    Sweep(SweepError),
    /// A log gives no answer.
    Log(AnalyseError),
    /// The stand-in cannot work.
    StandIn(StandInError),
    /// A file cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What was attempted, as in "cannot …".
        attempt: &'static str,
        /// Why it failed.
        error: io::Error,
    },
    /// Standard output cannot be written.
    Output(io::Error),
}

impl Failure {
    /// A failure to do something with a file; for `map_err`.
    pub(crate) fn file(path: &Path, attempt: &'static str) -> impl Fn(io::Error) -> Self {
        move |error| Self::File {
            path: path.to_path_buf(),
            attempt,
            error,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arguments(error) => error.fmt(f),
            Self::Link(errors) => {
                for (index, error) in errors.iter().enumerate() {
                    let start = if index == 0 { "" } else { "\nerror: " };
                    write!(f, "{start}in the link: {error}")?;
                }
                Ok(())
            }
            Self::Setting(error) => error.fmt(f),
            Self::Operand(error) => error.fmt(f),
            Self::Report { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Sweep(error) => error.fmt(f),
            Self::Log(error) => error.fmt(f),
            Self::StandIn(error) => error.fmt(f),
            Self::File {
                path,
                attempt,
                error,
            } => write!(f, "cannot {attempt} {}: {error}", path.display()),
            Self::Output(error) => write!(f, "cannot write the result: {error}"),
        }
    }
}

impl core::error::Error for Failure {}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<serde_json::Error> for Failure {
    /// Writing JSON fails only where it is written to.
    fn from(error: serde_json::Error) -> Self {
        Self::Output(error.into())
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        Self::Arguments(error)
    }
}

impl From<ScenarioError> for Failure {
    fn from(error: ScenarioError) -> Self {
        Self::Setting(error)
    }
}

impl From<OperandError> for Failure {
    fn from(error: OperandError) -> Self {
        Self::Operand(error)
    }
}

impl From<StandInError> for Failure {
    fn from(error: StandInError) -> Self {
        Self::StandIn(error)
    }
}

impl From<SweepError> for Failure {
    fn from(error: SweepError) -> Self {
        Self::Sweep(error)
    }
}
