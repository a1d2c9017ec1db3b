use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

/// How long chromedriver may take to close its browsers before it is killed.
const PATIENCE: Duration = Duration::from_secs(10);

/// A chromedriver of this test's own, on a free port; it and its browsers end when the value is dropped.
pub struct Chromedriver {
    process: Child,
    port: u16,
    // Chromium's profile and what it forgets to remove; removed after the browser has ended.
    _scratch: TempDir,
}

impl Chromedriver {
    pub fn start() -> Result<Self> {
        let program =
            env::var_os("SUBTABLE_LAB_CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
        let scratch = TempDir::new().context("cannot make a temporary folder")?;
        let mut process = Command::new(&program)
            .arg("--port=0")
            .env("TMPDIR", scratch.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| {
                format!(
                    "cannot run {}; `cargo xtask test` installs or names what is missing",
                    program.display()
                )
            })?;
        let output = process.stdout.take();
        // Made before the port is known, so that the process ends with the value on every way out.
        let mut chromedriver = Self {
            process,
            port: 0,
            _scratch: scratch,
        };
        chromedriver.port = announced_port(output.context("chromedriver has an output")?)?;
        Ok(chromedriver)
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn ask_to_shut_down(&self) -> std::io::Result<()> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(
            stream,
            "GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        )?;
        // The answer comes once all sessions are closed.
        stream.read(&mut [0; 512]).map(drop)
    }

    fn has_ended_within(&mut self, patience: Duration) -> bool {
        let started = Instant::now();
        while started.elapsed() < patience {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return true;
            }
            thread::sleep(Duration::from_millis(10));
        }
        false
    }
}

impl Drop for Chromedriver {
    fn drop(&mut self) {
        // Killing chromedriver alone would leave its browsers behind: that is only for one that does not answer.
        if self.ask_to_shut_down().is_err() || !self.has_ended_within(PATIENCE) {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

/// Reads `ChromeDriver was started successfully on port 33741.` from the output, and goes on emptying it.
fn announced_port(output: ChildStdout) -> Result<u16> {
    let mut lines = BufReader::new(output).lines();
    for line in lines.by_ref() {
        let line = line.context("cannot read what chromedriver prints")?;
        let Some((_, port)) = line.split_once("started successfully on port ") else {
            continue;
        };
        let port = port
            .trim_end_matches('.')
            .parse()
            .with_context(|| format!("chromedriver says {line:?}"))?;
        thread::spawn(move || lines.for_each(drop));
        return Ok(port);
    }
    bail!("chromedriver ended without naming its port")
}
