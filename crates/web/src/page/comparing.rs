//! Comparing: one run is kept as A, and whatever is set after it is B.

use subtable_model::scenario::link;

use super::{Page, State, header};
use crate::pace::Pace;

impl Page {
    /// Keeps the present run as A and goes on with it as B, or stops comparing.
    pub(super) fn compare(&mut self) {
        if self.frozen.take().is_none() && self.freezing.is_none() {
            self.freeze(&self.setting.clone(), Pace::Full);
        } else {
            self.freezing = None;
            self.begin(Pace::Full);
        }
        self.compare_changed();
    }

    /// Runs A to its end; what is shown begins after it.
    pub(super) fn freeze(&mut self, setting: &link::Run, pace: Pace) {
        self.session.begin(setting, Pace::Full);
        self.freezing = Some(pace);
        self.set_state(State::Running);
    }

    pub(super) fn compare_changed(&mut self) {
        header::show_compared(self.compared(), &self.setting);
        self.note_address();
        self.look_again();
    }

    /// The setting of A.
    pub(super) fn compared(&self) -> Option<&link::Run> {
        match (&self.frozen, self.freezing) {
            (Some(frozen), _) => Some(&frozen.setting),
            (None, Some(_)) => Some(self.session.begun()),
            (None, None) => None,
        }
    }
}
