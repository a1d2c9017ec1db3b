//! How time and memory grow with writes, workers and TMMs. Each run is a process of its own, whose memory is its own.

use std::env;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use subtable_model::{Budget, Scenario, Simulation};

use crate::machine;
use crate::measure::Sample;
use crate::native::{SEED, events, load_run};
use crate::summary::Summary;

/// The command with which this program runs one child.
pub const CHILD: &str = "grown";

/// A size of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    writes: u64,
    tmms: u64,
    workers: u64,
}

const PUBLISHED: Size = Size {
    writes: 100_000,
    tmms: 4,
    workers: 64,
};

/// Turns in which the sizes are run.
const TURNS: usize = 5;
/// Least time that a child spends on its size, in seconds: short runs are repeated.
const LEAST_SECONDS: f64 = 0.25;

/// What a child prints.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Grown {
    /// Median of the seconds of a run.
    seconds: f64,
    /// Most memory resident, in KiB; none where the system does not tell.
    resident_kib: Option<u64>,
}

impl Size {
    /// The published load run at this size. With many TMMs, looking for local names would be most of the run: all names
    /// are deterministic when `named` says so.
    fn scenario(self, named: bool) -> Result<Scenario> {
        let mut scenario = load_run()?;
        scenario.set("records", &self.writes.to_string())?;
        scenario.set("tmms", &self.tmms.to_string())?;
        scenario.set("workers", &self.workers.to_string())?;
        if named {
            scenario.set("naming", "deterministic")?;
        }
        Ok(scenario)
    }

    /// Runs it in a process of its own.
    fn grow(self, named: bool) -> Result<Grown> {
        let program = env::current_exe().context("this program has no path")?;
        let output = Command::new(program)
            .arg(CHILD)
            .args([self.writes, self.tmms, self.workers, u64::from(named)].map(|n| n.to_string()))
            .output()
            .context("cannot run this program once more")?;
        ensure!(
            output.status.success(),
            "a run of {self:?} failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).context("cannot read what a child prints")
    }
}

/// The child: runs a size given as writes, TMMs, workers, and whether names are deterministic; prints what it took.
///
/// # Errors
/// The numbers are not four, or not allowed.
pub fn child(numbers: &[u64]) -> Result<()> {
    let &[writes, tmms, workers, named] = numbers else {
        anyhow::bail!("four numbers are needed, not {}", numbers.len());
    };
    let size = Size {
        writes,
        tmms,
        workers,
    };
    let scenario = size.scenario(named != 0)?;
    let (mut seconds, mut spent) = (Vec::new(), 0.0);
    while spent < LEAST_SECONDS {
        let started = Instant::now();
        let mut simulation = Simulation::new(&scenario, SEED);
        simulation.advance(Budget::Unlimited);
        let replies = simulation.snapshot().replies;
        let took = started.elapsed().as_secs_f64();
        ensure!(replies == writes, "{replies} replies to {writes} writes");
        spent += took;
        seconds.push(took);
    }
    let grown = Grown {
        seconds: Sample::new(seconds).median(),
        resident_kib: machine::peak_resident_kib(),
    };
    println!("{}", serde_json::to_string(&grown)?);
    Ok(())
}

/// Measures all growth: to 1e8 writes, or to 1e7 when it is to be `quick`.
///
/// # Errors
/// A child fails.
pub fn measure(summary: &mut Summary, quick: bool) -> Result<()> {
    writes(summary, if quick { 10_000_000 } else { 100_000_000 })?;
    workers(summary)?;
    tmms(summary)
}

/// Runs sizes in turns; what each took, size by size and turn by turn.
fn in_turns(sizes: &[Size], named: bool, turns: usize) -> Result<Vec<Vec<Grown>>> {
    let mut grown = vec![Vec::new(); sizes.len()];
    for _ in 0..turns {
        for (size, grown) in sizes.iter().zip(&mut grown) {
            grown.push(size.grow(named)?);
        }
    }
    Ok(grown)
}

/// The median of the seconds per `amount`.
fn seconds_per(grown: &[Grown], amount: u64) -> f64 {
    Sample::new(grown.iter().map(|one| one.seconds).collect()).median() / amount as f64
}

fn writes(summary: &mut Summary, most: u64) -> Result<()> {
    let sizes: Vec<Size> =
        std::iter::successors(Some(PUBLISHED.writes), |writes| Some(writes * 10))
            .take_while(|&writes| writes <= most)
            .map(|writes| Size {
                writes,
                ..PUBLISHED
            })
            .collect();
    let grown = in_turns(&sizes, false, TURNS)?;
    let per_write: Vec<f64> = sizes
        .iter()
        .zip(&grown)
        .map(|(size, grown)| seconds_per(grown, size.writes))
        .collect();
    let longest = per_write.last().copied().unwrap_or(f64::NAN);
    let deviation = per_write
        .iter()
        .map(|one| (one / longest - 1.0).abs() * 100.0)
        .fold(0.0, f64::max);
    summary.note_value("growth.writes.deviation", deviation, TURNS);
    summary.note_value("growth.writes.most", most as f64, TURNS);
    let resident = |grown: &[Grown]| -> Option<Vec<f64>> {
        grown
            .iter()
            .map(|one| Some(one.resident_kib? as f64))
            .collect()
    };
    let (first, last) = (
        grown.first().and_then(|all| resident(all)),
        grown.last().and_then(|all| resident(all)),
    );
    if let (Some(first), Some(last)) = (first, last) {
        let (first, last) = (Sample::new(first), Sample::new(last));
        summary.note_value("growth.memory", last.median() / first.median(), TURNS);
        summary.note("growth.memory.mib", &last.times(1.0 / 1024.0));
    }
    Ok(())
}

fn workers(summary: &mut Summary) -> Result<()> {
    let sizes = [64, 65_536].map(|workers| Size {
        writes: 1_000_000,
        workers,
        ..PUBLISHED
    });
    let grown = in_turns(&sizes, false, TURNS)?;
    summary.note("growth.workers.time", &ratio(&grown[1], &grown[0]));
    Ok(())
}

fn tmms(summary: &mut Summary) -> Result<()> {
    let sizes = [4, 1024].map(|tmms| Size {
        writes: 1_000_000,
        tmms,
        ..PUBLISHED
    });
    let grown = in_turns(&sizes, true, TURNS)?;
    let [few, many] = [
        events(&sizes[0].scenario(true)?),
        events(&sizes[1].scenario(true)?),
    ];
    summary.note(
        "growth.tmms.time",
        &ratio(&grown[1], &grown[0]).times(few as f64 / many as f64),
    );
    Ok(())
}

fn ratio(one: &[Grown], to: &[Grown]) -> Sample {
    Sample::new(
        one.iter()
            .zip(to)
            .map(|(one, to)| one.seconds / to.seconds)
            .collect(),
    )
}
