//! Cassandra: the name's Murmur3 token on a ring, of which every TMM holds many small ranges.
//!
//! Sources: Austin Appleby's `MurmurHash3` x64 128 (public domain); Apache Cassandra's `MurmurHash` and
//! `Murmur3Partitioner` for what they do differently: the bytes of the tail are signed.

use std::sync::{Mutex, PoisonError};

use super::Ownership;
use super::ring::Ring;

/// Ranges of a TMM unless told otherwise: Cassandra's default for tokens that are drawn at random.
pub const DEFAULT_VNODES: u32 = 256;

const FIRST: u64 = 0x87c3_7b91_1142_53d5;
const SECOND: u64 = 0x4cf5_ad43_2745_937f;

/// A ring of tokens.
///
/// Cassandra draws the tokens of a node at random. Here they are the tokens of the texts `tmm_<t>/<v>`, so that they
/// are the same in every run and a TMM keeps its own when others come.
#[derive(Clone, Debug)]
pub struct Cassandra {
    ring: Ring<i64>,
}

/// The ring that was last made, and for how many TMMs with how many tokens each: one run after the other uses the same, and
/// a large one takes longer to make than many runs.
static LAST: Mutex<Option<((u32, u32), Cassandra)>> = Mutex::new(None);

impl Cassandra {
    /// A ring of `tmms` TMMs (at least one) with `vnodes` tokens each (at least one).
    #[must_use]
    pub fn new(tmms: u32, vnodes: u32) -> Self {
        let asked = (tmms.max(1), vnodes.max(1));
        // Nobody else's panic leaves the last ring half written.
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((made, ring)) = &*last
            && *made == asked
        {
            return ring.clone();
        }
        let ring = Self::made(asked);
        *last = Some((asked, ring.clone()));
        ring
    }

    fn made((tmms, vnodes): (u32, u32)) -> Self {
        let points = (0..tmms).flat_map(|tmm| {
            (0..vnodes).map(move |vnode| (token(format!("tmm_{tmm}/{vnode}").as_bytes()), tmm))
        });
        Self {
            ring: Ring::new(points.collect()),
        }
    }
}

impl Ownership for Cassandra {
    fn owner(&self, name: &[u8]) -> u32 {
        self.ring.owner(token(name))
    }
}

/// The token of a name.
///
/// `i64::MIN` is the ring's beginning and belongs to the empty name alone: a name that hashes to it gets `i64::MAX`.
///
/// ```
/// assert_eq!(subtable_model::ownership::cassandra::token(b"123"), -7_468_325_962_851_647_638);
/// ```
#[must_use]
pub fn token(name: &[u8]) -> i64 {
    match murmur3(name).cast_signed() {
        _ if name.is_empty() => i64::MIN,
        i64::MIN => i64::MAX,
        token => token,
    }
}

/// The first 64 of the 128 bits, with Cassandra's signed tail and seed 0.
fn murmur3(bytes: &[u8]) -> u64 {
    let (blocks, tail) = bytes.as_chunks::<16>();
    let (mut low, mut high) = (0_u64, 0_u64);
    for block in blocks {
        let block = u128::from_le_bytes(*block);
        low ^= scramble_low(block as u64);
        low = low.rotate_left(27).wrapping_add(high);
        low = low.wrapping_mul(5).wrapping_add(0x52dc_e729);
        high ^= scramble_high((block >> 64) as u64);
        high = high.rotate_left(31).wrapping_add(low);
        high = high.wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }

    let (low_tail, high_tail) = tail.split_at(tail.len().min(8));
    low ^= scramble_low(signed_word(low_tail));
    high ^= scramble_high(signed_word(high_tail));

    low ^= bytes.len() as u64;
    high ^= bytes.len() as u64;
    low = low.wrapping_add(high);
    high = high.wrapping_add(low);
    finish(low).wrapping_add(finish(high))
}

const fn scramble_low(word: u64) -> u64 {
    word.wrapping_mul(FIRST)
        .rotate_left(31)
        .wrapping_mul(SECOND)
}

const fn scramble_high(word: u64) -> u64 {
    word.wrapping_mul(SECOND)
        .rotate_left(33)
        .wrapping_mul(FIRST)
}

/// At most eight bytes as a little-endian word; a byte from 0x80 on flips all bits above it too.
fn signed_word(bytes: &[u8]) -> u64 {
    bytes.iter().enumerate().fold(0, |word, (index, &byte)| {
        let extended = i64::from(byte.cast_signed()).cast_unsigned();
        word ^ (extended << (8 * index))
    })
}

const fn finish(mut word: u64) -> u64 {
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ (word >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ownership::test_bytes;

    /// The tokens in the tests of the Cassandra driver for Python, `TokensTest.test_murmur3_tokens`.
    #[test]
    fn tokens_are_those_of_the_driver() {
        let tokens: [(&[u8], i64); 5] = [
            (b"123", -7_468_325_962_851_647_638),
            (
                &b"\x00\xff\x10\xfa\x99".repeat(10),
                5_837_342_703_291_459_765,
            ),
            (&[0xfe; 8], -8_927_430_733_708_461_935),
            (&[0x10; 8], 1_446_172_840_243_228_796),
            (b"9223372036854775807", 7_162_290_910_810_015_547),
        ];
        for (name, expected) in tokens {
            assert_eq!(token(name), expected, "{}", name.escape_ascii());
        }
    }

    /// The same driver's `murmur3` over the same bytes, folded in the same way.
    #[test]
    fn every_length_of_tail_and_high_bytes_agree_with_the_driver() {
        let bytes = test_bytes();
        let folded = (0..64).fold(0_u64, |sum, length| {
            sum.wrapping_mul(31).wrapping_add(murmur3(&bytes[..length]))
        });
        assert_eq!(folded, 0xf92c_4208_1ff0_5fc9);
    }

    /// A name of one block can be computed backwards from the hash that it shall have.
    #[test]
    fn only_the_empty_name_has_the_least_token() {
        let name = 0x542c_37f0_4add_6424_1005_5bbf_10fc_7f5f_u128.to_le_bytes();
        assert_eq!(murmur3(&name).cast_signed(), i64::MIN);
        assert_eq!(token(&name), i64::MAX);
        assert_eq!(token(b""), i64::MIN);
    }

    /// More ranges of their own even out what each TMM holds.
    #[test]
    fn more_ranges_spread_names_more_evenly() {
        let largest_share = |vnodes| {
            let ownership = Cassandra::new(8, vnodes);
            let mut owned = [0_u32; 8];
            for index in 0..8_000 {
                owned[ownership.owner(format!("name_{index}").as_bytes()) as usize] += 1;
            }
            owned.into_iter().max().unwrap_or_default()
        };
        let (one, many) = (largest_share(1), largest_share(DEFAULT_VNODES));
        assert!(many < 1_250 && one > 2 * many, "{one} and {many} of 8,000");
    }

    #[test]
    fn the_last_ring_is_used_again_and_no_other() {
        let name = |number: u32| format!("name_{number}");
        let owners = |tmms, vnodes| -> Vec<u32> {
            let ring = Cassandra::new(tmms, vnodes);
            (0..200)
                .map(|number| ring.owner(name(number).as_bytes()))
                .collect()
        };
        let (few, many) = (owners(4, 1), owners(4, 256));
        assert_ne!(few, many, "tokens make no difference");
        assert_eq!(owners(4, 1), few);
        assert_eq!(owners(4, 256), many);
        assert_eq!(owners(4, 256), many);
        let share = |owners: &[u32]| {
            let of = |tmm| owners.iter().filter(|owner| **owner == tmm).count();
            (0..4).map(of).max().unwrap_or(0)
        };
        assert!(share(&few) > share(&many), "fewer tokens share less evenly");
    }
}
