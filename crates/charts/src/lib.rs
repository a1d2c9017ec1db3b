//! Every chart of Subtable Lab, drawn with plotters on any drawing backend: a canvas in the page, SVG in exports and
//! on the command line.
//!
//! A chart is a view of a [`Snapshot`](subtable_model::Snapshot) that implements [`Chart`]. It is laid out by a pure
//! function into a [`Scene`], plain shapes in CSS pixels, which is then drawn on a backend or written as SVG. The same
//! data answer a pointer or a key ([`Reading`]) and fill a table for readers who do not see the picture ([`Table`]).
//!
//! | chart | shows |
//! |---|---|
//! | [`cluster::Cluster`] | who accepts, who owns, and the messages between them |
//! | [`strip::Strip`] | the histogram of one TMM, a row of the strip table |
//! | [`histograms::Histograms`] | the same for all TMMs, large, with axes and words |
//! | [`throughput::Throughput`] | writes per second over time |
//! | [`sweep::Sweep`] | one result over the values of a parameter, over many seeds |
//! | [`parts::Parts`] | where a request's time goes, TMM by TMM |
//! | [`latency::Latency`] | how long the client waits, from the intended start and from sending |
//! | [`memory::Memory`] | what each TMM stores, orphans included |
//!
//! ```
//! use subtable_charts::{Chart, Size, Theme, throughput::Throughput};
//! use subtable_model::preset::Preset;
//!
//! let preset = Preset::find("published-discovered").expect("a preset");
//! let snapshot = subtable_model::run(&preset.scenario(), 1);
//! let mut chart = Throughput::new(&snapshot);
//! chart.published = preset.published_rates;
//! let svg = chart.svg(Size::new(450.0, 200.0), &Theme::light());
//! assert!(svg.starts_with("<svg") && svg.contains("<title>"));
//! ```

#![forbid(unsafe_code)]

mod axes;
mod chart;
pub mod cluster;
pub mod format;
mod gesture;
pub mod histograms;
mod labels;
pub mod latency;
pub mod memory;
pub mod parts;
mod scene;
mod series;
mod span;
pub mod strip;
pub mod sweep;
#[cfg(test)]
mod tests;
mod text;
mod theme;
pub mod throughput;
mod ticks;

pub use axes::Scale;
pub use chart::{Chart, Marks, Reading, Table};
pub use gesture::{Gesture, Meaning};
pub use scene::{Scene, Size};
pub use series::{Entry, Hidden, Series};
pub use span::{Along, Span};
pub use theme::Theme;
