use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The folders of this workspace, and what its packages have to offer.
pub struct Workspace {
    /// The folder of the root `Cargo.toml`.
    pub root: PathBuf,
    /// Cargo's target folder, wherever the user's settings put it.
    pub target: PathBuf,
    packages: Vec<Value>,
}

impl Workspace {
    /// Asks cargo about the workspace that this program belongs to.
    ///
    /// # Errors
    /// Cargo cannot be run, or cannot read the workspace.
    pub fn find() -> Result<Self> {
        let output = Command::new(cargo_program())
            .args([
                "metadata",
                "--no-deps",
                "--format-version",
                "1",
                "--manifest-path",
            ])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .stderr(Stdio::inherit())
            .output()
            .context("cannot run `cargo metadata`")?;
        if !output.status.success() {
            bail!("`cargo metadata` failed");
        }
        let metadata: Value = serde_json::from_slice(&output.stdout)
            .context("cannot read what `cargo metadata` prints")?;
        let folder = |key: &str| {
            metadata[key]
                .as_str()
                .map(PathBuf::from)
                .with_context(|| format!("`cargo metadata` names no {key}"))
        };
        Ok(Self {
            root: folder("workspace_root")?,
            target: folder("target_directory")?,
            packages: metadata["packages"].as_array().cloned().unwrap_or_default(),
        })
    }

    /// The folder of the built page.
    pub fn site(&self) -> PathBuf {
        self.target.join("site")
    }

    /// The names of the packages that have a test target called `name`.
    pub fn packages_with_test(&self, name: &str) -> Vec<&str> {
        let is_the_test = |target: &&Value| target["kind"][0] == "test" && target["name"] == name;
        self.packages
            .iter()
            .filter(|package| {
                package["targets"]
                    .as_array()
                    .is_some_and(|targets| targets.iter().any(|t| is_the_test(&t)))
            })
            .filter_map(|package| package["name"].as_str())
            .collect()
    }

    /// Cargo, to be run in the workspace's root by the toolchain that runs this program.
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new(cargo_program());
        cargo.current_dir(&self.root);
        cargo
    }
}

fn cargo_program() -> OsString {
    env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}
