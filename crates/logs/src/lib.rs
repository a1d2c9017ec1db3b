//! Reads the logs and reports of the per-TMM subtable harness, and says what they mean.
//!
//! Bytes are pushed in as they come; nothing is opened, and memory is bounded whatever the input ([`limits`]). What is
//! read is added up in [`Observations`]; [`analyse`] turns them into an [`Analysis`], which is plain data. Times are
//! in clicks; one click is one microsecond.
//!
//! ```
//! use subtable_logs::{Reader, Settings, analyse};
//!
//! let log = "\
//! Nov 30 20:15:01 box tmm2[1234]: Rule /Common/LOCALDB <HTTP_REQUEST>: tmm=2 subtable=localdb_tmm_2_5946 \
//!   writes=1000 key=a clicks=6 FAST_LOCAL (sampled 1/1000)
//! Nov 30 20:15:01 box tmm0[1234]: Rule /Common/LOCALDB <HTTP_REQUEST>: tmm=0 subtable=localdb_tmm_0 \
//!   writes=1000 key=b clicks=64855 SLOW (sampled 1/1000)
//! Nov 30 20:15:02 box sshd[77]: Accepted publickey for root
//! ";
//! let mut reader = Reader::default();
//! for chunk in log.as_bytes().chunks(64) {
//!     reader.push(chunk);
//! }
//! let analysis = analyse(&reader.finish(), Settings::default());
//!
//! let verdict = analysis.verdict.expect("there are timed writes");
//! assert!(!verdict.ok);
//! assert_eq!(verdict.slow_tmms, [0]);
//! assert_eq!(analysis.per_tmm[1].p50, 6);
//! assert_eq!(analysis.sample_rates, [1000]);
//! assert_eq!((analysis.lines.read, analysis.lines.used, analysis.lines.skipped), (3, 2, 1));
//! ```
//!
//! | to | use |
//! |---|---|
//! | read a log in chunks | [`Reader::push`], [`Reader::finish`] |
//! | read several files as one log | [`Reader::next_input`] between them |
//! | see every understood line, for a list of the slow ones | [`Reader::push_each`] |
//! | show what is known while reading | [`Reader::so_far`], [`Reader::bytes_read`] |
//! | read text that is all there | [`analyse_bytes`] |
//! | judge by another threshold, without reading again | [`analyse`] |
//! | draw a log like a run | [`picture::snapshot`] |
//! | estimate the model's parameters | [`fit::fit`] |
//! | set a log beside an earlier one | [`compare`] |
//!
//! Nothing here panics or fails on any input: a line that cannot be used is counted, and the first hundred are listed
//! with their number and the reason ([`LineCounts`]).
#![forbid(unsafe_code)]

pub mod analysis;
pub mod faults;
pub mod fit;
pub mod limits;
pub mod lines;
pub mod observations;
pub mod picture;
pub mod reader;
pub mod reports;
pub mod statistics;
pub mod times;
mod wording;

pub use analysis::{Analysis, Comparison, Settings, Verdict, analyse, compare};
pub use faults::{Fault, Field, LineCounts, SkippedLine};
pub use observations::Observations;
pub use reader::{Position, ReadOptions, Reader};
pub use reports::Report;
pub use times::{TmmTimes, TotalTimes};

/// Reads and analyses text that is all there.
#[must_use]
pub fn analyse_bytes(text: &[u8], options: ReadOptions, settings: Settings) -> Analysis {
    let mut reader = Reader::new(options);
    reader.push(text);
    analyse(&reader.finish(), settings)
}
