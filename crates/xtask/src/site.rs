use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::files;
use crate::offline;
use crate::toolchain::{self, WASM};
use crate::workspace::Workspace;

/// The package that becomes the page's WebAssembly module, and the name of its library.
const PAGE: Package = Package {
    name: "subtable-web",
    library: "subtable_web",
};
/// The package that becomes the module of the page that reads real logs.
const LOG_PAGE: Package = Package {
    name: "subtable-log-page",
    library: "subtable_log_page",
};

struct Package {
    name: &'static str,
    library: &'static str,
}

/// The profile of the page: what users load is what is served and tested.
const PROFILE: &str = "page";

/// Builds the page into the target folder's `site/` and returns that folder.
///
/// The folder changes only once everything has been built, so that a failed build leaves the last good one.
///
/// # Errors
/// The target cannot be had, the package does not compile, or a file cannot be written.
pub fn build(workspace: &Workspace) -> Result<PathBuf> {
    toolchain::ensure_wasm_target(workspace)?;
    let modules = [compile(workspace, &PAGE)?, compile(workspace, &LOG_PAGE)?];
    let staged = workspace.target.join("site.new");
    files::remove(&staged)?;
    files::copy(&workspace.root.join("www"), &staged)?;
    for module in &modules {
        bind(module, &staged.join("pkg"))?;
    }
    offline::list(&staged)?;
    let site = workspace.site();
    files::mirror(&staged, &site)?;
    files::remove(&staged)?;
    Ok(site)
}

/// The folder with the module and a script that loads it without being a module script itself: both in one file each, for
/// pages that are opened from a file.
///
/// # Errors
/// As [`build`].
pub fn build_for_one_file(workspace: &Workspace) -> Result<PathBuf> {
    toolchain::ensure_wasm_target(workspace)?;
    let module = compile(workspace, &PAGE)?;
    let folder = workspace.target.join("site-in-one");
    files::remove(&folder)?;
    generate(Bindgen::new().no_modules(true)?, &module, &folder)?;
    Ok(folder)
}

fn compile(workspace: &Workspace, package: &Package) -> Result<PathBuf> {
    let Package { name, library } = package;
    let status = workspace
        .cargo()
        .args([
            "build",
            "--package",
            name,
            "--lib",
            "--target",
            WASM,
            "--profile",
            PROFILE,
        ])
        .env("CARGO_ENCODED_RUSTFLAGS", path_free_flags(workspace))
        .status()
        .context("cannot run `cargo build`")?;
    if !status.success() {
        bail!("`{name}` does not build for {WASM}: cargo's messages are above");
    }
    let module = workspace
        .target
        .join(WASM)
        .join(PROFILE)
        .join(library)
        .with_extension("wasm");
    if !module.is_file() {
        bail!(
            "there is no {} after the build: `{name}` must be a cdylib named {library}",
            module.display()
        );
    }
    Ok(module)
}

/// Compiler flags that keep this machine's folders out of the module's panic messages, which would otherwise name the
/// home of whoever built the page.
fn path_free_flags(workspace: &Workspace) -> OsString {
    let mut flags = OsString::new();
    let mut remap = |folder: &Path, name: &str| {
        if !flags.is_empty() {
            flags.push("\x1f");
        }
        flags.push("--remap-path-prefix=");
        flags.push(folder);
        flags.push("=");
        flags.push(name);
    };
    remap(&workspace.root, ".");
    if let Some(home) = cargo_home() {
        remap(&home, "cargo");
        // The last flag that matches counts: each registry's sources, whose folder is named after the registry.
        for registry in fs::read_dir(home.join("registry/src"))
            .into_iter()
            .flatten()
            .flatten()
        {
            remap(&registry.path(), "deps");
        }
    }
    flags
}

fn cargo_home() -> Option<PathBuf> {
    let set = env::var_os("CARGO_HOME").map(PathBuf::from);
    set.or_else(|| env::home_dir().map(|home| home.join(".cargo")))
}

/// Writes the JavaScript that loads the module, and the module as that JavaScript expects it.
fn bind(module: &Path, into: &Path) -> Result<()> {
    generate(
        Bindgen::new().web(true)?.omit_default_module_path(false),
        module,
        into,
    )
}

fn generate(bindgen: &mut Bindgen, module: &Path, into: &Path) -> Result<()> {
    bindgen
        .input_path(module)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(into)
        .with_context(|| format!("wasm-bindgen cannot bind {}", module.display()))
}
