//! Any text as the JSON of a run: read or refused, and what is read can be printed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use subtable_lab::report::read;

fuzz_target!(|bytes: &[u8]| {
    match read(&String::from_utf8_lossy(bytes)) {
        Ok(report) => assert!(!report.verdict_in_words().is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
