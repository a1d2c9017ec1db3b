//! `subtable-lab params`: the table of parameters.

use clap::{ArgMatches, Command};
use serde::Serialize;
use serde_json::{Value, json};
use subtable_model::scenario::{DECIMAL_SCALE, Group, Kind, PARAMETERS, Parameter};

use crate::arguments::Format;
use crate::tables::Align::{Left, Right};
use crate::tables::Table;
use crate::{Console, Exit, Failure, Subcommand};

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, execute };

/// Name of the JSON's schema.
pub const SCHEMA: &str = "subtable-lab/parameters";
/// Version of the JSON's schema.
pub const VERSION: u32 = 1;

fn command() -> Command {
    Command::new("params")
        .about("Print the table of parameters: what can be set, in which range, and what it does")
        .args(Format::arguments(&[
            Format::Table,
            Format::Json,
            Format::Csv,
            Format::Markdown,
        ]))
}

fn execute(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let text = match Format::of(matches) {
        Format::Table => for_people(),
        Format::Json => serde_json::to_string_pretty(&described())? + "\n",
        Format::Csv => rows().to_csv(),
        Format::Markdown => rows().to_markdown(),
    };
    console.out.write_all(text.as_bytes())?;
    Ok(Exit::Success)
}

/// The parameters under their headings, each with its help below it.
fn for_people() -> String {
    let mut text = String::new();
    for group in Group::ALL {
        let mut table = Table::new([
            (group.title(), Left),
            ("default", Right),
            ("unit", Left),
            ("allowed", Left),
        ]);
        let mut helps = vec![String::new()];
        for parameter in PARAMETERS.iter().filter(|row| row.group == group) {
            table.push([
                format!("  {}", parameter.id),
                parameter.format(parameter.default),
                parameter.unit.to_string(),
                parameter.range(),
            ]);
            helps.push(format!("      {}\n", parameter.help));
        }
        // A heading without a parameter is not shown.
        if helps.len() > 1 {
            for (line, help) in table.to_text().lines().zip(helps) {
                text.push_str(line);
                text.push('\n');
                text.push_str(&help);
            }
            text.push('\n');
        }
    }
    text
}

fn rows() -> Table {
    let mut table = Table::new([
        ("parameter", Left),
        ("group", Left),
        ("label", Left),
        ("unit", Left),
        ("allowed", Left),
        ("default", Right),
        ("help", Left),
    ]);
    for parameter in PARAMETERS {
        table.push([
            parameter.id.to_string(),
            parameter.group.title().to_string(),
            parameter.label.to_string(),
            parameter.unit.to_string(),
            parameter.range(),
            parameter.format(parameter.default),
            parameter.help.to_string(),
        ]);
    }
    table
}

/// The table as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Described {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The [`VERSION`] of the schema.
    pub version: u32,
    /// The parameters, in the order of the page.
    pub parameters: Vec<Row>,
}

/// One parameter.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The word used in links, flags and JSON.
    pub id: &'static str,
    /// The heading under which it stands.
    pub group: &'static str,
    /// Its name on the page.
    pub label: &'static str,
    /// Its unit; empty for a plain count or a choice.
    pub unit: &'static str,
    /// `integer`, `decimal` or `choice`.
    pub kind: &'static str,
    /// Least value; `null` for a choice.
    pub min: Value,
    /// Greatest value; `null` for a choice.
    pub max: Value,
    /// The words of a choice; empty for a number.
    pub options: Vec<OptionRow>,
    /// The default: a number, or a word.
    pub default: Value,
    /// What it does, in a line.
    pub help: &'static str,
}

/// One word of a choice.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct OptionRow {
    /// The word.
    pub id: &'static str,
    /// The words on the page.
    pub label: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
}

fn described() -> Described {
    Described {
        schema: SCHEMA,
        version: VERSION,
        parameters: PARAMETERS.iter().map(row).collect(),
    }
}

fn row(parameter: &'static Parameter) -> Row {
    let value = |stored| value(parameter, stored);
    let (kind, min, max, options) = match parameter.kind {
        Kind::Integer { min, max, .. } => ("integer", value(min), value(max), Vec::new()),
        Kind::Decimal { min, max, .. } => ("decimal", value(min), value(max), Vec::new()),
        Kind::Choice(options) => {
            let options = options.iter().map(|option| OptionRow {
                id: option.id,
                label: option.label,
                help: option.help,
            });
            ("choice", Value::Null, Value::Null, options.collect())
        }
    };
    Row {
        id: parameter.id,
        group: parameter.group.title(),
        label: parameter.label,
        unit: parameter.unit,
        kind,
        min,
        max,
        options,
        default: value(parameter.default),
        help: parameter.help,
    }
}

/// The text of such a JSON value: words without quotes, whole decimals without `.0`, as a parameter prints them.
#[must_use]
pub fn plain(value: &Value) -> String {
    let text = match value {
        Value::String(word) => return word.clone(),
        other => other.to_string(),
    };
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_string(),
        None => text,
    }
}

/// A stored value as JSON: the same as in the `scenario` of a report.
#[must_use]
pub fn value(parameter: &Parameter, stored: u64) -> Value {
    match parameter.kind {
        Kind::Integer { .. } => json!(stored),
        Kind::Decimal { .. } => json!(stored as f64 / DECIMAL_SCALE as f64),
        Kind::Choice(_) => json!(parameter.format(stored)),
    }
}
