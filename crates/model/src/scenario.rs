//! A validated configuration of the model, made from the one table of parameters.
//!
//! A [`Scenario`] outside its ranges cannot be constructed: every way in goes through [`Parameter::parse`] or
//! [`Parameter::accepts`].

mod choices;
mod error;
pub mod link;
mod parameter;
mod table;

pub use choices::{
    Arrivals, Connection, Count, DagMode, Naming, Placement, PortOrder, Reading, Sending, Spread,
    Workload,
};
pub use error::ScenarioError;
pub(crate) use parameter::excerpt;
pub use parameter::{Choice, DECIMAL_SCALE, Group, Kind, Parameter};
use serde::ser::{Serialize, SerializeMap, Serializer};
pub use table::PARAMETERS;

/// A validated set of values, one for each row of [`PARAMETERS`].
///
/// ```
/// use subtable_model::scenario::Scenario;
///
/// let mut scenario = Scenario::default();
/// scenario.set("tmms", "8")?;
/// assert_eq!(scenario.tmms(), 8);
///
/// let error = scenario.set("tmms", "5000").unwrap_err();
/// assert_eq!(error.to_string(), "tmms: 5000 is outside 1 to 1024");
/// assert_eq!(scenario.tmms(), 8);
/// # Ok::<(), subtable_model::scenario::ScenarioError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scenario {
    values: [u64; PARAMETERS.len()],
}

impl Default for Scenario {
    fn default() -> Self {
        let mut values = [0; PARAMETERS.len()];
        for (value, parameter) in values.iter_mut().zip(PARAMETERS) {
            *value = parameter.default;
        }
        Self { values }
    }
}

impl Scenario {
    /// Sets one parameter from text.
    ///
    /// # Errors
    /// [`ScenarioError`] when there is no such parameter or the value is not allowed; the scenario is then unchanged.
    pub fn set(&mut self, id: &str, text: &str) -> Result<(), ScenarioError> {
        let index = index_of(id)?;
        self.values[index] = PARAMETERS[index].parse(text)?;
        Ok(())
    }

    /// The text of one parameter's value.
    ///
    /// # Errors
    /// [`ScenarioError::UnknownParameter`] when there is no such parameter.
    pub fn get(&self, id: &str) -> Result<String, ScenarioError> {
        let index = index_of(id)?;
        Ok(PARAMETERS[index].format(self.values[index]))
    }

    /// Every parameter with its stored value, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Parameter, u64)> + '_ {
        PARAMETERS.iter().zip(self.values)
    }

    /// The parameters whose values differ from those of `base`, with their text.
    pub fn changes_from<'a>(
        &'a self,
        base: &'a Self,
    ) -> impl Iterator<Item = (&'static Parameter, String)> + 'a {
        self.iter()
            .zip(base.values)
            .filter(|((_, value), other)| value != other)
            .map(|((parameter, value), _)| (parameter, parameter.format(value)))
    }
}

/// The row of a parameter.
///
/// # Errors
/// [`ScenarioError::UnknownParameter`] when there is no such parameter.
pub fn parameter(id: &str) -> Result<&'static Parameter, ScenarioError> {
    Ok(&PARAMETERS[index_of(id)?])
}

fn index_of(id: &str) -> Result<usize, ScenarioError> {
    PARAMETERS
        .iter()
        .position(|parameter| parameter.id == id)
        .ok_or_else(|| ScenarioError::UnknownParameter { id: excerpt(id) })
}

/// A map from id to value: numbers as numbers, choices as words.
impl Serialize for Scenario {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(PARAMETERS.len()))?;
        for (parameter, value) in self.iter() {
            match parameter.kind {
                Kind::Integer { .. } => map.serialize_entry(parameter.id, &value)?,
                Kind::Decimal { .. } => {
                    map.serialize_entry(parameter.id, &(value as f64 / DECIMAL_SCALE as f64))?;
                }
                Kind::Choice(_) => map.serialize_entry(parameter.id, &parameter.format(value))?,
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_sound() {
        for (index, parameter) in PARAMETERS.iter().enumerate() {
            assert!(parameter.accepts(parameter.default), "{parameter}");
            assert_eq!(
                index_of(parameter.id),
                Ok(index),
                "two rows are called {}",
                parameter.id
            );
            assert!(
                parameter
                    .id
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b == b'-'),
                "{parameter}"
            );
            assert!(
                !parameter.label.is_empty() && parameter.help.ends_with(['.', ')']),
                "{parameter}"
            );
            if let Kind::Integer { min, max, slider } | Kind::Decimal { min, max, slider } =
                parameter.kind
            {
                assert!(min < slider && slider <= max, "{parameter}");
            }
        }
    }

    #[test]
    fn values_survive_the_way_through_text() {
        let scenario = Scenario::default();
        for (parameter, value) in scenario.iter() {
            assert_eq!(
                parameter.parse(&parameter.format(value)),
                Ok(value),
                "{parameter}"
            );
        }
    }

    #[test]
    fn a_refused_setting_names_parameter_value_and_range() {
        let mut scenario = Scenario::default();
        let before = scenario.clone();
        let message = |error: ScenarioError| error.to_string();
        assert_eq!(
            message(scenario.set("naming", "clever").unwrap_err()),
            "naming: `clever` is not one of deterministic, random-probe, random-unprobed, deterministic-probed, shared, minimum-of, per-session, spread"
        );
        assert_eq!(
            message(scenario.set("hop", "-3").unwrap_err()),
            "hop: `-3` is not a number with at most three decimals; allowed: 0 to 100000 us"
        );
        assert_eq!(
            message(scenario.set("colour", "red").unwrap_err()),
            "there is no parameter `colour`"
        );
        assert_eq!(scenario, before);
    }
}
