//! The model beside the log: one run of it with the parameters that the log tells.

use subtable_logs::Analysis;
use subtable_logs::fit::Fit;
use subtable_model::statistics::Summary;
use subtable_model::{Snapshot, run};

use crate::markup::{paragraph, table};

/// Seed of the run: another one gives the same figures, but for the last digits.
const SEED: u64 = 1;

/// What the log must tell before the model can be put beside it.
const NEEDED: [&str; 2] = ["tmms", "naming"];

/// A whole run; none where the log tells too little of the system.
#[must_use]
pub fn modelled(fit: &Fit) -> Option<Snapshot> {
    let told = |id: &&str| fit.fitted.iter().any(|fitted| fitted.id == **id);
    let enough = NEEDED.iter().all(told);
    enough.then(|| run(&fit.scenario(), SEED))
}

/// The table of both, TMM by TMM.
#[must_use]
pub fn table_of_both(analysis: &Analysis, modelled: &Snapshot) -> String {
    let rows: Vec<Vec<String>> = analysis
        .per_tmm
        .iter()
        .filter_map(|row| Some((row, &modelled.tmms.get(usize::from(row.tmm))?.all)))
        .map(|(log, model)| {
            let Summary { p50, avg, p99, .. } = *model;
            vec![
                log.tmm.to_string(),
                log.p50.to_string(),
                p50.to_string(),
                format!("{:.1}", log.avg),
                format!("{avg:.1}"),
                log.p99.to_string(),
                p99.to_string(),
            ]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    let columns = [
        "TMM",
        "p50, log",
        "p50, model",
        "avg, log",
        "avg, model",
        "p99, log",
        "p99, model",
    ];
    let words = "One simulated run with the parameters below: all of its writes, not samples. Where log and model differ, \
                 something is at work on the real system that the log does not tell, such as what counting or other \
                 traffic costs: change it in the lab until they agree.";
    table("Clicks in the log and in the model", &columns, 0, &rows) + &paragraph(words)
}
