use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result};

/// How long a connection may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(2);

/// Hosts that browsers themselves ask now and then for their clock, accounts and updates, whatever their flags. What the
/// page requests from them is seen in Chromium's network log all the same.
const OF_THE_BROWSER: [&str; 7] = [
    ".google.com",
    ".googleapis.com",
    ".gvt1.com",
    ".mozilla.com",
    ".mozilla.net",
    ".mozilla.org",
    ".firefox.com",
];

/// A proxy that the browser is made to use for everything except the page's own origin. It notes what it is asked for and
/// refuses it, so that no request leaves the machine and none goes unseen, whichever page, worker or frame makes it.
pub struct Witness {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<String>>>,
    thread: Option<JoinHandle<()>>,
}

impl Witness {
    pub fn start() -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .context("cannot listen for foreign requests")?;
        let address = listener
            .local_addr()
            .context("cannot listen for foreign requests")?;
        let seen = Arc::new(Mutex::new(Vec::new()));
        let thread = thread::spawn({
            let seen = Arc::clone(&seen);
            move || {
                for stream in listener.incoming().flatten() {
                    if note(&stream, &seen) {
                        return;
                    }
                }
            }
        });
        Ok(Self {
            address,
            seen,
            thread: Some(thread),
        })
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What has been requested so far: URLs, and `host:port` where the connection was to be encrypted.
    pub fn requests(&self) -> Vec<String> {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// What the witness sends itself in order to end.
const END: &str = "END";

/// Notes and refuses one request; returns whether it was the last.
fn note(mut stream: &TcpStream, seen: &Mutex<Vec<String>>) -> bool {
    let mut line = String::new();
    let read = stream
        .set_read_timeout(Some(PATIENCE))
        .and_then(|()| BufReader::new(stream).read_line(&mut line));
    let line = line.trim_end();
    if line == END {
        return true;
    }
    // `CONNECT host:443 HTTP/1.1` or `GET http://host/path HTTP/1.1`
    let wanted = line.split(' ').nth(1).unwrap_or(line);
    if read.is_ok() && !line.is_empty() && !is_of_the_browser(wanted) {
        seen.lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(wanted.to_owned());
    }
    // The browser may have given up already.
    let _ = stream
        .write_all(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    false
}

impl Drop for Witness {
    fn drop(&mut self) {
        let ended =
            TcpStream::connect(self.address).and_then(|mut stream| writeln!(stream, "{END}"));
        if let (Ok(()), Some(thread)) = (ended, self.thread.take()) {
            let _ = thread.join();
        }
    }
}

fn is_of_the_browser(wanted: &str) -> bool {
    let host = wanted.split_once("://").map_or(wanted, |(_, rest)| rest);
    let host = host.split(['/', ':']).next().unwrap_or_default();
    OF_THE_BROWSER.iter().any(|domain| host.ends_with(domain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_the_browser_itself_are_told_apart() {
        for wanted in [
            "accounts.google.com:443",
            "http://clients2.google.com/time/1/current?a=b",
        ] {
            assert!(is_of_the_browser(wanted), "{wanted}");
        }
        for wanted in [
            "google.com.test:443",
            "http://a.test/accounts.google.com",
            "http://a.test:80/?.google.com",
            "",
        ] {
            assert!(!is_of_the_browser(wanted), "{wanted}");
        }
    }
}
