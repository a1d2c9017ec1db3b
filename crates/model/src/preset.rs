//! Named scenarios, each with what to look at and which of its figures were published.

use crate::scenario::Scenario;

/// A named scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// The word used in links and on the command line.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What one sees, in a sentence.
    pub says: &'static str,
    /// What to look at.
    pub look: &'static str,
    /// The settings that differ from the defaults of the parameter table.
    pub settings: &'static [(&'static str, &'static str)],
    /// What was fitted to what, and what was not.
    pub fitted: &'static str,
    /// What was published of such a run, TMM by TMM.
    pub published: &'static [PublishedRow],
    /// What was published of its throughput.
    pub published_rates: &'static [PublishedRate],
}

/// Published figures of one TMM, in clicks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedRow {
    /// The TMM.
    pub tmm: u32,
    /// Sampled log lines.
    pub n: u32,
    /// Least.
    pub min: u32,
    /// Median, when it was published.
    pub p50: Option<u32>,
    /// Mean.
    pub avg: f64,
    /// 95th percentile, when it was published.
    pub p95: Option<u32>,
    /// 99th percentile, when it was published.
    pub p99: Option<u32>,
    /// Greatest.
    pub max: u32,
}

/// A published rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedRate {
    /// After that many records; none when the rate is of the whole run.
    pub at_records: Option<u64>,
    /// Writes per second.
    pub per_s: f64,
}

const fn row(tmm: u32, n: u32, min: u32, avg: f64, max: u32) -> PublishedRow {
    PublishedRow {
        tmm,
        n,
        min,
        p50: None,
        avg,
        p95: None,
        p99: None,
        max,
    }
}

const fn whole_row(
    tmm: u32,
    n: u32,
    min: u32,
    avg: f64,
    [p50, p95, p99, max]: [u32; 4],
) -> PublishedRow {
    PublishedRow {
        tmm,
        n,
        min,
        p50: Some(p50),
        avg,
        p95: Some(p95),
        p99: Some(p99),
        max,
    }
}

/// Rates of a run that counts by enumeration.
const DECAY: &[PublishedRate] = &[
    PublishedRate {
        at_records: Some(0),
        per_s: 3300.0,
    },
    PublishedRate {
        at_records: Some(40_000),
        per_s: 600.0,
    },
];

/// Every preset, in the order of the picker.
pub const PRESETS: &[Preset] = &[
    Preset {
        id: "published-deterministic",
        title: "Published: deterministic names",
        says: "Every write succeeds, the load is even, and one TMM is fast.",
        look: "Look at the averages, TMM by TMM.",
        settings: &[
            ("naming", "deterministic"),
            ("count", "enumerate"),
            ("log-every", "500"),
            ("client-work", "300"),
            ("local-median", "9.5"),
            ("local-sigma", "0.5"),
        ],
        fitted: "Client work to the 3,300 writes/s at the start; the two costs of a listed key to the averages of \
                 TMMs 0 to 2 and to the decay; the local write to the average of TMM 3 (13.3) and its extremes (3, 25). \
                 The rate of logging was not published: 1 in 500 gives about the published 208 lines.",
        published: &[
            row(0, 74, 121, 64_855.6, 229_089),
            row(1, 34, 136, 71_536.3, 236_204),
            row(2, 38, 121, 88_516.9, 293_259),
            row(3, 62, 3, 13.3, 25),
        ],
        published_rates: DECAY,
    },
    Preset {
        id: "published-discovered",
        title: "Published: discovered names",
        says: "Each TMM timed random names and kept a fast one: every write is local.",
        look: "Look at the four rows: alike, and far left of the threshold.",
        settings: &[],
        fitted: "Client work to the 22.9 s of the published load; the local write to the percentiles of the published \
                 table. The defaults of the parameter table are this run.",
        published: &[
            whole_row(0, 25, 3, 5.5, [5, 10, 11, 11]),
            whole_row(1, 24, 3, 6.1, [5, 11, 18, 18]),
            whole_row(2, 24, 2, 6.1, [6, 10, 11, 11]),
            whole_row(3, 25, 2, 6.5, [6, 12, 13, 13]),
        ],
        published_rates: &[PublishedRate {
            at_records: None,
            per_s: 4375.0,
        }],
    },
    Preset {
        id: "discovered-first",
        title: "Published: first run after the fix",
        says: "The same discovery on a busier host: slower writes, still all local.",
        look: "Look at the tails: wider than in the later run, and nowhere near the threshold.",
        settings: &[
            ("log-every", "250"),
            ("client-work", "333"),
            ("local-floor", "3"),
            ("local-median", "10"),
            ("local-sigma", "0.85"),
        ],
        fitted: "Client work to the 3,000 writes/s; the local write to the four averages and extremes. 1 line in 250 \
                 gives the published 400 lines.",
        published: &[
            row(0, 98, 3, 17.4, 71),
            row(1, 101, 4, 18.9, 88),
            row(2, 99, 3, 16.8, 77),
            row(3, 102, 4, 19.1, 91),
        ],
        published_rates: &[PublishedRate {
            at_records: None,
            per_s: 3000.0,
        }],
    },
    Preset {
        id: "count-decay",
        title: "Counting by enumeration",
        says: "All names are local, yet each request counts by listing every key.",
        look: "Look at the throughput: it falls as 1/n while the writes stay fast.",
        settings: &[
            ("count", "enumerate"),
            ("records", "80000"),
            ("client-work", "300"),
        ],
        fitted: "Client work to the 3,300 writes/s at the start; the sum of the two costs of a listed key to the 600 \
                 writes/s at 40,000 records.",
        published: &[],
        published_rates: DECAY,
    },
    Preset {
        id: "log-every-write",
        title: "Logging every write",
        says: "All names are local, and every write is logged.",
        look: "Look at the throughput: a busy log daemon takes its share of the host, then its buffer is full.",
        settings: &[("log-every", "1")],
        fitted: "Nothing: what the daemon costs was not published. Its parameters are assumptions.",
        published: &[],
        published_rates: &[],
    },
    Preset {
        id: "threshold-too-low",
        title: "Threshold too low",
        says: "Local writes take about 6 clicks, and only names below 4 are kept.",
        look: "Look at the tries: good names are thrown away.",
        settings: &[("threshold", "4")],
        fitted: "Nothing: a what-if on the published run.",
        published: &[],
        published_rates: &[],
    },
    Preset {
        id: "threshold-too-high",
        title: "Threshold too high",
        says: "A trial write to an idle owner takes about 120 clicks, and names below 400 are kept.",
        look: "Look at the owners: remote names are taken for local ones, and the verdict is fooled too.",
        settings: &[("threshold", "400")],
        fitted: "Nothing: a what-if on the published run.",
        published: &[],
        published_rates: &[],
    },
    Preset {
        id: "tmms-64",
        title: "64 TMMs",
        says: "Sixteen times the TMMs: a random name is local one time in 64.",
        look: "Look at the tries of each TMM: 64 on average, and all writes are local all the same.",
        settings: &[("tmms", "64"), ("max-tries", "1000")],
        fitted: "Nothing: a what-if on the published run.",
        published: &[],
        published_rates: &[],
    },
    Preset {
        id: "bulk",
        title: "Published: bulk posts",
        says: "64 posts of 15,625 keys, and the same names as before.",
        look: "Look at the throughput: about thirty times that of single writes.",
        settings: &[
            ("workload", "bulk"),
            ("records", "1000000"),
            ("workers", "16"),
            ("count", "none"),
            ("log-every", "0"),
            ("local-median", "2"),
        ],
        fitted: "Client work per key to the 133,000 writes/s; the local write and the loop to the 3 to 6 clicks a write.",
        published: &[],
        published_rates: &[PublishedRate {
            at_records: None,
            per_s: 133_000.0,
        }],
    },
    Preset {
        id: "probe",
        title: "Published: probing a name",
        says: "200 requests time a write to one name of 25,000 entries, and list its keys.",
        look: "Look at the averages: one TMM is the owner, and a click count tells which.",
        settings: &[
            ("workload", "probe"),
            ("records", "200"),
            ("workers", "32"),
            ("entries", "25000"),
            ("client-work", "7000"),
        ],
        fitted: "The pace of the client, which was not published, to the averages and maxima of TMMs 0, 1 and 3. The costs \
                 of a listed key are those of the broken run. The hits (55, 70, 8, 67) are not fitted: a fair DAG cannot \
                 give them.",
        published: &[
            row(0, 55, 286, 5139.9, 19_814),
            row(1, 70, 127, 12_475.3, 52_544),
            row(2, 8, 3, 8.6, 20),
            row(3, 67, 238, 7126.6, 51_939),
        ],
        published_rates: &[],
    },
    Preset {
        id: "two-writes",
        title: "A client that writes twice",
        says: "One worker sends each request's head and body in two writes of 80 bytes.",
        look: "Look at the throughput: 25 requests a second, and no TMM is to blame.",
        settings: &[
            ("workers", "1"),
            ("records", "500"),
            ("sending", "two"),
            ("log-every", "10"),
        ],
        fitted: "Nothing: the 39.8 ms of a delayed acknowledgement are published.",
        published: &[],
        published_rates: &[PublishedRate {
            at_records: None,
            per_s: 23.0,
        }],
    },
    Preset {
        id: "even-ports",
        title: "Even source ports",
        says: "The DAG goes by ports, and the client's kernel steps them by two.",
        look: "Look at who accepts: two of four TMMs get nothing.",
        settings: &[("dag", "ports"), ("source-ports", "even")],
        fitted: "Nothing: a what-if on the published run.",
        published: &[],
        published_rates: &[],
    },
    Preset {
        id: "minimum-of",
        title: "The fastest of 7 N names",
        says: "Seven names for each TMM are timed, and the fastest is kept: no threshold is needed.",
        look: "Look at the tries: always 28, where the threshold needed about 4.",
        settings: &[("naming", "minimum-of")],
        fitted: "Nothing: a what-if on the published run.",
        published: &[],
        published_rates: &[],
    },
    Preset {
        id: "per-session",
        title: "One subtable per session",
        says: "1,000 sessions, each with a subtable of its own.",
        look: "Look at the histograms: each has two humps, and one write in four is local.",
        settings: &[("naming", "per-session"), ("count", "none")],
        fitted: "Nothing: a what-if on the published run.",
        published: &[],
        published_rates: &[],
    },
];

impl Preset {
    /// The preset of that id.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.id == id)
    }

    /// Its scenario.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        let mut scenario = Scenario::default();
        for (id, value) in self.settings {
            let set = scenario.set(id, value);
            debug_assert!(set.is_ok(), "preset {}: {set:?}", self.id);
        }
        scenario
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_of_every_preset_is_accepted_and_differs_from_the_default() {
        let defaults = Scenario::default();
        for preset in PRESETS {
            let scenario = preset.scenario();
            let changed: Vec<&str> = scenario
                .changes_from(&defaults)
                .map(|(parameter, _)| parameter.id)
                .collect();
            assert_eq!(
                changed.len(),
                preset.settings.len(),
                "{}: {changed:?}",
                preset.id
            );
        }
    }
}
