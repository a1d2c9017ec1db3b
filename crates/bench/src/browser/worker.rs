//! Whole runs in the page's worker, in turns with the same runs here.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Result, ensure};
use serde::Deserialize;
use subtable_model::Scenario;
use subtable_model::preset::Preset;
use subtable_model::scenario::link;

use super::driver::Session;
use crate::measure::Turns;
use crate::naive;
use crate::native::{self, SEED};
use crate::summary::Summary;

/// Turns that are counted, and those before, in which the browser compiles what it finds to be hot.
const TURNS: usize = 41;
const WARM_UP: usize = 15;

/// What the worker says of a run.
#[derive(Deserialize)]
struct Told {
    ms: f64,
    hash: String,
}

pub async fn measure(summary: &mut Summary, session: &Session, url: &str) -> Result<()> {
    session.go(&format!("{url}bench-worker.html")).await?;
    session.wait_until("window.run").await?;
    for (name, preset, scenario) in [
        ("load", "published-discovered", native::load_run()?),
        ("broken", "published-deterministic", native::broken_run()?),
        ("bulk", "bulk", native::bulk_run()?),
    ] {
        let key = |what: &str| format!("browser.{}.{name}.{what}", session.browser.name());
        let turns = in_turns(session, preset, &scenario, name != "bulk").await?;
        summary.note(&key("ms"), &turns.seconds(0).times(1e3));
        summary.note(&key("over_native"), &turns.ratio(0, 1));
        if name != "bulk" {
            summary.note(&key("over_naive"), &turns.ratio(0, 2));
        }
    }
    Ok(())
}

/// Seconds of the worker, of the same work here, and of the naive loop here when it is `plain` enough for it.
async fn in_turns(
    session: &Session,
    preset: &str,
    scenario: &Scenario,
    plain: bool,
) -> Result<Turns> {
    let link = link_of(preset, scenario)?;
    let expression = format!("window.run({})", serde_json::to_string(&link)?);
    let mut seconds = vec![Vec::new(); if plain { 3 } else { 2 }];
    for turn in 0..WARM_UP + TURNS {
        let told: Told = session.value(&expression).await?;
        let started = Instant::now();
        let hash = whole_run(scenario);
        let here = started.elapsed().as_secs_f64();
        ensure!(
            told.hash == hash,
            "the browser computes {}, this machine {hash}",
            told.hash
        );
        let started = Instant::now();
        if plain {
            black_box(naive::run(scenario, SEED));
        }
        let plainly = started.elapsed().as_secs_f64();
        if turn >= WARM_UP {
            for (all, one) in seconds.iter_mut().zip([told.ms / 1e3, here, plainly]) {
                all.push(one);
            }
        }
    }
    Ok(Turns::of(seconds))
}

/// What the worker does: a run, its snapshot, the hash of it, and its encoding for the page.
fn whole_run(scenario: &Scenario) -> String {
    let snapshot = native::run(scenario);
    let hash = snapshot.hash_text();
    black_box(postcard::to_allocvec(&snapshot).unwrap_or_default());
    hash
}

fn link_of(preset: &str, scenario: &Scenario) -> Result<String> {
    let preset = Preset::find(preset);
    ensure!(preset.is_some(), "the preset is gone");
    let (mut run, _) = link::decode(&format!("v=1&preset={}", preset.map_or("", |one| one.id)));
    run.scenario = scenario.clone();
    run.seed = SEED;
    Ok(link::encode(&run))
}
