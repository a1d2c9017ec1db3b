//! Packages of Debian and Ubuntu.

use std::fs;
use std::process::Command;

use anyhow::{Context, Error, Result, bail};
use subtable_browsers::in_path;

/// Installs packages, because of what is missing, where this program may: as root on Debian or Ubuntu.
///
/// # Errors
/// It may not, or apt-get fails; the message says what to install.
pub fn install(packages: &[&str], missing: Error) -> Result<()> {
    let names = packages.join(" ");
    if !(is_root() && is_debian()) {
        return Err(missing.context(format!(
            "these tests need what is named below in the PATH; on Debian and Ubuntu: sudo apt-get install {names}"
        )));
    }
    println!("{missing}: installing {names} with apt-get.");
    let installed = apt_get(&["update"]).and_then(|()| {
        let install = ["install", "--yes", "--no-install-recommends"];
        apt_get(&[&install, packages].concat())
    });
    installed.with_context(|| format!("install these packages by hand: {names}"))
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
