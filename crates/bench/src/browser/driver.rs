//! A browser with a page, driven.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::de::DeserializeOwned;
use serde_json::Value;
use subtable_browsers::Driver;
pub use subtable_browsers::{Browser, Wishes};
use thirtyfour::WebDriver;

/// How long anything may take that is waited for.
const PATIENCE: Duration = Duration::from_mins(1);

/// A browser with a page.
pub struct Session {
    pub browser: Browser,
    web: WebDriver,
    driver: Driver,
}

impl Session {
    /// Starts the browser; its profile and what it prints go below `folder`.
    pub async fn open(browser: Browser, wishes: &Wishes, folder: &Path) -> Result<Self> {
        let scratch = folder.join(browser.name());
        fs::create_dir_all(&scratch)
            .with_context(|| format!("cannot make the folder {}", scratch.display()))?;
        let driver = Driver::start(browser, wishes, &scratch)?;
        let Value::Object(wanted) = driver.capabilities().clone() else {
            bail!("capabilities are an object");
        };
        let web = WebDriver::new(driver.url(), thirtyfour::Capabilities::from(wanted))
            .await
            .context("the driver cannot start the browser")?;
        web.set_script_timeout(PATIENCE).await?;
        let (width, height) = wishes.window;
        web.set_window_rect(0, 0, width, height).await?;
        Ok(Self {
            browser,
            web,
            driver,
        })
    }

    pub async fn close(self) -> Result<()> {
        self.web.quit().await.context("cannot close the browser")
    }

    /// The driver's process, of which the browser's are children.
    pub fn process(&self) -> u32 {
        self.driver.process()
    }

    pub async fn go(&self, address: &str) -> Result<()> {
        self.web
            .goto(address)
            .await
            .with_context(|| format!("cannot open {address}"))
    }

    /// The value of a JavaScript expression; promises are awaited.
    pub async fn value<T: DeserializeOwned>(&self, expression: &str) -> Result<T> {
        let returned = self
            .web
            .execute(format!("return ({expression});"), Vec::new())
            .await
            .with_context(|| format!("cannot evaluate {expression}"))?;
        serde_json::from_value(returned.json().clone())
            .with_context(|| format!("{expression} is {}", returned.json()))
    }

    /// Waits until an expression holds.
    pub async fn wait_until(&self, expression: &str) -> Result<()> {
        let started = Instant::now();
        while !self.value::<bool>(&format!("!!({expression})")).await? {
            ensure!(started.elapsed() < PATIENCE, "not so in time: {expression}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// Sends a key to the element that a selector names.
    pub async fn press(&self, selector: &str, key: thirtyfour::Key) -> Result<()> {
        let element = self
            .web
            .find(thirtyfour::By::Css(selector))
            .await
            .with_context(|| format!("no element is {selector}"))?;
        element
            .send_keys(key)
            .await
            .with_context(|| format!("{selector} takes no key"))
    }

    /// Gives the focus to an element, and presses keys one after the other, with a pause after each. The pause is made here:
    /// a key's action has no duration, so that a chain of them is pressed in one burst even when it is given a delay.
    pub async fn press_in_turns(
        &self,
        selector: &str,
        keys: [thirtyfour::Key; 2],
        times: usize,
        pause: Duration,
    ) -> Result<()> {
        let element = self.web.find(thirtyfour::By::Css(selector)).await?;
        element.focus().await?;
        for key in keys.iter().cycle().take(times) {
            let press = self.web.action_chain();
            press
                .key_down(key.clone())
                .key_up(key.clone())
                .perform()
                .await
                .with_context(|| format!("{selector} takes no keys"))?;
            tokio::time::sleep(pause).await;
        }
        Ok(())
    }

    pub async fn click(&self, selector: &str) -> Result<()> {
        let element = self.web.find(thirtyfour::By::Css(selector)).await?;
        element
            .click()
            .await
            .with_context(|| format!("cannot click {selector}"))
    }

    /// The browser's version, as it calls itself.
    pub async fn version(&self) -> Result<String> {
        let agent: String = self.value("navigator.userAgent").await?;
        let version = ["Firefox/", "Chrome/", "Version/"]
            .iter()
            .find_map(|name| agent.split_once(name))
            .and_then(|(_, rest)| rest.split([' ', ';']).next());
        Ok(version.unwrap_or("unknown").to_owned())
    }
}
