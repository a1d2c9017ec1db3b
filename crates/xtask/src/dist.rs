//! `cargo xtask dist`: the page for any static host, under any path.
//!
//! Scripts, style sheets and the WebAssembly module get the hash of their content into their names, so that a host may
//! let browsers cache them for ever; `index.html` and a service worker keep their names. A name's hash covers everything
//! that the file refers to, so that a new module also means a new name for the script that loads it.

mod names;
mod references;
mod single;
mod sizes;

use std::path::Path;

use anyhow::{Result, ensure};

use crate::workspace::Workspace;
use crate::{files, site};
use names::Site;

/// Builds the page and writes it to `dist/` in the workspace's root, printing the size of each file.
///
/// # Errors
/// The page does not build, or a reference in it cannot be kept: see [`write`].
pub fn make(workspace: &Workspace) -> Result<()> {
    let dist = workspace.root.join("dist");
    let site = write(&site::build(workspace)?, &dist)?;
    print!("{}", sizes::report(&site));
    println!("{}", dist.display());
    Ok(())
}

/// Most bytes, as Brotli, that the first view may take: a learner on a slow line waits for all of them.
const MOST_IN_FIRST_VIEW: usize = 200_000;

/// Whether the first view is as light as it must be; prints how heavy it is.
pub fn is_light_enough(site: &Site) -> bool {
    let bytes = sizes::first_view(site);
    println!("the first view has {bytes} bytes with Brotli, of at most {MOST_IN_FIRST_VIEW}");
    bytes <= MOST_IN_FIRST_VIEW
}

/// Name of the page that is one file.
const ONE_FILE: &str = "subtable-lab.html";

/// Most bytes that the page may have as one file: it is sent by mail and carried on sticks.
const MOST_BYTES: usize = 700_000;

/// Builds the page as one file, `dist/subtable-lab.html`, printing its size.
///
/// # Errors
/// See [`write_one_file`].
pub fn make_one_file(workspace: &Workspace) -> Result<()> {
    let file = workspace.root.join("dist").join(ONE_FILE);
    let length = write_one_file(workspace, &file)?;
    println!("{} ({length} bytes)", file.display());
    Ok(())
}

/// Builds the page as one file and writes it; returns its length in bytes.
///
/// # Errors
/// The page does not build, a part of it cannot be put into one file, or it would be longer than it may be.
pub fn write_one_file(workspace: &Workspace, file: &Path) -> Result<usize> {
    let module = site::build_for_one_file(workspace)?;
    let page = single::page(&workspace.root.join("www"), &module)?;
    ensure!(
        page.len() <= MOST_BYTES,
        "the page in one file has {} bytes, more than {MOST_BYTES}",
        page.len()
    );
    files::write(file, page.as_bytes())?;
    Ok(page.len())
}

/// Writes the built page in `from` to the folder `to`, under its published names.
///
/// # Errors
/// A file refers to another from the root of the host, or names one in a way that could not be rewritten.
pub fn write(from: &Path, to: &Path) -> Result<Site> {
    let mut files = Vec::new();
    for file in files::list(from)? {
        let name = file
            .iter()
            .map(|part| part.to_string_lossy())
            .collect::<Vec<_>>()
            .join("/");
        files.push((name, files::read(&from.join(&file))?));
    }
    let site = names::publish(files)?;
    files::remove(to)?;
    for file in &site.files {
        files::write(&to.join(&file.name), &file.content)?;
    }
    Ok(site)
}
