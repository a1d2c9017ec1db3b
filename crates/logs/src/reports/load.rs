//! The load client's progress lines and its final distribution.
//!
//! ```text
//! progress = "completed=" INT "/" INT *( WS part )       ; several, divided by CR, as a terminal overwrites them
//! part     = "(" REAL "%)" | "rate=" REAL "/s" | "coverage=" INT "/" INT
//!          | "missing=[" *( INT | "," | SP ) "]" | "errors=" INT | word
//! share    = tmm *( SEP ( word | INT | REAL "%" ) )      ; exactly one INT and one REAL "%"
//! tmm      = "tmm" [SEP] INT                             ; in any case
//! SEP      = 1*( SP | TAB | ":" | "=" | "(" | ")" | "|" )
//! ```

use memchr::{memchr_iter, memmem};
use serde::{Deserialize, Serialize};

use super::table::{real, strip_word, whole};
use crate::faults::{Fault, Field};
use crate::limits::{MAX_PROGRESS_POINTS, MAX_TMM};

/// One progress line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Requests completed.
    pub completed: u64,
    /// Requests to be made.
    pub total: u64,
    /// Requests a second so far.
    pub rate_per_s: Option<f64>,
    /// TMMs reached, and TMMs there are.
    pub coverage: Option<(u16, u16)>,
    /// TMMs not reached yet.
    pub missing: Vec<u16>,
    /// Requests that failed.
    pub errors: Option<u64>,
}

/// What one TMM took of a load.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The TMM.
    pub tmm: u16,
    /// Requests that it took.
    pub count: u64,
    /// Its share in percent, as printed.
    pub percent: f64,
}

/// The rate at a stage of a load.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoadPoint {
    /// Requests completed.
    pub completed: u64,
    /// Requests a second so far.
    pub rate_per_s: f64,
}

/// One load run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadReport {
    /// The last progress line.
    pub last: Option<Progress>,
    /// The rate over the run, thinned out evenly if there are many lines.
    pub points: Vec<LoadPoint>,
    /// What each TMM took.
    pub distribution: Vec<Share>,
    /// One progress line in two to this power becomes a point.
    #[serde(skip)]
    thinning: u8,
    #[serde(skip)]
    lines: u64,
}

impl LoadReport {
    /// Whether these lines go on with this run, rather than begin another.
    pub(super) fn continues(&self, progress: &[Progress]) -> bool {
        match (&self.last, progress.first()) {
            (Some(last), Some(next)) => {
                next.completed >= last.completed && next.total == last.total
            }
            _ => true,
        }
    }

    pub(super) fn add(&mut self, progress: Progress) {
        if let Some(rate_per_s) = progress.rate_per_s
            && self.lines.trailing_zeros() >= u32::from(self.thinning)
        {
            self.points.push(LoadPoint {
                completed: progress.completed,
                rate_per_s,
            });
            if self.points.len() >= MAX_PROGRESS_POINTS {
                let mut odd = false;
                self.points.retain(|_| {
                    odd = !odd;
                    odd
                });
                self.thinning += 1;
            }
        }
        self.lines += 1;
        self.last = Some(progress);
    }
}

impl Progress {
    /// Every progress report on the line; nothing if there is none.
    pub(super) fn all_in(line: &[u8]) -> Option<Result<Vec<Self>, Fault>> {
        // Most lines are settled here, and have few equals signs.
        memchr_iter(b'=', line).find(|&equals| line[..equals].ends_with(b"completed"))?;
        let parts = line.split(|&b| b == b'\r').filter_map(Self::in_part);
        let all: Result<Vec<Self>, Fault> = parts.collect();
        if matches!(&all, Ok(none) if none.is_empty()) {
            None
        } else {
            Some(all)
        }
    }

    fn in_part(part: &[u8]) -> Option<Result<Self, Fault>> {
        let ratio = after(part, "completed=")?;
        let Some((completed, total)) = fraction(ratio) else {
            return Some(Err(Fault::NotANumber(Field::Completed)));
        };
        let coverage = after(part, "coverage=")
            .and_then(fraction)
            .and_then(|(reached, total)| {
                let total = u16::try_from(total)
                    .ok()
                    .filter(|&total| total <= MAX_TMM + 1)?;
                Some((u16::try_from(reached).ok()?, total))
            });
        Some(Ok(Self {
            completed,
            total,
            rate_per_s: after(part, "rate=").and_then(|rate| real(leading_number(rate))),
            coverage,
            missing: after(part, "missing=").map(listed).unwrap_or_default(),
            errors: after(part, "errors=").and_then(|errors| whole(leading_number(errors))),
        }))
    }
}

impl Share {
    /// The share on the line, if it is one.
    pub(super) fn in_line(line: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(line).ok()?.trim_start();
        let rest = strip_word(text, "tmm")?;
        let separators =
            |c: char| c.is_ascii_whitespace() || matches!(c, ':' | '=' | '(' | ')' | '|');
        let mut words = rest.split(separators).filter(|word| !word.is_empty());
        let tmm = words.next()?.parse().ok().filter(|&tmm| tmm <= MAX_TMM)?;
        let (mut count, mut percent, mut before) = (None, None, None::<&str>);
        for word in words.take(32) {
            let share = if word == "%" {
                before.take()
            } else {
                word.strip_suffix('%')
            };
            if let Some(share) = share {
                percent = if percent.is_none() {
                    Some(real(share)?)
                } else {
                    return None;
                };
            } else if let Some(number) = before.replace(word).and_then(whole) {
                count = if count.is_none() {
                    Some(number)
                } else {
                    return None;
                };
            }
        }
        if let Some(number) = before.and_then(whole) {
            count = if count.is_none() {
                Some(number)
            } else {
                return None;
            };
        }
        Some(Self {
            tmm,
            count: count?,
            percent: percent?,
        })
    }
}

/// What follows the label, where it begins a word.
fn after<'a>(part: &'a [u8], label: &str) -> Option<&'a [u8]> {
    let at = memmem::find_iter(part, label).find(|&at| {
        at == 0 || part[at - 1].is_ascii_whitespace() || matches!(part[at - 1], b'(' | b'[' | b',')
    })?;
    Some(&part[at + label.len()..])
}

/// The digits, points and commas that the text begins with.
fn leading_number(text: &[u8]) -> &str {
    let end = text
        .iter()
        .take_while(|b| b.is_ascii_digit() || matches!(b, b'.'))
        .count();
    std::str::from_utf8(&text[..end]).unwrap_or_default()
}

fn fraction(text: &[u8]) -> Option<(u64, u64)> {
    let above = leading_number(text);
    let below = text[above.len()..].strip_prefix(b"/")?;
    if above.is_empty() || leading_number(below).is_empty() {
        return None;
    }
    Some((whole(above)?, whole(leading_number(below))?))
}

/// The numbers between brackets.
fn listed(text: &[u8]) -> Vec<u16> {
    let Some(inner) = text.strip_prefix(b"[") else {
        return Vec::new();
    };
    let end = inner.iter().position(|&b| b == b']').unwrap_or(inner.len());
    inner[..end]
        .split(|b| !b.is_ascii_digit())
        .filter_map(|digits| std::str::from_utf8(digits).ok()?.parse().ok())
        .filter(|&tmm| tmm <= MAX_TMM)
        .take(usize::from(MAX_TMM) + 1)
        .collect()
}
