//! Jump consistent hash: no ring and no table, and only 1/(N+1) of the names move when a TMM is added.
//!
//! Source: John Lamping and Eric Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm" (2014), figure 1.

use super::{Ownership, public_hash};

/// The paper's hash over the public 64-bit hash of the name.
#[derive(Clone, Copy, Debug)]
pub struct Jump {
    tmms: u32,
}

impl Jump {
    /// `tmms` buckets (at least one).
    #[must_use]
    pub fn new(tmms: u32) -> Self {
        Self { tmms: tmms.max(1) }
    }
}

impl Ownership for Jump {
    fn owner(&self, name: &[u8]) -> u32 {
        bucket(public_hash(name), self.tmms)
    }
}

/// The bucket of `key`, out of `buckets`.
///
/// The paper divides in double precision and its results depend on how that rounds. One division and one
/// multiplication are rounded alike on every platform that follows IEEE 754, so this stays exact.
fn bucket(mut key: u64, buckets: u32) -> u32 {
    let (mut bucket, mut next) = (0_u64, 0_u64);
    while next < u64::from(buckets) {
        bucket = next;
        key = key.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
        let stretch = (1_u64 << 31) as f64 / ((key >> 33) + 1) as f64;
        next = to_whole((bucket + 1) as f64 * stretch);
    }
    bucket as u32
}

#[allow(
    clippy::cast_sign_loss,
    reason = "a product of positive numbers; the cast drops the fraction, as the paper's does"
)]
const fn to_whole(positive: f64) -> u64 {
    positive as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Computed by the package jump-consistent-hash 3.6 for Python (C extension).
    #[test]
    fn buckets_are_those_of_another_implementation() {
        let buckets = [
            (1, 1, 0),
            (10_863_919_174_838_991, 11, 6),
            (2_016_238_256_797_177_309, 11, 3),
            (1_673_758_223_894_951_030, 11, 5),
            (2, 1_001, 338),
            (42, 57, 43),
            (0xDEAD_10CC, 1, 0),
            (0xDEAD_10CC, 666, 361),
            (256, 1_024, 520),
            (0, 10, 0),
            (u64::MAX, 1_000_000, 589_430),
            (0x0DDC_0FFE_EBAD_F00D, 1_024, 113),
            (123_456_789, 1_024, 294),
        ];
        for (key, of, expected) in buckets {
            assert_eq!(bucket(key, of), expected, "key {key} of {of}");
        }
    }
}
