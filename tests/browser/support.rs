//! The support of these tests, tried on small pages that are known to be good or bad: what it must notice, it notices.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{Browser, Scheme, View, browse};

fn samples() -> Result<Site> {
    Site::of(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("browser/samples"),
        "",
    )
}

async fn visit(browser: &Browser, page: &str) -> Result<()> {
    browser.go(&format!("{page}.html")).await?;
    let finished = "document.documentElement.dataset.state === 'finished'";
    browser.wait_until("the sample is done", finished).await
}

#[test]
fn a_good_page_is_clean() -> Result<()> {
    browse(&samples()?, View::default(), async |browser| {
        visit(browser, "good").await?;
        browser.assert_clean().await
    })
}

#[test]
fn every_kind_of_error_is_noticed() -> Result<()> {
    browse(&samples()?, View::default(), async |browser| {
        for (page, told) in [
            ("console", "logged"),
            ("thrown", "Uncaught Error: thrown"),
            ("rejected", "Uncaught Error: rejected"),
            ("absent", "404"),
            ("policy", "Content Security Policy"),
            ("worker", "logged by a worker"),
            ("worker", "Uncaught Error: thrown by a worker"),
        ] {
            let before = browser.console_errors().await?.len();
            visit(browser, page).await?;
            // A page may be done before the browser has reported what went wrong in it.
            browser
                .wait_for(&format!("{page} is reported: {told}"), async || {
                    let errors = browser.console_errors().await?.split_off(before);
                    Ok(errors.iter().any(|error| error.contains(told)))
                })
                .await?;
            ensure!(
                browser.assert_clean().await.is_err(),
                "{page} passes as clean"
            );
        }
        Ok(())
    })
}

#[test]
fn a_request_to_another_origin_is_noticed_wherever_it_is_made() -> Result<()> {
    for (page, wanted) in [
        ("foreign", "http://foreign.test/a?b"),
        ("foreign-port", "http://127.0.0.1:9/"),
        ("foreign-worker", "worker.test:443"),
    ] {
        browse(&samples()?, View::default(), async |browser| {
            visit(browser, page).await?;
            let foreign = browser.foreign_requests().await?;
            ensure!(
                foreign.iter().any(|request| request == wanted),
                "{page}: {wanted} is not among {foreign:?}"
            );
            ensure!(
                browser.assert_clean().await.is_err(),
                "{page} passes as clean"
            );
            Ok(())
        })?;
    }
    Ok(())
}

#[test]
fn a_view_is_what_the_page_sees() -> Result<()> {
    let view = View::phone().in_scheme(Scheme::Dark).still();
    browse(&samples()?, view, async |browser| {
        for view in [view, View::default()] {
            browser.look_at(view).await?;
            visit(browser, "good").await?;
            let size: (u32, u32, f64) = browser
                .value("[innerWidth, innerHeight, devicePixelRatio]")
                .await?;
            ensure!(size == (view.width, view.height, view.scale), "{size:?}");
            let dark: bool = browser
                .value("matchMedia('(prefers-color-scheme: dark)').matches")
                .await?;
            ensure!(dark == (view.scheme == Scheme::Dark), "dark: {dark}");
            let still: bool = browser
                .value("matchMedia('(prefers-reduced-motion: reduce)').matches")
                .await?;
            ensure!(still == view.reduced_motion, "still: {still}");
        }
        Ok(())
    })
}

#[test]
fn a_screenshot_has_the_pixels_of_the_view() -> Result<()> {
    browse(&samples()?, View::phone(), async |browser| {
        visit(browser, "good").await?;
        let png = fs::read(browser.screenshot("sample-phone").await?)?;
        // A PNG begins with 8 bytes of signature and the header chunk, in which width and height follow 8 bytes.
        let size = [&png[16..20], &png[20..24]]
            .map(|bytes| u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        ensure!(size == [360 * 3, 740 * 3], "{size:?}");
        Ok(())
    })
}

#[test]
fn a_failing_test_fails_and_keeps_what_the_page_showed() -> Result<()> {
    let site = samples()?;
    let outcome: Result<()> = browse(&site, View::default(), async |browser| {
        visit(browser, "good").await?;
        anyhow::bail!("on purpose, to see that it is passed on")
    });
    ensure!(outcome.is_err_and(|error| error.to_string().starts_with("on purpose")));
    let kept = subtable_tests::sites::screenshots()
        .join("failed-support-a_failing_test_fails_and_keeps_what_the_page_showed.png");
    ensure!(kept.is_file(), "no {}", kept.display());
    fs::remove_file(kept)?;
    Ok(())
}

#[test]
fn every_test_named_for_other_browsers_exists() -> Result<()> {
    let listed = Command::new(std::env::current_exe()?)
        .arg("--list")
        .output()?;
    let tests = String::from_utf8(listed.stdout)?;
    let tests: Vec<&str> = tests
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .collect();
    let named = include_str!("elsewhere.txt").lines().filter_map(|line| {
        let (kind, rest) = line.split_once(' ')?;
        match kind {
            "everywhere" => Some(rest),
            "chromium" | "not-webkit" => {
                Some(rest.rsplit_once(": ").map_or(rest, |(name, _)| name))
            }
            _ => None,
        }
    });
    let unknown: Vec<&str> = named.filter(|name| !tests.contains(name)).collect();
    ensure!(unknown.is_empty(), "there is no test {unknown:?}");
    Ok(())
}
