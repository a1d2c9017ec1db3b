//! The wasm tests: the same runs as on this machine, as WebAssembly in one place after the other.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde_json::json;
use subtable_browsers::{Browser, Driver, Wishes};

use super::libtest::Tally;
use super::steps;
use crate::toolchain::{self, WASM};
use crate::workspace::Workspace;
use crate::{browsers, files};

/// The package that compares results between this machine and WebAssembly.
const WASM_TESTS: &str = "subtable-wasm-tests";

/// The name that a package's tests for the wasm target have.
const WASM_TARGET: &str = "wasm";

/// Seconds that one package's wasm tests may take before the runner gives up.
const WASM_TEST_SECONDS: &str = "240";

/// Where WebAssembly runs.
#[derive(Clone, Copy)]
pub enum Place {
    Chromium,
    Firefox,
    Node,
    WebKit,
}

/// Builds the runner, and lets cargo use it for the wasm tests of the packages that have some.
pub fn tests(workspace: &Workspace, place: Place) -> Result<Tally> {
    let packages = workspace.packages_with_test(WASM_TARGET);
    if packages.is_empty() {
        bail!("no package has a test target named `{WASM_TARGET}`");
    }
    toolchain::ensure_wasm_target(workspace)?;
    let Surroundings {
        variables,
        driver: _driver,
    } = surroundings(workspace, place)?;
    let runner = build_runner(workspace)?;
    let native_results = native_results(workspace)?;
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
    steps::tests(
        cargo
            .envs(variables)
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
            .env("SUBTABLE_LAB_NATIVE_RESULTS", native_results)
            .env("WASM_BINDGEN_TEST_TIMEOUT", WASM_TEST_SECONDS),
    )
}

/// What the runner needs to know and to have.
struct Surroundings {
    variables: Vec<(&'static str, OsString)>,
    /// A driver that the runner cannot start by itself, as long as this is kept.
    driver: Option<Driver>,
}

/// The variables that tell the runner where to run. It takes the first browser whose driver is named, and Node when it
/// is not told to use a browser.
fn surroundings(workspace: &Workspace, place: Place) -> Result<Surroundings> {
    let (named, capabilities, driver) = match place {
        Place::Node => {
            let node = browsers::node()?;
            println!("{}", node.display());
            return Ok(Surroundings {
                variables: Vec::new(),
                driver: None,
            });
        }
        Place::Chromium => {
            let found = browsers::chromium()?;
            let options = json!({ "goog:chromeOptions": { "binary": found.chromium, "args": browsers::CHROMIUM_FLAGS } });
            (("CHROMEDRIVER", found.chromedriver.into()), options, None)
        }
        Place::Firefox => {
            let found = browsers::ensure(Browser::Firefox, workspace)?;
            let [(_, firefox), (_, geckodriver)] = &found[..] else {
                bail!("Firefox and its driver are two programs");
            };
            let options =
                json!({ "moz:firefoxOptions": { "binary": firefox, "args": ["-headless"] } });
            (("GECKODRIVER", geckodriver.into()), options, None)
        }
        Place::WebKit => {
            browsers::ensure(Browser::WebKit, workspace)?;
            let scratch = workspace.target.join("wasm-tests-webkit");
            files::remove(&scratch)?;
            fs::create_dir_all(&scratch)
                .with_context(|| format!("cannot make the folder {}", scratch.display()))?;
            let driver = Driver::start(Browser::WebKit, &Wishes::default(), &scratch)?;
            // The runner has no name for this driver. It speaks to that of Safari in the same way.
            let named = ("SAFARIDRIVER_REMOTE", driver.url().into());
            (named, driver.capabilities().clone(), Some(driver))
        }
    };
    let file = workspace.target.join("wasm-tests-webdriver.json");
    files::write(&file, capabilities.to_string().as_bytes())?;
    let variables = vec![
        named,
        ("WASM_BINDGEN_TEST_WEBDRIVER_JSON", file.into()),
        ("WASM_BINDGEN_USE_BROWSER", "1".into()),
    ];
    Ok(Surroundings { variables, driver })
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
