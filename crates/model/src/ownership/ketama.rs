//! Ketama: a ring of MD5 points, 160 a TMM, as memcached's clients use it.
//!
//! Source: libketama, "Consistent Hashing" by Richard Jones (Last.fm, 2007): each of 40 digests a server gives four
//! points, and a name goes to the first point at or after the first four bytes of its own digest.

use super::Ownership;
use super::ring::Ring;

const DIGESTS: u32 = 40;

/// A ring of 160 points a TMM.
#[derive(Clone, Debug)]
pub struct Ketama {
    ring: Ring<u32>,
}

impl Ketama {
    /// A ring of `tmms` TMMs (at least one), whose servers are called `tmm_0`, `tmm_1`, …
    #[must_use]
    pub fn new(tmms: u32) -> Self {
        let points = (0..tmms.max(1)).flat_map(|tmm| {
            (0..DIGESTS)
                .flat_map(move |digest| words(format!("tmm_{tmm}-{digest}").as_bytes()))
                .map(move |point| (point, tmm))
        });
        Self {
            ring: Ring::new(points.collect()),
        }
    }
}

impl Ownership for Ketama {
    fn owner(&self, name: &[u8]) -> u32 {
        let [position, ..] = words(name);
        self.ring.owner(position)
    }
}

/// The four little-endian words of the MD5 digest.
fn words(bytes: &[u8]) -> [u32; 4] {
    let digest = u128::from_le_bytes(md5::compute(bytes).0);
    [0, 32, 64, 96].map(|shift| (digest >> shift) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 1321, appendix A.5: the digest of "abc" is 900150983cd24fb0d6963f7d28e17f72.
    #[test]
    fn words_are_the_digest_in_little_endian_order() {
        let expected = [0x9850_0190, 0xb04f_d23c, 0x7d3f_96d6, 0x727f_e128];
        assert_eq!(words(b"abc"), expected);
    }

    /// Owners from uhashring 2.5 with `hash_fn="ketama"` and nodes `tmm_0`, `tmm_1`, …
    #[test]
    fn owners_are_those_of_another_implementation() {
        let names = [
            "localdb_tmm_0",
            "localdb_tmm_1",
            "localdb_tmm_2",
            "localdb_tmm_3",
            "foo",
            "bar",
            "",
            "localdb_tmm_0_865802",
        ];
        let ketama = Ketama::new(4);
        let owners = names.map(|name| ketama.owner(name.as_bytes()));
        assert_eq!(owners, [2, 3, 0, 1, 0, 2, 1, 3]);

        let ketama = Ketama::new(257);
        let owners: Vec<u32> = (0..12)
            .map(|index| ketama.owner(format!("name_{index}").as_bytes()))
            .collect();
        let expected = [159, 96, 121, 119, 4, 204, 130, 52, 29, 175, 117, 13];
        assert_eq!(owners, expected);
    }
}
