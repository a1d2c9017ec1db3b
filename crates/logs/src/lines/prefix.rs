//! What loggers put before a line of the harness.

/// How many words a syslog header has at most before the program's name.
const HEADER_WORDS: usize = 8;

/// The body of a line: what is left without what loggers put before it. A line without a prefix is its own body.
///
/// ```text
/// prefix   = [BOM] ["<" INT ">"] [rfc5424 | header] [code] [rule]
/// rfc5424  = "1" SP time SP host SP app SP process SP message-id SP data SP [BOM]
/// data     = "-" | 1*( "[" *( quoted | any but "]" ) "]" )      ; quoted = DQUOTE *( "\" any | any ) DQUOTE
/// header   = 0*7( word SP ) program ":" SP       ; words and program without "=", none a word of the harness
///                                                ; program: tmm[1234], slot1/tmm2[1234], logger, …
/// code     = 8HEX ":" 1*DIGIT ":" SP             ; the platform's message code
/// rule     = "Rule" SP path [SP "<" event ">"] ":" SP
/// ```
#[must_use]
pub fn strip_prefix(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let after_priority = strip_priority(line);
    let rest = match after_priority.strip_prefix(b"1 ").and_then(strip_rfc5424) {
        Some(message) => message,
        None => strip_header(after_priority),
    };
    strip_rule(strip_code(rest))
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
    let (mut begin, mut words) = (0, 0);
    for (at, &byte) in line.iter().enumerate() {
        match byte {
            // A field: the body has begun.
            b'=' => return line,
            b' ' if at == begin => begin = at + 1,
            b' ' => {
                if line[at - 1] == b':' {
                    return line[at..].trim_ascii_start();
                }
                words += 1;
                if words == HEADER_WORDS || begins_body(&line[begin..at]) {
                    return line;
                }
                begin = at + 1;
            }
            _ => {}
        }
    }
    line
}

/// Whether a word is the first of a body or of the rule's prefix, so that no header is left to strip.
fn begins_body(word: &[u8]) -> bool {
    matches!(
        word,
        b"Rule" | b"PROBE" | b"WARNING" | b"LOCALDB" | b"CLIENT_ACCEPTED" | b"FAST_LOCAL" | b"SLOW"
    )
}

fn strip_code(rest: &[u8]) -> &[u8] {
    let Some((word, next)) = split_word(rest) else {
        return rest;
    };
    match word {
        [code @ .., b':'] if code.len() > 9 && code[8] == b':' => {
            let hex = code[..8].iter().all(u8::is_ascii_hexdigit);
            if hex && code[9..].iter().all(u8::is_ascii_digit) {
                next
            } else {
                rest
            }
        }
        _ => rest,
    }
}

fn strip_rule(rest: &[u8]) -> &[u8] {
    let Some(after) = rest.strip_prefix(b"Rule ") else {
        return rest;
    };
    let Some((path, next)) = split_word(after) else {
        return rest;
    };
    if path.ends_with(b":") {
        return next;
    }
    match split_word(next) {
        Some((event, body)) if event.starts_with(b"<") && event.ends_with(b">:") => body,
        _ => rest,
    }
}

/// The first word, and what follows the white space after it.
fn split_word(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b' ', text)?;
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
