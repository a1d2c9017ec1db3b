//! What a reader can take out of a chart, and put back.

use subtable_model::results::Part;

/// Something of a chart that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Series {
    /// Writes per second of the run.
    Writes,
    /// Its log lines per second.
    LogLines,
    /// Its dropped lines per second.
    Dropped,
    /// The run to compare with.
    Other,
    /// The band of many seeds.
    Band,
    /// Published figures.
    Published,
    /// Local writes.
    Local,
    /// Remote writes.
    Remote,
    /// The median of many seeds.
    Median,
    /// A part of a request's time, by its number in [`Part::ALL`].
    Part(u8),
}

/// What has a number of its own, before the parts.
const NAMED: [Series; 9] = [
    Series::Writes,
    Series::LogLines,
    Series::Dropped,
    Series::Other,
    Series::Band,
    Series::Published,
    Series::Local,
    Series::Remote,
    Series::Median,
];

impl Series {
    /// Its number: different for each.
    #[must_use]
    pub fn number(self) -> u8 {
        let parts = u8::try_from(NAMED.len()).unwrap_or(u8::MAX);
        match self {
            Self::Part(part) => parts + part,
            named => NAMED
                .iter()
                .position(|one| *one == named)
                .and_then(|place| u8::try_from(place).ok())
                .unwrap_or(0),
        }
    }

    /// The one with that number.
    #[must_use]
    pub fn of(number: u8) -> Option<Self> {
        let place = usize::from(number);
        match NAMED.get(place) {
            Some(named) => Some(*named),
            None if place - NAMED.len() < Part::COUNT => {
                Some(Self::Part(u8::try_from(place - NAMED.len()).ok()?))
            }
            None => None,
        }
    }

    /// With its name and its colour.
    pub(crate) fn entry(self, name: impl Into<String>, colour: &'static str) -> Entry {
        Entry {
            series: self,
            name: name.into(),
            colour,
        }
    }
}

/// What a legend says of something that can be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub series: Series,
    /// Its name.
    pub name: String,
    /// Its colour: `local`, `remote`, `log`, `published`, or `other` for greys.
    pub colour: &'static str,
}

/// What is left out of a chart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hidden(u32);

impl Hidden {
    /// Nothing is left out.
    pub const NOTHING: Self = Self(0);

    /// Whether that is left out.
    #[must_use]
    pub fn hides(self, series: Series) -> bool {
        self.0 >> series.number() & 1 == 1
    }

    /// Leaves that out, or puts it back.
    pub fn toggle(&mut self, series: Series) {
        self.0 ^= 1 << series.number();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_series_has_a_number_of_its_own() {
        let mut hidden = Hidden::NOTHING;
        let mut count = 0;
        while let Some(series) = Series::of(count) {
            assert_eq!(series.number(), count);
            assert!(!hidden.hides(series), "{series:?}");
            hidden.toggle(series);
            assert!(hidden.hides(series), "{series:?}");
            count += 1;
        }
        assert_eq!(usize::from(count), NAMED.len() + Part::COUNT);
        hidden.toggle(Series::Local);
        assert!(!hidden.hides(Series::Local) && hidden.hides(Series::Remote));
    }
}
