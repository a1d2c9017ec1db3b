//! The entries of the subtables: kept until they are reset or expire.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use subtable_model::ownership::{AnyOwnership, Ownership};

/// Number of a subtable among those in use.
pub type SubtableId = usize;

/// One subtable.
#[derive(Debug)]
pub struct Subtable {
    /// Its name.
    pub name: Arc<str>,
    /// The TMM that stores it.
    pub owner: u32,
    /// Each key with the second at which it expires.
    entries: HashMap<Arc<str>, u64>,
    /// Keys in the order of their expiry; empty where entries do not expire.
    expiring: VecDeque<(u64, Arc<str>)>,
}

/// All subtables in use.
#[derive(Debug)]
pub struct Store {
    subtables: Vec<Subtable>,
    by_name: HashMap<Arc<str>, SubtableId>,
    ownership: AnyOwnership,
    lifetime: Option<u64>,
    /// Entries that a subtable holds when it is first used.
    entries_before: u64,
    stored: usize,
    most: usize,
}

/// No more entries are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl Store {
    /// Nothing in use.
    pub fn new(
        ownership: AnyOwnership,
        lifetime: Option<u64>,
        entries_before: u64,
        most: usize,
    ) -> Self {
        Self {
            subtables: Vec::new(),
            by_name: HashMap::new(),
            ownership,
            lifetime,
            entries_before,
            stored: 0,
            most,
        }
    }

    /// The owner of a name.
    pub fn owner(&self, name: &str) -> u32 {
        self.ownership.owner(name.as_bytes())
    }

    /// The subtable of that name, made on first use.
    pub fn open(&mut self, name: &str, second: u64) -> SubtableId {
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = self.subtables.len();
        let name: Arc<str> = name.into();
        self.by_name.insert(name.clone(), id);
        self.subtables.push(Subtable {
            owner: self.owner(&name),
            name,
            entries: HashMap::new(),
            expiring: VecDeque::new(),
        });
        for number in 0..self.entries_before {
            if self.write(id, &format!("before_{number}"), second).is_err() {
                break;
            }
        }
        id
    }

    /// One of the subtables in use.
    pub fn get(&self, id: SubtableId) -> &Subtable {
        &self.subtables[id]
    }

    /// Writes an entry; a key that is there keeps its place and begins its lifetime anew.
    pub fn write(&mut self, id: SubtableId, key: &str, second: u64) -> Result<(), Full> {
        let subtable = &mut self.subtables[id];
        let expires = self
            .lifetime
            .map_or(u64::MAX, |lifetime| second.saturating_add(lifetime));
        let key: Arc<str> = key.into();
        match subtable.entries.entry(key.clone()) {
            Entry::Occupied(mut place) => {
                place.insert(expires);
            }
            Entry::Vacant(_) if self.stored >= self.most => return Err(Full),
            Entry::Vacant(place) => {
                place.insert(expires);
                self.stored += 1;
            }
        }
        if self.lifetime.is_some() {
            subtable.expiring.push_back((expires, key));
        }
        Ok(())
    }

    /// How many entries the subtable has, expired ones not counted.
    pub fn count(&mut self, id: SubtableId, second: u64) -> u64 {
        self.expire(id, second);
        self.subtables[id].entries.len() as u64
    }

    /// How many entries there are under a name, whether it is in use or not.
    pub fn count_of(&mut self, name: &str, second: u64) -> u64 {
        match self.by_name.get(name) {
            Some(&id) => self.count(id, second),
            None => self.entries_before,
        }
    }

    /// The keys of the subtable, in no order.
    pub fn keys(&mut self, id: SubtableId, second: u64) -> impl Iterator<Item = &str> {
        self.expire(id, second);
        self.subtables[id].entries.keys().map(|key| &**key)
    }

    /// Deletes all entries; how many there were.
    pub fn clear(&mut self, id: SubtableId, second: u64) -> u64 {
        let deleted = self.count(id, second);
        let subtable = &mut self.subtables[id];
        self.stored -= subtable.entries.len();
        subtable.entries = HashMap::new();
        subtable.expiring = VecDeque::new();
        deleted
    }

    /// Lifetimes are equal, so entries expire in the order in which they were written.
    fn expire(&mut self, id: SubtableId, second: u64) {
        let subtable = &mut self.subtables[id];
        while let Some((expires, key)) = subtable
            .expiring
            .pop_front_if(|(expires, _)| *expires <= second)
        {
            // A key that was written again since then lives on.
            if subtable.entries.get(&key) == Some(&expires) {
                subtable.entries.remove(&key);
                self.stored -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use subtable_model::ownership::Family;

    use super::*;

    fn store(lifetime: Option<u64>, most: usize) -> Store {
        Store::new(
            AnyOwnership::new(Family::Opaque, 82_755, 4),
            lifetime,
            0,
            most,
        )
    }

    #[test]
    fn entries_stay_until_they_expire_or_are_reset() {
        let mut store = store(Some(10), 100);
        let id = store.open("a", 0);
        for (key, second) in [("x", 0), ("y", 5), ("x", 8)] {
            assert_eq!(store.write(id, key, second), Ok(()));
        }
        assert_eq!((store.count(id, 14), store.count(id, 15)), (2, 1));
        assert_eq!(store.keys(id, 17).collect::<Vec<_>>(), ["x"]);
        assert_eq!(store.count(id, 18), 0);
        assert_eq!(store.write(id, "z", 20), Ok(()));
        assert_eq!((store.clear(id, 21), store.clear(id, 21)), (1, 0));
        assert_eq!(store.stored, 0);
    }

    #[test]
    fn no_more_is_stored_than_allowed() {
        let mut store = store(None, 2);
        let id = store.open("a", 0);
        assert_eq!(store.write(id, "x", 0), Ok(()));
        assert_eq!(store.write(id, "y", 0), Ok(()));
        assert_eq!(store.write(id, "x", 0), Ok(()), "it is there already");
        assert_eq!(store.write(id, "z", 0), Err(Full));
        store.clear(id, 0);
        assert_eq!(store.write(id, "z", 0), Ok(()));
    }

    #[test]
    fn names_have_the_published_owners() {
        let store = store(None, 2);
        let owners = [0, 1, 2, 3].map(|tmm| store.owner(&format!("localdb_tmm_{tmm}")));
        assert_eq!(owners, [2, 2, 3, 3]);
    }
}
