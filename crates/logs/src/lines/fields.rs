//! Takes the body of a line apart, once, whatever the order of its parts.

use super::Ending;
use crate::faults::{Fault, Field};
use crate::limits::MAX_TMM;

/// A word that says what kind of line it is, or what the rule thinks of it.
#[derive(Clone, Copy)]
#[repr(u16)]
pub(super) enum Mark {
    Probe = 1,
    Owner = 1 << 1,
    NonOwner = 1 << 2,
    FastLocal = 1 << 3,
    Slow = 1 << 4,
    Sampled = 1 << 5,
    Unique = 1 << 6,
    Warning = 1 << 7,
    ClientAccepted = 1 << 8,
    Initialized = 1 << 9,
    Loaded = 1 << 10,
}

const FIELDS: usize = Field::Completed as usize + 1;

/// The parts of one line: the first value of each field, and which marks were there.
pub(super) struct Fields<'a> {
    values: [Option<&'a [u8]>; FIELDS],
    /// One bit a field: given again with another value.
    twice: u32,
    marks: u16,
    /// The sample rate is the very end of an input without its closing parenthesis: digits may be missing.
    rate_cut: bool,
}

impl<'a> Fields<'a> {
    /// ```text
    /// body    = *( part WS )
    /// part    = name "=" value | mark | after-word
    /// after-word = ("after" | "of" | "using" | "sampled" | "subtable" | "total_tmms") WS value
    ///              | "tmm" WS value                            ; at the very start of a body
    /// value   = 1*non-WS, without an opening "(" or "[" and without trailing ")", "]", "," or ";"
    /// ```
    pub(super) fn scan(body: &'a [u8], ending: Ending) -> Self {
        let mut fields = Self {
            values: [None; FIELDS],
            twice: 0,
            marks: 0,
            rate_cut: false,
        };
        let mut before: &[u8] = b"";
        for (index, (part, equals)) in (Parts { rest: body }).enumerate() {
            if let Some(equals) = equals {
                if let Some(field) = field_named(&part[..equals]) {
                    fields.put(field, &part[equals + 1..]);
                }
                before = b"";
            } else {
                match field_after(before, part) {
                    Some(field) => fields.put(field, part),
                    None if index == 1 && before == b"tmm" => fields.put(Field::Tmm, part),
                    None => {}
                }
                fields.marks |= mark_of(part);
                let last = ending == Ending::EndOfInput && body.ends_with(part);
                fields.rate_cut |= last && before == b"sampled";
                before = part;
            }
        }
        fields
    }

    fn put(&mut self, field: Field, value: &'a [u8]) {
        let slot = &mut self.values[field as usize];
        match slot {
            None => *slot = Some(value),
            Some(earlier) if *earlier != value => self.twice |= 1 << field as u32,
            Some(_) => {}
        }
    }

    pub(super) fn has(&self, field: Field) -> bool {
        self.values[field as usize].is_some()
    }

    pub(super) fn marked(&self, mark: Mark) -> bool {
        self.marks & mark as u16 != 0
    }

    /// The value as text, which must not be empty.
    pub(super) fn text(&self, field: Field) -> Result<&'a [u8], Fault> {
        match self.values[field as usize] {
            Some(_) if self.twice & (1 << field as u32) != 0 => Err(Fault::Twice(field)),
            Some(value) if !value.is_empty() => Ok(value),
            _ => Err(Fault::Missing(field)),
        }
    }

    /// The value as a whole number that fits its type.
    pub(super) fn number<T: TryFrom<u64>>(&self, field: Field) -> Result<T, Fault> {
        decimal(self.text(field)?, field)
    }

    /// The value as a number if the field is there; a broken value is an error all the same.
    pub(super) fn optional<T: TryFrom<u64>>(&self, field: Field) -> Result<Option<T>, Fault> {
        if self.has(field) {
            self.number(field).map(Some)
        } else {
            Ok(None)
        }
    }

    /// A count that cannot be zero.
    pub(super) fn positive(&self, field: Field) -> Result<u32, Fault> {
        match self.number(field)? {
            0 => Err(Fault::OutOfRange(field)),
            count => Ok(count),
        }
    }

    pub(super) fn tmm(&self) -> Result<u16, Fault> {
        match self.number(Field::Tmm)? {
            tmm if tmm > MAX_TMM => Err(Fault::OutOfRange(Field::Tmm)),
            tmm => Ok(tmm),
        }
    }

    pub(super) fn total_tmms(&self) -> Result<Option<u16>, Fault> {
        match self.optional(Field::TotalTmms)? {
            Some(total) if total == 0 || total > MAX_TMM + 1 => {
                Err(Fault::OutOfRange(Field::TotalTmms))
            }
            total => Ok(total),
        }
    }

    /// The `n` of `sampled 1/n`. Unknown where the line is cut off inside it: the clicks are whole all the same.
    pub(super) fn sample_rate(&self) -> Result<Option<u32>, Fault> {
        if !self.has(Field::SampleRate) || self.rate_cut {
            return Ok(None);
        }
        let fraction = self.text(Field::SampleRate)?;
        let digits = fraction
            .strip_prefix(b"1/")
            .ok_or(Fault::NotANumber(Field::SampleRate))?;
        match decimal(digits, Field::SampleRate)? {
            0 => Err(Fault::OutOfRange(Field::SampleRate)),
            n => Ok(Some(n)),
        }
    }
}

/// The number that the digits stand for.
fn decimal<T: TryFrom<u64>>(digits: &[u8], field: Field) -> Result<T, Fault> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(Fault::NotANumber(field));
    }
    // Nineteen digits always fit; only what follows needs care.
    let (short, long) = digits.split_at(digits.len().min(19));
    let mut number = short
        .iter()
        .fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
    for digit in long {
        number = number
            .checked_mul(10)
            .and_then(|tens| tens.checked_add(u64::from(digit - b'0')))
            .ok_or(Fault::OutOfRange(field))?;
    }
    T::try_from(number).map_err(|_| Fault::OutOfRange(field))
}

const WHITE: u8 = 1;
const EQUALS: u8 = 2;

/// What sort of byte each is.
static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    class[b' ' as usize] = WHITE;
    class[b'\t' as usize] = WHITE;
    class[b'=' as usize] = EQUALS;
    class
};

/// Divides a body into its parts, and finds where each one's name ends.
struct Parts<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Parts<'a> {
    type Item = (&'a [u8], Option<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let begin = self
            .rest
            .iter()
            .position(|b| !matches!(b, b' ' | b'\t' | b'(' | b'['))?;
        let rest = &self.rest[begin..];
        // A table look-up a byte is faster here than searches: the parts are short.
        let stop = |from: usize, stops: u8| {
            let tail = rest.get(from..).unwrap_or_default();
            tail.iter()
                .position(|&b| CLASS[usize::from(b)] & stops != 0)
                .map_or(rest.len(), |at| from + at)
        };
        let first = stop(0, WHITE | EQUALS);
        let (equals, end) = match rest.get(first) {
            Some(b'=') => (Some(first), stop(first + 1, WHITE)),
            _ => (None, first),
        };
        let mut part = &rest[..end];
        self.rest = &rest[end..];
        while let [shorter @ .., b')' | b']' | b',' | b';'] = part {
            part = shorter;
        }
        Some((part, equals.filter(|&at| at < part.len())))
    }
}

fn field_named(name: &[u8]) -> Option<Field> {
    Some(match name {
        b"tmm" => Field::Tmm,
        b"clicks" => Field::Clicks,
        b"subtable" => Field::Subtable,
        b"writes" => Field::Writes,
        b"key" => Field::Key,
        b"entries" => Field::Entries,
        b"accepts" => Field::Accepts,
        b"diff" => Field::Diff,
        b"total_tmms" => Field::TotalTmms,
        b"debug_sample" => Field::DebugSample,
        b"fast_threshold" => Field::FastThreshold,
        b"deleted" => Field::Deleted,
        b"written" => Field::Written,
        b"elapsed_clicks" => Field::ElapsedClicks,
        b"count" => Field::Count,
        b"keys" => Field::Keys,
        _ => return None,
    })
}

fn field_after(word: &[u8], value: &[u8]) -> Option<Field> {
    Some(match word {
        b"sampled" if value.contains(&b'/') => Field::SampleRate,
        b"after" => Field::Tries,
        b"of" | b"total_tmms" => Field::TotalTmms,
        b"using" => Field::Using,
        b"subtable" => Field::OwnSubtable,
        _ => return None,
    })
}

fn mark_of(word: &[u8]) -> u16 {
    let mark = match word {
        b"PROBE" => Mark::Probe,
        b"OWNER" => Mark::Owner,
        b"NON_OWNER" => Mark::NonOwner,
        b"FAST_LOCAL" => Mark::FastLocal,
        b"SLOW" => Mark::Slow,
        b"sampled" => Mark::Sampled,
        b"unique" => Mark::Unique,
        b"WARNING" => Mark::Warning,
        b"CLIENT_ACCEPTED" => Mark::ClientAccepted,
        b"initialized" => Mark::Initialized,
        b"loaded" => Mark::Loaded,
        _ => return 0,
    };
    mark as u16
}
