//! The page as its users know it: controls, buttons, a table, charts.

use std::cell::Cell;

use anyhow::{Context, Result, bail, ensure};
use subtable_model::preset::Preset;
use subtable_model::{Scenario, Snapshot};
use subtable_tests::webdriver::Browser;
use thirtyfour::{By, Key};

/// The page, opened.
pub struct Lab<'a> {
    /// The browser that shows it.
    pub browser: &'a Browser,
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
pub struct Row {
    /// The number of the TMM.
    pub tmm: u32,
    /// The texts of the cells n, fast, slow, min, p50, avg, p95, p99 and max, without the published figures below them.
    pub cells: Vec<String>,
}

impl Row {
    /// Writes that were counted in this row; a cell without digits counts none.
    pub fn n(&self) -> u64 {
        digits(&self.cells[0]).unwrap_or(0)
    }

    /// The average in clicks; nothing where no write was counted.
    pub fn avg(&self) -> Option<f64> {
        let text = &self.cells[5];
        let number: String = text
            .chars()
            .filter(|c| c.is_ascii_digit() || *c == '.')
            .collect();
        number.parse().ok()
    }
}

fn digits(text: &str) -> Option<u64> {
    text.chars()
        .filter(char::is_ascii_digit)
        .collect::<String>()
        .parse()
        .ok()
}

impl<'a> Lab<'a> {
    /// Opens the page in its own right, at the run that `fragment` holds (empty, or from `#` on), and returns once it is
    /// beyond loading.
    pub async fn open(browser: &'a Browser, fragment: &str) -> Result<Self> {
        // Another fragment alone would not load the page again.
        browser.leave().await?;
        browser.go(fragment).await?;
        let lab = Self { browser };
        browser
            .wait_until(
                "the page has loaded",
                "document.documentElement.dataset.state !== 'loading'",
            )
            .await?;
        ensure!(lab.state().await? != "failed", "the page has failed");
        Ok(lab)
    }

    /// Opens the page at a run, waits for its end, and chooses a layout.
    pub async fn at_the_end(browser: &'a Browser, fragment: &str, layout: &str) -> Result<Self> {
        let lab = Self::open(browser, fragment).await?;
        lab.finished_at_full_speed().await?;
        lab.choose(layout).await?;
        browser.next_frame().await?;
        Ok(lab)
    }

    /// `loading`, `running`, `paused`, `finished` or `failed`.
    pub async fn state(&self) -> Result<String> {
        self.browser
            .value("document.documentElement.dataset.state")
            .await
    }

    /// Waits until the run is over and returns the hash of its result.
    pub async fn finished(&self) -> Result<String> {
        let data = "document.documentElement.dataset";
        self.browser
            .wait_until(
                "the run is finished",
                &format!("{data}.state === 'finished' && {data}.resultHash"),
            )
            .await?;
        self.browser.value(&format!("{data}.resultHash")).await
    }

    /// Lets the run go as fast as it can, where the page lets the user say so, and waits for its end.
    pub async fn finished_at_full_speed(&self) -> Result<String> {
        if self
            .browser
            .value("document.querySelector('#speed').checkVisibility()")
            .await?
        {
            self.browser
                .element("#speed")
                .await?
                .send_keys(Key::End)
                .await?;
        }
        self.finished().await
    }

    /// Waits until the page shows the end of that very run.
    pub async fn shows_run(&self, scenario: &Scenario, seed: u64) -> Result<Snapshot> {
        let snapshot = subtable_model::run(scenario, seed);
        let expression = format!(
            "document.documentElement.dataset.resultHash === '{}'",
            snapshot.hash_text()
        );
        self.browser
            .wait_until("the page shows the run that its controls say", &expression)
            .await?;
        Ok(snapshot)
    }

    /// The table, row by row.
    pub async fn rows(&self) -> Result<Vec<Row>> {
        self.browser
            .value(
                "[...document.querySelectorAll('table#tmms tr[data-tmm]')].map(row => ({
                    tmm: Number(row.dataset.tmm),
                    cells: ['n', 'fast', 'slow', 'min', 'p50', 'avg', 'p95', 'p99', 'max'].map(
                        name => [...row.querySelector(`td[data-column='${name}']`).childNodes]
                            .filter(part => part.nodeName !== 'SMALL').map(part => part.textContent).join('').trim()),
                }))",
            )
            .await
    }

    /// Writes counted in the whole table.
    pub async fn counted(&self) -> Result<u64> {
        Ok(self.rows().await?.iter().map(Row::n).sum())
    }

    /// The writes counted in the whole table, once the count no longer changes.
    pub async fn at_rest(&self) -> Result<u64> {
        let last = Cell::new(self.counted().await?);
        self.browser
            .wait_for("the table is at rest", async || {
                self.browser.next_frame().await?;
                let now = self.counted().await?;
                Ok(last.replace(now) == now)
            })
            .await?;
        Ok(last.get())
    }

    /// `true` when the verdict is that every write is local.
    pub async fn verdict(&self) -> Result<bool> {
        let told: String = self
            .browser
            .value("document.querySelector('#verdict').dataset.ok ?? ''")
            .await?;
        told.parse()
            .with_context(|| format!("the verdict says {told:?}"))
    }

    /// Makes a view visible, by choosing a layout that has it.
    pub async fn show(&self, view: &str) -> Result<()> {
        let visible = format!("document.querySelector(\"[data-view='{view}']\").checkVisibility()");
        if self.browser.value(&visible).await? {
            return Ok(());
        }
        for layout in self.layouts().await? {
            self.choose(&layout).await?;
            if self.browser.value(&visible).await? {
                return Ok(());
            }
        }
        bail!("no layout shows the view {view}")
    }

    /// The names of all layouts.
    pub async fn layouts(&self) -> Result<Vec<String>> {
        self.browser
            .value(
                "[...document.querySelectorAll('button[data-layout]')].map(b => b.dataset.layout)",
            )
            .await
    }

    /// Chooses a layout.
    pub async fn choose(&self, layout: &str) -> Result<()> {
        self.browser
            .click(&format!("button[data-layout='{layout}']"))
            .await
    }

    /// The pixels of a view's chart.
    pub async fn pixels(&self, view: &str) -> Result<String> {
        self.browser
            .value(&format!(
                "document.querySelector(\"[data-view='{view}'] canvas\").toDataURL()"
            ))
            .await
    }

    /// Waits until a view's chart has other pixels than `before`.
    pub async fn redrawn(&self, view: &str, before: &str) -> Result<()> {
        self.browser
            .wait_for(&format!("the chart {view} is redrawn"), async || {
                Ok(self.pixels(view).await? != before)
            })
            .await
    }

    /// The lines of the log that are shown.
    pub async fn log_lines(&self) -> Result<Vec<String>> {
        self.browser
            .value("[...document.querySelectorAll('#log > li')].map(line => line.textContent)")
            .await
    }

    /// Sets a parameter the way a user does: types a number, picks from a list, clicks a choice.
    pub async fn set(&self, id: &str, value: &str) -> Result<()> {
        let control = self
            .browser
            .element(&format!("[data-parameter='{id}']"))
            .await?;
        let radio = format!("label:has(input[type=radio][value='{value}'])");
        if let Ok(choice) = control.find(By::Css(radio)).await {
            return choice.click().await.context("cannot click the choice");
        }
        if let Ok(option) = control
            .find(By::Css(format!("option[value='{value}']")))
            .await
        {
            return option.click().await.context("cannot pick the option");
        }
        let field = control
            .find(By::Css("input:not([type=range], [type=radio])"))
            .await
            .with_context(|| format!("the control {id} can be set to {value}"))?;
        field.send_keys(Key::Control + "a").await?;
        field.send_keys(value).await?;
        field
            .send_keys(Key::Tab)
            .await
            .context("cannot leave the field")
    }

    /// What a control says now: its text, or the value that is chosen.
    pub async fn get(&self, id: &str) -> Result<String> {
        self.browser
            .value(&format!(
                "(control => control.querySelector('input[type=radio]:checked')?.value
                    ?? control.querySelector('select, input:not([type=range])').value
                )(document.querySelector(\"[data-parameter='{id}']\"))"
            ))
            .await
    }
}

/// The scenario of a preset with some parameters set.
pub fn scenario(preset: &str, settings: &[(&str, &str)]) -> Result<Scenario> {
    let mut scenario = Preset::find(preset)
        .with_context(|| format!("there is no preset {preset}"))?
        .scenario();
    for (id, value) in settings {
        scenario.set(id, value)?;
    }
    Ok(scenario)
}

/// The fragment of a link to a preset with some parameters set.
pub fn fragment(preset: &str, settings: &[(&str, &str)], seed: u64) -> String {
    let mut parts = vec!["#v=1".to_owned(), format!("preset={preset}")];
    parts.extend(settings.iter().map(|(id, value)| format!("{id}={value}")));
    parts.push(format!("seed={seed}"));
    parts.join("&")
}
