//! Where a value stands on its slider: ranges that span decades are stretched where the values are small.

use subtable_model::scenario::{Kind, Parameter};

/// Places of a slider.
pub const PLACES: u32 = 1000;

/// The scale of a slider: places 0 to [`PLACES`] for the stored values `min` to `end` of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    min: u64,
    end: u64,
    /// Values up to about this far from `min` are spread evenly, those beyond by their logarithm.
    even: f64,
}

impl Scale {
    /// The scale of a number; none for a choice.
    #[must_use]
    pub fn of(parameter: &Parameter) -> Option<Self> {
        let (min, end, even) = match parameter.kind {
            Kind::Integer { min, slider, .. } => (min, slider, (min as f64).max(1.0)),
            Kind::Decimal { min, slider, .. } => (min, slider, (slider - min) as f64 / 50.0),
            Kind::Choice(_) => return None,
        };
        Some(Self { min, end, even })
    }

    /// The place of a stored value; values beyond the slider stand at its ends.
    #[must_use]
    pub fn place(&self, stored: u64) -> u32 {
        let above = stored.clamp(self.min, self.end) - self.min;
        let share = (1.0 + above as f64 / self.even).ln() / self.whole();
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share of the places: from 0 to 1000"
        )]
        let place = (share * f64::from(PLACES)).round() as u32;
        place
    }

    /// The stored value at a place, rounded to two significant digits, the ends excepted.
    #[must_use]
    pub fn value(&self, place: u32) -> u64 {
        match place {
            0 => return self.min,
            PLACES.. => return self.end,
            _ => {}
        }
        let share = f64::from(place) / f64::from(PLACES);
        let above = self.even * ((share * self.whole()).exp() - 1.0);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not negative, and a float to integer cast saturates"
        )]
        let above = above.round() as u64;
        two_digits(self.min.saturating_add(above)).clamp(self.min, self.end)
    }

    /// The nearest place in that direction at which the value differs from `stored`.
    #[must_use]
    pub fn next(&self, stored: u64, up: bool) -> u32 {
        let mut place = self.place(stored);
        while place != if up { PLACES } else { 0 } {
            place = if up { place + 1 } else { place - 1 };
            let value = self.value(place);
            if (up && value > stored) || (!up && value < stored) {
                break;
            }
        }
        place
    }

    fn whole(&self) -> f64 {
        (1.0 + (self.end - self.min) as f64 / self.even).ln()
    }
}

fn two_digits(value: u64) -> u64 {
    let mut unit = 1;
    while value / unit >= 100 {
        unit *= 10;
    }
    (value + unit / 2) / unit * unit
}

#[cfg(test)]
mod tests {
    use subtable_model::scenario::{PARAMETERS, parameter};

    use super::*;

    #[test]
    fn every_slider_reaches_both_ends_and_never_turns_back() {
        for row in PARAMETERS {
            let Some(scale) = Scale::of(row) else {
                continue;
            };
            let values: Vec<u64> = (0..=PLACES).map(|place| scale.value(place)).collect();
            assert_eq!(
                (values[0], values[PLACES as usize]),
                (scale.min, scale.end),
                "{row}"
            );
            assert!(values.is_sorted(), "{row}: {values:?}");
            assert!(values.iter().all(|&value| row.accepts(value)), "{row}");
        }
    }

    #[test]
    fn keys_reach_every_small_number_of_tmms() {
        let scale = Scale::of(parameter("tmms").unwrap()).unwrap();
        let mut value = 1;
        for expected in 2..=64 {
            value = scale.value(scale.next(value, true));
            assert_eq!(value, expected);
        }
        for expected in (1..64).rev() {
            value = scale.value(scale.next(value, false));
            assert_eq!(value, expected);
        }
    }

    #[test]
    fn a_value_beyond_the_slider_stands_at_its_end_and_can_be_brought_back() {
        let scale = Scale::of(parameter("tmms").unwrap()).unwrap();
        assert_eq!(scale.place(1024), PLACES);
        assert_eq!(scale.value(scale.next(1024, false)), 64);
    }
}
