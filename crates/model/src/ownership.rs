//! Name to owner: the second, hidden hash.
//!
//! The simulated script never sees it; only the engine does, and the page when it is asked to reveal an owner.

use core::hash::Hasher;

use siphasher::sip::SipHasher13;

/// A key of the hidden hash under which all eight published ownerships hold: `localdb_tmm_0` to `_3` on TMMs 2, 2, 3
/// and 3, and the four discovered names of the validated session each on its own TMM. About one key in 65,536 does.
/// Found by the search in this module's tests.
pub const PUBLISHED_KEY: u64 = 82_755;

/// Picks the TMM that owns a subtable, from the subtable's name.
pub trait Ownership {
    /// The owner of the subtable called `name`: a TMM's number, below the count of TMMs.
    fn owner(&self, name: &[u8]) -> u32;
}

/// A keyed 64-bit hash (SipHash-1-3), reduced to the number of TMMs: opaque to everybody without the key.
#[derive(Clone, Copy, Debug)]
pub struct Opaque {
    key: u64,
    tmms: u32,
}

impl Opaque {
    /// The hash under `key` over `tmms` TMMs (at least one).
    #[must_use]
    pub const fn new(key: u64, tmms: u32) -> Self {
        Self {
            key,
            tmms: if tmms == 0 { 1 } else { tmms },
        }
    }
}

impl Ownership for Opaque {
    fn owner(&self, name: &[u8]) -> u32 {
        let mut hasher = SipHasher13::new_with_keys(self.key, 0);
        hasher.write(name);
        (hasher.finish() % u64::from(self.tmms)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `published.toml`: deterministic.names and .owners, session.whoami.names and .owners.
    const FACTS: [(&str, u32); 8] = [
        ("localdb_tmm_0", 2),
        ("localdb_tmm_1", 2),
        ("localdb_tmm_2", 3),
        ("localdb_tmm_3", 3),
        ("localdb_tmm_0_865802", 0),
        ("localdb_tmm_1_922743", 1),
        ("localdb_tmm_2_5946", 2),
        ("localdb_tmm_3_441563", 3),
    ];

    fn holds(key: u64) -> bool {
        FACTS
            .iter()
            .all(|(name, owner)| Opaque::new(key, 4).owner(name.as_bytes()) == *owner)
    }

    #[test]
    fn the_published_key_is_the_first_that_a_search_finds() {
        assert_eq!((0..).find(|&key| holds(key)), Some(PUBLISHED_KEY));
    }

    #[test]
    fn names_spread_evenly() {
        let ownership = Opaque::new(PUBLISHED_KEY, 8);
        let mut owned = [0_u32; 8];
        for index in 0..80_000 {
            owned[ownership.owner(format!("name_{index}").as_bytes()) as usize] += 1;
        }
        assert!(owned.iter().all(|&n| n.abs_diff(10_000) < 400), "{owned:?}");
    }
}
