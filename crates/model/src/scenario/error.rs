//! What can be wrong with a setting.

use core::fmt;

use super::parameter::{Kind, Parameter};

/// A setting that a scenario cannot have. The message names the parameter, the value and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScenarioError {
    /// No parameter has this id.
    UnknownParameter {
        /// The id that was asked for (shortened).
        id: String,
    },
    /// The value of a numeric parameter is not a plain number.
    NotANumber {
        /// The parameter.
        parameter: &'static Parameter,
        /// The value that was given (shortened).
        value: String,
    },
    /// The number lies outside the parameter's range.
    OutOfRange {
        /// The parameter.
        parameter: &'static Parameter,
        /// The value that was given (shortened).
        value: String,
    },
    /// The word is none of the parameter's options.
    UnknownChoice {
        /// The parameter.
        parameter: &'static Parameter,
        /// The value that was given (shortened).
        value: String,
    },
}

impl ScenarioError {
    /// The id of the parameter that the error is about.
    #[must_use]
    pub fn parameter_id(&self) -> &str {
        match self {
            Self::UnknownParameter { id } => id,
            Self::NotANumber { parameter, .. }
            | Self::OutOfRange { parameter, .. }
            | Self::UnknownChoice { parameter, .. } => parameter.id,
        }
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownParameter { id } => write!(f, "there is no parameter `{id}`"),
            Self::NotANumber { parameter, value } => {
                let number = match parameter.kind {
                    Kind::Decimal { .. } => "a number with at most three decimals",
                    _ => "a whole number",
                };
                write!(
                    f,
                    "{}: `{value}` is not {number}; allowed: {}",
                    parameter.id,
                    parameter.range()
                )?;
                unit(f, parameter)
            }
            Self::OutOfRange { parameter, value } => {
                write!(
                    f,
                    "{}: {value} is outside {}",
                    parameter.id,
                    parameter.range()
                )?;
                unit(f, parameter)
            }
            Self::UnknownChoice { parameter, value } => {
                write!(
                    f,
                    "{}: `{value}` is not one of {}",
                    parameter.id,
                    parameter.range()
                )
            }
        }
    }
}

fn unit(f: &mut fmt::Formatter<'_>, parameter: &Parameter) -> fmt::Result {
    if parameter.unit.is_empty() {
        Ok(())
    } else {
        write!(f, " {}", parameter.unit)
    }
}

impl core::error::Error for ScenarioError {}
