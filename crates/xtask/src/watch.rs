use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::files;
use crate::workspace::Workspace;

/// How often the sources are looked at: a few hundred files take well under a millisecond each time.
const INTERVAL: Duration = Duration::from_millis(250);

/// What tells that a file has changed: its date and its length in bytes.
type Mark = (Option<SystemTime>, u64);

/// Notices changes to the sources by looking at them, which works on every system, in containers and over networks.
pub struct Watcher {
    root: PathBuf,
    sources: Vec<PathBuf>,
    seen: BTreeMap<PathBuf, Mark>,
}

impl Watcher {
    /// Begins to watch what the page is made from, as it is now.
    pub fn of(workspace: &Workspace) -> Self {
        Self::new(
            &workspace.root,
            &["crates", "www", "Cargo.toml", "Cargo.lock"],
        )
    }

    fn new(root: &Path, sources: &[&str]) -> Self {
        let mut watcher = Self {
            root: root.into(),
            sources: sources.iter().map(PathBuf::from).collect(),
            seen: BTreeMap::new(),
        };
        watcher.seen = watcher.look();
        watcher
    }

    /// Waits until something has changed and is quiet again, and returns the path of one changed file.
    pub fn wait(&mut self) -> String {
        let changed = loop {
            thread::sleep(INTERVAL);
            if let Some(changed) = self.changed() {
                break changed;
            }
        };
        // An editor or a checkout writes several files: build once, after the last of them.
        loop {
            thread::sleep(INTERVAL);
            if self.changed().is_none() {
                return changed.display().to_string();
            }
        }
    }

    fn changed(&mut self) -> Option<PathBuf> {
        let now = self.look();
        let differs = |(path, mark): (&PathBuf, &Mark), other: &BTreeMap<PathBuf, Mark>| {
            (other.get(path) != Some(mark)).then(|| path.clone())
        };
        let changed = now
            .iter()
            .find_map(|entry| differs(entry, &self.seen))
            .or_else(|| self.seen.iter().find_map(|entry| differs(entry, &now)));
        self.seen = now;
        changed
    }

    fn look(&self) -> BTreeMap<PathBuf, Mark> {
        let mut found = BTreeMap::new();
        for source in &self.sources {
            let path = self.root.join(source);
            if path.is_file() {
                found.insert(source.clone(), mark(&path));
                continue;
            }
            // A folder that vanishes while being read shows as changed again at the next look.
            for file in files::list(&path).unwrap_or_default() {
                found.insert(source.join(&file), mark(&path.join(&file)));
            }
        }
        found
    }
}

fn mark(file: &Path) -> Mark {
    fs::metadata(file).map_or((None, 0), |data| (data.modified().ok(), data.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Result;
    use tempfile::TempDir;

    #[test]
    fn edits_additions_and_removals_are_noticed_once() -> Result<()> {
        let root = TempDir::new()?;
        files::write(&root.path().join("www/index.html"), b"one")?;
        files::write(&root.path().join("other/notes"), b"not watched")?;
        let mut watcher = Watcher::new(root.path(), &["www", "Cargo.toml"]);
        assert_eq!(watcher.changed(), None);

        files::write(&root.path().join("www/index.html"), b"three")?;
        assert_eq!(watcher.changed(), Some("www/index.html".into()));
        assert_eq!(watcher.changed(), None);

        files::write(&root.path().join("www/new/a.js"), b"")?;
        assert_eq!(watcher.changed(), Some("www/new/a.js".into()));

        fs::remove_file(root.path().join("www/index.html"))?;
        assert_eq!(watcher.changed(), Some("www/index.html".into()));

        files::write(&root.path().join("Cargo.toml"), b"")?;
        assert_eq!(watcher.changed(), Some("Cargo.toml".into()));

        files::write(&root.path().join("other/notes"), b"still not watched")?;
        assert_eq!(watcher.changed(), None);
        Ok(())
    }
}
