//! A driver's process, from its start to the end of all that it has started.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::{Browser, Wishes, capabilities};

/// How long a driver may take until it listens.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long a driver may take to close its browsers before all is killed.
const PATIENCE_AT_THE_END: Duration = Duration::from_secs(10);

/// A driver of one's own, on a free port; it and its browsers end when the value is dropped.
pub struct Driver {
    browser: Browser,
    process: Child,
    port: u16,
    log: PathBuf,
    capabilities: Value,
}

impl Driver {
    /// Starts the driver of a browser; profiles, settings and what it prints go below `scratch`, which must exist.
    ///
    /// # Errors
    /// The driver is not installed, cannot be started, or does not listen in time.
    pub fn start(browser: Browser, wishes: &Wishes, scratch: &Path) -> Result<Self> {
        let program = browser.driver_program().with_context(|| {
            format!(
                "there is no driver of {}: `cargo xtask test --all-browsers` installs or names what is missing",
                browser.name()
            )
        })?;
        let log = scratch.join("driver.log");
        let output = fs::File::create(&log).context("cannot write the driver's log")?;
        // The others take a free port and say which.
        let port = match browser {
            Browser::WebKit => free_port()?,
            Browser::Chromium | Browser::Firefox => 0,
        };
        let mut command = on_a_screen(browser, &program);
        command
            .arg(format!("--port={port}"))
            .env("TMPDIR", scratch)
            .stdin(Stdio::null())
            .stderr(
                output
                    .try_clone()
                    .context("cannot write the driver's log")?,
            )
            .stdout(output);
        if browser == Browser::WebKit {
            settings_of_gtk(wishes, scratch)?;
            command
                .env("XDG_CONFIG_HOME", scratch)
                .env("XDG_DATA_HOME", scratch.join("data"))
                .env("XDG_CACHE_HOME", scratch.join("cache"))
                .env("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1")
                .env("WEBKIT_DISABLE_COMPOSITING_MODE", "1");
        }
        // In a group of its own, so that what the driver leaves behind can be ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let process = command.spawn().with_context(|| {
            format!(
                "cannot run {}; `cargo xtask test` installs or names what is missing",
                program.display()
            )
        })?;
        // Made before the driver listens, so that the process ends with the value on every way out.
        let mut driver = Self {
            browser,
            process,
            port,
            log,
            capabilities: capabilities::of(browser, wishes),
        };
        driver.wait_until_it_listens()?;
        Ok(driver)
    }

    /// The browser that it drives.
    #[must_use]
    pub const fn browser(&self) -> Browser {
        self.browser
    }

    /// Where it takes commands.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What a session is to be opened with.
    #[must_use]
    pub const fn capabilities(&self) -> &Value {
        &self.capabilities
    }

    /// The number of its process, of which the browser's are children.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.process.id()
    }

    fn wait_until_it_listens(&mut self) -> Result<()> {
        let started = Instant::now();
        loop {
            if self.port == 0 {
                self.port = announced_port(&self.printed()).unwrap_or(0);
            }
            if self.port != 0 && TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).is_ok() {
                return Ok(());
            }
            let ended = !matches!(self.process.try_wait(), Ok(None));
            ensure!(
                started.elapsed() < PATIENCE && !ended,
                "the driver of {} {}; it printed: {}",
                self.browser.name(),
                if ended {
                    "has ended"
                } else {
                    "does not listen"
                },
                self.printed()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// What it and its browser have printed so far.
    #[must_use]
    pub fn printed(&self) -> String {
        fs::read(&self.log)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    }

    /// Chromedriver closes its browsers when asked to; the others do so when they are terminated.
    fn ask_to_shut_down(&self) -> std::io::Result<()> {
        use std::io::{Read, Write};
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(PATIENCE_AT_THE_END))?;
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
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let asked = self.browser == Browser::Chromium && self.ask_to_shut_down().is_ok();
        if asked && self.has_ended_within(PATIENCE_AT_THE_END) {
            return;
        }
        if cfg!(unix) {
            let group = format!("-{}", self.process.id());
            let _ = Command::new("kill").args(["-TERM", "--", &group]).status();
            if self.has_ended_within(PATIENCE_AT_THE_END) {
                return;
            }
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// `WebKit` needs a screen: a virtual one when there is none.
fn on_a_screen(browser: Browser, program: &Path) -> Command {
    if browser == Browser::WebKit && env::var_os("DISPLAY").is_none() {
        let mut command = Command::new("xvfb-run");
        command
            .args([
                "--auto-servernum",
                "--server-args=-screen 0 2000x1400x24",
                "--",
            ])
            .arg(program);
        command
    } else {
        Command::new(program)
    }
}

/// GTK has no flags for a dark or a still desktop, only its file of settings.
fn settings_of_gtk(wishes: &Wishes, scratch: &Path) -> Result<()> {
    let folder = scratch.join("gtk-3.0");
    fs::create_dir_all(&folder).context("cannot make the folder of GTK's settings")?;
    let text = format!(
        "[Settings]\ngtk-application-prefer-dark-theme={}\ngtk-enable-animations={}\n",
        u8::from(wishes.dark),
        u8::from(!wishes.still)
    );
    fs::write(folder.join("settings.ini"), text).context("cannot write GTK's settings")
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port is free")?;
    Ok(listener.local_addr().context("no port is free")?.port())
}

/// The port in `ChromeDriver was started successfully on port 33741.` or in `geckodriver INFO Listening on 127.0.0.1:33741`.
fn announced_port(printed: &str) -> Option<u16> {
    // A line that is not yet whole may lack some digits.
    let whole = &printed[..printed.rfind('\n')?];
    whole.lines().find_map(|line| {
        let (_, port) = line
            .split_once("started successfully on port ")
            .or_else(|| line.split_once("Listening on 127.0.0.1:"))?;
        port.trim_end_matches('.').parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_read_from_whole_lines_alone() {
        let chromedriver = "Starting ChromeDriver 156.0 on port 0\nOnly local connections are allowed.\n\
                            ChromeDriver was started successfully on port 33741.\n";
        assert_eq!(announced_port(chromedriver), Some(33741));
        assert_eq!(announced_port(chromedriver.trim_end()), None);
        let geckodriver = "1796127672000\tgeckodriver\tINFO\tListening on 127.0.0.1:40123\n1796";
        assert_eq!(announced_port(geckodriver), Some(40123));
        assert_eq!(announced_port("Listening on 127.0.0.1:4"), None);
        assert_eq!(announced_port(""), None);
    }
}
