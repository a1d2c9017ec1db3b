//! `subtable-lab links`: from a configuration to a link of the page, and back.

use std::fmt::Write as _;

use clap::{Arg, ArgMatches, Command};
use serde::Serialize;
use subtable_model::scenario::{Scenario, link};

use crate::arguments::{self, Format};
use crate::{Console, Exit, Failure, Subcommand};

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, execute };

/// Name of the JSON's schema.
pub const SCHEMA: &str = "subtable-lab/link";
/// Version of the JSON's schema.
pub const VERSION: u32 = 1;

fn command() -> Command {
    let encode = Command::new("encode")
        .about("Print the link of a configuration that is given as flags")
        .after_help(arguments::NOTE)
        .args(arguments::scenario())
        .arg(
            Arg::new("base")
                .long("base")
                .value_name("ADDRESS")
                .value_hint(clap::ValueHint::Url)
                .help("Address of the page, to go before the link"),
        );
    let decode = Command::new("decode")
        .about("Print the configuration of a link, as the flags that make it")
        .arg(
            Arg::new("address")
                .value_name("LINK")
                .required(true)
                .help("The whole address, or what follows its `#`"),
        )
        .args(Format::arguments(&[Format::Table, Format::Json]));
    Command::new("links")
        .about("Turn a configuration into a link of the page, and back")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([encode, decode])
}

fn execute(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    match matches.subcommand() {
        Some(("encode", matches)) => encode(matches, console),
        Some((_, matches)) => decode(matches, console),
        None => unreachable!("clap requires a subcommand"),
    }
}

fn encode(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let run = arguments::chosen(matches, console)?;
    let link = link::encode(&run);
    match matches.get_one::<String>("base") {
        Some(base) => writeln!(console.out, "{}#{link}", base.trim_end_matches('#'))?,
        None => writeln!(console.out, "{link}")?,
    }
    Ok(Exit::Success)
}

/// A link as JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decoded {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The [`VERSION`] of the schema.
    pub version: u32,
    /// Id of the preset.
    pub preset: &'static str,
    /// Every parameter by id.
    pub scenario: Scenario,
    /// The seed.
    pub seed: u64,
    /// What in the link cannot be used, in words.
    pub errors: Vec<String>,
}

/// What can be used of the link is printed even when a part of it cannot; the status tells.
fn decode(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let address = matches
        .get_one::<String>("address")
        .map_or("", String::as_str);
    let (mut run, errors) = link::decode(arguments::fragment(address));
    arguments::note_others(&mut run, console);
    if Format::of(matches) == Format::Json {
        let decoded = Decoded {
            schema: SCHEMA,
            version: VERSION,
            preset: run.preset.id,
            scenario: run.scenario,
            seed: run.seed,
            errors: errors.iter().map(ToString::to_string).collect(),
        };
        writeln!(console.out, "{}", serde_json::to_string_pretty(&decoded)?)?;
    } else {
        writeln!(console.out, "{}", flags(&run))?;
    }
    if errors.is_empty() {
        Ok(Exit::Success)
    } else {
        Err(Failure::Link(errors))
    }
}

/// The flags that make a run. No value that a parameter accepts needs quoting in a shell.
fn flags(run: &link::Run) -> String {
    let mut text = format!("--preset {}", run.preset.id);
    for (parameter, value) in run.scenario.changes_from(&run.preset.scenario()) {
        let _ = write!(text, " --{} {value}", parameter.id);
    }
    if run.seed != link::DEFAULT_SEED {
        let _ = write!(text, " --seed {}", run.seed);
    }
    text
}
