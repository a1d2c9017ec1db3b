use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::libtest::{Tally, tally_of_line};
use crate::browsers::{self, Browsers};
use crate::toolchain::{self, WASM};
use crate::workspace::Workspace;
use crate::{dist, files, site};

/// One step: what it counted, or why it could not be carried out.
pub type Step = fn(&Workspace) -> Result<Tally>;

/// The packages made for browsers alone; clippy reads them for the target that they are built for.
const PAGE: &str = "subtable-web";

/// The package and the target of the browser tests, and the feature that turns them on.
const TESTS: &str = "subtable-tests";
const BROWSER_TARGET: &str = "browser";

/// The package that measures; a feature of the same name turns on its measures in browsers.
const BENCH: &str = "subtable-bench";

/// The package that compares results between this machine and WebAssembly.
const WASM_TESTS: &str = "subtable-wasm-tests";

/// The name that a package's tests for the wasm target have.
const WASM_TARGET: &str = "wasm";

/// Seconds that one package's wasm tests may take before the runner gives up.
const WASM_TEST_SECONDS: &str = "120";

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

/// Builds the runner, and lets cargo use it for the wasm tests of the packages that have some.
pub fn wasm_tests(workspace: &Workspace) -> Result<Tally> {
    let packages = workspace.packages_with_test(WASM_TARGET);
    if packages.is_empty() {
        bail!("no package has a test target named `{WASM_TARGET}`");
    }
    toolchain::ensure_wasm_target(workspace)?;
    let browsers = browsers::ensure()?;
    let runner = build_runner(workspace)?;
    let native_results = native_results(workspace)?;
    let capabilities = workspace.target.join("wasm-tests-webdriver.json");
    files::write(
        &capabilities,
        runner_capabilities(&browsers.chromium)
            .to_string()
            .as_bytes(),
    )?;

    let mut cargo = workspace.cargo();
    cargo.args([
        "test",
        "--no-fail-fast",
        "--target",
        WASM,
        "--test",
        WASM_TARGET,
    ]);
    for package in packages {
        cargo.args(["--package", package]);
    }
    tests(
        cargo
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
            .env("SUBTABLE_LAB_NATIVE_RESULTS", native_results)
            .env("CHROMEDRIVER", &browsers.chromedriver)
            .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities)
            .env("WASM_BINDGEN_USE_BROWSER", "1")
            .env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_SECONDS),
    )
}

/// Runs the compared runs on this machine; returns the file of their results, which the wasm tests are built with.
fn native_results(workspace: &Workspace) -> Result<PathBuf> {
    let output = workspace
        .cargo()
        .args(["run", "--package", WASM_TESTS, "--bin", "native-results"])
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run `cargo run`")?;
    if !output.status.success() {
        bail!("`native-results` fails: its messages are above");
    }
    let file = workspace.target.join("native-results.txt");
    files::write(&file, &output.stdout)?;
    Ok(file)
}

fn build_runner(workspace: &Workspace) -> Result<PathBuf> {
    const RUNNER: &str = "wasm-test-runner";
    let built = workspace
        .cargo()
        .args(["build", "--package", RUNNER])
        .status()
        .context("cannot run `cargo build`")?;
    if !built.success() {
        bail!("`{RUNNER}` does not build: cargo's messages are above");
    }
    Ok(workspace
        .target
        .join("debug")
        .join(RUNNER)
        .with_extension(std::env::consts::EXE_EXTENSION))
}

fn runner_capabilities(chromium: &Path) -> serde_json::Value {
    json!({ "goog:chromeOptions": { "binary": chromium, "args": browsers::CHROMIUM_FLAGS } })
}

/// Builds the page as it is served and as it is published, and runs the browser tests on both.
pub fn browser_tests(workspace: &Workspace) -> Result<Tally> {
    let Browsers {
        chromium,
        chromedriver,
    } = browsers::ensure()?;
    let site = site::build(workspace)?;
    let published = workspace.target.join("published-site");
    dist::write(&site, &published)?;
    let one_file = workspace.target.join("subtable-lab.html");
    dist::write_one_file(workspace, &one_file)?;
    tests(
        workspace
            .cargo()
            .args([
                "test",
                "--package",
                TESTS,
                "--features",
                BROWSER_TARGET,
                "--test",
                BROWSER_TARGET,
            ])
            .env("SUBTABLE_LAB_SITE", site)
            .env("SUBTABLE_LAB_PUBLISHED_SITE", published)
            .env("SUBTABLE_LAB_ONE_FILE", one_file)
            .env(
                "SUBTABLE_LAB_SCREENSHOTS",
                workspace.target.join("screenshots"),
            )
            .env("SUBTABLE_LAB_CHROMIUM", chromium)
            .env("SUBTABLE_LAB_CHROMEDRIVER", chromedriver),
    )
}

fn check(command: &mut Command) -> Result<Tally> {
    let status = command
        .status()
        .with_context(|| format!("cannot run {command:?}"))?;
    Ok(Tally::check(status.success()))
}

/// Runs a command that runs test programs, passing its output on while counting.
fn tests(command: &mut Command) -> Result<Tally> {
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
