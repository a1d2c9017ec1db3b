//! The start of a driver, and of a browser by it.

use std::env;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use subtable_browsers::{Browser, Driver, Wishes};
use thirtyfour::{Capabilities, WebDriver};
use tokio::time::timeout;

/// How long `WebKitWebDriver` may take to hear from the browser that it has started, and how often it may start one.
///
/// About one in fifty of its starts never comes to an end: driver and browser do not find each other. No page has been asked
/// for then, so a new start hides nothing of what is tested.
const PATIENCE_WITH_WEBKIT: Duration = Duration::from_secs(30);
const STARTS_OF_WEBKIT: u32 = 3;

/// Starts the driver, and the browser by it.
///
/// # Errors
/// The driver or the browser does not start.
pub(super) async fn start(wishes: &Wishes, scratch: &Path) -> Result<(Driver, WebDriver)> {
    let mut starts = 1;
    loop {
        let driver = Driver::start(chosen()?, wishes, scratch)?;
        let Value::Object(wanted) = driver.capabilities().clone() else {
            bail!("capabilities are an object");
        };
        let web = WebDriver::new(driver.url(), Capabilities::from(wanted));
        let web = if driver.browser() == Browser::WebKit {
            match timeout(PATIENCE_WITH_WEBKIT, web).await {
                Ok(web) => web,
                Err(_) if starts < STARTS_OF_WEBKIT => {
                    starts += 1;
                    continue;
                }
                Err(_) => bail!(
                    "webkit did not start in {starts} times; its driver printed: {}",
                    driver.printed()
                ),
            }
        } else {
            web.await
        };
        let web = web.with_context(|| {
            let name = driver.browser().name();
            format!(
                "the driver cannot start {name}; it printed: {}",
                driver.printed()
            )
        })?;
        return Ok((driver, web));
    }
}

/// The browser that the tests run in: Chromium, unless `SUBTABLE_LAB_BROWSER` names another.
fn chosen() -> Result<Browser> {
    match env::var("SUBTABLE_LAB_BROWSER") {
        Ok(name) => Browser::named(&name).with_context(|| format!("there is no browser {name:?}")),
        Err(_) => Ok(Browser::Chromium),
    }
}
