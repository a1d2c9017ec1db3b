//! Runs of which figures were published.

use super::{Preset, PublishedRate, PublishedRow};

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

/// The published broken run.
const BROKEN: &[PublishedRow] = &[
    row(0, 74, 121, 64_855.6, 229_089),
    row(1, 34, 136, 71_536.3, 236_204),
    row(2, 38, 121, 88_516.9, 293_259),
    row(3, 62, 3, 13.3, 25),
];

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

/// Published: deterministic names.
pub(super) const PUBLISHED_DETERMINISTIC: Preset = Preset {
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
    published: BROKEN,
    published_rates: DECAY,
};

/// Published: discovered names.
pub(super) const PUBLISHED_DISCOVERED: Preset = Preset {
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
};

/// Published: first run after the fix.
pub(super) const DISCOVERED_FIRST: Preset = Preset {
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
};

/// Counting by enumeration.
pub(super) const COUNT_DECAY: Preset = Preset {
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
};

/// Published: bulk posts.
pub(super) const BULK: Preset = Preset {
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
};

/// Published: probing a name.
pub(super) const PROBE: Preset = Preset {
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
};

/// A client that writes twice.
pub(super) const TWO_WRITES: Preset = Preset {
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
};

/// Published: bulk runs in a row.
pub(super) const BULK_DRIFT: Preset = Preset {
    id: "bulk-drift",
    title: "Published: bulk runs in a row",
    says: "Three bulk runs without a pause, with handlers that log each request.",
    look: "Look at the three rates: the log daemon has not finished with one run when the next begins.",
    settings: &[
        ("workload", "bulk"),
        ("records", "1000000"),
        ("runs", "3"),
        ("workers", "16"),
        ("count", "none"),
        ("log-every", "0"),
        ("log-accepts", "4"),
        ("local-median", "2"),
        ("client-key-work", "5.7"),
        ("daemon-work", "100000"),
        ("daemon-ramp", "300"),
        ("daemon-share", "0.3"),
    ],
    fitted: "Client work per key, what the daemon takes and how that grows with its backlog, to the three rates. Four \
                 lines a post are about the published 264 lines a run.",
    published: &[],
    published_rates: &[],
};

/// The other reading: remote writes dear in themselves.
pub(super) const STALL: Preset = Preset {
    id: "stall",
    title: "The other reading: remote writes dear in themselves",
    says: "Nobody enumerates. A remote write is coordinated, for longer the more entries there are.",
    look: "Look at the averages, then set one worker: here they stay, in the published run by queues they vanish.",
    settings: &[
        ("naming", "deterministic"),
        ("records", "40000"),
        ("log-every", "200"),
        ("client-work", "300"),
        ("stall-entry", "12"),
        ("local-median", "9.5"),
        ("local-sigma", "0.5"),
    ],
    fitted: "The stall per entry to the published averages of TMMs 0 to 2, 65,000 to 89,000 clicks. It is this reading's only cost of a remote write; \
                 enumeration is the other reading's.",
    published: &[],
    published_rates: &[],
};

/// Published: values stored once.
pub(super) const STORE_ONCE: Preset = Preset {
    id: "store-once",
    title: "Published: values stored once",
    says: "100,000 records with two indexes: the value stands once, and index entries point at it.",
    look: "Look at the memory, then store the value at each index: less to read, much more to keep.",
    settings: &[
        ("workload", "lookup"),
        ("naming", "shared"),
        ("entries", "100000"),
        ("records", "20000"),
        ("count", "none"),
        ("indexes", "2"),
        ("placement", "once"),
        ("value-bytes", "2869"),
        ("entry-bytes", "665"),
    ],
    fitted: "Bytes of a value and of an entry to the published 481 MiB once and 681 MiB at each index; two indexes are \
                 assumed. The published latencies are another system's, and not compared.",
    published: &[],
    published_rates: &[],
};
