use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::libtest::{Tally, tally_of_line};
use crate::toolchain::{self, WASM};
use crate::workspace::Workspace;

/// The packages made for browsers alone; clippy reads them for the target that they are built for.
const PAGE: &str = "subtable-web";

/// The package and the target of the browser tests, and the feature that turns them on.
pub const TESTS: &str = "subtable-tests";
pub const BROWSER_TARGET: &str = "browser";

/// The package that measures; a feature of the same name turns on its measures in browsers.
const BENCH: &str = "subtable-bench";

const DENY_WARNINGS: [&str; 3] = ["--", "-D", "warnings"];

pub fn format(workspace: &Workspace) -> Result<Tally> {
    check(workspace.cargo().args(["fmt", "--all", "--check"]))
}

pub fn lints(workspace: &Workspace) -> Result<Tally> {
    let features = format!("{TESTS}/{BROWSER_TARGET},{BENCH}/{BROWSER_TARGET}");
    check(
        workspace
            .cargo()
            .args([
                "clippy",
                "--workspace",
                "--all-targets",
                "--features",
                &features,
            ])
            .args(DENY_WARNINGS),
    )
}

pub fn page_lints(workspace: &Workspace) -> Result<Tally> {
    toolchain::ensure_wasm_target(workspace)?;
    check(
        workspace
            .cargo()
            .args([
                "clippy",
                "--package",
                PAGE,
                "--all-targets",
                "--target",
                WASM,
            ])
            .args(DENY_WARNINGS),
    )
}

pub fn native_tests(workspace: &Workspace) -> Result<Tally> {
    tests(
        workspace
            .cargo()
            .args(["test", "--workspace", "--no-fail-fast"]),
    )
}

fn check(command: &mut Command) -> Result<Tally> {
    let status = command
        .status()
        .with_context(|| format!("cannot run {command:?}"))?;
    Ok(Tally::check(status.success()))
}

/// Runs a command that runs test programs, passing its output on while counting.
pub fn tests(command: &mut Command) -> Result<Tally> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run {command:?}"))?;
    let mut tally = Tally::default();
    if let Some(output) = child.stdout.take() {
        let mut lines = BufReader::new(output);
        let mut line = Vec::new();
        while lines
            .read_until(b'\n', &mut line)
            .context("cannot read what the tests print")?
            > 0
        {
            std::io::stdout().write_all(&line).context("cannot print")?;
            if let Some(counted) = tally_of_line(&String::from_utf8_lossy(&line)) {
                tally += counted;
            }
            line.clear();
        }
    }
    let status = child.wait().context("cannot wait for the tests")?;
    // A test program that does not compile or that crashes prints no counts.
    if !status.success() && tally.failed == 0 {
        tally += Tally::one_failed();
    }
    Ok(tally)
}
