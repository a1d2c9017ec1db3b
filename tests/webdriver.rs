//! A real browser on a page: what it shows, what it reports, what it requests.
//!
//! ```no_run
//! use subtable_tests::sites::Site;
//! use subtable_tests::webdriver::{View, browse};
//!
//! browse(&Site::built()?, View::default(), async |browser| {
//!     browser.go("").await?;
//!     browser.wait_until("the page has a title", "document.title !== ''").await?;
//!     browser.assert_clean().await
//! })?;
//! # anyhow::Ok(())
//! ```

mod browser;
mod reports;
mod starting;
mod view;
mod witness;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

use anyhow::{Context, Result};

use crate::sites::Site;
pub use browser::Browser;
pub use view::{Scheme, View};

/// Runs `body` with a new browser that has an empty profile, and closes the browser whatever happens.
///
/// When the body fails or panics, what the page showed is kept as a screenshot named after the test, and what it reported
/// is printed.
///
/// # Errors
/// Those of the body, or the browser cannot be started.
///
/// # Panics
/// When the body does.
pub fn browse<T>(
    site: &Site,
    view: View,
    body: impl AsyncFnOnce(&Browser) -> Result<T>,
) -> Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start an asynchronous runtime")?;
    let browser = runtime.block_on(Browser::open(site, view))?;
    let outcome = catch_unwind(AssertUnwindSafe(|| runtime.block_on(body(&browser))));
    if !matches!(outcome, Ok(Ok(_))) {
        runtime.block_on(describe_failure(&browser));
    }
    let closed = runtime.block_on(browser.close());
    let value = outcome.unwrap_or_else(|panic| resume_unwind(panic))?;
    closed.map(|()| value)
}

async fn describe_failure(browser: &Browser) {
    let name = thread::current()
        .name()
        .unwrap_or("test")
        .replace("::", "-");
    match browser.screenshot(&format!("failed-{name}")).await {
        Ok(file) => eprintln!("What the page showed: {}", file.display()),
        Err(error) => eprintln!("No screenshot of the failure: {error:#}"),
    }
    match browser.reports().await {
        Ok(reports) => reports
            .iter()
            .for_each(|report| eprintln!("The browser reported: {report}")),
        Err(error) => eprintln!("What the browser reported is lost: {error:#}"),
    }
}
