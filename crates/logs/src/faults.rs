//! Why a line was not used, and the bounded record of such lines.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::limits::{EXCERPT_BYTES, LISTED_LINES, MAX_LINE_BYTES, MAX_TMM};
use crate::wording;

/// A named piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// `tmm=<t>`: the TMM that logged or answered.
    Tmm,
    /// `clicks=<c>`: what the access took.
    Clicks,
    /// `subtable=<name>`.
    Subtable,
    /// `writes=<w>`: the TMM's write counter.
    Writes,
    /// `key=<k>`.
    Key,
    /// `entries=<e>`: entries in the subtable.
    Entries,
    /// `accepts=<a>`: the TMM's accept counter.
    Accepts,
    /// `diff=<c>`: clicks of the last trial write of a discovery.
    Diff,
    /// `total_tmms=<N>`, or `of <N> total TMMs`.
    TotalTmms,
    /// `debug_sample=<n>`: the rule logs one write in n.
    DebugSample,
    /// `fast_threshold=<c>`: the rule's own threshold.
    FastThreshold,
    /// `deleted=<n>`: entries deleted by a reset.
    Deleted,
    /// `written=<n>`: keys written by a bulk post.
    Written,
    /// `elapsed_clicks=<c>` of a bulk post.
    ElapsedClicks,
    /// `count=<e>` of a dump.
    Count,
    /// `keys=<k1> <k2> …` of a dump.
    Keys,
    /// `sampled 1/<n>`.
    SampleRate,
    /// `after <n> probes`.
    Tries,
    /// `using <name>`: what an exhausted discovery fell back on.
    Using,
    /// `subtable <name>`, without an equals sign, as a TMM tells its own.
    OwnSubtable,
    /// `OWNER` or `NON_OWNER`.
    OwnerTag,
    /// `completed=<a>/<b>` of the load client's progress.
    Completed,
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tmm => "tmm=",
            Self::Clicks => "clicks=",
            Self::Subtable => "subtable=",
            Self::Writes => "writes=",
            Self::Key => "key=",
            Self::Entries => "entries=",
            Self::Accepts => "accepts=",
            Self::Diff => "diff=",
            Self::TotalTmms => "the number of TMMs",
            Self::DebugSample => "debug_sample=",
            Self::FastThreshold => "fast_threshold=",
            Self::Deleted => "deleted=",
            Self::Written => "written=",
            Self::ElapsedClicks => "elapsed_clicks=",
            Self::Count => "count=",
            Self::Keys => "keys=",
            Self::SampleRate => "sampled 1/<n>",
            Self::Tries => "after <n> probes",
            Self::Using => "using <name>",
            Self::OwnSubtable => "subtable <name>",
            Self::OwnerTag => "OWNER or NON_OWNER",
            Self::Completed => "completed=",
        })
    }
}

/// Why a line was not used.
///
/// The first four are no fault of the line: it is simply not one of ours. The others are lines of ours that are
/// broken; [`Fault::is_malformed`] tells the two apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "field", rename_all = "snake_case")]
pub enum Fault {
    /// Nothing but white space.
    Blank,
    /// Nothing on the line says that it is the harness's.
    NotOurs,
    /// It has `tmm=`, but is of no kind that the harness writes.
    Unrecognised,
    /// It has `tmm=` and `clicks=` but is not a sampled write; used only when all such lines are asked for.
    Unsampled,
    /// Longer than the reader stores.
    TooLong,
    /// The last line, without its line end, and it stops before it is complete.
    CutOff,
    /// A field that lines of this kind always have is not there.
    Missing(Field),
    /// The field's value is not a whole number.
    NotANumber(Field),
    /// The field's value is larger than can be right.
    OutOfRange(Field),
    /// The field is there twice, with two values.
    Twice(Field),
    /// A row of a table has not as many cells as the table's header.
    RowShape,
    /// A cell of a table is not a number of the kind that its column holds.
    RowNumber,
    /// More reports, or rows in one, than the reader keeps.
    TooMany,
}

impl Fault {
    /// Whether the line is one of ours that is broken, rather than a line of somebody else.
    #[must_use]
    pub const fn is_malformed(self) -> bool {
        !matches!(
            self,
            Self::Blank | Self::NotOurs | Self::Unrecognised | Self::Unsampled
        )
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank => f.write_str("blank"),
            Self::NotOurs => f.write_str("not a line of the harness"),
            Self::Unrecognised => f.write_str("has tmm= but is of no kind that the harness writes"),
            Self::Unsampled => f.write_str(
                "has tmm= and clicks= but is not a sampled write (all lines were not asked for)",
            ),
            Self::TooLong => write!(f, "longer than {MAX_LINE_BYTES} bytes"),
            Self::CutOff => f.write_str("the last line, cut off before it is complete"),
            Self::Missing(field) => write!(f, "{field} is missing"),
            Self::NotANumber(field) => write!(f, "{field} is not a whole number"),
            Self::OutOfRange(field @ Field::Tmm) => write!(f, "{field} is above {MAX_TMM}"),
            Self::OutOfRange(field) => write!(f, "{field} is out of range"),
            Self::Twice(field) => write!(f, "{field} is given twice with different values"),
            Self::RowShape => f.write_str("a table row with more or fewer cells than its header"),
            Self::RowNumber => {
                f.write_str("a table row with a cell that is not a number of its column's kind")
            }
            Self::TooMany => f.write_str("more reports or rows than are kept"),
        }
    }
}

/// One line that was not used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedLine {
    /// Which input, counted from 0 (see [`crate::Reader::next_input`]).
    pub input: u32,
    /// Which line of it, counted from 1.
    pub line: u64,
    /// Why, as a kind.
    pub fault: Fault,
    /// Why, in words.
    pub reason: String,
    /// How the line begins; bytes that are not UTF-8 and control characters are replaced.
    pub text: String,
}

/// How many lines there were, and what became of them. `read` is always `used + skipped`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCounts {
    /// Lines seen.
    pub read: u64,
    /// Lines understood.
    pub used: u64,
    /// Lines not used, for whatever reason.
    pub skipped: u64,
    /// Of the skipped: nothing but white space.
    pub blank: u64,
    /// Of the skipped: lines of ours that are broken.
    pub malformed: u64,
    /// Of the malformed: longer than the reader stores.
    pub too_long: u64,
    /// The first hundred malformed lines.
    pub first_malformed: Vec<SkippedLine>,
    /// The first hundred lines that are not ours; blank ones are not listed.
    pub first_not_ours: Vec<SkippedLine>,
}

impl LineCounts {
    pub(crate) fn count_used(&mut self) {
        self.read += 1;
        self.used += 1;
    }

    pub(crate) fn count_skipped(&mut self, input: u32, line: u64, fault: Fault, text: &[u8]) {
        self.read += 1;
        self.skipped += 1;
        if fault == Fault::Blank {
            self.blank += 1;
            return;
        }
        let list = if fault.is_malformed() {
            self.malformed += 1;
            self.too_long += u64::from(fault == Fault::TooLong);
            &mut self.first_malformed
        } else {
            &mut self.first_not_ours
        };
        if list.len() < LISTED_LINES {
            list.push(SkippedLine {
                input,
                line,
                fault,
                reason: fault.to_string(),
                text: excerpt(text),
            });
        }
    }
}

/// The beginning of a line, fit for showing.
fn excerpt(text: &[u8]) -> String {
    let shown = wording::shown(&text[..text.len().min(EXCERPT_BYTES)]);
    if text.len() > EXCERPT_BYTES {
        shown + "…"
    } else {
        shown
    }
}
