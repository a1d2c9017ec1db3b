//! Kafka: murmur2 of the key, as the Java client's default partitioner takes it.
//!
//! Sources: Austin Appleby's `MurmurHash2` (public domain) with the Java client's seed; `Utils.murmur2` and
//! `Utils.toPositive` of Apache Kafka say which variant.

use super::Ownership;

const SEED: u32 = 0x9747_b28c;
const MULTIPLIER: u32 = 0x5bd1_e995;

/// Partition of a key, one partition a TMM.
#[derive(Clone, Copy, Debug)]
pub struct Kafka {
    tmms: u32,
}

impl Kafka {
    /// `tmms` partitions (at least one).
    #[must_use]
    pub fn new(tmms: u32) -> Self {
        Self { tmms: tmms.max(1) }
    }
}

impl Ownership for Kafka {
    fn owner(&self, name: &[u8]) -> u32 {
        (murmur2(name) & 0x7fff_ffff) % self.tmms
    }
}

/// The Java client's murmur2 (32 bits).
fn murmur2(bytes: &[u8]) -> u32 {
    let (words, tail) = bytes.as_chunks::<4>();
    // Java has 32-bit lengths; so has the hash.
    let mut hash = SEED ^ bytes.len() as u32;
    for word in words {
        let mut mixed = u32::from_le_bytes(*word).wrapping_mul(MULTIPLIER);
        mixed ^= mixed >> 24;
        hash = hash.wrapping_mul(MULTIPLIER) ^ mixed.wrapping_mul(MULTIPLIER);
    }
    if !tail.is_empty() {
        let mut last = [0; 4];
        last[..tail.len()].copy_from_slice(tail);
        hash = (hash ^ u32::from_le_bytes(last)).wrapping_mul(MULTIPLIER);
    }
    hash = (hash ^ (hash >> 13)).wrapping_mul(MULTIPLIER);
    hash ^ (hash >> 15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ownership::test_bytes;

    /// Apache Kafka, `UtilsTest.testMurmur2`.
    #[test]
    fn murmur2_gives_the_values_of_the_java_client() {
        let hashes: [(&[u8], i32); 6] = [
            (b"21", -973_932_308),
            (b"foobar", -790_332_482),
            (b"a-little-bit-long-string", -985_981_536),
            (b"a-little-bit-longer-string", -1_486_304_829),
            (
                b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8",
                -58_897_971,
            ),
            (b"abc", 479_470_107),
        ];
        for (key, hash) in hashes {
            assert_eq!(murmur2(key), hash.cast_unsigned(), "{}", key.escape_ascii());
        }
    }

    /// kafka-python's `murmur2` over the same bytes, folded in the same way.
    #[test]
    fn every_length_of_tail_and_high_bytes_agree_with_the_python_client() {
        let bytes = test_bytes();
        let folded = (0..64).fold(0_u32, |sum, length| {
            sum.wrapping_mul(31).wrapping_add(murmur2(&bytes[..length]))
        });
        assert_eq!(folded, 0xf574_4b88);
    }
}
