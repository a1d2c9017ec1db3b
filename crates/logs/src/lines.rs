//! The harness's log lines and answers: one line of bytes in, one [`Line`] or the reason why not out.

mod fields;
mod prefix;

use serde::{Deserialize, Serialize};

use self::fields::{Fields, Mark};
pub use self::prefix::strip_prefix;
use crate::faults::{Fault, Field};

/// The rule's opinion of a sampled write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tag {
    /// `FAST_LOCAL`: below the rule's threshold.
    FastLocal,
    /// `SLOW`: at or above it.
    Slow,
}

/// A timed write (or, when all lines are asked for, any line with a TMM and clicks).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write<'a> {
    /// The TMM that wrote.
    pub tmm: u16,
    /// Clicks the write took.
    pub clicks: u32,
    /// The rule's tag; absent on lines that are not sampled writes.
    pub tag: Option<Tag>,
    /// One line stands for this many writes.
    pub one_in: Option<u32>,
    /// Whether it is the unique-key variant.
    pub unique: bool,
    /// The subtable written to.
    pub subtable: Option<&'a [u8]>,
    /// The TMM's write counter.
    pub writes: Option<u64>,
    /// The key written.
    pub key: Option<&'a [u8]>,
}

/// A timed look at one name from one TMM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe<'a> {
    /// The TMM that probed.
    pub tmm: u16,
    /// The name probed.
    pub subtable: &'a [u8],
    /// Clicks it took.
    pub clicks: u32,
    /// Entries found in the subtable.
    pub entries: Option<u64>,
    /// Whether the rule takes the TMM for the owner.
    pub owner: bool,
    /// Whether the line was logged (`PROBE …`) or is the body of an answer; the two tell of the same probe.
    pub logged: bool,
}

/// A discovery that found a local name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Discovery<'a> {
    /// The TMM that found it.
    pub tmm: u16,
    /// The name found.
    pub subtable: &'a [u8],
    /// Names tried, the kept one included.
    pub tries: u32,
    /// Clicks of the trial write that was accepted.
    pub diff: Option<u32>,
    /// TMMs in the system.
    pub total_tmms: Option<u16>,
}

/// A discovery that gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted<'a> {
    /// The TMM that gave up.
    pub tmm: u16,
    /// Names tried.
    pub tries: u32,
    /// The name it fell back on.
    pub using: &'a [u8],
    /// Clicks of the last trial write.
    pub diff: Option<u32>,
}

/// What a TMM says of its own state, in a `/load` or `/whoami` answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status<'a> {
    /// The TMM that answered.
    pub tmm: u16,
    /// Its own subtable.
    pub subtable: Option<&'a [u8]>,
    /// TMMs in the system.
    pub total_tmms: Option<u16>,
}

/// One understood line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A timed write.
    Write(Write<'a>),
    /// A timed look at a name.
    Probe(Probe<'a>),
    /// A discovery that found a local name.
    Discovery(Discovery<'a>),
    /// A discovery that gave up.
    Exhausted(Exhausted<'a>),
    /// A connection given to a TMM.
    Accept {
        /// The TMM it was given to.
        tmm: u16,
        /// The TMM's accept counter.
        accepts: Option<u64>,
    },
    /// The rule was loaded, with these settings.
    Loaded {
        /// The TMM that loaded it.
        tmm: u16,
        /// One write in this many is logged; 0 for none.
        debug_sample: u32,
        /// The rule's own threshold, in clicks.
        fast_threshold: u32,
    },
    /// An answer to a bulk post.
    Bulk {
        /// The TMM that took the post.
        tmm: u16,
        /// Keys written.
        written: u64,
        /// Clicks for all of them.
        elapsed_clicks: u64,
    },
    /// An answer that tells a TMM's state.
    Status(Status<'a>),
    /// An answer to a reset or a dump: a TMM and the number of its entries.
    Entries {
        /// The TMM that answered.
        tmm: u16,
        /// Entries deleted or listed.
        entries: u64,
    },
}

/// How a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With a line feed.
    LineFeed,
    /// With the end of the input: the line may be cut off.
    EndOfInput,
}

/// Reads one log line or answer that carries fields.
///
/// ```text
/// line       = [prefix] body                       ; the prefix is described at `strip_prefix`
/// body       = write | probe | discovery | exhausted | accept | loaded | answer
///              ; white space separates the parts of a body; parts may come in any order; words that are
///              ; not listed are passed over
/// write      = tmm clicks [tag] "sampled" ["1/" INT] *(subtable | writes | key | "unique")
/// probe      = ["PROBE"] tmm subtable clicks [entries] ("OWNER" | "NON_OWNER")
/// discovery  = "initialized" tmm subtable "after" INT "probes" ["diff=" INT] ["of" INT "total TMMs"]
/// exhausted  = "WARNING" tmm "after" INT "probes" "using" NAME ["diff=" INT]
/// accept     = "CLIENT_ACCEPTED" tmm ["accepts=" INT] ["from" ADDRESS]
/// loaded     = "loaded" tmm "debug_sample=" INT "fast_threshold=" INT
/// answer     = tmm ( "written=" INT "elapsed_clicks=" INT          ; bulk
///                  | "deleted=" INT | "count=" INT "keys=" *KEY    ; reset, dump
///                  | "total_tmms=" INT                             ; info
///                  | "subtable=tmm" INT status )                   ; load
///              | "tmm" INT status                                  ; whoami
/// status     = "subtable" NAME "total_tmms" INT
/// tag        = "FAST_LOCAL" | "SLOW"
/// tmm        = "tmm=" INT        clicks = "clicks=" INT        subtable = "subtable=" NAME
/// ```
///
/// With `all_lines`, any other body with `tmm=` and `clicks=` is a write too.
///
/// # Errors
///
/// The [`Fault`] that says why the line cannot be used. At the end of the input an incomplete line of ours is
/// [`Fault::CutOff`] and not malformed in some way of its own.
pub fn parse(line: &[u8], ending: Ending, all_lines: bool) -> Result<Line<'_>, Fault> {
    let fields = Fields::scan(strip_prefix(line), ending);
    classify(&fields, all_lines).map_err(|fault| match ending {
        Ending::EndOfInput if fault != Fault::NotOurs => Fault::CutOff,
        _ => fault,
    })
}

fn classify<'a>(fields: &Fields<'a>, all_lines: bool) -> Result<Line<'a>, Fault> {
    let timed = fields.has(Field::Tmm) && fields.has(Field::Clicks);
    if fields.marked(Mark::Probe) {
        return probe(fields);
    }
    if fields.marked(Mark::Initialized) {
        return discovery(fields);
    }
    if fields.marked(Mark::Warning) && (fields.has(Field::Using) || fields.has(Field::Tries)) {
        return exhausted(fields);
    }
    if fields.marked(Mark::ClientAccepted) {
        return accept(fields);
    }
    if fields.marked(Mark::Loaded)
        && (fields.has(Field::DebugSample) || fields.has(Field::FastThreshold))
    {
        return loaded(fields);
    }
    if fields.marked(Mark::Sampled) && (fields.has(Field::Tmm) || fields.has(Field::Clicks)) {
        return write(fields);
    }
    if timed && (fields.marked(Mark::Owner) || fields.marked(Mark::NonOwner)) {
        return probe(fields);
    }
    if timed {
        return if all_lines {
            write(fields)
        } else {
            Err(Fault::Unsampled)
        };
    }
    answer(fields)
}

fn write<'a>(fields: &Fields<'a>) -> Result<Line<'a>, Fault> {
    let tag = match (fields.marked(Mark::FastLocal), fields.marked(Mark::Slow)) {
        (true, false) => Some(Tag::FastLocal),
        (false, true) => Some(Tag::Slow),
        _ => None,
    };
    Ok(Line::Write(Write {
        tmm: fields.tmm()?,
        clicks: fields.number(Field::Clicks)?,
        tag,
        one_in: fields.sample_rate()?,
        unique: fields.marked(Mark::Unique),
        subtable: fields.text(Field::Subtable).ok(),
        writes: fields.optional(Field::Writes)?,
        key: fields.text(Field::Key).ok(),
    }))
}

fn probe<'a>(fields: &Fields<'a>) -> Result<Line<'a>, Fault> {
    let owner = match (fields.marked(Mark::Owner), fields.marked(Mark::NonOwner)) {
        (true, false) => true,
        (false, true) => false,
        (false, false) => return Err(Fault::Missing(Field::OwnerTag)),
        (true, true) => return Err(Fault::Twice(Field::OwnerTag)),
    };
    Ok(Line::Probe(Probe {
        tmm: fields.tmm()?,
        subtable: fields.text(Field::Subtable)?,
        clicks: fields.number(Field::Clicks)?,
        entries: fields.optional(Field::Entries)?,
        owner,
        logged: fields.marked(Mark::Probe),
    }))
}

fn discovery<'a>(fields: &Fields<'a>) -> Result<Line<'a>, Fault> {
    Ok(Line::Discovery(Discovery {
        tmm: fields.tmm()?,
        subtable: fields.text(Field::Subtable)?,
        tries: fields.positive(Field::Tries)?,
        diff: fields.optional(Field::Diff)?,
        total_tmms: fields.total_tmms()?,
    }))
}

fn exhausted<'a>(fields: &Fields<'a>) -> Result<Line<'a>, Fault> {
    Ok(Line::Exhausted(Exhausted {
        tmm: fields.tmm()?,
        tries: fields.positive(Field::Tries)?,
        using: fields.text(Field::Using)?,
        diff: fields.optional(Field::Diff)?,
    }))
}

fn accept<'a>(fields: &Fields<'a>) -> Result<Line<'a>, Fault> {
    Ok(Line::Accept {
        tmm: fields.tmm()?,
        accepts: fields.optional(Field::Accepts)?,
    })
}

fn loaded<'a>(fields: &Fields<'a>) -> Result<Line<'a>, Fault> {
    Ok(Line::Loaded {
        tmm: fields.tmm()?,
        debug_sample: fields.number(Field::DebugSample)?,
        fast_threshold: fields.number(Field::FastThreshold)?,
    })
}

fn answer<'a>(fields: &Fields<'a>) -> Result<Line<'a>, Fault> {
    if !fields.has(Field::Tmm) {
        return Err(if fields.has(Field::Clicks) {
            Fault::Missing(Field::Tmm)
        } else {
            Fault::NotOurs
        });
    }
    if fields.has(Field::Written) {
        return Ok(Line::Bulk {
            tmm: fields.tmm()?,
            written: fields.number(Field::Written)?,
            elapsed_clicks: fields.number(Field::ElapsedClicks)?,
        });
    }
    if fields.has(Field::Deleted) {
        return Ok(Line::Entries {
            tmm: fields.tmm()?,
            entries: fields.number(Field::Deleted)?,
        });
    }
    if fields.has(Field::Count) && fields.has(Field::Keys) {
        return Ok(Line::Entries {
            tmm: fields.tmm()?,
            entries: fields.number(Field::Count)?,
        });
    }
    if fields.has(Field::TotalTmms) {
        return Ok(Line::Status(Status {
            tmm: fields.tmm()?,
            subtable: fields.text(Field::OwnSubtable).ok(),
            total_tmms: fields.total_tmms()?,
        }));
    }
    Err(Fault::Unrecognised)
}
