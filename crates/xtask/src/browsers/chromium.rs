//! Chromium, with a driver of the same version and the fonts that the tests measure.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use subtable_browsers::in_path;

use crate::files;

/// Chromium and the driver that controls it.
pub struct Chromium {
    /// The browser's program.
    pub chromium: PathBuf,
    /// The driver's program, of the same major version.
    pub chromedriver: PathBuf,
}

const NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];

/// Finds both.
///
/// # Errors
/// One is missing, their versions differ, or the fonts are missing.
pub fn find() -> Result<Chromium> {
    let chromedriver = in_path("chromedriver").context("chromedriver is not installed")?;
    let major = major_version(&chromedriver)?;
    let mut others = Vec::new();
    for browser in NAMES.into_iter().filter_map(in_path) {
        match major_version(&browser) {
            Ok(version) if version == major => {
                return if has_fonts() {
                    Ok(Chromium {
                        chromium: browser,
                        chromedriver,
                    })
                } else {
                    bail!("the DejaVu fonts are not installed")
                };
            }
            Ok(version) => others.push(format!("{} is version {version}", browser.display())),
            Err(error) => others.push(format!("{error:#}")),
        }
    }
    if others.is_empty() {
        bail!("Chromium is not installed");
    }
    bail!("chromedriver is version {major}, but {}", others.join(", "))
}

fn major_version(program: &Path) -> Result<u32> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    major_version_in(&printed)
        .with_context(|| format!("{} --version says {printed:?}", program.display()))
}

/// The first number followed by a dot: `Chromium 156.0.8078.114 built on Debian`, `ChromeDriver 156.0.8078.114 (…)`.
fn major_version_in(text: &str) -> Option<u32> {
    text.split_whitespace()
        .find_map(|word| word.split_once('.')?.0.parse().ok())
}

/// Charts and tables are measured in the page's font, so the tests need one that is the same everywhere.
fn has_fonts() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    ["/usr/share/fonts", "/usr/local/share/fonts"]
        .iter()
        .flat_map(|folder| files::list(Path::new(folder)).unwrap_or_default())
        .any(|file| {
            file.file_name()
                .is_some_and(|name| name == "DejaVuSans.ttf")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_programs_print() {
        assert_eq!(
            major_version_in("Chromium 156.0.8078.114 built on Debian GNU/Linux 12 (bookworm)"),
            Some(156)
        );
        assert_eq!(
            major_version_in("ChromeDriver 156.0.8078.114 (0a1b2c)"),
            Some(156)
        );
        assert_eq!(major_version_in("Google Chrome 99.0 \n"), Some(99));
        assert_eq!(major_version_in("command not found"), None);
    }
}
