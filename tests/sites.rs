//! Where the page under test is, served the way a static host serves it.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use subtable_site::Server;
use tempfile::TempDir;

/// A served page; the server stops when the value is dropped.
pub struct Site {
    server: RefCell<Option<Server>>,
    host: String,
    port: u16,
    path: String,
    copy: Option<TempDir>,
}

impl Site {
    /// The page as `cargo xtask serve` serves it.
    ///
    /// # Errors
    /// It has not been built, or no port can be had.
    pub fn built() -> Result<Self> {
        Self::of(&built_folder()?, "")
    }

    /// The same page on a host that has lost one of its files.
    ///
    /// # Errors
    /// It has not been built, cannot be copied, or no port can be had.
    pub fn built_without(file: &str) -> Result<Self> {
        let copy = TempDir::new().context("cannot make a temporary folder")?;
        copy_folder(&built_folder()?, copy.path()).context("cannot copy the page")?;
        fs::remove_file(copy.path().join(file))
            .with_context(|| format!("the page has no {file}"))?;
        let site = Self::of(copy.path(), "")?;
        Ok(Self {
            copy: Some(copy),
            ..site
        })
    }

    /// A copy of the published page, to be changed while it is served: see [`Site::edit`].
    ///
    /// # Errors
    /// It has not been made, cannot be copied, or no port can be had.
    pub fn published_copy() -> Result<Self> {
        let copy = TempDir::new().context("cannot make a temporary folder")?;
        copy_folder(&published_folder()?, copy.path()).context("cannot copy the page")?;
        let site = Self::of(copy.path(), "")?;
        Ok(Self {
            copy: Some(copy),
            ..site
        })
    }

    /// Changes a text in a file of a copied page.
    ///
    /// # Errors
    /// The page is no copy, or its file has no such text.
    pub fn edit(&self, file: &str, from: &str, to: &str) -> Result<()> {
        let folder = self.copy.as_ref().context("this page is no copy")?;
        let file = folder.path().join(file);
        let text =
            fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        ensure!(text.contains(from), "{} lacks {from:?}", file.display());
        fs::write(&file, text.replace(from, to)).context("cannot change the page")
    }

    /// Stops the server: from now on there is no network.
    pub fn cut(&self) {
        self.server.take();
    }

    /// The page as `cargo xtask dist` publishes it, under a path of the host.
    ///
    /// # Errors
    /// It has not been made, or no port can be had.
    pub fn published() -> Result<Self> {
        let folder = published_folder()?;
        let name = folder
            .file_name()
            .context("the published page is in a folder")?
            .to_string_lossy()
            .into_owned();
        Self::of(
            folder
                .parent()
                .context("the published page is in a folder")?,
            &format!("{name}/"),
        )
    }

    /// The content of any folder; `path` is that of its page, with a final slash, and empty for the folder's own.
    ///
    /// # Errors
    /// The folder cannot be read, or no port can be had.
    pub fn of(folder: &Path, path: &str) -> Result<Self> {
        let server = Server::start(folder, 0)?;
        Ok(Self {
            host: server.url(),
            port: server.port(),
            server: RefCell::new(Some(server)),
            path: path.to_owned(),
            copy: None,
        })
    }

    /// The address of the page.
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}{}", self.host, self.path)
    }

    /// The port that the page is served on.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }
}

fn built_folder() -> Result<PathBuf> {
    let folder = folder("SUBTABLE_LAB_SITE", "site");
    ensure!(
        folder.join("index.html").is_file(),
        "there is no page in {}: `cargo xtask build` makes it, `cargo xtask test` makes and tests it",
        folder.display()
    );
    Ok(folder)
}

fn published_folder() -> Result<PathBuf> {
    let folder = folder("SUBTABLE_LAB_PUBLISHED_SITE", "published-site");
    ensure!(
        folder.join("index.html").is_file(),
        "there is no published page in {}: `cargo xtask test` makes and tests it",
        folder.display()
    );
    Ok(folder)
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The page that `cargo xtask dist --single-file` makes.
///
/// # Errors
/// It has not been made.
pub fn one_file() -> Result<PathBuf> {
    let file = folder("SUBTABLE_LAB_ONE_FILE", "subtable-lab.html");
    ensure!(
        file.is_file(),
        "there is no {}: `cargo xtask test` makes and tests it",
        file.display()
    );
    Ok(file)
}

/// The script of axe-core.
///
/// # Errors
/// It has not been fetched.
pub fn axe() -> Result<String> {
    let file = folder("SUBTABLE_LAB_AXE", "axe.min.js");
    fs::read_to_string(&file).with_context(|| {
        format!(
            "there is no axe-core at {}: `cargo xtask test` fetches it, for which it needs a network once",
            file.display()
        )
    })
}

/// The folder that an environment variable names, or else the one called `name` in cargo's target folder, in which the
/// running test program is too.
fn folder(variable: &str, name: &str) -> PathBuf {
    let in_target = || {
        let program = env::current_exe().ok()?;
        Some(
            program
                .ancestors()
                .find(|folder| folder.join("CACHEDIR.TAG").is_file())?
                .join(name),
        )
    };
    env::var_os(variable)
        .map(PathBuf::from)
        .or_else(in_target)
        .unwrap_or_else(|| PathBuf::from("target").join(name))
}

/// The folder that screenshots go to.
#[must_use]
pub fn screenshots() -> PathBuf {
    folder("SUBTABLE_LAB_SCREENSHOTS", "screenshots")
}
