use std::fmt::Write;
use std::io::Write as _;

use super::names::{Published, Site};

/// The highest quality and the largest window that browsers accept: what a host would store, made once.
const QUALITY: u32 = 11;
const WINDOW: u32 = 22;

/// A table of the files' sizes in bytes, raw and as Brotli, ending with the total of the first view.
pub fn report(site: &Site) -> String {
    let sizes: Vec<(&Published, usize)> = site
        .files
        .iter()
        .map(|file| (file, brotli_length(&file.content)))
        .collect();
    let width = site
        .files
        .iter()
        .map(|file| file.name.len())
        .max()
        .unwrap_or_default()
        .max("total of the first view".len());
    let mut report = format!(
        "  {:width$} {:>11} {:>11}\n",
        "file (* in the first view)", "bytes", "brotli"
    );
    let mut line = |mark: &str, name: &str, raw: usize, compressed: usize| {
        // Writing to a string cannot fail.
        let _ = writeln!(
            report,
            "{mark} {name:width$} {:>11} {:>11}",
            grouped(raw),
            grouped(compressed)
        );
    };
    for (file, compressed) in &sizes {
        line(
            if file.first_view { "*" } else { " " },
            &file.name,
            file.content.len(),
            *compressed,
        );
    }
    let first = || sizes.iter().filter(|(file, _)| file.first_view);
    line(
        "*",
        "total of the first view",
        first().map(|(file, _)| file.content.len()).sum(),
        first().map(|(_, b)| b).sum(),
    );
    report
}

/// Bytes of the first view, as Brotli.
pub fn first_view(site: &Site) -> usize {
    let files = site.files.iter().filter(|file| file.first_view);
    files.map(|file| brotli_length(&file.content)).sum()
}

fn brotli_length(content: &[u8]) -> usize {
    let mut compressor = brotli::CompressorWriter::new(Vec::new(), 4096, QUALITY, WINDOW);
    compressor
        .write_all(content)
        .expect("a vector takes all that is written");
    compressor.into_inner().len()
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_counts_the_first_view_alone() {
        let file = |name: &str, content: &[u8], first_view| Published {
            name: name.into(),
            content: content.into(),
            first_view,
        };
        let site = Site {
            files: vec![
                file("a.css", &[b'a'; 1200], true),
                file("b.js", b"0123456789", true),
                file("c.png", b"xyz", false),
            ],
        };
        let report = report(&site);
        let last = report.lines().last().unwrap_or_default();
        assert!(
            last.contains("total of the first view") && last.contains("1,210"),
            "{report}"
        );
        assert_eq!(
            report.lines().filter(|line| line.starts_with('*')).count(),
            3,
            "{report}"
        );
    }

    #[test]
    fn the_first_view_is_weighed_alone() {
        let file = |first_view| Published {
            name: "a.css".into(),
            content: b"p{}".into(),
            first_view,
        };
        let site = |files| Site { files };
        let one = first_view(&site(vec![file(true)]));
        assert!(one > 0);
        assert_eq!(first_view(&site(vec![file(true), file(false)])), one);
        assert_eq!(first_view(&site(vec![file(true), file(true)])), 2 * one);
    }

    #[test]
    fn compression_is_measured() {
        assert!(brotli_length(&[b'a'; 10_000]) < 50);
        assert!(brotli_length(b"") <= 1);
    }

    #[test]
    fn digits_are_grouped_in_threes() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(grouped),
            ["0", "999", "1,000", "1,234,567"]
        );
    }
}
