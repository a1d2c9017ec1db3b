//! What a browser reports: its console, and what it requests.
//!
//! Chromium tells both through its driver. Firefox prints its console, which the driver passes on. `WebKit`'s driver tells
//! nothing: there the page itself is listened to, from when it has loaded, for what is thrown and what its policy forbids.

use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use serde_json::Value;
use subtable_browsers::Browser as Kind;

use super::browser::Browser;

/// What has been reported so far.
#[derive(Default)]
pub struct Reports(Mutex<Taken>);

#[derive(Default)]
struct Taken {
    reports: Vec<Report>,
    requests: Vec<String>,
    /// How much of what was printed has been read, in bytes.
    read: usize,
}

struct Report {
    severe: bool,
    text: String,
}

/// Keeps what goes wrong in a page from now on in `window.wrongs`.
const LISTEN: &str = "(window.wrongs ??= (() => {
    const wrongs = [];
    addEventListener('error', event => wrongs.push(`Uncaught ${event.error ?? event.message}`));
    addEventListener('unhandledrejection', event => wrongs.push(`Uncaught ${event.reason}`));
    addEventListener('securitypolicyviolation',
        event => wrongs.push(`Content Security Policy: ${event.effectiveDirective} forbids ${event.blockedURI}`));
    return wrongs;
})()).length";

impl Reports {
    /// Called when a page has loaded.
    pub async fn listen(&self, browser: &Browser) -> Result<()> {
        if browser.kind() == Kind::WebKit {
            browser.value::<u64>(LISTEN).await?;
        }
        Ok(())
    }

    /// Takes what has been reported since the last time; drivers forget what has been taken.
    pub async fn take(&self, browser: &Browser) -> Result<()> {
        match browser.kind() {
            Kind::Chromium => self.take_logs(browser).await,
            Kind::Firefox => {
                self.take_printed(&browser.printed());
                Ok(())
            }
            Kind::WebKit => {
                let wrongs: Vec<String> = browser.value("(window.wrongs ?? []).splice(0)").await?;
                self.lock()
                    .reports
                    .extend(wrongs.into_iter().map(|text| Report { severe: true, text }));
                Ok(())
            }
        }
    }

    /// The texts of the reports of which `wanted` holds, given whether each is severe.
    pub fn all(&self, wanted: impl Fn(bool) -> bool) -> Vec<String> {
        self.lock()
            .reports
            .iter()
            .filter(|report| wanted(report.severe))
            .map(|report| report.text.clone())
            .collect()
    }

    /// The addresses that were requested.
    pub fn requests(&self) -> Vec<String> {
        self.lock().requests.clone()
    }

    async fn take_logs(&self, browser: &Browser) -> Result<()> {
        let console = browser
            .driver()
            .get_log("browser")
            .await
            .context("cannot read the browser's console")?;
        let network = browser
            .driver()
            .get_log("performance")
            .await
            .context("cannot read the browser's network log")?;
        let mut taken = self.lock();
        taken
            .reports
            .extend(console.into_iter().map(|entry| Report {
                severe: entry.level == "SEVERE",
                text: entry.message,
            }));
        for entry in network {
            let event: Value = serde_json::from_str(&entry.message)
                .context("cannot read the browser's network log")?;
            let event = &event["message"];
            if event["method"] == "Network.requestWillBeSent" {
                taken.requests.extend(
                    event["params"]["request"]["url"]
                        .as_str()
                        .map(str::to_owned),
                );
            }
        }
        Ok(())
    }

    fn take_printed(&self, printed: &str) {
        let mut taken = self.lock();
        let new = &printed[taken.read..];
        let whole = new.rfind('\n').map_or(0, |end| end + 1);
        taken
            .reports
            .extend(new[..whole].lines().filter_map(report_of_firefox));
        taken.read += whole;
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `console.error: "text"` or `JavaScript error: http://127.0.0.1:1/page.js, line 2: Error: text`. Firefox's own scripts,
/// which have addresses of their own and log objects instead of texts, are of no interest.
fn report_of_firefox(line: &str) -> Option<Report> {
    if let Some(text) = line.strip_prefix("JavaScript error: ") {
        return text.starts_with("http").then(|| Report {
            severe: true,
            text: match text.split_once(": ") {
                Some((place, what)) => format!("{place} Uncaught {what}"),
                None => text.to_owned(),
            },
        });
    }
    let (level, text) = line.strip_prefix("console.")?.split_once(": ")?;
    text.starts_with('"').then(|| Report {
        severe: level == "error",
        text: text.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_firefox_prints_is_read_once_and_in_whole_lines() {
        let reports = Reports::default();
        let first = "Marionette\tINFO\nconsole.error: \"logged\"\nconsole.log: \"plain\"\nJavaScript error: http://127.0";
        let rest = ".0.1:1/a.js, line 2: Error: thrown\nJavaScript error: resource://a.mjs, line 5: Error: its own\n\
                    console.error: RSLoader: \n";
        reports.take_printed(first);
        reports.take_printed(&format!("{first}{rest}"));
        assert_eq!(
            reports.all(|severe| severe),
            [
                "\"logged\"",
                "http://127.0.0.1:1/a.js, line 2 Uncaught Error: thrown"
            ]
        );
        assert_eq!(reports.all(|severe| !severe), ["\"plain\""]);
    }
}
