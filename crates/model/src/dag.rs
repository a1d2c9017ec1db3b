//! The disaggregator: which TMM accepts a connection.

use crate::sampling::{Concern, Stream};

/// A fair DAG: each fresh connection goes to one of the TMMs, all equally likely, whatever came before. This is what
/// the published investigation assumes.
#[derive(Clone, Debug)]
pub struct Dag {
    tmms: u32,
    luck: Stream,
}

impl Dag {
    /// The DAG in front of `tmms` TMMs, under a run's seed.
    #[must_use]
    pub fn new(tmms: u32, seed: u64) -> Self {
        Self {
            tmms,
            luck: Stream::new(seed, Concern::Dag, 0),
        }
    }

    /// The TMM that accepts the next connection.
    #[inline]
    pub fn accept(&mut self) -> u32 {
        self.luck.below(self.tmms)
    }
}
