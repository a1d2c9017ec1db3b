//! What is left after the prefix is always the end of the line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use subtable_logs::lines::strip_prefix;

fuzz_target!(|line: &[u8]| {
    let body = strip_prefix(line);
    assert!(line.ends_with(body));
});
