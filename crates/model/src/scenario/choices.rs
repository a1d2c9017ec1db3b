//! The parameters that are chosen from a list, each an enum whose variants carry their words.

use super::parameter::Choice;

/// Declares an enum and its list of options together, so that neither can lack an entry of the other.
macro_rules! choices {
    ($(#[$doc:meta])* $name:ident { $($variant:ident: $id:literal, $label:literal, $help:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(clippy::doc_markdown, reason = "the help is for people: names stand in it as the log prints them")]
        pub enum $name {
            $(#[doc = $help] $variant,)+
        }

        impl $name {
            /// Every variant, in the order of the list.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The words of every variant, in the same order.
            pub const OPTIONS: &'static [Choice] =
                &[$(Choice { id: $id, label: $label, help: $help }),+];

            /// The word used in links, on the command line and in JSON.
            #[must_use]
            pub const fn id(self) -> &'static str {
                Self::OPTIONS[self as usize].id
            }
        }
    };
}

choices! {
    /// How a TMM comes by the name of the subtable that it writes to.
    Naming {
        Deterministic: "deterministic", "deterministic",
            "The neat name localdb_tmm_<t>, used unseen: about one TMM in N happens to own its own.";
        RandomProbe: "random-probe", "random + probe",
            "Random names, each timed by a trial write; the first one below the threshold is kept.";
        RandomUnprobed: "random-unprobed", "random, unprobed",
            "One random name, kept unseen: randomness alone, without timing, finds nothing.";
        DeterministicProbed: "deterministic-probed", "deterministic + probe",
            "The neat name, timed again and again: timing alone, without new names, finds nothing.";
        Shared: "shared", "one shared",
            "One name for all TMMs: local for its one owner, remote for everybody else.";
        MinimumOf: "minimum-of", "fastest of 7 N",
            "Seven names for each TMM there is, each timed by a lookup; the fastest is kept, without any threshold.";
        PerSession: "per-session", "one per session",
            "One subtable for each session: each session's data is local for one TMM in N.";
        Spread: "spread", "3 N by crc32",
            "Three subtables for each TMM there is; a key's crc32 picks the subtable, whichever TMM has accepted it.";
    }
}

choices! {
    /// What requests do.
    Workload {
        Load: "load", "single writes", "Each request writes one record.";
        Bulk: "bulk", "bulk posts", "Each request is a post of many keys, written in one go.";
        Probe: "probe", "probe one name", "Each request times a write to one and the same name, and lists its keys.";
        Whoami: "whoami", "who am I", "Each request asks its TMM for its name, and writes nothing.";
        Reset: "reset", "reset", "Each request deletes all entries of its TMM's subtable.";
        Limit: "limit", "limit per user", "Each request counts what its user has and, below the limit, takes one more: first the count, then the write.";
        Lookup: "lookup", "lookups", "Each request reads a record by one of its indexes, and writes nothing.";
    }
}

choices! {
    /// What listing keys does to the idle timeouts of their entries.
    Reading {
        NoTouch: "notouch", "leaves timeouts", "Listing with -notouch: entries nobody uses go, however often they are counted.";
        Touch: "touch", "touches entries", "Listing touches every entry: what is counted often enough never times out.";
    }
}

choices! {
    /// How a record is found by several indexes.
    Placement {
        EachIndex: "each-index", "value at each index", "The value is stored anew under every index.";
        Once: "once", "value once", "The value is stored once; an index entry holds the value's key. One more read.";
    }
}

choices! {
    /// When requests start.
    Arrivals {
        Closed: "closed", "closed loop", "Each worker sends its next request when it has its reply: the load follows the system.";
        Poisson: "poisson", "at random", "Requests start at random at the rate that is set, whatever the system does; late ones wait for a free worker.";
        Constant: "constant", "evenly", "Requests start at even intervals, whatever the system does; late ones wait for a free worker.";
    }
}

choices! {
    /// How the client's and the TMMs' work on a request varies.
    Spread {
        Constant: "constant", "constant", "Each request takes the same work.";
        Exponential: "exponential", "exponential", "Work is exponentially distributed: the textbook's assumption.";
    }
}

choices! {
    /// Which TMM accepts a connection.
    DagMode {
        Fair: "fair", "fair", "Each connection to any TMM, all equally likely: what the investigation assumes.";
        Ports: "ports", "by ports", "Source port XOR destination port, modulo the TMMs: the platform's default, simplified.";
        SrcIp: "src-ip", "by source address", "All connections of one client address to one TMM.";
        DstIp: "dst-ip", "by destination address", "All connections to one virtual server to one TMM.";
        RoundRobin: "round-robin", "in turn", "One TMM after the other, exactly.";
    }
}

choices! {
    /// Which source ports the client's connections have.
    PortOrder {
        Sequential: "sequential", "one by one", "Each connection the next port.";
        Random: "random", "random", "Any port of the ephemeral range.";
        Even: "even", "even only", "Each connection the next even port, as some kernels choose on connect.";
    }
}

choices! {
    /// Whether a connection carries one request or all of a worker's.
    Connection {
        Fresh: "fresh", "fresh", "A fresh connection for each request: the DAG decides each time.";
        KeptAlive: "kept-alive", "kept alive", "One connection for each worker: the DAG decides once.";
    }
}

choices! {
    /// In how many writes a client sends a request's head and body.
    Sending {
        One: "one", "in one write", "Head and body leave together.";
        Two: "two", "in two writes", "The body waits until the head is acknowledged, unless it fills a segment.";
        TwoNoDelay: "two-nodelay", "two, TCP_NODELAY", "Head and body leave one after the other without waiting.";
    }
}

choices! {
    /// How a request learns how many entries its subtable has.
    Count {
        None: "none", "not counted", "Requests do not count.";
        Incremental: "incremental", "incremental", "A counter kept beside the subtable: constant cost, whatever the size.";
        Enumerate: "enumerate", "enumerate keys", "All keys are listed and counted, by every request: the cost grows with each entry.";
    }
}
