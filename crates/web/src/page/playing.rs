//! Playing: run, pause, step, back to the start; what the worker reports; and what happens when it breaks.

use super::{Page, Shown, State, header};
use crate::pace::{Pace, Speed};
use crate::protocol::Report;
use crate::{dom, failure};

impl Page {
    /// Begins the present setting anew.
    pub(super) fn begin(&mut self, pace: Pace) {
        if self.freezing.is_some() {
            self.freezing = Some(pace);
        } else {
            self.session.begin(&self.setting, pace);
        }
        self.ask_for_seeds();
        self.set_state(if pace == Pace::Paused {
            State::Paused
        } else {
            State::Running
        });
    }

    pub(super) fn run_or_pause(&mut self) {
        match self.state {
            State::Running if self.freezing.is_some() => {}
            State::Running => {
                self.session.set_pace(Pace::Paused);
                self.set_state(State::Paused);
            }
            State::Paused => {
                self.session.set_pace(self.speed.pace());
                self.set_state(State::Running);
            }
            State::Finished => self.begin(self.speed.pace()),
            State::Failed => self.restart(),
        }
    }

    pub(super) fn step(&mut self) {
        // There is nothing after the end: the first step of a finished run is that of the run from its start.
        if self.state == State::Finished {
            self.begin(Pace::Paused);
        }
        self.session.step();
        self.set_state(State::Paused);
    }

    pub(super) fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
        header::show_speed(speed);
        if self.state == State::Running {
            self.session.set_pace(speed.pace());
        }
    }

    pub(super) fn receive(&mut self, bytes: &[u8]) {
        self.session.seen();
        let report: Report = match postcard::from_bytes(bytes) {
            Ok(report) => report,
            Err(error) => return self.fail(&format!("a report could not be read: {error}")),
        };
        let Some(setting) = self.session.reported(report.run, report.seek) else {
            return;
        };
        let shown = Shown {
            run: report.run,
            setting,
            hash: report.hash,
            snapshot: report.snapshot,
        };
        match self.freezing {
            Some(pace) if shown.snapshot.finished => {
                self.frozen = Some(shown);
                self.freezing = None;
                self.begin(pace);
                self.compare_changed();
            }
            Some(_) => {}
            None => self.show_report(shown),
        }
    }

    pub(super) fn fail(&mut self, text: &str) {
        self.session.stop();
        self.set_state(State::Failed);
        failure::show(
            "The worker broke. The controls hold their values; start again, or change one.",
            text,
        );
    }

    pub(super) fn restart(&mut self) {
        failure::hide();
        match self.session.start_anew() {
            Ok(()) => self.begin(Pace::Full),
            Err(error) => failure::show("No worker can be started.", &format!("{error:?}")),
        }
    }

    pub(super) fn set_state(&mut self, state: State) {
        self.state = state;
        header::show_state(state);
        let data = dom::root().dataset();
        let _ = data.set("state", state.word());
        if state != State::Finished {
            data.delete("resultHash");
        }
    }
}
