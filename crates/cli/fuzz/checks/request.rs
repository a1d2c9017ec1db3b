//! Any method, target, length and body as a request to the stand-in, one after the other: each is answered, in one line.

use std::cell::RefCell;
use std::net::{Ipv4Addr, SocketAddr};

use subtable_model::Scenario;
use subtable_stand_in::live::Live;
use subtable_stand_in::request::{self, BODY_LIMIT, Request};
use subtable_stand_in::{Pace, Settings};

fn live() -> Live {
    let mut scenario = Scenario::default();
    scenario.set("log-every", "3").expect("a setting");
    Live::new(&Settings {
        scenario,
        seed: 1,
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        pace: Pace::Fast,
        lifetime: Some(2),
        max_entries: 1000,
    })
}

thread_local! {
    static LIVE: RefCell<(Live, u64)> = RefCell::new((live(), 0));
}

/// Method, path, query, length and body.
type Parts<'a> = (&'a str, &'a str, Option<&'a str>, Option<u64>, &'a [u8]);

/// `METHOD TARGET LENGTH\nBODY`, each part whatever it is.
fn parts(bytes: &[u8]) -> Option<Parts<'_>> {
    let end = bytes
        .iter()
        .position(|&byte| byte == b'\n')
        .unwrap_or(bytes.len());
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let mut words = head.split(' ');
    let (method, target) = (words.next()?, words.next()?);
    let (path, query) = target
        .split_once('?')
        .map_or((target, None), |(path, query)| (path, Some(query)));
    let length = words.next().and_then(|length| length.parse().ok());
    Some((
        method,
        path,
        query,
        length,
        bytes.get(end + 1..).unwrap_or_default(),
    ))
}

/// Panics when that does not hold.
pub fn check(bytes: &[u8]) {
    let Some((method, path, query, length, body)) = parts(bytes) else {
        return;
    };
    let Ok(understood) = request::understand(method, path, query, length) else {
        return;
    };
    let keys: Vec<String> = match understood {
        Request::BulkLoad { length } => {
            assert!((1..=BODY_LIMIT).contains(&length));
            request::keys(body).collect()
        }
        _ => Vec::new(),
    };
    LIVE.with_borrow_mut(|(live, now)| {
        *now += 1_000_000 + u64::from(bytes[0]) * 1000;
        let peer = SocketAddr::from((Ipv4Addr::LOCALHOST, u16::from(bytes[0]) + 1024));
        let connection = live.connect(peer);
        let answer = live.answer(
            &connection,
            &understood,
            &keys,
            (*now, 1 + usize::from(bytes[0] % 64)),
        );
        let lines = answer.lines.iter().chain(answer.result.iter());
        for line in lines {
            assert!(!line.is_empty() && !line.contains(['\n', '\r']), "{line:?}");
        }
    });
}
