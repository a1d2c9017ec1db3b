//! The page that is one file, opened without a server.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use subtable_tests::sites::{Site, one_file};
use subtable_tests::webdriver::{View, browse};

use crate::lab::{Lab, fragment, scenario};

#[test]
fn it_runs_from_a_file_and_asks_nobody() -> Result<()> {
    let file: PathBuf = one_file()?;
    let length = std::fs::metadata(&file)?.len();
    ensure!(length <= 700_000, "the file has {length} bytes");
    // The browser has a site to begin at; this test leaves it at once.
    browse(&Site::built()?, View::default(), async |browser| {
        let link = fragment("published-discovered", &[("tmms", "5")], 3);
        let address = format!("file://{}{link}", file.to_str().context("a path in UTF-8")?);
        browser.driver().goto(&address).await?;
        let lab = Lab { browser };
        lab.finished_at_full_speed().await?;
        lab.shows_run(&scenario("published-discovered", &[("tmms", "5")])?, 3)
            .await?;
        browser
            .click("#preset option[value='published-deterministic']")
            .await?;
        lab.shows_run(&scenario("published-deterministic", &[])?, 3)
            .await?;
        lab.show("log").await?;
        browser.screenshot("1280x720-one-file").await?;
        let errors = browser.console_errors().await?;
        ensure!(errors.is_empty(), "the console shows errors: {errors:#?}");
        ensure!(
            browser
                .foreign_requests()
                .await?
                .iter()
                .all(|url| url.starts_with("file:"))
        );
        if !browser.is_chromium() {
            return Ok(());
        }
        let requests = browser.requests().await?;
        ensure!(
            requests.iter().all(|url| ["file:", "data:", "blob:"]
                .iter()
                .any(|own| url.starts_with(own))),
            "{requests:#?}"
        );
        Ok(())
    })
}
