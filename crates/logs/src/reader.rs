//! The streaming reader: chunks of bytes in, [`Observations`] out.

use memchr::{memchr, memchr_iter};
use serde::{Deserialize, Serialize};

use crate::faults::Fault;
use crate::limits::{EXCERPT_BYTES, MAX_LINE_BYTES};
use crate::lines::{self, Ending, Line};
use crate::observations::Observations;
use crate::reports::ReportReader;

/// What the reader takes for a timed write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadOptions {
    /// Any line with `tmm=` and `clicks=`, probes included, and not only sampled writes.
    pub all_lines: bool,
}

/// Where an understood line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Which input, counted from 0.
    pub input: u32,
    /// Which line of it, counted from 1.
    pub line: u64,
}

/// Reads a log that arrives in chunks, cut wherever it pleases the sender.
///
/// How the bytes are cut into chunks makes no difference to the result. Memory is bounded as [`crate::limits`]
/// states. To cancel, drop the reader.
pub struct Reader {
    options: ReadOptions,
    /// The beginning of a line whose end has not arrived.
    carry: Vec<u8>,
    /// The carried line is longer than a line may be; only its beginning is kept.
    overlong: bool,
    at: Position,
    bytes: u64,
    seen: Observations,
    reports: ReportReader,
}

impl Default for Reader {
    fn default() -> Self {
        Self::new(ReadOptions::default())
    }
}

impl Reader {
    /// A reader that has read nothing.
    #[must_use]
    pub fn new(options: ReadOptions) -> Self {
        Self {
            options,
            carry: Vec::new(),
            overlong: false,
            at: Position { input: 0, line: 0 },
            bytes: 0,
            seen: Observations::default(),
            reports: ReportReader::default(),
        }
    }

    /// Takes the next bytes.
    pub fn push(&mut self, chunk: &[u8]) {
        self.push_each(chunk, |_, _| {});
    }

    /// Takes the next bytes, and shows every log line that is understood to the visitor, in order.
    pub fn push_each(&mut self, chunk: &[u8], mut visit: impl FnMut(Position, &Line<'_>)) {
        self.bytes += chunk.len() as u64;
        let mut rest = chunk;
        while let Some(end) = memchr(b'\n', rest) {
            let (line, after) = (&rest[..end], &rest[end + 1..]);
            rest = after;
            if self.carry.is_empty() && !self.overlong {
                self.take_line(line, Ending::LineFeed, &mut visit);
            } else {
                self.carry_on(line);
                self.take_carried(Ending::LineFeed, &mut visit);
            }
        }
        self.carry_on(rest);
    }

    /// Ends the current input, so that its last line is not glued to the first of the next. Lines are counted from 1
    /// again.
    pub fn next_input(&mut self) {
        self.next_input_each(|_, _| {});
    }

    /// Like [`Reader::next_input`], and shows the last line to the visitor if it is understood.
    pub fn next_input_each(&mut self, mut visit: impl FnMut(Position, &Line<'_>)) {
        if !self.carry.is_empty() || self.overlong {
            self.seen.unterminated = true;
            self.take_carried(Ending::EndOfInput, &mut visit);
        }
        self.at = Position {
            input: self.at.input.saturating_add(1),
            line: 0,
        };
    }

    /// Ends the last input and gives what was read.
    #[must_use]
    pub fn finish(mut self) -> Observations {
        self.next_input();
        self.seen.reports = self.reports.finish();
        self.seen
    }

    /// What was read so far, without the reports that are still being read: for a view that shows progress.
    #[must_use]
    pub fn so_far(&self) -> &Observations {
        &self.seen
    }

    /// Bytes taken so far.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.bytes
    }

    /// Keeps the beginning of a line, up to the longest that a line may be and its carriage return.
    fn carry_on(&mut self, part: &[u8]) {
        let room = (MAX_LINE_BYTES + 1).saturating_sub(self.carry.len());
        if self.overlong || part.len() > room {
            self.overlong = true;
            // One byte more than is shown, so that the excerpt knows that it was cut.
            let missing = (EXCERPT_BYTES + 1)
                .saturating_sub(self.carry.len())
                .min(part.len());
            self.carry.extend_from_slice(&part[..missing]);
        } else {
            self.carry.extend_from_slice(part);
        }
    }

    fn take_carried(&mut self, ending: Ending, visit: &mut impl FnMut(Position, &Line<'_>)) {
        let mut line = std::mem::take(&mut self.carry);
        if std::mem::take(&mut self.overlong) {
            self.at.line += 1;
            self.skip(Fault::TooLong, &line);
        } else {
            self.take_line(&line, ending, visit);
        }
        line.clear();
        self.carry = line;
    }

    fn take_line(
        &mut self,
        line: &[u8],
        ending: Ending,
        visit: &mut impl FnMut(Position, &Line<'_>),
    ) {
        self.at.line += 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return self
                .seen
                .lines
                .count_skipped(self.at.input, self.at.line, Fault::Blank, line);
        }
        if line.len() > MAX_LINE_BYTES {
            return self.skip(Fault::TooLong, line);
        }
        let mut fault = Fault::NotOurs;
        if carries_fields(line) {
            match lines::parse(line, ending, self.options.all_lines) {
                Ok(parsed) => {
                    self.seen.record(&parsed, self.options.all_lines);
                    self.seen.lines.count_used();
                    return visit(self.at, &parsed);
                }
                Err(reason) => fault = reason,
            }
        }
        match self.reports.read(line, fault, ending) {
            Ok(total) => {
                self.seen.note_total(total);
                self.seen.lines.count_used();
            }
            Err(fault) => self.skip(fault, line),
        }
    }

    fn skip(&mut self, fault: Fault, line: &[u8]) {
        self.seen
            .lines
            .count_skipped(self.at.input, self.at.line, fault, line);
    }
}

/// Whether the line carries fields, so that it may be a log line or an answer; else it may be a part of a report.
///
/// Both fields end in an equals sign, which most lines of a foreign log have few of: so one search settles them.
fn carries_fields(line: &[u8]) -> bool {
    let is_ours =
        |equals: usize| line[..equals].ends_with(b"tmm") || line[..equals].ends_with(b"clicks");
    line.starts_with(b"tmm ") || memchr_iter(b'=', line).any(is_ours)
}
