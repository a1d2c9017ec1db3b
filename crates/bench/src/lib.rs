//! Measures Subtable Lab's speed: `cargo xtask bench`.
//!
//! Everything that matters is a ratio of two things timed in turns in one run, since machines differ and are shared:
//! [`measure`] does that, [`figure`] says what is measured and what it should be, [`summary`] keeps and shows it.
//!
//! | module | compares |
//! |---|---|
//! | [`native`] | the core with the [`naive`] loop; bulk posts; a sweep on one thread with one on all |
//! | [`growth`] | small runs with large ones, in time and memory |
//! | [`peers`] | the core with other simulators on the same queueing network ([`network`]) |
//! | `browser` | the page's worker with the native core, and the page's frames (feature `browser`) |

#![forbid(unsafe_code)]

#[cfg(feature = "browser")]
pub mod browser;
pub mod figure;
pub mod growth;
pub mod machine;
pub mod measure;
pub mod naive;
pub mod native;
pub mod network;
pub mod peers;
pub mod summary;
