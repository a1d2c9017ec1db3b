//! Text tables: aligned for people, and as CSV and Markdown.

use core::fmt::Write as _;

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// What stands where there is no value.
pub const ABSENT: &str = "-";

/// A table of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these columns.
    #[must_use]
    pub fn new<H: Into<String>>(columns: impl IntoIterator<Item = (H, Align)>) -> Self {
        Self {
            columns: columns
                .into_iter()
                .map(|(heading, align)| (heading.into(), align))
                .collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row: a cell for each column.
    pub fn push(&mut self, row: impl IntoIterator<Item = String>) {
        let row: Vec<String> = row.into_iter().collect();
        debug_assert_eq!(row.len(), self.columns.len(), "{row:?}");
        self.rows.push(row);
    }

    /// The headings and rows as aligned text, two blanks between columns. Control characters, which could come from a
    /// file and would steer a terminal, are replaced.
    #[must_use]
    pub fn to_text(&self) -> String {
        let headings = self.columns.iter().map(|(heading, _)| printable(heading));
        let mut lines: Vec<Vec<String>> = vec![headings.collect()];
        lines.extend(
            self.rows
                .iter()
                .map(|row| row.iter().map(|cell| printable(cell)).collect()),
        );
        let width = |column: usize| {
            let cells = lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = String::new();
        for line in &lines {
            let mut out = String::new();
            for ((cell, width), (_, align)) in line.iter().zip(&widths).zip(&self.columns) {
                // Writing to a string cannot fail.
                let _ = match align {
                    Align::Left => write!(out, "{cell:<width$}  "),
                    Align::Right => write!(out, "{cell:>width$}  "),
                };
            }
            text.push_str(out.trim_end());
            text.push('\n');
        }
        text
    }

    /// Comma-separated values as in RFC 4180, with LF at the ends of lines.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let headings = self.columns.iter().map(|(heading, _)| heading.as_str());
        let mut text = csv_line(headings);
        for row in &self.rows {
            text.push_str(&csv_line(row.iter().map(String::as_str)));
        }
        text
    }

    /// A Markdown table.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut text = markdown_line(self.columns.iter().map(|(heading, _)| heading.as_str()));
        text.push_str(&markdown_line(self.columns.iter().map(
            |(_, align)| match align {
                Align::Left => "---",
                Align::Right => "---:",
            },
        )));
        for row in &self.rows {
            text.push_str(&markdown_line(row.iter().map(String::as_str)));
        }
        text
    }
}

fn csv_line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let quoted = cells.map(|cell| {
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.to_string()
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

fn markdown_line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let escaped = cells.map(|cell| cell.replace('|', "\\|").replace('\n', " "));
    format!("| {} |\n", escaped.collect::<Vec<_>>().join(" | "))
}

/// The text without what would steer a terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

/// A cell, or [`ABSENT`].
#[must_use]
pub fn or_absent<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| ABSENT.to_string(), |value| value.to_string())
}

/// Width of sentences, in characters.
const MEASURE: usize = 100;

/// A sentence after a label, broken between words; further lines stand below the first word. Control characters are
/// replaced.
#[must_use]
pub fn wrapped(label: &str, sentence: &str) -> String {
    let indent = label.chars().count();
    let mut text = label.to_string();
    let mut column = indent;
    for word in printable(sentence).split_whitespace() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > MEASURE {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > indent {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
    text
}

/// A number with so many decimals and its thousands parted by commas, for sentences.
#[must_use]
pub fn grouped(value: f64, decimals: usize) -> String {
    let plain = format!("{value:.decimals$}");
    let (sign, digits) = plain
        .strip_prefix('-')
        .map_or(("", &*plain), |rest| ("-", rest));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut text = sign.to_string();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

/// `value` of `most` as a bar of at most `width` characters, to an eighth of a character.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the share is held between 0 and 1, and the width is that of a line"
)]
pub fn bar(value: f64, most: f64, width: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if !(value > 0.0 && most > 0.0) {
        return String::new();
    }
    let eighths = ((value / most).min(1.0) * width as f64 * 8.0).round() as usize;
    "█".repeat(eighths / 8) + PARTS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new([("name", Align::Left), ("n", Align::Right)]);
        table.push(["a".to_string(), "1".to_string()]);
        table.push(["b,\"c\"|\x1b[31m".to_string(), "1000".to_string()]);
        table
    }

    #[test]
    fn text_is_aligned_and_cannot_steer_a_terminal() {
        assert_eq!(
            sample().to_text(),
            "name            n\n\
             a               1\n\
             b,\"c\"|\u{fffd}[31m  1000\n"
        );
    }

    #[test]
    fn csv_quotes_what_would_be_misread() {
        assert_eq!(
            sample().to_csv(),
            "name,n\na,1\n\"b,\"\"c\"\"|\x1b[31m\",1000\n"
        );
    }

    #[test]
    fn markdown_keeps_its_columns() {
        let markdown = sample().to_markdown();
        assert!(
            markdown.starts_with("| name | n |\n| --- | ---: |\n| a | 1 |\n"),
            "{markdown}"
        );
        assert!(markdown.contains("b,\"c\"\\|"), "{markdown}");
    }

    #[test]
    fn thousands_are_parted() {
        assert_eq!(grouped(64_855.62, 1), "64,855.6");
        assert_eq!(grouped(-1_234_567.0, 0), "-1,234,567");
        assert_eq!(grouped(999.9, 0), "1,000");
        assert_eq!(grouped(7.0, 2), "7.00");
    }

    #[test]
    fn sentences_are_broken_between_words_and_stand_below_their_first() {
        let text = wrapped("Note: ", &"lorem ipsum ".repeat(20));
        assert!(text.lines().count() > 2, "{text}");
        for (index, line) in text.lines().enumerate() {
            assert!(line.chars().count() <= MEASURE, "{line}");
            assert!(
                line.starts_with(if index == 0 { "Note: lorem" } else { "      " }),
                "{line}"
            );
            assert!(!line.ends_with(' '), "{line}");
        }
        assert_eq!(wrapped("", "a\x1b b"), "a\u{fffd} b\n");
        assert_eq!(
            wrapped("- ", &"x".repeat(200)),
            format!("- {}\n", "x".repeat(200))
        );
    }

    #[test]
    fn bars_have_eighths() {
        assert_eq!(bar(1.0, 2.0, 4), "██");
        assert_eq!(bar(0.5, 2.0, 2), "▌");
        assert_eq!(bar(1.0, 8.0, 1), "▏");
        assert_eq!(bar(0.0, 2.0, 4), "");
        assert_eq!(bar(9.0, 2.0, 4), "████");
    }
}
