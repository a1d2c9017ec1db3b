//! Probes, by the name probed and the TMM that probed it.

use std::collections::BTreeMap;

use super::{Tally, stored_name};
use crate::limits::MAX_PROBED_PAIRS;
use crate::lines::Probe;

/// One TMM's probes of one name.
#[derive(Clone, Debug, Default)]
pub struct ProbeTally {
    /// Probes tagged `OWNER`.
    pub owner: u64,
    /// Probes tagged `NON_OWNER`.
    pub non_owner: u64,
    /// The most entries that a probe found.
    pub entries: Option<u64>,
    /// The clicks.
    pub clicks: Tally,
}

/// All probes.
#[derive(Clone, Debug, Default)]
pub struct Probes {
    /// By name, then by TMM.
    pub names: BTreeMap<Box<[u8]>, BTreeMap<u16, ProbeTally>>,
    /// Requests by TMM: probes that the rule logged, or if it logged none, probe answers.
    pub hits: BTreeMap<u16, u64>,
    /// Probes of pairs beyond the number that is kept.
    pub not_kept: u64,
    pairs: usize,
    logged: bool,
}

impl Probes {
    /// Adds one probe; says whether a tally was merged.
    ///
    /// A log and the answers of the same session tell of the same probes; once the log's lines appear, answers no
    /// longer count.
    pub(super) fn record(&mut self, probe: &Probe<'_>) -> bool {
        if probe.logged && !self.logged {
            *self = Self {
                logged: true,
                ..Self::default()
            };
        }
        if self.logged && !probe.logged {
            return false;
        }
        *self.hits.entry(probe.tmm).or_default() += 1;
        let name = stored_name(probe.subtable);
        let known = self
            .names
            .get(name)
            .is_some_and(|tmms| tmms.contains_key(&probe.tmm));
        if !known {
            if self.pairs >= MAX_PROBED_PAIRS {
                self.not_kept += 1;
                return false;
            }
            self.pairs += 1;
            self.names
                .entry(name.into())
                .or_default()
                .insert(probe.tmm, ProbeTally::default());
        }
        let Some(tally) = self
            .names
            .get_mut(name)
            .and_then(|tmms| tmms.get_mut(&probe.tmm))
        else {
            return false;
        };
        if probe.owner {
            tally.owner += 1;
        } else {
            tally.non_owner += 1;
        }
        tally.entries = tally.entries.max(probe.entries);
        tally.clicks.record(probe.clicks)
    }

    pub(super) fn tallies_mut(&mut self) -> impl Iterator<Item = &mut Tally> {
        self.names
            .values_mut()
            .flat_map(|tmms| tmms.values_mut().map(|probe| &mut probe.clicks))
    }
}
