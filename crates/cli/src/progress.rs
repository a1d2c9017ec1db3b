//! A line that says how far the work is, where a person watches.

use std::time::{Duration, Instant};

use crate::Console;

/// Shortest time between two lines; nothing is shown of work that is done sooner.
const PAUSE: Duration = Duration::from_millis(200);

/// Work under way.
#[derive(Debug)]
pub struct Progress {
    total: u64,
    done: u64,
    unit: &'static str,
    began: Instant,
    shown: Instant,
    visible: bool,
}

impl Progress {
    /// Work of `total` pieces, called `unit`.
    #[must_use]
    pub fn new(total: u64, unit: &'static str) -> Self {
        let now = Instant::now();
        Self {
            total,
            done: 0,
            unit,
            began: now,
            shown: now,
            visible: false,
        }
    }

    /// Some more pieces are done.
    pub fn advance(&mut self, pieces: u64, console: &mut Console<'_>) {
        self.done = self.total.min(self.done + pieces);
        let now = Instant::now();
        if !console.interactive || self.done == 0 || now - self.shown < PAUSE {
            return;
        }
        self.shown = now;
        self.visible = true;
        let rest = (self.total - self.done) as f64 / self.done as f64;
        let left = (now - self.began).as_secs_f64() * rest;
        // A progress line that cannot be written is no reason to stop.
        let _ = write!(
            console.err,
            "\r\x1b[K{} of {} {}, about {left:.0} s left",
            self.done, self.total, self.unit
        )
        .and_then(|()| console.err.flush());
    }

    /// Takes the line away.
    pub fn clear(&self, console: &mut Console<'_>) {
        if self.visible {
            let _ = write!(console.err, "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(interactive: bool, wait: Duration) -> String {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut console = Console::new(&mut out, &mut err).interactive(interactive);
        let mut progress = Progress::new(4, "runs");
        std::thread::sleep(wait);
        progress.advance(1, &mut console);
        progress.clear(&mut console);
        String::from_utf8(err).unwrap()
    }

    #[test]
    fn only_a_person_who_waits_sees_a_line_and_it_goes_away() {
        let long = PAUSE + Duration::from_millis(10);
        let line = shown(true, long);
        assert!(
            line.starts_with("\r\x1b[K1 of 4 runs, about 1 s left") && line.ends_with("\r\x1b[K"),
            "{line:?}"
        );
        assert_eq!(shown(true, Duration::ZERO), "");
        assert_eq!(shown(false, long), "");
    }
}
