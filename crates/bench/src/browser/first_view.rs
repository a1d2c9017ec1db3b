//! Which functions of the page's module run until the first view is complete.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use subtable_site::Server;

use super::driver::{Browser, Session, Wishes};
use super::{pages, runtime};

/// What the page looks like to those who open it for the first time.
const VISITS: [Visit; 3] = [
    Visit::new("on a laptop", (1280, 720), false),
    Visit::new("on a phone", (500, 740), false),
    Visit::new("without motion", (1280, 720), true),
];

/// How long the run is watched: it plays by itself, and what it shows in its first seconds is the first view.
const WATCHED: Duration = Duration::from_secs(4);

/// Both sides' records: a byte for each function, not 0 when it has run.
const RECORDS: &str = "Promise.all([
    import('./pkg/subtable_web.js').then((page) => page.default()).then(({ ran }) => [...new Uint8Array(ran.buffer)]),
    new Promise((resolve) => {
        const channel = new BroadcastChannel('recording');
        channel.onmessage = ({ data }) => resolve([...data]);
        channel.postMessage('');
    }),
])";

struct Visit {
    name: &'static str,
    window: (u32, u32),
    still: bool,
}

impl Visit {
    const fn new(name: &'static str, window: (u32, u32), still: bool) -> Self {
        Self {
            name,
            window,
            still,
        }
    }
}

/// Visits the page in `site`, whose module records, and writes the names of the functions that ran to `list`, one a line.
/// `functions` is the file with the names of all, in the order of the record.
///
/// # Errors
/// Chromium cannot be driven, or a file cannot be read or written.
pub fn record(site: &Path, functions: &Path, list: &Path, folder: &Path) -> Result<()> {
    let names = fs::read_to_string(functions)
        .with_context(|| format!("cannot read {}", functions.display()))?;
    let names: Vec<&str> = names.split('\n').collect();
    pages::record_in(site)?;
    let server = Server::start(site, 0).context("cannot serve the page")?;
    let runtime = runtime()?;
    let mut ran = BTreeSet::new();
    for visit in VISITS {
        let record = runtime
            .block_on(visited(&visit, &server.url(), folder))
            .with_context(|| format!("{}, in Chromium", visit.name))?;
        ensure!(
            record.len() >= names.len(),
            "the record is shorter than the list of the functions"
        );
        let here = names.iter().zip(record).filter(|(_, ran)| *ran);
        let here: Vec<&str> = here.map(|(name, _)| *name).collect();
        println!("{}: {} functions", visit.name, here.len());
        ran.extend(here);
    }
    ran.remove("");
    let lines: Vec<&str> = ran.into_iter().collect();
    fs::write(list, lines.join("\n") + "\n")
        .with_context(|| format!("cannot write {}", list.display()))?;
    println!("{}", list.display());
    Ok(())
}

/// Whether each function has run, in the page or in its worker.
async fn visited(visit: &Visit, url: &str, folder: &Path) -> Result<Vec<bool>> {
    let wishes = Wishes {
        window: visit.window,
        still: visit.still,
        ..Wishes::default()
    };
    let session = Session::open(Browser::Chromium, &wishes, folder).await?;
    let record = async {
        session.go(url).await?;
        session
            .wait_until("['running', 'finished'].includes(document.documentElement.dataset.state)")
            .await?;
        tokio::time::sleep(WATCHED).await;
        session.value::<[Vec<u8>; 2]>(RECORDS).await
    }
    .await;
    session.close().await?;
    let [page, worker] = record?;
    Ok(page
        .into_iter()
        .zip(worker)
        .map(|(page, worker)| page != 0 || worker != 0)
        .collect())
}
