//! Name to owner: the second, hidden hash.
//!
//! The simulated script never sees it; only the engine does, and the page when it is asked to reveal an owner.
//!
//! The platform's own hash is secret ([`Opaque`]). Beside it stand the hashes of other sharded systems, which their
//! clients know: with them a local name can be constructed ([`AnyOwnership::local_name`]), and some of them keep most
//! names where they are when the number of TMMs changes ([`moved`]).
//!
//! | family | rule | names that move from N to N + 1 TMMs |
//! |---|---|---|
//! | [`opaque`], [`kafka`] | hash modulo N | N / (N + 1) |
//! | [`suffix`] | number modulo N | N / (N + 1) |
//! | [`redis`] | slots in N equal ranges, dealt anew | 1 / 2 |
//! | [`cassandra`], [`ketama`] | ring | about 1 / (N + 1), all to the new TMM |
//! | [`rendezvous`], [`jump`] | | 1 / (N + 1), all to the new TMM |
//!
//! Every family is integer arithmetic on bytes, or arithmetic that IEEE 754 defines to the bit: the same owners
//! natively and in every browser.

pub mod cassandra;
mod family;
pub mod jump;
pub mod kafka;
pub mod ketama;
pub mod opaque;
pub mod redis;
pub mod rendezvous;
mod ring;
pub mod suffix;
#[cfg(test)]
mod tests;

use self::cassandra::Cassandra;
pub use self::family::Family;
use self::jump::Jump;
use self::kafka::Kafka;
use self::ketama::Ketama;
pub use self::opaque::{Opaque, PUBLISHED_KEY};
use self::redis::Redis;
use self::rendezvous::Rendezvous;
use self::suffix::Suffix;
use crate::scenario::Scenario;

/// The most TMMs that [`AnyOwnership`] shares names among, well above what a scenario allows: a ring takes memory for
/// each.
pub const MOST_TMMS: u32 = 4096;

/// Picks the TMM that owns a subtable, from the subtable's name.
pub trait Ownership {
    /// The owner of the subtable called `name`: a TMM's number, below the count of TMMs.
    fn owner(&self, name: &[u8]) -> u32;
}

/// The ownership of any family. Clones share their rings.
#[derive(Clone, Debug)]
pub struct AnyOwnership {
    rule: Rule,
    tmms: u32,
}

#[derive(Clone, Debug)]
enum Rule {
    Opaque(Opaque),
    Redis(Redis),
    Kafka(Kafka),
    Cassandra(Cassandra),
    Rendezvous(Rendezvous),
    Jump(Jump),
    Ketama(Ketama),
    Suffix(Suffix),
}

impl AnyOwnership {
    /// The ownership of `family` over `tmms` TMMs, at least 1 and at most [`MOST_TMMS`]. Only [`Family::Opaque`] has a
    /// use for the `key`.
    #[must_use]
    pub fn new(family: Family, key: u64, tmms: u32) -> Self {
        let tmms = tmms.clamp(1, MOST_TMMS);
        let rule = match family {
            Family::Opaque => Rule::Opaque(Opaque::new(key, tmms)),
            Family::Redis => Rule::Redis(Redis::new(tmms)),
            Family::Kafka => Rule::Kafka(Kafka::new(tmms)),
            Family::Cassandra => Rule::Cassandra(Cassandra::new(tmms, cassandra::DEFAULT_VNODES)),
            Family::Rendezvous => Rule::Rendezvous(Rendezvous::new(tmms)),
            Family::Jump => Rule::Jump(Jump::new(tmms)),
            Family::Ketama => Rule::Ketama(Ketama::new(tmms)),
            Family::Suffix => Rule::Suffix(Suffix::new(tmms)),
        };
        Self { rule, tmms }
    }

    /// The ownership that a scenario sets.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        let tmms = u32::try_from(scenario.tmms()).unwrap_or(MOST_TMMS);
        let mut ownership = Self::new(Family::Opaque, scenario.hash_key(), tmms);
        ownership.rule = match scenario.ownership() {
            Family::Opaque => return ownership,
            Family::Cassandra => {
                let vnodes = u32::try_from(scenario.vnodes()).unwrap_or(cassandra::DEFAULT_VNODES);
                Rule::Cassandra(Cassandra::new(ownership.tmms, vnodes))
            }
            family => Self::new(family, scenario.hash_key(), tmms).rule,
        };
        ownership
    }

    /// A name that TMM `tmm` owns, constructed without writing anything, as every client can when it knows the hash.
    ///
    /// It is the neat name `localdb_tmm_<t>` with the smallest number that makes it local: for Redis as a hash tag in
    /// front, otherwise at the end, or nowhere when the neat name is local as it is.
    ///
    /// `None` for [`Family::Opaque`], whose hash no client knows, and for a TMM that does not exist or holds too small
    /// a part to be found.
    ///
    /// ```
    /// use subtable_model::ownership::{AnyOwnership, Family, Ownership};
    ///
    /// let redis = AnyOwnership::new(Family::Redis, 0, 4);
    /// let name = redis.local_name(2).expect("a hash tag reaches every TMM");
    /// assert_eq!(name, "{1}localdb_tmm_2");
    /// assert_eq!(redis.owner(name.as_bytes()), 2);
    /// ```
    #[must_use]
    pub fn local_name(&self, tmm: u32) -> Option<String> {
        if tmm >= self.tmms || matches!(self.rule, Rule::Opaque(_)) {
            return None;
        }
        let neat = format!("localdb_tmm_{tmm}");
        // The mean number of tries is the number of TMMs; 64 times as many fail once in 10^27 for an equal share.
        let numbers = 0..64 * u64::from(self.tmms);
        let is_local = |name: &String| self.owner(name.as_bytes()) == tmm;
        if let Rule::Redis(_) = self.rule {
            let tagged = |tag| format!("{{{tag}}}{neat}");
            return numbers.map(tagged).find(is_local);
        }
        let numbered = |number| format!("{neat}_{number}");
        core::iter::once(neat.clone())
            .chain(numbers.map(numbered))
            .find(is_local)
    }
}

impl Ownership for AnyOwnership {
    fn owner(&self, name: &[u8]) -> u32 {
        match &self.rule {
            Rule::Opaque(ownership) => ownership.owner(name),
            Rule::Redis(ownership) => ownership.owner(name),
            Rule::Kafka(ownership) => ownership.owner(name),
            Rule::Cassandra(ownership) => ownership.owner(name),
            Rule::Rendezvous(ownership) => ownership.owner(name),
            Rule::Jump(ownership) => ownership.owner(name),
            Rule::Ketama(ownership) => ownership.owner(name),
            Rule::Suffix(ownership) => ownership.owner(name),
        }
    }
}

/// How many of `names` change their owner when the number of TMMs changes from `from` to `to`.
///
/// ```
/// use subtable_model::ownership::{Family, moved};
///
/// let names: Vec<String> = (0..1000).map(|index| format!("name_{index}")).collect();
/// assert!(moved(Family::Opaque, 0, 4, 5, &names) > 700);
/// assert!(moved(Family::Jump, 0, 4, 5, &names) < 300);
/// ```
#[must_use]
pub fn moved<Name: AsRef<[u8]>>(
    family: Family,
    key: u64,
    from: u32,
    to: u32,
    names: impl IntoIterator<Item = Name>,
) -> usize {
    let before = AnyOwnership::new(family, key, from);
    let after = AnyOwnership::new(family, key, to);
    names
        .into_iter()
        .filter(|name| before.owner(name.as_ref()) != after.owner(name.as_ref()))
        .count()
}

/// The 64-bit hash of a name where a family leaves the choice of hash open: SipHash-1-3 under the key 0, which
/// everybody knows.
fn public_hash(name: &[u8]) -> u64 {
    opaque::keyed_hash(0, name)
}

/// Bytes of all sizes, of which other implementations computed the hashes that tests compare with.
#[cfg(test)]
fn test_bytes() -> [u8; 64] {
    core::array::from_fn(|index| (0x80 + 37 * index) as u8)
}
