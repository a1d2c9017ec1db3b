//! `cargo xtask dist`: the page for any static host, under any path.
//!
//! Scripts, style sheets and the WebAssembly module get the hash of their content into their names, so that a host may
//! let browsers cache them for ever; `index.html` and a service worker keep their names. A name's hash covers everything
//! that the file refers to, so that a new module also means a new name for the script that loads it.

mod names;
mod references;
mod sizes;

use std::path::Path;

use anyhow::Result;

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
