//! Reports, line by line, behind a header of each kind: no panic, and nothing kept beyond the limits.

use subtable_logs::Fault;
use subtable_logs::limits::{MAX_PROGRESS_POINTS, MAX_REPORTS, MAX_TMM};
use subtable_logs::lines::Ending;
use subtable_logs::reports::{Report, ReportReader};

const HEADERS: [&[u8]; 6] = [
    b"TMM n FAST SLOW min p50 avg p95 p99 max",
    b"TMM hits OWNER NON_OWNER min_clicks avg_clicks max_clicks",
    b"TMM hits first_deleted total_deleted",
    b"TMM posts writes pct avg_per_write min max",
    b"TMM hits pct",
    b"",
];

/// Panics when that does not hold.
pub fn check(text: &[u8]) {
    let Some((&kind, text)) = text.split_first() else {
        return;
    };
    let mut reader = ReportReader::default();
    let header = HEADERS[usize::from(kind) % HEADERS.len()];
    let _ = reader.read(header, Fault::NotOurs, Ending::LineFeed);
    for line in text.split(|&b| b == b'\n') {
        let _ = reader.read(line, Fault::NotOurs, Ending::LineFeed);
    }
    let _ = reader.read(text, Fault::NotOurs, Ending::EndOfInput);
    let reports = reader.finish();
    assert!(reports.len() <= MAX_REPORTS);
    let most = usize::from(MAX_TMM) + 1;
    for report in reports {
        let rows = match report {
            Report::Analyser { rows, .. } => rows.len(),
            Report::Probe { rows } => rows.len(),
            Report::Reset { rows } => rows.len(),
            Report::Bulk { rows, .. } => rows.len(),
            Report::Load(load) => {
                assert!(load.points.len() <= MAX_PROGRESS_POINTS);
                load.distribution.len()
            }
        };
        assert!(rows <= most);
    }
}
