//! The one table of parameters. The page's controls, the command line's flags, the links, the validation, the
//! JSON and the documentation are all made from it: a new parameter is one row here and its use in the model.
//!
//! Numbers in `costs` without another source are starting values that were tried until the published figures came
//! out; what was fitted to what stands in the presets.

use super::choices::{
    Arrivals, Connection, Count, DagMode, Naming, Placement, PortOrder, Reading, Sending, Spread,
    Workload,
};
use crate::ownership::Family;

use super::parameter::{DECIMAL_SCALE, Group, Kind, Parameter};

/// A whole number, with the end of its slider.
const fn integer(min: u64, max: u64, slider: u64) -> Kind {
    Kind::Integer { min, max, slider }
}

/// A decimal, given in whole units.
const fn decimal(min: u64, max: u64, slider: u64) -> Kind {
    Kind::Decimal {
        min: min * DECIMAL_SCALE,
        max: max * DECIMAL_SCALE,
        slider: slider * DECIMAL_SCALE,
    }
}

/// One row per parameter: accessor and what it returns, then the row's own words.
macro_rules! parameters {
    ($(
        $field:ident -> $type:ident {
            $id:literal, $group:ident, $label:literal, $unit:literal,
            $kind:expr, default $default:expr,
            $help:literal
        }
    )+) => {
        /// The parameter table, in the order of the page.
        pub const PARAMETERS: &[Parameter] = &[$(
            Parameter {
                id: $id, group: Group::$group, label: $label, unit: $unit,
                kind: $kind, default: $default, help: $help,
            }
        ),+];

        /// Where each parameter stands in the table.
        #[allow(non_camel_case_types, reason = "one variant per accessor, never seen outside")]
        enum Row { $($field),+ }

        impl super::Scenario {
            $(
                #[doc = concat!($label, ". ", $help, " Unit: `", $unit, "`.")]
                #[must_use]
                pub fn $field(&self) -> parameters!(@type $type) {
                    let stored = self.values[Row::$field as usize];
                    parameters!(@read $type, stored)
                }
            )+
        }
    };
    (@type Whole) => { u64 };
    (@type Nanoseconds) => { u64 };
    (@type Real) => { f64 };
    (@type $choice:ident) => { $choice };
    (@read Whole, $stored:ident) => { $stored };
    // Microseconds are stored in thousandths, which is to say in nanoseconds.
    (@read Nanoseconds, $stored:ident) => { $stored };
    (@read Real, $stored:ident) => { $stored as f64 / DECIMAL_SCALE as f64 };
    (@read $choice:ident, $stored:ident) => {
        $choice::ALL[usize::try_from($stored).unwrap_or(0)]
    };
}

parameters! {
    tmms -> Whole { "tmms", Cluster, "TMMs", "",
        integer(1, 1024, 64), default 4,
        "Single-threaded workers that share the traffic." }
    naming -> Naming { "naming", Cluster, "Naming strategy", "",
        Kind::Choice(Naming::OPTIONS), default Naming::RandomProbe as u64,
        "How each TMM comes by the name of the subtable it writes to." }
    entries -> Whole { "entries", Cluster, "Subtable size", "entries",
        integer(0, 1_000_000, 100_000), default 0,
        "Entries that each subtable in use holds before the run." }
    log_every -> Whole { "log-every", Cluster, "Log one write in", "",
        integer(0, 100_000, 2000), default 1000,
        "0 logs none, 1 every write, n each n-th write of a TMM." }

    threshold -> Whole { "threshold", Discovery, "Fast below", "clicks",
        integer(1, 1_000_000, 1000), default 100,
        "A write that took fewer clicks is tagged FAST_LOCAL; a probe that did keeps its name." }
    max_tries -> Whole { "max-tries", Discovery, "Tries at most", "names",
        integer(1, 10_000, 400), default 200,
        "After that many names the last one is used, with a WARNING in the log." }

    workload -> Workload { "workload", Workload, "Requests", "",
        Kind::Choice(Workload::OPTIONS), default Workload::Load as u64,
        "What each request does." }
    records -> Whole { "records", Workload, "Records", "",
        integer(1, 100_000_000, 400_000), default 100_000,
        "Records to write; for workloads that write none, requests to send." }
    keys_per_post -> Whole { "keys-per-post", Workload, "Keys in a post", "keys",
        integer(1, 1_000_000, 50_000), default 15_625,
        "Records of one bulk post, 37 bytes each. A body above 16 MiB is refused." }
    sessions -> Whole { "sessions", Workload, "Sessions or users", "",
        integer(1, 100_000, 10_000), default 1000,
        "With one subtable per session, or a limit per user: how many there are; each request belongs to any of them." }
    limit -> Whole { "limit", Workload, "Limit per user", "",
        integer(1, 1_000_000, 20), default 1,
        "What a user may have at most, where requests are limited." }
    workers -> Whole { "workers", Workload, "Workers", "",
        integer(1, 65_536, 512), default 64,
        "Requests in flight at most: each worker has one." }
    arrivals -> Arrivals { "arrivals", Workload, "Requests start", "",
        Kind::Choice(Arrivals::OPTIONS), default Arrivals::Closed as u64,
        "Closed loop, or at a rate of their own; latency then counts from the intended start." }
    rate_per_1000_s -> Whole { "rate", Workload, "Rate", "requests/s",
        Kind::Decimal { min: 1, max: 1_000_000 * DECIMAL_SCALE, slider: 10_000 * DECIMAL_SCALE }, default 4_000_000,
        "In an open loop: how many requests are meant to start each second." }
    runs -> Whole { "runs", Workload, "Runs in a row", "",
        integer(1, 100, 10), default 1,
        "The same records again, on the same cluster: what the log daemon and the subtables still hold is carried over." }
    pause -> Nanoseconds { "pause", Workload, "Pause between runs", "us",
        decimal(0, 1_000_000_000, 120_000_000), default 0,
        "From the last reply of a run to the start of the next. 60,000,000 us are a minute." }

    count -> Count { "count", Counting, "Count per request", "",
        Kind::Choice(Count::OPTIONS), default Count::Incremental as u64,
        "How each request learns the number of entries after its write." }
    enumerate_at_owner -> Nanoseconds { "enumerate-owner", Counting, "Listing a key, at the owner", "us",
        decimal(0, 100, 2), default 80,
        "Time of the owner for each key that it lists. Fitted with the next one to the published decay and averages." }
    enumerate_on_arrival -> Nanoseconds { "enumerate-arrival", Counting, "Receiving a key", "us",
        decimal(0, 100, 2), default 555,
        "Time of the TMM that asked, for each key of the list. Together they give 600 writes/s at 40,000 records." }
    count_work -> Nanoseconds { "count-work", Counting, "Incremental counter", "us",
        decimal(0, 1000, 20), default 1000,
        "Time of the acceptor for adding one to a counter of its own." }

    dag -> DagMode { "dag", Ownership, "DAG", "",
        Kind::Choice(DagMode::OPTIONS), default DagMode::Fair as u64,
        "How the disaggregator picks the TMM that accepts a connection." }
    source_ports -> PortOrder { "source-ports", Ownership, "Source ports", "",
        Kind::Choice(PortOrder::OPTIONS), default PortOrder::Sequential as u64,
        "Which source ports connections have, one after the other; matters to a DAG by ports." }
    client_addresses -> Whole { "client-addresses", Ownership, "Client addresses", "",
        integer(1, 65_536, 64), default 1,
        "Over how many addresses the workers are spread; matters to a DAG by source address." }
    connection -> Connection { "connection", Ownership, "Connections", "",
        Kind::Choice(Connection::OPTIONS), default Connection::Fresh as u64,
        "Whether the DAG decides for each request or once for each worker." }
    ownership -> Family { "ownership", Ownership, "Ownership", "",
        Kind::Choice(Family::OPTIONS), default Family::Opaque as u64,
        "How the owner of a subtable follows from its name." }
    hash_key -> Whole { "hash-key", Ownership, "Hidden key", "",
        integer(0, 9_007_199_254_740_991, 1_000_000), default crate::ownership::PUBLISHED_KEY,
        "Key of the hidden hash of names. The default is one for which the eight published ownerships hold." }
    vnodes -> Whole { "vnodes", Ownership, "Tokens of a TMM", "",
        integer(1, 1024, 512), default 256,
        "On Cassandra's ring: into how many ranges each TMM's part is cut. The fewer, the less even." }

    client_work -> Nanoseconds { "client-work", Client, "Client work per request", "us",
        decimal(0, 1_000_000, 1000), default 228_000,
        "The load generator is one interpreter: its workers take turns. 228 gives the published 4,375 requests/s." }
    rtt -> Nanoseconds { "rtt", Client, "Round trip", "us",
        decimal(0, 1_000_000, 5000), default 150_000,
        "Client to TMM and back, without any work." }

    client_work_per_key -> Nanoseconds { "client-key-work", Client, "Client work per bulk key", "us",
        decimal(0, 1000, 20), default 7200,
        "Time of the client for making one key of a post. Fitted to 133,000 writes/s." }
    sending -> Sending { "sending", Client, "Request sent", "",
        Kind::Choice(Sending::OPTIONS), default Sending::One as u64,
        "Two small writes meet Nagle's algorithm and the delayed acknowledgement." }
    request_bytes -> Whole { "request-bytes", Client, "Request body", "bytes",
        integer(0, 65_535, 3000), default 80,
        "Size of the body of a single write; with the head it may fill a segment." }
    mtu -> Whole { "mtu", Client, "MTU", "bytes",
        integer(576, 9000, 9000), default 1500,
        "A segment holds 40 bytes less." }
    delayed_ack -> Nanoseconds { "delayed-ack", Client, "Delayed acknowledgement", "us",
        decimal(0, 1_000_000, 200_000), default 39_800_000,
        "How long a receiver waits before it acknowledges a lone segment. Published: 39.8 ms." }

    log_accepts -> Whole { "log-accepts", Logging, "Handler lines per request", "lines",
        integer(0, 100, 10), default 0,
        "Lines that each request logs whatever the rate: CLIENT_ACCEPTED and the like." }
    log_work -> Nanoseconds { "log-work", Logging, "Writing a line, on the TMM", "us",
        decimal(0, 100_000, 1000), default 60_000,
        "Time of the TMM for handing one line to the log daemon." }
    daemon_work -> Nanoseconds { "daemon-work", Logging, "Writing a line, in the daemon", "us",
        decimal(0, 1_000_000, 5000), default 400_000,
        "Time of the log daemon, one line after another. No published value: assumed." }
    daemon_buffer -> Whole { "daemon-buffer", Logging, "Daemon's buffer", "lines",
        integer(1, 1_000_000, 10_000), default 2000,
        "Lines that wait at most; further ones are dropped and counted. No published value: assumed." }
    daemon_ramp -> Whole { "daemon-ramp", Logging, "Backlog of full share", "lines",
        integer(0, 1_000_000, 2000), default 0,
        "With how many lines waiting the daemon takes its full share, less with fewer. 0: always. Assumed." }
    daemon_share -> Real { "daemon-share", Logging, "Host taken while logging", "",
        Kind::Decimal { min: 0, max: 900, slider: 900 }, default 250,
        "Share of the host that a busy daemon takes from TMMs and client (0 to 0.9). Published bulk runs fell by a quarter." }

    idle_timeout -> Whole { "idle-timeout", Storage, "Idle timeout", "s",
        integer(0, 100_000_000, 600), default 0,
        "An entry that is not touched for so long goes; 0 is indefinite." }
    lifetime -> Whole { "lifetime", Storage, "Lifetime", "s",
        integer(0, 100_000_000, 600), default 0,
        "An entry goes when it is that old, touched or not; 0 is indefinite." }
    listing -> Reading { "listing", Storage, "Listing keys", "",
        Kind::Choice(Reading::OPTIONS), default Reading::NoTouch as u64,
        "Whether counting by enumeration touches the entries that it lists." }
    reload_every -> Whole { "reload-every", Storage, "Reload every", "s",
        integer(0, 100_000_000, 60), default 0,
        "The script is loaded anew: each TMM forgets its name and its counter, and the old entries stay. 0 is never." }
    key_bytes -> Whole { "key-bytes", Storage, "Key", "bytes",
        integer(1, 65_535, 200), default 36,
        "Size of a key. A UUID has 36 characters." }
    value_bytes -> Whole { "value-bytes", Storage, "Value", "bytes",
        integer(0, 65_535, 5000), default 80,
        "Size of a value. No published value: assumed." }
    entry_bytes -> Whole { "entry-bytes", Storage, "Each entry, beside key and value", "bytes",
        integer(0, 65_535, 2000), default 200,
        "What the platform spends on an entry. No published value: assumed." }
    subtable_bytes -> Whole { "subtable-bytes", Storage, "Each subtable", "bytes",
        integer(0, 1_000_000, 5000), default 1000,
        "What the platform spends on a subtable that holds entries. No published value: assumed." }
    indexes -> Whole { "indexes", Storage, "Indexes of a record", "",
        integer(1, 16, 8), default 1,
        "Under how many keys each record can be found: memory and lookups depend on it, writes do not." }
    placement -> Placement { "placement", Storage, "Records stand", "",
        Kind::Choice(Placement::OPTIONS), default Placement::EachIndex as u64,
        "Under each index, or once with index entries that point to it." }

    stall -> Nanoseconds { "stall", Costs, "Coordination stall, median", "us",
        decimal(0, 1_000_000, 100_000), default 0,
        "Added to each remote access: the reading in which a remote write is dear in itself. At 0 only queues make it dear." }
    stall_per_entry -> Nanoseconds { "stall-entry", Costs, "Stall, per entry", "us",
        decimal(0, 100, 5), default 0,
        "By how much the median of the stall grows with each entry of the subtable." }
    stall_sigma -> Real { "stall-sigma", Costs, "Stall, spread", "",
        decimal(0, 3, 2), default 500,
        "Sigma of the log-normal stall." }
    lost_answers -> Real { "lost-answers", Costs, "Answers lost", "",
        Kind::Decimal { min: 0, max: 1000, slider: 20 }, default 0,
        "Share of the answers between TMMs that never arrive (0 to 1)." }
    answer_timeout -> Nanoseconds { "answer-timeout", Costs, "Parked at most", "us",
        decimal(1, 100_000_000, 10_000_000), default 5_000_000_000,
        "After that long a flow whose answer was lost is given up. Until then its connection waits." }
    work_spread -> Spread { "work-spread", Costs, "Work varies", "",
        Kind::Choice(Spread::OPTIONS), default Spread::Constant as u64,
        "How the client's and the acceptor's work on a request is distributed about its mean." }
    request_work -> Nanoseconds { "request-work", Costs, "Request work", "us",
        decimal(0, 1_000_000, 2000), default 100_000,
        "Time of the acceptor for a request beside its write." }
    bulk_key_work -> Nanoseconds { "bulk-key-work", Costs, "Bulk loop, per key", "us",
        decimal(0, 1000, 20), default 500,
        "Time of the acceptor for each key of a post beside its write." }
    local_floor -> Nanoseconds { "local-floor", Costs, "Local write, at least", "clicks",
        decimal(0, 1000, 20), default 2000,
        "Fixed part of a write whose acceptor is the owner." }
    local_median -> Nanoseconds { "local-median", Costs, "Local write, median above that", "clicks",
        decimal(0, 1000, 40), default 3300,
        "Median of the log-normal part of a local write." }
    local_sigma -> Real { "local-sigma", Costs, "Local write, spread", "",
        decimal(0, 3, 2), default 550,
        "Sigma of the log-normal part of a local write." }
    hop -> Nanoseconds { "hop", Costs, "Hop between TMMs", "us",
        decimal(0, 100_000, 500), default 45_000,
        "Message from one TMM to another, one way. From the published least remote write, 117 to 140 clicks." }
    remote_service -> Nanoseconds { "remote-service", Costs, "Remote write, at the owner", "us",
        decimal(0, 100_000, 500), default 12_000,
        "Time of the owner for another TMM's write." }
    resume -> Nanoseconds { "resume", Costs, "Resuming a parked flow", "us",
        decimal(0, 100_000, 500), default 15_000,
        "Time of the acceptor for taking up the request when the answer is there." }
}
