//! An HTTP server that answers like the published harness does on a box, out of a live model: to point the usual client
//! at where there is no box.
//!
//! Each connection is given to a TMM by the DAG of the scenario. What its request then does there, and on the owner of
//! its subtable, costs what it costs in the model ([`live`]); the TMMs' queues are those of the requests that are really
//! there. Entries are kept until they are reset or expire. The log is written in the harness's lines.
//!
//! | bound | value |
//! |---|---|
//! | head of a request | [`server::HEAD_BYTES`] in [`server::HEAD_TIME`] |
//! | body | [`request::BODY_LIMIT`] in [`server::BODY_TIME`] |
//! | connections at a time | [`server::CONNECTIONS`]; further ones wait to be accepted |
//! | a connection | [`server::CONNECTION_TIME`] |
//! | entries | [`Settings::max_entries`] |
//!
//! Whatever a client sends, or however slowly, or however early it goes away, the others are served.

#![forbid(unsafe_code)]
// Numbers of TMMs and of names are bounded by the parameter table, far below 2^32.
#![allow(
    clippy::cast_possible_truncation,
    reason = "bounded by the parameter table"
)]

mod journal;
pub mod live;
pub mod request;
pub mod server;

use core::fmt;
use std::io;
use std::net::SocketAddr;

use subtable_model::Scenario;

pub use server::{StandIn, Stop, Summary};

/// Whether a caller waits as long as the model says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// It does, to half a millisecond.
    #[default]
    Real,
    /// It does not; the model's clock runs ahead instead.
    Fast,
}

/// What a stand-in is to be.
#[derive(Clone, Debug)]
pub struct Settings {
    /// TMMs, naming, costs, logging: the client's parameters of it have no effect, for the client is real.
    pub scenario: Scenario,
    /// Seed of all chance.
    pub seed: u64,
    /// Where to listen.
    pub listen: SocketAddr,
    /// Whether callers wait.
    pub pace: Pace,
    /// Seconds until an entry expires; `None` keeps it until it is reset.
    pub lifetime: Option<u64>,
    /// Entries that are stored at most, over all subtables; further writes are refused (503).
    pub max_entries: usize,
}

/// Why there is no stand-in.
#[derive(Debug)]
pub enum StandInError {
    /// The address cannot be listened on.
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        error: io::Error,
    },
    /// The system refuses threads or signals.
    Start(io::Error),
    /// The log cannot be written.
    Log(io::Error),
}

impl fmt::Display for StandInError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen { address, error } => write!(f, "cannot listen on {address}: {error}"),
            Self::Start(error) => write!(f, "cannot start the server: {error}"),
            Self::Log(error) => write!(f, "cannot write the log: {error}"),
        }
    }
}

impl core::error::Error for StandInError {}
