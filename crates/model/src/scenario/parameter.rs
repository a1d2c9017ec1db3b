//! What one row of the parameter table is: [`Parameter`], its [`Kind`] and the text form of its values.

use core::fmt;

use super::ScenarioError;

/// Fixed-point scale of decimal parameters: three decimals, so that a microsecond parameter is exact to a
/// nanosecond and no setting depends on how a platform rounds.
pub const DECIMAL_SCALE: u64 = 1000;

/// The heading under which a control stands, in the order of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// The four controls that the playground exists for.
    Cluster,
    /// How local names are looked for, and what counts as fast.
    Discovery,
    /// What is asked of the cluster.
    Workload,
    /// How entries are counted.
    Counting,
    /// Which TMM accepts and which TMM owns.
    Ownership,
    /// The load generator and the wire.
    Client,
    /// The log daemon.
    Logging,
    /// Storage: life of entries and memory.
    Storage,
    /// What each piece of work costs.
    Costs,
}

impl Group {
    /// Every group, in the order of the page.
    pub const ALL: [Self; 9] = [
        Self::Cluster,
        Self::Discovery,
        Self::Workload,
        Self::Counting,
        Self::Ownership,
        Self::Client,
        Self::Logging,
        Self::Storage,
        Self::Costs,
    ];

    /// The heading as people read it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Cluster => "Cluster and names",
            Self::Discovery => "Discovery",
            Self::Workload => "Workload",
            Self::Counting => "Counting",
            Self::Ownership => "DAG and ownership",
            Self::Client => "Client and network",
            Self::Logging => "Log daemon",
            Self::Storage => "Storage",
            Self::Costs => "Costs",
        }
    }
}

/// One option of a parameter that is chosen from a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The word used in links, on the command line and in JSON.
    pub id: &'static str,
    /// The words on the page.
    pub label: &'static str,
    /// One line of help.
    pub help: &'static str,
}

/// What values a parameter takes. Numbers are stored as integers; decimals in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Integer {
        /// Smallest value.
        min: u64,
        /// Largest value.
        max: u64,
        /// Where the slider of the page ends; larger values can be typed.
        slider: u64,
    },
    /// A number with up to three decimals, all fields in thousandths.
    Decimal {
        /// Smallest value, in thousandths.
        min: u64,
        /// Largest value, in thousandths.
        max: u64,
        /// Where the slider of the page ends, in thousandths.
        slider: u64,
    },
    /// One of a list; the stored value is the index.
    Choice(&'static [Choice]),
}

/// One row of the parameter table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The word used in links, on the command line and in JSON, in kebab case.
    pub id: &'static str,
    /// The heading under which it stands.
    pub group: Group,
    /// Its name on the page.
    pub label: &'static str,
    /// Its unit, empty for a plain count or a choice.
    pub unit: &'static str,
    /// What values it takes.
    pub kind: Kind,
    /// The stored form of its default.
    pub default: u64,
    /// One line of help: what it does, and where the default comes from when that is not plain.
    pub help: &'static str,
}

impl Parameter {
    /// Reads a value from text.
    ///
    /// # Errors
    /// [`ScenarioError`] names the parameter, the value and the range or the options.
    pub fn parse(&'static self, text: &str) -> Result<u64, ScenarioError> {
        let text = text.trim();
        match self.kind {
            Kind::Choice(options) => options
                .iter()
                .position(|option| option.id == text)
                .map(|index| index as u64)
                .ok_or_else(|| ScenarioError::UnknownChoice {
                    parameter: self,
                    value: excerpt(text),
                }),
            Kind::Integer { min, max, .. } => self.in_range(parse_fixed(text, 0), text, min, max),
            Kind::Decimal { min, max, .. } => self.in_range(parse_fixed(text, 3), text, min, max),
        }
    }

    fn in_range(
        &'static self,
        value: Option<u64>,
        text: &str,
        min: u64,
        max: u64,
    ) -> Result<u64, ScenarioError> {
        let Some(value) = value else {
            return Err(ScenarioError::NotANumber {
                parameter: self,
                value: excerpt(text),
            });
        };
        if value < min || value > max {
            return Err(ScenarioError::OutOfRange {
                parameter: self,
                value: excerpt(text),
            });
        }
        Ok(value)
    }

    /// The text of a stored value; [`Parameter::parse`] reads it back.
    #[must_use]
    pub fn format(&self, stored: u64) -> String {
        match self.kind {
            Kind::Integer { .. } => stored.to_string(),
            Kind::Decimal { .. } => format_decimal(stored),
            Kind::Choice(options) => options
                .get(usize::try_from(stored).unwrap_or(usize::MAX))
                .map_or("", |o| o.id)
                .to_string(),
        }
    }

    /// The range or the options in words, for error messages and for the documentation.
    #[must_use]
    pub fn range(&self) -> String {
        match self.kind {
            Kind::Integer { min, max, .. } => format!("{min} to {max}"),
            Kind::Decimal { min, max, .. } => {
                format!("{} to {}", format_decimal(min), format_decimal(max))
            }
            Kind::Choice(options) => {
                let ids: Vec<&str> = options.iter().map(|option| option.id).collect();
                ids.join(", ")
            }
        }
    }

    /// Whether a stored value can stand in a scenario.
    #[must_use]
    pub fn accepts(&self, stored: u64) -> bool {
        match self.kind {
            Kind::Integer { min, max, .. } | Kind::Decimal { min, max, .. } => {
                (min..=max).contains(&stored)
            }
            Kind::Choice(options) => stored < options.len() as u64,
        }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.id, self.label)
    }
}

/// Reads `digits[.digits]` with at most `decimals` decimals into an integer scaled by `10^decimals`.
fn parse_fixed(text: &str, decimals: usize) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > decimals {
        return None;
    }
    // `12.` is a slip of the finger for a decimal, but not a whole number.
    if decimals == 0 && text.contains('.') {
        return None;
    }
    let mut value: u64 = whole.parse().ok()?;
    for place in 0..decimals {
        let digit = fraction
            .as_bytes()
            .get(place)
            .map_or(0, |byte| u64::from(byte - b'0'));
        value = value.checked_mul(10)?.checked_add(digit)?;
    }
    Some(value)
}

fn format_decimal(thousandths: u64) -> String {
    let (whole, rest) = (thousandths / DECIMAL_SCALE, thousandths % DECIMAL_SCALE);
    if rest == 0 {
        return whole.to_string();
    }
    format!("{whole}.{rest:03}")
        .trim_end_matches('0')
        .to_string()
}

/// The beginning of a text from outside, so that an error message stays one line whatever was pasted.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_point_text_is_read_exactly_or_not_at_all() {
        assert_eq!(parse_fixed("7.2", 3), Some(7200));
        assert_eq!(parse_fixed("0.001", 3), Some(1));
        assert_eq!(parse_fixed("12", 0), Some(12));
        for bad in [
            "",
            ".5",
            "-1",
            "1e3",
            "1.2345",
            "NaN",
            "0x10",
            "１",
            "99999999999999999999",
        ] {
            assert_eq!(parse_fixed(bad, 3), None, "{bad}");
        }
        assert_eq!(parse_fixed("1.0", 0), None);
    }

    #[test]
    fn decimals_print_without_trailing_zeros() {
        assert_eq!(format_decimal(7200), "7.2");
        assert_eq!(format_decimal(45_000), "45");
        assert_eq!(format_decimal(1), "0.001");
    }

    #[test]
    fn an_excerpt_stays_short_and_on_one_line() {
        assert_eq!(excerpt("a\nb"), "a b");
        assert_eq!(excerpt(&"x".repeat(1000)).chars().count(), 41);
    }
}
