//! The page and its worker: the browser side of Subtable Lab.
//!
//! One module with two entries, [`start_page`] and [`start_worker`]. The worker owns the
//! [`Simulation`](subtable_model::Simulation); the page owns the last [`Snapshot`](subtable_model::Snapshot) and draws
//! it. [`protocol`] says what goes between them: commands one way, snapshots the other.
//!
//! On the page everything that happens becomes an `Action`; `Page::act` is the one place that answers actions, and the
//! modules below it each own one part of the document.

pub mod checkpoints;
pub mod csv;
pub mod digest;
pub mod elsewhere;
pub mod history;
pub mod lesson;
pub mod measures;
pub mod outcome;
pub mod pace;
pub mod protocol;
pub mod report;
pub mod scale;
pub mod validated;
pub mod words;

#[cfg(target_arch = "wasm32")]
mod dom;
#[cfg(target_arch = "wasm32")]
mod failure;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod rest;
#[cfg(target_arch = "wasm32")]
mod worker;

#[cfg(target_arch = "wasm32")]
pub use page::start_page;
#[cfg(target_arch = "wasm32")]
pub use rest::need_rest;
#[cfg(target_arch = "wasm32")]
pub use worker::start_worker;
