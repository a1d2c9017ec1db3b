//! What is missing or breaks: each says what happened and a way on, and the link of the run stays.

use anyhow::{Result, ensure};
use serde_json::json;
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{Browser, View, browse};

use crate::lab::{Lab, fragment, scenario};

/// Lets a script run in each page before the page's own.
async fn before(browser: &Browser, script: &str) -> Result<()> {
    browser
        .devtools(
            "Page.addScriptToEvaluateOnNewDocument",
            json!({ "source": script }),
        )
        .await
        .map(drop)
}

fn link() -> String {
    fragment("published-discovered", &[("tmms", "6")], 3)
}

/// Waits until the page has failed: what it says.
async fn failure(browser: &Browser) -> Result<String> {
    browser
        .wait_until(
            "the page has failed",
            "document.documentElement.dataset.state === 'failed'",
        )
        .await?;
    Ok(browser.element("#failure").await?.text().await?)
}

/// Opens the link, and waits for a failure that says `words`.
async fn fails_saying(browser: &Browser, words: &str) -> Result<()> {
    browser.leave().await?;
    browser.go(&link()).await?;
    let told = failure(browser).await?;
    ensure!(told.contains(words), "{told:?}");
    ensure!(
        browser
            .element("#failure-reset")
            .await?
            .is_displayed()
            .await?,
        "there is no way on"
    );
    ensure!(
        browser.value::<String>("location.hash").await? == link(),
        "the run is lost"
    );
    Ok(())
}

#[test]
fn without_webassembly_or_workers() -> Result<()> {
    for (script, words) in [
        ("delete window.WebAssembly", "no WebAssembly"),
        ("delete window.Worker", "no WebAssembly or no workers"),
        (
            "window.Worker = class { constructor() { throw new Error('workers are forbidden'); } }",
            "workers are forbidden",
        ),
    ] {
        browse(&Site::built()?, View::default(), async |browser| {
            before(browser, script).await?;
            fails_saying(browser, words).await
        })?;
    }
    Ok(())
}

#[test]
fn a_worker_that_is_not_found() -> Result<()> {
    browse(
        &Site::built_without("worker.js")?,
        View::default(),
        async |browser| fails_saying(browser, "worker").await,
    )
}

const REST: &str = "pkg/subtable_web_rest.wasm";

#[test]
fn the_first_view_needs_the_first_part_of_the_module_alone() -> Result<()> {
    browse(
        &Site::built_without(REST)?,
        View::default(),
        async |browser| {
            let lab = Lab::open(browser, "").await?;
            let first = lab.pixels("throughput").await?;
            lab.redrawn("throughput", &first).await?;
            let counted = lab.counted().await?;
            browser
                .wait_for("the run goes on", async || {
                    Ok(lab.counted().await? > counted)
                })
                .await?;
            ensure!(
                lab.state().await? == "running",
                "the page is {}",
                lab.state().await?
            );
            // What needs the rest says that it is missing, and where.
            browser.click("#share").await?;
            let told = failure(browser).await?;
            ensure!(
                told.contains("A part of the lab could not be loaded") && told.contains("404"),
                "{told:?}"
            );
            Ok(())
        },
    )
}

#[test]
fn what_needs_the_rest_of_the_module_does_not_wait_for_it_to_follow() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        before(
            browser,
            "const fetched = window.fetch;
            window.fetch = (what, ...given) =>
                String(what).includes('_rest.wasm') ? new Promise(() => {}) : fetched(what, ...given)",
        )
        .await?;
        let lab = Lab::open(browser, &link()).await?;
        lab.finished_at_full_speed().await?;
        lab.shows_run(&scenario("published-discovered", &[("tmms", "6")])?, 3)
            .await?;
        lab.set("tmms", "5").await?;
        lab.shows_run(&scenario("published-discovered", &[("tmms", "5")])?, 3)
            .await?;
        browser.assert_clean().await
    })
}

#[test]
fn a_worker_that_breaks_is_started_again_with_the_same_run() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        before(
            browser,
            "window.Worker = class extends Worker { constructor(...given) { super(...given); (window.workers ??= []).push(this); } }",
        )
        .await?;
        let lab = Lab::open(browser, &link()).await?;
        lab.finished_at_full_speed().await?;
        // What a trap in the module comes to.
        browser
            .value::<bool>("workers.at(-1).dispatchEvent(new ErrorEvent('error', { message: 'RuntimeError: unreachable' }))")
            .await?;
        let told = failure(browser).await?;
        ensure!(
            told.contains("unreachable") && told.contains("The worker broke"),
            "{told:?}"
        );
        ensure!(told.contains(&link()), "the report lacks the run: {told:?}");
        ensure!(
            browser.value::<String>("location.hash").await? == link(),
            "the run is lost"
        );
        browser.click("#failure-reset").await?;
        lab.shows_run(&scenario("published-discovered", &[("tmms", "6")])?, 3)
            .await?;
        ensure!(
            !browser.element("#failure").await?.is_displayed().await?,
            "the message stays"
        );
        Ok(())
    })
}

#[test]
fn without_storage_the_page_works_and_says_what_is_not_kept() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        before(
            browser,
            "for (const name of ['localStorage', 'sessionStorage', 'caches', 'indexedDB'])
                Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } })",
        )
        .await?;
        let lab = Lab::open(browser, &link()).await?;
        lab.finished_at_full_speed().await?;
        lab.shows_run(&scenario("published-discovered", &[("tmms", "6")])?, 3)
            .await?;
        browser.click("#theme").await?;
        lab.set("tmms", "5").await?;
        lab.shows_run(&scenario("published-discovered", &[("tmms", "5")])?, 3)
            .await?;
        browser.click("#lessons-open").await?;
        let told = browser.element("#lessons-kept").await?.text().await?;
        ensure!(told.contains("keeps nothing"), "{told:?}");
        browser.assert_clean().await
    })
}

#[test]
fn drawings_that_are_dropped_come_back() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &link()).await?;
        lab.finished_at_full_speed().await?;
        browser.next_frame().await?;
        let drawn = lab.pixels("throughput").await?;
        browser
            .value::<()>(
                "(canvas => { canvas.getContext('2d').clearRect(0, 0, canvas.width, canvas.height);
                    canvas.dispatchEvent(new Event('contextlost')); return null; })(document.querySelector('#c-throughput'))",
            )
            .await?;
        browser
            .wait_until(
                "the loss is told",
                "document.querySelector('#notices').textContent.includes('dropped the drawings')",
            )
            .await?;
        browser
            .value::<bool>("document.querySelector('#c-throughput').dispatchEvent(new Event('contextrestored'))")
            .await?;
        browser
            .wait_for("the chart is drawn again", async || {
                Ok(lab.pixels("throughput").await? == drawn)
            })
            .await?;
        browser
            .wait_until(
                "the message is gone",
                "!document.querySelector('#notices').textContent",
            )
            .await?;
        ensure!(
            browser.value::<String>("location.hash").await? == link(),
            "the run is lost"
        );
        browser.assert_clean().await
    })
}
