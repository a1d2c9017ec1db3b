//! The page without a network, and the way from one version of it to the next.

use anyhow::{Result, ensure};
use subtable_model::preset::PRESETS;
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{Browser, View, browse};

use crate::lab::{Lab, fragment};

/// Waits until the page is kept, and whether the next visit is answered from what is kept.
async fn kept(browser: &Browser) -> Result<()> {
    browser
        .wait_until(
            "the page is kept",
            "document.documentElement.dataset.offline === 'ready' && navigator.serviceWorker.controller",
        )
        .await
}

#[test]
fn every_preset_runs_without_a_network() -> Result<()> {
    let site = Site::published_copy()?;
    browse(&site, View::default(), async |browser| {
        Lab::open(browser, "").await?;
        kept(browser).await?;
        browser.assert_clean().await?;
        site.cut();
        let lab = Lab::open(browser, &fragment("probe", &[], 2)).await?;
        lab.finished_at_full_speed().await?;
        for preset in PRESETS {
            browser
                .click(&format!("#preset option[value='{}']", preset.id))
                .await?;
            lab.shows_run(&preset.scenario(), 2).await?;
        }
        // The look-out for a newer version fails without a network, and only that.
        let errors = browser.console_errors().await?;
        ensure!(
            errors.iter().all(|error| error.contains("sw.js")),
            "the console shows errors: {errors:#?}"
        );
        ensure!(browser.foreign_requests().await?.is_empty());
        Ok(())
    })
}

#[test]
fn the_worked_on_page_is_kept_too_but_asked_of_the_network_first() -> Result<()> {
    let site = Site::built()?;
    browse(&site, View::default(), async |browser| {
        Lab::open(browser, "").await?;
        kept(browser).await?;
        let asked = browser.requests().await?.len();
        Lab::open(browser, "").await?;
        ensure!(browser.requests().await?.len() > asked);
        site.cut();
        let lab = Lab::open(browser, &fragment("published-discovered", &[], 1)).await?;
        lab.finished_at_full_speed().await?;
        Ok(())
    })
}

#[test]
fn a_newer_version_is_offered_and_taken() -> Result<()> {
    let site = Site::published_copy()?;
    browse(&site, View::default(), async |browser| {
        let link = fragment("published-discovered", &[("tmms", "6")], 4);
        Lab::open(browser, &link).await?;
        kept(browser).await?;
        ensure!(
            !browser
                .value::<bool>("document.querySelector('#update').checkVisibility()")
                .await?,
            "an update is offered on the first visit"
        );
        site.edit("sw.js", "const VERSION = '", "const VERSION = 'next-")?;
        site.edit(
            "index.html",
            "<title>Subtable Lab",
            "<title>Subtable Lab, next",
        )?;

        let lab = Lab::open(browser, &link).await?;
        ensure!(
            browser.value::<String>("document.title").await? == "Subtable Lab",
            "what is shown is not the version that is kept"
        );
        browser
            .wait_until(
                "the newer version is offered",
                "document.querySelector('#update').checkVisibility()",
            )
            .await?;
        browser.screenshot("1280x720-update").await?;
        browser.click("#update-load").await?;
        browser
            .wait_until(
                "the newer version is shown",
                "document.title === 'Subtable Lab, next' && document.documentElement.dataset.state !== 'loading'",
            )
            .await?;
        ensure!(
            browser.value::<String>("location.hash").await? == link,
            "the run is lost"
        );
        lab.finished_at_full_speed().await?;
        let caches: usize = browser
            .value("caches.keys().then(names => names.length)")
            .await?;
        ensure!(caches == 1, "{caches} versions are kept");
        browser.assert_clean().await
    })
}

#[test]
fn the_page_can_be_installed() -> Result<()> {
    let site = Site::published()?;
    browse(&site, View::default(), async |browser| {
        Lab::open(browser, "").await?;
        kept(browser).await?;
        let missing: Vec<String> = browser
            .value(
                "fetch('app.webmanifest').then(answer => answer.json()).then(async app => {
                    const missing = ['name', 'start_url', 'display', 'icons'].filter(key => !app[key]?.length);
                    for (const icon of app.icons) {
                        const picture = new Image();
                        picture.src = icon.src;
                        await picture.decode().catch(() => missing.push(icon.src));
                        if (icon.sizes !== 'any' && `${picture.naturalWidth}x${picture.naturalHeight}` !== icon.sizes)
                            missing.push(`${icon.src} of ${icon.sizes}`);
                    }
                    return missing;
                })",
            )
            .await?;
        ensure!(missing.is_empty(), "{missing:?}");
        browser.assert_clean().await
    })
}
