//! What the lessons ask. The answers are computed from the run of the step, never written down.

use subtable_model::ownership::{AnyOwnership, Ownership};
use subtable_model::{Scenario, Snapshot};

use crate::{measures, words};

/// A quantity that a step of a lesson asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// TMMs whose average is at or above the threshold.
    SlowTmms,
    /// TMMs that wrote, and whose average is below it.
    FastTmms,
    /// The TMM that owns a name.
    Owner(String),
    /// The TMM with the least average.
    FastestTmm,
    /// Names that a TMM tried, on average.
    Tries,
    /// The rate of writes at the beginning over that at the end.
    Decay,
    /// Writes per second over the whole run.
    Rate,
    /// Log lines that were lost, in per cent.
    DroppedShare,
    /// TMMs that accepted no connection.
    IdleTmms,
    /// TMMs that kept a name which another TMM owns.
    FalseAccepts,
}

impl Asked {
    /// Reads what index.html says of a step: `slow-tmms`, `owner:localdb_tmm_0`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if let Some(name) = text.strip_prefix("owner:") {
            return Some(Self::Owner(name.to_owned()));
        }
        Some(match text {
            "slow-tmms" => Self::SlowTmms,
            "fast-tmms" => Self::FastTmms,
            "fastest-tmm" => Self::FastestTmm,
            "tries" => Self::Tries,
            "decay" => Self::Decay,
            "rate" => Self::Rate,
            "dropped-share" => Self::DroppedShare,
            "idle-tmms" => Self::IdleTmms,
            "false-accepts" => Self::FalseAccepts,
            _ => return None,
        })
    }

    /// The answer of a finished run.
    #[must_use]
    pub fn answer(&self, run: &Snapshot, scenario: &Scenario) -> f64 {
        let measure = |id: &str| {
            let measure = measures::MEASURES.iter().find(|measure| measure.id == id);
            measure.map_or(f64::NAN, |measure| (measure.of)(run))
        };
        let averages = || (0..run.tmms.len()).map(|tmm| run.row(tmm)).enumerate();
        match self {
            Self::SlowTmms => measure("slow-tmms"),
            Self::FastTmms => {
                let fast = averages()
                    .filter(|(_, row)| row.n > 0 && row.avg < run.threshold as f64)
                    .count();
                fast as f64
            }
            Self::Owner(name) => f64::from(AnyOwnership::of(scenario).owner(name.as_bytes())),
            Self::FastestTmm => averages()
                .filter(|(_, row)| row.n > 0)
                .min_by(|(_, one), (_, other)| one.avg.total_cmp(&other.avg))
                .map_or(f64::NAN, |(tmm, _)| tmm as f64),
            Self::Tries => measure("tries"),
            Self::Decay => decay(run),
            Self::Rate => {
                let writes: u64 = run.tmms.iter().map(|tmm| tmm.writes).sum();
                writes as f64 / (run.last_reply as f64 / 1e9)
            }
            Self::DroppedShare => {
                let all = run.log.lines + run.log.dropped;
                run.log.dropped as f64 / all as f64 * 100.0
            }
            Self::IdleTmms => run.tmms.iter().filter(|tmm| tmm.hits == 0).count() as f64,
            Self::FalseAccepts => measure("false-accepts"),
        }
    }

    /// The answer in a sentence.
    #[must_use]
    pub fn sentence(&self, answer: f64, tmms: usize) -> String {
        let whole = format!("{answer:.0}");
        match self {
            Self::SlowTmms => format!("{whole} of {tmms} TMMs are slow."),
            Self::FastTmms => format!("{whole} of {tmms} TMMs are fast."),
            Self::Owner(name) => format!("TMM {whole} owns {name}."),
            Self::FastestTmm => format!("TMM {whole} is the fastest."),
            Self::Tries => format!("{answer:.1} names for each TMM."),
            Self::Decay => format!("It is divided by {answer:.1}."),
            Self::Rate => format!("{} writes a second.", words::mean(answer.max(1000.0))),
            Self::DroppedShare => format!("{answer:.0} % of the lines are lost."),
            Self::IdleTmms => format!("{whole} of {tmms} TMMs get no connection."),
            Self::FalseAccepts => format!("{whole} of {tmms} TMMs keep a name of another TMM."),
        }
    }
}

/// How a prediction compares with the answer; nothing when there was none.
#[must_use]
pub fn judged(predicted: &str, answer: f64, chosen: bool) -> Option<String> {
    let number = typed(predicted)?;
    let right = (number - answer).abs() < 0.5;
    let near = (number - answer).abs() <= answer.abs() * 0.25;
    Some(if right {
        "As you said.".to_owned()
    } else if near && !chosen {
        format!("Close: you said {}.", predicted.trim())
    } else {
        format!("You said {}.", predicted.trim())
    })
}

/// A number as people type it: a sign, digits, also with commas between thousands, and a fraction. The reader of the standard
/// library also takes exponents and rounds the last bit right, with tables that weigh as much as all charts together.
fn typed(text: &str) -> Option<f64> {
    let plain = text.trim().replace(',', "");
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(digits) => (-1.0, digits),
        None => (1.0, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut value = 0.0;
    let mut place = 1.0;
    for byte in whole.bytes() {
        value = value * 10.0 + digit(byte)?;
    }
    for byte in fraction.bytes() {
        place /= 10.0;
        value += place * digit(byte)?;
    }
    (whole.len() + fraction.len() > 0).then_some(sign * value)
}

fn digit(byte: u8) -> Option<f64> {
    byte.is_ascii_digit().then(|| f64::from(byte - b'0'))
}

/// The rate over the first twentieth of the writes, over that of the last.
fn decay(run: &Snapshot) -> f64 {
    let (_, stretches) = run.series.stretches(run.last_reply, 1000);
    let (first, last) = (stretches.len() / 100 + 1, stretches.len() / 50 + 1);
    let mean = |writes: &mut dyn Iterator<Item = u32>| {
        let (sum, count) = writes.fold((0_u64, 0_u64), |(sum, count), n| {
            (sum + u64::from(n), count + 1)
        });
        sum as f64 / count as f64
    };
    let begun = mean(&mut stretches.iter().take(first).map(|bin| bin.writes));
    let ended = mean(&mut stretches.iter().rev().take(last).map(|bin| bin.writes));
    begun / ended
}

#[cfg(test)]
mod tests {
    use subtable_model::preset::Preset;
    use subtable_model::run;

    use super::*;

    fn answer(preset: &str, settings: &[(&str, &str)], ask: &str) -> f64 {
        let mut scenario = Preset::find(preset).unwrap().scenario();
        for (id, value) in settings {
            scenario.set(id, value).unwrap();
        }
        Asked::read(ask)
            .unwrap()
            .answer(&run(&scenario, 1), &scenario)
    }

    #[test]
    fn the_answers_are_those_of_the_runs() {
        let whole = |preset, ask| format!("{:.0}", answer(preset, &[], ask));
        assert_eq!(whole("published-deterministic", "slow-tmms"), "3");
        assert_eq!(whole("published-deterministic", "fast-tmms"), "1");
        assert_eq!(whole("published-deterministic", "fastest-tmm"), "3");
        assert_ne!(whole("published-deterministic", "owner:localdb_tmm_0"), "0");
        assert_eq!(whole("probe", "fastest-tmm"), "2");
        assert_eq!(whole("even-ports", "idle-tmms"), "2");
        assert_ne!(whole("threshold-too-high", "false-accepts"), "0");
        let tries = answer("tmms-64", &[], "tries");
        assert!((48.0..80.0).contains(&tries), "{tries}");
        let decay = answer("count-decay", &[], "decay");
        assert!((5.0..20.0).contains(&decay), "{decay}");
        let decay = answer("published-discovered", &[], "decay");
        assert!((0.8..1.3).contains(&decay), "{decay}");
        assert!(answer("log-every-write", &[], "dropped-share") > 10.0);
        assert!(answer("bulk", &[], "rate") > 100_000.0);
        assert_eq!(Asked::read("colour"), None);
    }

    #[test]
    fn predictions_are_judged() {
        assert_eq!(judged("3", 3.0, true).as_deref(), Some("As you said."));
        assert_eq!(judged("4", 3.2, true).as_deref(), Some("You said 4."));
        assert_eq!(
            judged("130,000", 133_112.0, false).as_deref(),
            Some("Close: you said 130,000.")
        );
        assert_eq!(judged("", 3.0, false), None);
    }

    #[test]
    fn numbers_are_read_as_people_type_them() {
        for (text, number) in [
            ("3", 3.0),
            (" 130,000 ", 130_000.0),
            ("0.25", 0.25),
            ("-1.5", -1.5),
            ("+7.", 7.0),
            (".5", 0.5),
        ] {
            let read = typed(text).unwrap_or(f64::NAN);
            assert!((read - number).abs() < 1e-12, "{text:?} is read as {read}");
        }
        for text in ["", "-", ".", "1e3", "3 or 4", "١", "1.2.3", "--1"] {
            assert_eq!(typed(text), None, "{text:?}");
        }
    }
}
