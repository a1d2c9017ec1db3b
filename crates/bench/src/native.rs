//! The core beside the naive loop, bulk posts, and a sweep on all cores.

use std::time::Instant;

use anyhow::{Context, Result, ensure};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use subtable_model::preset::Preset;
use subtable_model::{Budget, Scenario, Simulation, Snapshot};

use crate::machine;
use crate::measure::{Sample, Turns, action, take_turns};
use crate::naive::{self, Outcome};
use crate::summary::Summary;

/// How often each thing is timed; at least 20 say something of the spread.
const ROUNDS: usize = 41;
/// Seed of the timed runs.
pub const SEED: u64 = 1;

/// The published load run: discovered names, everything at its default.
///
/// # Errors
/// The preset is gone.
pub fn load_run() -> Result<Scenario> {
    preset("published-discovered")
}

/// The published broken run: deterministic names, counting by enumeration, 40,000 records.
///
/// # Errors
/// The preset is gone.
pub fn broken_run() -> Result<Scenario> {
    let mut scenario = preset("published-deterministic")?;
    scenario.set("records", "40000")?;
    Ok(scenario)
}

/// A million writes in bulk posts.
///
/// # Errors
/// The preset is gone.
pub fn bulk_run() -> Result<Scenario> {
    preset("bulk")
}

fn preset(id: &str) -> Result<Scenario> {
    let preset = Preset::find(id).with_context(|| format!("there is no preset {id}"))?;
    Ok(preset.scenario())
}

/// A whole run with its histograms, series and table.
#[must_use]
pub fn run(scenario: &Scenario) -> Snapshot {
    subtable_model::run(scenario, SEED)
}

/// How many events a run has.
#[must_use]
pub fn events(scenario: &Scenario) -> u64 {
    let mut simulation = Simulation::new(scenario, SEED);
    let mut events = 1;
    while simulation.advance(Budget::Events(1)) {
        events += 1;
    }
    events
}

/// Measures everything that is native and small.
///
/// # Errors
/// A scenario is gone, or the naive loop computes something else than the core.
pub fn measure(summary: &mut Summary) -> Result<()> {
    beside_naive(summary, "load", &load_run()?)?;
    beside_naive(summary, "broken", &broken_run()?)?;
    let bulk = bulk_run()?;
    let seconds = take_turns(ROUNDS, &mut [&mut action(|| run(&bulk))]).seconds(0);
    summary.note("native.bulk.ms", &seconds.times(1e3));
    summary.note(
        "native.bulk.ns_per_write",
        &seconds.times(1e9 / bulk.records() as f64),
    );
    sweep(summary)
}

fn beside_naive(summary: &mut Summary, name: &str, scenario: &Scenario) -> Result<()> {
    ensure!(
        Outcome::from(run(scenario)) == naive::run(scenario, SEED),
        "the core and the naive loop disagree on the {name} run"
    );
    let turns = take_turns(
        ROUNDS,
        &mut [
            &mut action(|| run(scenario)),
            &mut action(|| naive::run(scenario, SEED)),
        ],
    );
    let writes = scenario.records() as f64;
    let key = |what: &str| format!("native.{name}.{what}");
    summary.note(&key("ms"), &turns.seconds(0).times(1e3));
    summary.note(&key("naive_ms"), &turns.seconds(1).times(1e3));
    summary.note(&key("over_naive"), &turns.ratio(0, 1));
    summary.note(&key("ns_per_write"), &turns.seconds(0).times(1e9 / writes));
    summary.note_value(
        &key("events_per_write"),
        events(scenario) as f64 / writes,
        1,
    );
    Ok(())
}

/// Points of the sweep, and seeds of each.
const POINTS: u64 = 100;
const SEEDS: u64 = 20;
/// Turns in which the sweep is done; on one core it has a part of each only, for it would take too long.
const TURNS: u64 = 20;

/// 100 points x 20 seeds of the published run, turn by turn: all cores do the whole turn, one core a part of it.
fn sweep(summary: &mut Summary) -> Result<()> {
    let cores = machine::cores();
    let pool = |threads| {
        ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .context("cannot start threads")
    };
    let (one, all) = (pool(1)?, pool(cores)?);
    let mut runs = Vec::new();
    for point in 0..POINTS {
        let mut scenario = load_run()?;
        scenario.set(
            "local-median",
            &format!("{}.{}", 2 + point / 10, point % 10),
        )?;
        runs.extend((1..=SEEDS).map(|seed| (scenario.clone(), seed)));
    }
    // Every turn holds runs of every point, so that all turns are alike.
    let turns: Vec<Vec<&(Scenario, u64)>> = (0..TURNS)
        .map(|turn| {
            runs.iter()
                .filter(|(_, seed)| seed % TURNS == turn)
                .collect()
        })
        .collect();
    let (mut on_one, mut on_all) = (Vec::new(), Vec::new());
    for turn in &turns {
        let part = &turn[..turn.len() / cores];
        for (pool, runs, seconds) in [(&one, part, &mut on_one), (&all, &turn[..], &mut on_all)] {
            let started = Instant::now();
            let replies: u64 = pool.install(|| {
                runs.par_iter()
                    .with_max_len(1)
                    .map(|(scenario, seed)| subtable_model::run(scenario, *seed).replies)
                    .sum()
            });
            seconds.push(started.elapsed().as_secs_f64() / runs.len() as f64);
            ensure!(
                replies == runs.len() as u64 * runs[0].0.records(),
                "a run of the sweep did not end"
            );
        }
    }
    let efficiency = Turns::of(vec![on_one, on_all]).ratio(0, 1);
    summary.note("native.sweep.efficiency", &scaled(&efficiency, cores));
    Ok(())
}

fn scaled(speed_up: &Sample, cores: usize) -> Sample {
    speed_up.times(1.0 / cores as f64)
}
