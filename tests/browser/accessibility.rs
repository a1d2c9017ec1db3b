//! What axe-core finds: nothing, wherever a user can get to.

use anyhow::{Result, ensure};
use subtable_tests::sites::{Site, axe};
use subtable_tests::webdriver::{Browser, Scheme, View, browse};
use thirtyfour::Key;

use crate::lab::{Lab, fragment};

/// The rules: all of WCAG 2.2 to level AA, and what axe-core's authors call good practice.
const RULES: &str = "{ resultTypes: ['violations'], runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', \
                     'wcag22aa', 'best-practice'] } }";

/// axe-core, and what it has found so far.
struct Finder<'a> {
    browser: &'a Browser,
    script: String,
    found: Vec<String>,
}

impl<'a> Finder<'a> {
    fn new(browser: &'a Browser) -> Result<Self> {
        let found = "results.violations.flatMap(rule => rule.nodes.map(node => \
                     `${rule.id}: ${node.target.join(' ')}: ${[...node.any, ...node.all, ...node.none].map(check => check.message).join('; ')}`))";
        Ok(Self {
            browser,
            script: format!(
                "{}\nreturn axe.run(document, {RULES}).then(results => {found});",
                axe()?
            ),
            found: Vec::new(),
        })
    }

    /// Looks at the page as it is now.
    async fn look(&mut self, place: &str) -> Result<()> {
        self.browser.next_frame().await?;
        let found: Vec<String> = self.browser.run(&self.script).await?;
        self.found
            .extend(found.into_iter().map(|what| format!("{place}: {what}")));
        Ok(())
    }

    fn nothing(self) -> Result<()> {
        ensure!(self.found.is_empty(), "axe-core finds: {:#?}", self.found);
        Ok(())
    }
}

async fn finished<'a>(browser: &'a Browser, fragment: &str) -> Result<Lab<'a>> {
    let lab = Lab::open(browser, fragment).await?;
    lab.finished_at_full_speed().await?;
    Ok(lab)
}

/// Every view in every layout, with its data shown where it has some.
async fn layouts(finder: &mut Finder<'_>) -> Result<()> {
    let browser = finder.browser;
    let lab = finished(browser, &fragment("published-discovered", &[], 1)).await?;
    for layout in lab.layouts().await? {
        browser
            .value::<()>(&format!(
                "document.querySelector('button[data-layout={layout}]').click() ?? null"
            ))
            .await?;
        finder.look(&layout).await?;
    }
    browser
        .value::<()>(
            "(document.querySelector('button[data-layout=charts]').click(),
              document.querySelectorAll('details').forEach(details => details.open = true), null)",
        )
        .await?;
    finder.look("charts with their data, all controls").await
}

/// Every dialog, and what opens without being one: a lesson, notices, errors at controls.
async fn dialogs(finder: &mut Finder<'_>) -> Result<()> {
    let browser = finder.browser;
    for key in ["?", "l", "e"] {
        finished(browser, "").await?;
        browser.element("body").await?.send_keys(key).await?;
        browser
            .wait_until("a dialog is open", "document.querySelector('dialog[open]')")
            .await?;
        finder.look(&format!("the dialog of the key {key}")).await?;
    }
    finished(browser, "").await?;
    browser
        .value::<()>("document.querySelector('#honesty-open').click() ?? null")
        .await?;
    finder.look("what is published, simulated, assumed").await?;
    // A lesson waits for a prediction.
    Lab::open(browser, "#v=1&lesson=names.1&nonsense=1").await?;
    finder
        .look("a lesson, and a notice of a broken link")
        .await?;
    let lab = finished(browser, "").await?;
    browser.element("body").await?.send_keys("c").await?;
    browser.element("#seed").await?.send_keys("x").await?;
    browser.element("#seed").await?.send_keys(Key::Tab).await?;
    lab.finished_at_full_speed().await?;
    finder.look("comparing, with an error at the seed").await
}

/// The page in another page, and the page of a real log, before and after it has read one.
async fn others(finder: &mut Finder<'_>) -> Result<()> {
    let browser = finder.browser;
    browser.leave().await?;
    browser
        .go("?embed=1&views=throughput,table&controls=tmms,count#v=1&preset=published-discovered")
        .await?;
    Lab { browser }.finished_at_full_speed().await?;
    finder.look("embedded").await?;
    browser.go("log.html").await?;
    finder.look("the page of a log").await?;
    let log = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/corpus/logs/deterministic-names.log"
    );
    browser.element("#file").await?.send_keys(log).await?;
    browser
        .wait_until(
            "the results are there",
            "document.querySelector('.verdict')",
        )
        .await?;
    finder.look("the results of a log").await
}

#[test]
fn nothing_is_found_by_axe_where_users_begin() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let mut finder = Finder::new(browser)?;
        finished(browser, "").await?;
        finder.look("the first screen").await?;
        others(&mut finder).await?;
        finder.nothing()
    })
}

fn nothing_is_found(wide: View) -> Result<()> {
    browse(&Site::built()?, wide, async |browser| {
        let mut finder = Finder::new(browser)?;
        for scheme in [Scheme::Light, Scheme::Dark] {
            browser.look_at(wide.in_scheme(scheme)).await?;
            layouts(&mut finder).await?;
            dialogs(&mut finder).await?;
            others(&mut finder).await?;
        }
        finder.nothing()
    })
}

#[test]
fn nothing_is_found_by_axe_on_a_laptop() -> Result<()> {
    nothing_is_found(View::default())
}

#[test]
fn nothing_is_found_by_axe_on_a_phone() -> Result<()> {
    nothing_is_found(View {
        scale: 1.0,
        ..View::phone()
    })
}
