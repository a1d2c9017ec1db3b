//! Redis Cluster: CRC16 of the name, or of its `{hash tag}`, picks one of 16,384 slots.
//!
//! Source: the Redis Cluster specification, "Key distribution model" and "Hash tags".

use crc::{CRC_16_XMODEM, Crc};

use super::Ownership;

/// Slots of a cluster, whatever its size.
pub const SLOTS: u16 = 16_384;

const CRC16: Crc<u16> = Crc::<u16>::new(&CRC_16_XMODEM);

/// Hash slots, dealt to the TMMs in equal ranges.
#[derive(Clone, Copy, Debug)]
pub struct Redis {
    tmms: u32,
}

impl Redis {
    /// The slots over `tmms` TMMs (at least one).
    #[must_use]
    pub fn new(tmms: u32) -> Self {
        Self { tmms: tmms.max(1) }
    }
}

impl Ownership for Redis {
    fn owner(&self, name: &[u8]) -> u32 {
        // Range k starts at the slot nearest to k x 16384 / N, as `redis-cli --cluster create` deals them: 5461 and
        // 10923 for three. This is that rule solved for k.
        let position = u64::from(self.tmms) * (2 * u64::from(slot(name)) + 1) - 1;
        (position / (2 * u64::from(SLOTS))) as u32
    }
}

/// The slot of a name: what `CLUSTER KEYSLOT` answers.
///
/// ```
/// use subtable_model::ownership::redis::slot;
///
/// assert_eq!(slot(b"foo"), 12_182);
/// assert_eq!(slot(b"{user1000}.following"), slot(b"{user1000}.followers"));
/// ```
#[must_use]
pub fn slot(name: &[u8]) -> u16 {
    CRC16.checksum(hashed_part(name)) % SLOTS
}

/// What is between the first `{` and the first `}` after it, unless that is nothing; else the whole name.
fn hashed_part(name: &[u8]) -> &[u8] {
    let position = |bytes: &[u8], wanted: u8| bytes.iter().position(|&byte| byte == wanted);
    position(name, b'{')
        .map(|open| &name[open + 1..])
        .and_then(|inside| position(inside, b'}').map(|close| &inside[..close]))
        .filter(|tag| !tag.is_empty())
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Check value of CRC-16/XMODEM, and Appendix A of the cluster specification.
    #[test]
    fn the_crc_has_its_published_check_value() {
        assert_eq!(CRC16.checksum(b"123456789"), 0x31C3);
    }

    /// From Redis' documentation: `somekey`, `foo{hash_tag}` and `bar{hash_tag}` in that of `CLUSTER KEYSLOT`, `foo` in
    /// the tutorial of the cluster. The others from redis-py's `key_slot`.
    #[test]
    fn slots_are_those_of_redis() {
        let slots: [(&[u8], u16); 8] = [
            (b"foo", 12_182),
            (b"somekey", 11_058),
            (b"foo{hash_tag}", 2_515),
            (b"bar{hash_tag}", 2_515),
            (b"bar", 5_061),
            (b"hello", 866),
            (b"localdb_tmm_0", 2_041),
            (b"", 0),
        ];
        for (name, expected) in slots {
            assert_eq!(slot(name), expected, "{}", name.escape_ascii());
        }
    }

    /// The examples of the specification's section on hash tags, and names whose braces do not match.
    #[test]
    fn only_the_first_tag_that_is_not_empty_counts() {
        let parts: [(&[u8], &[u8]); 9] = [
            (b"{user1000}.following", b"user1000"),
            (b"{user1000}.followers", b"user1000"),
            (b"foo{}{bar}", b"foo{}{bar}"),
            (b"foo{{bar}}zap", b"{bar"),
            (b"foo{bar}{zap}", b"bar"),
            (b"foo{bar", b"foo{bar"),
            (b"foo}bar{", b"foo}bar{"),
            (b"}{a}", b"a"),
            (b"{}", b"{}"),
        ];
        for (name, part) in parts {
            assert_eq!(hashed_part(name), part, "{}", name.escape_ascii());
        }
    }

    /// The ranges that `redis-cli --cluster create` prints for three masters.
    #[test]
    fn three_tmms_share_the_slots_as_three_masters_do() {
        let mut last_slots = [0; 3];
        for tag in 0..200_000_u32 {
            let name = tag.to_string();
            let owner = Redis::new(3).owner(name.as_bytes()) as usize;
            last_slots[owner] = last_slots[owner].max(slot(name.as_bytes()));
        }
        assert_eq!(last_slots, [5_460, 10_922, 16_383]);
    }
}
