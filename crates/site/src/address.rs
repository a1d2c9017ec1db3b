use std::path::PathBuf;

/// The file that a request's address names, relative to the served folder; a final `/` (or nothing) names `index.html`.
///
/// Returns nothing for an address that could name something outside the folder: it must begin with `/`, and none of its
/// segments may be empty, `.` or `..`, or hold a slash of either kind, a colon or a NUL, before or after percent-decoding.
/// The query and the fragment are ignored.
///
/// ```
/// use subtable_site::file_of;
/// assert_eq!(file_of("/pkg/page.js?v=1"), Some("pkg/page.js".into()));
/// assert_eq!(file_of("/lessons/"), Some("lessons/index.html".into()));
/// assert_eq!(file_of("/%2e%2e/secret"), None);
/// ```
#[must_use]
pub fn file_of(address: &str) -> Option<PathBuf> {
    let path = address.split(['?', '#']).next()?.strip_prefix('/')?;
    let (folders, name) = match path.rsplit_once('/') {
        Some((folders, name)) => (Some(folders), name),
        None => (None, path),
    };
    let mut file = PathBuf::new();
    for segment in folders.into_iter().flat_map(|folders| folders.split('/')) {
        file.push(plain_segment(segment)?);
    }
    if name.is_empty() {
        file.push("index.html");
    } else {
        file.push(plain_segment(name)?);
    }
    Some(file)
}

fn plain_segment(segment: &str) -> Option<String> {
    let segment = percent_decoded(segment)?;
    let plain =
        !matches!(segment.as_str(), "" | "." | "..") && !segment.contains(['/', '\\', ':', '\0']);
    plain.then_some(segment)
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        decoded.push(if byte == b'%' {
            hex_digit(rest.next()?)? * 16 + hex_digit(rest.next()?)?
        } else {
            byte
        });
    }
    String::from_utf8(decoded).ok()
}

fn hex_digit(digit: u8) -> Option<u8> {
    u8::try_from(char::from(digit).to_digit(16)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_are_found() {
        assert_eq!(file_of("/"), Some("index.html".into()));
        assert_eq!(file_of("/?embed=1"), Some("index.html".into()));
        assert_eq!(file_of("/a/b.c/d.js"), Some("a/b.c/d.js".into()));
        assert_eq!(file_of("/caf%C3%A9%20.txt"), Some("café .txt".into()));
        assert_eq!(file_of("/..a/b..js"), Some("..a/b..js".into()));
    }

    #[test]
    fn nothing_outside_the_folder_can_be_named() {
        for address in [
            "",
            "index.html",
            "http://other/",
            "/..",
            "/../",
            "/a/../../b",
            "/a/%2E%2e/b",
            "/a/..%2fb",
            "/a%5c..%5cb",
            "/a\\..\\b",
            "//etc/passwd",
            "/a//b",
            "/./a",
            "/C:/a",
            "/a%00.js",
        ] {
            assert_eq!(file_of(address), None, "{address}");
        }
    }

    #[test]
    fn broken_escapes_are_refused() {
        for address in ["/%", "/%4", "/%zz", "/%ff", "/%C3"] {
            assert_eq!(file_of(address), None, "{address}");
        }
    }
}
