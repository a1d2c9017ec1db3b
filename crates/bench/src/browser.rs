//! The page in real browsers: runs in its worker beside the same runs here, and its frames while a run goes at full speed.

mod driver;
mod first_view;
mod page;
mod pages;
mod worker;

use std::path::Path;

use anyhow::{Context, Result};
use subtable_site::Server;

use crate::summary::Summary;
use driver::{Browser, Session, Wishes};
pub use first_view::record as record_first_view;

/// Measures every browser that is installed. `page` is the built page, `folder` a place for what is written, `minutes` for
/// how long the memory of the page is watched.
///
/// # Errors
/// There is no browser, or something fails in one.
pub fn measure(summary: &mut Summary, page: &Path, folder: &Path, minutes: u64) -> Result<()> {
    let site = folder.join("site");
    pages::prepare(page, &site)?;
    let server = Server::start(&site, 0).context("cannot serve the page")?;
    let runtime = runtime()?;
    let installed: Vec<Browser> = Browser::ALL
        .into_iter()
        .filter(|one| one.is_installed())
        .collect();
    anyhow::ensure!(
        !installed.is_empty(),
        "no browser with its driver is installed: `cargo xtask test` installs Chromium"
    );
    for browser in installed {
        runtime
            .block_on(one_browser(
                summary,
                browser,
                &server.url(),
                folder,
                minutes,
            ))
            .with_context(|| format!("in {}", browser.name()))?;
    }
    Ok(())
}

fn runtime() -> Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start an asynchronous runtime")
}

async fn one_browser(
    summary: &mut Summary,
    browser: Browser,
    url: &str,
    folder: &Path,
    minutes: u64,
) -> Result<()> {
    let session = Session::open(browser, &Wishes::default(), folder).await?;
    let version = session.version().await?;
    summary.versions.insert(browser.name().to_owned(), version);
    let measured = async {
        worker::measure(summary, &session, url).await?;
        page::measure(summary, &session, url).await?;
        page::watch_memory(summary, &session, url, minutes).await
    }
    .await;
    session.close().await?;
    measured
}
