//! Does locality hold, and if not, why not.

use serde::{Deserialize, Serialize};

use super::{Ownership, SubtableTimes};
use crate::observations::Observations;
use crate::times::TmmTimes;
use crate::wording;

/// Averages from here on are far above what one message takes.
const LONG_WAIT_CLICKS: f64 = 10_000.0;

/// Whether locality holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// No TMM's average is at or above the threshold.
    pub ok: bool,
    /// The TMMs whose average is, ascending.
    pub slow_tmms: Vec<u16>,
    /// The verdict in one sentence.
    pub summary: String,
    /// What the data say of the reasons.
    pub causes: Vec<Cause>,
}

/// A reason for slow TMMs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// What sort of reason.
    pub kind: CauseKind,
    /// The TMMs that it is about, ascending.
    pub tmms: Vec<u16>,
    /// The reason in words, with what to do.
    pub text: String,
}

/// The reasons that can be told from a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CauseKind {
    /// Probes show that another TMM owns the subtable.
    OwnedElsewhere,
    /// The subtable is named after the TMM's number, which says nothing of its owner.
    NamedByNumber,
    /// Several TMMs write to one subtable; only one of them can own it.
    SharedSubtable,
    /// Discovery gave up and kept a name that was not fast.
    DiscoveryGaveUp,
    /// Discovery accepted the name, and yet writes to it are slow.
    AcceptedByMistake,
    /// Some of the TMM's subtables are fast and some are slow.
    ChangedSubtable,
    /// Most writes are fast: few long ones raise the average.
    RareStalls,
    /// Writes take so long that they most likely queue behind long work.
    LongQueues,
    /// None of the others is in evidence.
    Unexplained,
}

/// What the causes are read from.
pub(super) struct Evidence<'a> {
    pub(super) per_tmm: &'a [TmmTimes],
    pub(super) subtables: &'a [SubtableTimes],
    pub(super) ownership: &'a [Ownership],
    pub(super) seen: &'a Observations,
    pub(super) threshold: u32,
}

pub(super) fn judge(evidence: &Evidence<'_>) -> Option<Verdict> {
    let timed: Vec<&TmmTimes> = evidence.per_tmm.iter().filter(|row| row.n > 0).collect();
    let slowest = timed.iter().max_by(|a, b| a.avg.total_cmp(&b.avg))?;
    let is_slow = |row: &TmmTimes| row.avg >= f64::from(evidence.threshold);
    let slow: Vec<&TmmTimes> = timed.iter().copied().filter(|row| is_slow(row)).collect();
    let slow_tmms: Vec<u16> = slow.iter().map(|row| row.tmm).collect();
    let threshold = evidence.threshold;
    let summary = if slow.is_empty() {
        format!(
            "OK: every TMM averages below {threshold} clicks (the highest is TMM {} with {:.1}).",
            slowest.tmm, slowest.avg
        )
    } else {
        let verb = if slow.len() == 1 {
            "averages"
        } else {
            "average"
        };
        format!(
            "LOCALITY ISSUE: {} {verb} {threshold} clicks or more (the highest is TMM {} with {:.1}).",
            wording::tmms(&slow_tmms),
            slowest.tmm,
            slowest.avg
        )
    };
    let causes = causes(evidence, &slow);
    Some(Verdict {
        ok: slow.is_empty(),
        slow_tmms,
        summary,
        causes,
    })
}

/// The causes, each once with all the TMMs that it is about.
fn causes(evidence: &Evidence<'_>, slow: &[&TmmTimes]) -> Vec<Cause> {
    let mut kinds: Vec<(CauseKind, u16)> = Vec::new();
    for row in slow {
        let before = kinds.len();
        evidence.causes_of(row, |kind| kinds.push((kind, row.tmm)));
        if kinds.len() == before {
            kinds.push((CauseKind::Unexplained, row.tmm));
        }
    }
    kinds.sort_unstable();
    let mut causes: Vec<Cause> = Vec::new();
    for (kind, tmm) in kinds {
        match causes.last_mut() {
            Some(cause) if cause.kind == kind => cause.tmms.push(tmm),
            _ => causes.push(Cause {
                kind,
                tmms: vec![tmm],
                text: String::new(),
            }),
        }
    }
    for cause in &mut causes {
        cause.text = evidence.text(cause.kind, &cause.tmms);
    }
    causes
}

impl Evidence<'_> {
    fn causes_of(&self, row: &TmmTimes, mut found: impl FnMut(CauseKind)) {
        let tmm = row.tmm;
        let limit = f64::from(self.threshold);
        if row.p50 < self.threshold && self.slow_subtables(tmm).next().is_none() {
            return found(CauseKind::RareStalls);
        }
        if self
            .slow_subtables(tmm)
            .any(|subtable| self.other_owner(tmm, subtable).is_some())
        {
            found(CauseKind::OwnedElsewhere);
        }
        if self
            .slow_subtables(tmm)
            .any(|subtable| is_named_by_number(&subtable.subtable, tmm))
        {
            found(CauseKind::NamedByNumber);
        }
        if self
            .slow_subtables(tmm)
            .any(|subtable| self.is_shared(subtable))
        {
            found(CauseKind::SharedSubtable);
        }
        if self.seen.discoveries.exhausted.contains_key(&tmm) {
            found(CauseKind::DiscoveryGaveUp);
        }
        if self
            .slow_subtables(tmm)
            .any(|subtable| self.was_discovered(tmm, &subtable.subtable))
        {
            found(CauseKind::AcceptedByMistake);
        }
        if self.of(tmm).any(|subtable| subtable.avg < limit) {
            found(CauseKind::ChangedSubtable);
        }
        if row.avg >= LONG_WAIT_CLICKS.max(limit) {
            found(CauseKind::LongQueues);
        }
    }

    fn of(&self, tmm: u16) -> impl Iterator<Item = &SubtableTimes> {
        self.subtables
            .iter()
            .filter(move |subtable| subtable.tmm == tmm)
    }

    /// The TMM's subtables in which even the median write is slow.
    fn slow_subtables(&self, tmm: u16) -> impl Iterator<Item = &SubtableTimes> {
        self.of(tmm)
            .filter(|subtable| subtable.p50 >= self.threshold)
    }

    fn other_owner(&self, tmm: u16, subtable: &SubtableTimes) -> Option<u16> {
        let known = self
            .ownership
            .iter()
            .find(|known| known.name.as_deref() == Some(&*subtable.subtable))?;
        known.likely_owner.filter(|&owner| owner != tmm)
    }

    fn is_shared(&self, subtable: &SubtableTimes) -> bool {
        let same = |other: &&SubtableTimes| other.subtable == subtable.subtable;
        !subtable.subtable.is_empty() && self.subtables.iter().filter(same).count() > 1
    }

    fn was_discovered(&self, tmm: u16, subtable: &str) -> bool {
        let found = self.seen.discoveries.found.get(&tmm);
        found.is_some_and(|names| names.iter().any(|name| wording::shown(name) == subtable))
    }

    fn text(&self, kind: CauseKind, tmms: &[u16]) -> String {
        let who = wording::tmms(tmms);
        match kind {
            CauseKind::OwnedElsewhere => format!("{who}: {}.", self.owners(tmms)),
            CauseKind::NamedByNumber => format!(
                "{who}: the subtable is named after the TMM's number. The platform hashes the name; its owner is any \
                 TMM, the same for every run. Discover a name by timing instead."
            ),
            CauseKind::SharedSubtable => format!(
                "{who}: the subtable is written by more than one TMM. It has one owner; for all others each write \
                 is a message to it."
            ),
            CauseKind::DiscoveryGaveUp => format!(
                "{who}: discovery gave up and kept the last name it tried. Either the threshold is below what a local \
                 write takes here, or too few names were tried."
            ),
            CauseKind::AcceptedByMistake => format!(
                "{who}: the name was accepted by discovery, but writes to it are slow. One fast trial let a remote \
                 name through, or the threshold is above what a remote write takes on an idle system."
            ),
            CauseKind::ChangedSubtable => format!(
                "{who}: some of the subtables used are fast and others slow: the rule was reloaded or renamed during \
                 the log. Look at the table by subtable."
            ),
            CauseKind::RareStalls => format!(
                "{who}: the median write is below the threshold; a few long ones raise the average. The subtable is \
                 most likely local, and the TMM was busy with something long (counting all keys, logging, other \
                 traffic) while those were timed."
            ),
            CauseKind::LongQueues => format!(
                "{who}: 10,000 clicks and more are far above the few hundred of a message to an idle TMM. Most likely \
                 the writes wait in queues behind long work on the owner or on the TMM itself, such as counting by \
                 listing all keys of a large subtable. The other reading is that a remote write to a large subtable \
                 is dear in itself: the same load without counting tells the two apart."
            ),
            CauseKind::Unexplained => format!(
                "{who}: remote by the times; nothing else in this log says why. Probe the subtable's name from every \
                 TMM to see its owner."
            ),
        }
    }

    /// `localdb_tmm_0 is owned by TMM 2, …`, for at most eight names.
    fn owners(&self, tmms: &[u16]) -> String {
        let mut owned: Vec<String> = Vec::new();
        for &tmm in tmms {
            for subtable in self.slow_subtables(tmm) {
                if let Some(owner) = self.other_owner(tmm, subtable) {
                    owned.push(format!("{} is owned by TMM {owner}", subtable.subtable));
                }
            }
        }
        owned.dedup();
        let more = owned.len().saturating_sub(8);
        owned.truncate(8);
        let list = owned.join(", ");
        if more > 0 {
            format!("{list} and {more} more")
        } else {
            list
        }
    }
}

/// Whether the name ends in the TMM's number after a word, like `localdb_tmm_2`.
fn is_named_by_number(name: &str, tmm: u16) -> bool {
    let stem = name.strip_suffix(&tmm.to_string());
    stem.is_some_and(|stem| {
        let stem = stem.trim_end_matches(['_', '-', '.']);
        stem.ends_with(|c: char| c.is_ascii_alphabetic())
    })
}
