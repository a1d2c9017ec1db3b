//! What a sweep is to compute: values and seeds of one scenario.

use std::collections::HashSet;

use clap::{Arg, ArgAction, ArgMatches};
use subtable_model::Scenario;
use subtable_model::scenario::link::{self, LARGEST_SEED};
use subtable_model::scenario::{Kind, Parameter, parameter};

use super::{Point, SweepError};
use crate::arguments;

/// Values and seeds of one scenario.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What does not vary, and the first seed.
    pub base: link::Run,
    /// What varies.
    pub parameter: &'static Parameter,
    /// Its values, in text, without repetition, in the order asked for.
    pub values: Vec<String>,
    /// How many seeds each value has.
    pub seeds: u64,
}

/// One value under one seed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Job {
    /// The value, in text.
    pub value: String,
    /// The seed.
    pub seed: u64,
}

/// The flags that say what varies.
pub fn arguments() -> Vec<Arg> {
    let bound = |id: &'static str, help: &'static str| {
        Arg::new(id)
            .long(id)
            .value_name("VALUE")
            .allow_negative_numbers(true)
            .conflicts_with("values")
            .help(help)
    };
    vec![
        Arg::new("parameter")
            .long("parameter")
            .short('p')
            .value_name("ID")
            .required(true)
            .help("The parameter that varies (`subtable-lab params` prints them)"),
        Arg::new("values")
            .long("values")
            .value_name("LIST")
            .value_delimiter(',')
            .allow_negative_numbers(true)
            .required_unless_present("from")
            .help("Its values, parted by commas"),
        bound("from", "Its first value, instead of a list").requires("to"),
        bound("to", "Its last value").requires("from"),
        Arg::new("points")
            .long("points")
            .value_name("N")
            .value_parser(arguments::whole(2, 10_000))
            .default_value("9")
            .conflicts_with("values")
            .help("How many values from the first to the last"),
        Arg::new("logarithmic")
            .long("logarithmic")
            .action(ArgAction::SetTrue)
            .conflicts_with("values")
            .help("Space them by equal factors instead of equal steps"),
    ]
}

impl Plan {
    /// The plan that the flags of [`arguments`] ask for.
    pub fn new(matches: &ArgMatches, base: link::Run) -> Result<Self, SweepError> {
        let text = |id: &str| matches.get_one::<String>(id).map_or("", String::as_str);
        let number = |id: &str| matches.get_one::<u64>(id).copied().unwrap_or(1);
        let parameter = parameter(text("parameter"))?;
        let stored = match matches.get_many::<String>("values") {
            Some(list) => list
                .map(|value| parameter.parse(value))
                .collect::<Result<_, _>>()?,
            None => Range {
                parameter,
                from: text("from"),
                to: text("to"),
                points: number("points"),
                logarithmic: matches.get_flag("logarithmic"),
            }
            .values()?,
        };
        let seeds = number("seeds");
        if base
            .seed
            .checked_add(seeds - 1)
            .is_none_or(|last| last > LARGEST_SEED)
        {
            return Err(SweepError::TooManySeeds {
                first: base.seed,
                count: seeds,
            });
        }
        let mut seen = HashSet::new();
        Ok(Self {
            base,
            parameter,
            values: stored
                .into_iter()
                .filter(|value| seen.insert(*value))
                .map(|value| parameter.format(value))
                .collect(),
            seeds,
        })
    }

    /// The scenario of a value.
    pub fn scenario(&self, value: &str) -> Result<Scenario, SweepError> {
        let mut scenario = self.base.scenario.clone();
        scenario.set(self.parameter.id, value)?;
        Ok(scenario)
    }

    /// Every point there is to be.
    pub fn jobs(&self) -> impl Iterator<Item = Job> + '_ {
        self.values.iter().flat_map(|value| {
            (self.base.seed..self.base.seed + self.seeds).map(|seed| Job {
                value: value.clone(),
                seed,
            })
        })
    }

    /// The points that are not among these.
    pub fn missing(&self, points: &[Point]) -> Vec<Job> {
        let there: HashSet<Job> = points.iter().map(Point::job).collect();
        self.jobs().filter(|job| !there.contains(job)).collect()
    }
}

/// Values between two.
struct Range<'a> {
    parameter: &'static Parameter,
    from: &'a str,
    to: &'a str,
    points: u64,
    logarithmic: bool,
}

impl Range<'_> {
    /// The values in their stored form; those that are the same after rounding are there once.
    fn values(&self) -> Result<Vec<u64>, SweepError> {
        let id = self.parameter.id;
        if let Kind::Choice(_) = self.parameter.kind {
            return Err(SweepError::ChoiceHasNoRange {
                parameter: id,
                options: self.parameter.range(),
            });
        }
        let (from, to) = (
            self.parameter.parse(self.from)?,
            self.parameter.parse(self.to)?,
        );
        if to < from {
            return Err(SweepError::Backwards {
                parameter: id,
                from: self.parameter.format(from),
                to: self.parameter.format(to),
            });
        }
        if self.logarithmic && from == 0 {
            return Err(SweepError::FactorFromZero { parameter: id });
        }
        let steps = self.points - 1;
        let mut values: Vec<u64> = (0..=steps)
            .map(|step| {
                if self.logarithmic {
                    by_factor(from, to, step as f64 / steps as f64)
                } else {
                    by_step(from, to, step, steps)
                }
            })
            .collect();
        values.dedup();
        Ok(values)
    }
}

/// `from + (to - from) * step / steps`, rounded to the nearest.
fn by_step(from: u64, to: u64, step: u64, steps: u64) -> u64 {
    let way = u128::from(to - from) * u128::from(step) * 2 + u128::from(steps);
    // The share of the way is at most the whole way, which is a `u64`.
    from + u64::try_from(way / (u128::from(steps) * 2)).unwrap_or(to - from)
}

/// `from * (to / from) ^ share`, rounded to the nearest.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "lies between `from` and `to`, and is held there"
)]
fn by_factor(from: u64, to: u64, share: f64) -> u64 {
    let value = from as f64 * (to as f64 / from as f64).powf(share);
    (value.round() as u64).clamp(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(id: &str, from: &str, to: &str, points: u64, logarithmic: bool) -> String {
        let parameter = parameter(id).unwrap();
        let range = Range {
            parameter,
            from,
            to,
            points,
            logarithmic,
        };
        match range.values() {
            Ok(values) => {
                let texts: Vec<String> = values
                    .iter()
                    .map(|&value| parameter.format(value))
                    .collect();
                texts.join(" ")
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn ranges_hold_both_ends_and_no_value_twice() {
        assert_eq!(range("tmms", "1", "9", 5, false), "1 3 5 7 9");
        assert_eq!(range("tmms", "1", "3", 9, false), "1 2 3");
        assert_eq!(range("tmms", "1", "64", 7, true), "1 2 4 8 16 32 64");
        assert_eq!(
            range("hop", "0", "0.01", 5, false),
            "0 0.003 0.005 0.008 0.01"
        );
        assert_eq!(
            range("hash-key", "0", "9007199254740991", 2, false),
            "0 9007199254740991"
        );
    }

    #[test]
    fn impossible_ranges_say_why() {
        assert_eq!(
            range("hop", "0", "10", 5, true),
            "hop: equal factors cannot begin at 0; begin --from above it, or leave out --logarithmic"
        );
        assert_eq!(
            range("tmms", "8", "2", 5, false),
            "tmms: the range from 8 to 2 ends before it begins"
        );
        assert_eq!(
            range("tmms", "0", "2", 5, false),
            "tmms: 0 is outside 1 to 1024"
        );
        assert!(
            range("naming", "shared", "shared", 2, false)
                .starts_with("naming: a choice has no range")
        );
    }
}
