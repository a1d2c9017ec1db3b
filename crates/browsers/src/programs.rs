//! Where programs are.

use std::path::PathBuf;
use std::{env, fs};

/// The program that a variable names, or else the first of these names in the `PATH`.
pub fn named(variable: &str, names: &[&str]) -> Option<PathBuf> {
    match env::var_os(variable) {
        Some(path) => Some(PathBuf::from(path)),
        None => names.iter().find_map(|name| in_path(name)),
    }
}

/// The program of that name in the `PATH`.
#[must_use]
pub fn in_path(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file())
}

/// `WebKitGTK`'s browser for tests, which lies in a folder of its library.
#[must_use]
pub fn mini_browser() -> Option<PathBuf> {
    let libraries = fs::read_dir("/usr/lib").ok()?.flatten();
    libraries
        .flat_map(|folder| {
            ["webkit2gtk-4.1", "webkitgtk-6.0", "webkit2gtk-4.0"]
                .map(|library| folder.path().join(library).join("MiniBrowser"))
        })
        .find(|path| path.is_file())
}
