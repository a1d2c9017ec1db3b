//! Timing things in turns, and what is said of many timings.

use std::hint::black_box;
use std::time::Instant;

/// Repeated measurements of one thing, sorted.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample(Vec<f64>);

impl Sample {
    /// The sample of these values. Values that are no numbers are left out.
    #[must_use]
    pub fn new(mut values: Vec<f64>) -> Self {
        values.retain(|value| value.is_finite());
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    /// How many measurements there are.
    #[must_use]
    pub fn n(&self) -> usize {
        self.0.len()
    }

    /// The value below which the given share of the measurements lies; 0 when there are none.
    #[must_use]
    pub fn quantile(&self, share: f64) -> f64 {
        let Some(last) = self.0.len().checked_sub(1) else {
            return 0.0;
        };
        let position = share.clamp(0.0, 1.0) * last as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index of the sample"
        )]
        let below = position as usize;
        let above = (below + 1).min(last);
        let between = position - below as f64;
        self.0[below] + (self.0[above] - self.0[below]) * between
    }

    /// The median.
    #[must_use]
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// First and third quartile.
    #[must_use]
    pub fn spread(&self) -> [f64; 2] {
        [self.quantile(0.25), self.quantile(0.75)]
    }

    /// Every value times a factor of at least 0: another unit.
    #[must_use]
    pub fn times(&self, factor: f64) -> Self {
        Self(self.0.iter().map(|value| value * factor).collect())
    }
}

/// Timings of several things that took turns: `seconds[thing][round]`.
#[derive(Clone, Debug)]
pub struct Turns(Vec<Vec<f64>>);

/// Something to be timed, which says nothing.
pub type Action<'a> = &'a mut dyn FnMut();

/// Lets every action take its turn, `rounds` times, and times each in seconds. One round more, the first, is not counted.
/// The order within a round is turned about from round to round, so that nobody always follows the same neighbour.
pub fn take_turns(rounds: usize, actions: &mut [Action]) -> Turns {
    let mut seconds = vec![Vec::with_capacity(rounds); actions.len()];
    for round in 0..=rounds {
        let mut order: Vec<usize> = (0..actions.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for thing in order {
            let started = Instant::now();
            actions[thing]();
            let took = started.elapsed().as_secs_f64();
            if round > 0 {
                seconds[thing].push(took);
            }
        }
    }
    Turns(seconds)
}

/// An action out of a function whose result must not be optimised away.
pub fn action<T>(mut function: impl FnMut() -> T) -> impl FnMut() {
    move || {
        black_box(function());
    }
}

impl Turns {
    /// The timings in seconds, thing by thing.
    #[must_use]
    pub const fn of(seconds: Vec<Vec<f64>>) -> Self {
        Self(seconds)
    }

    /// Seconds of one thing.
    #[must_use]
    pub fn seconds(&self, thing: usize) -> Sample {
        Sample::new(self.0[thing].clone())
    }

    /// How many times as long one thing took as another, round by round.
    #[must_use]
    pub fn ratio(&self, thing: usize, to: usize) -> Sample {
        Sample::new(
            self.0[thing]
                .iter()
                .zip(&self.0[to])
                .map(|(one, other)| one / other)
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_the_values() {
        let sample = Sample::new(vec![4.0, 1.0, f64::NAN, 3.0, 2.0]);
        assert_eq!(sample.n(), 4);
        assert!((sample.median() - 2.5).abs() < 1e-12);
        assert_eq!(
            sample.spread().map(f64::to_bits),
            [1.75_f64, 3.25].map(f64::to_bits)
        );
        assert!((sample.quantile(1.0) - 4.0).abs() < 1e-12);
        assert!(Sample::new(Vec::new()).median().abs() < 1e-12);
    }

    #[test]
    fn everybody_has_every_turn_and_the_first_is_not_counted() {
        let (mut first, mut second) = (0, 0);
        let turns = take_turns(5, &mut [&mut || first += 1, &mut || second += 1]);
        assert_eq!((turns.seconds(0).n(), turns.seconds(1).n()), (5, 5));
        assert_eq!((first, second), (6, 6));
    }

    #[test]
    fn ratios_are_of_neighbours_in_time() {
        // The machine becomes ten times slower half way; the ratio does not notice.
        let turns = Turns::of(vec![vec![1.0, 10.0], vec![2.0, 20.0]]);
        assert_eq!(
            turns.ratio(0, 1).spread().map(f64::to_bits),
            [0.5_f64; 2].map(f64::to_bits)
        );
    }
}
