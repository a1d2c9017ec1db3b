//! Tables as comma-separated values (RFC 4180), for spreadsheets.

use subtable_charts::Table;

/// The table, its headers first, with a line end after each row.
#[must_use]
pub fn write(table: &Table) -> String {
    let mut text = String::new();
    for row in std::iter::once(&table.headers).chain(&table.rows) {
        for (index, cell) in row.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            push(&mut text, cell);
        }
        text.push_str("\r\n");
    }
    text
}

fn push(text: &mut String, cell: &str) {
    let plain = plain_number(cell);
    let cell = plain.as_deref().unwrap_or(cell);
    // A spreadsheet would take a text that begins like a formula for one; numbers may begin with a minus.
    let formula =
        cell.starts_with(['=', '+', '-', '@']) && !cell.strip_prefix('-').is_some_and(is_number);
    if formula || cell.contains([',', '"', '\r', '\n']) {
        text.push('"');
        if formula {
            text.push('\'');
        }
        text.push_str(&cell.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(cell);
    }
}

/// A number whose thousands are set apart, as programs read it.
fn plain_number(cell: &str) -> Option<String> {
    let plain = cell.replace(',', "");
    (cell.contains(',') && is_number(&plain)).then_some(plain)
}

/// Digits, also with a fraction.
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    digits(whole) && digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_only_where_they_must_be() {
        let table = Table {
            headers: vec!["TMM".into(), "name, owner".into()],
            rows: vec![
                vec!["0".into(), "a \"b\"".into()],
                vec!["-1.5".into(), "=1+1".into()],
                vec!["12,345.6".into(), "1, 2".into()],
            ],
        };
        assert_eq!(
            write(&table),
            "TMM,\"name, owner\"\r\n0,\"a \"\"b\"\"\"\r\n-1.5,\"'=1+1\"\r\n12345.6,\"1, 2\"\r\n"
        );
    }
}
