use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use thirtyfour::common::capabilities::chromium::ChromiumLikeCapabilities;
use thirtyfour::{By, DesiredCapabilities, LoggingPrefsLogLevel, WebDriver, WebElement};
use tokio::time::{Instant, sleep};

use super::chromedriver::Chromedriver;
use super::view::View;
use super::witness::Witness;
use crate::sites::{Site, screenshots};

/// How long any one thing that a test waits for may take: far more than it does, as machines may be busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often a condition is looked at while waiting for it.
const INTERVAL: Duration = Duration::from_millis(25);

/// How Chromium is started: without a window, alone, and silent on the network.
const FLAGS: [&str; 9] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];

/// A browser that shows one page of one site.
pub struct Browser {
    // Dropped in this order: the browser ends before the proxy that it uses.
    driver: WebDriver,
    _chromedriver: Chromedriver,
    witness: Witness,
    url: String,
    origin: String,
    logs: Mutex<Logs>,
}

/// What has been taken from the browser's logs, which forget what has been taken.
#[derive(Default)]
struct Logs {
    reports: Vec<Report>,
    requests: Vec<String>,
}

struct Report {
    severe: bool,
    text: String,
}

impl Browser {
    pub(super) async fn open(site: &Site, view: View) -> Result<Self> {
        let chromedriver = Chromedriver::start()?;
        let witness = Witness::start()?;
        let mut wanted = DesiredCapabilities::chrome();
        for flag in FLAGS
            .iter()
            .map(ToString::to_string)
            .chain(witness.flags(site.port()))
        {
            wanted.add_arg(&flag)?;
        }
        if let Some(program) = env::var_os("SUBTABLE_LAB_CHROMIUM") {
            wanted.set_binary(&program.to_string_lossy())?;
        }
        wanted.set_logging_prefs("browser", LoggingPrefsLogLevel::All)?;
        wanted.set_logging_prefs("performance", LoggingPrefsLogLevel::All)?;
        let driver = WebDriver::new(chromedriver.url(), wanted)
            .await
            .context("chromedriver cannot start Chromium")?;
        let url = site.url();
        let origin = format!("http://127.0.0.1:{}", site.port());
        let browser = Self {
            driver,
            _chromedriver: chromedriver,
            witness,
            url,
            origin,
            logs: Mutex::default(),
        };
        browser.look_at(view).await?;
        Ok(browser)
    }

    pub(super) async fn close(self) -> Result<()> {
        self.driver.quit().await.context("cannot close the browser")
    }

    /// Sets the window, the colour scheme and the wish for stillness.
    ///
    /// # Errors
    /// The browser does not take it.
    pub async fn look_at(&self, view: View) -> Result<()> {
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
        self.driver
            .goto(format!("{}{address}", self.url))
            .await
            .with_context(|| format!("cannot open {address:?}"))
    }

    /// Leaves the page, so that the next [`go`](Self::go) loads it anew.
    ///
    /// # Errors
    /// The browser does not.
    pub async fn leave(&self) -> Result<()> {
        self.driver
            .goto("about:blank")
            .await
            .context("cannot leave the page")
    }

    /// The driver itself, for what has no method here.
    #[must_use]
    pub fn driver(&self) -> &WebDriver {
        &self.driver
    }

    /// The element that a CSS selector names.
    ///
    /// # Errors
    /// There is none.
    pub async fn element(&self, selector: &str) -> Result<WebElement> {
        self.driver
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
            .driver
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
        fs::create_dir_all(screenshots()).context("cannot make the folder of screenshots")?;
        self.driver
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
        self.take_logs().await?;
        Ok(self
            .logs()
            .reports
            .iter()
            .map(|report| report.text.clone())
            .collect())
    }

    /// The errors that the browser's console has shown so far: thrown, logged, of loading or of the security policy.
    ///
    /// # Errors
    /// The browser does not tell.
    pub async fn console_errors(&self) -> Result<Vec<String>> {
        self.take_logs().await?;
        Ok(self
            .logs()
            .reports
            .iter()
            .filter(|report| report.severe)
            .map(|report| report.text.clone())
            .collect())
    }

    /// What the page has requested so far from anywhere but its own origin.
    ///
    /// # Errors
    /// The browser does not tell.
    pub async fn foreign_requests(&self) -> Result<Vec<String>> {
        self.take_logs().await?;
        let mut foreign = self.witness.requests();
        foreign.extend(
            self.logs()
                .requests
                .iter()
                .filter(|url| self.is_foreign(url))
                .cloned(),
        );
        Ok(foreign)
    }

    /// Every address that the page itself has requested so far.
    ///
    /// # Errors
    /// The browser does not tell.
    pub async fn requests(&self) -> Result<Vec<String>> {
        self.take_logs().await?;
        Ok(self.logs().requests.clone())
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

    async fn take_logs(&self) -> Result<()> {
        let console = self
            .driver
            .get_log("browser")
            .await
            .context("cannot read the browser's console")?;
        let network = self
            .driver
            .get_log("performance")
            .await
            .context("cannot read the browser's network log")?;
        let mut logs = self.logs();
        logs.reports.extend(console.into_iter().map(|entry| Report {
            severe: entry.level == "SEVERE",
            text: entry.message,
        }));
        for entry in network {
            let event: Value = serde_json::from_str(&entry.message)
                .context("cannot read the browser's network log")?;
            let event = &event["message"];
            if event["method"] == "Network.requestWillBeSent" {
                logs.requests.extend(
                    event["params"]["request"]["url"]
                        .as_str()
                        .map(str::to_owned),
                );
            }
        }
        Ok(())
    }

    fn logs(&self) -> std::sync::MutexGuard<'_, Logs> {
        self.logs
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    async fn devtools(&self, method: &str, parameters: Value) -> Result<Value> {
        self.driver
            .cdp()
            .send_raw(method, parameters)
            .await
            .with_context(|| format!("the browser refuses {method}"))
    }
}
