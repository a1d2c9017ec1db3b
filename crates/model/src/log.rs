//! Logging: which writes are logged, what a line looks like, and the daemon that writes the lines down.
//!
//! The line format is that of the published harness, so that its own analyser reads our log.

mod daemon;

use core::fmt;

use std::sync::Arc;

use serde::Serialize;

pub use daemon::Daemon;

/// Picks every n-th write of one TMM, so that the lines of a TMM are exactly `floor(writes / n)`.
#[derive(Clone, Debug)]
pub struct Sampler {
    every: u64,
    until_next: u64,
}

impl Sampler {
    /// One write in `every`; 0 picks none.
    #[must_use]
    pub const fn new(every: u64) -> Self {
        Self {
            every,
            until_next: every,
        }
    }

    /// Counts one write; true when it is to be logged.
    #[inline]
    pub fn count(&mut self) -> bool {
        if self.every == 0 {
            return false;
        }
        self.until_next -= 1;
        let picked = self.until_next == 0;
        if picked {
            self.until_next = self.every;
        }
        picked
    }

    /// How many writes follow that are not to be logged, before one that is.
    #[inline]
    #[must_use]
    pub const fn unpicked(&self) -> u64 {
        if self.every == 0 {
            u64::MAX
        } else {
            self.until_next - 1
        }
    }

    /// Counts writes that are not to be logged: at most [`unpicked`](Self::unpicked).
    #[inline]
    pub const fn skip(&mut self, writes: u64) {
        if self.every > 0 {
            self.until_next -= writes;
        }
    }
}

/// One line of the log, without a syslog prefix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Line {
    /// A sampled write.
    Write {
        /// The TMM that accepted the request.
        tmm: u32,
        /// Name of the subtable.
        subtable: Arc<str>,
        /// Writes of this TMM so far.
        writes: u64,
        /// Number of the key.
        key: u64,
        /// What the write took.
        clicks: u32,
        /// Whether that is below the threshold.
        fast: bool,
        /// The sampling rate: one in this many.
        every: u64,
    },
    /// A name was found.
    Discovered {
        /// The TMM that looked for it.
        tmm: u32,
        /// The name.
        subtable: Arc<str>,
        /// Names tried.
        tries: u64,
        /// What the last trial write took.
        clicks: u32,
        /// TMMs there are.
        tmms: u32,
    },
    /// A probe of one name.
    Probe {
        /// The TMM that accepted the request.
        tmm: u32,
        /// The name.
        subtable: Arc<str>,
        /// What the write took.
        clicks: u32,
        /// Entries of the subtable.
        entries: u64,
        /// Whether the write was fast.
        owner: bool,
    },
    /// A connection was accepted.
    Accepted {
        /// The TMM that accepted it.
        tmm: u32,
        /// Connections it has accepted so far.
        accepts: u64,
        /// The connection's source port.
        port: u16,
    },
    /// The script was loaded anew.
    Loaded {
        /// The TMM.
        tmm: u32,
        /// The sampling rate: one in this many.
        every: u64,
        /// A write below this many clicks is fast.
        threshold: u64,
    },
    /// No name was found; the last one is used.
    Exhausted {
        /// The TMM that looked for it.
        tmm: u32,
        /// The name that is used.
        subtable: Arc<str>,
        /// Names tried.
        tries: u64,
        /// What the last trial write took.
        clicks: u32,
    },
}

/// The line of a sampled write, whatever its key is.
#[derive(Clone, Copy, Debug)]
pub struct SampledWrite<'a, Key> {
    /// The TMM that accepted the request.
    pub tmm: u32,
    /// Name of the subtable.
    pub subtable: &'a str,
    /// Writes of this TMM so far.
    pub writes: u64,
    /// The key.
    pub key: Key,
    /// What the write took.
    pub clicks: u32,
    /// Whether that is below the threshold.
    pub fast: bool,
    /// The sampling rate: one in this many.
    pub every: u64,
    /// Whether it is one of a post's keys, which the harness marks.
    pub unique: bool,
}

impl<Key: fmt::Display> fmt::Display for SampledWrite<'_, Key> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            tmm,
            subtable,
            writes,
            key,
            clicks,
            every,
            ..
        } = self;
        let tag = if self.fast { "FAST_LOCAL" } else { "SLOW" };
        let unique = if self.unique { "unique, " } else { "" };
        write!(
            f,
            "tmm={tmm} subtable={subtable} writes={writes} key={key} clicks={clicks} {tag} ({unique}sampled 1/{every})"
        )
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write {
                tmm,
                subtable,
                writes,
                key,
                clicks,
                fast,
                every,
            } => {
                let write = SampledWrite {
                    tmm: *tmm,
                    subtable,
                    writes: *writes,
                    key: format_args!("loadkey_{key}"),
                    clicks: *clicks,
                    fast: *fast,
                    every: *every,
                    unique: false,
                };
                write.fmt(f)
            }
            Self::Discovered {
                tmm,
                subtable,
                tries,
                clicks,
                tmms,
            } => write!(
                f,
                "tmm={tmm} subtable={subtable} initialized after {tries} probes (diff={clicks} clicks of {tmms} total TMMs)"
            ),
            Self::Probe {
                tmm,
                subtable,
                clicks,
                entries,
                owner,
            } => {
                let tag = if *owner { "OWNER" } else { "NON_OWNER" };
                write!(
                    f,
                    "PROBE tmm={tmm} subtable={subtable} clicks={clicks} entries={entries} {tag}"
                )
            }
            Self::Accepted { tmm, accepts, port } => {
                write!(
                    f,
                    "tmm={tmm} CLIENT_ACCEPTED accepts={accepts} from 10.0.0.1:{port}"
                )
            }
            Self::Loaded {
                tmm,
                every,
                threshold,
            } => write!(
                f,
                "LOCALDB procs loaded debug_sample={every} fast_threshold={threshold} tmm={tmm}"
            ),
            Self::Exhausted {
                tmm,
                subtable,
                tries,
                clicks,
            } => write!(
                f,
                "tmm={tmm} WARNING could not find local subtable after {tries} probes; using {subtable} (last diff={clicks})"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_whole_part_of_writes_over_n() {
        // published.toml: session.load.writes and session.timing.samples.
        for (writes, lines) in [(25_198, 25), (24_782, 24), (24_914, 24), (25_106, 25)] {
            let mut sampler = Sampler::new(1000);
            assert_eq!((0..writes).filter(|_| sampler.count()).count(), lines);
            let unpicked = sampler.unpicked();
            assert_eq!((0..unpicked).filter(|_| sampler.clone().count()).count(), 0);
            sampler.skip(unpicked);
            assert!(sampler.count(), "the one after those is picked");
        }
        let mut none = Sampler::new(0);
        assert!((0..100).all(|_| !none.count()));
    }

    #[test]
    fn lines_have_the_format_of_the_harness() {
        let write = Line::Write {
            tmm: 2,
            subtable: "localdb_tmm_2".into(),
            writes: 19_600,
            key: 78_431,
            clicks: 8,
            fast: true,
            every: 400,
        };
        assert_eq!(
            write.to_string(),
            "tmm=2 subtable=localdb_tmm_2 writes=19600 key=loadkey_78431 clicks=8 FAST_LOCAL (sampled 1/400)"
        );
        let found = Line::Discovered {
            tmm: 1,
            subtable: "x".into(),
            tries: 3,
            clicks: 7,
            tmms: 4,
        };
        assert_eq!(
            found.to_string(),
            "tmm=1 subtable=x initialized after 3 probes (diff=7 clicks of 4 total TMMs)"
        );
        let lost = Line::Exhausted {
            tmm: 0,
            subtable: "y".into(),
            tries: 200,
            clicks: 121,
        };
        assert_eq!(
            lost.to_string(),
            "tmm=0 WARNING could not find local subtable after 200 probes; using y (last diff=121)"
        );
    }
}
