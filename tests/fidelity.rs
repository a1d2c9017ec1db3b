//! Every published figure that a run can be measured by, against the model, by its kind.

use std::thread;

use subtable_model::fidelity::{Figure, Kind, figures};
use subtable_model::preset::{PRESETS, Preset};
use subtable_model::run;
use toml::Value;

/// What no fair DAG gives, so that the model does not either: the hits of the published probe (55, 70, 8, 67 of 200;
/// chi-square 49.6 on three degrees of freedom), and log lines that stray by 2 from the 100 that 25,000 writes give.
const NOT_EXPLAINED: [&str; 5] = [
    "discovered-first.tmm0.n",
    "discovered-first.tmm3.n",
    "probe.tmm1.hits",
    "probe.tmm2.hits",
    "probe.tmm3.hits",
];

/// The figures of one preset that are outside.
fn outside(preset: &Preset) -> Vec<String> {
    let figures: Vec<Figure> = figures()
        .into_iter()
        .filter(|figure| figure.preset.id == preset.id)
        .collect();
    if figures.is_empty() {
        return Vec::new();
    }
    // A central 95 % needs many runs, a median few.
    let statistical = figures
        .iter()
        .any(|figure| figure.kind == Kind::Statistical);
    let seeds = if statistical { 200 } else { 25 };
    let scenario = preset.scenario();
    let mut values = vec![Vec::new(); figures.len()];
    for seed in 1..=seeds {
        let snapshot = run(&scenario, seed);
        for (figure, values) in figures.iter().zip(&mut values) {
            values.push(figure.measure(&snapshot));
        }
    }
    let judged = figures.iter().zip(&values);
    judged
        .filter(|(figure, values)| !figure.compare(values).inside)
        .map(|(figure, _)| figure.id.clone())
        .collect()
}

#[test]
fn every_figure_is_inside_but_those_that_no_fair_dag_gives() {
    let mut found: Vec<String> = thread::scope(|scope| {
        let runs: Vec<_> = PRESETS
            .iter()
            .map(|preset| scope.spawn(move || outside(preset)))
            .collect();
        runs.into_iter()
            .flat_map(|run| run.join().expect("a thread that ends"))
            .collect()
    });
    found.sort();
    assert_eq!(found, NOT_EXPLAINED);
}

/// Where a figure is outside the reader finds what is known of why, and nowhere else.
#[test]
fn every_figure_that_is_outside_says_why() {
    let mut said: Vec<String> = figures()
        .into_iter()
        .filter(|figure| figure.not_explained.is_some())
        .map(|figure| figure.id)
        .collect();
    said.sort();
    assert_eq!(said, NOT_EXPLAINED);
}

/// The figures that the product shows are those of the published data.
#[test]
fn shown_figures_are_the_published_ones() -> Result<(), Box<dyn std::error::Error>> {
    let published: Value = include_str!("published.toml")
        .parse::<toml::Table>()
        .map(Value::Table)?;
    let sections = [
        (
            "published-deterministic",
            &published["deterministic"],
            "samples",
        ),
        (
            "published-discovered",
            &published["session"]["timing"],
            "samples",
        ),
        (
            "discovered-first",
            &published["discovered_first"],
            "samples",
        ),
        ("probe", &published["session"]["probe"], "hits"),
    ];
    for (id, section, count) in sections {
        let preset = Preset::find(id).ok_or(id)?;
        assert_eq!(preset.published.len(), 4, "{id}");
        for row in preset.published {
            let figures = &section[format!("tmm{}", row.tmm).as_str()];
            let number = |name: &str| {
                let value = figures.get(name)?;
                value
                    .as_float()
                    .or_else(|| value.as_integer().map(|n| n as f64))
            };
            let shown = [
                ("min", Some(f64::from(row.min))),
                ("avg", Some(row.avg)),
                ("max", Some(f64::from(row.max))),
                ("p50", row.p50.map(f64::from)),
                ("p95", row.p95.map(f64::from)),
                ("p99", row.p99.map(f64::from)),
            ];
            for (name, value) in shown {
                assert_eq!(number(name), value, "{id}, TMM {}, {name}", row.tmm);
            }
            let listed = section
                .get("samples")
                .and_then(|list| list[row.tmm as usize].as_integer());
            let n = number(count).or(listed.map(|n| n as f64));
            assert_eq!(n, Some(f64::from(row.n)), "{id}, TMM {}", row.tmm);
        }
    }
    Ok(())
}
