//! Subtables: a name, its one owner, and how many entries are in it.
//!
//! Entries are counted, not stored: memory does not grow with the number of writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ownership::Ownership;

/// One subtable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtable {
    /// Its name.
    pub name: Arc<str>,
    /// The TMM that stores it.
    pub owner: u32,
    /// Entries in it.
    pub entries: u64,
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
}

impl Subtables {
    /// None in use yet; each will hold `entries_before` entries when it is first used.
    #[must_use]
    pub const fn new(entries_before: u64) -> Self {
        Self {
            in_use: Vec::new(),
            by_name: BTreeMap::new(),
            entries_before,
        }
    }

    /// The subtable of that name, made on first use on the TMM that `ownership` picks.
    pub fn open(&mut self, name: &str, ownership: &impl Ownership) -> SubtableId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = SubtableId::try_from(self.in_use.len()).unwrap_or(SubtableId::MAX);
        self.in_use.push(Subtable {
            name: name.into(),
            owner: ownership.owner(name.as_bytes()),
            entries: self.entries_before,
        });
        self.by_name.insert(name.to_string(), id);
        id
    }

    /// One of the subtables in use.
    #[inline]
    #[must_use]
    pub fn get(&self, id: SubtableId) -> &Subtable {
        &self.in_use[id as usize]
    }

    /// Adds an entry.
    #[inline]
    pub fn write(&mut self, id: SubtableId) {
        self.in_use[id as usize].entries += 1;
    }

    /// Deletes all entries; how many there were.
    pub fn clear(&mut self, id: SubtableId) -> u64 {
        std::mem::take(&mut self.in_use[id as usize].entries)
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
    fn one_name_is_one_subtable_with_one_owner() {
        let ownership = Opaque::new(PUBLISHED_KEY, 4);
        let mut subtables = Subtables::new(10);
        let id = subtables.open("localdb_tmm_0", &ownership);
        subtables.write(id);
        assert_eq!(subtables.open("localdb_tmm_0", &ownership), id);
        let expected = Subtable {
            name: "localdb_tmm_0".into(),
            owner: 2,
            entries: 11,
        };
        assert_eq!(subtables.all(), [expected]);
    }
}
