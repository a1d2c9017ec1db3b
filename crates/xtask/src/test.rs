//! `cargo xtask test`: every check and test, in order, none of them left out.

mod libtest;
mod steps;

use std::process::ExitCode;
use std::time::Instant;

use crate::workspace::Workspace;
use libtest::Tally;

/// Runs all steps, also those after a failed one, and prints as the last line how many checks and tests passed and failed.
/// What keeps a step from being carried out is printed and counts as failed.
pub fn run(workspace: &Workspace) -> ExitCode {
    let steps: [(&str, steps::Step); 6] = [
        ("format", steps::format),
        ("lints", steps::lints),
        ("lints of the page", steps::page_lints),
        ("native tests", steps::native_tests),
        ("wasm tests in Chromium", steps::wasm_tests),
        ("the page in Chromium", steps::browser_tests),
    ];
    let mut total = Tally::default();
    let mut summary = String::new();
    for (name, step) in steps {
        println!("\n== {name}");
        let started = Instant::now();
        let tally = step(workspace).unwrap_or_else(|error| {
            println!("{error:#}");
            Tally::one_failed()
        });
        let tally = tally.with_nothing_run_as_failure();
        let line = format!(
            "{name}: {tally} in {:.1} s",
            started.elapsed().as_secs_f64()
        );
        println!("-- {line}");
        summary.push_str(&line);
        summary.push('\n');
        total += tally;
    }
    println!(
        "\n{summary}\n{} passed, {} failed",
        total.passed, total.failed
    );
    if total.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
