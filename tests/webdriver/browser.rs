use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use subtable_browsers::{Browser as Kind, Driver, Proxy, Wishes};
use tempfile::TempDir;
use thirtyfour::{By, WebDriver, WebElement};
use tokio::time::{Instant, sleep};

use super::reports::Reports;
use super::starting;
use super::view::{Scheme, View};
use super::witness::Witness;
use crate::sites::{Site, screenshots};

/// How long any one thing that a test waits for may take: far more than it does, as machines may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often a condition is looked at while waiting for it.
const INTERVAL: Duration = Duration::from_millis(25);

/// A browser that shows one page of one site.
pub struct Browser {
    // Dropped in this order: the browser ends before the proxy that it uses, and its files are removed after that.
    web: WebDriver,
    driver: Driver,
    witness: Witness,
    _scratch: TempDir,
    url: String,
    origin: String,
    began_as: (Scheme, bool),
    reports: Reports,
}

impl Browser {
    pub(super) async fn open(site: &Site, view: View) -> Result<Self> {
        let witness = Witness::start()?;
        let scratch = TempDir::new().context("cannot make a temporary folder")?;
        let wishes = Wishes {
            window: (view.width, view.height),
            dark: view.scheme == Scheme::Dark,
            still: view.reduced_motion,
            proxy: Some(Proxy {
                address: witness.address(),
                except: site.port(),
            }),
            logs: true,
        };
        let (driver, web) = starting::start(&wishes, scratch.path()).await?;
        let browser = Self {
            web,
            driver,
            witness,
            _scratch: scratch,
            url: site.url(),
            origin: format!("http://127.0.0.1:{}", site.port()),
            began_as: (view.scheme, view.reduced_motion),
            reports: Reports::default(),
        };
        match browser.look_at(view).await {
            Ok(()) => Ok(browser),
            Err(error) => {
                // The driver would wait for the session's end.
                let _ = browser.close().await;
                Err(error)
            }
        }
    }

    /// Whether it is Chromium, which alone can be asked over its own protocol.
    #[must_use]
    pub fn is_chromium(&self) -> bool {
        self.driver.browser() == Kind::Chromium
    }

    /// Which browser it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.driver.browser()
    }

    /// Gives the page's window its size; the frame around it is as large as it is.
    async fn resize(&self, view: View) -> Result<()> {
        let frame = async || -> Result<[u32; 2]> {
            self.value("[outerWidth - innerWidth, outerHeight - innerHeight]")
                .await
        };
        let set = async |[width, height]: [u32; 2]| {
            self.web
                .set_window_rect(0, 0, view.width + width, view.height + height)
                .await
                .context("the window keeps its size")
        };
        set([0, 0]).await?;
        set(frame().await?).await?;
        let size = format!(
            "innerWidth === {} && innerHeight === {}",
            view.width, view.height
        );
        self.wait_until(
            &format!("the window is {} x {}", view.width, view.height),
            &size,
        )
        .await
    }

    pub(super) async fn close(self) -> Result<()> {
        self.web.quit().await.context("cannot close the browser")
    }

    /// Sets the window, the colour scheme and the wish for stillness.
    ///
    /// # Errors
    /// The browser does not take it; any but Chromium takes only another window.
    pub async fn look_at(&self, view: View) -> Result<()> {
        if !self.is_chromium() {
            ensure!(
                (view.scale - 1.0).abs() < f64::EPSILON
                    && (view.scheme, view.reduced_motion) == self.began_as,
                "only Chromium takes another density, colour scheme or motion"
            );
            return self.resize(view).await;
        }
        let screen = json!({
            "width": view.width, "height": view.height, "deviceScaleFactor": view.scale, "mobile": false,
        });
        self.devtools("Emulation.setDeviceMetricsOverride", screen)
            .await?;
        let motion = if view.reduced_motion {
            "reduce"
        } else {
            "no-preference"
        };
        let media = json!({ "features": [
            { "name": "prefers-color-scheme", "value": view.scheme.name() },
            { "name": "prefers-reduced-motion", "value": motion },
        ] });
        self.devtools("Emulation.setEmulatedMedia", media)
            .await
            .map(drop)
    }

    /// Opens `address`, relative to the site's page, and returns once it has loaded.
    ///
    /// # Errors
    /// The page cannot be opened.
    pub async fn go(&self, address: &str) -> Result<()> {
        self.web
            .goto(format!("{}{address}", self.url))
            .await
            .with_context(|| format!("cannot open {address:?}"))?;
        self.reports.listen(self).await
    }

    /// Leaves the page, so that the next [`go`](Self::go) loads it anew.
    ///
    /// # Errors
    /// The browser does not.
    pub async fn leave(&self) -> Result<()> {
        self.reports.take(self).await?;
        self.web
            .goto("about:blank")
            .await
            .context("cannot leave the page")
    }

    /// The driver itself, for what has no method here.
    #[must_use]
    pub fn driver(&self) -> &WebDriver {
        &self.web
    }

    /// The element that a CSS selector names.
    ///
    /// # Errors
    /// There is none.
    pub async fn element(&self, selector: &str) -> Result<WebElement> {
        self.web
            .find(By::Css(selector))
            .await
            .with_context(|| format!("no element is {selector}"))
    }

    /// Clicks the element that a CSS selector names, as a user would: it must be visible and not covered.
    ///
    /// # Errors
    /// There is none, or it cannot be clicked.
    pub async fn click(&self, selector: &str) -> Result<()> {
        self.element(selector)
            .await?
            .click()
            .await
            .with_context(|| format!("cannot click {selector}"))
    }

    /// The value of a JavaScript expression in the page; promises are awaited.
    ///
    /// # Errors
    /// It throws, or its value is of another type.
    pub async fn value<T: DeserializeOwned>(&self, expression: &str) -> Result<T> {
        let returned = self
            .web
            .execute(format!("return ({expression});"), Vec::new())
            .await
            .with_context(|| format!("cannot evaluate {expression}"))?;
        serde_json::from_value(returned.json().clone()).with_context(|| {
            format!(
                "{expression} is {}, which is of another type",
                returned.json()
            )
        })
    }

    /// Runs a script in the page, whatever the page's policy allows to its own, and returns what it returns; promises are
    /// awaited.
    ///
    /// # Errors
    /// It throws, or its value is of another type.
    pub async fn run<T: DeserializeOwned>(&self, script: &str) -> Result<T> {
        let returned = self
            .web
            .execute(script, Vec::new())
            .await
            .context("the script fails")?;
        serde_json::from_value(returned.json().clone()).context("the script returns another type")
    }

    /// Waits until a JavaScript expression holds; `what` says in the error what was waited for.
    ///
    /// # Errors
    /// It does not hold in time, or it throws.
    pub async fn wait_until(&self, what: &str, expression: &str) -> Result<()> {
        let condition = format!("!!({expression})");
        self.wait_for(what, async || self.value(&condition).await)
            .await
    }

    /// Waits until `condition` is true; `what` says in the error what was waited for.
    ///
    /// # Errors
    /// It does not become true in time, or it fails.
    pub async fn wait_for(
        &self,
        what: &str,
        condition: impl AsyncFn() -> Result<bool>,
    ) -> Result<()> {
        let started = Instant::now();
        while !condition()
            .await
            .with_context(|| format!("waiting until {what}"))?
        {
            ensure!(
                started.elapsed() < PATIENCE,
                "not so within {} s: {what}",
                PATIENCE.as_secs()
            );
            sleep(INTERVAL).await;
        }
        Ok(())
    }

    /// Waits until the page has been drawn once more.
    ///
    /// # Errors
    /// The browser does not draw.
    pub async fn next_frame(&self) -> Result<()> {
        self.value("new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn(null))))").await
    }

    /// Takes the focus from whatever has it, so that no ring is in a picture.
    ///
    /// # Errors
    /// The browser does not.
    pub async fn release_focus(&self) -> Result<()> {
        self.value("document.activeElement?.blur() ?? null").await
    }

    /// What the page shows now, as a PNG in the folder of screenshots; returns the file.
    ///
    /// # Errors
    /// The browser takes none, or the file cannot be written.
    pub async fn screenshot(&self, name: &str) -> Result<PathBuf> {
        let file = screenshots().join(format!("{name}.png"));
        fs::create_dir_all(file.parent().unwrap_or(&file))
            .context("cannot make the folder of screenshots")?;
        self.web
            .screenshot(&file)
            .await
            .with_context(|| format!("cannot take the screenshot {name}"))?;
        Ok(file)
    }

    /// Everything that the browser's console has shown so far, errors and others.
    ///
    /// # Errors
    /// The browser does not tell.
    pub async fn reports(&self) -> Result<Vec<String>> {
        self.reports.take(self).await?;
        Ok(self.reports.all(|_| true))
    }

    /// The errors that the browser's console has shown so far: thrown, logged, of loading or of the security policy.
    ///
    /// # Errors
    /// The browser does not tell.
    pub async fn console_errors(&self) -> Result<Vec<String>> {
        self.reports.take(self).await?;
        Ok(self.reports.all(|severe| severe))
    }

    /// What the page has requested so far from anywhere but its own origin.
    ///
    /// # Errors
    /// The browser does not tell.
    pub async fn foreign_requests(&self) -> Result<Vec<String>> {
        self.reports.take(self).await?;
        let mut foreign = self.witness.requests();
        foreign.extend(
            self.reports
                .requests()
                .into_iter()
                .filter(|url| self.is_foreign(url)),
        );
        Ok(foreign)
    }

    /// Every address that the page itself has requested so far.
    ///
    /// # Errors
    /// The browser does not tell, or is not Chromium.
    pub async fn requests(&self) -> Result<Vec<String>> {
        ensure!(self.is_chromium(), "only Chromium tells what it requests");
        self.reports.take(self).await?;
        Ok(self.reports.requests())
    }

    /// Checks that there has been no error in the console and no request to another origin.
    ///
    /// # Errors
    /// There has been one; it is named.
    pub async fn assert_clean(&self) -> Result<()> {
        let errors = self.console_errors().await?;
        ensure!(errors.is_empty(), "the console shows errors: {errors:#?}");
        let foreign = self.foreign_requests().await?;
        ensure!(
            foreign.is_empty(),
            "the page requests from other origins: {foreign:#?}"
        );
        Ok(())
    }

    fn is_foreign(&self, url: &str) -> bool {
        let own = url
            .strip_prefix(&self.origin)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        // A blob belongs to the page that made it, and `data:` is no request at all.
        !own && !["data:", "blob:", "about:", "chrome:", "chrome-error:"]
            .iter()
            .any(|scheme| url.starts_with(scheme))
    }

    /// What the driver and the browser have printed so far.
    pub(super) fn printed(&self) -> String {
        self.driver.printed()
    }

    /// Sends a command of Chromium's own protocol.
    ///
    /// # Errors
    /// The browser refuses it, or is not Chromium.
    pub async fn devtools(&self, method: &str, parameters: Value) -> Result<Value> {
        ensure!(self.is_chromium(), "only Chromium takes {method}");
        self.web
            .cdp()
            .send_raw(method, parameters)
            .await
            .with_context(|| format!("the browser refuses {method}"))
    }
}
