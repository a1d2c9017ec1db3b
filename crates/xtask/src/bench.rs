//! `cargo xtask bench`: builds the benchmark and runs it.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;
use crate::{browsers, files, site};

/// The package that measures, and its feature for browsers.
const PACKAGE: &str = "subtable-bench";
const BROWSER: &str = "browser";
/// The profile in which things are measured: that of the page and of the command line.
const PROFILE: &str = "release";
/// The profile for what is not measured.
const QUICK: &str = "quick";

/// What is measured. Nothing named means the native part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub struct Options {
    /// The core beside the naive loop, its growth, a sweep.
    pub native: bool,
    /// The page in every browser that is installed with its driver.
    pub browser: bool,
    /// The same network in other simulators, which are installed into the target folder.
    pub peers: bool,
    /// Growth to 10 million writes only.
    pub quick: bool,
    /// Minutes for which the page's memory is watched.
    pub minutes: u64,
    /// Put the table into the README.
    pub readme: bool,
}

impl Options {
    fn names_nothing(self) -> bool {
        !(self.native || self.browser || self.peers)
    }
}

/// Measures, and writes `bench/summary.json` in the target folder.
///
/// # Errors
/// Something does not build, is not installed, or fails.
pub fn run(workspace: &Workspace, options: Options) -> Result<ExitCode> {
    let page = if options.browser {
        browsers::chromium()?;
        Some(site::build(workspace)?)
    } else {
        None
    };
    build(workspace, options.browser, PROFILE)?;
    let folder = workspace.target.join("bench");
    // Of many runs, only the results are kept.
    files::remove(&folder.join(BROWSER))?;
    let mut bench = Command::new(program(workspace, PROFILE));
    bench.arg("--folder").arg(folder);
    if options.native || options.names_nothing() {
        bench.arg("--native");
    }
    if options.quick {
        bench.arg("--quick");
    }
    if let Some(page) = page {
        bench.arg("--browser").arg(page);
        bench.args(["--minutes", &options.minutes.to_string()]);
    }
    if options.peers {
        bench.arg("--peers");
    }
    if options.readme {
        bench.arg("--readme").arg(workspace.root.join("README.md"));
    }
    let status = bench
        .current_dir(&workspace.root)
        .status()
        .with_context(|| format!("cannot run {PACKAGE}"))?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Records in Chromium which functions the first view runs, into the list by which the page's module is split.
///
/// # Errors
/// Something does not build, or Chromium is not installed or fails.
pub fn record_first_view(workspace: &Workspace) -> Result<ExitCode> {
    browsers::chromium()?;
    let (page, names) = site::build_recording(workspace)?;
    build(workspace, true, QUICK)?;
    let folder = workspace.target.join("first-view");
    files::remove(&folder)?;
    let all = folder.join("functions.txt");
    files::write(&all, names.join("\n").as_bytes())?;
    let status = Command::new(program(workspace, QUICK))
        .arg("--folder")
        .arg(folder)
        .arg("--first-view")
        .arg(page)
        .arg(all)
        .arg(site::first_view_list(workspace))
        .status()
        .with_context(|| format!("cannot run {PACKAGE}"))?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Where the program is that [`build`] builds.
fn program(workspace: &Workspace, profile: &str) -> PathBuf {
    workspace
        .target
        .join(profile)
        .join(PACKAGE)
        .with_extension(std::env::consts::EXE_EXTENSION)
}

fn build(workspace: &Workspace, with_browser: bool, profile: &str) -> Result<()> {
    let mut cargo = workspace.cargo();
    cargo.args(["build", "--package", PACKAGE, "--profile", profile]);
    if with_browser {
        cargo.args(["--features", BROWSER]);
    }
    let built = cargo.status().context("cannot run `cargo build`")?;
    if !built.success() {
        bail!("`{PACKAGE}` does not build: cargo's messages are above");
    }
    Ok(())
}
