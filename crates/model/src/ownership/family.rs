//! The families of ownership that can be chosen.

use crate::scenario::Choice;

/// A way from a subtable's name to the TMM that owns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// A keyed hash, as on the real platform.
    Opaque,
    /// Redis Cluster's hash slots.
    Redis,
    /// Kafka's default partitioner.
    Kafka,
    /// Cassandra's token ring.
    Cassandra,
    /// Highest random weight.
    Rendezvous,
    /// Jump consistent hash.
    Jump,
    /// Memcached clients' ring of MD5 points.
    Ketama,
    /// The number at the end of the name.
    Suffix,
}

impl Family {
    /// Every family, in the order of the list.
    pub const ALL: &'static [Self] = &[
        Self::Opaque,
        Self::Redis,
        Self::Kafka,
        Self::Cassandra,
        Self::Rendezvous,
        Self::Jump,
        Self::Ketama,
        Self::Suffix,
    ];

    /// The words of every family, in the same order.
    pub const OPTIONS: &'static [Choice] = &{
        let mut options = [Self::Opaque.words(); Self::ALL.len()];
        let mut index = 0;
        while index < options.len() {
            options[index] = Self::ALL[index].words();
            index += 1;
        }
        options
    };

    /// The word used in links, on the command line and in JSON.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.words().id
    }

    /// Its words: id, label and one line of help.
    #[must_use]
    pub const fn words(self) -> Choice {
        let (id, label, help) = match self {
            Self::Opaque => (
                "opaque",
                "hidden hash",
                "A keyed hash that nobody outside knows, as on the platform: local names can be discovered, not constructed.",
            ),
            Self::Redis => (
                "redis",
                "Redis slots",
                "CRC16 of the name or of its {hash tag}, 16384 slots in N equal ranges: a hash tag constructs a local name.",
            ),
            Self::Kafka => (
                "kafka",
                "Kafka murmur2",
                "murmur2 as in the Java client, modulo N: known to all, but nearly every name moves when N changes.",
            ),
            Self::Cassandra => (
                "cassandra",
                "Cassandra ring",
                "Murmur3 tokens on a ring, many ranges a TMM: one more TMM takes a little from each of the others.",
            ),
            Self::Rendezvous => (
                "rendezvous",
                "rendezvous",
                "Every TMM draws a weight for the name and the highest owns it: one more TMM moves one name in N + 1.",
            ),
            Self::Jump => (
                "jump",
                "jump hash",
                "Lamping and Veach's hash without a table: one more TMM moves one name in N + 1, and spreads evenly.",
            ),
            Self::Ketama => (
                "ketama",
                "ketama ring",
                "Memcached's ring of 160 MD5 points a TMM: one more TMM moves about one name in N + 1.",
            ),
            Self::Suffix => (
                "suffix",
                "trailing number",
                "The number that the name ends in, modulo N: how the neat names were wrongly believed to work.",
            ),
        };
        Choice { id, label, help }
    }
}
