//! Many seeds: bands beside the run that is shown, published figures compared, sweeps.

use std::collections::BTreeSet;

use anyhow::{Result, ensure};
use subtable_model::run;
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{View, browse};

use crate::lab::{Lab, fragment, scenario};

#[test]
fn a_band_of_seeds_stands_beside_the_run() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let preset = "published-discovered";
        let lab = Lab::open(
            browser,
            &fragment(preset, &[("records", "20000"), ("log-every", "50")], 1),
        )
        .await?;
        let hash = lab.finished_at_full_speed().await?;
        let before = lab.pixels("throughput").await?;
        lab.set("seeds", "12").await?;
        browser
            .wait_until(
                "the band is of all seeds",
                "document.querySelector('#seeds-note').textContent.includes('90 % of 12')
                    && document.querySelector('tr[data-tmm=\"0\"] td[data-column=max] small').title.startsWith('median of 12')",
            )
            .await?;
        lab.redrawn("throughput", &before).await?;
        ensure!(lab.finished().await? == hash, "the band changes the run");
        browser.screenshot("1280x720-band").await?;
        let scenario = scenario(preset, &[("records", "20000"), ("log-every", "50")])?;
        let mut maxima: Vec<u32> = (1..=12)
            .map(|seed| run(&scenario, seed).row(0).max)
            .collect();
        maxima.sort_unstable();
        let median = f64::from(maxima[5] + maxima[6]) / 2.0;
        let told: String = browser
            .value("document.querySelector('tr[data-tmm=\"0\"] td[data-column=max] small').title")
            .await?;
        ensure!(
            told.starts_with(&format!("median of 12 seeds: {median:.1};")),
            "{told}: {maxima:?}"
        );
        browser
            .wait_until("the link holds it", "location.hash.includes('seeds=12')")
            .await?;

        // Another setting has another band; a wrong number is explained.
        lab.set("tmms", "2").await?;
        browser
            .wait_until(
                "the band follows",
                "document.querySelectorAll('tr[data-tmm].banded').length === 2",
            )
            .await?;
        lab.set("seeds", "999").await?;
        let said: String = browser
            .value("document.querySelector('#seeds-error').innerText")
            .await?;
        ensure!(said.contains("from 1 to 200"), "{said}");
        browser.assert_clean().await
    })
}

#[test]
fn published_figures_are_compared_in_the_page() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, "#v=1&preset=published-discovered&view=published").await?;
        browser.element("#published-seeds").await?.clear().await?;
        browser
            .element("#published-seeds")
            .await?
            .send_keys("3")
            .await?;
        browser.click("#published-run").await?;
        browser
            .wait_until(
                "all is compared",
                "document.querySelector('#published-note').textContent.includes('over 3 seeds')",
            )
            .await?;
        browser.screenshot("1280x720-published").await?;
        let rows: Vec<Vec<String>> = browser
            .value("[...document.querySelectorAll('#figures tr:not(.of)')].map(row => [...row.cells].map(cell => cell.textContent))")
            .await?;
        let figures = subtable_model::fidelity::figures();
        ensure!(
            rows.len() == figures.len(),
            "{} rows of {}",
            rows.len(),
            figures.len()
        );
        let mut inside = 0;
        for preset in subtable_model::preset::PRESETS {
            let of: Vec<_> = figures
                .iter()
                .filter(|figure| figure.preset.id == preset.id)
                .collect();
            let runs: Vec<_> = if of.is_empty() {
                Vec::new()
            } else {
                (1..=3).map(|seed| run(&preset.scenario(), seed)).collect()
            };
            for figure in of {
                let values: Vec<f64> = runs.iter().map(|run| figure.measure(run)).collect();
                inside += usize::from(figure.compare(&values).inside);
            }
        }
        let told = rows.iter().filter(|row| row[5] == "✓ inside").count();
        ensure!(told == inside, "{told} are told to be inside, {inside} are");
        let why: Vec<String> = browser
            .value(
                "[...document.querySelectorAll('#figures tr.of td')].map(cell => cell.textContent)",
            )
            .await?;
        let known: BTreeSet<&str> = figures
            .iter()
            .filter_map(|figure| figure.not_explained)
            .collect();
        ensure!(why.len() == known.len(), "{why:?}");
        for reason in known {
            ensure!(why.iter().any(|cell| cell == reason), "{why:?}");
        }
        browser
            .value::<()>("void document.querySelector('#figures tr.of td').scrollIntoView({ block: 'center' })")
            .await?;
        browser.screenshot("1280x720-published-outside").await?;
        lab.finished_at_full_speed().await?;
        browser.assert_clean().await
    })
}

#[test]
fn a_sweep_shows_the_law_of_the_tries() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        Lab::open(
            browser,
            "#v=1&preset=published-discovered&records=500&view=sweep",
        )
        .await?;
        for (field, value) in [
            ("from", "2"),
            ("to", "32"),
            ("points", "5"),
            ("seeds", "10"),
        ] {
            let field = browser.element(&format!("#sweep-{field}")).await?;
            field.clear().await?;
            field.send_keys(value).await?;
        }
        browser.click("#sweep-run").await?;
        browser
            .wait_until(
                "the sweep is finished",
                "document.documentElement.dataset.sweep === 'finished'",
            )
            .await?;
        browser.screenshot("1280x720-sweep").await?;
        browser.click("[data-view=sweep] .data summary").await?;
        let rows: Vec<Vec<f64>> = browser
            .value("[...document.querySelectorAll('#sweep-data tr:has(td)')].map(row => [...row.cells].map(cell => Number(cell.textContent)))")
            .await?;
        let values: Vec<f64> = rows.iter().map(|row| row[0]).collect();
        ensure!(values == [2.0, 4.0, 8.0, 16.0, 32.0], "{values:?}");
        for row in &rows {
            let (tmms, median) = (row[0], row[3]);
            ensure!(
                row[1] > 9.5 && median > tmms * 0.6 && median < tmms * 1.5,
                "{row:?}"
            );
        }
        browser.assert_clean().await
    })
}

#[test]
fn a_sweep_is_stopped_and_a_wrong_one_is_refused() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        Lab::open(browser, "#v=1&preset=published-deterministic&view=sweep").await?;
        let seeds = browser.element("#sweep-seeds").await?;
        seeds.clear().await?;
        seeds.send_keys("200").await?;
        browser.click("#sweep-run").await?;
        browser
            .wait_until(
                "it tells how long",
                "document.querySelector('#sweep-note').textContent.includes('s left')",
            )
            .await?;
        browser.click("#sweep-run").await?;
        browser
            .wait_until(
                "it is stopped",
                "document.querySelector('#sweep-note').textContent.includes('stopped after')",
            )
            .await?;
        let from = browser.element("#sweep-from").await?;
        from.clear().await?;
        from.send_keys("0").await?;
        browser.click("#sweep-run").await?;
        let said: String = browser
            .value("document.querySelector('#sweep-error').innerText")
            .await?;
        ensure!(said.contains("0 is outside 1 to 1024"), "{said}");
        browser.assert_clean().await
    })
}
