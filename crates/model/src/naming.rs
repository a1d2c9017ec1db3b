//! How a TMM comes by the name of its subtable: neat, random, timed or not.
//!
//! Names cannot be constructed to be local, since the hash is hidden; they can be discovered, by timing a trial write
//! to a random name and keeping it when it was fast. The strategies are the two-by-two of randomness and timing, and
//! one name for all.

use crate::agenda::Nanoseconds;
use crate::sampling::Stream;
use crate::scenario::Naming;
use crate::subtable::SubtableId;

/// Candidates of a random strategy are `localdb_tmm_<t>_<number below this>`.
pub const SUFFIX_RANGE: u32 = 1_000_000;

/// What a TMM knows of its subtable's name.
#[derive(Clone, Debug)]
pub enum Name {
    /// Nothing yet: no request has needed it.
    Unknown,
    /// It is being looked for.
    Searching(Box<Search>),
    /// It is this subtable's.
    Known(SubtableId),
}

/// A search under way on one TMM: one request tries names, the others that need the name wait.
#[derive(Clone, Debug)]
pub struct Search {
    /// The name being tried.
    pub candidate: String,
    /// The TMM that owns it; the script does not know.
    pub owner: u32,
    /// Names tried so far, this one included.
    pub tries: u64,
    /// The fastest name so far and what it took, for the strategy that keeps the fastest.
    pub fastest: Option<(u32, String)>,
    /// Requests that wait for the outcome, each with the instant since when.
    pub waiting: Vec<(u32, Nanoseconds)>,
}

impl Naming {
    /// Whether a name is timed before it is used.
    #[must_use]
    pub const fn probes(self) -> bool {
        matches!(
            self,
            Self::RandomProbe | Self::DeterministicProbed | Self::MinimumOf
        )
    }

    /// Whether each request brings the name that it uses, so that the TMM needs none of its own.
    #[must_use]
    pub const fn is_brought(self) -> bool {
        matches!(self, Self::PerSession | Self::Spread)
    }

    /// A name for TMM `tmm` to try or to use, after `tries` others.
    #[must_use]
    pub fn candidate(self, tmm: u32, tries: u64, luck: &mut Stream) -> String {
        match self {
            Self::Deterministic | Self::DeterministicProbed => format!("localdb_tmm_{tmm}"),
            Self::RandomProbe | Self::RandomUnprobed => {
                format!("localdb_tmm_{tmm}_{}", luck.below(SUFFIX_RANGE))
            }
            Self::MinimumOf => format!("tmm_local_{tries}"),
            Self::Shared | Self::PerSession | Self::Spread => "localdb_shared".to_string(),
        }
    }
}

/// Names that the strategy of the fastest name tries for each TMM there is.
pub const NAMES_PER_TMM: u64 = 7;

/// The name of a session's subtable.
#[must_use]
pub fn of_session(session: u32) -> String {
    format!("session_{session}")
}

/// Subtables for each TMM there is, where keys are spread over subtables.
pub const SUBTABLES_PER_TMM: u32 = 3;

/// Which of so many subtables a key goes to: its crc32 (ISO-HDLC, as `crc32` on the platform), modulo.
#[must_use]
pub fn spread(key: u64, subtables: u32) -> u32 {
    const CRC32: crc::Crc<u32> = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
    CRC32.checksum(format!("loadkey_{key}").as_bytes()) % subtables.max(1)
}

/// The name of one of the subtables over which keys are spread.
#[must_use]
pub fn of_spread(index: u32) -> String {
    format!("localdb_spread_{index}")
}

/// The one name that the probe workload times: the published one, which TMM 2 owns under the published key.
pub const PROBED: &str = "localdb_tmm_2_5946";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampling::Concern;

    #[test]
    fn only_random_strategies_offer_a_second_name() {
        let mut luck = Stream::new(1, Concern::Name, 0);
        for &naming in Naming::ALL {
            let (first, second) = (
                naming.candidate(3, 0, &mut luck),
                naming.candidate(3, 0, &mut luck),
            );
            let random = matches!(naming, Naming::RandomProbe | Naming::RandomUnprobed);
            assert_eq!(first != second, random, "{naming:?}: {first}, {second}");
        }
    }
}
