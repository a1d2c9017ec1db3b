//! Reading values off the charts: by pointer and by keys, beside the table of the same values, and on all charts of an axis.

use anyhow::{Context, Result, ensure};
use serde_json::json;
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{Browser, Scheme, View, browse};
use thirtyfour::Key;

use crate::lab::{Lab, fragment};

/// A run with something to read in every chart.
const SETTINGS: [(&str, &str); 2] = [("records", "20000"), ("log-every", "5")];

/// Opens that run at its end, in a layout.
async fn open<'a>(browser: &'a Browser, layout: &str) -> Result<Lab<'a>> {
    let run = fragment("published-deterministic", &SETTINGS, 1);
    Lab::at_the_end(browser, &run, layout).await
}

/// Moves a mouse to a share of a canvas' width and height.
pub async fn hover(browser: &Browser, selector: &str, across: f64, down: f64) -> Result<()> {
    mouse(browser, "mouseMoved", selector, (across, down), 0).await
}

/// Something that a mouse does on a canvas, with the first button down or not.
pub async fn mouse(
    browser: &Browser,
    kind: &str,
    selector: &str,
    (across, down): (f64, f64),
    clicks: u32,
) -> Result<()> {
    let [x, y] = place(browser, selector, (across, down)).await?;
    let held = u32::from(kind == "mousePressed" || (kind == "mouseMoved" && clicks > 0));
    let button = if clicks > 0 { "left" } else { "none" };
    let event = json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": held, "clickCount": clicks });
    devtools(browser, "Input.dispatchMouseEvent", event).await
}

/// A place of a canvas in the window.
pub async fn place(
    browser: &Browser,
    selector: &str,
    (across, down): (f64, f64),
) -> Result<[f64; 2]> {
    browser
        .value(&format!(
            "(box => [box.left + box.width * {across}, box.top + box.height * {down}])
                (document.querySelector(`{selector}`).getBoundingClientRect())"
        ))
        .await
}

/// Has the browser do something that no method of the driver does.
pub async fn devtools(browser: &Browser, method: &str, event: serde_json::Value) -> Result<()> {
    browser
        .driver()
        .cdp()
        .send_raw(method, event)
        .await
        .with_context(|| format!("the browser refuses {method}"))?;
    browser.next_frame().await
}

/// What is said of the value at the crosshair; nothing when there is none.
pub async fn said(browser: &Browser) -> Result<String> {
    browser
        .value("(told => told.checkVisibility() ? told.textContent : '')(document.querySelector('#reading'))")
        .await
}

/// The table of a chart, row by row.
pub async fn table(browser: &Browser, view: &str) -> Result<Vec<Vec<String>>> {
    let summary = format!("[data-view={view}] .data summary");
    let rows = format!("document.querySelectorAll('[data-view={view}] .data td')");
    browser.click(&summary).await?;
    browser
        .wait_until("the data are there", &format!("{rows}.length > 0"))
        .await?;
    browser.next_frame().await?;
    let table = browser
        .value(&format!(
            "[...new Set([...{rows}].map(cell => cell.parentElement))].map(row => [...row.cells].map(cell => cell.textContent))"
        ))
        .await?;
    browser.click(&summary).await?;
    browser.next_frame().await?;
    Ok(table)
}

/// The digits before some words.
fn number_before(text: &str, words: &str) -> Result<u64> {
    let before = text
        .split(words)
        .next()
        .with_context(|| format!("{text:?} does not say {words:?}"))?;
    let last = before.split_whitespace().last().unwrap_or_default();
    let digits: String = last.chars().filter(char::is_ascii_digit).collect();
    digits
        .parse()
        .with_context(|| format!("no number before {words:?} in {text:?}"))
}

#[test]
fn what_is_said_under_the_pointer_is_what_the_table_says() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        open(browser, "charts").await?;
        let rates = table(browser, "throughput").await?;
        let counts = table(browser, "histograms").await?;
        let flows = table(browser, "cluster").await?;
        let mut read = 0;
        for share in [0.2, 0.35, 0.5, 0.65, 0.8, 0.95] {
            hover(browser, "#c-throughput", share, 0.5).await?;
            let text = said(browser).await?;
            let writes = text
                .split_once(": ")
                .and_then(|(_, rest)| rest.split_once(" writes/s"))
                .with_context(|| format!("{text:?}"))?
                .0;
            ensure!(
                rates.iter().any(|row| row[1] == writes),
                "{text:?} is not in {rates:?}"
            );

            hover(browser, "#c-histograms", share * 0.45, 0.3).await?;
            let text = said(browser).await?;
            let writes = number_before(&text, " writes")?;
            let tmm = number_before(&text.replace(',', " "), " ")
                .or_else(|_| text[4..].split(',').next().unwrap_or_default().parse())?;
            let found = counts.iter().any(|row| {
                let count = |cell: &String| cell.parse::<u64>().unwrap_or(u64::MAX);
                count(&row[0]) == tmm && count(&row[3]) + count(&row[4]) == writes
            });
            ensure!(found, "{text:?} is not in {counts:?}");

            hover(browser, "#c-cluster", share, 0.6).await?;
            let text = said(browser).await?;
            if text.contains(" to TMM ") {
                let writes = number_before(&text, " writes")?.to_string();
                ensure!(
                    flows.iter().any(|row| row[2] == writes),
                    "{text:?} is not in {flows:?}"
                );
                read += 1;
            }
        }
        ensure!(read > 0, "no flow was read");
        hover(browser, "#c-time", 0.3, 0.12).await?;
        let text = said(browser).await?;
        ensure!(
            text.starts_with("TMM 0, ") && text.contains(" % of "),
            "{text:?}"
        );
        browser.assert_clean().await
    })
}

#[test]
fn the_pointer_draws_no_chart_again_and_hides_no_data() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        open(browser, "overview").await?;
        browser
            .value::<()>(
                "(() => { window.drawn = 0;
                    const fill = CanvasRenderingContext2D.prototype.fillRect;
                    CanvasRenderingContext2D.prototype.fillRect =
                        function (...at) { window.drawn += 1; return fill.apply(this, at); };
                })()",
            )
            .await?;
        for canvas in [
            "#c-throughput",
            "#c-time",
            "#c-cluster",
            "[data-strip=\"1\"]",
        ] {
            for share in [0.3, 0.4, 0.5, 0.6] {
                hover(browser, canvas, share, 0.45).await?;
            }
            ensure!(!said(browser).await?.is_empty(), "{canvas} says nothing");
            let covers: bool = browser
                .value(&format!(
                    "((told, chart) => told.top < chart.bottom - 1 && chart.top + 1 < told.bottom)
                        (document.querySelector('#reading').getBoundingClientRect(),
                         document.querySelector(`{canvas}`).getBoundingClientRect())"
                ))
                .await?;
            ensure!(!covers, "what is said lies on {canvas}");
        }
        let drawn: u32 = browser.value("window.drawn").await?;
        ensure!(drawn == 0, "{drawn} rectangles were drawn");
        browser.screenshot("1280x720-crosshair").await?;
        browser.assert_clean().await
    })
}

#[test]
fn keys_walk_along_a_chart_and_are_spoken_to() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        open(browser, "overview").await?;
        let rates = table(browser, "throughput").await?;
        let chart = browser.element("#c-throughput").await?;
        let spoken = async || {
            browser
                .value::<String>("document.querySelector('#spoken').textContent")
                .await
        };
        chart.send_keys(Key::Home).await?;
        let first = spoken().await?;
        ensure!(first == said(browser).await?, "{first:?}");
        ensure!(
            first.contains(&format!("{} writes/s", rates[0][1])),
            "{first:?}"
        );
        chart.send_keys(Key::Right).await?;
        let second = spoken().await?;
        ensure!(
            second.contains(&format!("{} writes/s", rates[1][1])),
            "{second:?}"
        );
        chart.send_keys(Key::Left).await?;
        ensure!(spoken().await? == first);
        chart.send_keys(Key::End).await?;
        let last = rates.last().context("a row")?;
        let end = spoken().await?;
        ensure!(end.contains(&format!("{} writes/s", last[1])), "{end:?}");
        // A mouse that passes by elsewhere takes nothing away.
        hover(browser, "#c-axis", 0.5, 0.5).await?;
        ensure!(said(browser).await? == end);
        chart.send_keys(Key::Escape).await?;
        ensure!(said(browser).await?.is_empty());
        let left: u32 = browser
            .value("document.querySelectorAll('.overlay i').length")
            .await?;
        ensure!(left == 0, "{left} pieces of the crosshair are left");
        browser.assert_clean().await
    })
}

#[test]
fn all_strips_show_the_same_position() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        open(browser, "table").await?;
        let lines = async || {
            browser
                .value::<Vec<Vec<f64>>>(
                    "[...document.querySelectorAll('#rows .plot')].map(plot =>
                        [...plot.querySelectorAll('.line')].map(line => line.getBoundingClientRect().left))",
                )
                .await
        };
        let together = |lines: &[Vec<f64>]| {
            lines.len() == 4
                && lines
                    .iter()
                    .all(|line| line.len() == 1 && (line[0] - lines[0][0]).abs() < 0.6)
        };
        for share in [0.1, 0.5, 0.7] {
            hover(browser, "[data-strip=\"1\"]", share, 0.5).await?;
            let lines = lines().await?;
            ensure!(together(&lines), "{lines:?}");
            let text = said(browser).await?;
            ensure!(
                text.starts_with("TMM 1, ")
                    && ["; TMM 0 ", ", TMM 2 ", ", TMM 3 "]
                        .iter()
                        .all(|other| text.contains(other)),
                "{text:?}"
            );
        }
        browser.screenshot("1280x720-crosshair-table").await?;
        // One stop of the tab key for all of them, and keys from one to the next.
        let stops: u32 = browser
            .value("document.querySelectorAll('[data-strip][tabindex=\"0\"]').length")
            .await?;
        ensure!(stops == 1, "{stops} stops");
        let strip = browser.element("[data-strip=\"0\"]").await?;
        strip.send_keys(Key::Home).await?;
        let first = said(browser).await?;
        ensure!(first.starts_with("TMM 0, "), "{first:?}");
        browser
            .driver()
            .action_chain()
            .send_keys(Key::Down)
            .perform()
            .await?;
        let second = said(browser).await?;
        ensure!(second.starts_with("TMM 1, "), "{second:?}");
        let focused: String = browser
            .value("document.activeElement.dataset.strip ?? ''")
            .await?;
        ensure!(focused == "1", "the focus is on {focused:?}");
        browser.assert_clean().await
    })
}

#[test]
fn a_finger_reads_values_on_a_phone_in_the_dark() -> Result<()> {
    let view = View::phone().in_scheme(Scheme::Dark);
    browse(&Site::built()?, view, async |browser| {
        open(browser, "overview").await?;
        browser
            .value::<()>(
                "void document.querySelector('#c-throughput').scrollIntoView({ block: 'center' })",
            )
            .await?;
        let [x, y] = place(browser, "#c-throughput", (0.6, 0.5)).await?;
        let touch = json!({ "type": "touchStart", "touchPoints": [{ "x": x, "y": y }] });
        devtools(browser, "Input.dispatchTouchEvent", touch).await?;
        let text = said(browser).await?;
        ensure!(text.contains(" writes/s"), "{text:?}");
        let touch = json!({ "type": "touchEnd", "touchPoints": [] });
        devtools(browser, "Input.dispatchTouchEvent", touch).await?;
        ensure!(
            said(browser).await? == text,
            "what a finger read goes with it"
        );
        browser.screenshot("360x740-crosshair-dark").await?;
        browser.assert_clean().await
    })
}
