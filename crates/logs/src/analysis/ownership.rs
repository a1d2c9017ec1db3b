//! Which TMM owns a name, as far as probes tell.

use serde::{Deserialize, Serialize};

use crate::observations::{Observations, ProbeTally};
use crate::reports::{ProbeRow, Report};
use crate::wording;

/// What one TMM's probes of a name say. Times are in clicks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbeEvidence {
    /// The TMM that probed.
    pub tmm: u16,
    /// Probes.
    pub hits: u64,
    /// Of these, tagged `OWNER`.
    pub owner: u64,
    /// Of these, tagged `NON_OWNER`.
    pub non_owner: u64,
    /// The fewest clicks.
    pub min: u32,
    /// The mean.
    pub avg: f64,
    /// The most clicks.
    pub max: u32,
    /// The most entries found in the subtable.
    pub entries: Option<u64>,
}

/// Who owns one name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ownership {
    /// The name; absent where a probe table does not tell it.
    pub name: Option<String>,
    /// The TMM with the lowest average among those tagged `OWNER` at least once. Nobody where no TMM was.
    pub likely_owner: Option<u16>,
    /// `OWNER` tags of other TMMs, and `NON_OWNER` tags of the likely owner: timing is evidence, not proof.
    pub stray_tags: u64,
    /// The next lowest average of a TMM, divided by the likely owner's: how clear the case is.
    pub margin: Option<f64>,
    /// TMMs of the system that did not probe the name; the owner may be among them if nobody is likely.
    pub not_probed: Vec<u16>,
    /// One entry a TMM, ascending.
    pub evidence: Vec<ProbeEvidence>,
    /// The conclusion in one sentence.
    pub summary: String,
}

impl From<(&u16, &ProbeTally)> for ProbeEvidence {
    fn from((&tmm, tally): (&u16, &ProbeTally)) -> Self {
        let clicks = &tally.clicks;
        Self {
            tmm,
            hits: clicks.n(),
            owner: tally.owner,
            non_owner: tally.non_owner,
            min: clicks.min(),
            avg: clicks.mean(),
            max: clicks.max(),
            entries: tally.entries,
        }
    }
}

impl From<&ProbeRow> for ProbeEvidence {
    fn from(row: &ProbeRow) -> Self {
        let &ProbeRow {
            tmm,
            hits,
            owner,
            non_owner,
            min,
            avg,
            max,
        } = row;
        Self {
            tmm,
            hits,
            owner,
            non_owner,
            min,
            avg,
            max,
            entries: None,
        }
    }
}

/// Ownership of every probed name; of the client's tables where no probe was logged.
pub(crate) fn infer(seen: &Observations) -> Vec<Ownership> {
    if !seen.probes.names.is_empty() {
        let names = seen.probes.names.iter();
        return names
            .map(|(name, tmms)| {
                conclude(
                    Some(wording::shown(name)),
                    tmms.iter().map(ProbeEvidence::from).collect(),
                    seen.total_tmms,
                )
            })
            .collect();
    }
    let tables = seen.reports.iter().filter_map(|report| match report {
        Report::Probe { rows } if !rows.is_empty() => {
            let mut evidence: Vec<ProbeEvidence> = rows.iter().map(ProbeEvidence::from).collect();
            evidence.sort_by_key(|row| row.tmm);
            Some(conclude(None, evidence, seen.total_tmms))
        }
        _ => None,
    });
    tables.collect()
}

fn conclude(name: Option<String>, evidence: Vec<ProbeEvidence>, total: Option<u16>) -> Ownership {
    let tagged = evidence.iter().filter(|row| row.owner > 0);
    let likely = tagged.min_by(|a, b| a.avg.total_cmp(&b.avg)).copied();
    let others = || {
        evidence
            .iter()
            .filter(|row| row.hits > 0 && likely.is_none_or(|owner| row.tmm != owner.tmm))
    };
    let next = others().map(|row| row.avg).min_by(f64::total_cmp);
    let margin = likely
        .zip(next)
        .filter(|(owner, _)| owner.avg > 0.0)
        .map(|(owner, next)| next / owner.avg);
    let stray_tags = likely.map_or(0, |owner| {
        others()
            .map(|row| row.owner)
            .fold(owner.non_owner, u64::saturating_add)
    });
    let probed = |tmm: &u16| evidence.iter().any(|row| row.tmm == *tmm && row.hits > 0);
    let not_probed: Vec<u16> = (0..total.unwrap_or(0)).filter(|tmm| !probed(tmm)).collect();
    let summary = summarise(name.as_deref(), likely, margin, stray_tags, &not_probed);
    Ownership {
        name,
        likely_owner: likely.map(|owner| owner.tmm),
        stray_tags,
        margin,
        not_probed,
        evidence,
        summary,
    }
}

fn summarise(
    name: Option<&str>,
    likely: Option<ProbeEvidence>,
    margin: Option<f64>,
    stray_tags: u64,
    not_probed: &[u16],
) -> String {
    let name = name.unwrap_or("The probed name");
    let Some(owner) = likely else {
        return if not_probed.is_empty() {
            format!("{name}: no TMM was ever tagged OWNER.")
        } else {
            format!(
                "{name}: no TMM was ever tagged OWNER; {} did not probe it.",
                wording::tmms(not_probed)
            )
        };
    };
    let clear = match margin {
        Some(margin) if margin >= 1.0 => format!(", {margin:.0} times faster than the next"),
        Some(_) => ", though another TMM without an OWNER tag is faster".to_owned(),
        None => String::new(),
    };
    let against = match stray_tags {
        0 => String::new(),
        tags => format!(
            "; {} against it",
            wording::counted(tags, "stray tag", "stray tags")
        ),
    };
    format!(
        "{name}: most likely owned by TMM {}, average {:.1} clicks{clear}{against}.",
        owner.tmm, owner.avg
    )
}
