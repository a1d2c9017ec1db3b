//! Writes every chart of several runs, at several sizes, light and dark, as SVG into a folder, with one page per run
//! that shows them all. For looking at charts while working on them:
//!
//! ```text
//! cargo run -p subtable-charts --example gallery -- target/gallery
//! ```

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use subtable_charts::cluster::Cluster;
use subtable_charts::histograms::Histograms;
use subtable_charts::latency::Latency;
use subtable_charts::memory::Memory;
use subtable_charts::parts::Parts;
use subtable_charts::strip::{self, Strip};
use subtable_charts::throughput::{Run, Throughput};
use subtable_charts::{Chart, Scale, Size, Theme};
use subtable_model::preset::{PRESETS, Preset};
use subtable_model::snapshot::Move;
use subtable_model::{Budget, Scenario, Simulation, Snapshot};

/// A run at one moment, with what was published of it.
struct Shown {
    name: String,
    snapshot: Snapshot,
    preset: Option<&'static Preset>,
}

/// A run without a preset: its name, its settings, and how far it goes.
type Other = (
    &'static str,
    &'static [(&'static str, &'static str)],
    Budget,
);

fn main() -> io::Result<()> {
    let folder: PathBuf = env::args()
        .nth(1)
        .unwrap_or_else(|| "target/gallery".into())
        .into();
    fs::create_dir_all(&folder)?;
    for shown in runs() {
        for (word, theme) in [("light", Theme::light()), ("dark", Theme::dark())] {
            write_page(&folder, &shown, word, &theme)?;
        }
    }
    Ok(())
}

fn run(name: &str, scenario: &Scenario, until: Budget, preset: Option<&'static Preset>) -> Shown {
    let mut simulation = Simulation::new(scenario, 1);
    simulation.advance(until);
    Shown {
        name: name.to_owned(),
        snapshot: simulation.snapshot(),
        preset,
    }
}

/// The moment of the first milliseconds at which most messages are on their way between TMMs.
fn busiest(preset: &'static Preset) -> Shown {
    let mut simulation = Simulation::new(&preset.scenario(), 1);
    let mut best: Option<(usize, Snapshot)> = None;
    for step in 1..400 {
        simulation.advance(Budget::Until(step * 10_000));
        let snapshot = simulation.snapshot();
        let between = |message: &&Move| message.from.is_some() && message.to.is_some();
        let moves = snapshot.moves.iter().filter(between).count();
        if best.as_ref().is_none_or(|(most, _)| moves > *most) {
            best = Some((moves, snapshot));
        }
    }
    Shown {
        name: format!("{}-busiest", preset.id),
        snapshot: best.map_or_else(|| simulation.snapshot(), |(_, snapshot)| snapshot),
        preset: Some(preset),
    }
}

fn runs() -> Vec<Shown> {
    let mut runs = Vec::new();
    for preset in PRESETS {
        let scenario = preset.scenario();
        for (word, until) in [
            ("early", Budget::Until(2_000_000)),
            ("middle", Budget::Until(9_000_000_000)),
            ("end", Budget::Unlimited),
        ] {
            runs.push(run(
                &format!("{}-{word}", preset.id),
                &scenario,
                until,
                Some(preset),
            ));
        }
    }
    for preset in &PRESETS[..2] {
        runs.push(busiest(preset));
    }
    let with = |settings: &[(&str, &str)]| {
        let mut scenario = Scenario::default();
        for (id, value) in settings {
            if let Err(error) = scenario.set(id, value) {
                eprintln!("{error}");
            }
        }
        scenario
    };
    let others: [Other; 8] = [
        ("one", &[("tmms", "1")], Budget::Unlimited),
        ("empty", &[], Budget::Events(0)),
        (
            "two",
            &[("tmms", "2"), ("naming", "deterministic")],
            Budget::Replies(3000),
        ),
        (
            "eight-unprobed",
            &[("tmms", "8"), ("naming", "random-unprobed")],
            Budget::Replies(8000),
        ),
        (
            "sixteen",
            &[("tmms", "16"), ("naming", "deterministic")],
            Budget::Replies(8000),
        ),
        (
            "sixty-four",
            &[("tmms", "64"), ("naming", "deterministic")],
            Budget::Replies(20_000),
        ),
        (
            "thousand",
            &[("tmms", "1024"), ("naming", "random-unprobed")],
            Budget::Replies(20_000),
        ),
        (
            "log-all",
            &[("log-every", "1"), ("records", "20000")],
            Budget::Unlimited,
        ),
    ];
    for (name, settings, until) in others {
        runs.push(run(name, &with(settings), until, None));
    }
    runs
}

fn write_page(folder: &Path, shown: &Shown, word: &str, theme: &Theme) -> io::Result<()> {
    let background = if word == "light" {
        "#fbfbf9"
    } else {
        "#14161a"
    };
    let mut page = format!(
        "<!doctype html><meta charset=utf-8><title>{0}</title><style>body{{background:{background};margin:8px}}\
         img{{margin:4px;vertical-align:top;outline:1px solid #8884}}</style>",
        shown.name
    );
    for (chart, size, svg) in charts(&shown.snapshot, shown.preset, theme) {
        let file = format!(
            "{}-{word}-{chart}-{}x{}.svg",
            shown.name, size.width, size.height
        );
        fs::write(folder.join(&file), svg)?;
        let _ = write!(page, "<img src={file}>");
    }
    fs::write(folder.join(format!("{}-{word}.html", shown.name)), page)
}

fn charts(
    snapshot: &Snapshot,
    preset: Option<&Preset>,
    theme: &Theme,
) -> Vec<(String, Size, String)> {
    let mut charts = Vec::new();
    let mut add = |name: &str, chart: &dyn Chart, sizes: &[(f64, f64)]| {
        for &(width, height) in sizes {
            let size = Size::new(width, height);
            charts.push((name.to_owned(), size, chart.svg(size, theme)));
        }
    };
    let decades = strip::decades(&[snapshot]);
    for number in 0..snapshot.tmms.len().min(4) {
        if let Some(row) = Strip::new(snapshot, number, decades) {
            add(&format!("strip{number}"), &row, &[(250.0, 34.0)]);
        }
    }
    let mut throughput = Throughput::new(snapshot);
    throughput.published = preset.map_or(&[], |preset| preset.published_rates);
    add(
        "throughput",
        &throughput,
        &[(300.0, 180.0), (450.0, 200.0), (960.0, 420.0)],
    );
    throughput.scale = Scale::Logarithmic;
    add("throughput-log", &throughput, &[(450.0, 200.0)]);
    let faster = subtable_model::run(&PRESETS[1].scenario(), 1);
    throughput.scale = Scale::Linear;
    throughput.other = Some(Run {
        label: "B: discovered names",
        snapshot: &faster,
    });
    throughput.run.label = "A: this run";
    add("compare", &throughput, &[(300.0, 180.0), (450.0, 200.0)]);
    add(
        "cluster",
        &Cluster::new(snapshot),
        &[(344.0, 190.0), (400.0, 190.0), (960.0, 500.0)],
    );
    add(
        "parts",
        &Parts::new(snapshot),
        &[(344.0, 150.0), (420.0, 130.0), (960.0, 420.0)],
    );
    add(
        "latency",
        &Latency::new(snapshot),
        &[(300.0, 180.0), (420.0, 200.0), (960.0, 420.0)],
    );
    add(
        "memory",
        &Memory::new(snapshot),
        &[(344.0, 190.0), (420.0, 400.0), (960.0, 420.0)],
    );
    let mut histograms = Histograms::new(snapshot);
    histograms.published = preset.map_or(&[], |preset| preset.published);
    add("histograms", &histograms, &[(344.0, 400.0), (960.0, 500.0)]);
    charts
}
