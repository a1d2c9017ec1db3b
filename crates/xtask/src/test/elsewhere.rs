//! Which browser tests are repeated outside Chromium, and why others are not: `tests/browser/elsewhere.txt`.

use anyhow::{Result, bail};

/// What the list says.
#[derive(Debug, Default, PartialEq)]
pub struct Elsewhere {
    /// Tests that run in every browser.
    pub everywhere: Vec<String>,
    /// Tests that run in every browser but `WebKitGTK`, each with the reason.
    pub not_webkit: Vec<(String, String)>,
    /// Tests that only Chromium can run, each with the reason.
    pub chromium: Vec<(String, String)>,
}

impl Elsewhere {
    /// Reads the list: `everywhere TEST`, `not-webkit TEST: REASON` or `chromium TEST: REASON` on each line that is neither empty nor begins with `#`.
    ///
    /// # Errors
    /// A line is neither.
    pub fn parse(text: &str) -> Result<Self> {
        let mut list = Self::default();
        for line in text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            match line.split_once(' ') {
                Some(("everywhere", name)) => list.everywhere.push(name.to_owned()),
                Some((kind @ ("chromium" | "not-webkit"), rest)) if rest.contains(": ") => {
                    let (name, reason) = rest.split_once(": ").unwrap_or((rest, ""));
                    let tests = match kind {
                        "chromium" => &mut list.chromium,
                        _ => &mut list.not_webkit,
                    };
                    tests.push((name.to_owned(), reason.to_owned()));
                }
                _ => bail!("no line of the list of tests for other browsers can be {line:?}"),
            }
        }
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_reasons_are_read() -> Result<()> {
        let list = Elsewhere::parse(
            "# tests\n\neverywhere a::b\nchromium c::d: of a: reason\nnot-webkit e::f: why\n",
        )?;
        assert_eq!(list.everywhere, ["a::b"]);
        assert_eq!(list.not_webkit, [("e::f".to_owned(), "why".to_owned())]);
        assert_eq!(
            list.chromium,
            [("c::d".to_owned(), "of a: reason".to_owned())]
        );
        Ok(())
    }

    #[test]
    fn other_lines_are_refused() {
        for line in ["firefox a::b", "everywhere", "chromium a::b"] {
            assert!(Elsewhere::parse(line).is_err(), "{line}");
        }
    }
}
