use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::files;
use crate::offline;
use crate::split;
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

/// The second part of the page's module.
const REST: &str = "subtable_web_rest.wasm";

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
    let staged = stage(workspace)?;
    let pkg = staged.join("pkg");
    bind(&modules[0], &pkg, Names::Kept)?;
    bind(&modules[1], &pkg, Names::Removed)?;
    let module = bound(&pkg);
    let parts = split::split(&files::read(&module)?, &first_view(workspace)?)
        .context("the page's module cannot be split")?;
    files::write(&module, &parts.first)?;
    files::write(&pkg.join(REST), &parts.rest)?;
    rename(&pkg.join(PAGE.library).with_extension("js"), &parts.renamed)?;
    publish(workspace, &staged)
}

/// Gives what a script hands to the module the names that the module now has for it.
fn rename(script: &Path, renamed: &[(String, String)]) -> Result<()> {
    let mut text = String::from_utf8(files::read(script)?)
        .with_context(|| format!("{} is not UTF-8", script.display()))?;
    for (old, new) in renamed {
        let (old, new) = (format!("        {old}: "), format!("        {new}: "));
        if text.matches(&old).count() != 1 {
            bail!("{} does not have exactly one {old:?}", script.display());
        }
        text = text.replacen(&old, &new, 1);
    }
    files::write(script, text.as_bytes())
}

/// Builds the page with its module whole and made to record which functions it runs. Returns the folder, and the names of the
/// functions in the order of the record.
///
/// # Errors
/// As [`build`].
pub fn build_recording(workspace: &Workspace) -> Result<(PathBuf, Vec<String>)> {
    toolchain::ensure_wasm_target(workspace)?;
    let compiled = compile(workspace, &PAGE)?;
    let staged = stage(workspace)?;
    let pkg = staged.join("pkg");
    bind(&compiled, &pkg, Names::Kept)?;
    let module = bound(&pkg);
    let content = files::read(&module)?;
    files::write(&module, &split::recording(&content)?)?;
    let site = workspace.target.join("site-recording");
    files::mirror(&staged, &site)?;
    files::remove(&staged)?;
    Ok((site, split::names(&content)?))
}

/// The list of the functions that the first view runs, one name a line.
pub fn first_view_list(workspace: &Workspace) -> PathBuf {
    workspace.root.join("crates/web/first-view.txt")
}

fn first_view(workspace: &Workspace) -> Result<BTreeSet<String>> {
    let file = first_view_list(workspace);
    let list = String::from_utf8(files::read(&file)?)
        .with_context(|| format!("{} is not UTF-8", file.display()))?;
    Ok(list.lines().map(str::to_owned).collect())
}

/// The page's files that are not built, in a folder of their own.
fn stage(workspace: &Workspace) -> Result<PathBuf> {
    let staged = workspace.target.join("site.new");
    files::remove(&staged)?;
    files::copy(&workspace.root.join("www"), &staged)?;
    Ok(staged)
}

fn publish(workspace: &Workspace, staged: &Path) -> Result<PathBuf> {
    offline::list(staged)?;
    let site = workspace.site();
    files::mirror(staged, &site)?;
    files::remove(staged)?;
    Ok(site)
}

/// The page's module as wasm-bindgen writes it to a folder.
fn bound(pkg: &Path) -> PathBuf {
    pkg.join(format!("{}_bg.wasm", PAGE.library))
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
    generate(
        Bindgen::new().no_modules(true)?,
        &module,
        &folder,
        Names::Removed,
    )?;
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
        .env("CARGO_ENCODED_RUSTFLAGS", flags(workspace))
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

/// Compiler flags of the pages: function names that tell generic arguments apart, by which the module is split; and none of
/// this machine's folders in the module's panic messages, which would otherwise name the home of whoever built the page.
fn flags(workspace: &Workspace) -> OsString {
    let mut flags = OsString::from("-Csymbol-mangling-version=v0");
    let mut remap = |folder: &Path, name: &str| {
        flags.push("\x1f--remap-path-prefix=");
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

/// Whether a bound module keeps the names of its functions.
#[derive(Clone, Copy, PartialEq)]
enum Names {
    Kept,
    Removed,
}

/// Writes the JavaScript that loads the module, and the module as that JavaScript expects it.
fn bind(module: &Path, into: &Path, names: Names) -> Result<()> {
    let mut bindgen = Bindgen::new();
    bindgen.web(true)?.omit_default_module_path(false);
    generate(&mut bindgen, module, into, names)
}

fn generate(bindgen: &mut Bindgen, module: &Path, into: &Path, names: Names) -> Result<()> {
    bindgen
        .input_path(module)
        .typescript(false)
        .demangle(false)
        .remove_name_section(names == Names::Removed)
        .remove_producers_section(true)
        .generate(into)
        .with_context(|| format!("wasm-bindgen cannot bind {}", module.display()))
}
