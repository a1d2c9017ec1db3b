use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace::Workspace;

/// The target that browsers run.
pub const WASM: &str = "wasm32-unknown-unknown";

/// Makes sure that the toolchain of `rust-toolchain.toml` can build for browsers, adding the target when it is missing.
///
/// rustup does this by itself from the file on most machines, but not where automatic installation is switched off.
///
/// # Errors
/// The target is missing and rustup is not there or cannot add it.
pub fn ensure_wasm_target(workspace: &Workspace) -> Result<()> {
    if wasm_library(workspace)?.is_dir() {
        return Ok(());
    }
    eprintln!("The target {WASM} is not installed: adding it with rustup.");
    let added = Command::new("rustup")
        .args(["target", "add", WASM])
        .current_dir(&workspace.root)
        .status();
    match added {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => bail!("`rustup target add {WASM}` failed: its message is above"),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!(
                "the target {WASM} is not installed and there is no rustup to add it: install the rust-std of that target"
            )
        }
        Err(error) => Err(error).context("cannot run rustup"),
    }
}

/// Where the standard library of the target is, or would be.
fn wasm_library(workspace: &Workspace) -> Result<PathBuf> {
    let output = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", WASM])
        .current_dir(&workspace.root)
        .output()
        .context("cannot run rustc")?;
    if !output.status.success() {
        bail!(
            "rustc does not know {WASM}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(Path::new(String::from_utf8_lossy(&output.stdout).trim()).to_path_buf())
}
