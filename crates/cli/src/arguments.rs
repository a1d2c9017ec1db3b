//! What subcommands have in common: the flags that make a scenario, and the format of the output.
//!
//! The flags of the scenario are made from the model's table of parameters when the program starts: one per row, under
//! the row's heading, with the row's help, range and default. Nothing here names a parameter.

use std::ffi::OsString;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, ArgMatches};
use subtable_model::preset::{PRESETS, Preset};
use subtable_model::scenario::link::{self, DEFAULT_SEED, LARGEST_SEED, parse_seed};
use subtable_model::scenario::{Kind, PARAMETERS, Parameter, ScenarioError};

use crate::{Console, Failure};

/// A format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Table,
    /// For programs; the shape is versioned.
    Json,
    /// For spreadsheets.
    Csv,
    /// For documentation.
    Markdown,
}

impl Format {
    const fn id(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Markdown => "markdown",
        }
    }

    /// `--format` with these formats, the first one being the default, and `--json` for short.
    #[must_use]
    pub fn arguments(formats: &'static [Self]) -> [Arg; 2] {
        let ids = formats.iter().map(|format| format.id());
        let parser = PossibleValuesParser::new(ids).map(|id| {
            let formats = [Self::Table, Self::Json, Self::Csv, Self::Markdown];
            formats
                .into_iter()
                .find(|format| format.id() == id)
                .unwrap_or(Self::Table)
        });
        [
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(parser)
                .default_value(formats.first().map_or("", |format| format.id()))
                .help("Format of the output"),
            Arg::new("json")
                .long("json")
                .action(ArgAction::SetTrue)
                .conflicts_with("format")
                .help("The same as --format json"),
        ]
    }

    /// The format that was asked for.
    #[must_use]
    pub fn of(matches: &ArgMatches) -> Self {
        if matches.get_flag("json") {
            return Self::Json;
        }
        *matches.get_one("format").unwrap_or(&Self::Table)
    }
}

/// What the help of the scenario's flags cannot say at each of them.
pub const NOTE: &str = "A parameter that no flag names has the value of the preset or of the link, and else the usual one.";

/// The flags that make a scenario: `--preset` or `--link`, one flag per parameter, and `--seed`.
#[must_use]
pub fn scenario() -> Vec<Arg> {
    let mut arguments = vec![
        preset(),
        Arg::new("link")
            .long("link")
            .value_name("LINK")
            .conflicts_with("preset")
            .help("Begin with a link of the page: the whole address, or what follows its `#`"),
        seed(),
    ];
    arguments.extend(PARAMETERS.iter().map(flag));
    arguments
}

/// `--seed`.
#[must_use]
pub fn seed() -> Arg {
    Arg::new("seed")
        .long("seed")
        .value_name("N")
        .allow_negative_numbers(true)
        .value_parser(|text: &str| {
            parse_seed(text).ok_or_else(|| format!("the seed is a whole number from 0 to {LARGEST_SEED}"))
        })
        .help(format!(
            "Seed of all chance; the same scenario and seed give the same run everywhere [default: {DEFAULT_SEED}]"
        ))
}

fn preset() -> Arg {
    let ids = PRESETS
        .iter()
        .map(|preset| PossibleValue::new(preset.id).help(preset.title));
    Arg::new("preset")
        .long("preset")
        .value_name("ID")
        .value_parser(PossibleValuesParser::new(ids))
        .help(format!(
            "Begin with a preset's values; the flags below change them [default: {}]",
            PRESETS[0].id
        ))
}

fn flag(parameter: &'static Parameter) -> Arg {
    let argument = Arg::new(parameter.id)
        .long(parameter.id)
        .help_heading(parameter.group.title())
        .allow_negative_numbers(true);
    let default = parameter.format(parameter.default);
    match parameter.kind {
        Kind::Choice(options) => {
            let values = options
                .iter()
                .map(|option| PossibleValue::new(option.id).help(option.help));
            argument
                .value_name("WORD")
                .value_parser(PossibleValuesParser::new(values))
                .help(format!("{} [usually {default}]", parameter.help))
        }
        Kind::Integer { .. } | Kind::Decimal { .. } => argument
            .value_name(value_name(parameter))
            .value_parser(move |text: &str| checked(parameter, text))
            .help(format!(
                "{} [{}, usually {default}]",
                parameter.help,
                parameter.range()
            )),
    }
}

fn value_name(parameter: &Parameter) -> String {
    if parameter.unit.is_empty() {
        "N".to_string()
    } else {
        parameter.unit.to_uppercase()
    }
}

/// The text of a value that the parameter accepts.
fn checked(parameter: &'static Parameter, text: &str) -> Result<String, ScenarioError> {
    parameter.parse(text).map(|stored| parameter.format(stored))
}

/// The run that the flags of [`scenario`] ask for: the preset's or the link's, changed by the flags.
///
/// # Errors
/// [`Failure::Link`] with everything in the link that cannot be used.
pub fn chosen(matches: &ArgMatches, console: &mut Console<'_>) -> Result<link::Run, Failure> {
    let text = |id: &str| matches.get_one::<String>(id).map(String::as_str);
    let mut run = match text("link") {
        Some(link) => read_link(link, console)?,
        None => link::Run::default(),
    };
    if let Some(preset) = text("preset").and_then(Preset::find) {
        run.preset = preset;
        run.scenario = preset.scenario();
    }
    for parameter in PARAMETERS {
        if let Some(value) = text(parameter.id) {
            run.scenario.set(parameter.id, value)?;
        }
    }
    if let Some(seed) = matches.get_one::<u64>("seed") {
        run.seed = *seed;
    }
    Ok(run)
}

/// Reads a link, all or nothing. Keys of the page are none of ours, but one of them may be a slip of the pen, so they are
/// named in a note.
///
/// # Errors
/// [`Failure::Link`] with everything in the link that cannot be used.
pub fn read_link(text: &str, console: &mut Console<'_>) -> Result<link::Run, Failure> {
    let (mut run, errors) = link::decode(fragment(text));
    if !errors.is_empty() {
        return Err(Failure::Link(errors));
    }
    note_others(&mut run, console);
    Ok(run)
}

/// Takes the keys that are not the model's out of a run, and says so.
pub(crate) fn note_others(run: &mut link::Run, console: &mut Console<'_>) {
    if !run.others.is_empty() {
        let keys: Vec<String> = run
            .others
            .drain(..)
            .map(|(key, _)| format!("`{}`", key.escape_debug()))
            .collect();
        console.note(format_args!(
            "in the link, {} {} not of the model and left out",
            keys.join(", "),
            if keys.len() == 1 { "is" } else { "are" }
        ));
    }
}

/// What follows the `#` of an address, or its `?`, or all of it.
#[must_use]
pub fn fragment(address: &str) -> &str {
    let address = address.trim();
    let (_, after) = address
        .split_once('#')
        .or_else(|| address.split_once('?'))
        .unwrap_or(("", address));
    after
}

/// The arguments of a shell, for the completions of values that are files.
pub(crate) fn file(id: &'static str, value_name: &'static str) -> Arg {
    Arg::new(id)
        .long(id)
        .value_name(value_name)
        .value_hint(clap::ValueHint::FilePath)
        .value_parser(
            clap::builder::OsStringValueParser::new()
                .map(|name: OsString| std::path::PathBuf::from(name)),
        )
}

/// A whole number in a range, as an argument's value; the message names the range.
pub(crate) fn whole(least: u64, most: u64) -> impl Fn(&str) -> Result<u64, String> + Clone {
    move |text: &str| {
        text.parse()
            .ok()
            .filter(|value| (least..=most).contains(value))
            .ok_or_else(|| format!("a whole number from {least} to {most} is needed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fragment_of_an_address_is_found() {
        for address in [
            "https://example.org/lab/#v=1&tmms=8",
            "#v=1&tmms=8",
            "?v=1&tmms=8",
            " v=1&tmms=8\n",
        ] {
            assert_eq!(fragment(address), "v=1&tmms=8", "{address}");
        }
    }

    #[test]
    fn every_parameter_has_a_flag_under_its_heading() {
        let flags = scenario();
        for parameter in PARAMETERS {
            let flag = flags
                .iter()
                .find(|flag| flag.get_long() == Some(parameter.id));
            let heading = flag.and_then(Arg::get_help_heading);
            assert_eq!(heading, Some(parameter.group.title()), "{parameter}");
        }
    }
}
