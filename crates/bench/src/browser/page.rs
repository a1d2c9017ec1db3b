//! The page itself: its first chart, its frames and keys while a run goes at full speed, and its memory.

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use thirtyfour::Key;
use tokio::time::sleep;

use super::driver::{Browser, Session};
use crate::machine::kib;
use crate::measure::Sample;
use crate::summary::Summary;

/// Navigations until the first chart.
const NAVIGATIONS: usize = 20;
/// Keys that are pressed while a run goes at full speed, and the pause between two of them.
const KEYS: usize = 60;
const PAUSE: Duration = Duration::from_millis(120);
/// The longest run there is: it does not end before the keys do.
const LONG_RUN: &str = "#v=1&preset=published-discovered&records=100000000";
/// The slider whose keys are pressed: each begins the run anew with another setting, as dragging it does.
const SLIDER: &str = "[data-parameter=\"log-every\"] input[type=range]";

pub async fn measure(summary: &mut Summary, session: &Session, url: &str) -> Result<()> {
    let key = |what: &str| format!("browser.{}.{what}", session.browser.name());
    let mut first_charts = Vec::with_capacity(NAVIGATIONS);
    for _ in 0..NAVIGATIONS {
        session.go("about:blank").await?;
        session.go(url).await?;
        session.wait_until("window.bench.firstChart").await?;
        first_charts.push(session.value("window.bench.firstChart").await?);
    }
    summary.note(&key("first_chart.ms"), &Sample::new(first_charts));

    at_full_speed(session, url, LONG_RUN).await?;
    session.value::<bool>("window.bench.watch = true").await?;
    session
        .press_in_turns(SLIDER, [Key::Right, Key::Left], KEYS, PAUSE)
        .await?;
    let state: String = session
        .value("document.documentElement.dataset.state")
        .await?;
    ensure!(
        state == "running",
        "the run is {state}, before the keys were all pressed"
    );
    let keys = Sample::new(session.value("window.bench.keys").await?);
    let frames = Sample::new(session.value("window.bench.frames").await?);
    ensure!(
        keys.n() >= KEYS / 2 && frames.n() >= KEYS,
        "{} keys and {} frames were seen",
        keys.n(),
        frames.n()
    );
    summary.note_value(&key("event_to_paint_p95.ms"), keys.quantile(0.95), keys.n());
    summary.note_value(
        &key("script_per_frame_p95.ms"),
        frames.quantile(0.95),
        frames.n(),
    );
    Ok(())
}

/// Opens a run and lets it go as fast as it can.
async fn at_full_speed(session: &Session, url: &str, run: &str) -> Result<()> {
    session.go("about:blank").await?;
    session.go(&format!("{url}{run}")).await?;
    session.wait_until("window.bench.firstChart").await?;
    session.press("#speed", Key::End).await
}

/// Lets runs go at full speed for so many minutes, and notes by how much the resident set of the browser has grown between
/// the first of them and the last. Linux only; nothing is noted elsewhere, nor in less than two minutes.
pub async fn watch_memory(
    summary: &mut Summary,
    session: &Session,
    url: &str,
    minutes: u64,
) -> Result<()> {
    if minutes < 2 || session.browser != Browser::Chromium || resident(session.process()).is_none()
    {
        return Ok(());
    }
    at_full_speed(session, url, LONG_RUN).await?;
    let started = Instant::now();
    let (mut first, mut last) = (Vec::new(), Vec::new());
    let minute = |number: u64| Duration::from_mins(number);
    while started.elapsed() < minute(minutes) {
        let state: String = session
            .value("document.documentElement.dataset.state")
            .await?;
        if state == "finished" {
            session.click("#run").await?;
        }
        sleep(Duration::from_secs(2)).await;
        let resident =
            resident(session.process()).context("the browser's memory cannot be read")?;
        // The first half of the first minute is for starting up.
        if started.elapsed() > minute(minutes - 1) {
            last.push(resident as f64);
        } else if started.elapsed() > minute(1) / 2 && started.elapsed() < minute(1) * 3 / 2 {
            first.push(resident as f64);
        }
    }
    let (first, last) = (Sample::new(first), Sample::new(last));
    let key = |what: &str| format!("browser.{}.memory.{what}", session.browser.name());
    summary.note_value(&key("growth"), last.median() / first.median(), last.n());
    summary.note_value(&key("minutes"), minutes as f64, 1);
    Ok(())
}

/// The resident sets of all processes below one, added up, in KiB.
fn resident(root: u32) -> Option<u64> {
    let mut processes = HashMap::new();
    for entry in fs::read_dir("/proc").ok()?.flatten() {
        let Some(id) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse::<u64>().ok())
        else {
            continue;
        };
        // A process that has just ended has no status any more.
        if let Ok(status) = fs::read_to_string(entry.path().join("status")) {
            processes.insert(
                id,
                (
                    parent(&status).unwrap_or(0),
                    kib(&status, "VmRSS").unwrap_or(0),
                ),
            );
        }
    }
    let is_below = |mut id: u64| {
        while let Some(&(parent, _)) = processes.get(&id) {
            if parent == u64::from(root) {
                return true;
            }
            id = parent;
        }
        false
    };
    let sizes = processes
        .iter()
        .filter(|(id, _)| is_below(**id))
        .map(|(_, (_, size))| size);
    Some(sizes.sum())
}

fn parent(status: &str) -> Option<u64> {
    status
        .lines()
        .find_map(|line| line.strip_prefix("PPid:")?.trim().parse().ok())
}
