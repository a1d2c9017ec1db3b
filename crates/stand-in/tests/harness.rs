//! The stand-in as the harness's client and analyser see it, and as clients that misbehave do.

mod client;

use std::error::Error;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use client::{Reply, exchange, from_workers, get, hits, post};
use subtable_logs::{Analysis, ReadOptions, analyse_bytes};
use subtable_model::preset::Preset;
use subtable_stand_in::{Pace, Settings, StandIn, StandInError, Stop, Summary};
use tokio::sync::oneshot;

type Tested = Result<(), Box<dyn Error>>;

/// A log in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A stand-in at work.
struct Working {
    address: SocketAddr,
    log: Log,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<Result<Summary, StandInError>>,
}

impl Working {
    fn begin(preset: &str, pace: Pace, changes: &[(&str, &str)]) -> Result<Self, Box<dyn Error>> {
        Self::with(preset, changes, |settings| settings.pace = pace)
    }

    fn with(
        preset: &str,
        changes: &[(&str, &str)],
        more: impl Fn(&mut Settings),
    ) -> Result<Self, Box<dyn Error>> {
        let mut scenario = Preset::find(preset).ok_or("a preset")?.scenario();
        for (id, value) in changes {
            scenario.set(id, value)?;
        }
        let mut settings = Settings {
            scenario,
            seed: 1,
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            pace: Pace::Fast,
            lifetime: None,
            max_entries: 2_000_000,
        };
        more(&mut settings);
        let log = Log::default();
        let server = StandIn::bind(&settings, Box::new(log.clone()))?;
        let address = server.address();
        let (stop, stopped) = Stop::told();
        let serving = std::thread::spawn(move || server.serve(stopped));
        Ok(Self {
            address,
            log,
            stop,
            serving,
        })
    }

    /// Ends it; gives what it did and its log.
    fn end(self) -> Result<(Summary, String), Box<dyn Error>> {
        drop(self.stop);
        let summary = self.serving.join().map_err(|_| "the server is gone")??;
        let log = self.log.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok((summary, String::from_utf8(log.clone())?))
    }
}

fn analysed(log: &str) -> Analysis {
    let analysis = analyse_bytes(
        log.as_bytes(),
        ReadOptions::default(),
        subtable_logs::Settings::default(),
    );
    assert_eq!(analysis.lines.skipped, 0, "{:?}", analysis.lines);
    analysis
}

/// 64 workers; as many lines as one in 1,000 of 100,000 records.
fn load(server: &Working, records: u64) {
    let (replies, _) = from_workers(64, records, |number| {
        get(server.address, &format!("/load?key=loadkey_{number}&val=x"))
    });
    let errors: Vec<_> = replies.iter().filter(|reply| !is_ok(reply)).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

fn is_ok(reply: &io::Result<Reply>) -> bool {
    reply.as_ref().is_ok_and(|reply| reply.status == 200)
}

#[test]
fn discovered_names_are_local_under_load() -> Tested {
    let server = Working::begin("published-discovered", Pace::Real, &[("log-every", "100")])?;
    load(&server, 10_000);
    let (summary, log) = server.end()?;
    assert_eq!(
        (summary.done.requests, summary.done.writes),
        (10_000, 10_000)
    );
    let analysis = analysed(&log);
    let samples = analysis.total.map_or(0, |total| total.n);
    assert!((96..=100).contains(&samples), "{samples}");
    let verdict = analysis.verdict.ok_or("a verdict")?;
    assert!(verdict.ok, "{}", verdict.summary);
    assert_eq!(analysis.discovery.map(|discovery| discovery.found), Some(4));
    for row in &analysis.per_tmm {
        assert!((3.0..10.0).contains(&row.avg), "{row:?}");
    }
    Ok(())
}

#[test]
fn deterministic_names_are_remote_on_three_tmms() -> Tested {
    for pace in [Pace::Real, Pace::Fast] {
        let server = Working::begin(
            "published-deterministic",
            pace,
            &[("log-every", "30"), ("enumerate-arrival", "0.1")],
        )?;
        load(&server, 3000);
        let (_, log) = server.end()?;
        let analysis = analysed(&log);
        let samples = analysis.total.map_or(0, |total| total.n);
        assert!((96..=100).contains(&samples), "{samples}");
        let verdict = analysis.verdict.ok_or("a verdict")?;
        assert_eq!(verdict.slow_tmms, [0, 1, 2], "{}", verdict.summary);
        // A message to an idle owner takes 117 clicks; this one is busy listing keys.
        let slowest = analysis
            .per_tmm
            .iter()
            .map(|row| row.avg)
            .fold(0.0, f64::max);
        assert!(
            (117.0..300_000.0).contains(&slowest),
            "{slowest} at {pace:?}"
        );
    }
    Ok(())
}

#[test]
fn the_session_of_the_harness_goes_its_way() -> Tested {
    let server = Working::begin("published-discovered", Pace::Fast, &[("log-every", "50")])?;
    let at = server.address;

    // Who is there? Thirty requests reach all four, each with a name of its own.
    let (who, _) = from_workers(4, 30, |_| get(at, "/whoami"));
    assert_eq!(hits(&who).len(), 4);
    let (info, _) = from_workers(4, 30, |_| get(at, "/info"));
    assert!(
        info.iter()
            .flatten()
            .all(|reply| reply.number("total_tmms") == Some(4))
    );

    // Reset, load, and all that was loaded is there.
    let (reset, _) = from_workers(32, 200, |_| get(at, "/reset"));
    assert!(
        reset
            .iter()
            .flatten()
            .all(|reply| reply.number("deleted") == Some(0))
    );
    load(&server, 4000);
    let mut entries = [0; 4];
    for reply in from_workers(8, 60, |_| get(at, "/whoami"))
        .0
        .into_iter()
        .flatten()
    {
        entries[usize::try_from(reply.number("tmm").ok_or("a TMM")?)?] =
            reply.number("entries").ok_or("entries")?;
    }
    assert_eq!(entries.iter().sum::<u64>(), 4000, "{entries:?}");
    let dump = loop {
        let dump = get(at, "/dump")?;
        if dump.number("tmm") == Some(2) {
            break dump;
        }
    };
    let keys = dump
        .text
        .split_once("keys=")
        .ok_or("keys")?
        .1
        .split(' ')
        .count() as u64;
    assert_eq!((dump.number("count"), keys), (Some(entries[2]), entries[2]));

    // The owner of a name is the TMM that probes it fast.
    let (probes, _) = from_workers(32, 200, |_| get(at, "/probe?name=localdb_tmm_2_5946"));
    for reply in probes.iter().flatten() {
        let owner = reply.text.ends_with(" OWNER");
        assert_eq!(owner, reply.number("tmm") == Some(2), "{}", reply.text);
        assert!(
            reply.text.contains(" subtable=localdb_tmm_2_5946 clicks="),
            "{}",
            reply.text
        );
    }
    assert_eq!(
        get(at, "/probe")?.text.split(' ').nth(1),
        Some("subtable=uuid_01")
    );

    // Posts, head and body in two writes.
    let lines: Vec<String> = (0..500).map(|key| format!("unique-{key:030}\n")).collect();
    let body = lines.concat();
    let (posts, _) = from_workers(16, 16, |number| {
        post(
            at,
            "/bulk_load",
            &body.replace("unique", &format!("u{number:05}")),
        )
    });
    for reply in &posts {
        let reply = reply.as_ref().map_err(ToString::to_string)?;
        assert_eq!(
            (reply.status, reply.number("written")),
            (200, Some(500)),
            "{}",
            reply.text
        );
        let each = reply.number("clicks_per_write").ok_or("clicks")?;
        assert!((2..=12).contains(&each), "{}", reply.text);
    }

    // Reset deletes all of it, once.
    let (reset, _) = from_workers(32, 200, |_| get(at, "/reset"));
    let deleted: u64 = reset
        .iter()
        .flatten()
        .filter_map(|reply| reply.number("deleted"))
        .sum();
    assert_eq!(deleted, 4000 + 16 * 500);

    let (summary, log) = server.end()?;
    assert_eq!(summary.done.writes, 4000 + 16 * 500);
    let analysis = analysed(&log);
    assert_eq!(
        analysis.ownership.iter().find_map(|name| name.likely_owner),
        Some(2)
    );
    assert!(
        log.contains("(unique, sampled 1/50)")
            && log.contains("LOCALDB procs loaded debug_sample=50")
    );
    Ok(())
}

#[test]
fn what_is_refused_is_refused_as_the_harness_does() -> Tested {
    let server = Working::begin("published-discovered", Pace::Fast, &[])?;
    let at = server.address;
    for (target, status) in [
        ("/", 404),
        ("/load", 400),
        ("/load?val=1", 400),
        ("/bulk_load", 405),
        ("/nothing?key=1", 404),
        ("/info", 200),
    ] {
        assert_eq!(get(at, target)?.status, status, "{target}");
    }
    assert_eq!(post(at, "/bulk_load", "")?.status, 411);
    let chunked = "POST /bulk_load HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
    assert_eq!(
        exchange(at, &[chunked, "3\r\nabc\r\n0\r\n\r\n"])?.status,
        411
    );
    // The limit is published: this many bytes are taken, one more are not.
    let line = "k".repeat(1023) + "\n";
    let full = line.repeat(16_777_216 / 1024);
    let reply = post(at, "/bulk_load", &full)?;
    assert_eq!(
        (reply.status, reply.number("written")),
        (200, Some(16_384)),
        "{}",
        reply.text
    );
    assert_eq!(post(at, "/bulk_load", &(full + "k"))?.status, 413);
    server.end()?;
    Ok(())
}

#[test]
fn entries_expire_and_are_limited() -> Tested {
    let server = Working::with("published-discovered", &[("tmms", "1")], |settings| {
        settings.lifetime = Some(1);
        settings.max_entries = 3;
        settings.pace = Pace::Real;
    })?;
    let load = |key: &str| get(server.address, &format!("/load?key={key}"));
    assert_eq!(
        [load("a")?.status, load("b")?.status, load("a")?.status],
        [200, 200, 200]
    );
    assert_eq!([load("c")?.status, load("d")?.status], [200, 503]);
    std::thread::sleep(Duration::from_millis(2100));
    assert_eq!(get(server.address, "/dump")?.text, "tmm=0 count=0 keys=");
    assert_eq!(load("d")?.status, 200);
    server.end()?;
    Ok(())
}

#[test]
fn others_are_served_while_some_misbehave() -> Tested {
    let server = Working::begin("published-discovered", Pace::Fast, &[])?;
    let at = server.address;
    let mut held = Vec::new();
    for start in [
        "",
        "GET /load?ke",
        "GET /info HTTP/1.1\r\nHost: b\r\n",
        "POST /bulk_load HTTP/1.1\r\nHost: b\r\nContent-Length: 1000\r\n\r\nhalf of it",
    ] {
        // Forty of each stay there and say no more.
        for _ in 0..40 {
            let mut socket = TcpStream::connect(at)?;
            socket.write_all(start.as_bytes())?;
            held.push(socket);
        }
    }
    let endless = format!("GET /load?key={} HTTP/1.1\r\n\r\n", "k".repeat(100_000));
    let headers = format!("GET /info HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(20_000));
    for strange in [
        "\0\0\0\0\r\n\r\n",
        "GET\r\n\r\n",
        "GET /info HTTP/9.9\r\n\r\n",
        "GET /info HTTP/1.1\nHost: b\n\n",
        "POST /bulk_load HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST /bulk_load HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST /bulk_load HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        "POST /bulk_load HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}",
        &endless,
        &headers,
    ] {
        // Whatever it is answered, it is answered or cut off, and soon.
        let mut socket = TcpStream::connect(at)?;
        socket.set_read_timeout(Some(Duration::from_secs(20)))?;
        let _ = socket.write_all(strange.as_bytes());
        let _ = socket.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer);
        let good = answer.is_empty() || answer.starts_with(b"HTTP/1.1 ");
        assert!(good, "{strange:.40?}: {}", String::from_utf8_lossy(&answer));
    }
    // Some go away in the middle of their answer.
    for _ in 0..100 {
        let mut socket = TcpStream::connect(at)?;
        socket.write_all(b"GET /whoami HTTP/1.1\r\nHost: b\r\n\r\n")?;
    }
    let (replies, _) = from_workers(64, 1000, |number| get(at, &format!("/load?key=k{number}")));
    assert!(replies.iter().all(is_ok));
    let began = Instant::now();
    server.end()?;
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "it ends though some hold on"
    );
    drop(held);
    Ok(())
}

#[test]
fn an_address_that_is_taken_is_an_error_that_is_named() -> Tested {
    let server = Working::begin("published-discovered", Pace::Fast, &[])?;
    let taken = server.address;
    let second = Working::with("published-discovered", &[], |settings| {
        settings.listen = taken;
    });
    let said = second.err().ok_or("it is taken")?.to_string();
    assert!(
        said.starts_with(&format!("cannot listen on {taken}: ")),
        "{said}"
    );
    server.end()?;
    Ok(())
}
