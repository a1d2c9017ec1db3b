//! `subtable-lab fidelity`: every published figure beside the model's, over many seeds.

use clap::{Arg, ArgMatches, Command, value_parser};
use rayon::prelude::*;
use serde::Serialize;
use subtable_model::fidelity::{Figure, figures};
use subtable_model::preset::Preset;
use subtable_model::run;

use crate::arguments::Format;
use crate::tables::Align::{Left, Right};
use crate::tables::{Table, grouped};
use crate::{Console, Exit, Failure, Subcommand};

/// The subcommand.
pub const SUBCOMMAND: Subcommand = Subcommand { command, execute };

/// Name of the JSON's schema.
pub const SCHEMA: &str = "subtable-lab/fidelity";
/// Version of the JSON's schema.
pub const VERSION: u32 = 1;

fn command() -> Command {
    Command::new("fidelity")
        .about("Compare every published figure with the model's, over many seeds")
        .arg(
            Arg::new("seeds")
                .long("seeds")
                .value_name("N")
                .help("Seeds of each preset: 1 to N")
                .value_parser(value_parser!(u64).range(1..=100_000))
                .default_value("200"),
        )
        .args(Format::arguments(&[Format::Table, Format::Json]))
}

fn execute(matches: &ArgMatches, console: &mut Console<'_>) -> Result<Exit, Failure> {
    let seeds = *matches.get_one::<u64>("seeds").unwrap_or(&200);
    let compared = compare(seeds);
    let text = if Format::of(matches) == Format::Json {
        serde_json::to_string_pretty(&compared)? + "\n"
    } else {
        for_people(&compared)
    };
    console.out.write_all(text.as_bytes())?;
    Ok(Exit::Success)
}

/// All figures compared, as JSON.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The [`VERSION`] of the schema.
    pub version: u32,
    /// Seeds of each preset.
    pub seeds: u64,
    /// Figures that are inside.
    pub inside: usize,
    /// Every figure.
    pub figures: Vec<Row>,
}

/// One figure compared.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Preset, place and quantity.
    pub id: String,
    /// How it is compared: `statistical`, `heavy-tail` or `range`.
    pub kind: &'static str,
    /// The published value; of a range, its middle.
    pub published: f64,
    /// The model's median over the seeds.
    pub median: f64,
    /// Lower end of what counts as inside.
    pub low: f64,
    /// Upper end of what counts as inside.
    pub high: f64,
    /// Whether it is inside.
    pub inside: bool,
    /// Of a figure that the model is known not to give: what is known of why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_explained: Option<&'static str>,
}

/// Runs every preset that has published figures under the seeds 1 to `seeds`, in parallel, and compares.
#[must_use]
pub fn compare(seeds: u64) -> Compared {
    let figures = figures();
    let mut rows = Vec::with_capacity(figures.len());
    // Preset by preset, so that only the measured values of one are in memory.
    let mut presets: Vec<&'static Preset> = figures.iter().map(|figure| figure.preset).collect();
    presets.dedup_by_key(|preset| preset.id);
    presets.sort_by_key(|preset| preset.id);
    presets.dedup_by_key(|preset| preset.id);
    for preset in presets {
        let of_preset: Vec<&Figure> = figures
            .iter()
            .filter(|figure| figure.preset.id == preset.id)
            .collect();
        let scenario = preset.scenario();
        let measured: Vec<Vec<f64>> = (1..=seeds)
            .into_par_iter()
            .map(|seed| {
                let snapshot = run(&scenario, seed);
                of_preset
                    .iter()
                    .map(|figure| figure.measure(&snapshot))
                    .collect()
            })
            .collect();
        for (index, figure) in of_preset.iter().enumerate() {
            let values: Vec<f64> = measured.iter().map(|run| run[index]).collect();
            let comparison = figure.compare(&values);
            rows.push(Row {
                id: figure.id.clone(),
                kind: figure.kind.id(),
                published: figure.published,
                median: comparison.median,
                low: comparison.low,
                high: comparison.high,
                inside: comparison.inside,
                not_explained: figure.not_explained,
            });
        }
    }
    let inside = rows.iter().filter(|row| row.inside).count();
    Compared {
        schema: SCHEMA,
        version: VERSION,
        seeds,
        inside,
        figures: rows,
    }
}

fn for_people(compared: &Compared) -> String {
    let mut table = Table::new([
        ("figure", Left),
        ("compared as", Left),
        ("published", Right),
        ("simulated median", Right),
        ("low", Right),
        ("high", Right),
        ("", Left),
    ]);
    for row in &compared.figures {
        let number = |value: f64| grouped(value, usize::from(value < 1000.0));
        table.push([
            row.id.clone(),
            row.kind.to_string(),
            number(row.published),
            number(row.median),
            number(row.low),
            number(row.high),
            if row.inside { "inside" } else { "OUTSIDE" }.to_string(),
        ]);
    }
    format!(
        "{}\n{}{} of {} figures inside, over {} seeds.\n\
         Statistical: published value in the central 95 % of the model's. Heavy tail: within a factor of 2 of the\n\
         median. Range: median inside the published range.\n",
        table.to_text(),
        reasons(&compared.figures),
        compared.inside,
        compared.figures.len(),
        compared.seeds
    )
}

/// A line for each reason why figures are outside.
fn reasons(figures: &[Row]) -> String {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for row in figures.iter().filter(|row| !row.inside) {
        // With few seeds the range that counts as inside is narrow.
        let reason = row.not_explained.unwrap_or("More seeds may tell.");
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, ids)) => ids.push(&row.id),
            None => reasons.push((reason, vec![&row.id])),
        }
    }
    let lines = reasons
        .iter()
        .map(|(reason, ids)| format!("Outside: {}. {reason}\n", ids.join(", ")));
    lines.collect::<Vec<_>>().concat()
}
