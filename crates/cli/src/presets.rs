//! `subtable-lab presets`: the named scenarios.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use clap::{ArgMatches, Command};
use serde::Serialize;
use subtable_model::preset::{PRESETS, Preset};
use subtable_model::scenario::link::{self, DEFAULT_SEED};

use crate::arguments::Format;
use crate::{Console, Exit, Failure, Subcommand};

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, execute };

/// Name of the JSON's schema.
pub const SCHEMA: &str = "subtable-lab/presets";
/// Version of the JSON's schema.
pub const VERSION: u32 = 1;

fn command() -> Command {
    Command::new("presets")
        .about("Print the presets: named scenarios, each with what to look at")
        .args(Format::arguments(&[Format::Table, Format::Json]))
}

fn execute(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let text = if Format::of(matches) == Format::Json {
        serde_json::to_string_pretty(&described())? + "\n"
    } else {
        for_people()
    };
    console.out.write_all(text.as_bytes())?;
    Ok(Exit::Success)
}

fn for_people() -> String {
    let mut text = String::new();
    for preset in PRESETS {
        let _ = writeln!(
            text,
            "{}\n  {}. {}\n  {}",
            preset.id, preset.title, preset.says, preset.look
        );
        if !preset.fitted.is_empty() {
            let _ = writeln!(text, "  {}", preset.fitted);
        }
        let settings: Vec<String> = preset
            .settings
            .iter()
            .map(|(id, value)| format!("--{id} {value}"))
            .collect();
        let settings = if settings.is_empty() {
            "the defaults".to_string()
        } else {
            settings.join(" ")
        };
        let _ = writeln!(text, "  Is: {settings}\n");
    }
    text
}

/// The presets as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Described {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The [`VERSION`] of the schema.
    pub version: u32,
    /// The presets, in the order of the picker.
    pub presets: Vec<Row>,
}

/// One preset.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The word used in links and flags.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What one sees.
    pub says: &'static str,
    /// What to look at.
    pub look: &'static str,
    /// What was fitted to what, and what was not.
    pub fitted: &'static str,
    /// The settings that differ from the defaults, as text.
    pub settings: BTreeMap<&'static str, &'static str>,
    /// Its run as a link.
    pub link: String,
}

fn described() -> Described {
    let row = |preset: &'static Preset| Row {
        id: preset.id,
        title: preset.title,
        says: preset.says,
        look: preset.look,
        fitted: preset.fitted,
        settings: preset.settings.iter().copied().collect(),
        link: link::encode(&link::Run {
            preset,
            scenario: preset.scenario(),
            seed: DEFAULT_SEED,
            others: Vec::new(),
        }),
    };
    Described {
        schema: SCHEMA,
        version: VERSION,
        presets: PRESETS.iter().map(row).collect(),
    }
}
