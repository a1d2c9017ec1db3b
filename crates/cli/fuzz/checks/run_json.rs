//! Any text as the JSON of a run: read or refused, and what is read can be printed.

use subtable_lab::report::read;

/// Panics when that does not hold.
pub fn check(bytes: &[u8]) {
    match read(&String::from_utf8_lossy(bytes)) {
        Ok(report) => assert!(!report.verdict_in_words().is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
