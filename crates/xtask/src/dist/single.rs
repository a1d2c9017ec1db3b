//! The page in one file, to be opened without a server.
//!
//! From a file no module script, worker or fetch may load another file. So everything stands in the page itself: style
//! sheet and scripts as text, the WebAssembly module packed with gzip as base64, the worker as a blob of the same script.
//! The security policy allows these very scripts by their hashes, and nothing else.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use crate::files;

/// What in `boot.js` loads the module from other files, and what stands there instead.
const LOADS_FILES: (&str, &str) = ("// [where the module is\n", "// where the module is]\n");
const LOADS_ITSELF: &str = include_str!("single.js");

/// References of `index.html` that one file cannot have.
const LEFT_OUT: [&str; 5] = [
    "<link rel=\"modulepreload\" href=\"pkg/subtable_web.js\">\n",
    "<link rel=\"apple-touch-icon\" href=\"icon-touch.png\">\n",
    "<link rel=\"manifest\" href=\"app.webmanifest\">\n",
    "          <a class=\"own\" href=\"log.html\" title=\"Read the log of a real system\">Your log</a>\n",
    "    <p>The log of a real system has <a href=\"log.html\">a page of its own</a>: its verdict, who owns which name, and the model's parameters in it.</p>\n",
];

/// The page: `www` has its sources, `module` the WebAssembly module with its script.
///
/// # Errors
/// A file cannot be read, or `index.html` and `boot.js` are not as expected here: the message says what is missing.
pub fn page(www: &Path, module: &Path) -> Result<String> {
    let text = |file: &Path| -> Result<String> {
        String::from_utf8(files::read(file)?)
            .with_context(|| format!("{} is not UTF-8", file.display()))
    };
    let of = |name: &str| text(&www.join(name));
    let glue = Part::script(
        "script id=\"glue\"",
        &text(&module.join("subtable_web.js"))?,
    )?;
    let boot = Part::script("script type=\"module\"", &booting_itself(&of("boot.js")?)?)?;
    let theme = Part::script("script", &of("theme.js")?)?;
    let style = Part::new("style", &of("style.css")?)?;
    let icon = format!(
        "data:image/svg+xml;base64,{}",
        STANDARD.encode(of("icon.svg")?)
    );
    let packed = packed(&files::read(&module.join("subtable_web_bg.wasm"))?)?;
    let policy = format!(
        "default-src 'none'; script-src {} {} {} 'wasm-unsafe-eval'; style-src {}; img-src data: blob:; worker-src blob:; \
         base-uri 'none'; form-action 'none'",
        theme.hash, glue.hash, boot.hash, style.hash
    );

    let mut page = of("index.html")?;
    for part in LEFT_OUT {
        replace(&mut page, part, "")?;
    }
    replace(&mut page, "href=\"icon.svg\"", &format!("href=\"{icon}\""))?;
    replace(
        &mut page,
        "<script src=\"theme.js\"></script>",
        &theme.element,
    )?;
    replace(
        &mut page,
        "<link rel=\"stylesheet\" href=\"style.css\">",
        &style.element,
    )?;
    replace(
        &mut page,
        "<script type=\"module\" src=\"boot.js\" async></script>\n",
        "",
    )?;
    let module = format!("<script id=\"module\" type=\"application/wasm\">{packed}</script>");
    let end = format!("{module}\n{}\n{}\n</body>", glue.element, boot.element);
    replace(&mut page, "</body>", &end)?;
    set_policy(&mut page, &policy)?;
    Ok(page)
}

/// An element with text in it, and how the security policy knows it.
struct Part {
    element: String,
    hash: String,
}

impl Part {
    fn script(tag: &str, text: &str) -> Result<Self> {
        ensure!(
            !text.contains("<!--") && !text.contains("<script"),
            "a script has a text in it that HTML would take for its own"
        );
        Self::new(tag, text)
    }

    fn new(tag: &str, text: &str) -> Result<Self> {
        let name = tag.split(' ').next().unwrap_or(tag);
        ensure!(
            !text.contains(&format!("</{name}")),
            "a <{name}> has its own end in its text"
        );
        Ok(Self {
            element: format!("<{tag}>{text}</{name}>"),
            hash: format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text))),
        })
    }
}

fn booting_itself(boot: &str) -> Result<String> {
    let (from, to) = LOADS_FILES;
    let (before, rest) = boot
        .split_once(from)
        .with_context(|| format!("boot.js lacks {from:?}"))?;
    let (_, after) = rest
        .split_once(to)
        .with_context(|| format!("boot.js lacks {to:?}"))?;
    let boot = format!("{before}{LOADS_ITSELF}{after}");
    if boot.contains("import") {
        bail!("boot.js still imports something in the page that is one file");
    }
    Ok(boot)
}

fn packed(module: &[u8]) -> Result<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder
        .write_all(module)
        .and_then(|()| encoder.finish())
        .map(|packed| STANDARD.encode(packed))
        .context("the module cannot be packed")
}

/// Replaces a text that stands there exactly once.
fn replace(page: &mut String, from: &str, to: &str) -> Result<()> {
    ensure!(
        page.matches(from).count() == 1,
        "index.html does not have exactly one {from:?}"
    );
    *page = page.replacen(from, to, 1);
    Ok(())
}

fn set_policy(page: &mut String, policy: &str) -> Result<()> {
    const BEFORE: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"";
    let from = page
        .find(BEFORE)
        .context("index.html has no security policy")?
        + BEFORE.len();
    let length = page[from..]
        .find('"')
        .context("the security policy of index.html does not end")?;
    page.replace_range(from..from + length, policy);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;
    use tempfile::TempDir;

    #[test]
    fn nothing_outside_the_page_is_named_in_it() -> Result<()> {
        let module = TempDir::new()?;
        files::write(&module.path().join("subtable_web.js"), b"let wasm_bindgen;")?;
        files::write(&module.path().join("subtable_web_bg.wasm"), &[7; 5000])?;
        let page = page(&Workspace::find()?.root.join("www"), module.path())?;
        for file in [
            ".js\"",
            ".css\"",
            ".svg\"",
            ".png\"",
            ".webmanifest\"",
            ".wasm",
        ] {
            assert!(!page.contains(file), "{file} is still named");
        }
        // Each of the four hashes of the policy is that of an element.
        assert_eq!(page.matches("'sha256-").count(), 4);
        assert!(!page.contains("'unsafe-inline'") && !page.contains("'self'"));
        Ok(())
    }

    #[test]
    fn a_script_that_would_end_its_element_is_refused() {
        assert!(Part::script("script", "a = '</script>'").is_err());
        assert!(Part::script("script", "a = '<!--'").is_err());
        assert!(Part::new("style", "p{}").is_ok());
    }
}
