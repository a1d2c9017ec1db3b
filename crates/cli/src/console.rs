//! Where the program reads and writes.

use core::fmt;
use std::io::{Read, Write};

/// The streams of a program, and whether a person watches the last.
pub struct Console<'a> {
    /// Standard input; empty when there is none.
    pub input: Option<&'a mut dyn Read>,
    /// Results.
    pub out: &'a mut dyn Write,
    /// Errors, notes and progress.
    pub err: &'a mut dyn Write,
    /// Whether standard error is a terminal: only then is there a progress line, and colour in the errors.
    pub interactive: bool,
}

impl<'a> Console<'a> {
    /// A console that nobody watches and whose input is empty.
    pub fn new(out: &'a mut dyn Write, err: &'a mut dyn Write) -> Self {
        Self {
            input: None,
            out,
            err,
            interactive: false,
        }
    }

    /// The same console with something to read.
    #[must_use]
    pub fn reading(self, input: &'a mut dyn Read) -> Self {
        Self {
            input: Some(input),
            ..self
        }
    }

    /// The same console, watched or not.
    #[must_use]
    pub fn interactive(self, interactive: bool) -> Self {
        Self {
            interactive,
            ..self
        }
    }

    /// Says something on standard error beside the result. A note that cannot be written is lost, the result is not.
    pub fn note(&mut self, note: impl fmt::Display) {
        let _ = writeln!(self.err, "note: {note}");
    }
}

impl fmt::Debug for Console<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console")
            .field("interactive", &self.interactive)
            .finish_non_exhaustive()
    }
}
