//! Round values for axes.

/// Round values on an axis, evenly spaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ticks {
    step: f64,
    first: f64,
    count: usize,
}

/// Multiples of a power of ten that read well.
const STEPS: [f64; 3] = [1.0, 2.0, 5.0];

impl Ticks {
    /// The finest round ticks from `from` to `to` that are at most `most`; at least two intervals are never promised.
    /// An empty or unbounded stretch has none.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most `most` steps, not negative"
    )]
    pub fn between(from: f64, to: f64, most: usize) -> Self {
        let span = to - from;
        if !span.is_finite() || span <= 0.0 || most < 2 {
            return Self {
                step: 1.0,
                first: from,
                count: 0,
            };
        }
        let rough = span / (most - 1) as f64;
        let decade = 10_f64.powf(rough.log10().floor());
        let step = STEPS
            .iter()
            .map(|multiple| multiple * decade)
            .find(|step| *step >= rough * (1.0 - 1e-9))
            .unwrap_or(decade * 10.0);
        // The small term keeps the ends in when they are ticks themselves.
        let first = (from / step - 1e-9).ceil() * step;
        let count = ((to - first) / step + 1e-9).floor().max(-1.0) + 1.0;
        Self {
            step,
            first,
            count: count as usize,
        }
    }

    /// The values.
    pub fn values(self) -> impl DoubleEndedIterator<Item = f64> + ExactSizeIterator {
        (0..self.count).map(move |index| self.first + self.step * index as f64)
    }

    /// The least tick that is not below a value.
    pub fn beyond(self, value: f64) -> f64 {
        (value / self.step - 1e-9).ceil() * self.step
    }

    /// The text of a value, with as many decimals as the step needs.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "few decimals, not negative"
    )]
    pub fn label(self, value: f64) -> String {
        let decimals = (-(self.step.log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize;
        if value.abs() < self.step * 1e-6 {
            "0".to_owned()
        } else if decimals == 0 && value >= 0.0 {
            crate::format::grouped(value.round() as u64)
        } else {
            format!("{value:.decimals$}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(from: f64, to: f64, most: usize) -> Vec<String> {
        let ticks = Ticks::between(from, to, most);
        ticks.values().map(|value| ticks.label(value)).collect()
    }

    #[test]
    fn ticks_are_round_and_not_too_many() {
        assert_eq!(
            values(0.0, 4000.0, 5),
            ["0", "1,000", "2,000", "3,000", "4,000"]
        );
        assert_eq!(values(0.0, 3300.0, 5), ["0", "1,000", "2,000", "3,000"]);
        assert_eq!(values(0.0, 0.7, 5), ["0", "0.2", "0.4", "0.6"]);
        assert_eq!(values(12.0, 37.0, 4), ["20", "30"]);
        for most in 2..12 {
            for exponent in -6..12 {
                let to = 1.7 * 10_f64.powi(exponent);
                let count = Ticks::between(0.0, to, most).values().len();
                assert!(count <= most && count >= 1, "{most} {to} {count}");
            }
        }
    }

    #[test]
    fn nothing_to_divide_has_no_ticks() {
        for (from, to) in [
            (0.0, 0.0),
            (3.0, 1.0),
            (0.0, f64::INFINITY),
            (f64::NAN, 1.0),
        ] {
            assert_eq!(Ticks::between(from, to, 5).values().len(), 0);
        }
    }

    #[test]
    fn the_tick_beyond_a_value() {
        let ticks = Ticks::between(0.0, 3300.0, 5);
        assert!((ticks.beyond(3300.0) - 4000.0).abs() < 1e-9);
        assert!((ticks.beyond(3000.0) - 3000.0).abs() < 1e-9);
    }
}
