//! How results are put into words.

/// `TMM 3`, `TMMs 0, 1 and 2`, or the first dozen and how many more.
pub(crate) fn tmms(numbers: &[u16]) -> String {
    const SHOWN: usize = 12;
    match numbers {
        [] => "no TMM".to_owned(),
        [one] => format!("TMM {one}"),
        [first @ .., last] if numbers.len() <= SHOWN => {
            format!("TMMs {} and {last}", commas(first))
        }
        _ => format!(
            "TMMs {} and {} more",
            commas(&numbers[..SHOWN]),
            numbers.len() - SHOWN
        ),
    }
}

fn commas(list: &[u16]) -> String {
    list.iter()
        .map(u16::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

/// `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 line`, `2,000 lines`.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        grouped(number),
        if number == 1 { one } else { many }
    )
}

/// A probability as a reader wants it: `p = 0.031`, `p = 1.0e-10`.
pub(crate) fn p_value(p: f64) -> String {
    if p >= 0.001 || p == 0.0 {
        format!("p = {p:.3}")
    } else {
        format!("p = {p:.1e}")
    }
}

/// A share in percent with as many digits as it needs.
pub(crate) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 || percent >= 10.0 {
        format!("{percent:.0} %")
    } else if percent >= 0.1 {
        format!("{percent:.1} %")
    } else if percent >= 0.01 {
        format!("{percent:.2} %")
    } else {
        format!("{percent:.1e} %")
    }
}

/// Bytes of a log, fit for a page or a terminal: what is not UTF-8, and control characters, are replaced.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{grouped, p_value, percent, shown, tmms};

    #[test]
    fn words_read_well() {
        assert_eq!(tmms(&[]), "no TMM");
        assert_eq!(tmms(&[3]), "TMM 3");
        assert_eq!(tmms(&[0, 1, 2]), "TMMs 0, 1 and 2");
        assert!(tmms(&(0..20).collect::<Vec<_>>()).ends_with("11 and 8 more"));
        assert_eq!(
            [grouped(0), grouped(999), grouped(1_000_000)],
            ["0", "999", "1,000,000"]
        );
        assert_eq!(shown(b"a\x1b[31m\xff"), "a\u{fffd}[31m\u{fffd}");
        assert_eq!([p_value(0.5), p_value(1e-10)], ["p = 0.500", "p = 1.0e-10"]);
        assert_eq!(
            [0.0, 0.25, 0.012, 0.0008, 1e-6].map(percent),
            ["0 %", "25 %", "1.2 %", "0.08 %", "1.0e-4 %"]
        );
    }
}
