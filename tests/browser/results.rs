//! The same results in the page as on this machine.

use anyhow::{Context, Result, ensure};
use subtable_model::preset::PRESETS;
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{View, browse};

use crate::lab::{Lab, fragment};

#[test]
fn every_preset_has_the_same_result_in_the_page_as_natively() -> Result<()> {
    ensure!(PRESETS.len() >= 3);
    browse(&Site::built()?, View::default(), async |browser| {
        for preset in PRESETS {
            let native = subtable_model::run(&preset.scenario(), 7);
            let lab = Lab::open(browser, &fragment(preset.id, &[], 7)).await?;
            let hash = lab.finished_at_full_speed().await?;
            ensure!(
                hash == native.hash_text(),
                "{}: {hash} in the page, {} natively",
                preset.id,
                native.hash_text()
            );
            ensure!(
                lab.verdict().await? == native.verdict().ok,
                "{}: another verdict",
                preset.id
            );

            let rows = lab.rows().await?;
            ensure!(
                rows.len() == native.tmms.len(),
                "{}: {} rows",
                preset.id,
                rows.len()
            );
            for row in rows {
                let expected = native.row(row.tmm as usize);
                ensure!(
                    row.n() == expected.n,
                    "{}: {row:?}, but {expected:?}",
                    preset.id
                );
                let is_told = match row.avg() {
                    Some(avg) => (avg - expected.avg).abs() < 0.06 + expected.avg / 1000.0,
                    None => expected.n == 0,
                };
                ensure!(is_told, "{}: {row:?}, but {expected:?}", preset.id);
            }
        }
        browser.assert_clean().await
    })
}

#[test]
fn the_published_runs_look_as_published() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, "#v=1&preset=published-deterministic").await?;
        lab.finished_at_full_speed().await?;
        for row in lab.rows().await? {
            let avg = row.avg().context("no average")?;
            let as_published = if row.tmm == 3 {
                avg < 100.0
            } else {
                (10_000.0..1_000_000.0).contains(&avg)
            };
            ensure!(
                as_published,
                "TMM {} has an average of {avg} clicks",
                row.tmm
            );
        }
        let words: String = browser
            .value("document.querySelector('#verdict').textContent")
            .await?;
        ensure!(
            ["0", "1", "2"].iter().all(|tmm| words.contains(tmm)),
            "the verdict is {words:?}"
        );

        let lab = Lab::open(browser, "#v=1&preset=published-discovered").await?;
        lab.finished_at_full_speed().await?;
        ensure!(lab.verdict().await?);
        for row in lab.rows().await? {
            ensure!(row.avg().is_some_and(|avg| avg < 100.0), "{row:?}");
        }
        browser.assert_clean().await
    })
}
