//! Each control changes the run that it names, and the views that show it.

use anyhow::{Result, ensure};
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{View, browse};
use thirtyfour::Key;

use crate::lab::{Lab, Row, fragment, scenario};

const SEED: u64 = 3;

/// Opens a preset, waits for its end, sets one parameter, and checks that the page then shows the very run that has it,
/// and that the charts named have other pixels; returns the rows of the table before and after.
async fn change(
    lab: &Lab<'_>,
    preset: &str,
    id: &str,
    value: &str,
    charts: &[&str],
) -> Result<[Vec<Row>; 2]> {
    lab.finished_at_full_speed().await?;
    let before = lab.rows().await?;
    for &view in charts {
        lab.show(view).await?;
        lab.shows_run(&scenario(preset, &[])?, SEED).await?;
        let pixels = settled(lab, view).await?;
        lab.set(id, value).await?;
        lab.shows_run(&scenario(preset, &[(id, value)])?, SEED)
            .await?;
        lab.redrawn(view, &pixels).await?;
        let changed = settled(lab, view).await?;
        ensure!(
            changed != pixels,
            "the chart {view} looks as before once {id} is {value}"
        );
        let original = scenario(preset, &[])?.get(id).unwrap_or_default();
        lab.set(id, &original).await?;
    }
    lab.shows_run(&scenario(preset, &[])?, SEED).await?;
    lab.set(id, value).await?;
    lab.shows_run(&scenario(preset, &[(id, value)])?, SEED)
        .await?;
    Ok([before, lab.rows().await?])
}

/// The pixels of a chart once they no longer change.
async fn settled(lab: &Lab<'_>, view: &str) -> Result<String> {
    let last = std::cell::RefCell::new(lab.pixels(view).await?);
    lab.browser
        .wait_for(&format!("the chart {view} is at rest"), async || {
            lab.browser.next_frame().await?;
            let now = lab.pixels(view).await?;
            Ok(last.replace(now.clone()) == now)
        })
        .await?;
    Ok(last.into_inner())
}

#[test]
fn the_number_of_tmms() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let preset = "published-discovered";
        let lab = Lab::open(browser, &fragment(preset, &[], SEED)).await?;
        let [before, after] = change(
            &lab,
            preset,
            "tmms",
            "6",
            &["cluster", "histograms", "time"],
        )
        .await?;
        ensure!(before.iter().map(|row| row.tmm).eq(0..4), "{before:?}");
        ensure!(after.iter().map(|row| row.tmm).eq(0..6), "{after:?}");
        browser.assert_clean().await
    })
}

#[test]
fn the_naming_strategy() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let preset = "published-deterministic";
        let lab = Lab::open(browser, &fragment(preset, &[], SEED)).await?;
        lab.finished_at_full_speed().await?;
        ensure!(!lab.verdict().await?);
        let [before, after] = change(
            &lab,
            preset,
            "naming",
            "random-probe",
            &["cluster", "histograms"],
        )
        .await?;
        ensure!(lab.verdict().await?, "found names are called slow");
        let slow = |rows: &[Row]| {
            rows.iter()
                .filter_map(Row::avg)
                .filter(|avg| *avg >= 100.0)
                .count()
        };
        ensure!(
            [slow(&before), slow(&after)] == [3, 0],
            "{before:?} and {after:?}"
        );
        browser.assert_clean().await
    })
}

#[test]
fn the_size_of_the_subtable() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let preset = "count-decay";
        let lab = Lab::open(browser, &fragment(preset, &[], SEED)).await?;
        let [before, after] = change(&lab, preset, "entries", "20000", &["throughput"]).await?;
        ensure!(before != after, "the table is as before: {after:?}");
        browser.assert_clean().await
    })
}

#[test]
fn the_logging_rate() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let preset = "published-discovered";
        let lab = Lab::open(browser, &fragment(preset, &[], SEED)).await?;
        let [before, after] = change(&lab, preset, "log-every", "100", &["throughput"]).await?;
        let native = subtable_model::run(&scenario(preset, &[("log-every", "100")])?, SEED);
        for (row, tmm) in after.iter().zip(&native.tmms) {
            ensure!(
                row.n() == tmm.writes / 100,
                "{row:?} of {} writes",
                tmm.writes
            );
        }
        let lines = |rows: &[Row]| rows.iter().map(Row::n).sum::<u64>();
        ensure!(
            lines(&after) > 8 * lines(&before),
            "{before:?} and {after:?}"
        );
        lab.show("log").await?;
        let shown = lab.log_lines().await?;
        ensure!(
            shown.iter().any(|line| line.contains("sampled 1/100")),
            "{shown:?}"
        );
        browser.assert_clean().await
    })
}

#[test]
fn a_slider_redraws_while_it_is_dragged() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment("published-discovered", &[], SEED)).await?;
        lab.finished_at_full_speed().await?;
        let slider = browser
            .element("[data-parameter=tmms] input[type=range]")
            .await?;
        let rows = lab.rows().await?.len();
        let mouse = || browser.driver().action_chain();
        mouse().click_and_hold_element(&slider).perform().await?;
        mouse()
            .move_to_element_with_offset(&slider, 30, 0)
            .perform()
            .await?;
        browser
            .wait_for("the table changes while the slider is held", async || {
                Ok(lab.rows().await?.len() != rows)
            })
            .await?;
        mouse().release().perform().await?;
        lab.finished().await?;
        let tmms: usize = lab.get("tmms").await?.parse()?;
        ensure!(lab.rows().await?.len() == tmms);
        browser.assert_clean().await
    })
}

#[test]
fn a_slider_is_moved_by_keys() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment("published-discovered", &[], SEED)).await?;
        lab.finished_at_full_speed().await?;
        browser
            .element("[data-parameter=tmms] input[type=range]")
            .await?
            .send_keys(Key::Right)
            .await?;
        lab.shows_run(&scenario("published-discovered", &[("tmms", "5")])?, SEED)
            .await?;
        browser.assert_clean().await
    })
}

#[test]
fn a_refused_value_is_explained_and_changes_nothing() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment("published-discovered", &[], SEED)).await?;
        let hash = lab.finished_at_full_speed().await?;
        lab.set("tmms", "0").await?;
        let error = "document.querySelector('[data-parameter=tmms]').innerText";
        browser
            .wait_until(
                "the range is told",
                &format!("{error}.includes('1024') || {error}.includes('1,024')"),
            )
            .await?;
        ensure!(
            lab.finished().await? == hash,
            "a refused value changes the run"
        );
        lab.set("tmms", "5").await?;
        lab.shows_run(&scenario("published-discovered", &[("tmms", "5")])?, SEED)
            .await?;
        browser.assert_clean().await
    })
}

#[test]
fn the_dice_gives_another_run() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment("published-discovered", &[], SEED)).await?;
        let hash = lab.finished_at_full_speed().await?;
        browser.click("#dice").await?;
        browser
            .wait_until(
                "there is another seed",
                &format!(
                    "document.querySelector('[data-parameter=seed] input').value !== '{SEED}'"
                ),
            )
            .await?;
        let seed: u64 = lab.get("seed").await?.parse()?;
        lab.shows_run(&scenario("published-discovered", &[])?, seed)
            .await?;
        ensure!(lab.finished().await? != hash);
        browser.assert_clean().await
    })
}
