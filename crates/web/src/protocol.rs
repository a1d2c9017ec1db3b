//! What page and workers say to each other.
//!
//! One worker plays the run that is shown: it is sent [`Command`]s and sends [`Report`]s. Others, the crew, each make a
//! whole run when they are asked to ([`Command::Task`]) and send what is wanted of it ([`Answer`]). Every message is one
//! buffer in the postcard encoding, transferred. A text in place of a buffer says that the worker failed.

use serde::{Deserialize, Serialize};
use subtable_model::Snapshot;

use crate::digest::Digest;
use crate::pace::Pace;

/// From the page to a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Pause, and go to another place of the run. Of several, the last counts.
    Seek {
        /// Its number; reports from that place bear it.
        seek: u32,
        /// Where to.
        to: Place,
    },
    /// The last report was read: the next one may come.
    Seen,
    /// Make a whole run, and answer what is wanted of it.
    Task {
        /// Its number; the answer bears it.
        task: u32,
        /// Scenario and seed as a link.
        link: String,
        /// What to answer.
        want: Want,
    },
}

/// A place in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// This instant, in nanoseconds of simulated time.
    Instant(u64),
    /// Where there was one reply less than at the present place.
    ReplyBefore,
}

/// What is wanted of a whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Want {
    /// What bands over seeds are made from.
    Digest,
    /// The published figures of its preset.
    Figures,
    /// Every measure of a sweep.
    Measures,
    /// All lines of its log.
    Log,
    /// What the terminal shows of it, as this step of the validated session.
    Terminal(u8),
}

/// From a worker of the crew to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The number of the task.
    pub task: u32,
    /// What was wanted.
    pub found: Found,
}

/// What came of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Found {
    /// See [`Want::Digest`].
    Digest(Digest),
    /// The figures in the order of [`subtable_model::fidelity::figures`], or the measures in that of
    /// [`crate::measures::MEASURES`]; what a run does not have is not a number.
    Numbers(Vec<f64>),
    /// The log as text, a line after the other.
    Log(String),
    /// What the terminal shows.
    Terminal(String),
}

/// From the worker that plays to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The run that it is about.
    pub run: u32,
    /// The last [`Command::Seek`] of this run whose place was reached; 0 before the first.
    pub seek: u32,
    /// [`Snapshot::hash_text`] of a finished run.
    pub hash: Option<String>,
    /// What can be seen of the run.
    pub snapshot: Snapshot,
}

/// A message as the buffer that is sent.
///
/// # Panics
/// Never: encoding plain data into memory cannot fail.
#[cfg(target_arch = "wasm32")]
pub fn buffer(message: &impl Serialize) -> js_sys::ArrayBuffer {
    let bytes = postcard::to_allocvec(message).expect("plain data can be encoded");
    js_sys::Uint8Array::from(bytes.as_slice()).buffer()
}

#[cfg(test)]
mod tests {
    use subtable_model::{Scenario, run};

    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent() {
        let mut scenario = Scenario::default();
        scenario.set("records", "500").unwrap();
        let snapshot = run(&scenario, 7);
        let answer = Answer {
            task: 9,
            found: Found::Digest(Digest::of(&snapshot)),
        };
        let bytes = postcard::to_allocvec(&answer).unwrap();
        assert_eq!(postcard::from_bytes::<Answer>(&bytes), Ok(answer));
        let report = Report {
            run: 3,
            seek: 2,
            hash: Some(snapshot.hash_text()),
            snapshot,
        };
        let bytes = postcard::to_allocvec(&report).unwrap();
        assert_eq!(postcard::from_bytes::<Report>(&bytes), Ok(report));
        let command = Command::Begin {
            run: 1,
            link: "v=1".to_owned(),
            pace: Pace::Rate(0.5),
        };
        let bytes = postcard::to_allocvec(&command).unwrap();
        assert_eq!(postcard::from_bytes::<Command>(&bytes), Ok(command));
    }

    #[test]
    fn the_benchmark_writes_these_bytes_and_reads_them() {
        // crates/bench/browser/worker.js has them in JavaScript: change both.
        let begin = Command::Begin {
            run: 1,
            link: "v=1".to_owned(),
            pace: Pace::Full,
        };
        let begin = postcard::to_allocvec(&begin).unwrap();
        assert_eq!(begin, [0, 1, 3, b'v', b'=', b'1', 2]);
        assert_eq!(postcard::to_allocvec(&Command::Seen).unwrap(), [4]);
        let report = Report {
            run: 1,
            seek: 0,
            hash: Some("ab".to_owned()),
            snapshot: run(&Scenario::default(), 1),
        };
        let bytes = postcard::to_allocvec(&report).unwrap();
        assert_eq!(bytes[..6], [1, 0, 1, 2, b'a', b'b']);
    }
}
