//! The address holds the run.

use anyhow::{Result, ensure};
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{View, browse};

use crate::lab::{Lab, fragment, scenario};

#[test]
fn a_link_restores_the_run() -> Result<()> {
    let site = Site::built()?;
    let view = View::default();
    let (link, hash) = browse(&site, view, async |browser| {
        let lab = Lab::open(browser, "").await?;
        browser
            .element("#preset option[value='published-discovered']")
            .await?
            .click()
            .await?;
        lab.set("tmms", "8").await?;
        lab.set("naming", "random-unprobed").await?;
        lab.set("log-every", "50").await?;
        lab.set("seed", "7").await?;
        let settings = [
            ("tmms", "8"),
            ("naming", "random-unprobed"),
            ("log-every", "50"),
        ];
        lab.shows_run(&scenario("published-discovered", &settings)?, 7)
            .await?;
        browser
            .wait_until("the address holds the run", "['v=1', 'tmms=8', 'seed=7', 'log-every=50', 'naming=random-unprobed'].every(part => location.hash.slice(1).split('&').includes(part))")
            .await?;
        browser.assert_clean().await?;
        Ok((
            browser.value::<String>("location.hash").await?,
            lab.finished().await?,
        ))
    })?;
    // Somebody else, who has never been here.
    browse(&site, view, async |browser| {
        let lab = Lab::open(browser, &link).await?;
        for (id, value) in [
            ("tmms", "8"),
            ("naming", "random-unprobed"),
            ("log-every", "50"),
            ("seed", "7"),
        ] {
            ensure!(
                lab.get(id).await? == value,
                "{id} is {} and not {value}",
                lab.get(id).await?
            );
        }
        ensure!(
            browser
                .value::<String>("document.querySelector('#preset').value")
                .await?
                == "published-discovered"
        );
        ensure!(
            lab.finished_at_full_speed().await? == hash,
            "the link gives another run"
        );
        ensure!(
            browser.value::<String>("location.hash").await? == link,
            "the link is rewritten"
        );
        browser.assert_clean().await
    })
}

#[test]
fn every_parameter_travels_in_a_link() -> Result<()> {
    let settings = [
        ("tmms", "3"),
        ("naming", "shared"),
        ("entries", "500"),
        ("log-every", "20"),
        ("workers", "16"),
        ("records", "3000"),
        ("count", "enumerate"),
        ("threshold", "250"),
        ("max-tries", "9"),
        ("hop", "70.5"),
        ("daemon-share", "0.3"),
    ];
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment("published-discovered", &settings, 11)).await?;
        lab.finished_at_full_speed().await?;
        lab.shows_run(&scenario("published-discovered", &settings)?, 11)
            .await?;
        browser.assert_clean().await
    })
}

#[test]
fn another_link_in_the_same_window_is_followed() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, &fragment("published-discovered", &[], 1)).await?;
        lab.finished_at_full_speed().await?;
        browser
            .go(&fragment("count-decay", &[("records", "2000")], 2))
            .await?;
        lab.shows_run(&scenario("count-decay", &[("records", "2000")])?, 2)
            .await?;
        browser.assert_clean().await
    })
}

#[test]
fn a_broken_link_is_explained_and_the_rest_of_it_is_used() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(
            browser,
            "#v=1&preset=published-discovered&tmms=99999999&nonsense=%ff&seed=-1&records=500",
        )
        .await?;
        lab.finished_at_full_speed().await?;
        lab.shows_run(&scenario("published-discovered", &[("records", "500")])?, 1)
            .await?;
        let said: String = browser.value("document.body.innerText").await?;
        ensure!(
            said.contains("99999999"),
            "nothing is said of the refused value"
        );
        browser.assert_clean().await
    })
}

#[test]
fn an_address_that_comes_while_the_own_one_is_due_is_opened() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, "").await?;
        let asked = scenario("published-discovered", &[("tmms", "3")])?;
        let fragment = fragment("published-discovered", &[("tmms", "3")], 1);
        // Held up for longer than the page waits with its own address: both are due before it hears of the new one.
        browser
            .value::<bool>(&format!(
                "(() => {{
                    document.querySelector('#speed').value = document.querySelector('#speed').max;
                    document.querySelector('#speed').dispatchEvent(new Event('input', {{ bubbles: true }}));
                    const field = document.querySelector('[data-parameter=tmms] input:not([type=range])');
                    field.value = '7';
                    field.dispatchEvent(new Event('change', {{ bubbles: true }}));
                    location.hash = '{fragment}';
                    const until = performance.now() + 600;
                    while (performance.now() < until);
                    return true;
                }})()"
            ))
            .await?;
        lab.shows_run(&asked, 1).await?;
        browser.assert_clean().await
    })
}
