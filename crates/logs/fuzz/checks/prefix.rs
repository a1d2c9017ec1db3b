//! What is left after the prefix is always the end of the line.

use subtable_logs::lines::strip_prefix;

/// Panics when that does not hold.
pub fn check(line: &[u8]) {
    let body = strip_prefix(line);
    assert!(line.ends_with(body));
}
