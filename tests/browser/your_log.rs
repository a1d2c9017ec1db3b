//! The page that reads a real log: chosen, pasted or dropped; its results, and the way from them into the lab.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use subtable_tests::sites::Site;
use subtable_tests::webdriver::{Browser, Scheme, View, browse};
use tempfile::TempDir;

use crate::lab::Lab;

const SHOWN: &str = "document.querySelector('#results .verdict') !== null";

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus/logs")
        .join(name)
}

async fn choose(browser: &Browser, name: &str) -> Result<()> {
    browser.go("log.html").await?;
    let file = corpus(name);
    let file = file.to_str().context("a path of words")?;
    browser.element("#file").await?.send_keys(file).await?;
    browser.wait_until("the results are there", SHOWN).await
}

/// Pastes a text, as a keyboard would.
async fn paste(browser: &Browser, text: &str) -> Result<()> {
    let paste = format!(
        "(() => {{ const data = new DataTransfer(); data.setData('text/plain', {}); \
         document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true }})); return 0; }})()",
        serde_json::to_string(text)?
    );
    let _: u32 = browser.value(&paste).await?;
    browser.wait_until("the results are there", SHOWN).await
}

async fn text(browser: &Browser, selector: &str) -> Result<String> {
    browser
        .value(&format!(
            "document.querySelector('{selector}')?.textContent ?? ''"
        ))
        .await
}

#[test]
fn a_chosen_log_is_judged_and_judged_again() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        choose(browser, "deterministic-names.log").await?;
        let verdict = text(browser, ".verdict").await?;
        ensure!(
            verdict.starts_with("LOCALITY ISSUE: TMMs 0, 1 and 2"),
            "{verdict}"
        );
        let rows: Vec<String> = browser
            .value("[...document.querySelectorAll('#times tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent).join(' '))")
            .await?;
        let expected = fs::read_to_string(format!(
            "{}.expected",
            corpus("deterministic-names.log").display()
        ))?;
        for (row, expected) in rows
            .iter()
            .zip(expected.lines().filter(|line| line.starts_with("TMM ")))
        {
            let numbers = |text: &str| -> Vec<String> {
                let words = text.split([' ', ':']);
                words
                    .filter(|word| word.parse::<f64>().is_ok())
                    .map(str::to_owned)
                    .collect()
            };
            ensure!(numbers(row) == numbers(expected), "{row}; {expected}");
        }
        ensure!(rows.len() == 4, "{rows:?}");
        ensure!(
            text(browser, "#owners")
                .await?
                .contains("localdb_tmm_0: most likely owned by TMM 2")
        );
        ensure!(
            text(browser, "#picture svg title")
                .await?
                .contains("4 TMMs")
        );

        // Another threshold does not need the file again.
        let judge = "(() => { const field = document.getElementById('threshold'); field.value = 200000; \
                     field.dispatchEvent(new Event('input')); return 0; })()";
        let _: u32 = browser.value(judge).await?;
        let holds = "document.querySelector('.verdict').textContent.startsWith('OK: ')";
        browser
            .wait_until("the other threshold is heeded", holds)
            .await?;
        browser.assert_clean().await
    })
}

#[test]
fn a_log_that_has_grown_is_chosen_again() -> Result<()> {
    let folder = TempDir::new().context("cannot make a temporary folder")?;
    let log = folder.path().join("ltm");
    let name = log.to_str().context("a path of words")?;
    browse(&Site::built()?, View::default(), async |browser| {
        browser.go("log.html").await?;
        for (corpus_log, tmms) in [("answers.txt", 0), ("deterministic-names.log", 4)] {
            fs::copy(corpus(corpus_log), &log).context("cannot write the log")?;
            browser.element("#file").await?.send_keys(name).await?;
            let rows = format!(
                "document.querySelector('#results')?.textContent && document.querySelectorAll('#times tbody tr').length === {tmms}"
            );
            browser
                .wait_until(&format!("{corpus_log} is read"), &rows)
                .await?;
            // A field that still holds a file tells nobody when a person chooses the same one again.
            let held: u32 = browser
                .value("document.getElementById('file').files.length")
                .await?;
            ensure!(held == 0, "the field holds {held} files");
        }
        Ok(())
    })
}

#[test]
fn what_is_pasted_is_read_and_stays_text() -> Result<()> {
    browse(
        &Site::built()?,
        View::phone().in_scheme(Scheme::Dark),
        async |browser| {
            browser.go("log.html").await?;
            let log = "tmm=1 subtable=<img/src=x> writes=1 key=k clicks=7 FAST_LOCAL (sampled 1/1)\n\
                   <script>document.title='taken'</script>\ntmm=1 clicks=x FAST_LOCAL (sampled 1/1)\n";
            paste(browser, log).await?;
            ensure!(text(browser, ".verdict").await?.starts_with("OK: "));
            ensure!(text(browser, "#times tbody td").await? == "<img/src=x>");
            let lines = text(browser, "#lines").await?;
            ensure!(lines.contains("1 broken, 1 not of the harness"), "{lines}");
            ensure!(lines.contains("clicks= is not a whole number"), "{lines}");
            let wide: bool = browser
                .value("document.documentElement.scrollWidth > innerWidth")
                .await?;
            ensure!(!wide, "the page scrolls sideways on a phone");
            browser.assert_clean().await
        },
    )
}

#[test]
fn the_fit_leads_into_the_lab() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        browser.go("log.html").await?;
        let lines: Vec<String> = (0..300)
            .map(|write| {
                let (tmm, clicks) = (write % 3, 3 + write * 7 % 11);
                format!("tmm={tmm} subtable=localdb_tmm_{tmm} writes={write} key=k clicks={clicks} FAST_LOCAL (sampled 1/50)\n")
            })
            .collect();
        paste(browser, &lines.concat()).await?;
        let fit = text(browser, "#fit").await?;
        for said in [
            "Maximum likelihood",
            "from 300 local writes",
            "Not fitted: Hop between TMMs",
        ] {
            ensure!(fit.contains(said), "{said}: {fit}");
        }
        let href: String = browser
            .value("document.getElementById('what-if').getAttribute('href')")
            .await?;
        let lab = Lab::open(browser, &href).await?;
        ensure!(lab.get("tmms").await? == "3" && lab.get("log-every").await? == "50");
        ensure!(lab.get("naming").await? == "deterministic");
        browser.assert_clean().await
    })
}

#[test]
fn a_large_log_is_read_in_pieces_while_the_page_lives_and_can_be_stopped() -> Result<()> {
    browse(&Site::built()?, View::default(), async |browser| {
        browser.go("log.html").await?;
        let drop = |megabytes: u32| {
            format!(
                "(() => {{ const line = 'Nov 30 20:15:01 box tmm1[7]: Rule /Common/L <R>: tmm=1 subtable=a writes=5 key=k clicks=6 FAST_LOCAL (sampled 1/1000)\\n'; \
                 const piece = line.repeat(8000); const data = new DataTransfer(); \
                 data.items.add(new File(Array({megabytes}).fill(piece), 'large.log')); \
                 document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }})); return piece.length; }})()"
            )
        };
        let _: u32 = browser.value(&drop(20)).await?;
        browser.wait_until("all of it is read", SHOWN).await?;
        ensure!(
            text(browser, "#lines")
                .await?
                .starts_with("Lines160000 read, 160000 used")
        );
        let _: u32 = browser.value(&drop(200)).await?;
        browser
            .wait_until(
                "it is being read",
                "document.getElementById('read').value > 0",
            )
            .await?;
        browser.click("#cancel").await?;
        let stopped = "document.getElementById('progress').hidden && document.getElementById('results').childElementCount === 0";
        ensure!(browser.value::<bool>(stopped).await?, "it goes on");
        browser.assert_clean().await
    })
}
