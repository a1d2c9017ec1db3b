//! axe-core, which looks for what keeps people with disabilities out: fetched once into the target folder, for tests alone.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use sha2::{Digest, Sha512};
use subtable_browsers::in_path;

use crate::files;
use crate::workspace::Workspace;

const VERSION: &str = "4.14.1";
/// The registry's checksum of the package: SHA-512 in base 64.
const INTEGRITY: &str =
    "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==";
/// The script in the package.
const SCRIPT: &str = "package/axe.min.js";

/// The script, fetched with npm, or with curl where there is no npm, and checked.
///
/// # Errors
/// It can be fetched with neither, as without a network, or is not what it must be.
pub fn ensure(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.target.join("tools");
    let script = folder.join(format!("axe-{VERSION}.min.js"));
    if script.is_file() {
        return Ok(script);
    }
    let package = folder.join(format!("axe-core-{VERSION}.tgz"));
    if !package.is_file() {
        println!("Fetching axe-core {VERSION} into {}.", folder.display());
        std::fs::create_dir_all(&folder).context("cannot make the folder of tools")?;
        fetch(&folder, &package).with_context(|| {
            format!(
                "axe-core {VERSION} cannot be fetched: without a network, put its package from npm at {}",
                package.display()
            )
        })?;
    }
    let bytes = files::read(&package)?;
    let checksum = STANDARD.encode(Sha512::digest(&bytes));
    ensure!(
        checksum == INTEGRITY,
        "{} is not axe-core {VERSION}: remove it",
        package.display()
    );
    let mut archive = Vec::new();
    GzDecoder::new(&bytes[..])
        .read_to_end(&mut archive)
        .context("cannot unpack axe-core")?;
    files::write(
        &script,
        entry(&archive, SCRIPT).with_context(|| format!("axe-core has no {SCRIPT}"))?,
    )?;
    Ok(script)
}

fn fetch(folder: &Path, package: &Path) -> Result<()> {
    let (name, mut command) = if let Some(npm) = in_path("npm") {
        let mut command = Command::new(npm);
        command.args(["pack", "--silent", &format!("axe-core@{VERSION}")]);
        ("npm", command)
    } else if let Some(curl) = in_path("curl") {
        let mut command = Command::new(curl);
        command
            .args([
                "--fail",
                "--silent",
                "--show-error",
                "--location",
                "--output",
            ])
            .arg(package)
            .arg(format!(
                "https://registry.npmjs.org/axe-core/-/axe-core-{VERSION}.tgz"
            ));
        ("curl", command)
    } else {
        bail!("neither npm nor curl is installed");
    };
    let fetched = command
        .current_dir(folder)
        .stdout(Stdio::null())
        .status()
        .with_context(|| format!("cannot run {name}"))?;
    ensure!(fetched.success(), "{name} fails: its messages are above");
    Ok(())
}

/// The content of a file in a tar archive: blocks of 512 bytes, of which each file has one as head, with its name first and
/// its length in octal at 124.
fn entry<'a>(archive: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut rest = archive;
    while rest.len() > 512 {
        let (head, content) = rest.split_at(512);
        let text =
            |bytes: &'a [u8]| std::str::from_utf8(bytes.split(|byte| *byte == 0).next()?).ok();
        let length = usize::from_str_radix(text(&head[124..136])?.trim(), 8).ok()?;
        if text(&head[..100])? == name {
            return content.get(..length);
        }
        rest = content.get(length.div_ceil(512) * 512..)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archived(name: &str, content: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; 512];
        bytes[..name.len()].copy_from_slice(name.as_bytes());
        let length = format!("{:011o}\0", content.len());
        bytes[124..136].copy_from_slice(length.as_bytes());
        bytes.extend_from_slice(content);
        bytes.resize(bytes.len().div_ceil(512) * 512, 0);
        bytes
    }

    #[test]
    fn a_file_is_found_behind_others() {
        let end = vec![0; 1024];
        let archive = [
            archived("package/a", &[b'x'; 700]),
            archived(SCRIPT, b"axe"),
            end,
        ]
        .concat();
        assert_eq!(entry(&archive, SCRIPT), Some(&b"axe"[..]));
        assert_eq!(entry(&archive, "package/b"), None);
        assert_eq!(entry(&archive[..600], SCRIPT), None);
    }
}
