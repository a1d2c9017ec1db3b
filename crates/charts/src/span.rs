//! Stretches of an axis: what is shown of it, where that lies in the picture, and how it is made shorter and longer.

/// A stretch of an axis, in the measure in which the axis is even: seconds of a linear one, decades of a logarithmic one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Its beginning.
    pub from: f64,
    /// Its end.
    pub to: f64,
}

/// The shortest stretch that can be shown, as a share of the whole axis.
const SHORTEST: f64 = 1.0 / 1024.0;

impl Span {
    /// From one value to a greater one.
    #[must_use]
    pub const fn new(from: f64, to: f64) -> Self {
        Self { from, to }
    }

    /// How long it is.
    #[must_use]
    pub fn length(self) -> f64 {
        self.to - self.from
    }

    /// Whether it has two ends, one after the other.
    #[must_use]
    pub fn is_proper(self) -> bool {
        self.from.is_finite() && self.to.is_finite() && self.to > self.from
    }

    /// Whether a value lies in it.
    #[must_use]
    pub fn holds(self, value: f64) -> bool {
        (self.from..=self.to).contains(&value)
    }

    /// The stretch that is `factor` times as long and has `about` at the same share of its length; inside `whole`.
    #[must_use]
    pub fn scaled(self, about: f64, factor: f64, whole: Self) -> Self {
        let about = about.clamp(self.from, self.to);
        Self {
            from: about - (about - self.from) * factor,
            to: about + (self.to - about) * factor,
        }
        .within(whole)
    }

    /// The same length, further on by a share of it; inside `whole`.
    #[must_use]
    pub fn moved(self, share: f64, whole: Self) -> Self {
        let by = self.length() * share;
        Self::new(self.from + by, self.to + by).within(whole)
    }

    /// The stretch between two values in any order; inside `whole`.
    #[must_use]
    pub fn between(one: f64, other: f64, whole: Self) -> Self {
        Self::new(one.min(other), one.max(other)).within(whole)
    }

    /// The stretch of that length, or the nearest one that is allowed, moved into `whole`.
    #[must_use]
    pub fn within(self, whole: Self) -> Self {
        if !whole.is_proper() || !self.from.is_finite() || !self.to.is_finite() {
            return whole;
        }
        let shortest = whole.length() * SHORTEST;
        let length = self.length().clamp(shortest, whole.length());
        let middle = f64::midpoint(self.from, self.to);
        let from = (middle - length / 2.0).clamp(whole.from, whole.to - length);
        Self::new(from, (from + length).min(whole.to))
    }

    /// Whether it is all of `whole`, but for rounding.
    #[must_use]
    pub fn covers(self, whole: Self) -> bool {
        self.length() >= whole.length() * (1.0 - 1e-9)
    }
}

/// How an axis that can be zoomed lies in a picture, from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Along {
    /// Its left end, in CSS pixels.
    pub start: f64,
    /// Its right end, in CSS pixels.
    pub end: f64,
    /// What is shown of it.
    pub shown: Span,
    /// All that there is.
    pub whole: Span,
}

impl Along {
    /// The value at a place, in CSS pixels; never one that is not shown.
    #[must_use]
    pub fn value(&self, x: f64) -> f64 {
        let width = (self.end - self.start).max(1e-9);
        let share = ((x - self.start) / width).clamp(0.0, 1.0);
        self.shown.from + self.shown.length() * share
    }

    /// The place of a value, in CSS pixels; none when it is not shown.
    #[must_use]
    pub fn place(&self, value: f64) -> Option<f64> {
        let share = (value - self.shown.from) / self.shown.length();
        (-1e-9..=1.0 + 1e-9)
            .contains(&share)
            .then(|| self.start + (self.end - self.start) * share.clamp(0.0, 1.0))
    }

    /// What is shown when two places, in CSS pixels, are pulled to two others: the values under the fingers stay under them.
    #[must_use]
    pub fn pinched(&self, from: (f64, f64), to: (f64, f64)) -> Span {
        /// Fingers nearer than this are taken to be this far apart, in CSS pixels.
        const NEAREST: f64 = 8.0;
        let apart = |(a, b): (f64, f64)| (b - a).abs().max(NEAREST);
        let middle = |(a, b): (f64, f64)| f64::midpoint(a, b);
        let width = (self.end - self.start).max(1e-9);
        let to_value = self.shown.length() / width;
        let held = self.shown.from + (middle(from) - self.start) * to_value;
        let length = self.shown.length() * apart(from) / apart(to);
        let start = held - (middle(to) - self.start) / width * length;
        Span::new(start, start + length).within(self.whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Span = Span::new(0.0, 10.0);
    const ALONG: Along = Along {
        start: 40.0,
        end: 240.0,
        shown: Span::new(2.0, 6.0),
        whole: WHOLE,
    };

    fn near(one: Span, other: Span) -> bool {
        (one.from - other.from).abs() < 1e-9 && (one.to - other.to).abs() < 1e-9
    }

    #[test]
    fn values_and_places_are_each_other_s() {
        for x in [40.0, 41.5, 120.0, 239.0, 240.0] {
            let place = ALONG.place(ALONG.value(x));
            assert!(place.is_some_and(|place| (place - x).abs() < 1e-9), "{x}");
        }
        assert_eq!(ALONG.place(1.9), None);
        assert_eq!(ALONG.place(6.1), None);
        assert!((ALONG.value(0.0) - 2.0).abs() < 1e-9, "held at the edge");
        assert!((ALONG.value(900.0) - 6.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_zoomed_about_stays_where_it_is() {
        let zoomed = WHOLE.scaled(2.0, 0.5, WHOLE);
        assert!(near(zoomed, Span::new(1.0, 6.0)), "{zoomed:?}");
        let again = zoomed.scaled(6.0, 0.5, WHOLE);
        assert!(near(again, Span::new(3.5, 6.0)), "{again:?}");
    }

    #[test]
    fn no_stretch_is_outside_the_axis_or_too_short_to_see() {
        assert!(near(Span::new(2.0, 3.0).scaled(2.5, 100.0, WHOLE), WHOLE));
        assert!(Span::new(2.0, 3.0).scaled(2.5, 100.0, WHOLE).covers(WHOLE));
        assert!(near(
            Span::new(8.0, 10.0).moved(0.5, WHOLE),
            Span::new(8.0, 10.0)
        ));
        assert!(near(
            Span::new(4.0, 6.0).moved(-0.5, WHOLE),
            Span::new(3.0, 5.0)
        ));
        let least = Span::between(5.0, 5.0, WHOLE);
        assert!((least.length() - 10.0 / 1024.0).abs() < 1e-9, "{least:?}");
        assert!(near(Span::between(7.0, 3.0, WHOLE), Span::new(3.0, 7.0)));
        assert!(near(Span::new(f64::NAN, 1.0).within(WHOLE), WHOLE));
        assert!(near(
            Span::new(-5.0, -4.0).within(WHOLE),
            Span::new(0.0, 1.0)
        ));
    }

    #[test]
    fn values_stay_under_the_fingers() {
        let from = (80.0, 160.0);
        let to = (60.0, 220.0);
        let shown = ALONG.pinched(from, to);
        let now = Along { shown, ..ALONG };
        for (from, to) in [(from.0, to.0), (from.1, to.1)] {
            assert!(
                (ALONG.value(from) - now.value(to)).abs() < 1e-9,
                "{shown:?}"
            );
        }
        assert!(near(
            ALONG.pinched((100.0, 120.0), (110.0, 110.0)).within(WHOLE),
            WHOLE
        ));
        let held = ALONG.pinched((100.0, 140.0), (100.0, 140.0));
        assert!(near(held, ALONG.shown), "{held:?}");
    }
}
