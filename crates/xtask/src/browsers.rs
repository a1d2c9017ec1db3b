//! What the tests in browsers and in Node need: found, or installed where this program may.

mod apt;
mod chromium;

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use subtable_browsers::{Browser, in_path, mini_browser};

use crate::workspace::Workspace;
pub use chromium::Chromium;

/// Firefox's driver: from the package registry, as Debian has none.
const GECKODRIVER: (&str, &str) = ("geckodriver", "0.36.0");

/// What Chromium needs to run without a screen, as root and in a container.
pub const CHROMIUM_FLAGS: [&str; 3] = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"];

/// Makes sure that Chromium, its driver and the fonts are there.
///
/// # Errors
/// Something is missing and cannot be installed; the message says what to install.
pub fn chromium() -> Result<Chromium> {
    let Err(missing) = chromium::find() else {
        return chromium::find();
    };
    let missing = missing.context("the browser tests need Chromium and chromedriver of the same version, and the DejaVu fonts");
    apt::install(
        &["chromium", "chromium-driver", "fonts-dejavu-core"],
        missing,
    )?;
    chromium::find()
}

/// Makes sure that a browser and its driver are there; returns the variables that tell the tests where they are.
///
/// # Errors
/// Something is missing and cannot be installed; the message says what to install.
pub fn ensure(browser: Browser, workspace: &Workspace) -> Result<Vec<(&'static str, PathBuf)>> {
    Ok(match browser {
        Browser::Chromium => {
            let Chromium {
                chromium,
                chromedriver,
            } = chromium()?;
            vec![
                ("SUBTABLE_LAB_CHROMIUM", chromium),
                ("SUBTABLE_LAB_CHROMEDRIVER", chromedriver),
            ]
        }
        Browser::Firefox => vec![
            ("SUBTABLE_LAB_FIREFOX", firefox()?),
            ("SUBTABLE_LAB_GECKODRIVER", geckodriver(workspace)?),
        ],
        Browser::WebKit => {
            webkit()?;
            Vec::new()
        }
    })
}

/// Makes sure that Node is there.
///
/// # Errors
/// It is missing and cannot be installed; the message says what to install.
pub fn node() -> Result<PathBuf> {
    or_from_apt(
        || in_path("node").context("Node is not installed"),
        &["nodejs"],
    )
}

fn firefox() -> Result<PathBuf> {
    let find = || {
        Browser::Firefox
            .program()
            .context("Firefox is not installed")
    };
    or_from_apt(find, &["firefox-esr"])
}

/// The driver in the `PATH`, or one that is built once into the target folder.
fn geckodriver(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(installed) = Browser::Firefox.driver_program() {
        return Ok(installed);
    }
    let (name, version) = GECKODRIVER;
    let tools = workspace.target.join("tools");
    let program = tools
        .join("bin")
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION);
    if !program.is_file() {
        println!(
            "{name} is not installed: building version {version} into {}.",
            tools.display()
        );
        let built = workspace
            .cargo()
            .args(["install", name, "--version", version, "--locked", "--root"])
            .arg(&tools)
            .status()
            .context("cannot run `cargo install`")?;
        ensure!(
            built.success(),
            "`cargo install {name}` fails: its messages are above; without a network, put {name} into the PATH"
        );
    }
    Ok(program)
}

fn webkit() -> Result<()> {
    let find = || {
        for program in ["WebKitWebDriver", "xvfb-run", "xauth"] {
            if in_path(program).is_none() {
                bail!("{program} is not installed");
            }
        }
        mini_browser()
            .map(drop)
            .context("WebKitGTK's MiniBrowser is not installed")
    };
    or_from_apt(find, &["webkit2gtk-driver", "xvfb", "xauth"])
}

/// What `find` finds, at once or after these packages have been installed.
fn or_from_apt<T>(find: impl Fn() -> Result<T>, packages: &[&str]) -> Result<T> {
    find().or_else(|missing| {
        apt::install(packages, missing)?;
        find()
    })
}
