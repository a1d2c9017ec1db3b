//! What holds for every family.

use proptest::prelude::*;

use super::*;
use crate::scenario::{Kind, PARAMETERS};

/// Families of which a new TMM takes names from the others, and nothing else moves.
const STABLE: [Family; 4] = [
    Family::Cassandra,
    Family::Rendezvous,
    Family::Jump,
    Family::Ketama,
];

fn any_family() -> impl Strategy<Value = Family> {
    prop::sample::select(Family::ALL)
}

fn names(count: u32) -> Vec<String> {
    (0..count)
        .map(|index| format!("localdb_tmm_{}_{index}", index % 4))
        .collect()
}

fn owned(ownership: &AnyOwnership, names: &[String], tmms: u32) -> Vec<u32> {
    let mut owned = vec![0; tmms as usize];
    for name in names {
        owned[ownership.owner(name.as_bytes()) as usize] += 1;
    }
    owned
}

proptest! {
    #[test]
    fn an_owner_is_one_of_the_tmms(
        family in any_family(), key: u64, tmms in 0_u32..20, name in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let ownership = AnyOwnership::new(family, key, tmms);
        let owner = ownership.owner(&name);
        prop_assert!(owner < tmms.max(1));
        prop_assert_eq!(ownership.clone().owner(&name), owner);
        prop_assert_eq!(AnyOwnership::new(family, key, tmms).owner(&name), owner);
    }

    #[test]
    fn a_new_tmm_takes_names_and_no_other_tmm_does(
        family in prop::sample::select(&STABLE), tmms in 1_u32..16, name in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let before = AnyOwnership::new(family, 0, tmms).owner(&name);
        let after = AnyOwnership::new(family, 0, tmms + 1).owner(&name);
        prop_assert!(after == before || after == tmms, "{before} to {after} of {}", tmms + 1);
    }

    #[test]
    fn names_of_one_hash_tag_have_one_owner(tag in "[a-z{]{1,8}", rest in ".{0,20}", tmms in 1_u32..1024) {
        let redis = Redis::new(tmms);
        let owner = redis.owner(format!("{{{tag}}}{rest}").as_bytes());
        prop_assert_eq!(redis.owner(tag.as_bytes()), owner);
    }
}

/// Owners of the eight published names on four TMMs and on seven, computed by other programs: redis-py, kafka-python,
/// the Cassandra driver, jump-consistent-hash and uhashring in Python; SipHash-1-3 and `SplitMix64` written out there.
#[test]
fn owners_agree_with_other_implementations() {
    const NAMES: [&str; 8] = [
        "localdb_tmm_0",
        "localdb_tmm_1",
        "localdb_tmm_2",
        "localdb_tmm_3",
        "localdb_tmm_0_865802",
        "localdb_tmm_1_922743",
        "localdb_tmm_2_5946",
        "localdb_tmm_3_441563",
    ];
    let expected = [
        (
            Family::Opaque,
            [2, 2, 3, 3, 0, 1, 2, 3],
            [3, 3, 3, 1, 2, 0, 5, 3],
        ),
        (
            Family::Redis,
            [0, 1, 2, 3, 1, 3, 1, 2],
            [0, 2, 4, 6, 2, 5, 2, 5],
        ),
        (
            Family::Kafka,
            [1, 0, 1, 3, 3, 1, 0, 3],
            [2, 5, 5, 4, 1, 6, 1, 6],
        ),
        (
            Family::Cassandra,
            [3, 1, 1, 1, 3, 2, 2, 3],
            [5, 6, 1, 6, 3, 5, 2, 4],
        ),
        (
            Family::Rendezvous,
            [3, 2, 0, 0, 1, 1, 1, 3],
            [4, 2, 0, 0, 5, 1, 6, 3],
        ),
        (
            Family::Jump,
            [3, 2, 2, 1, 0, 2, 2, 3],
            [3, 5, 4, 4, 0, 2, 2, 3],
        ),
        (
            Family::Ketama,
            [2, 3, 0, 1, 3, 2, 2, 0],
            [2, 3, 0, 1, 3, 6, 2, 5],
        ),
        (
            Family::Suffix,
            [0, 1, 2, 3, 2, 3, 2, 3],
            [0, 1, 2, 3, 0, 3, 3, 3],
        ),
    ];
    for (family, on_four, on_seven) in expected {
        for (tmms, owners) in [(4, on_four), (7, on_seven)] {
            let ownership = AnyOwnership::new(family, PUBLISHED_KEY, tmms);
            let found = NAMES.map(|name| ownership.owner(name.as_bytes()));
            assert_eq!(found, owners, "{} on {tmms}", family.id());
        }
    }
}

#[test]
fn names_spread_over_all_tmms() {
    let names = names(80_000);
    for &family in Family::ALL {
        // A ring's ranges differ in size: with v of them a share strays by about one part in the root of v, which is
        // 6 % for Cassandra and 8 % for ketama; three times that is allowed.
        let stray = match family {
            Family::Cassandra => 1_900,
            Family::Ketama => 2_400,
            _ => 400,
        };
        let owned = owned(&AnyOwnership::new(family, PUBLISHED_KEY, 8), &names, 8);
        let even = owned.iter().all(|n: &u32| n.abs_diff(10_000) < stray);
        assert!(even, "{}: {owned:?}", family.id());
    }
}

#[test]
fn the_share_of_names_that_move_is_that_of_the_family() {
    let names = names(20_000);
    for (from, to) in [(4, 5), (8, 9), (5, 4)] {
        let larger = f64::from(from.max(to));
        for &family in Family::ALL {
            let (expected, tolerance) = match family {
                Family::Opaque | Family::Kafka | Family::Suffix => (1.0 - 1.0 / larger, 0.015),
                Family::Redis => (0.5, 0.015),
                Family::Rendezvous | Family::Jump => (1.0 / larger, 0.01),
                Family::Cassandra | Family::Ketama => (1.0 / larger, 0.03),
            };
            let share = moved(family, PUBLISHED_KEY, from, to, &names) as f64 / 20_000.0;
            let close = (share - expected).abs() < tolerance;
            assert!(close, "{}: {share} from {from} to {to}", family.id());
        }
    }
}

#[test]
fn nothing_moves_when_nothing_changes() {
    for &family in Family::ALL {
        assert_eq!(moved(family, 1, 6, 6, names(1_000)), 0);
    }
}

#[test]
fn a_local_name_is_constructed_wherever_the_hash_is_known() {
    for &family in Family::ALL {
        for tmms in [1, 3, 4, 24] {
            let ownership = AnyOwnership::new(family, PUBLISHED_KEY, tmms);
            for tmm in 0..tmms {
                let name = ownership.local_name(tmm);
                let owner = name.map(|name| ownership.owner(name.as_bytes()));
                let known = family != Family::Opaque;
                assert_eq!(owner, known.then_some(tmm), "{} on {tmms}", family.id());
            }
            assert_eq!(ownership.local_name(tmms), None);
        }
    }
}

#[test]
fn a_local_name_exists_on_as_many_tmms_as_can_be_set() {
    for family in [
        Family::Redis,
        Family::Cassandra,
        Family::Ketama,
        Family::Jump,
    ] {
        let ownership = AnyOwnership::new(family, 0, 1024);
        for tmm in [0, 1, 511, 1023] {
            let name = ownership.local_name(tmm).unwrap_or_default();
            assert_eq!(ownership.owner(name.as_bytes()), tmm, "{}", family.id());
        }
    }
}

#[test]
fn the_number_of_tmms_is_bounded() {
    let tmms = PARAMETERS.iter().find(|parameter| parameter.id == "tmms");
    let most = match tmms.map(|parameter| parameter.kind) {
        Some(Kind::Integer { max, .. }) => max,
        kind => panic!("{kind:?}"),
    };
    assert!(most < u64::from(MOST_TMMS));
    for family in [Family::Kafka, Family::Rendezvous, Family::Suffix] {
        let ownership = AnyOwnership::new(family, 0, u32::MAX);
        assert!(ownership.owner(b"localdb_tmm_4095") < MOST_TMMS);
        assert_eq!(ownership.local_name(MOST_TMMS), None);
    }
}

#[test]
fn every_family_has_words_of_its_own() {
    let ids: Vec<&str> = Family::OPTIONS.iter().map(|choice| choice.id).collect();
    let expected = [
        "opaque",
        "redis",
        "kafka",
        "cassandra",
        "rendezvous",
        "jump",
        "ketama",
        "suffix",
    ];
    assert_eq!(ids, expected);
    for (&family, choice) in Family::ALL.iter().zip(Family::OPTIONS) {
        assert_eq!(family.id(), choice.id);
        assert_eq!(Family::ALL[family as usize], family);
        assert!(!choice.label.is_empty() && choice.help.len() < 120);
    }
}

#[test]
fn an_ownership_can_be_sent_to_another_thread() {
    let ownership = AnyOwnership::new(Family::Ketama, 0, 4);
    let copy = ownership.clone();
    let there = std::thread::spawn(move || copy.owner(b"localdb_tmm_0"));
    assert_eq!(there.join().ok(), Some(ownership.owner(b"localdb_tmm_0")));
}
