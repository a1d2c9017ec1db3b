use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hasher;

use anyhow::{Result, bail};
use siphasher::sip::SipHasher13;

use super::references::{Reference, references};

/// A site ready to be published.
pub struct Site {
    /// Its files, by their names before publishing.
    pub files: Vec<Published>,
}

/// A file of the published site.
pub struct Published {
    /// Its path from the root of the site, with the hash where it has one.
    pub name: String,
    /// What it holds, with the names of other files rewritten.
    pub content: Vec<u8>,
    /// Whether showing the first view of `index.html` loads it.
    pub first_view: bool,
}

/// A file as it was built.
struct Source {
    content: Vec<u8>,
    references: Vec<Reference>,
}

type Sources = BTreeMap<String, Source>;

/// Gives the files their published names, and rewrites the references to them.
///
/// # Errors
/// A reference begins at the root of the host, or a renamed file is still named somewhere by its old name.
pub fn publish(files: Vec<(String, Vec<u8>)>) -> Result<Site> {
    let sources = with_references(files)?;
    let names: BTreeMap<&str, String> = sources
        .keys()
        .map(|path| (path.as_str(), published_name(path, &sources)))
        .collect();
    let first_view = reachable("index.html", &sources, |path| {
        path != "index.html" && is_followed_later(path)
    });
    let files: Vec<Published> = sources
        .iter()
        .map(|(path, source)| Published {
            name: names[path.as_str()].clone(),
            content: rewritten(source, &names),
            first_view: first_view.contains(path.as_str()),
        })
        .collect();
    refuse_old_names(&files, &names)?;
    Ok(Site { files })
}

fn with_references(files: Vec<(String, Vec<u8>)>) -> Result<Sources> {
    let paths: BTreeSet<String> = files.iter().map(|(path, _)| path.clone()).collect();
    let mut sources = Sources::new();
    for (path, content) in files {
        let references = match str::from_utf8(&content) {
            Ok(text) if is_text(&path) => references(&path, text, |file| paths.contains(file)),
            _ => Vec::new(),
        };
        if let Some(rooted) = references.iter().find(|reference| reference.from_host_root) {
            bail!(
                "{path} names /{} from the root of the host, which breaks the page under a path: make it relative",
                rooted.file
            );
        }
        sources.insert(
            path,
            Source {
                content,
                references,
            },
        );
    }
    Ok(sources)
}

/// Kinds of file that are searched for references.
fn is_text(path: &str) -> bool {
    matches!(
        extension(path),
        "html" | "css" | "js" | "mjs" | "json" | "webmanifest" | "svg"
    )
}

/// Whether the name of a file gets the hash of its content: those that are large, change often, and that only other
/// files of the site name. The address of a page is known outside, and that of a service worker must never change.
fn is_hashed(path: &str) -> bool {
    matches!(extension(path), "css" | "js" | "mjs" | "wasm" | "woff2") && !is_service_worker(path)
}

fn is_service_worker(path: &str) -> bool {
    matches!(path, "sw.js" | "service-worker.js")
}

/// Files that the first view does not load, although it names them: other pages, what an installed page uses, and what
/// follows once the first view is there.
fn is_followed_later(path: &str) -> bool {
    matches!(extension(path), "html" | "webmanifest")
        || is_service_worker(path)
        || path.ends_with("_rest.wasm")
        || path == "offline.js"
        || path == "icon-touch.png"
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

fn published_name(path: &str, sources: &Sources) -> String {
    match path.rsplit_once('.') {
        Some((stem, extension)) if is_hashed(path) => {
            format!(
                "{stem}.{:010x}.{extension}",
                content_hash(path, sources) >> 24
            )
        }
        _ => path.to_owned(),
    }
}

/// The hash of a file and of all that it refers to, directly or not. Taking the contents as they were before rewriting
/// makes it well defined even where files refer to each other in a circle. A service worker refers to everything, and its
/// name never changes: what is behind it is left out, else a new icon would rename the scripts.
fn content_hash(path: &str, sources: &Sources) -> u64 {
    let mut hasher = SipHasher13::new();
    let mut covered = vec![path];
    covered.extend(
        reachable(path, sources, is_service_worker)
            .into_iter()
            .filter(|other| *other != path),
    );
    for path in covered {
        for part in [path.as_bytes(), &sources[path].content] {
            hasher.write(&part.len().to_le_bytes());
            hasher.write(part);
        }
    }
    hasher.finish()
}

/// `from` and all files that can be reached from it by references, without entering those that are `skipped`.
fn reachable<'a>(
    from: &str,
    sources: &'a Sources,
    skipped: impl Fn(&str) -> bool,
) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut next: Vec<&str> = sources
        .get_key_value(from)
        .map(|(path, _)| path.as_str())
        .into_iter()
        .collect();
    while let Some(path) = next.pop() {
        if !skipped(path) && reached.insert(path) {
            next.extend(
                sources[path]
                    .references
                    .iter()
                    .map(|reference| reference.file.as_str()),
            );
        }
    }
    reached
}

fn rewritten(source: &Source, names: &BTreeMap<&str, String>) -> Vec<u8> {
    let mut content = Vec::with_capacity(source.content.len());
    let mut copied = 0;
    for Reference { name, file, .. } in &source.references {
        content.extend_from_slice(&source.content[copied..name.start]);
        content.extend_from_slice(last_part(&names[file.as_str()]).as_bytes());
        copied = name.end;
    }
    content.extend_from_slice(&source.content[copied..]);
    content
}

fn last_part(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Fails when a file is still named by a name that it no longer has: the reference was put together at run time, or
/// stands inside the WebAssembly module, and would not be found on the host.
fn refuse_old_names(files: &[Published], names: &BTreeMap<&str, String>) -> Result<()> {
    for (old, _) in names.iter().filter(|(old, new)| *old != new) {
        let old_name = last_part(old);
        if let Some(file) = files.iter().find(|file| mentions(file, old_name)) {
            bail!(
                "{} still names {old_name}, which is published under another name: write the whole path as one string in \
                 an HTML, CSS or JavaScript file, where it can be rewritten",
                file.name
            );
        }
    }
    Ok(())
}

fn mentions(file: &Published, name: &str) -> bool {
    let in_text = is_text(&file.name);
    let is_name_byte = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    file.content
        .windows(name.len())
        .enumerate()
        .any(|(at, window)| {
            // Strings stand in a module without anything between them, so only text has bounds to look at.
            let inside_longer_name = in_text
                && (file.content[..at].last().is_some_and(is_name_byte)
                    || file.content.get(at + name.len()).is_some_and(is_name_byte));
            window == name.as_bytes() && !inside_longer_name
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(files: &[(&str, &str)]) -> Result<BTreeMap<String, String>> {
        let files = files
            .iter()
            .map(|(path, content)| ((*path).to_owned(), content.as_bytes().to_vec()))
            .collect();
        let published = publish(files)?.files;
        Ok(published
            .into_iter()
            .map(|file| {
                (
                    file.name,
                    String::from_utf8_lossy(&file.content).into_owned(),
                )
            })
            .collect())
    }

    fn name_of(site: &BTreeMap<String, String>, stem: &str) -> String {
        site.keys()
            .find(|name| name.starts_with(stem))
            .cloned()
            .unwrap_or_default()
    }

    const PAGE: [(&str, &str); 4] = [
        (
            "index.html",
            r#"<link href="style.css"><script src="./pkg/page.js"></script>"#,
        ),
        ("style.css", "p{}"),
        ("pkg/page.js", "new URL('page_bg.wasm', import.meta.url)"),
        ("pkg/page_bg.wasm", "\0asm one"),
    ];

    #[test]
    fn names_get_hashes_and_references_follow() -> Result<()> {
        let site = site(&PAGE)?;
        let (style, script, module) = (
            name_of(&site, "style."),
            name_of(&site, "pkg/page."),
            name_of(&site, "pkg/page_bg."),
        );
        for (name, plain) in [
            (&style, "style.css"),
            (&script, "pkg/page.js"),
            (&module, "pkg/page_bg.wasm"),
        ] {
            assert_eq!(name.len(), plain.len() + 11, "{name}");
        }
        assert_eq!(
            site["index.html"],
            format!(r#"<link href="{style}"><script src="./{script}"></script>"#)
        );
        assert_eq!(
            site[&script],
            format!("new URL('{}', import.meta.url)", last_part(&module))
        );
        Ok(())
    }

    #[test]
    fn a_new_module_renames_what_loads_it_and_nothing_else() -> Result<()> {
        let before = site(&PAGE)?;
        let mut page = PAGE;
        page[3].1 = "\0asm two";
        let after = site(&page)?;
        for stem in ["pkg/page_bg.", "pkg/page."] {
            assert_ne!(name_of(&before, stem), name_of(&after, stem));
        }
        assert_eq!(name_of(&before, "style."), name_of(&after, "style."));
        Ok(())
    }

    #[test]
    fn files_that_refer_to_each_other_are_published() -> Result<()> {
        let site = site(&[("a.js", "import './b.js'"), ("b.js", "import './a.js'")])?;
        assert_eq!(
            site[&name_of(&site, "a.")],
            format!("import './{}'", name_of(&site, "b."))
        );
        assert_eq!(
            site[&name_of(&site, "b.")],
            format!("import './{}'", name_of(&site, "a."))
        );
        Ok(())
    }

    #[test]
    fn pages_icons_and_the_service_worker_keep_their_names() -> Result<()> {
        let site = site(&[
            ("index.html", "sw.js"),
            ("sw.js", "['./', 'icon.svg']"),
            ("icon.svg", "<svg/>"),
        ])?;
        assert_eq!(
            site.keys().collect::<Vec<_>>(),
            ["icon.svg", "index.html", "sw.js"]
        );
        Ok(())
    }

    #[test]
    fn a_name_that_cannot_be_rewritten_is_refused() {
        let split = site(&[
            ("index.html", ""),
            ("worker.js", ""),
            ("boot.js", "base + '/x-y/' + a + '/b/worker.js'"),
        ]);
        assert!(split.is_err_and(|error| error.to_string().contains("boot.")));
        let inside_module = site(&[("worker.js", ""), ("page_bg.wasm", "\0asmfooworker.jsbar")]);
        assert!(
            inside_module.is_err_and(|error| error.to_string().contains("still names worker.js"))
        );
        let longer_name = site(&[
            ("worker.js", ""),
            ("notes.json", "[\"my-worker.js\", \"worker.js.map\"]"),
        ]);
        assert!(longer_name.is_ok());
    }

    #[test]
    fn a_path_from_the_host_root_is_refused() {
        let rooted = site(&[
            ("index.html", r#"<link href="/style.css">"#),
            ("style.css", ""),
        ]);
        assert!(rooted.is_err_and(|error| error.to_string().contains("make it relative")));
    }

    #[test]
    fn the_first_view_is_what_the_page_loads_by_itself() -> Result<()> {
        let files = [
            ("index.html", "style.css sw.js about.html app.webmanifest"),
            ("style.css", "icon.svg"),
            ("icon.svg", ""),
            ("sw.js", "late.css"),
            ("about.html", "late.css"),
            ("late.css", ""),
            ("app.webmanifest", "large.png"),
            ("large.png", ""),
        ];
        let files = files
            .iter()
            .map(|(path, content)| ((*path).to_owned(), content.as_bytes().to_vec()))
            .collect();
        let site = publish(files)?;
        let first: Vec<&str> = site
            .files
            .iter()
            .filter(|file| file.first_view)
            .filter_map(|file| file.name.split('.').next())
            .collect();
        assert_eq!(first, ["icon", "index", "style"]);
        Ok(())
    }
}
