//! Run, pause, step, reset, speed.

use anyhow::{Result, ensure};
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{View, browse};
use thirtyfour::Key;

use crate::lab::{Lab, fragment, scenario};

/// Every write is logged, so that the table counts each one.
const SETTINGS: [(&str, &str); 1] = [("log-every", "1")];
const PRESET: &str = "published-deterministic";

/// From the slow end of the speed slider.
const STEPS_TO_REAL_TIME: usize = 11;

#[test]
fn a_paused_run_stands_still_and_goes_on() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment(PRESET, &SETTINGS, 1)).await?;
        // At the speed at which it begins, the run may be over before a busy machine has come to pause it. In real time it
        // takes minutes.
        let speed = browser.element("#speed").await?;
        speed.send_keys(Key::Home).await?;
        for _ in 0..STEPS_TO_REAL_TIME {
            speed.send_keys(Key::Right).await?;
        }
        browser.click("#reset").await?;
        browser.click("#run").await?;
        ensure!(lab.state().await? == "running");
        browser
            .wait_for("some writes are counted", async || {
                Ok(lab.counted().await? > 0)
            })
            .await?;
        browser.click("#run").await?;
        browser
            .wait_until(
                "the run is paused",
                "document.documentElement.dataset.state === 'paused'",
            )
            .await?;
        let counted = lab.at_rest().await?;
        for _ in 0..20 {
            browser.next_frame().await?;
        }
        ensure!(lab.counted().await? == counted, "a paused run goes on");
        browser.click("#run").await?;
        browser
            .wait_for("more writes are counted", async || {
                Ok(lab.counted().await? > counted)
            })
            .await?;
        // Stopping and going on must not change what comes out.
        lab.finished_at_full_speed().await?;
        lab.shows_run(&scenario(PRESET, &SETTINGS)?, 1).await?;
        browser.assert_clean().await
    })
}

#[test]
fn a_step_is_one_more_reply() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        // With one worker there is no other write on its way, so that each reply is one more line of the log.
        let settings = [("workers", "1"), ("log-every", "1")];
        let lab = Lab::open(browser, &fragment("published-discovered", &settings, 1)).await?;
        browser.click("#reset").await?;
        browser
            .wait_for("nothing is counted", async || Ok(lab.counted().await? == 0))
            .await?;
        for steps in 1..=5 {
            browser.click("#step").await?;
            browser
                .wait_for("one more is counted", async || {
                    Ok(lab.counted().await? >= steps)
                })
                .await?;
            let counted = lab.at_rest().await?;
            ensure!(counted == steps, "{counted} writes after {steps} steps");
        }
        ensure!(lab.state().await? == "paused");
        browser.assert_clean().await
    })
}

#[test]
fn reset_goes_back_to_the_start_of_the_same_run() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment(PRESET, &SETTINGS, 5)).await?;
        let hash = lab.finished_at_full_speed().await?;
        browser.click("#reset").await?;
        browser
            .wait_for("nothing is counted", async || Ok(lab.counted().await? == 0))
            .await?;
        ensure!(lab.state().await? == "paused");
        let told: bool = browser
            .value("'resultHash' in document.documentElement.dataset")
            .await?;
        ensure!(!told, "a run at its start has a result");
        browser.click("#run").await?;
        ensure!(
            lab.finished().await? == hash,
            "the same run has another result"
        );
        browser.assert_clean().await
    })
}

#[test]
fn speed_changes_how_fast_it_plays_and_nothing_else() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment("published-discovered", &[], 1)).await?;
        let speed = browser.element("#speed").await?;
        speed.send_keys(Key::Home).await?;
        browser.click("#reset").await?;
        browser.click("#run").await?;
        let before = lab.pixels("cluster").await?;
        lab.redrawn("cluster", &before).await?;
        ensure!(
            lab.state().await? == "running",
            "slow motion is over at once"
        );
        speed.send_keys(Key::End).await?;
        lab.shows_run(&scenario("published-discovered", &[])?, 1)
            .await?;
        browser.assert_clean().await
    })
}

#[test]
fn keys_do_what_the_buttons_do() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment(PRESET, &SETTINGS, 1)).await?;
        let press = async |key: &str| {
            browser
                .element("body")
                .await?
                .send_keys(key)
                .await
                .map_err(anyhow::Error::from)
        };
        let is = |state: &str| format!("document.documentElement.dataset.state === '{state}'");
        press(" ").await?;
        browser.wait_until("space pauses", &is("paused")).await?;
        press(" ").await?;
        browser.wait_until("space goes on", &is("running")).await?;
        press("r").await?;
        browser
            .wait_for("r goes back to the start", async || {
                Ok(lab.counted().await? == 0)
            })
            .await?;
        press(".").await?;
        browser
            .wait_for("a full stop steps", async || Ok(lab.counted().await? > 0))
            .await?;
        browser.assert_clean().await
    })
}
