use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The files below `folder`, as sorted paths relative to it. Links are followed.
///
/// # Errors
/// A folder cannot be read.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(relative) = folders.pop() {
        let here = folder.join(&relative);
        for entry in fs::read_dir(&here)
            .with_context(|| format!("cannot read the folder {}", here.display()))?
        {
            let entry =
                entry.with_context(|| format!("cannot read the folder {}", here.display()))?;
            let path = relative.join(entry.file_name());
            if folder.join(&path).is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Copies the content of `from` into `to`, beside what is there.
///
/// # Errors
/// A file cannot be read or written.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    for file in list(from)? {
        write(&to.join(&file), &read(&from.join(&file))?)?;
    }
    Ok(())
}

/// Makes `to` equal to `from`, one file at a time, each replaced whole: whoever reads `to` meanwhile never finds a half
/// or absent file, and files that are already equal keep their date.
///
/// # Errors
/// A file cannot be read, written or removed.
pub fn mirror(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("cannot make the folder {}", to.display()))?;
    let wanted: BTreeSet<PathBuf> = list(from)?.into_iter().collect();
    for stale in list(to)?.into_iter().filter(|file| !wanted.contains(file)) {
        remove_file_and_empty_folders(to, &stale)?;
    }
    for file in &wanted {
        let (content, target) = (read(&from.join(file))?, to.join(file));
        if fs::read(&target).is_ok_and(|present| present == content) {
            continue;
        }
        let mut partial = target.clone().into_os_string();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        write(&partial, &content)?;
        fs::rename(&partial, &target)
            .with_context(|| format!("cannot replace {}", target.display()))?;
    }
    Ok(())
}

fn remove_file_and_empty_folders(root: &Path, file: &Path) -> Result<()> {
    fs::remove_file(root.join(file))
        .with_context(|| format!("cannot remove {}", root.join(file).display()))?;
    for folder in file
        .ancestors()
        .skip(1)
        .filter(|folder| *folder != Path::new(""))
    {
        // A folder that still holds something stays, and so do those above it.
        if fs::remove_dir(root.join(folder)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Removes a folder and all in it, if it is there.
///
/// # Errors
/// It cannot be removed.
pub fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Reads a whole file.
///
/// # Errors
/// It cannot be read; the message names it.
pub fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

/// Writes a whole file, and the folders it needs.
///
/// # Errors
/// It cannot be written; the message names it.
pub fn write(file: &Path, content: &[u8]) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    fs::write(file, content).with_context(|| format!("cannot write {}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn a_mirror_equals_its_source_whatever_was_there() -> Result<()> {
        let (from, to) = (TempDir::new()?, TempDir::new()?);
        write(&from.path().join("index.html"), b"new")?;
        write(&from.path().join("pkg/page.js"), b"same")?;
        write(&from.path().join("folder-now/a"), b"a")?;
        write(&from.path().join("file-now"), b"b")?;
        write(&to.path().join("index.html"), b"old")?;
        write(&to.path().join("pkg/page.js"), b"same")?;
        write(&to.path().join("folder-now"), b"was a file")?;
        write(&to.path().join("file-now/deep/c"), b"was a folder")?;
        mirror(from.path(), to.path())?;
        assert_eq!(list(to.path())?, list(from.path())?);
        assert_eq!(read(&to.path().join("index.html"))?, b"new");
        assert_eq!(read(&to.path().join("file-now"))?, b"b");
        Ok(())
    }

    #[test]
    fn removing_what_is_absent_is_no_error() -> Result<()> {
        remove(&TempDir::new()?.path().join("absent"))
    }
}
