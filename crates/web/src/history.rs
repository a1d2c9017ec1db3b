//! What was set before, to go back to and forward again.

use subtable_model::scenario::link;

/// Steps that are kept.
const MOST: usize = 200;
/// Changes of one thing that follow each other within this time, in milliseconds, are one step: a slider being dragged.
const TOGETHER_MS: f64 = 1000.0;

/// The settings before the present one, and those that were gone back from.
#[derive(Default)]
pub struct History {
    past: Vec<link::Run>,
    future: Vec<link::Run>,
    last: Option<(String, f64)>,
}

impl History {
    /// Notes that `what` is about to be changed from `setting`, at a time in milliseconds.
    pub fn note(&mut self, what: &str, setting: &link::Run, now: f64) {
        self.future.clear();
        let goes_on = self
            .last
            .as_ref()
            .is_some_and(|(last, at)| last == what && now - at < TOGETHER_MS);
        self.last = Some((what.to_owned(), now));
        if goes_on {
            return;
        }
        if self.past.len() == MOST {
            self.past.remove(0);
        }
        self.past.push(setting.clone());
    }

    /// The setting before `present`.
    pub fn undo(&mut self, present: &link::Run) -> Option<link::Run> {
        self.last = None;
        let setting = self.past.pop()?;
        self.future.push(present.clone());
        Some(setting)
    }

    /// The setting that was gone back from last.
    pub fn redo(&mut self, present: &link::Run) -> Option<link::Run> {
        self.last = None;
        let setting = self.future.pop()?;
        self.past.push(present.clone());
        Some(setting)
    }

    /// Whether there is anything to go back to, and forward to.
    #[must_use]
    pub const fn ways(&self) -> (bool, bool) {
        (!self.past.is_empty(), !self.future.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed(seed: u64) -> link::Run {
        link::Run {
            seed,
            ..link::Run::default()
        }
    }

    #[test]
    fn a_drag_is_one_step_and_other_changes_are_their_own() {
        let mut history = History::default();
        history.note("seed", &seed(1), 0.0);
        history.note("seed", &seed(2), 500.0);
        history.note("seed", &seed(3), 1400.0);
        history.note("seed", &seed(4), 3000.0);
        assert_eq!(history.undo(&seed(5)), Some(seed(4)));
        assert_eq!(history.undo(&seed(4)), Some(seed(1)));
        assert_eq!(history.undo(&seed(1)), None);
        assert_eq!(history.redo(&seed(1)), Some(seed(4)));
        assert_eq!(history.ways(), (true, true));
    }

    #[test]
    fn a_change_after_going_back_begins_a_new_future() {
        let mut history = History::default();
        history.note("tmms", &seed(1), 0.0);
        assert_eq!(history.undo(&seed(2)), Some(seed(1)));
        history.note("tmms", &seed(1), 10.0);
        assert_eq!(history.redo(&seed(3)), None);
        assert_eq!(history.undo(&seed(3)), Some(seed(1)));
    }

    #[test]
    fn old_steps_are_forgotten() {
        let mut history = History::default();
        for step in 0..300 {
            history.note("tmms", &seed(step), step as f64 * 2000.0);
        }
        let steps = std::iter::from_fn(|| history.undo(&seed(0))).count();
        assert_eq!(steps, MOST);
    }
}
