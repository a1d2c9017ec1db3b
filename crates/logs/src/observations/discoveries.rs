//! Discoveries: how many names were tried until one was local.

use std::collections::BTreeMap;

use crate::limits::{MAX_DISCOVERY_BINS, MAX_SUBTABLES_PER_TMM};
use crate::lines::{Discovery, Exhausted};

use super::stored_name;

/// All discoveries.
#[derive(Clone, Debug, Default)]
pub struct Discoveries {
    /// (TMMs in the system, 0 where the line does not say; tries) and how many discoveries took that many.
    pub tries: BTreeMap<(u16, u32), u64>,
    /// Results beyond the number that is kept.
    pub not_kept: u64,
    /// (lowest, highest) clicks of the accepted trial writes.
    pub accepted_diff: Option<(u32, u32)>,
    /// Names found, by TMM, in order of first appearance.
    pub found: BTreeMap<u16, Vec<Box<[u8]>>>,
    /// Discoveries that gave up, by TMM.
    pub exhausted: BTreeMap<u16, u64>,
    /// The most tries after which one gave up.
    pub max_tries: Option<u32>,
}

impl Discoveries {
    pub(super) fn record(&mut self, found: &Discovery<'_>) {
        let bin = (found.total_tmms.unwrap_or(0), found.tries);
        if self.tries.len() < MAX_DISCOVERY_BINS || self.tries.contains_key(&bin) {
            *self.tries.entry(bin).or_default() += 1;
        } else {
            self.not_kept += 1;
        }
        if let Some(diff) = found.diff {
            let (low, high) = self.accepted_diff.unwrap_or((diff, diff));
            self.accepted_diff = Some((low.min(diff), high.max(diff)));
        }
        let names = self.found.entry(found.tmm).or_default();
        let name = stored_name(found.subtable);
        if names.len() < MAX_SUBTABLES_PER_TMM && !names.iter().any(|known| **known == *name) {
            names.push(name.into());
        }
    }

    pub(super) fn record_exhausted(&mut self, gave_up: &Exhausted<'_>) {
        *self.exhausted.entry(gave_up.tmm).or_default() += 1;
        self.max_tries = self.max_tries.max(Some(gave_up.tries));
    }
}
