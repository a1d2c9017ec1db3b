//! Computes points on all cores.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use rayon::prelude::*;

use super::measures::MEASURES;
use super::plan::{Job, Plan};
use super::{Point, SweepError};
use crate::Failure;

/// Computes `jobs`, and hands each point to `take`, in the order in which they are finished and on the caller's thread.
/// Stops soon after `take` fails.
pub fn compute(
    plan: &Plan,
    jobs: &[Job],
    mut take: impl FnMut(Point) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let stop = &AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        scope.spawn(move || {
            // One job at a time: with larger portions, a cut-off sweep would lose more, and the last portion would be
            // waited for.
            jobs.par_iter()
                .with_max_len(1)
                .for_each_with(sender, |sender, job| {
                    if !stop.load(Ordering::Relaxed) {
                        // Nobody receives any more when `take` has failed.
                        let _ = sender.send(point(plan, job));
                    }
                });
        });
        for point in receiver {
            if let Err(failure) = point.map_err(Failure::from).and_then(&mut take) {
                stop.store(true, Ordering::Relaxed);
                return Err(failure);
            }
        }
        Ok(())
    })
}

/// Computes one point.
pub fn point(plan: &Plan, job: &Job) -> Result<Point, SweepError> {
    let scenario = plan.scenario(&job.value)?;
    let run = subtable_model::run(&scenario, job.seed);
    Ok(Point {
        value: job.value.clone(),
        seed: job.seed,
        result_hash: run.hash_text(),
        measures: MEASURES
            .iter()
            .map(|measure| (measure.id.to_string(), (measure.of)(&run)))
            .collect(),
    })
}
