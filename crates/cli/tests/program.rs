//! The program as a process: what only real streams and a real exit status can show. Everything else is tested through
//! `subtable_lab::run`.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

type Tested = Result<(), Box<dyn std::error::Error>>;

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_subtable-lab"))
}

#[test]
fn results_and_errors_go_to_their_streams_and_the_status_tells() -> Tested {
    let good = program().args(["run", "--records", "1000"]).output()?;
    assert_eq!(good.status.code(), Some(0));
    assert!(!good.stdout.is_empty() && good.stderr.is_empty());

    let issue = program().args(["run", "--exit-status"]).output()?;
    assert_eq!(issue.status.code(), Some(1));

    let bad = program().args(["run", "--tmms", "0"]).output()?;
    assert_eq!(bad.status.code(), Some(2));
    assert!(bad.stdout.is_empty());
    let message = String::from_utf8(bad.stderr)?;
    assert!(
        message.contains("tmms: 0 is outside 1 to 1024"),
        "{message}"
    );
    Ok(())
}

#[test]
fn a_reader_that_has_read_enough_is_no_error() -> Tested {
    // Far more than a pipe holds, so that the program is still writing when the pipe closes.
    let mut child = program()
        .args([
            "run",
            "--records",
            "200000",
            "--log-every",
            "1",
            "--log",
            "-",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut first = String::new();
    let stdout = child.stdout.take().ok_or("standard output is piped")?;
    BufReader::new(stdout).read_line(&mut first)?;
    assert!(first.starts_with("tmm="), "{first}");
    let mut said = String::new();
    child
        .stderr
        .take()
        .ok_or("standard error is piped")?
        .read_to_string(&mut said)?;
    assert_eq!(said, "");
    assert_eq!(child.wait()?.code(), Some(0));
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_stand_in_answers_until_it_is_told_to_end() -> Tested {
    use std::io::Write;
    use std::net::TcpStream;

    let mut child = program()
        .args(["stand-in", "--listen", "127.0.0.1:0", "--log-every", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut said = BufReader::new(child.stderr.take().ok_or("standard error is piped")?);
    let mut line = String::new();
    said.read_line(&mut line)?;
    let (_, address) = line.split_once("http://").ok_or("an address")?;
    let address = address.split(' ').next().unwrap_or("");
    let mut socket = TcpStream::connect(address)?;
    socket.write_all(b"GET /load?key=a HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer)?;
    assert!(answer.ends_with("writes 1 entries 1 key=a\n"), "{answer}");

    let ended = Command::new("kill").arg(child.id().to_string()).status()?;
    assert!(ended.success());
    assert_eq!(child.wait()?.code(), Some(0));
    line.clear();
    said.read_line(&mut line)?;
    assert!(
        line.starts_with("note: requests 1, writes 1, log lines 1, dropped 0"),
        "{line}"
    );
    let mut log = String::new();
    child
        .stdout
        .take()
        .ok_or("standard output is piped")?
        .read_to_string(&mut log)?;
    assert!(
        log.contains("LOCALDB procs loaded") && log.contains(" key=a clicks="),
        "{log}"
    );
    Ok(())
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_is_named() -> Tested {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full")?;
    let output = program().arg("params").stdout(full).output()?;
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr)?;
    assert!(
        message.starts_with("error: cannot write the result: "),
        "{message}"
    );
    Ok(())
}
