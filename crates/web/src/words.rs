//! Numbers and verdicts as people read them. Pure text, so that it is tested without a browser.

use subtable_model::Scenario;
use subtable_model::Snapshot;
use subtable_model::scenario::{Kind, Naming, Parameter};
use subtable_model::snapshot::Basis;

/// A whole number with its thousands apart: `80,000`.
#[must_use]
pub fn whole(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A mean number of clicks: one decimal below a thousand, none above.
#[must_use]
pub fn mean(clicks: f64) -> String {
    if clicks < 1000.0 {
        format!("{clicks:.1}")
    } else {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clicks are positive, and the cast saturates"
        )]
        whole(clicks.round() as u64)
    }
}

/// A text cut off after so many characters.
#[must_use]
pub fn short(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// A range of clicks or counts in as few characters as tell it: `5–6`, `55k–94k`.
#[must_use]
pub fn range(low: f64, high: f64) -> String {
    let short = |value: f64| match value {
        v if v < 10.0 && v.fract() != 0.0 => format!("{v:.1}"),
        v if v < 9_999.5 => format!("{v:.0}"),
        v if v < 999_500.0 => format!("{:.0}k", v / 1e3),
        v => format!("{:.1}M", v / 1e6),
    };
    if low.is_nan() || high.is_nan() {
        return String::new();
    }
    format!("{}–{}", short(low), short(high))
}

/// A published mean, to the decimal that was printed.
#[must_use]
pub fn published_mean(clicks: f64) -> String {
    let tenths = format!("{clicks:.1}");
    let (head, tail) = tenths.split_once('.').unwrap_or((&tenths, "0"));
    format!(
        "{}.{tail}",
        head.parse().map_or_else(|_| head.to_owned(), whole)
    )
}

/// A stretch of simulated time: `12.3 s`, `4.56 ms`.
#[must_use]
pub fn time(nanoseconds: u64) -> String {
    let seconds = nanoseconds as f64 / 1e9;
    match nanoseconds {
        0 => "0 s".to_owned(),
        1..1_000_000 => format!("{:.0} µs", seconds * 1e6),
        1_000_000..100_000_000 => format!("{:.2} ms", seconds * 1e3),
        100_000_000..100_000_000_000 => format!("{seconds:.1} s"),
        _ => format!("{seconds:.0} s"),
    }
}

/// A unit of the parameter table as the page writes it.
#[must_use]
pub fn unit(unit: &str) -> &str {
    if unit == "us" { "µs" } else { unit }
}

/// A stored value of a parameter, unit included, in a few characters.
#[must_use]
pub fn value(parameter: &Parameter, stored: u64) -> String {
    match parameter.kind {
        Kind::Choice(options) => usize::try_from(stored)
            .ok()
            .and_then(|index| options.get(index))
            .map_or_else(String::new, |option| option.label.to_owned()),
        Kind::Integer { .. } => with_unit(whole(stored), parameter),
        Kind::Decimal { .. } => with_unit(parameter.format(stored), parameter),
    }
}

fn with_unit(number: String, parameter: &Parameter) -> String {
    match unit(parameter.unit) {
        "" => number,
        unit => format!("{number} {unit}"),
    }
}

/// A list of TMMs: `TMM 3`, `TMMs 0, 1 and 2`, `TMMs 0 to 7 and 9`; of more than that, how many.
#[must_use]
pub fn tmms(numbers: &[u32]) -> String {
    const PARTS: usize = 6;
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => parts.push((number, number)),
        }
    }
    if parts.len() > PARTS {
        return format!("{} TMMs", whole(numbers.len() as u64));
    }
    let mut words: Vec<String> = Vec::new();
    for &(first, last) in &parts {
        match last - first {
            0 => words.push(first.to_string()),
            1 => words.extend([first.to_string(), last.to_string()]),
            // Three are quicker to read one by one.
            2 => words.extend((first..=last).map(|number| number.to_string())),
            _ => words.push(format!("{first} to {last}")),
        }
    }
    let noun = if numbers.len() == 1 { "TMM" } else { "TMMs" };
    match words.split_last() {
        Some((last, [])) => format!("{noun} {last}"),
        Some((last, others)) => format!("{noun} {} and {last}", others.join(", ")),
        None => "no TMM".to_owned(),
    }
}

/// The sentence under the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the writes are local; none before the first write.
    pub ok: Option<bool>,
    /// The finding.
    pub finding: String,
    /// Why, and what else there is to say.
    pub reason: String,
}

impl Verdict {
    /// The verdict on a run so far, and why: the reason names what the page can see and the box cannot, the owners.
    #[must_use]
    pub fn of(snapshot: &Snapshot, scenario: &Scenario) -> Self {
        let naming = scenario.naming();
        let verdict = snapshot.verdict();
        if verdict.basis == Basis::Nothing {
            return Self {
                ok: None,
                finding: "No writes yet.".to_owned(),
                reason: String::new(),
            };
        }
        let threshold = snapshot.threshold;
        let place = Places::of(snapshot, &verdict.slow_tmms);
        let (finding, mut reason) = if verdict.ok {
            (
                if snapshot.tmms.iter().all(|tmm| tmm.all.n > 0) {
                    format!("OK: every TMM averages below {} clicks.", whole(threshold))
                } else {
                    let so_far = if snapshot.finished { "" } else { " so far" };
                    format!(
                        "OK{so_far}: every TMM that has written averages below {} clicks.",
                        whole(threshold)
                    )
                },
                place.why_fast(naming),
            )
        } else {
            (
                format!("Locality issue: {}", tmms(&verdict.slow_tmms)),
                format!(
                    "{} {} clicks or more: {}",
                    if verdict.slow_tmms.len() == 1 {
                        "averages"
                    } else {
                        "average"
                    },
                    whole(threshold),
                    place.why_slow(naming, threshold)
                ),
            )
        };
        if verdict.basis == Basis::AllWrites {
            reason.push_str(match (scenario.log_every(), snapshot.finished) {
                (0, _) => {
                    " Nothing is logged, so that the box could not tell: this is from all writes."
                }
                (_, true) => {
                    " No write was logged, so that the box could not tell: this is from all writes."
                }
                (_, false) => " No write is logged yet: this is from all writes.",
            });
        }
        Self {
            ok: Some(verdict.ok),
            finding,
            reason,
        }
    }

    /// The verdict as one text.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{} {}", self.finding, self.reason)
            .trim_end()
            .to_owned()
    }
}

/// Which TMMs write where, split by whether they are slow.
struct Places {
    slow_local: Vec<u32>,
    slow_remote: Vec<u32>,
    fast_local: Vec<u32>,
    fast_remote: Vec<u32>,
}

impl Places {
    fn of(snapshot: &Snapshot, slow: &[u32]) -> Self {
        let mut places = Self {
            slow_local: Vec::new(),
            slow_remote: Vec::new(),
            fast_local: Vec::new(),
            fast_remote: Vec::new(),
        };
        for (number, tmm) in (0_u32..).zip(&snapshot.tmms) {
            let owner = tmm
                .subtable
                .and_then(|index| snapshot.subtables.get(index as usize))
                .map(|subtable| subtable.owner);
            let list = match (slow.binary_search(&number).is_ok(), owner) {
                (_, None) => continue,
                (true, Some(owner)) if owner == number => &mut places.slow_local,
                (true, Some(_)) => &mut places.slow_remote,
                (false, Some(owner)) if owner == number => &mut places.fast_local,
                (false, Some(_)) => &mut places.fast_remote,
            };
            list.push(number);
        }
        places
    }

    fn why_fast(&self, naming: Naming) -> String {
        if !self.fast_remote.is_empty() {
            return format!(
                "Yet the names of {} are owned elsewhere: the threshold does not tell them apart.",
                tmms(&self.fast_remote)
            );
        }
        match naming {
            Naming::RandomProbe => "Each found by trial a name that it owns itself.",
            Naming::MinimumOf => {
                "Each kept the fastest of the names that it timed, one that it owns itself."
            }
            Naming::PerSession => {
                "Each session has a subtable of its own, wherever its name puts it."
            }
            _ => "Each happens to own its name.",
        }
        .to_owned()
    }

    fn why_slow(&self, naming: Naming, threshold: u64) -> String {
        if naming == Naming::PerSession {
            return "each session has a subtable of its own, and most of them are owned elsewhere."
                .to_owned();
        }
        let mut text = match (self.slow_remote.as_slice(), self.slow_local.as_slice()) {
            ([_], []) => "its name is owned elsewhere.".to_owned(),
            (_, []) => "their names are owned elsewhere.".to_owned(),
            ([], _) => format!(
                "their writes are local, and {threshold} clicks is below what such a write takes."
            ),
            (remote, _) => format!("the names of {} are owned elsewhere.", tmms(remote)),
        };
        if !self.fast_local.is_empty() {
            let be = if self.fast_local.len() == 1 {
                "is"
            } else {
                "are"
            };
            let how = match naming {
                Naming::RandomProbe | Naming::MinimumOf => "local: found by trial",
                Naming::Shared => "the owner",
                _ => "fast by accident",
            };
            text = format!("{text} {} {be} {how}.", tmms(&self.fast_local));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use subtable_model::preset::Preset;
    use subtable_model::scenario::ScenarioError;
    use subtable_model::{Scenario, run};

    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(whole(0), "0");
        assert_eq!(whole(999), "999");
        assert_eq!(whole(1_234_567), "1,234,567");
        assert_eq!(
            (mean(5.53), mean(51_817.2)),
            ("5.5".into(), "51,817".into())
        );
        assert_eq!(published_mean(64_855.6), "64,855.6");
        assert_eq!(range(5.25, 6.0), "5.2–6");
        assert_eq!(range(55_123.0, 1_234_567.0), "55k–1.2M");
        assert_eq!(range(f64::NAN, f64::NAN), "");
        assert_eq!(
            (time(228_000), time(12_345_678_901)),
            ("228 µs".into(), "12.3 s".into())
        );
    }

    #[test]
    fn many_tmms_stay_a_short_list() {
        assert_eq!(tmms(&[3]), "TMM 3");
        assert_eq!(tmms(&[0, 1, 2]), "TMMs 0, 1 and 2");
        assert_eq!(tmms(&[0, 1, 2, 3, 4, 9]), "TMMs 0 to 4 and 9");
        let odd: Vec<u32> = (0..100).map(|n| 2 * n + 1).collect();
        assert_eq!(tmms(&odd), "100 TMMs");
    }

    #[test]
    fn the_broken_run_is_explained() {
        let preset = Preset::find("published-deterministic").unwrap();
        let verdict = Verdict::of(&run(&preset.scenario(), 1), &preset.scenario());
        assert_eq!(verdict.ok, Some(false));
        assert_eq!(
            verdict.text(),
            "Locality issue: TMMs 0, 1 and 2 average 100 clicks or more: their names are owned elsewhere. TMM 3 is fast by accident."
        );
    }

    fn small(settings: &[(&str, &str)]) -> Result<Verdict, ScenarioError> {
        let mut scenario = Scenario::default();
        scenario.set("records", "4000")?;
        for (id, value) in settings {
            scenario.set(id, value)?;
        }
        Ok(Verdict::of(&run(&scenario, 1), &scenario))
    }

    #[test]
    fn odd_thresholds_are_explained() -> Result<(), ScenarioError> {
        let low = small(&[
            ("threshold", "1"),
            ("max-tries", "5"),
            ("naming", "shared"),
            ("tmms", "1"),
        ])?;
        assert!(low.text().contains("their writes are local"), "{low:?}");
        let high = small(&[("threshold", "1000000"), ("naming", "deterministic")])?;
        assert!(
            high.text().contains("are owned elsewhere: the threshold"),
            "{high:?}"
        );
        let unlogged = small(&[("log-every", "0")])?;
        assert!(
            unlogged.text().contains("the box could not tell"),
            "{unlogged:?}"
        );
        Ok(())
    }
}
