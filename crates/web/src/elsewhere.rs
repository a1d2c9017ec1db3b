//! Owners in the words of the system whose hash is set: slots of Redis Cluster, partitions of Kafka, tokens of Cassandra.
//! The TMMs stand for that system's nodes; nothing else of it is modelled.

use subtable_model::Scenario;
use subtable_model::ownership::{AnyOwnership, Family, Ownership, cassandra, redis};

use crate::words::whole;

/// Who owns a name, and how that follows from it.
#[must_use]
pub fn owner(scenario: &Scenario, name: &str) -> String {
    let bytes = name.as_bytes();
    let tmm = AnyOwnership::of(scenario).owner(bytes);
    match scenario.ownership() {
        Family::Redis => {
            let slot = whole(redis::slot(bytes).into());
            let slots = whole(redis::SLOTS.into());
            let hashed = if redis::slot(bytes) == redis::slot(&[b"{", bytes, b"}"].concat()) {
                "of the whole name"
            } else {
                "of its hash tag alone"
            };
            format!(
                "Slot {slot} of {slots} by CRC16 {hashed}: TMM {tmm}, the node of that slot, owns it."
            )
        }
        Family::Kafka => format!(
            "Partition {tmm} of {} by murmur2: TMM {tmm}, the leader of that partition, owns it.",
            scenario.tmms()
        ),
        Family::Cassandra => format!(
            "Token {} by Murmur3: TMM {tmm}, whose token is the next on the ring, owns it.",
            cassandra::token(bytes)
        ),
        _ => format!("TMM {tmm} owns it."),
    }
}

/// What a client can do that knows the hash; that it cannot know it on the platform.
#[must_use]
pub fn hint(scenario: &Scenario) -> String {
    let example = AnyOwnership::of(scenario).local_name(0);
    match (scenario.ownership(), example) {
        (Family::Redis, Some(name)) => {
            format!(
                "The hash is known: a hash tag puts any name on a node. {name} is local on TMM 0."
            )
        }
        (Family::Kafka, Some(name)) => {
            format!(
                "The hash is known: a client computes the partition of a key. {name} is local on TMM 0."
            )
        }
        (Family::Cassandra, Some(name)) => {
            format!(
                "The hash is known: a client computes the token of a key. {name} is local on TMM 0."
            )
        }
        (_, Some(name)) => format!("The hash is known: {name} is local on TMM 0."),
        (_, None) => {
            "The script on the box cannot ask: it can only time a write and guess.".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use subtable_model::preset::Preset;

    use super::*;

    fn scenario(preset: &str) -> Scenario {
        Preset::find(preset).unwrap().scenario()
    }

    #[test]
    fn each_system_has_its_words() {
        // CLUSTER KEYSLOT foo{hash_tag} is 2515 by its documentation.
        let tagged = owner(&scenario("redis"), "foo{hash_tag}");
        assert!(tagged.contains("Slot 2,515 of 16,384"), "{tagged}");
        assert!(tagged.contains("hash tag alone"), "{tagged}");
        let whole = owner(&scenario("redis"), "foo");
        assert!(
            whole.contains("Slot 12,182") && whole.contains("whole name"),
            "{whole}"
        );
        let kafka = owner(&scenario("kafka"), "foobar");
        assert!(
            kafka.starts_with("Partition ") && kafka.contains(" of 4 "),
            "{kafka}"
        );
        let cassandra = owner(&scenario("cassandra"), "123");
        assert!(cassandra.contains("-7468325962851647638"), "{cassandra}");
    }

    #[test]
    fn where_the_hash_is_hidden_there_is_no_way_to_compute_a_name() {
        let hidden = scenario("published-deterministic");
        assert_eq!(owner(&hidden, "localdb_tmm_0"), "TMM 2 owns it.");
        assert!(hint(&hidden).contains("time a write and guess"));
        for preset in ["redis", "kafka", "cassandra"] {
            let scenario = scenario(preset);
            let words = hint(&scenario);
            let name = words
                .split(' ')
                .find(|word| word.contains("localdb"))
                .unwrap();
            assert!(owner(&scenario, name).contains("TMM 0"), "{words}");
        }
    }
}
