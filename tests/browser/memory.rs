//! What is stored, how long the client waits, and what else a run came to.

use anyhow::{Result, ensure};
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{Browser, View, browse};

use crate::lab::{Lab, fragment, scenario};

/// The numbers of a column of the data table of a view.
fn column(view: &str, number: usize) -> String {
    format!(
        "[...document.querySelectorAll(\"[data-view='{view}'] .data tr\")].slice(1)
            .map(row => row.cells[{number}].textContent)"
    )
}

/// Opens the data table of a view, and waits until it is filled.
async fn open_data(browser: &Browser, view: &str) -> Result<()> {
    let table = format!("[data-view='{view}'] .data");
    browser.click(&format!("{table} summary")).await?;
    browser
        .wait_until(
            "the data are listed",
            &format!("document.querySelectorAll(\"{table} tr\").length > 1"),
        )
        .await
}

#[test]
fn the_memory_of_reloads_is_shown_with_its_orphans() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment("reload", &[], 1)).await?;
        browser.element("body").await?.send_keys("8").await?;
        browser
            .wait_until(
                "8 shows the memory",
                "document.querySelector(\"[data-view='memory']\").checkVisibility()",
            )
            .await?;
        browser.click("#reset").await?;
        browser
            .wait_for("nothing is counted", async || Ok(lab.counted().await? == 0))
            .await?;
        let before = lab.pixels("memory").await?;
        browser.click("#run").await?;
        lab.redrawn("memory", &before).await?;
        lab.finished_at_full_speed().await?;
        let snapshot = lab.shows_run(&scenario("reload", &[])?, 1).await?;

        open_data(browser, "memory").await?;
        let orphans: Vec<String> = browser.value(&column("memory", 3)).await?;
        let expected: Vec<String> = snapshot
            .tmms
            .iter()
            .map(|tmm| tmm.stored.orphans.to_string())
            .collect();
        ensure!(orphans == expected, "{orphans:?}, but {expected:?}");
        let bytes: Vec<String> = browser.value(&column("memory", 5)).await?;
        ensure!(
            bytes
                .iter()
                .all(|cell| cell.parse::<u64>().is_ok_and(|it| it > 0))
        );
        browser.click("[data-view='memory'] summary").await?;

        let names: Vec<String> = browser
            .value("[...document.querySelectorAll('#subtables tr')].map(row => row.cells[0].textContent)")
            .await?;
        let listed = snapshot.subtables.iter().all(|it| names.contains(&it.name));
        ensure!(listed, "{names:?}");
        let lost: usize = browser
            .value("[...document.querySelectorAll('#subtables tr')].filter(row => row.cells[4].textContent.includes('orphans')).length")
            .await?;
        ensure!(lost == snapshot.subtables.iter().filter(|it| !it.in_use).count());
        browser.assert_clean().await
    })
}

#[test]
fn a_thousand_subtables_are_listed_by_the_fullest() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let link = format!("{}&view=memory", fragment("per-session", &[], 1));
        let lab = Lab::open(browser, &link).await?;
        lab.finished_at_full_speed().await?;
        let snapshot = lab.shows_run(&scenario("per-session", &[])?, 1).await?;
        let most = snapshot.subtables.iter().map(|it| it.entries).max();
        let told: Vec<String> = browser
            .value("[...document.querySelectorAll('#subtables tr')].map(row => row.cells[2].textContent)")
            .await?;
        ensure!(told.len() == 60, "{} rows", told.len());
        ensure!(
            told[0].replace(',', "").parse().ok() == most,
            "{} is first",
            told[0]
        );
        browser.assert_clean().await
    })
}

#[test]
fn late_starts_show_in_the_latency_and_in_words() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment("late-starts", &[], 1)).await?;
        lab.finished_at_full_speed().await?;
        let snapshot = lab.shows_run(&scenario("late-starts", &[])?, 1).await?;
        let words: String = browser
            .value("document.querySelector('#outcome').textContent")
            .await?;
        ensure!(words.contains("of the intended start"), "{words:?}");
        lab.show("latency").await?;
        open_data(browser, "latency").await?;
        let p99: Vec<String> = browser.value(&column("latency", 6)).await?;
        let expected = [&snapshot.latency, &snapshot.latency_from_sending];
        ensure!(
            p99 == expected.map(|row| row.p99.to_string()),
            "{p99:?}, but {expected:?}"
        );
        browser.assert_clean().await
    })
}

#[test]
fn each_view_is_usable_alone() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        for (view, filled) in [
            (
                "memory",
                "document.querySelectorAll('#subtables tr').length > 0",
            ),
            (
                "names",
                "document.querySelectorAll('#searches li').length > 0",
            ),
            (
                "latency",
                "document.querySelector('#latency-note').textContent.startsWith('100,000')",
            ),
            ("log", "document.querySelectorAll('#log li').length > 10"),
        ] {
            let address = format!(
                "?embed=1&views={view}{}",
                fragment("published-discovered", &[], 1)
            );
            let lab = Lab::open(browser, &address).await?;
            lab.finished_at_full_speed().await?;
            browser
                .wait_until(&format!("{view} is filled"), filled)
                .await?;
            let shown: Vec<String> = browser
                .value("[...document.querySelectorAll('[data-view]')].filter(it => it.checkVisibility()).map(it => it.dataset.view)")
                .await?;
            ensure!(shown == [view], "{shown:?}");
        }
        browser.assert_clean().await
    })
}

#[test]
fn the_title_of_a_view_shows_it_alone_and_leads_back() -> Result<()> {
    const SHOWN: &str = "[...document.querySelectorAll('[data-view]')].filter(it => it.checkVisibility()).map(it => it.dataset.view)";
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment("published-discovered", &[], 1)).await?;
        lab.finished_at_full_speed().await?;
        let all: Vec<String> = browser.value(SHOWN).await?;
        browser.click("[data-alone='throughput']").await?;
        let alone: Vec<String> = browser.value(SHOWN).await?;
        ensure!(alone == ["throughput"], "{alone:?}");
        let linked = "location.hash.includes('view=throughput')";
        browser.wait_until("the link tells it", linked).await?;
        browser.click("[data-alone='throughput']").await?;
        let back: Vec<String> = browser.value(SHOWN).await?;
        ensure!(back == all, "{back:?}");

        let link = format!("{}&view=latency", fragment("published-discovered", &[], 1));
        Lab::open(browser, &link).await?;
        let alone: Vec<String> = browser.value(SHOWN).await?;
        ensure!(alone == ["latency"], "{alone:?}");
        browser.assert_clean().await
    })
}
