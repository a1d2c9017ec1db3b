//! What can be taken away and opened again.

use anyhow::{Context, Result, ensure};
use subtable_lab::report::{self, Report};
use subtable_model::scenario::link;
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{Browser, View, browse};
use tempfile::TempDir;

use crate::lab::{Lab, fragment, scenario};

/// Keeps what the page saves: the last blob and its name.
const CATCH: &str = "(() => {
    const make = URL.createObjectURL;
    URL.createObjectURL = blob => { window.saved = blob; return make.call(URL, blob); };
    document.addEventListener('click', event => {
        const link = event.target.closest?.('a[download]');
        if (link) { window.savedName = link.download; event.preventDefault(); }
    }, true);
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function () {
        if (this.download) window.savedName = this.download; else click.call(this);
    };
    return null;
})()";

async fn saved(browser: &Browser, extension: &str) -> Result<String> {
    browser
        .wait_until(
            "something is saved",
            &format!("window.savedName?.endsWith('.{extension}')"),
        )
        .await?;
    browser.value("saved.text()").await
}

/// Pastes a text where nothing is being written.
async fn paste(browser: &Browser, text: &str) -> Result<()> {
    let text = serde_json::to_string(text)?;
    browser
        .value(&format!(
            "(() => {{ const data = new DataTransfer(); data.setData('text', {text});
                document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true }})); return null; }})()"
        ))
        .await
}

#[test]
fn a_run_is_saved_as_the_command_line_would_print_it_and_opened_again() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let settings = [("tmms", "5"), ("hop", "45.125"), ("log-every", "200")];
        let lab = Lab::open(browser, &fragment("published-discovered", &settings, 9)).await?;
        lab.finished_at_full_speed().await?;
        browser.value::<()>(CATCH).await?;
        browser.element("body").await?.send_keys("e").await?;
        browser.screenshot("1280x720-files").await?;
        browser.click("#run-save").await?;
        let text = saved(browser, "json").await?;
        let run = link::Run {
            preset: subtable_model::preset::Preset::find("published-discovered")
                .context("a preset")?,
            scenario: scenario("published-discovered", &settings)?,
            seed: 9,
            others: Vec::new(),
        };
        let native = Report::new(&run, &subtable_model::run(&run.scenario, 9), 100);
        let read = report::read(&text).map_err(|error| anyhow::anyhow!("{error}\n{text}"))?;
        ensure!(read == native, "{read:#?} and {native:#?}");

        browser.click("#files form button").await?;
        browser.click("#preset option[value='count-decay']").await?;
        lab.shows_run(&scenario("count-decay", &[])?, 9).await?;
        paste(browser, &text).await?;
        lab.shows_run(&run.scenario, 9).await?;
        ensure!(
            browser
                .value::<String>("document.querySelector('#preset').value")
                .await?
                == "published-discovered"
        );
        browser.click("#undo").await?;
        lab.shows_run(&scenario("count-decay", &[])?, 9).await?;
        browser.assert_clean().await
    })
}

#[test]
fn what_cannot_be_opened_is_refused_with_place_and_reason_and_nothing_is_lost() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(
            browser,
            &fragment("published-discovered", &[("tmms", "6")], 2),
        )
        .await?;
        let hash = lab.finished_at_full_speed().await?;
        for (text, told) in [
            (
                "{\"schema\": \"subtable-lab/run\",\n \"version\": 1,\n oops",
                "This is not JSON",
            ),
            (
                "{\"schema\": \"subtable-lab/sweep\"}",
                "schema: `subtable-lab/sweep`",
            ),
            (
                "{\"schema\": \"subtable-lab/run\", \"version\": 9}",
                "version: 9",
            ),
            (
                "{\"schema\": \"subtable-lab/run\", \"version\": 1, \"preset\": \"probe\", \"seed\": 1, \"scenario\": {\"tmms\": 5000}}",
                "scenario.tmms: 5000 is outside 1 to 1024",
            ),
            (
                "{\"schema\": \"subtable-lab/run\", \"version\": 1, \"preset\": \"probe\", \"seed\": 0.5, \"scenario\": {}}",
                "seed: not a whole number",
            ),
            (
                "https://example.org/#v=1&preset=none",
                "there is no preset `none`",
            ),
            ("good morning", "neither the JSON of a run nor a link"),
        ] {
            paste(browser, text).await?;
            let said: String = browser
                .value("document.querySelector('#notices').innerText")
                .await?;
            ensure!(
                said.contains(told) && said.contains("Nothing was changed"),
                "{text}: {said:?}"
            );
        }
        ensure!(
            lab.finished().await? == hash,
            "a refused text changes the run"
        );
        // A link is opened, too; in the dialog the reason stands beside the field.
        browser.click("#files-open").await?;
        browser.element("#open-text").await?.send_keys("[]").await?;
        browser.click("#open-typed").await?;
        let said: String = browser
            .value("document.querySelector('#open-error').innerText")
            .await?;
        ensure!(said.contains("schema"), "{said:?}");
        browser.element("#open-text").await?.clear().await?;
        browser
            .element("#open-text")
            .await?
            .send_keys("v=1&preset=probe&seed=5")
            .await?;
        browser.click("#open-typed").await?;
        lab.shows_run(&scenario("probe", &[])?, 5).await?;
        browser.assert_clean().await
    })
}

#[test]
fn a_file_that_has_changed_is_opened_again() -> Result<()> {
    let folder = TempDir::new().context("cannot make a temporary folder")?;
    let file = folder.path().join("run.txt");
    let name = file.to_str().context("a path of words")?;
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, "").await?;
        for seed in [5, 6] {
            std::fs::write(&file, format!("v=1&preset=probe&seed={seed}"))
                .context("cannot write the run")?;
            browser.click("#files-open").await?;
            browser.element("#open-file").await?.send_keys(name).await?;
            lab.shows_run(&scenario("probe", &[])?, seed).await?;
            // A field that still holds a file tells nobody when a person chooses the same one again.
            let held: u32 = browser
                .value("document.getElementById('open-file').files.length")
                .await?;
            ensure!(held == 0, "the field holds {held} files");
        }
        browser.assert_clean().await
    })
}

#[test]
fn charts_tables_and_logs_are_taken_away() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let settings = [("records", "20000"), ("log-every", "10")];
        let lab = Lab::open(browser, &fragment("published-discovered", &settings, 1)).await?;
        lab.finished_at_full_speed().await?;
        browser.value::<()>(CATCH).await?;
        for view in ["cluster", "throughput", "time", "histograms"] {
            lab.show(view).await?;
            browser
                .click(&format!("[data-view={view}] .data summary"))
                .await?;
            let button = format!("[data-save-image={view}]");
            browser
                .wait_until(
                    "the data are there",
                    &format!("document.querySelector('{button}')"),
                )
                .await?;
            browser.click(&button).await?;
            browser
                .wait_until(
                    "the picture is saved",
                    &format!(
                        "window.savedName?.startsWith('{view}') && savedName.endsWith('.png')"
                    ),
                )
                .await?;
            let [width, height]: [f64; 2] = browser
                .value("createImageBitmap(saved).then(picture => [picture.width, picture.height])")
                .await?;
            let [shown_width, shown_height]: [f64; 2] = browser
                .value(&format!(
                    "(canvas => [canvas.clientWidth, canvas.clientHeight])(document.querySelector('#c-{view}'))"
                ))
                .await?;
            ensure!(
                (width - 2.0 * shown_width).abs() < 2.0
                    && (height - 2.0 * shown_height).abs() < 2.0,
                "{view}: {width} x {height} of {shown_width} x {shown_height}"
            );
            browser
                .click(&format!("[data-view={view}] .data summary"))
                .await?;
        }
        browser.click("#files-open").await?;
        browser.click("#log-save").await?;
        let log = saved(browser, "log").await?;
        let native = subtable_model::run(&scenario("published-discovered", &settings)?, 1);
        ensure!(
            log.lines().count() as u64 == native.log.lines,
            "{} lines",
            log.lines().count()
        );
        let last = native.log.tail.last().context("a line")?;
        ensure!(log.lines().last() == Some(last.1.as_str()));
        browser.assert_clean().await
    })
}

#[test]
fn a_page_in_another_page_shows_what_it_was_asked_for() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        browser.leave().await?;
        browser
            .go("?embed=1&views=throughput,table&controls=tmms,count&theme=dark#v=1&preset=published-discovered&tmms=6")
            .await?;
        let lab = Lab { browser };
        lab.finished_at_full_speed().await?;
        lab.shows_run(&scenario("published-discovered", &[("tmms", "6")])?, 1)
            .await?;
        let shown: Vec<String> = browser
            .value(
                "[...document.querySelectorAll('[data-view], [data-parameter]')].filter(part => part.checkVisibility())
                    .map(part => part.dataset.view ?? part.dataset.parameter)",
            )
            .await?;
        ensure!(
            shown == ["tmms", "count", "throughput", "table"],
            "{shown:?}"
        );
        ensure!(
            browser
                .value::<String>("document.documentElement.dataset.theme")
                .await?
                == "dark"
        );
        lab.set("tmms", "3").await?;
        lab.shows_run(&scenario("published-discovered", &[("tmms", "3")])?, 1)
            .await?;
        browser
            .wait_until(
                "the way to the whole page leads to what is shown",
                "document.querySelector('#open-full').href.includes('tmms=3') && !document.querySelector('#open-full').href.includes('embed')",
            )
            .await?;
        browser.screenshot("1280x720-embedded").await?;
        browser.assert_clean().await
    })
}

#[test]
fn the_state_of_the_last_visit_is_offered() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        let lab = Lab::open(browser, "").await?;
        lab.finished_at_full_speed().await?;
        ensure!(
            !browser
                .value::<bool>("!!document.querySelector('#back-to-last')")
                .await?
        );
        lab.set("tmms", "7").await?;
        browser
            .wait_until(
                "the state is kept",
                "localStorage.getItem('last')?.includes('tmms=7')",
            )
            .await?;
        let lab = Lab::open(browser, "").await?;
        browser.screenshot("1280x720-last-visit").await?;
        browser.click("#back-to-last").await?;
        lab.finished_at_full_speed().await?;
        lab.shows_run(&scenario("published-deterministic", &[("tmms", "7")])?, 1)
            .await?;
        browser.assert_clean().await
    })
}
