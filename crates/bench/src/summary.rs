//! What was measured: kept as JSON, shown as a table on the terminal and in the README.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use crate::figure::{self, Definition, FIGURES, Goal};
use crate::machine::{self, Machine};
use crate::measure::Sample;

/// One measured figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The median, or the one value there is.
    pub value: f64,
    /// Its unit; `x` is a ratio.
    pub unit: String,
    /// What it should be, if that was said.
    pub goal: Option<Goal>,
    /// Whether it is so.
    pub met: Option<bool>,
    /// First and third quartile, when it was measured more than once.
    pub spread: Option<[f64; 2]>,
    /// How often it was measured.
    pub n: usize,
    /// The day.
    pub date: String,
    /// The machine's load when the measuring began: processes that wanted a core.
    pub load: Option<f64>,
}

/// All figures that were measured on a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The machine.
    pub machine: Machine,
    /// By key: see [`FIGURES`].
    pub figures: BTreeMap<String, Figure>,
    /// Versions of what else took part: browsers and peers.
    #[serde(default)]
    pub versions: BTreeMap<String, String>,
    #[serde(skip)]
    load: Option<f64>,
}

/// Where the table stands in the README.
const MARKS: [&str; 2] = ["<!-- bench: begin -->", "<!-- bench: end -->"];

impl Summary {
    /// Nothing yet, on this machine.
    #[must_use]
    pub fn new() -> Self {
        Self {
            machine: Machine::this(),
            figures: BTreeMap::new(),
            versions: BTreeMap::new(),
            load: machine::load(),
        }
    }

    /// What a file holds, when it was measured on this machine; else nothing yet.
    #[must_use]
    pub fn read(file: &Path) -> Self {
        let new = Self::new();
        let kept = fs::read(file)
            .ok()
            .and_then(|text| serde_json::from_slice::<Self>(&text).ok());
        match kept {
            Some(kept) if kept.machine == new.machine => Self {
                load: new.load,
                ..kept
            },
            _ => new,
        }
    }

    /// Writes it to a file.
    ///
    /// # Errors
    /// The file or its folder cannot be written.
    pub fn write(&self, file: &Path) -> Result<()> {
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)
                .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        let text =
            serde_json::to_string_pretty(self).context("cannot write the summary as JSON")?;
        fs::write(file, text + "\n").with_context(|| format!("cannot write {}", file.display()))
    }

    /// Notes a figure that was measured repeatedly.
    ///
    /// # Panics
    /// When there is no such figure.
    pub fn note(&mut self, key: &str, sample: &Sample) {
        let spread = (sample.n() > 1).then(|| sample.spread());
        self.insert(key, sample.median(), spread, sample.n());
    }

    /// Notes a figure that is one value.
    ///
    /// # Panics
    /// When there is no such figure.
    pub fn note_value(&mut self, key: &str, value: f64, n: usize) {
        self.insert(key, value, None, n);
    }

    fn insert(&mut self, key: &str, value: f64, spread: Option<[f64; 2]>, n: usize) {
        let (definition, _) =
            figure::definition(key).unwrap_or_else(|| panic!("there is no figure `{key}`"));
        let figure = Figure {
            value,
            unit: definition.unit.to_owned(),
            goal: definition.goal,
            met: definition.goal.map(|goal| goal.is_met_by(value)),
            spread,
            n,
            date: machine::today(),
            load: self.load,
        };
        println!("{}", line(key, &figure));
        self.figures.insert(key.to_owned(), figure);
    }

    /// The measured figures in the order of the table, with what they are.
    fn rows(&self) -> Vec<(String, &Figure)> {
        let mut rows: Vec<(usize, &str, String, &Figure)> = self
            .figures
            .iter()
            .filter_map(|(key, figure)| {
                let (found, name) = figure::definition(key)?;
                let place = FIGURES.iter().position(|other| other.key == found.key)?;
                Some((place, name.unwrap_or_default(), words(found, name), figure))
            })
            .collect();
        // All figures of one browser stand together.
        rows.sort_by(|a, b| {
            let part = |place: usize| FIGURES[place].part as u8;
            (part(a.0), a.1, a.0).cmp(&(part(b.0), b.1, b.0))
        });
        rows.into_iter()
            .map(|(_, _, words, figure)| (words, figure))
            .collect()
    }

    /// The table for the terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (words, figure) in self.rows() {
            let _ = writeln!(text, "{words:<76} {}", value_text(figure));
        }
        text
    }

    /// The table for the README: Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!("{}\n\n", self.circumstances());
        text.push_str("| what | median | quartiles | goal | |\n|---|--:|--:|--:|---|\n");
        for (words, figure) in self.rows() {
            let _ = writeln!(
                text,
                "| {words} | {} | {} | {} | {} |",
                with_unit(figure.value, &figure.unit),
                figure.spread.map_or_else(String::new, |[low, high]| {
                    format!("{} to {}", digits(low), digits(high))
                }),
                figure
                    .goal
                    .map_or_else(String::new, |goal| goal.to_string()),
                match figure.met {
                    Some(true) => "met",
                    Some(false) => "**not met**",
                    None => "",
                }
            );
        }
        text
    }

    fn circumstances(&self) -> String {
        let Machine { cpu, cores, os } = &self.machine;
        let mut dates: Vec<&str> = self.figures.values().map(|one| one.date.as_str()).collect();
        dates.sort_unstable();
        let dates = match (dates.first(), dates.last()) {
            (Some(first), Some(last)) if first != last => format!("{first} to {last}"),
            (Some(day), _) => (*day).to_owned(),
            _ => "never".to_owned(),
        };
        let mut text = format!("Measured {dates} on {cores} cores of {cpu}, {os}.");
        if !self.versions.is_empty() {
            let versions: Vec<String> = self
                .versions
                .iter()
                .map(|(name, version)| format!("{name} {version}"))
                .collect();
            let _ = write!(text, " With {}.", versions.join(", "));
        }
        let busiest = self
            .figures
            .values()
            .filter_map(|one| one.load)
            .fold(0.0, f64::max);
        if busiest > 1.0 {
            let _ = write!(
                text,
                " The machine was shared: its load was up to {busiest:.1} when the measuring began, so trust ratios rather than \
                 milliseconds."
            );
        }
        text
    }

    /// Puts the table between its marks in a README.
    ///
    /// # Errors
    /// The file cannot be read or written, or has no marks.
    pub fn write_into(&self, readme: &Path) -> Result<()> {
        let text = fs::read_to_string(readme)
            .with_context(|| format!("cannot read {}", readme.display()))?;
        let replaced = between_marks(&text, &self.markdown()).with_context(|| {
            format!("{} has no {} and {}", readme.display(), MARKS[0], MARKS[1])
        })?;
        fs::write(readme, replaced).with_context(|| format!("cannot write {}", readme.display()))
    }

    /// Checks that every figure is one of the table and as the table says.
    ///
    /// # Errors
    /// One is not; it is named.
    pub fn check(&self) -> Result<()> {
        for (key, figure) in &self.figures {
            let (definition, _) =
                figure::definition(key).with_context(|| format!("there is no figure `{key}`"))?;
            ensure!(figure.value.is_finite(), "{key} is no number");
            ensure!(
                figure.unit == definition.unit,
                "{key} is in {}, not {}",
                figure.unit,
                definition.unit
            );
            ensure!(
                figure.goal == definition.goal,
                "{key} has another goal than the table's"
            );
            let met = figure.goal.map(|goal| goal.is_met_by(figure.value));
            ensure!(figure.met == met, "{key}: whether its goal is met is wrong");
            ensure!(figure.n > 0, "{key} was never measured");
        }
        Ok(())
    }
}

impl Default for Summary {
    fn default() -> Self {
        Self::new()
    }
}

fn words(definition: &Definition, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{name}: {}", definition.what),
        None => definition.what.to_owned(),
    }
}

fn line(key: &str, figure: &Figure) -> String {
    format!("{key:<40} {}", value_text(figure))
}

fn value_text(figure: &Figure) -> String {
    let mut text = format!("{:>12}", with_unit(figure.value, &figure.unit));
    if let Some([low, high]) = figure.spread {
        let _ = write!(
            text,
            "  ({} to {}, n = {})",
            digits(low),
            digits(high),
            figure.n
        );
    }
    if let (Some(goal), Some(met)) = (figure.goal, figure.met) {
        let _ = write!(
            text,
            "  goal {goal}: {}",
            if met { "met" } else { "NOT MET" }
        );
    }
    text
}

fn with_unit(value: f64, unit: &str) -> String {
    match unit {
        "" => digits(value),
        "x" => format!("{}×", digits(value)),
        _ => format!("{} {unit}", digits(value)),
    }
}

/// Three significant digits, and no fraction of large numbers.
fn digits(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn between_marks(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(MARKS[0])?;
    let (_, after) = rest.split_once(MARKS[1])?;
    Some(format!("{before}{}\n{table}{}{after}", MARKS[0], MARKS[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Summary {
        let mut summary = Summary::new();
        summary.note("native.load.over_naive", &Sample::new(vec![0.4, 0.5, 0.7]));
        summary.note_value("growth.writes.most", 1e8, 1);
        summary.note("browser.chromium.load.ms", &Sample::new(vec![4.0, 5.0]));
        summary
    }

    #[test]
    fn the_json_has_the_promised_fields() -> Result<()> {
        let json: serde_json::Value = serde_json::to_value(sample())?;
        let figure = &json["figures"]["native.load.over_naive"];
        assert_eq!(figure["value"], 0.5);
        assert_eq!(figure["unit"], "x");
        assert_eq!(figure["goal"]["at_most"], 0.6);
        assert_eq!(figure["met"], true);
        assert_eq!(figure["spread"], serde_json::json!([0.45, 0.6]));
        assert_eq!(figure["n"], 3);
        assert_eq!(json["figures"]["browser.chromium.load.ms"]["met"], false);
        assert!(json["figures"]["growth.writes.most"]["goal"].is_null());
        assert!(json["machine"]["cores"].as_u64() > Some(0));
        Ok(())
    }

    #[test]
    fn a_summary_survives_its_file_and_a_wrong_one_is_noticed() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("below/summary.json");
        let mut summary = sample();
        summary.write(&file)?;
        assert_eq!(Summary::read(&file).figures, summary.figures);
        summary.check()?;
        let figure = summary.figures.values_mut().next().context("a figure")?;
        figure.met = figure.met.map(|met| !met);
        assert!(summary.check().is_err());
        Ok(())
    }

    #[test]
    fn the_table_goes_between_its_marks() {
        let text = format!("before\n{}\nold\n{}\nafter", MARKS[0], MARKS[1]);
        let replaced = between_marks(&text, "| new |\n").expect("marks");
        assert_eq!(
            replaced,
            format!("before\n{}\n| new |\n{}\nafter", MARKS[0], MARKS[1])
        );
        assert_eq!(
            between_marks(&replaced, "| new |\n").as_deref(),
            Some(replaced.as_str())
        );
        assert_eq!(between_marks("no marks", "x"), None);
    }

    #[test]
    fn the_tables_show_value_goal_and_whether_it_is_met() {
        let summary = sample();
        let markdown = summary.markdown();
        assert!(
            markdown.contains(
                "| published load run / naive loop | 0.500× | 0.450 to 0.600 | ≤ 0.6 | met |"
            ),
            "{markdown}"
        );
        assert!(markdown.contains("| chromium: published load run in the worker, with its report | 4.50 ms | 4.25 to 4.75 | ≤ 3 | **not met** |"), "{markdown}");
        assert!(summary.text().contains("goal ≤ 3: NOT MET"));
    }
}
