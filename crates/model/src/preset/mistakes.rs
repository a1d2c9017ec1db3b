//! What happens when something else is set.

use super::{Preset, WHAT_IF};

/// Logging every write.
pub(super) const LOG_EVERY_WRITE: Preset = Preset {
    id: "log-every-write",
    title: "Logging every write",
    says: "All names are local, and every write is logged.",
    look: "Look at the throughput: a busy log daemon takes its share of the host, then its buffer is full.",
    settings: &[("log-every", "1")],
    fitted: "Nothing: what the daemon costs was not published. Its parameters are assumptions.",
    published: &[],
    published_rates: &[],
};

/// Threshold too low.
pub(super) const THRESHOLD_TOO_LOW: Preset = Preset {
    id: "threshold-too-low",
    title: "Threshold too low",
    says: "Local writes take about 6 clicks, and only names below 4 are kept.",
    look: "Look at the tries: good names are thrown away.",
    settings: &[("threshold", "4")],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// Threshold too high.
pub(super) const THRESHOLD_TOO_HIGH: Preset = Preset {
    id: "threshold-too-high",
    title: "Threshold too high",
    says: "A trial write to an idle owner takes about 120 clicks, and names below 400 are kept.",
    look: "Look at the owners: remote names are taken for local ones, and the verdict is fooled too.",
    settings: &[("threshold", "400")],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// 64 TMMs.
pub(super) const TMMS_64: Preset = Preset {
    id: "tmms-64",
    title: "64 TMMs",
    says: "Sixteen times the TMMs: a random name is local one time in 64.",
    look: "Look at the tries of each TMM: 64 on average, and all writes are local all the same.",
    settings: &[("tmms", "64"), ("max-tries", "1000")],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// Even source ports.
pub(super) const EVEN_PORTS: Preset = Preset {
    id: "even-ports",
    title: "Even source ports",
    says: "The DAG goes by ports, and the client's kernel steps them by two.",
    look: "Look at who accepts: two of four TMMs get nothing.",
    settings: &[("dag", "ports"), ("source-ports", "even")],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// The fastest of 7 N names.
pub(super) const MINIMUM_OF: Preset = Preset {
    id: "minimum-of",
    title: "The fastest of 7 N names",
    says: "Seven names for each TMM are timed, and the fastest is kept: no threshold is needed.",
    look: "Look at the tries: always 28, where the threshold needed about 4.",
    settings: &[("naming", "minimum-of")],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// Late starts: coordinated omission.
pub(super) const LATE_STARTS: Preset = Preset {
    id: "late-starts",
    title: "Late starts: coordinated omission",
    says: "4,300 requests are meant to start each second, and every write is logged.",
    look: "Look at the two latencies: from sending all seems well, from the intended start nothing is.",
    settings: &[
        ("arrivals", "constant"),
        ("rate", "4300"),
        ("log-every", "1"),
        ("records", "40000"),
    ],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// Lost answers.
pub(super) const LOST_ANSWER: Preset = Preset {
    id: "lost-answer",
    title: "Lost answers",
    says: "One answer in a thousand between TMMs is lost; its flow is parked for five seconds.",
    look: "Look at the parked requests and the throughput: workers wait behind answers that will not come.",
    settings: &[
        ("naming", "deterministic"),
        ("connection", "kept-alive"),
        ("dag", "round-robin"),
        ("records", "60000"),
        ("lost-answers", "0.001"),
    ],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};
