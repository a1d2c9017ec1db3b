//! The hashes of other sharded systems, which their clients know.

use super::{Preset, WHAT_IF};

/// Elsewhere: Redis Cluster.
pub(super) const REDIS: Preset = Preset {
    id: "redis",
    title: "Elsewhere: Redis Cluster",
    says: "The hash is known: CRC16 into 16,384 slots, in four equal ranges.",
    look: "Look at the owners, then at 5 TMMs: neat names that are local here are an accident of four.",
    settings: &[("naming", "deterministic"), ("ownership", "redis")],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// Elsewhere: Kafka.
pub(super) const KAFKA: Preset = Preset {
    id: "kafka",
    title: "Elsewhere: Kafka",
    says: "The hash is known: murmur2 of the key, modulo the partitions.",
    look: "Look at the owners: a client that knows the hash can construct a local name.",
    settings: &[("naming", "deterministic"), ("ownership", "kafka")],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// Elsewhere: Cassandra.
pub(super) const CASSANDRA: Preset = Preset {
    id: "cassandra",
    title: "Elsewhere: Cassandra",
    says: "The hash is known: Murmur3 tokens on a ring with many tokens for each node.",
    look: "Look at the owners, then add a TMM: only names that it takes over move.",
    settings: &[("naming", "deterministic"), ("ownership", "cassandra")],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};
