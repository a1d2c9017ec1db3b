//! Numbers as people read them.

use subtable_model::statistics::Summary;

/// A whole number with its thousands apart: `1,234`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The times of a row as the analyser of the harness prints them: least, median, mean, 95th and 99th percentile, greatest.
#[must_use]
pub fn times(row: &Summary) -> [String; 6] {
    [
        row.min.to_string(),
        row.p50.to_string(),
        format!("{:.1}", row.avg),
        row.p95.to_string(),
        row.p99.to_string(),
        row.max.to_string(),
    ]
}

/// A number of at least 0 to about three digits: `0.25`, `9.3`, `518`, `4,375`. What is not a number is a dash.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative; saturates beyond 2^64"
)]
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        "–".to_owned()
    } else if value >= 99.95 {
        grouped(value.round() as u64)
    } else if value >= 9.995 || value <= 0.0 {
        without_zeros(&format!("{value:.1}"))
    } else {
        without_zeros(&format!("{value:.2}"))
    }
}

fn without_zeros(text: &str) -> String {
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    };
    match text {
        "-0" | "" => "0".to_owned(),
        text => text.to_owned(),
    }
}

/// A whole number in few characters: `950`, `1.2k`, `40k`, `1.5M`.
#[must_use]
pub fn short(value: u64) -> String {
    const UNITS: [(u64, &str); 4] = [
        (1_000_000_000_000, "T"),
        (1_000_000_000, "G"),
        (1_000_000, "M"),
        (1000, "k"),
    ];
    // Rounded to three digits first, so that 999,950 is 1M and not 1000k.
    let rounded = if value < 10_000 {
        value
    } else {
        let grain = 10_u64.pow(value.ilog10() - 2);
        value.saturating_add(grain / 2) / grain * grain
    };
    for (unit, letter) in UNITS {
        if rounded >= unit {
            let shown = rounded as f64 / unit as f64;
            let text = if shown < 10.0 {
                without_zeros(&format!("{shown:.1}"))
            } else {
                format!("{shown:.0}")
            };
            return format!("{text}{letter}");
        }
    }
    value.to_string()
}

/// A stretch of time in its best unit: `0`, `21.3 µs`, `106 ms`, `2.5 s`.
#[must_use]
pub fn duration(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        ns if ns.is_nan() || ns <= 0.0 => return "0".to_owned(),
        ns if ns < 999.5 => (ns, "ns"),
        ns if ns < 999.5e3 => (ns / 1e3, "µs"),
        ns if ns < 999.5e6 => (ns / 1e6, "ms"),
        ns => (ns / 1e9, "s"),
    };
    format!("{} {unit}", number(value))
}

/// A number of bytes in its best unit: `512 B`, `34.2 MiB`.
#[must_use]
pub fn bytes(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut shown = bytes as f64 / 1024.0;
    let mut units = UNITS.iter();
    let mut unit = units.next().unwrap_or(&"");
    while shown >= 999.5
        && let Some(larger) = units.next()
    {
        shown /= 1024.0;
        unit = larger;
    }
    format!("{} {unit}", number(shown))
}

/// A share of 0 to 1 in per cent: `25 %`; never 0 or 100 when it is not exactly that.
#[must_use]
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.5 {
        "<1 %".to_owned()
    } else if (99.5..100.0).contains(&percent) {
        ">99 %".to_owned()
    } else {
        format!("{percent:.0} %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        let cases = [
            (0, "0"),
            (7, "7"),
            (999, "999"),
            (1000, "1,000"),
            (65_536, "65,536"),
            (1_234_567, "1,234,567"),
        ];
        for (value, text) in cases {
            assert_eq!(grouped(value), text);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn numbers_have_about_three_digits() {
        let cases = [
            (0.0, "0"),
            (0.254, "0.25"),
            (1.0, "1"),
            (9.3, "9.3"),
            (9.999, "10"),
            (13.25, "13.2"),
            (99.96, "100"),
            (517.6, "518"),
            (4375.4, "4,375"),
            (f64::NAN, "–"),
            (f64::INFINITY, "–"),
        ];
        for (value, text) in cases {
            assert_eq!(number(value), text, "{value}");
        }
    }

    #[test]
    fn few_characters() {
        let cases = [
            (0, "0"),
            (950, "950"),
            (1000, "1k"),
            (1234, "1.2k"),
            (9999, "10k"),
            (40_000, "40k"),
            (123_456, "123k"),
            (999_950, "1M"),
            (1_500_000, "1.5M"),
            (u64::MAX, "18400000T"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text, "{value}");
        }
    }

    #[test]
    fn time_has_its_best_unit() {
        let cases = [
            (0.0, "0"),
            (-3.0, "0"),
            (250.0, "250 ns"),
            (21_340.0, "21.3 µs"),
            (999_600.0, "1 ms"),
            (106e6, "106 ms"),
            (2.5e9, "2.5 s"),
            (f64::NAN, "0"),
        ];
        for (value, text) in cases {
            assert_eq!(duration(value), text, "{value}");
        }
    }

    #[test]
    fn memory_has_its_best_unit() {
        let cases = [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (1_047_552, "1 MiB"),
            (35_651_584, "34 MiB"),
            (u64::MAX, "16 EiB"),
        ];
        for (value, text) in cases {
            assert_eq!(bytes(value), text, "{value}");
        }
    }

    #[test]
    fn a_share_is_none_or_all_only_when_it_is() {
        let cases = [
            (0.0, "0 %"),
            (0.001, "<1 %"),
            (0.25, "25 %"),
            (0.999, ">99 %"),
            (1.0, "100 %"),
        ];
        for (value, text) in cases {
            assert_eq!(percent(value), text, "{value}");
        }
    }
}
