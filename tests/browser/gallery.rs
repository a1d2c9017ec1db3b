//! Pictures of every view and preset, to be looked at: the tests only see to it that they are made and that nothing on them
//! sticks out.

use anyhow::{Result, ensure};
use subtable_model::preset::PRESETS;
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{Browser, Scheme, View, browse};

use crate::lab::{Lab, fragment};

/// Takes one picture after everything is drawn, and names what sticks out of the window.
async fn picture(browser: &Browser, name: &str) -> Result<()> {
    browser.release_focus().await?;
    browser.next_frame().await?;
    browser.screenshot(&format!("gallery/{name}")).await?;
    let [content, window]: [f64; 2] = browser
        .value("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        .await?;
    ensure!(content <= window, "{name} is {content} wide in {window}");
    Ok(())
}

async fn pictures(browser: &Browser, view: View) -> Result<()> {
    let size = format!("{}x{}", view.width, view.height);
    for scheme in [Scheme::Light, Scheme::Dark] {
        browser.look_at(view.in_scheme(scheme)).await?;
        let name = |what: &str| format!("{size}-{}-{what}", scheme.name());
        let lab = Lab::open(browser, &fragment("published-deterministic", &[], 1)).await?;
        lab.finished_at_full_speed().await?;
        for layout in lab.layouts().await? {
            lab.choose(&layout).await?;
            picture(browser, &name(&format!("view-{layout}"))).await?;
        }
        browser.click("button[data-layout=overview]").await?;
        for preset in PRESETS {
            browser
                .click(&format!("#preset option[value='{}']", preset.id))
                .await?;
            lab.shows_run(&preset.scenario(), 1).await?;
            picture(browser, &name(preset.id)).await?;
        }
    }
    browser.assert_clean().await
}

fn gallery(view: View) -> Result<()> {
    browse(&Site::built()?, view.still(), async |browser| {
        pictures(browser, view.still()).await
    })
}

#[test]
fn pictures_on_a_laptop() -> Result<()> {
    gallery(View::default())
}

#[test]
fn pictures_on_a_phone() -> Result<()> {
    gallery(View {
        scale: 2.0,
        ..View::phone()
    })
}

#[test]
fn pictures_on_a_large_screen() -> Result<()> {
    gallery(View {
        width: 1920,
        height: 1080,
        ..View::default()
    })
}
