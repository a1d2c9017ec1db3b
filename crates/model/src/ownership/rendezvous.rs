//! Rendezvous hashing: every TMM draws a weight for the name, and the highest weight owns it.
//!
//! Source: David Thaler and Chinya Ravishankar, "Using Name-Based Mappings to Increase Hit Rates" (1998). Their
//! weights come from a 31-bit generator; here they are the successive 64-bit numbers of `SplitMix64` (Steele, Lea and
//! Flood, 2014) seeded with the hash of the name: integers, alike on every machine.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{Ownership, public_hash};

/// Highest random weight. One owner costs one weight a TMM.
#[derive(Clone, Copy, Debug)]
pub struct Rendezvous {
    tmms: u32,
}

impl Rendezvous {
    /// `tmms` TMMs (at least one).
    #[must_use]
    pub fn new(tmms: u32) -> Self {
        Self { tmms: tmms.max(1) }
    }
}

impl Ownership for Rendezvous {
    fn owner(&self, name: &[u8]) -> u32 {
        let mut weights = SplitMix64::from_seed(public_hash(name).to_le_bytes());
        let (mut owner, mut highest) = (0, 0);
        for tmm in 0..self.tmms {
            let weight = weights.next_u64();
            // Of equal weights the first TMM's counts.
            if weight > highest {
                (owner, highest) = (tmm, weight);
            }
        }
        owner
    }
}
