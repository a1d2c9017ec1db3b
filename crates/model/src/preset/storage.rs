//! Questions about what subtables store.

use super::{Preset, WHAT_IF};

/// One subtable per session.
pub(super) const PER_SESSION: Preset = Preset {
    id: "per-session",
    title: "One subtable per session",
    says: "1,000 sessions, each with a subtable of its own.",
    look: "Look at the histograms and at the memory: two humps in each, and 1,000 subtables to pay for.",
    settings: &[("naming", "per-session"), ("count", "none")],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// Reloads without a reset.
pub(super) const RELOAD: Preset = Preset {
    id: "reload",
    title: "Reloads without a reset",
    says: "The script is loaded anew every 5 seconds, and each TMM discovers another name.",
    look: "Look at the memory: entries that nothing will ever find again, more with each reload.",
    settings: &[("reload-every", "5")],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// Entries that end.
pub(super) const ENTRIES_END: Preset = Preset {
    id: "entries-end",
    title: "Entries that end",
    says: "Entries live for 8 seconds, and a counter beside the subtable counts what was written.",
    look: "Look at count and counter: the one levels off, the other only rises.",
    settings: &[
        ("lifetime", "8"),
        ("idle-timeout", "6"),
        ("listing", "touch"),
    ],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// A limit of one, kept by each TMM.
pub(super) const LIMIT_PER_TMM: Preset = Preset {
    id: "limit-per-tmm",
    title: "A limit of one, kept by each TMM",
    says: "Each user may have one. Each TMM counts in a local subtable of its own.",
    look: "Look at the admissions: one per TMM and user, four times the limit.",
    settings: &[
        ("workload", "limit"),
        ("sessions", "500"),
        ("records", "20000"),
        ("count", "none"),
    ],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// A limit of one, and a race for it.
pub(super) const LIMIT_RACE: Preset = Preset {
    id: "limit-race",
    title: "A limit of one, and a race for it",
    says: "One shared subtable counts for all TMMs, and 64 requests come at once.",
    look: "Look at the admissions: between a remote count and its write, others have counted too.",
    settings: &[
        ("workload", "limit"),
        ("naming", "shared"),
        ("sessions", "8"),
        ("records", "2000"),
        ("count", "none"),
        ("client-work", "0"),
    ],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};

/// Keys over 3 N subtables.
pub(super) const SPREAD: Preset = Preset {
    id: "spread",
    title: "Keys over 3 N subtables",
    says: "A key's crc32 picks one of three subtables for each TMM, whoever has accepted it.",
    look: "Look at the memory and at who is local: balanced storage, and one write in four is local all the same.",
    settings: &[("naming", "spread"), ("count", "none")],
    fitted: WHAT_IF,
    published: &[],
    published_rates: &[],
};
