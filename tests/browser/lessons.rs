//! Lessons: predict, run, reveal, explain.

use anyhow::{Result, ensure};
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{Browser, View, browse};
use thirtyfour::Key;

use crate::lab::Lab;

async fn answer(browser: &Browser) -> Result<String> {
    browser
        .value("document.querySelector('#lesson-answer').textContent")
        .await
}

async fn answered(browser: &Browser) -> Result<String> {
    browser
        .wait_until(
            "the answer is told",
            "document.querySelector('#lesson-answer').textContent && document.querySelector('#lesson-why').textContent",
        )
        .await?;
    answer(browser).await
}

#[test]
fn a_prediction_is_held_against_the_run() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, "").await?;
        lab.finished_at_full_speed().await?;
        browser.element("body").await?.send_keys("l").await?;
        browser.screenshot("1280x720-lessons").await?;
        browser.click("[data-begin=names]").await?;
        ensure!(lab.state().await? == "paused");
        ensure!(
            answer(browser).await?.is_empty(),
            "the answer is told before the run"
        );
        browser
            .click("#lesson-choices label:has([value='0'])")
            .await?;
        browser.click("#lesson-run").await?;
        let told = answered(browser).await?;
        ensure!(told == "3 of 4 TMMs are slow. You said 0.", "{told}");
        browser.screenshot("1280x720-lesson").await?;
        browser.click("#lesson-next").await?;
        ensure!(lab.get("tmms").await? == "8");
        browser
            .wait_until(
                "the link holds the step",
                "location.hash.includes('lesson=names.2')",
            )
            .await?;
        browser.click("#lesson-reveal").await?;
        let told = answered(browser).await?;
        ensure!(told.ends_with("of 8 TMMs are fast."), "{told}");
        browser.click("#lesson-next").await?;
        let progress: String = browser
            .value("document.querySelector('[data-lesson=names] .progress').textContent")
            .await?;
        ensure!(progress == "✓ done", "{progress}");
        browser.assert_clean().await
    })
}

#[test]
fn a_link_opens_at_its_step_and_the_instructor_has_the_last_word() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, "#v=1&preset=even-ports&lesson=dag.1").await?;
        ensure!(
            browser
                .value::<String>("document.querySelector('#lesson-title').textContent")
                .await?
                == "Who gets the connections"
        );
        browser.click("#instructor").await?;
        browser.element("#speed").await?.send_keys(Key::End).await?;
        browser.click("#lesson-run").await?;
        lab.finished().await?;
        browser.next_frame().await?;
        ensure!(
            answer(browser).await?.is_empty(),
            "the answer does not wait"
        );
        browser.element("body").await?.send_keys("a").await?;
        let told = answered(browser).await?;
        ensure!(told == "2 of 4 TMMs get no connection.", "{told}");
        browser.assert_clean().await
    })
}

#[test]
fn every_step_of_every_lesson_has_an_answer() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        Lab::open(browser, "").await?;
        let steps: Vec<String> = browser
            .value(
                "[...document.querySelectorAll('[data-lesson]')].flatMap(lesson =>
                    [...lesson.querySelectorAll('[data-ask]')].map((_, step) => `${lesson.dataset.lesson}.${step + 1}`))",
            )
            .await?;
        ensure!(steps.len() >= 12, "{steps:?}");
        for step in steps {
            // The step's own run is put in force when its answer is asked for.
            browser.leave().await?;
            Lab::open(browser, &format!("#v=1&lesson={step}")).await?;
            browser.click("#lesson-reveal").await?;
            let told = answered(browser).await?;
            ensure!(!told.contains("NaN"), "{step}: {told}");
        }
        browser.assert_clean().await
    })
}

#[test]
fn the_lessons_are_read_without_the_program() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        browser
            .driver()
            .cdp()
            .send_raw(
                "Emulation.setScriptExecutionDisabled",
                serde_json::json!({ "value": true }),
            )
            .await?;
        browser.leave().await?;
        browser.go("").await?;
        for text in [
            "Which TMM owns localdb_tmm_0?",
            "JavaScript and WebAssembly",
            "Listing n keys",
        ] {
            let page = browser.element("body").await?.text().await?;
            ensure!(
                page.contains(text),
                "{text:?} is not to be read in {page:?}"
            );
        }
        browser.screenshot("1280x720-without-script").await?;
        Ok(())
    })
}
