//! What a request asks for, from its method, its address and its headers: nothing here reads from a connection.

use core::fmt;

use subtable_model::naming::PROBED;

/// Largest body of a post, in bytes (published).
pub const BODY_LIMIT: u64 = 16_777_216;
/// The name that is probed when a request names none.
pub const USUAL_PROBE: &str = "uuid_01";
/// The longest name or key that is taken, in bytes.
pub const LONGEST_KEY: usize = 1024;

/// A request that is understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Which TMM is this?
    Info,
    /// Write one entry.
    Load {
        /// Its key.
        key: String,
    },
    /// Write an entry for each line of the body.
    BulkLoad {
        /// Bytes of the body.
        length: u64,
    },
    /// List the keys of this TMM's subtable.
    Dump,
    /// Time a write to a name, and count its entries.
    Probe {
        /// The name.
        name: String,
    },
    /// Delete the entries of this TMM's subtable.
    Reset,
    /// Which TMM is this, and what is its subtable?
    WhoAmI,
}

/// A request that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A write without a key, or a name or key beyond [`LONGEST_KEY`].
    BadKey,
    /// There is nothing at this path.
    NotFound,
    /// A bulk load that is not a post.
    NotPost,
    /// A bulk load that does not tell its length, or has none.
    NoLength,
    /// A bulk load beyond [`BODY_LIMIT`].
    TooLarge,
    /// The body did not come in time, or not whole.
    BodyMissing,
    /// No more entries are stored.
    Full,
}

impl Refusal {
    /// The status of the answer.
    #[must_use]
    pub const fn status(self) -> u16 {
        match self {
            Self::BadKey => 400,
            Self::NotFound => 404,
            Self::NotPost => 405,
            Self::BodyMissing => 408,
            Self::NoLength => 411,
            Self::TooLarge => 413,
            Self::Full => 503,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadKey => write!(f, "a key of 1 to {LONGEST_KEY} bytes is needed"),
            Self::NotFound => f.write_str("there is nothing here"),
            Self::NotPost => f.write_str("bulk_load takes POST"),
            Self::NoLength => f.write_str("bulk_load needs a Content-Length above 0"),
            Self::TooLarge => write!(f, "bulk_load takes {BODY_LIMIT} bytes at most"),
            Self::BodyMissing => f.write_str("the body did not come"),
            Self::Full => f.write_str("no more entries are stored; reset, or raise the limit"),
        }
    }
}

/// Understands a request. `length` is its `Content-Length`, if it has one that is a number.
///
/// ```text
/// /info | /load?key=K&val=V | /bulk_load | /dump | /probe[?name=NAME] | /reset | /whoami
/// ```
///
/// Values in the query are taken as they stand, escapes included, as the harness does.
///
/// # Errors
/// The [`Refusal`] that is the answer.
pub fn understand(
    method: &str,
    path: &str,
    query: Option<&str>,
    length: Option<u64>,
) -> Result<Request, Refusal> {
    let value = |name: &str| {
        query
            .unwrap_or("")
            .split('&')
            .find_map(|part| part.split_once('=').filter(|(key, _)| *key == name))
            .map(|(_, value)| value)
            .filter(|value| !value.is_empty())
    };
    let short = |text: &str| {
        let fits = text.len() <= LONGEST_KEY;
        fits.then(|| printable(text)).ok_or(Refusal::BadKey)
    };
    match path {
        "/info" => Ok(Request::Info),
        "/load" => Ok(Request::Load {
            key: short(value("key").ok_or(Refusal::BadKey)?)?,
        }),
        "/bulk_load" => match (method, length) {
            ("POST", Some(length @ 1..=BODY_LIMIT)) => Ok(Request::BulkLoad { length }),
            ("POST", None | Some(0)) => Err(Refusal::NoLength),
            ("POST", Some(_)) => Err(Refusal::TooLarge),
            _ => Err(Refusal::NotPost),
        },
        "/dump" => Ok(Request::Dump),
        "/probe" => Ok(Request::Probe {
            name: short(value("name").unwrap_or(USUAL_PROBE))?,
        }),
        "/reset" => Ok(Request::Reset),
        "/whoami" => Ok(Request::WhoAmI),
        _ => Err(Refusal::NotFound),
    }
}

/// The keys of a post: its lines, without empty ones, without carriage returns, each cut to [`LONGEST_KEY`] bytes.
pub fn keys(body: &[u8]) -> impl Iterator<Item = String> + '_ {
    body.split(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line))
        .filter(|line| !line.is_empty())
        .map(|line| {
            printable(&String::from_utf8_lossy(
                &line[..line.len().min(LONGEST_KEY)],
            ))
        })
}

/// Text that stays one word of one line wherever it is written.
fn printable(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_control() || c.is_whitespace() {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

const _: () = assert!(
    USUAL_PROBE.len() < LONGEST_KEY && PROBED.len() < LONGEST_KEY,
    "names of our own are names"
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn get(target: &str) -> Result<Request, Refusal> {
        let (path, query) = target
            .split_once('?')
            .map_or((target, None), |(path, query)| (path, Some(query)));
        understand("GET", path, query, None)
    }

    #[test]
    fn every_endpoint_is_understood() {
        let load = |key: &str| Ok(Request::Load { key: key.into() });
        let probe = |name: &str| Ok(Request::Probe { name: name.into() });
        for (target, expected) in [
            ("/info", Ok(Request::Info)),
            ("/load?key=a&val=b", load("a")),
            ("/load?val=b&key=a%20b", load("a%20b")),
            ("/load?key=a=b", load("a=b")),
            ("/load", Err(Refusal::BadKey)),
            ("/load?key=", Err(Refusal::BadKey)),
            ("/load?keys=a", Err(Refusal::BadKey)),
            ("/dump", Ok(Request::Dump)),
            ("/probe", probe("uuid_01")),
            ("/probe?name=localdb_tmm_0", probe("localdb_tmm_0")),
            ("/reset", Ok(Request::Reset)),
            ("/whoami", Ok(Request::WhoAmI)),
            ("/", Err(Refusal::NotFound)),
            ("/Load?key=a", Err(Refusal::NotFound)),
            ("/bulk_load", Err(Refusal::NotPost)),
        ] {
            assert_eq!(get(target), expected, "{target}");
        }
        let long = format!("/load?key={}", "k".repeat(LONGEST_KEY + 1));
        assert_eq!(get(&long), Err(Refusal::BadKey));
    }

    #[test]
    fn posts_are_refused_as_the_harness_refuses_them() {
        let post = |length| understand("POST", "/bulk_load", None, length);
        assert_eq!(post(None), Err(Refusal::NoLength));
        assert_eq!(post(Some(0)), Err(Refusal::NoLength));
        assert_eq!(post(Some(1)), Ok(Request::BulkLoad { length: 1 }));
        assert!(post(Some(BODY_LIMIT)).is_ok());
        assert_eq!(post(Some(BODY_LIMIT + 1)), Err(Refusal::TooLarge));
        let put = understand("PUT", "/bulk_load", None, Some(5));
        assert_eq!(put, Err(Refusal::NotPost));
        let statuses = [
            Refusal::NotPost,
            Refusal::NoLength,
            Refusal::TooLarge,
            Refusal::BadKey,
            Refusal::NotFound,
        ];
        assert_eq!(statuses.map(Refusal::status), [405, 411, 413, 400, 404]);
    }

    #[test]
    fn keys_are_lines() {
        let read: Vec<String> = keys(b"a\r\n\n b\tc\nlast").collect();
        assert_eq!(read, ["a", "\u{fffd}b\u{fffd}c", "last"]);
        assert_eq!(keys(b"\n\r\n").count(), 0);
    }

    proptest! {
        #[test]
        fn whatever_is_asked_is_understood_or_refused(
            method in "[A-Z]{0,7}",
            target in "(/[a-z_]{0,10})?(\\?([a-z]{1,4}=\\PC{0,8}&?){0,3})?",
            length in proptest::option::of(any::<u64>()),
        ) {
            let (path, query) = target.split_once('?').map_or((&*target, None), |(path, query)| (path, Some(query)));
            match understand(&method, path, query, length) {
                Ok(Request::BulkLoad { length }) => prop_assert!(length <= BODY_LIMIT),
                Ok(Request::Load { key: word } | Request::Probe { name: word }) => {
                    prop_assert!(!word.is_empty() && !word.contains(char::is_whitespace));
                }
                Ok(_) => {}
                Err(refusal) => prop_assert!((400..600).contains(&refusal.status())),
            }
        }

        #[test]
        fn no_body_makes_a_key_of_two_lines(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            for key in keys(&body) {
                prop_assert!(!key.is_empty() && !key.contains(['\n', '\r', ' ']));
            }
        }
    }
}
