//! What the service worker keeps: every file of the page, and a version that changes with the content of any of them.

use std::hash::Hasher;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use siphasher::sip::SipHasher13;

use crate::files;

/// The service worker, and the two lines of it that are written here.
const SCRIPT: &str = "sw.js";
const VERSION: &str = "const VERSION = 'unbuilt';";
const FILES: &str = "const FILES = ['./'];";

/// Writes version and files into the service worker of a built page.
///
/// # Errors
/// The page has no service worker, or it does not have the two lines.
pub fn list(site: &Path) -> Result<()> {
    let script = site.join(SCRIPT);
    let text = String::from_utf8(files::read(&script)?)
        .with_context(|| format!("{} is not UTF-8", script.display()))?;
    for line in [VERSION, FILES] {
        ensure!(text.contains(line), "{} lacks `{line}`", script.display());
    }
    let mut hasher = SipHasher13::new();
    let mut names = vec!["'./'".to_owned()];
    for file in files::list(site)? {
        let name = file
            .iter()
            .map(|part| part.to_string_lossy())
            .collect::<Vec<_>>()
            .join("/");
        for part in [name.as_bytes(), &files::read(&site.join(&file))?] {
            hasher.write(&part.len().to_le_bytes());
            hasher.write(part);
        }
        // The page itself is kept under the address of its folder; a service worker must not keep itself.
        if name != "index.html" && name != SCRIPT {
            names.push(format!("'{name}'"));
        }
    }
    let text = text
        .replace(
            VERSION,
            &format!("const VERSION = '{:016x}';", hasher.finish()),
        )
        .replace(FILES, &format!("const FILES = [{}];", names.join(", ")));
    files::write(&script, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn listed(page: &str) -> Result<String> {
        let site = TempDir::new()?;
        files::write(&site.path().join("index.html"), page.as_bytes())?;
        files::write(&site.path().join("pkg/page.js"), b"1")?;
        let script = format!("{VERSION}\n{FILES}\n");
        files::write(&site.path().join(SCRIPT), script.as_bytes())?;
        list(site.path())?;
        Ok(String::from_utf8(files::read(&site.path().join(SCRIPT))?)?)
    }

    #[test]
    fn every_file_is_kept_and_any_change_is_another_version() -> Result<()> {
        let before = listed("one")?;
        assert!(
            before.contains("const FILES = ['./', 'pkg/page.js'];"),
            "{before}"
        );
        assert_eq!(before, listed("one")?);
        assert_ne!(before, listed("two")?);
        Ok(())
    }

    #[test]
    fn a_service_worker_without_the_two_lines_is_refused() -> Result<()> {
        let site = TempDir::new()?;
        files::write(&site.path().join(SCRIPT), b"const VERSION = 1;")?;
        assert!(list(site.path()).is_err_and(|error| error.to_string().contains("lacks")));
        Ok(())
    }
}
