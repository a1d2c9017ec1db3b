//! What fits on which screen, and how it looks: each test leaves screenshots.

use anyhow::{Result, ensure};
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{Browser, Scheme, View, browse};

use crate::lab::{Lab, fragment};

const SCHEMES: [Scheme; 2] = [Scheme::Light, Scheme::Dark];

async fn finished<'a>(browser: &'a Browser, preset: &str) -> Result<Lab<'a>> {
    let lab = Lab::open(browser, &fragment(preset, &[], 1)).await?;
    lab.finished_at_full_speed().await?;
    browser.release_focus().await?;
    for _ in 0..3 {
        browser.next_frame().await?;
    }
    Ok(lab)
}

/// Fails when the page is wider than the window, naming what sticks out.
async fn assert_no_horizontal_scrolling(browser: &Browser) -> Result<()> {
    let [content, window]: [f64; 2] = browser
        .value("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        .await?;
    let wide: Vec<String> = browser
        .value(
            "[...document.querySelectorAll('body *')]
                .filter(element => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
                .map(element => element.tagName + '#' + element.id + '.' + element.className).slice(0, 8)",
        )
        .await?;
    ensure!(
        content <= window,
        "the page is {content} wide in a window of {window}: {wide:?}"
    );
    Ok(())
}

#[test]
fn a_small_laptop_shows_everything_without_scrolling() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        for scheme in SCHEMES {
            browser.look_at(View::default().in_scheme(scheme)).await?;
            for preset in [
                "published-deterministic",
                "published-discovered",
                "count-decay",
            ] {
                finished(browser, preset).await?;
                browser
                    .screenshot(&format!("1280x720-{}-{preset}", scheme.name()))
                    .await?;
                assert_no_horizontal_scrolling(browser).await?;
                let height: f64 = browser
                    .value("document.documentElement.scrollHeight")
                    .await?;
                ensure!(
                    height <= 720.0,
                    "{preset}: the page is {height} high in a window of 720"
                );
                let below: Vec<String> = browser
                    .value(
                        "['header', '#run', '[data-parameter=tmms]', '[data-parameter=naming]', '[data-parameter=entries]',
                          '[data-parameter=log-every]', '#verdict',
                          ...[...document.querySelectorAll('[data-view]')].map(view => `[data-view=${view.dataset.view}]`)]
                            .filter(selector => {
                                const element = document.querySelector(selector);
                                const { top, bottom, height } = element.getBoundingClientRect();
                                return element.checkVisibility() && (top < 0 || bottom > innerHeight || height === 0);
                            })",
                    )
                    .await?;
                ensure!(
                    below.is_empty(),
                    "{preset}: not wholly on the screen: {below:?}"
                );
            }
        }
        browser.assert_clean().await
    })
}

#[test]
fn a_phone_needs_no_sideways_scrolling() -> Result<()> {
    browse(&Site::built()?, View::phone(), async |browser| {
        for scheme in SCHEMES {
            browser.look_at(View::phone().in_scheme(scheme)).await?;
            for preset in ["published-deterministic", "published-discovered"] {
                finished(browser, preset).await?;
                assert_no_horizontal_scrolling(browser).await?;
                browser
                    .screenshot(&format!("360x740-{}-{preset}", scheme.name()))
                    .await?;
            }
        }
        browser.assert_clean().await
    })
}

#[test]
fn many_tmms_fit_on_both() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        for (view, name) in [(View::default(), "1280x720"), (View::phone(), "360x740")] {
            browser.look_at(view).await?;
            let lab = Lab::open(
                browser,
                &fragment("published-discovered", &[("tmms", "64")], 1),
            )
            .await?;
            lab.finished_at_full_speed().await?;
            browser.release_focus().await?;
            assert_no_horizontal_scrolling(browser).await?;
            browser.screenshot(&format!("{name}-64-tmms")).await?;
        }
        browser.assert_clean().await
    })
}

#[test]
fn every_layout_fits() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        for (view, name) in [(View::default(), "1280x720"), (View::phone(), "360x740")] {
            browser.look_at(view).await?;
            let lab = finished(browser, "published-deterministic").await?;
            for chart in [
                "cluster",
                "histograms",
                "throughput",
                "table",
                "log",
                "time",
                "latency",
                "memory",
                "names",
            ] {
                lab.show(chart).await?;
                browser.next_frame().await?;
                assert_no_horizontal_scrolling(browser).await?;
                browser.screenshot(&format!("{name}-view-{chart}")).await?;
            }
        }
        browser.assert_clean().await
    })
}

#[test]
fn charts_are_drawn_at_the_density_of_the_screen() -> Result<()> {
    for (view, density) in [
        (View::default(), 1.0),
        (
            View {
                scale: 2.0,
                ..View::default()
            },
            2.0,
        ),
    ] {
        browse(&Site::built()?, view, async |browser| {
            finished(browser, "published-discovered").await?;
            let blurred: Vec<String> = browser
                .value(&format!(
                    "[...document.querySelectorAll('[data-view] canvas')]
                        .filter(canvas => canvas.checkVisibility())
                        .filter(canvas => Math.abs(canvas.width - canvas.getBoundingClientRect().width * {density}) > 1.5)
                        .map(canvas => `${{canvas.id}}: ${{canvas.width}} for ${{canvas.getBoundingClientRect().width}}`)"
                ))
                .await?;
            ensure!(blurred.is_empty(), "at density {density}: {blurred:?}");
            browser.assert_clean().await
        })?;
    }
    Ok(())
}
