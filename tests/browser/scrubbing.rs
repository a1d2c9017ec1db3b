//! Back and forth over what has run.

use anyhow::{Result, ensure};
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{Browser, View, browse};
use thirtyfour::Key;

use crate::lab::{Lab, fragment};

/// Every write is logged, so that the table counts each one.
const SETTINGS: [(&str, &str); 2] = [("log-every", "1"), ("records", "20000")];
const PRESET: &str = "published-deterministic";
const PAUSED: &str = "document.documentElement.dataset.state === 'paused'";

/// Moves the slider of time as a drag does: through places that nobody waits for, to one that counts.
async fn drag(browser: &Browser, places: &[u32]) -> Result<()> {
    for place in places {
        let moved: bool = browser
            .value(&format!(
                "(slider => {{ slider.value = {place}; return slider.dispatchEvent(new Event('input', {{ bubbles: true }})); }})
                 (document.querySelector('#time'))"
            ))
            .await?;
        ensure!(moved);
    }
    Ok(())
}

/// The writes counted where the slider of time stands, once they no longer change.
async fn counted_at(browser: &Browser, lab: &Lab<'_>, place: u32) -> Result<u64> {
    browser
        .wait_for(&format!("the run is at {place}"), async || {
            let now: u32 = browser
                .value("Number(document.querySelector('#time').value)")
                .await?;
            Ok(now.abs_diff(place) <= 1)
        })
        .await?;
    lab.at_rest().await
}

#[test]
fn a_run_that_was_gone_back_in_ends_as_before() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment(PRESET, &SETTINGS, 3)).await?;
        let hash = lab.finished_at_full_speed().await?;
        let all = lab.counted().await?;
        let whole = lab.pixels("throughput").await?;

        drag(browser, &[900, 700, 100, 500]).await?;
        browser
            .wait_until("going back pauses the run", PAUSED)
            .await?;
        let half = counted_at(browser, &lab, 500).await?;
        ensure!(0 < half && half < all, "{half} of {all} writes at a half");
        lab.redrawn("throughput", &whole).await?;
        let told: bool = browser
            .value("'resultHash' in document.documentElement.dataset")
            .await?;
        ensure!(!told, "a run in its middle has a result");

        // There and back is the same place.
        drag(browser, &[250]).await?;
        let quarter = counted_at(browser, &lab, 250).await?;
        ensure!(quarter < half, "{quarter} writes before {half}");
        drag(browser, &[500]).await?;
        ensure!(counted_at(browser, &lab, 500).await? == half);
        browser.screenshot("scrubbing").await?;

        browser.click("#run").await?;
        ensure!(
            lab.finished().await? == hash,
            "going on from the middle gives another result"
        );
        // The end is a place like any other.
        drag(browser, &[300, 1000]).await?;
        ensure!(
            lab.finished().await? == hash,
            "the end that was gone to is another"
        );
        browser.assert_clean().await
    })
}

#[test]
fn keys_go_back_and_forth() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        // With one worker there is no other write on its way, so that each reply is one more line of the log.
        let settings = [("workers", "1"), ("log-every", "1"), ("records", "1000")];
        let lab = Lab::open(browser, &fragment("published-discovered", &settings, 1)).await?;
        let hash = lab.finished_at_full_speed().await?;
        let all = lab.counted().await?;
        let body = browser.element("body").await?;
        for back in 1..=3 {
            body.send_keys(",").await?;
            browser
                .wait_for("one less is counted", async || {
                    Ok(lab.counted().await? == all - back)
                })
                .await?;
        }
        ensure!(lab.state().await? == "paused");
        body.send_keys(".").await?;
        browser
            .wait_for("one more is counted", async || {
                Ok(lab.counted().await? == all - 2)
            })
            .await?;

        let place = async || {
            browser
                .value::<u32>("Number(document.querySelector('#time').value)")
                .await
        };
        let before = place().await?;
        body.send_keys("[").await?;
        body.send_keys("[").await?;
        let back = place().await?;
        ensure!(before - back == 20, "from {before} to {back}");
        counted_at(browser, &lab, back).await?;
        body.send_keys("]").await?;
        ensure!(place().await? == back + 10);
        let time = browser.element("#time").await?;
        time.send_keys(Key::Home).await?;
        browser
            .wait_for("nothing is counted at the start", async || {
                Ok(lab.counted().await? == 0)
            })
            .await?;
        body.send_keys(" ").await?;
        ensure!(lab.finished().await? == hash);
        browser.assert_clean().await
    })
}

#[test]
fn what_is_compared_with_stays_while_the_other_run_is_gone_back_in() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment(PRESET, &SETTINGS, 3)).await?;
        let hash = lab.finished_at_full_speed().await?;
        browser.click("#compare").await?;
        ensure!(lab.finished().await? == hash);
        let frozen = "[...document.querySelectorAll('#tmms .compared td small')].map(a => a.textContent).join()";
        let before: String = browser.value(frozen).await?;
        ensure!(before.chars().any(|c| c.is_ascii_digit()), "{before:?}");
        drag(browser, &[400]).await?;
        counted_at(browser, &lab, 400).await?;
        let after: String = browser.value(frozen).await?;
        ensure!(after == before, "A was {before}, and is {after}");
        browser.assert_clean().await
    })
}
