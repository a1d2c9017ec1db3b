//! The misconception: that the number at the end of a name says which TMM owns it.

use super::Ownership;

/// The number in which the name ends, modulo the number of TMMs; 0 for a name that ends in none.
#[derive(Clone, Copy, Debug)]
pub struct Suffix {
    tmms: u32,
}

impl Suffix {
    /// Numbers modulo `tmms` (at least one).
    #[must_use]
    pub fn new(tmms: u32) -> Self {
        Self { tmms: tmms.max(1) }
    }
}

impl Ownership for Suffix {
    fn owner(&self, name: &[u8]) -> u32 {
        let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit());
        let start = name.len() - digits.count();
        // Taking the remainder digit by digit gives the same and holds numbers of any length.
        let owner = name[start..].iter().fold(0, |remainder, digit| {
            (remainder * 10 + u64::from(digit - b'0')) % u64::from(self.tmms)
        });
        owner as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_number_of_a_name_counts() {
        let owners: [(&[u8], u32); 8] = [
            (b"localdb_tmm_3", 3),
            (b"localdb_tmm_7", 0),
            (b"localdb_tmm_1_922743", 3),
            (b"12", 5),
            (b"3x", 0),
            (b"", 0),
            ("m\u{b2}".as_bytes(), 0),
            // 10^40 mod 7 is 4: beyond the largest integer.
            (b"10000000000000000000000000000000000000000", 4),
        ];
        for (name, owner) in owners {
            assert_eq!(Suffix::new(7).owner(name), owner, "{}", name.escape_ascii());
        }
    }
}
