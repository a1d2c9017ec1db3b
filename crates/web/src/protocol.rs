//! What page and worker say to each other.
//!
//! Commands are plain objects, a few dozen bytes. A report is one buffer: the postcard encoding of [`Report`], written
//! once by the worker, transferred, and read once by the page. A text in place of a buffer says that the worker failed.

use serde::{Deserialize, Serialize};
use subtable_model::Snapshot;

use crate::pace::Pace;

/// From the page to the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub enum Command {
    /// Leave what is running and begin a run.
    Begin {
        /// Its number; reports bear it.
        run: u32,
        /// Scenario and seed as a link: the one form in which a scenario is written and validated.
        link: String,
        /// How fast.
        pace: Pace,
    },
    /// Go on with the present run at another pace.
    Pace {
        /// How fast.
        pace: Pace,
    },
    /// Pause, and go on until one more request has its reply.
    Step,
    /// The last report was read: the next one may come.
    Seen,
}

/// From the worker to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The run that it is about.
    pub run: u32,
    /// [`Snapshot::hash_text`] of a finished run.
    pub hash: Option<String>,
    /// What can be seen of the run.
    pub snapshot: Snapshot,
}

#[cfg(test)]
mod tests {
    use subtable_model::{Scenario, run};

    use super::*;

    #[test]
    fn a_report_arrives_as_it_was_sent() {
        let mut scenario = Scenario::default();
        scenario.set("records", "500").unwrap();
        let snapshot = run(&scenario, 7);
        let report = Report {
            run: 3,
            hash: Some(snapshot.hash_text()),
            snapshot,
        };
        let bytes = postcard::to_allocvec(&report).unwrap();
        assert_eq!(postcard::from_bytes::<Report>(&bytes), Ok(report));
    }
}
