use std::path::Path;

/// The MIME type of a file, by its extension; text comes with its charset.
///
/// Browsers refuse a module script or a streamed WebAssembly module with any other type than the one given here.
#[must_use]
pub fn mime_type(path: &Path) -> &'static str {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.unwrap_or_default().to_ascii_lowercase().as_str() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json; charset=utf-8",
        "webmanifest" => "application/manifest+json; charset=utf-8",
        "txt" | "log" => "text/plain; charset=utf-8",
        "md" => "text/markdown; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "svg" => "image/svg+xml; charset=utf-8",
        "wasm" => "application/wasm",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_browsers_are_strict_about_has_its_type() {
        assert_eq!(
            mime_type(Path::new("pkg/subtable_web_bg.wasm")),
            "application/wasm"
        );
        assert_eq!(
            mime_type(Path::new("boot.js")),
            "text/javascript; charset=utf-8"
        );
        assert_eq!(
            mime_type(Path::new("index.html")),
            "text/html; charset=utf-8"
        );
        assert_eq!(mime_type(Path::new("style.CSS")), "text/css; charset=utf-8");
    }

    #[test]
    fn an_unknown_or_absent_extension_is_plain_bytes() {
        assert_eq!(mime_type(Path::new("LICENSE")), "application/octet-stream");
        assert_eq!(
            mime_type(Path::new("a.wasm.bak")),
            "application/octet-stream"
        );
        assert_eq!(mime_type(Path::new(".css")), "application/octet-stream");
    }
}
