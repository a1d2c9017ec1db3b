//! What loggers put before a line of the harness.

use memchr::memchr;

/// The body of a line: what is left without what loggers put before it. A line without a prefix is its own body.
///
/// ```text
/// line     = [BOM] ["<" INT ">"] [rfc5424] [header] body
/// rfc5424  = "1" SP time SP host SP app SP process SP message-id SP data SP [BOM]    ; words without "="
/// data     = "-" | 1*( "[" *( quoted | any but "]" ) "]" )      ; quoted = DQUOTE *( "\" any | any ) DQUOTE
/// header   = *( any but "=" ) ": "       ; as long as possible: time, host, level, program, the platform's message
///                                        ; code, and the rule with its event all end in a colon
/// ```
///
/// Every body has an equals sign right after its first words, and no colon before that.
#[must_use]
pub fn strip_prefix(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let after_priority = strip_priority(line);
    let after_standard = after_priority.strip_prefix(b"1 ").and_then(strip_rfc5424);
    strip_header(after_standard.unwrap_or(after_priority))
}

fn strip_priority(line: &[u8]) -> &[u8] {
    let Some(inner) = line.strip_prefix(b"<") else {
        return line;
    };
    let digits = inner
        .iter()
        .take(4)
        .take_while(|b| b.is_ascii_digit())
        .count();
    match &inner[digits..] {
        [b'>', rest @ ..] if digits > 0 => rest,
        _ => line,
    }
}

/// The message after an RFC 5424 header whose version has been taken off.
fn strip_rfc5424(after_version: &[u8]) -> Option<&[u8]> {
    let mut rest = after_version;
    for _ in 0..5 {
        let (word, next) = split_word(rest)?;
        if word.is_empty() || word.contains(&b'=') {
            return None;
        }
        rest = next;
    }
    let mut rest = match rest {
        [b'-', rest @ ..] => rest,
        [b'[', ..] => skip_structured_data(rest)?,
        _ => return None,
    };
    while let [b' ', next @ ..] = rest {
        rest = next;
    }
    Some(rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest))
}

fn skip_structured_data(data: &[u8]) -> Option<&[u8]> {
    let (mut open, mut quoted, mut escaped) = (false, false, false);
    for (at, &byte) in data.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' if open => quoted = !quoted,
            _ if quoted => {}
            b'[' if !open => open = true,
            b']' if open => open = false,
            _ if !open => return Some(&data[at..]),
            _ => {}
        }
    }
    (!open).then_some(&data[data.len()..])
}

fn strip_header(line: &[u8]) -> &[u8] {
    let before_fields = &line[..memchr(b'=', line).unwrap_or(line.len())];
    match before_fields.windows(2).rposition(|pair| pair == b": ") {
        Some(colon) => line[colon + 2..].trim_ascii_start(),
        None => line,
    }
}

/// The first word, and what follows the white space after it.
fn split_word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr(b' ', text)?;
    let mut rest = &text[end + 1..];
    while let [b' ', next @ ..] = rest {
        rest = next;
    }
    Some((&text[..end], rest))
}

#[cfg(test)]
mod tests {
    use super::strip_prefix;

    const BODY: &str =
        "tmm=2 subtable=localdb_tmm_2_5946 writes=1000 key=k clicks=6 FAST_LOCAL (sampled 1/1000)";

    #[test]
    fn every_known_prefix_leaves_the_body() {
        let prefixes = [
            "",
            "\u{feff}",
            "<134>",
            "Rule /Common/LOCALDB <HTTP_REQUEST>: ",
            "Rule /Common/LOCALDB: ",
            "01220002:6: Rule /Common/LOCALDB <HTTP_REQUEST>: ",
            "Nov 30 20:15:01 bigip1 info tmm2[12345]: 01220002:6: Rule /Common/LOCALDB <HTTP_REQUEST>: ",
            "Nov  3 20:15:01 bigip1 tmm[1234]: Rule /Common/LOCALDB <HTTP_REQUEST>: ",
            "<134>Nov 30 20:15:01 bigip1 slot1/tmm2[1234]: Rule /Part/other_rule <CLIENT_ACCEPTED>: ",
            "2024-11-30T20:15:01.123456+00:00 bigip1 tmm2[1234]: Rule /Common/LOCALDB <HTTP_REQUEST>: ",
            "<134>1 2024-11-30T20:15:01Z bigip1 tmm 1234 - - Rule /Common/LOCALDB <HTTP_REQUEST>: ",
            "<134>1 2024-11-30T20:15:01Z bigip1 tmm 1234 ID7 [x@1 tmm=\"9\" q=\"a\\\"] b\"][y@2 k=\"v\"] \u{feff}",
            "slot1/tmm2[1234]: ",
            "tmm[1234]: ",
            "tmm: ",
        ];
        for prefix in prefixes {
            let line = format!("{prefix}{BODY}");
            assert_eq!(
                strip_prefix(line.as_bytes()),
                BODY.as_bytes(),
                "prefix {prefix:?}"
            );
        }
    }

    #[test]
    fn what_is_no_prefix_stays() {
        for line in [
            "",
            "x",
            "<",
            "<134",
            "<12345>x",
            "1 2 3",
            "Rule ",
            "Rule /Common/X <EV",
            "a: b",
        ] {
            assert!(
                line.as_bytes().ends_with(strip_prefix(line.as_bytes())),
                "{line:?}"
            );
        }
        assert_eq!(
            strip_prefix(b"tmm=1 key=a: clicks=5"),
            b"tmm=1 key=a: clicks=5"
        );
    }
}
