use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::files;

/// Chromium and the driver that controls it.
pub struct Browsers {
    /// The browser's program.
    pub chromium: PathBuf,
    /// The driver's program, of the same major version.
    pub chromedriver: PathBuf,
}

/// What Chromium needs to run without a screen, as root and in a container.
pub const CHROMIUM_FLAGS: [&str; 3] = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"];

const BROWSER_NAMES: [&str; 4] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
const PACKAGES: [&str; 3] = ["chromium", "chromium-driver", "fonts-dejavu-core"];

/// Finds what the browser tests need, and installs it where this program may: as root on Debian or Ubuntu.
///
/// # Errors
/// Something is missing; the message says what to install.
pub fn ensure() -> Result<Browsers> {
    let Err(missing) = find() else { return find() };
    if !(is_root() && is_debian()) {
        return Err(missing.context(
            "the browser tests need Chromium and chromedriver of the same version in the PATH, and the DejaVu fonts; \
             on Debian and Ubuntu: sudo apt-get install chromium chromium-driver fonts-dejavu-core",
        ));
    }
    println!(
        "{missing}: installing {} with apt-get.",
        PACKAGES.join(", ")
    );
    apt_get(&["update"])?;
    apt_get(
        &[
            &["install", "--yes", "--no-install-recommends"],
            &PACKAGES[..],
        ]
        .concat(),
    )?;
    find()
}

fn find() -> Result<Browsers> {
    let chromedriver = in_path("chromedriver").context("chromedriver is not installed")?;
    let major = major_version(&chromedriver)?;
    let mut others = Vec::new();
    for browser in BROWSER_NAMES.into_iter().filter_map(in_path) {
        match major_version(&browser) {
            Ok(version) if version == major => {
                return if has_fonts() {
                    Ok(Browsers {
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

fn in_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
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

fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn is_debian() -> bool {
    fs::read_to_string("/etc/os-release").is_ok_and(|release| is_debian_release(&release))
        && in_path("apt-get").is_some()
}

fn is_debian_release(release: &str) -> bool {
    release
        .lines()
        .filter_map(|line| {
            line.strip_prefix("ID=")
                .or_else(|| line.strip_prefix("ID_LIKE="))
        })
        .flat_map(|ids| ids.trim_matches('"').split(' '))
        .any(|id| id == "debian" || id == "ubuntu")
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    let status = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .status()
        .context("cannot run apt-get")?;
    if !status.success() {
        bail!(
            "`apt-get {}` failed: its messages are above",
            arguments.join(" ")
        );
    }
    Ok(())
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

    #[test]
    fn debian_and_its_descendants_are_known() {
        assert!(is_debian_release(
            "PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n"
        ));
        assert!(is_debian_release(
            "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"
        ));
        assert!(!is_debian_release(
            "NAME=\"not debian\"\nID=fedora\nID_LIKE=\"rhel\"\n"
        ));
    }
}
