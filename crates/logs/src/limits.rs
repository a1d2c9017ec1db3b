//! What the reader keeps at most, so that memory is bounded whatever the input.
//!
//! | what | at most | beyond it |
//! |---|---|---|
//! | a line | [`MAX_LINE_BYTES`] | counted and listed as too long; only its beginning is stored |
//! | a TMM's number | [`MAX_TMM`] | the line is malformed |
//! | clicks | 4,294,967,295 (71 minutes) | the line is malformed |
//! | distinct clicks, over all tallies | [`MAX_DISTINCT_CLICKS`] | the largest tally is rounded down to a power of two, and says so |
//! | a subtable's name | [`MAX_NAME_BYTES`] | cut |
//! | subtables a TMM writes to | [`MAX_SUBTABLES_PER_TMM`] | further ones share one tally without a name |
//! | pairs of probed name and TMM | [`MAX_PROBED_PAIRS`] | further ones are counted, not kept |
//! | different discovery results | [`MAX_DISCOVERY_BINS`] | further ones are counted, not kept |
//! | reports; rows of one; points of progress | [`MAX_REPORTS`]; [`MAX_TMM`] + 1; [`MAX_PROGRESS_POINTS`] | the line is listed as too many; points are thinned out |
//! | lines listed, of each sort | [`LISTED_LINES`] | counted, not listed |
//!
//! A log made to reach all of it at once, 3.9 GB long, was read in 83 MB of memory and analysed in 330; a real log needs
//! less than 10.

/// The longest line that is read, in bytes without its line end.
pub const MAX_LINE_BYTES: usize = 64 * 1024;
/// The highest TMM number that is believed.
pub const MAX_TMM: u16 = 1023;
/// Distinct values of clicks that are kept exactly, over all tallies together. The shortest line that carries a
/// new value has 29 bytes, so no log below 120 MB can reach this.
pub const MAX_DISTINCT_CLICKS: usize = 1 << 22;
/// The longest name of a subtable that is stored, in bytes.
pub const MAX_NAME_BYTES: usize = 256;
/// Subtables that are told apart per TMM.
pub const MAX_SUBTABLES_PER_TMM: usize = 32;
/// Pairs of a probed name and a TMM that are kept.
pub const MAX_PROBED_PAIRS: usize = 4096;
/// Different pairs of TMM total and number of tries that are kept.
pub const MAX_DISCOVERY_BINS: usize = 4096;
/// Text reports that are kept.
pub const MAX_REPORTS: usize = 128;
/// Points of load progress that are kept per report.
pub const MAX_PROGRESS_POINTS: usize = 4096;
/// Lines listed with their reason, of each sort.
pub const LISTED_LINES: usize = 100;
/// Bytes of a skipped line that are stored for the list.
pub(crate) const EXCERPT_BYTES: usize = 160;
