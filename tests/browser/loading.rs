//! Opening the page.

use anyhow::{Result, ensure};
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{View, browse};

use crate::lab::Lab;

#[test]
fn the_published_broken_run_plays_by_itself_and_all_is_clean() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, "").await?;
        ensure!(
            browser
                .value::<String>("document.querySelector('#preset').value")
                .await?
                == "published-deterministic"
        );
        ensure!(
            lab.state().await? == "running",
            "the page is {}",
            lab.state().await?
        );
        let first = lab.pixels("throughput").await?;
        lab.redrawn("throughput", &first).await?;
        lab.finished_at_full_speed().await?;
        ensure!(!lab.verdict().await?, "the broken run is called good");
        browser.assert_clean().await
    })
}

#[test]
fn every_file_comes_from_the_site_itself_and_is_found() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, "").await?;
        lab.finished_at_full_speed().await?;
        let requests = browser.requests().await?;
        for file in [
            "style.css",
            "pkg/subtable_web.js",
            "pkg/subtable_web_bg.wasm",
            "worker.js",
        ] {
            ensure!(
                requests.iter().any(|url| url.ends_with(file)),
                "{file} is not among {requests:?}"
            );
        }
        browser.assert_clean().await
    })
}

#[test]
fn what_is_published_works_under_any_path() -> Result<()> {
    let site = Site::published()?;
    browse(&site, View::default(), async |browser| {
        let lab = Lab::open(browser, "#v=1&preset=published-discovered").await?;
        lab.finished_at_full_speed().await?;
        ensure!(lab.verdict().await?, "the fixed run is called bad");
        let base = site.url();
        let requests = browser.requests().await?;
        let outside: Vec<_> = requests
            .iter()
            .filter(|url| !url.starts_with(&base) && url.starts_with("http"))
            .collect();
        ensure!(
            outside.is_empty(),
            "these lie outside the path: {outside:?}"
        );
        browser.assert_clean().await
    })
}

#[test]
fn without_motion_the_result_is_there_at_once() -> Result<()> {
    browse(&Site::built()?, View::default().still(), async |browser| {
        let lab = Lab::open(browser, "").await?;
        lab.finished().await?;
        ensure!(lab.counted().await? > 0);
        browser.assert_clean().await
    })
}

#[test]
fn a_page_that_cannot_load_its_module_says_so() -> Result<()> {
    let site = Site::built_without("pkg/subtable_web_bg.wasm")?;
    browse(&site, View::default(), async |browser| {
        browser.go("").await?;
        let failed = "document.documentElement.dataset.state === 'failed'";
        browser.wait_until("the page has failed", failed).await?;
        let words = browser.element("#failure").await?.text().await?;
        ensure!(words.contains("could not be loaded"), "{words:?}");
        Ok(())
    })
}
