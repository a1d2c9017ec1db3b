//! A whole log, cut into chunks in two ways: every line accounted for, and the same read both times.

use subtable_logs::limits::LISTED_LINES;
use subtable_logs::{Observations, ReadOptions, Reader};

fn read(text: &[u8], chunk: usize, all_lines: bool) -> Observations {
    let mut reader = Reader::new(ReadOptions { all_lines });
    for part in text.chunks(chunk) {
        reader.push(part);
    }
    reader.finish()
}

/// Panics when that does not hold.
pub fn check(text: &[u8]) {
    let Some((&choice, text)) = text.split_first() else {
        return;
    };
    let all_lines = choice & 1 == 1;
    let whole = read(text, usize::MAX, all_lines);
    let cut = read(text, usize::from(choice >> 1) + 1, all_lines);
    assert_eq!(whole.lines, cut.lines);
    assert_eq!(whole.reports.len(), cut.reports.len());
    assert_eq!(whole.writes.rates, cut.writes.rates);
    assert!(whole.writes.per_tmm.keys().eq(cut.writes.per_tmm.keys()));
    assert_eq!(whole.lines.read, whole.lines.used + whole.lines.skipped);
    assert!(
        whole
            .lines
            .first_malformed
            .len()
            .max(whole.lines.first_not_ours.len())
            <= LISTED_LINES
    );
}
