//! The built page, made ready to be measured: the same files, and those of `browser/` beside them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

const WORKER: &str = include_str!("../../browser/worker.js");
const WORKER_PAGE: &str = include_str!("../../browser/worker.html");
const RECORDING: &str = include_str!("../../browser/recording.js");
const PAGE: &str = include_str!("../../browser/page.js");

/// Where the page's first script is.
const HEAD: &str = "<script src=\"theme.js\"></script>";

/// Copies the page in `from` to `to`, and adds what measures it.
///
/// # Errors
/// A file cannot be read or written, or the page does not begin as it did.
pub fn prepare(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to).with_context(|| format!("cannot remove {}", to.display()))?;
    }
    copy(from, to)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    let index = to.join("index.html");
    let page =
        fs::read_to_string(&index).with_context(|| format!("cannot read {}", index.display()))?;
    let (before, after) = page
        .split_once(HEAD)
        .with_context(|| format!("{} has no {HEAD}", index.display()))?;
    let measured = format!("{before}<script src=\"bench-page.js\"></script>{HEAD}{after}");
    let mut files = vec![
        ("index.html", measured.as_str()),
        ("bench-page.js", PAGE),
        ("bench-worker.js", WORKER),
        ("bench-worker.html", WORKER_PAGE),
    ];
    // A page kept for times without a network would come from there, and not as it is first seen.
    files.push(("offline.js", ""));
    for (name, content) in files {
        write(to, name, content)?;
    }
    Ok(())
}

/// Lets the page in `site`, whose module records what it runs, answer with the record.
///
/// # Errors
/// A file cannot be read or written.
pub fn record_in(site: &Path) -> Result<()> {
    let worker = site.join("worker.js");
    let script =
        fs::read_to_string(&worker).with_context(|| format!("cannot read {}", worker.display()))?;
    write(site, "worker.js", &(script + RECORDING))?;
    write(site, "offline.js", "")
}

fn write(site: &Path, name: &str, content: &str) -> Result<()> {
    let file = site.join(name);
    fs::write(&file, content).with_context(|| format!("cannot write {}", file.display()))
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
