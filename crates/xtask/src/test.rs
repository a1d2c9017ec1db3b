//! `cargo xtask test`: every check and test, in order, none of them left out.

mod elsewhere;
mod libtest;
mod pages;
mod steps;
mod wasm;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use subtable_browsers::Browser;

use crate::workspace::Workspace;
use libtest::Tally;

/// One step: what it counted, or why it could not be carried out.
type Step = Box<dyn Fn(&Workspace) -> Result<Tally>>;

/// Runs all steps, also those after a failed one, and prints as the last line how many checks and tests passed and failed.
/// What keeps a step from being carried out is printed and counts as failed.
pub fn run(workspace: &Workspace, all_browsers: bool) -> ExitCode {
    let mut steps: Vec<(&str, Step)> = vec![
        ("format", Box::new(steps::format)),
        ("lints", Box::new(steps::lints)),
        ("lints of the page", Box::new(steps::page_lints)),
        ("native tests", Box::new(steps::native_tests)),
        (
            "wasm tests in Chromium",
            Box::new(|w| wasm::tests(w, wasm::Place::Chromium)),
        ),
        (
            "the page in Chromium",
            Box::new(|w| pages::tests(w, Browser::Chromium)),
        ),
    ];
    if all_browsers {
        steps.extend::<[(&str, Step); 5]>([
            (
                "wasm tests in Node",
                Box::new(|w| wasm::tests(w, wasm::Place::Node)),
            ),
            (
                "wasm tests in Firefox",
                Box::new(|w| wasm::tests(w, wasm::Place::Firefox)),
            ),
            (
                "wasm tests in WebKitGTK",
                Box::new(|w| wasm::tests(w, wasm::Place::WebKit)),
            ),
            (
                "the page in Firefox",
                Box::new(|w| pages::tests(w, Browser::Firefox)),
            ),
            (
                "the page in WebKitGTK",
                Box::new(|w| pages::tests(w, Browser::WebKit)),
            ),
        ]);
    }
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
