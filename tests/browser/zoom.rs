//! Zooming, and what can be left out of a chart or spaced in another way.

use anyhow::{Context, Result, ensure};
use serde_json::json;
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{Browser, Scheme, View, browse};
use thirtyfour::Key;

use crate::crosshair::{devtools, hover, mouse, place, said, table};
use crate::lab::{Lab, fragment};

const CHART: &str = "#c-throughput";
const RESET: &str = "[data-unzoom=throughput]";
const SETTINGS: [(&str, &str); 2] = [("records", "20000"), ("log-every", "1")];

async fn open<'a>(browser: &'a Browser, layout: &str) -> Result<Lab<'a>> {
    let run = fragment("published-discovered", &SETTINGS, 1);
    Lab::at_the_end(browser, &run, layout).await
}

/// The first and the last moment in the table of the throughput, in seconds.
async fn shown(browser: &Browser) -> Result<(f64, f64)> {
    let rows = table(browser, "throughput").await?;
    let at = |row: Option<&Vec<String>>| row.and_then(|row| row[0].parse().ok());
    Some((at(rows.first()), at(rows.last())))
        .and_then(|(first, last)| Some((first?, last?)))
        .context("no moments in the table")
}

async fn is_zoomed(browser: &Browser) -> Result<bool> {
    browser.next_frame().await?;
    browser
        .value(&format!(
            "document.querySelector('{RESET}').checkVisibility()"
        ))
        .await
}

async fn wheel(browser: &Browser, down: f64, modifiers: u32) -> Result<()> {
    let [x, y] = place(browser, CHART, (0.5, 0.5)).await?;
    let event = json!({ "type": "mouseWheel", "x": x, "y": y, "deltaX": 0.0, "deltaY": down, "modifiers": modifiers });
    devtools(browser, "Input.dispatchMouseEvent", event).await
}

#[test]
fn a_stretch_that_is_drawn_is_shown_until_it_is_left() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        open(browser, "charts").await?;
        let (from, to) = shown(browser).await?;
        mouse(browser, "mousePressed", CHART, (0.4, 0.5), 1).await?;
        mouse(browser, "mouseMoved", CHART, (0.5, 0.5), 1).await?;
        mouse(browser, "mouseMoved", CHART, (0.6, 0.5), 1).await?;
        let drawn: u32 = browser
            .value("document.querySelectorAll('.overlay .stretch').length")
            .await?;
        ensure!(drawn == 1, "the stretch is not to be seen");
        mouse(browser, "mouseReleased", CHART, (0.6, 0.5), 1).await?;
        ensure!(is_zoomed(browser).await?);
        let (near, far) = shown(browser).await?;
        let whole = to - from;
        ensure!(
            near > from + whole * 0.2 && far < to - whole * 0.2 && far - near > whole * 0.1,
            "{near} to {far} of {from} to {to}"
        );
        browser.screenshot("1280x720-zoomed").await?;

        // It stays when the run is run again, and the pictures that are taken away show it.
        browser.click("#run").await?;
        Lab { browser }.finished_at_full_speed().await?;
        let again = shown(browser).await?;
        ensure!(again == (near, far), "{again:?}, not {near} to {far}");

        browser.click(RESET).await?;
        ensure!(!is_zoomed(browser).await?);
        ensure!(shown(browser).await? == (from, to));
        browser.assert_clean().await
    })
}

#[test]
fn a_double_click_goes_back_and_a_click_does_nothing() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        open(browser, "overview").await?;
        for (kind, clicks) in [("mousePressed", 1), ("mouseReleased", 1)] {
            mouse(browser, kind, CHART, (0.5, 0.5), clicks).await?;
        }
        ensure!(!is_zoomed(browser).await?, "a click zooms");
        browser.element(CHART).await?.send_keys("+").await?;
        ensure!(is_zoomed(browser).await?);
        for (kind, clicks) in [
            ("mousePressed", 1),
            ("mouseReleased", 1),
            ("mousePressed", 2),
            ("mouseReleased", 2),
        ] {
            mouse(browser, kind, CHART, (0.5, 0.5), clicks).await?;
        }
        ensure!(
            !is_zoomed(browser).await?,
            "a double click does not go back"
        );
        browser.assert_clean().await
    })
}

#[test]
fn a_wheel_zooms_with_ctrl_or_in_the_focus_and_scrolls_else() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        open(browser, "overview").await?;
        browser.release_focus().await?;
        wheel(browser, -300.0, 0).await?;
        ensure!(
            !is_zoomed(browser).await?,
            "the page cannot be scrolled past a chart"
        );
        // 2 is Ctrl.
        wheel(browser, -300.0, 2).await?;
        ensure!(is_zoomed(browser).await?, "Ctrl and the wheel do not zoom");
        wheel(browser, 900.0, 2).await?;
        wheel(browser, 900.0, 2).await?;
        ensure!(
            !is_zoomed(browser).await?,
            "all of it is shown, and it counts as zoomed"
        );
        browser.element(CHART).await?.focus().await?;
        wheel(browser, -300.0, 0).await?;
        ensure!(
            is_zoomed(browser).await?,
            "the wheel does not zoom in the focus"
        );
        browser.assert_clean().await
    })
}

#[test]
fn keys_zoom_about_the_crosshair_and_back() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        open(browser, "overview").await?;
        let (from, to) = shown(browser).await?;
        let chart = browser.element(CHART).await?;
        chart.send_keys(Key::End).await?;
        chart.send_keys("++").await?;
        ensure!(is_zoomed(browser).await?);
        let spoken: String = browser
            .value("document.querySelector('#spoken').textContent")
            .await?;
        ensure!(spoken.contains(" to "), "{spoken:?}");
        ensure!(
            said(browser).await?.contains("writes/s"),
            "the crosshair is lost"
        );
        let (near, far) = shown(browser).await?;
        let whole = to - from;
        ensure!(
            near > from + whole * 0.6 && far > to - whole * 0.1,
            "{near} to {far} of {from} to {to}"
        );
        chart.send_keys("0").await?;
        ensure!(!is_zoomed(browser).await?);
        browser.assert_clean().await
    })
}

#[test]
fn two_fingers_pinch_and_strips_are_zoomed_together() -> Result<()> {
    browse(&Site::built()?, View::phone(), async |browser| {
        open(browser, "overview").await?;
        let canvas = "[data-strip=\"1\"]";
        browser
            .value::<()>(&format!(
                "void document.querySelector(`{canvas}`).scrollIntoView({{ block: 'center' }})"
            ))
            .await?;
        let before: Vec<String> = browser
            .value("[...document.querySelectorAll('[data-strip], #c-axis')].map(canvas => canvas.toDataURL())")
            .await?;
        for (kind, apart) in [
            ("touchStart", 0.1),
            ("touchMove", 0.2),
            ("touchMove", 0.4),
            ("touchEnd", 0.0),
        ] {
            let mut points = Vec::new();
            if kind != "touchEnd" {
                for (id, share) in [(0, 0.5 - apart), (1, 0.5 + apart)] {
                    let [x, y] = place(browser, canvas, (share, 0.5)).await?;
                    points.push(json!({ "x": x, "y": y, "id": id }));
                }
            }
            devtools(
                browser,
                "Input.dispatchTouchEvent",
                json!({ "type": kind, "touchPoints": points }),
            )
            .await?;
        }
        browser
            .wait_until(
                "there is a way back",
                "document.querySelector('[data-unzoom=table]').checkVisibility()",
            )
            .await?;
        browser.next_frame().await?;
        let after: Vec<String> = browser
            .value("[...document.querySelectorAll('[data-strip], #c-axis')].map(canvas => canvas.toDataURL())")
            .await?;
        let changed = before
            .iter()
            .zip(&after)
            .filter(|(before, after)| before != after)
            .count();
        ensure!(
            changed == before.len(),
            "{changed} of {} pictures are zoomed",
            before.len()
        );
        browser.screenshot("360x740-zoomed").await?;
        browser.assert_clean().await
    })
}

#[test]
fn what_is_left_out_is_gone_and_comes_back() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = open(browser, "charts").await?;
        for (view, name) in [
            ("throughput", "writes/s"),
            ("throughput", "log lines/s"),
            ("histograms", "local"),
            ("cluster", "local"),
            ("time", "client"),
        ] {
            let before = lab.pixels(view).await?;
            let button = format!(
                "[...document.querySelectorAll('[data-view={view}] .legend button')].find(button => button.textContent === '{name}')"
            );
            let pressed = format!("{button}?.getAttribute('aria-pressed')");
            browser
                .wait_until("the legend is there", &format!("{pressed} === 'true'"))
                .await?;
            browser.value::<()>(&format!("{button}.focus()")).await?;
            // By key, as by mouse.
            browser
                .driver()
                .action_chain()
                .send_keys(Key::Space)
                .perform()
                .await?;
            browser
                .wait_until("it is left out", &format!("{pressed} === 'false'"))
                .await?;
            lab.redrawn(view, &before).await?;
            browser.value::<()>(&format!("{button}.click()")).await?;
            browser
                .wait_until("it is back", &format!("{pressed} === 'true'"))
                .await?;
            browser
                .wait_for("the chart is as before", async || {
                    Ok(lab.pixels(view).await? == before)
                })
                .await?;
        }
        ensure!(
            lab.state().await? == "finished",
            "the space key ran the run"
        );
        browser.assert_clean().await
    })
}

#[test]
fn values_are_spaced_by_powers_of_ten_on_request() -> Result<()> {
    for (view, scheme) in [
        (View::default(), Scheme::Light),
        (View::default(), Scheme::Dark),
    ] {
        browse(&Site::built()?, view.in_scheme(scheme), async |browser| {
            let lab = open(browser, "charts").await?;
            for chart in ["throughput", "histograms"] {
                let before = lab.pixels(chart).await?;
                let button = format!("[data-scale={chart}]");
                browser.click(&button).await?;
                lab.redrawn(chart, &before).await?;
                let pressed: String = browser
                    .value(&format!(
                        "document.querySelector('{button}').getAttribute('aria-pressed')"
                    ))
                    .await?;
                ensure!(pressed == "true");
            }
            hover(browser, "#c-throughput", 0.5, 0.5).await?;
            browser
                .screenshot(&format!("1280x720-log-scale-{}", scheme.name()))
                .await?;
            browser.assert_clean().await
        })?;
    }
    Ok(())
}

#[test]
fn the_overview_opens_its_legends_on_request() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        open(browser, "overview").await?;
        let legend = "document.querySelector('[data-view=table] .legend')";
        ensure!(
            !browser
                .value::<bool>(&format!("{legend}.checkVisibility()"))
                .await?
        );
        browser.click("[data-legend=table]").await?;
        browser
            .wait_until(
                "the legend is filled",
                &format!("{legend}.querySelectorAll('button').length >= 3"),
            )
            .await?;
        let expanded: String = browser
            .value("document.querySelector('[data-legend=table]').getAttribute('aria-expanded')")
            .await?;
        ensure!(expanded == "true");
        browser.click("[data-legend=throughput]").await?;
        browser.next_frame().await?;
        browser.screenshot("1280x720-legends").await?;
        browser.assert_clean().await
    })
}
