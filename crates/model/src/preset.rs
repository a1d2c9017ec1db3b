//! Named scenarios, each with what to look at and which of its figures were published.

mod elsewhere;
mod mistakes;
mod published;
mod storage;

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

/// What is said of a preset without published figures.
const WHAT_IF: &str = "Nothing: a what-if on the published run.";

/// Every preset, in the order of the picker.
pub const PRESETS: &[Preset] = &[
    published::PUBLISHED_DETERMINISTIC,
    published::PUBLISHED_DISCOVERED,
    published::DISCOVERED_FIRST,
    published::COUNT_DECAY,
    mistakes::LOG_EVERY_WRITE,
    mistakes::THRESHOLD_TOO_LOW,
    mistakes::THRESHOLD_TOO_HIGH,
    mistakes::TMMS_64,
    published::BULK,
    published::PROBE,
    published::TWO_WRITES,
    mistakes::EVEN_PORTS,
    mistakes::MINIMUM_OF,
    storage::PER_SESSION,
    published::BULK_DRIFT,
    published::STALL,
    mistakes::LATE_STARTS,
    storage::RELOAD,
    storage::ENTRIES_END,
    storage::LIMIT_PER_TMM,
    storage::LIMIT_RACE,
    storage::SPREAD,
    mistakes::LOST_ANSWER,
    published::STORE_ONCE,
    elsewhere::REDIS,
    elsewhere::KAFKA,
    elsewhere::CASSANDRA,
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
