//! A client with the wire behaviour of the harness's: a fresh socket for each request, `Connection: close`, a post's head
//! and body in two writes; and its reports.

#![allow(dead_code, reason = "each program that includes it uses some of it")]

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The one line of text.
    pub text: String,
}

impl Reply {
    /// The number after a word and a blank or an equals sign, as in `writes 5` and `tmm=2`.
    pub fn number(&self, word: &str) -> Option<u64> {
        let mut words = self.text.split([' ', '=']);
        words.find(|part| *part == word)?;
        words.next()?.parse().ok()
    }
}

/// A request on a socket of its own.
pub fn get(server: SocketAddr, target: &str) -> io::Result<Reply> {
    exchange(
        server,
        &[&format!(
            "GET {target} HTTP/1.1\r\nHost: box\r\nConnection: close\r\n\r\n"
        )],
    )
}

/// A post whose head and body leave in two writes.
pub fn post(server: SocketAddr, target: &str, body: &str) -> io::Result<Reply> {
    let head = format!(
        "POST {target} HTTP/1.1\r\nHost: box\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    exchange(server, &[&head, body])
}

/// Writes these parts one by one and reads until the other side closes.
pub fn exchange(server: SocketAddr, parts: &[&str]) -> io::Result<Reply> {
    let mut socket = TcpStream::connect(server)?;
    socket.set_read_timeout(Some(Duration::from_mins(1)))?;
    for part in parts {
        socket.write_all(part.as_bytes())?;
    }
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer)?;
    understood(&String::from_utf8_lossy(&answer))
        .ok_or_else(|| io::Error::other(format!("no answer: {answer:?}")))
}

fn understood(answer: &str) -> Option<Reply> {
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.strip_prefix("HTTP/1.1 ")?.get(..3)?.parse().ok()?;
    Some(Reply {
        status,
        text: body.trim_end().to_owned(),
    })
}

/// Sends requests `0..count` from that many workers; gives what came back, in no order, and how long it took.
pub fn from_workers(
    workers: usize,
    count: u64,
    request: impl Fn(u64) -> io::Result<Reply> + Sync,
) -> (Vec<io::Result<Reply>>, Duration) {
    let next = AtomicU64::new(0);
    let began = Instant::now();
    let replies = std::thread::scope(|scope| {
        let worker = || {
            let mut replies = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return replies;
                }
                replies.push(request(number));
            }
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_default())
            .collect()
    });
    (replies, began.elapsed())
}

/// How many replies came from each TMM.
pub fn hits(replies: &[io::Result<Reply>]) -> BTreeMap<u64, u64> {
    let mut hits = BTreeMap::new();
    for reply in replies.iter().flatten() {
        if let Some(tmm) = reply.number("tmm") {
            *hits.entry(tmm).or_default() += 1;
        }
    }
    hits
}
