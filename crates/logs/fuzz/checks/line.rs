//! One line, whole and cut off: no panic, and the end of the input makes a line worse, never different.

use subtable_logs::Fault;
use subtable_logs::lines::{Ending, Line, parse};

/// Panics when that does not hold.
pub fn check(line: &[u8]) {
    for all_lines in [false, true] {
        let whole = parse(line, Ending::LineFeed, all_lines);
        let cut = parse(line, Ending::EndOfInput, all_lines);
        match (whole, cut) {
            (Ok(Line::Write(whole)), Ok(Line::Write(cut))) => {
                assert_eq!(
                    (whole.tmm, whole.clicks, whole.tag),
                    (cut.tmm, cut.clicks, cut.tag)
                );
            }
            (Ok(whole), Ok(cut)) => assert_eq!(whole, cut),
            (Err(whole), Err(cut)) => assert!(cut == Fault::CutOff || cut == whole),
            // A rate that is broken may be one that is cut, which is no fault.
            (Err(fault), Ok(Line::Write(cut))) => assert!(cut.one_in.is_none(), "{fault}"),
            (whole, cut) => panic!("{whole:?} {cut:?}"),
        }
    }
}
