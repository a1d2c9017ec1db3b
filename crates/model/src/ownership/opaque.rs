//! The hidden hash: what the real platform looks like from outside.

use core::hash::Hasher;

use siphasher::sip::SipHasher13;

use super::Ownership;

/// A key of the hidden hash under which all eight published ownerships hold: `localdb_tmm_0` to `_3` on TMMs 2, 2, 3
/// and 3, and the four discovered names of the validated session each on its own TMM. About one key in 65,536 does.
/// Found by the search in this module's tests.
pub const PUBLISHED_KEY: u64 = 82_755;

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
        (keyed_hash(self.key, name) % u64::from(self.tmms)) as u32
    }
}

/// SipHash-1-3 of a name under a key of 64 bits; the other half of the key is zero.
pub(super) fn keyed_hash(key: u64, name: &[u8]) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(key, 0);
    hasher.write(name);
    hasher.finish()
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
        assert_eq!((0..1_000_000).find(|&key| holds(key)), Some(PUBLISHED_KEY));
    }
}
