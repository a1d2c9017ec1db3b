//! The log daemon: it writes down what the TMMs hand over, and takes a share of the host for it.

use crate::agenda::Nanoseconds;
use crate::client::Stretch;
use crate::scenario::Scenario;

/// The log daemon: a single server behind a bounded buffer. While it is busy it has a share of the host.
#[derive(Clone, Debug)]
pub struct Daemon {
    work: Nanoseconds,
    buffer: u64,
    share: f64,
    /// How it slows the host when it has its full share.
    stretch: Stretch,
    /// Lines waiting at which it has its full share.
    ramp: u64,
    free_at: Nanoseconds,
    /// Lines written or waiting to be.
    pub lines: u64,
    /// Lines that found the buffer full.
    pub dropped: u64,
}

impl Daemon {
    /// The idle daemon of a scenario.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        Self {
            work: scenario.daemon_work(),
            buffer: scenario.daemon_buffer(),
            share: scenario.daemon_share(),
            stretch: Stretch::from_share(scenario.daemon_share()),
            ramp: scenario.daemon_ramp(),
            free_at: 0,
            lines: 0,
            dropped: 0,
        }
    }

    /// A line arrives; false when the buffer is full and the line is lost.
    pub fn receive(&mut self, now: Nanoseconds) -> bool {
        if self.backlog(now) >= self.buffer {
            self.dropped += 1;
            return false;
        }
        self.free_at = self.free_at.max(now) + self.work;
        self.lines += 1;
        true
    }

    /// Lines that wait or are being written.
    #[must_use]
    pub const fn backlog(&self, now: Nanoseconds) -> u64 {
        match self.work {
            0 => 0,
            work => self.free_at.saturating_sub(now).div_ceil(work),
        }
    }

    /// How other work on the host is slowed at `now`, as far as the lines received so far tell.
    #[inline(always)]
    #[must_use]
    pub fn stretch(&self, now: Nanoseconds) -> Stretch {
        if self.free_at <= now {
            Stretch::NONE
        } else if self.ramp == 0 {
            self.stretch
        } else {
            self.partial_stretch(now)
        }
    }

    #[cold]
    fn partial_stretch(&self, now: Nanoseconds) -> Stretch {
        let waiting = self.backlog(now).min(self.ramp);
        Stretch::from_share(self.share * waiting as f64 / self.ramp as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::ScenarioError;

    #[test]
    fn a_full_buffer_drops_and_an_idle_daemon_leaves_the_host_alone() -> Result<(), ScenarioError> {
        let mut scenario = Scenario::default();
        scenario.set("daemon-work", "100")?;
        scenario.set("daemon-buffer", "2")?;
        scenario.set("daemon-share", "0.5")?;
        let mut daemon = Daemon::new(&scenario);
        assert_eq!(daemon.stretch(0), Stretch::NONE);
        assert_eq!(
            [daemon.receive(0), daemon.receive(0), daemon.receive(50_000)],
            [true, true, false]
        );
        assert_eq!((daemon.lines, daemon.dropped), (2, 1));
        assert_eq!(daemon.stretch(60_000).apply(10), 20);
        assert_eq!(daemon.stretch(200_000), Stretch::NONE);
        assert!(daemon.receive(100_000), "there is room again");

        scenario.set("daemon-buffer", "100")?;
        scenario.set("daemon-ramp", "4")?;
        let mut daemon = Daemon::new(&scenario);
        assert!(daemon.receive(0) && daemon.receive(0));
        assert_eq!(
            daemon.stretch(0),
            Stretch::from_share(0.25),
            "half of its share"
        );
        Ok(())
    }
}
