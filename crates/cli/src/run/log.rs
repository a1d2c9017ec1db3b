//! All lines of a run's log, written as the run goes: memory is constant in their number.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use subtable_model::results::LINES_KEPT;
use subtable_model::scenario::link;
use subtable_model::{Budget, Simulation, Snapshot};

use crate::{Console, Failure};

/// Events between two looks at the log. No event brings more than one line, so that this many are kept in between.
const EVENTS: usize = 32_768;

/// Whether this file name means standard output.
pub fn is_standard_output(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Runs to the end, writing the log to `file`. The snapshot is the same as that of a run whose log is not written.
pub fn run_with_log(
    run: &link::Run,
    file: &Path,
    console: &mut Console<'_>,
) -> Result<Snapshot, Failure> {
    if is_standard_output(file) {
        return run_into(run, console.out).map_err(Failure::Output);
    }
    let attempt = Failure::file(file, "write the log to");
    let mut writer = BufWriter::new(File::create(file).map_err(&attempt)?);
    run_into(run, &mut writer).map_err(&attempt)
}

fn run_into(run: &link::Run, writer: &mut dyn Write) -> std::io::Result<Snapshot> {
    let mut simulation = Simulation::new(&run.scenario, run.seed);
    simulation.keep_lines(LINES_KEPT + EVENTS);
    let mut written = 0;
    loop {
        let more = simulation.advance(Budget::Events(EVENTS as u64));
        let mut snapshot = simulation.snapshot();
        let fresh = usize::try_from(snapshot.log.lines - written).unwrap_or(usize::MAX);
        written = snapshot.log.lines;
        let tail = &mut snapshot.log.tail;
        for (_, line) in &tail[tail.len().saturating_sub(fresh)..] {
            writeln!(writer, "{line}")?;
        }
        if !more {
            writer.flush()?;
            tail.drain(..tail.len().saturating_sub(LINES_KEPT));
            return Ok(snapshot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_written_once_and_the_run_is_the_same() {
        let mut run = link::Run::default();
        for (id, value) in [
            ("records", "20000"),
            ("log-every", "3"),
            ("daemon-buffer", "1000000"),
        ] {
            run.scenario.set(id, value).unwrap();
        }
        let mut text = Vec::new();
        let snapshot = run_into(&run, &mut text).unwrap();
        assert_eq!(snapshot, subtable_model::run(&run.scenario, run.seed));
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.lines().count() as u64, snapshot.log.lines);
        assert!(
            snapshot.log.lines > 6000,
            "more than are kept: {}",
            snapshot.log.lines
        );
        // No two lines are of the same write, so that none was written twice.
        let different: std::collections::BTreeSet<&str> = text.lines().collect();
        assert_eq!(different.len() as u64, snapshot.log.lines);
    }
}
