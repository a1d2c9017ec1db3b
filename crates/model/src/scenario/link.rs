//! The run in an address: a preset, what differs from it, and the seed.
//!
//! ```text
//! link  = [ pair *( "&" pair ) ]
//! pair  = key "=" value
//! key   = "v" | "preset" | "seed" | id of a parameter
//! value = *( ALPHA / DIGIT / "-" / "." )
//! ```
//!
//! `v` is the version of this grammar and comes first; a link without it is read as the present version. Keys that are
//! not of the model (views, compare) are left to the page: [`decode`] returns them.

use core::fmt;
use core::fmt::Write as _;

use super::{Scenario, ScenarioError, excerpt};
use crate::preset::{PRESETS, Preset};

/// Version of the grammar that [`encode`] writes.
pub const VERSION: u32 = 1;

/// Longest link that is read, in bytes.
pub const LONGEST: usize = 8192;

/// What a link says of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The preset whose story is told.
    pub preset: &'static Preset,
    /// The scenario: the preset's, with the changes.
    pub scenario: Scenario,
    /// The seed.
    pub seed: u64,
    /// Keys that are not the model's, in the order in which they stand.
    pub others: Vec<(String, String)>,
}

impl Default for Run {
    fn default() -> Self {
        let preset = &PRESETS[0];
        Self {
            preset,
            scenario: preset.scenario(),
            seed: DEFAULT_SEED,
            others: Vec::new(),
        }
    }
}

/// The seed of a link that names none.
pub const DEFAULT_SEED: u64 = 1;

/// Largest seed: every number up to it is exact in JavaScript and in JSON.
pub const LARGEST_SEED: u64 = (1 << 53) - 1;

/// What is wrong with one part of a link. The rest of the link is read all the same.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkError {
    /// The link is longer than [`LONGEST`]; none of it was read.
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// The link was made by a later version.
    UnknownVersion {
        /// What it says (shortened).
        version: String,
    },
    /// There is no such preset; the default one stands in.
    UnknownPreset {
        /// What it says (shortened).
        id: String,
    },
    /// The seed is not a whole number up to [`LARGEST_SEED`].
    BadSeed {
        /// What it says (shortened).
        value: String,
    },
    /// A parameter has a value that is not allowed; it keeps the preset's value.
    Setting(ScenarioError),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { length } => {
                write!(
                    f,
                    "the link is {length} bytes long; the longest that is read has {LONGEST}"
                )
            }
            Self::UnknownVersion { version } => {
                write!(
                    f,
                    "the link has version `{version}`; only versions up to {VERSION} can be read here"
                )
            }
            Self::UnknownPreset { id } => write!(f, "there is no preset `{id}`"),
            Self::BadSeed { value } => {
                write!(
                    f,
                    "seed: `{value}` is not a whole number from 0 to {LARGEST_SEED}"
                )
            }
            Self::Setting(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for LinkError {}

impl From<ScenarioError> for LinkError {
    fn from(error: ScenarioError) -> Self {
        Self::Setting(error)
    }
}

/// The link of a run: version, preset, every parameter that differs from the preset's, and the seed when it is not 1.
#[must_use]
pub fn encode(run: &Run) -> String {
    let mut link = format!("v={VERSION}&preset={}", run.preset.id);
    for (parameter, value) in run.scenario.changes_from(&run.preset.scenario()) {
        // Writing to a string cannot fail.
        let _ = write!(link, "&{}={value}", parameter.id);
    }
    if run.seed != DEFAULT_SEED {
        let _ = write!(link, "&seed={}", run.seed);
    }
    for (key, value) in &run.others {
        let _ = write!(link, "&{key}={value}");
    }
    link
}

/// Reads a link, with or without its `#` or `?`. Whatever is wrong with a part of it is reported, and the rest is used.
#[must_use]
pub fn decode(link: &str) -> (Run, Vec<LinkError>) {
    let mut run = Run::default();
    if link.len() > LONGEST {
        return (run, vec![LinkError::TooLong { length: link.len() }]);
    }
    let mut errors = Vec::new();
    let pairs: Vec<(&str, &str)> = link
        .trim_start_matches(['#', '?'])
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .collect();
    // The preset is the ground for the settings, wherever it stands.
    if let Some((_, id)) = pairs.iter().find(|(key, _)| *key == "preset") {
        match Preset::find(id) {
            Some(preset) => (run.preset, run.scenario) = (preset, preset.scenario()),
            None => errors.push(LinkError::UnknownPreset { id: excerpt(id) }),
        }
    }
    for (key, value) in pairs {
        if let Err(error) = apply(&mut run, key, value) {
            errors.push(error);
        }
    }
    (run, errors)
}

fn apply(run: &mut Run, key: &str, value: &str) -> Result<(), LinkError> {
    match key {
        "preset" => {}
        "v" => {
            if value
                .parse::<u32>()
                .ok()
                .is_none_or(|version| version == 0 || version > VERSION)
            {
                return Err(LinkError::UnknownVersion {
                    version: excerpt(value),
                });
            }
        }
        "seed" => {
            run.seed = parse_seed(value).ok_or_else(|| LinkError::BadSeed {
                value: excerpt(value),
            })?;
        }
        _ if super::parameter(key).is_ok() => run.scenario.set(key, value)?,
        _ => run.others.push((key.to_string(), value.to_string())),
    }
    Ok(())
}

/// Reads a seed: a whole number from 0 to [`LARGEST_SEED`].
#[must_use]
pub fn parse_seed(text: &str) -> Option<u64> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|&seed| plain && seed <= LARGEST_SEED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_holds_what_differs_from_the_preset() {
        let mut run = Run {
            preset: &PRESETS[1],
            scenario: PRESETS[1].scenario(),
            ..Run::default()
        };
        assert_eq!(encode(&run), "v=1&preset=published-discovered");
        run.scenario.set("tmms", "8").unwrap();
        run.scenario.set("hop", "45.5").unwrap();
        run.seed = 42;
        let link = encode(&run);
        assert_eq!(
            link,
            "v=1&preset=published-discovered&tmms=8&hop=45.5&seed=42"
        );
        assert_eq!(decode(&format!("#{link}")), (run, Vec::new()));
    }

    #[test]
    fn what_is_wrong_is_named_and_the_rest_is_used() {
        let (run, errors) =
            decode("#v=9&preset=nothing&tmms=9999&naming=shared&seed=-1&workers=8&<script>=1");
        let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            messages,
            [
                "there is no preset `nothing`",
                "the link has version `9`; only versions up to 1 can be read here",
                "tmms: 9999 is outside 1 to 1024",
                "seed: `-1` is not a whole number from 0 to 9007199254740991",
            ]
        );
        assert_eq!((run.scenario.workers(), run.seed), (8, DEFAULT_SEED));
        assert_eq!(run.others, [("<script>".to_string(), "1".to_string())]);
    }

    #[test]
    fn nothing_and_nonsense_are_harmless() {
        assert_eq!(decode(""), (Run::default(), Vec::new()));
        assert_eq!(decode("#&&&"), (Run::default(), Vec::new()));
        assert_eq!(
            decode(&"x".repeat(LONGEST + 1)).1,
            [LinkError::TooLong {
                length: LONGEST + 1
            }]
        );
    }
}
