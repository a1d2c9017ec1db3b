//! The validated session, step by step, and slow motion.

use anyhow::{Result, ensure};
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{View, browse};
use thirtyfour::Key;

use crate::lab::{Lab, fragment};

fn report(kind: &str, step: u32) -> String {
    format!("document.querySelector('#{kind}-{step}').textContent")
}

#[test]
fn the_picker_runs_the_validated_session_step_by_step() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment("published-discovered", &[], 1)).await?;
        lab.finished_at_full_speed().await?;
        browser.click("#preset option[value='session']").await?;
        browser
            .wait_until(
                "all steps have run",
                "document.querySelector('#session-note').textContent.startsWith('All 5 steps have run')",
            )
            .await?;
        for (step, words) in [
            (0, "tmm 3 subtable localdb_tmm_3_"),
            (1, "first_deleted"),
            (2, "completed=100000/100000 (100.0%) rate="),
            (3, "Verdict: OK"),
            (4, "likely owner: TMM 2"),
        ] {
            let told: String = browser.value(&report("simulated", step)).await?;
            ensure!(told.contains(words), "step {step}: {told}");
            let published: String = browser.value(&report("published", step)).await?;
            ensure!(!published.is_empty() && published != told, "step {step}");
        }
        let link: String = browser.value("location.hash").await?;
        ensure!(link.contains("preset=published-discovered"), "{link}");
        browser.release_focus().await?;
        browser.screenshot("1280x720-view-session").await?;
        browser.assert_clean().await
    })
}

#[test]
fn single_messages_can_be_read_in_slow_motion() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        Lab::open(browser, &fragment("published-deterministic", &[], 1)).await?;
        browser.click("#reset").await?;
        browser
            .element("#speed")
            .await?
            .send_keys(Key::Home)
            .await?;
        let words: String = browser
            .value("document.querySelector('#speed-words').textContent")
            .await?;
        ensure!(words == "1 s: 100 µs", "{words}");
        browser.click("#run").await?;
        // The last values of the chart are the messages.
        let chart = browser.element("#c-cluster").await?;
        browser
            .wait_for("a message is named", async || {
                chart.send_keys(Key::End).await?;
                let text: String = browser
                    .value("document.querySelector('#reading').textContent")
                    .await?;
                Ok(text.contains(" of its way"))
            })
            .await?;
        browser.screenshot("1280x720-slow-motion").await?;
        browser.assert_clean().await
    })
}

#[test]
fn reduced_motion_names_no_messages() -> Result<()> {
    browse(&Site::built()?, View::default().still(), async |browser| {
        let lab = Lab::open(browser, &fragment("published-deterministic", &[], 1)).await?;
        lab.finished().await?;
        browser.click("#reset").await?;
        browser
            .wait_for("nothing is counted", async || Ok(lab.counted().await? == 0))
            .await?;
        browser.element("body").await?.send_keys(".").await?;
        browser
            .wait_until(
                "a request has its reply",
                "document.querySelector('#throughput-note').textContent.startsWith('1 of')",
            )
            .await?;
        browser
            .element("#c-cluster")
            .await?
            .send_keys(Key::End)
            .await?;
        let text: String = browser
            .value("document.querySelector('#reading').textContent")
            .await?;
        ensure!(
            !text.is_empty() && !text.contains(" of its way"),
            "{text:?}"
        );
        browser.assert_clean().await
    })
}

#[test]
fn any_name_can_be_probed_and_the_owner_shows() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment("redis", &[], 1)).await?;
        lab.finished_at_full_speed().await?;
        // The sentence leads to the view that it speaks of.
        browser.click("#look-there").await?;
        let field = browser.element("#name-typed").await?;
        field.send_keys(Key::Control + "a").await?;
        field.send_keys("foo{hash_tag}").await?;
        browser.click("#name-probe-run").await?;
        browser.click("#name-reveal").await?;
        let report: String = browser
            .value("document.querySelector('#name-probe').textContent")
            .await?;
        let owner: String = browser
            .value("document.querySelector('#name-owner').textContent")
            .await?;
        ensure!(owner.contains("Slot 2,515 of 16,384"), "{owner}");
        let likely = report.lines().last().unwrap_or_default();
        let tmm = likely.trim_start_matches("likely owner: ");
        ensure!(
            tmm.starts_with("TMM ") && owner.contains(tmm),
            "{likely}; {owner}"
        );
        browser.screenshot("1280x720-probe-console").await?;
        field.send_keys("x").await?;
        let hidden = "document.querySelector('#name-probe').hidden";
        browser
            .wait_until("another name is not probed yet", hidden)
            .await?;
        browser.assert_clean().await
    })
}
