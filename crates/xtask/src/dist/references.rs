use std::ops::Range;

/// A place in a text file that names another file of the site.
#[derive(Debug, PartialEq)]
pub struct Reference {
    /// Where the last part of the path stands in the text, in bytes: what is replaced when the file gets another name.
    pub name: Range<usize>,
    /// The file meant, as a path from the root of the site.
    pub file: String,
    /// The path begins with `/`: it would leave the site when that is served under a path.
    pub from_host_root: bool,
}

/// The references in `text`, which is the file at `path` of the site, to files for which `exists` holds.
///
/// A reference is a run of characters without quotes, brackets, white space and the like which, taken from the file's own
/// folder or else from the root of the site, is a file of the site. No HTML, CSS or JavaScript needs to be understood,
/// and a name in a comment is renamed along with the others.
pub fn references(path: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<Reference> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut found = Vec::new();
    let mut start = 0;
    for token in text.split(ends_a_path) {
        let address = token.split(['?', '#']).next().unwrap_or_default();
        let from_host_root = address.starts_with('/');
        let bases: &[&str] = if from_host_root { &[""] } else { &[folder, ""] };
        let relative = address.strip_prefix('/').unwrap_or(address);
        let file = bases
            .iter()
            .filter_map(|base| resolved(base, relative))
            .find(|file| exists(file));
        if let Some(file) = file {
            let end = start + address.len();
            let name_length = address.rsplit('/').next().map_or(0, str::len);
            found.push(Reference {
                name: end - name_length..end,
                file,
                from_host_root,
            });
        }
        // Every character that ends a path is one byte long.
        start += token.len() + 1;
    }
    found
}

fn ends_a_path(character: char) -> bool {
    character.is_ascii_whitespace() || "\"'`()[]{}<>=,;|\\".contains(character)
}

/// The path `relative` taken from `folder`; nothing when it leaves the site or is no plain path.
fn resolved(folder: &str, relative: &str) -> Option<String> {
    if relative.is_empty() || relative.contains(':') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            "" => return None,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 5] = [
        "index.html",
        "style.css",
        "boot.js",
        "pkg/page.js",
        "pkg/page_bg.wasm",
    ];

    fn found(path: &str, text: &str) -> Vec<(String, String)> {
        references(path, text, |file| FILES.contains(&file))
            .into_iter()
            .map(|reference| (text[reference.name].to_owned(), reference.file))
            .collect()
    }

    fn one(name: &str, file: &str) -> Vec<(String, String)> {
        vec![(name.into(), file.into())]
    }

    #[test]
    fn every_way_to_write_a_reference_is_seen() {
        assert_eq!(
            found("index.html", r#"<link rel=stylesheet href="style.css">"#),
            one("style.css", "style.css")
        );
        assert_eq!(
            found("index.html", "<script type=module src=./boot.js></script>"),
            one("boot.js", "boot.js")
        );
        assert_eq!(
            found("style.css", "@import url(style.css?v=1);"),
            one("style.css", "style.css")
        );
        assert_eq!(
            found("boot.js", "import init,{Lab}from'./pkg/page.js';"),
            one("page.js", "pkg/page.js")
        );
        assert_eq!(
            found("pkg/page.js", "new URL('page_bg.wasm', import.meta.url)"),
            one("page_bg.wasm", "pkg/page_bg.wasm")
        );
        assert_eq!(
            found("pkg/page.js", "new Worker(`../boot.js#é`)"),
            one("boot.js", "boot.js")
        );
    }

    #[test]
    fn a_path_is_taken_from_its_own_folder_first_and_then_from_the_root() {
        assert_eq!(
            found("pkg/page.js", r#"fetch("pkg/page_bg.wasm")"#),
            one("page_bg.wasm", "pkg/page_bg.wasm")
        );
        assert_eq!(
            found("pkg/page.js", r#"fetch("style.css")"#),
            one("style.css", "style.css")
        );
    }

    #[test]
    fn what_names_no_file_of_the_site_is_left_alone() {
        for text in [
            "my-style.css",
            "style.css.map",
            "https://other/style.css",
            "../../style.css",
            "//style.css",
            ".",
        ] {
            assert_eq!(found("pkg/page.js", text), [], "{text}");
        }
    }

    #[test]
    fn a_path_from_the_host_root_is_told_apart() {
        let found = references("index.html", r#"é <a href="/boot.js">"#, |file| {
            FILES.contains(&file)
        });
        assert_eq!(found.len(), 1);
        assert!(found[0].from_host_root);
        assert_eq!(found[0].file, "boot.js");
    }
}
