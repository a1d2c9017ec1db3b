//! How fast a run plays: from slow motion, in which single messages are seen, to as fast as it goes.

use serde::{Deserialize, Serialize};

/// What the worker does with the run that it has.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pace {
    /// Nothing, until it is told to step or to go on.
    Paused,
    /// That many simulated seconds in a second.
    Rate(f64),
    /// As fast as it goes.
    Full,
}

/// A place on the speed slider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed(usize);

/// Slow motion as 1/n of real time, then real time, then multiples of it; the last place is "as fast as it goes".
const SLOWER: [u32; 12] = [10_000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2];
const FASTER: [u32; 7] = [1, 2, 5, 10, 25, 50, 100];

impl Speed {
    /// As fast as it goes.
    pub const FULL: Self = Self(SLOWER.len() + FASTER.len());
    /// The published broken run takes eight to ten seconds at this speed.
    pub const DEFAULT: Self = Self(SLOWER.len() + 4);

    /// The speed at a place of the slider; places beyond its end mean the end.
    #[must_use]
    pub fn at(place: usize) -> Self {
        Self(place.min(Self::FULL.0))
    }

    /// The place on the slider.
    #[must_use]
    pub const fn place(self) -> usize {
        self.0
    }

    /// What the worker is told.
    #[must_use]
    pub fn pace(self) -> Pace {
        if let Some(&divisor) = SLOWER.get(self.0) {
            return Pace::Rate(1.0 / f64::from(divisor));
        }
        FASTER
            .get(self.0 - SLOWER.len())
            .map_or(Pace::Full, |&factor| Pace::Rate(f64::from(factor)))
    }

    /// Whether single messages can be followed by eye.
    #[must_use]
    pub fn is_slow_motion(self) -> bool {
        SLOWER.get(self.0).is_some_and(|&divisor| divisor >= 100)
    }

    /// In words, short enough to stand beside the slider.
    #[must_use]
    pub fn words(self) -> String {
        if let Some(&divisor) = SLOWER.get(self.0) {
            return format!("1 s: {}", shown_in_a_second(divisor));
        }
        match FASTER.get(self.0 - SLOWER.len()) {
            Some(1) => "real time".to_owned(),
            Some(factor) => format!("×{factor}"),
            None => "max".to_owned(),
        }
    }

    /// In words, for those who hear them.
    #[must_use]
    pub fn spoken(self) -> String {
        if let Some(&divisor) = SLOWER.get(self.0) {
            return format!(
                "slow motion: one second shows {}, {divisor} times slower than real time",
                shown_in_a_second(divisor)
            );
        }
        match FASTER.get(self.0 - SLOWER.len()) {
            Some(1) => "real time".to_owned(),
            Some(factor) => format!("{factor} times real time"),
            None => "as fast as it goes".to_owned(),
        }
    }
}

/// The simulated time that a second shows, when it is slower by a factor.
fn shown_in_a_second(divisor: u32) -> String {
    match 1_000_000 / divisor {
        microseconds @ 0..1000 => format!("{microseconds} µs"),
        microseconds => format!("{} ms", microseconds / 1000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slider_only_ever_gets_faster() {
        let rates: Vec<f64> = (0..=Speed::FULL.place())
            .map(|place| match Speed::at(place).pace() {
                Pace::Rate(rate) => rate,
                Pace::Full => f64::INFINITY,
                Pace::Paused => 0.0,
            })
            .collect();
        assert!(rates.is_sorted_by(|a, b| a < b), "{rates:?}");
        assert_eq!(Speed::at(usize::MAX), Speed::FULL);
    }

    #[test]
    fn every_speed_has_words() {
        assert_eq!(Speed::DEFAULT.words(), "×25");
        assert_eq!(Speed::FULL.words(), "max");
        assert_eq!(Speed::at(0).words(), "1 s: 100 µs");
        assert_eq!(Speed::at(3).words(), "1 s: 1 ms");
        assert!(Speed::at(0).spoken().contains("one second shows 100 µs"));
        assert!(Speed::at(0).is_slow_motion() && !Speed::DEFAULT.is_slow_motion());
    }
}
