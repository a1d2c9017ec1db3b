//! Subtables: a name, its one owner, and the entries in it.
//!
//! Entries are counted, not stored: memory does not grow with the number of writes. Where they end, they are counted by
//! age ([`ages`]).

pub mod ages;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::ages::{Ages, Lives};
use crate::agenda::Nanoseconds;
use crate::ownership::Ownership;
use crate::scenario::Scenario;

/// One subtable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtable {
    /// Its name.
    pub name: Arc<str>,
    /// The TMM that stores it.
    pub owner: u32,
    /// Entries in it, those included whose time has come and that nobody has come across yet.
    pub entries: u64,
    /// Entries that have gone because their time had come.
    pub expired: u64,
    /// The entries by age, where they end.
    pub ages: Ages,
}

/// Number of a subtable among those in use.
pub type SubtableId = u32;

/// The subtables in use.
#[derive(Clone, Debug)]
pub struct Subtables {
    in_use: Vec<Subtable>,
    by_name: BTreeMap<String, SubtableId>,
    /// Entries that a subtable holds when it is first used.
    entries_before: u64,
    lives: Lives,
    entries_end: bool,
}

impl Subtables {
    /// None in use yet.
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        let lives = Lives::new(scenario);
        Self {
            in_use: Vec::new(),
            by_name: BTreeMap::new(),
            entries_before: scenario.entries(),
            lives,
            entries_end: lives.end(),
        }
    }

    /// How long entries live.
    #[must_use]
    pub const fn lives(&self) -> Lives {
        self.lives
    }

    /// The subtable of that name, made on first use on the TMM that `ownership` picks.
    pub fn open(&mut self, name: &str, ownership: &impl Ownership) -> SubtableId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = SubtableId::try_from(self.in_use.len()).unwrap_or(SubtableId::MAX);
        let mut ages = Ages::default();
        if self.entries_end && self.entries_before > 0 {
            ages.write(0, self.entries_before);
        }
        self.in_use.push(Subtable {
            name: name.into(),
            owner: ownership.owner(name.as_bytes()),
            entries: self.entries_before,
            expired: 0,
            ages,
        });
        self.by_name.insert(name.to_string(), id);
        id
    }

    /// One of the subtables in use.
    #[inline(always)]
    #[must_use]
    pub fn get(&self, id: SubtableId) -> &Subtable {
        &self.in_use[id as usize]
    }

    /// Adds an entry at an instant, which must not fall from call to call.
    #[inline(always)]
    pub fn write(&mut self, id: SubtableId, at: Nanoseconds) {
        let subtable = &mut self.in_use[id as usize];
        subtable.entries += 1;
        if self.entries_end {
            subtable.ages.write(at, 1);
        }
    }

    /// Adds entries whose ages are not kept.
    pub fn write_many(&mut self, id: SubtableId, entries: u64) {
        debug_assert!(!self.entries_end, "each entry has an age");
        self.in_use[id as usize].entries += entries;
    }

    /// Comes across all entries at an instant, as a list of the keys does: how many there are.
    pub fn list(&mut self, id: SubtableId, at: Nanoseconds) -> u64 {
        let subtable = &mut self.in_use[id as usize];
        if self.entries_end {
            let gone = subtable.ages.expire(at, self.lives);
            subtable.entries -= gone;
            subtable.expired += gone;
            if self.lives.listing_touches {
                subtable.ages.touch(at);
            }
        }
        subtable.entries
    }

    /// Deletes all entries; how many there were.
    pub fn clear(&mut self, id: SubtableId) -> u64 {
        let subtable = &mut self.in_use[id as usize];
        subtable.ages.clear();
        std::mem::take(&mut subtable.entries)
    }

    /// All in use, in the order of first use.
    #[must_use]
    pub fn all(&self) -> &[Subtable] {
        &self.in_use
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ownership::{Opaque, PUBLISHED_KEY};

    #[test]
    fn one_name_is_one_subtable_with_one_owner() -> Result<(), crate::scenario::ScenarioError> {
        let ownership = Opaque::new(PUBLISHED_KEY, 4);
        let mut scenario = Scenario::default();
        scenario.set("entries", "10")?;
        let mut subtables = Subtables::new(&scenario);
        let id = subtables.open("localdb_tmm_0", &ownership);
        subtables.write(id, 0);
        assert_eq!(subtables.open("localdb_tmm_0", &ownership), id);
        let expected = Subtable {
            name: "localdb_tmm_0".into(),
            owner: 2,
            entries: 11,
            expired: 0,
            ages: Ages::default(),
        };
        assert_eq!(subtables.all(), [expected]);
        Ok(())
    }
}
