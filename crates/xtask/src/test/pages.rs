//! The browser tests, in one browser after the other.

use std::env;
use std::process::Command;

use anyhow::Result;
use subtable_browsers::Browser;

use super::elsewhere::Elsewhere;
use super::libtest::Tally;
use super::steps::{self, BROWSER_TARGET, TESTS};
use crate::workspace::Workspace;
use crate::{axe, browsers, dist, files, site};

/// The list of tests that are repeated outside Chromium.
const LIST: &str = "tests/browser/elsewhere.txt";

/// Builds the page as it is served and as it is published, and runs the browser tests on both.
pub fn tests(workspace: &Workspace, browser: Browser) -> Result<Tally> {
    let programs = browsers::ensure(browser, workspace)?;
    let site = site::build(workspace)?;
    let published = workspace.target.join("published-site");
    let published_site = dist::write(&site, &published)?;
    let mut tally = Tally::default();
    if browser == Browser::Chromium {
        tally += Tally::check(dist::is_light_enough(&published_site));
    }
    let one_file = workspace.target.join("subtable-lab.html");
    dist::write_one_file(workspace, &one_file)?;
    // What the tests leave behind from each browser is kept apart.
    let screenshots = match browser {
        Browser::Chromium => workspace.target.join("screenshots"),
        other => workspace.target.join("screenshots").join(other.name()),
    };
    let mut cargo = workspace.cargo();
    cargo
        .args([
            "test",
            "--package",
            TESTS,
            "--features",
            BROWSER_TARGET,
            "--test",
            BROWSER_TARGET,
        ])
        .envs(programs)
        .env("SUBTABLE_LAB_BROWSER", browser.name())
        .env("SUBTABLE_LAB_SITE", site)
        .env("SUBTABLE_LAB_PUBLISHED_SITE", published)
        .env("SUBTABLE_LAB_ONE_FILE", one_file)
        .env("SUBTABLE_LAB_SCREENSHOTS", screenshots);
    match axe::ensure(workspace) {
        Ok(script) => {
            cargo.env("SUBTABLE_LAB_AXE", script);
        }
        // The tests that need it fail; the others are still of use.
        Err(error) => println!("{error:#}"),
    }
    if browser != Browser::Chromium {
        let list = files::read(&workspace.root.join(LIST))?;
        let list = Elsewhere::parse(&String::from_utf8_lossy(&list))?;
        let mut repeated = list.everywhere;
        let mut left_out = list.chromium;
        if browser == Browser::WebKit {
            left_out.extend(list.not_webkit);
        } else {
            repeated.extend(list.not_webkit.into_iter().map(|(name, _)| name));
        }
        println!(
            "For time, {} tests that cover each bullet, named in {LIST}. Not possible in this browser:",
            repeated.len()
        );
        for (name, reason) in &left_out {
            println!("  {name}: {reason}");
        }
        cargo.args(["--", "--exact"]).args(repeated);
    }
    if browser == Browser::WebKit && env::var_os("DISPLAY").is_none() {
        cargo = on_a_virtual_screen(&cargo);
    }
    tally += steps::tests(&mut cargo)?;
    Ok(tally)
}

/// The same command under one virtual screen for all tests, which is quicker than one for each.
fn on_a_virtual_screen(command: &Command) -> Command {
    let mut wrapped = Command::new("xvfb-run");
    wrapped
        .args(["--auto-servernum", "--server-args=-screen 0 2000x1400x24"])
        .arg(command.get_program())
        .args(command.get_args())
        .envs(
            command
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
    if let Some(folder) = command.get_current_dir() {
        wrapped.current_dir(folder);
    }
    wrapped
}
