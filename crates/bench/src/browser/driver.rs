//! The browsers: which are installed, how each is started, and how it ends.

use std::env;
use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use thirtyfour::{Capabilities, WebDriver};

/// How long anything may take that is waited for.
const PATIENCE: Duration = Duration::from_mins(1);

/// A browser that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Browser {
    Chromium,
    Firefox,
    WebKit,
}

impl Browser {
    pub const ALL: [Self; 3] = [Self::Chromium, Self::Firefox, Self::WebKit];

    /// Its name in the keys of the figures.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
            Self::WebKit => "webkit",
        }
    }

    /// Whether its driver is there, and the browser itself where the driver does not find it alone.
    pub fn is_installed(self) -> bool {
        match self {
            Self::Chromium => in_path("chromedriver").is_some(),
            Self::Firefox => {
                in_path("geckodriver").is_some()
                    && (in_path("firefox").is_some() || in_path("firefox-esr").is_some())
            }
            Self::WebKit => in_path("WebKitWebDriver").is_some() && mini_browser().is_some(),
        }
    }

    fn driver(self, port: u16) -> Command {
        let argument = format!("--port={port}");
        match self {
            Self::Chromium => with_argument("chromedriver", &argument),
            Self::Firefox => with_argument("geckodriver", &argument),
            // WebKit needs a screen: a virtual one when there is none.
            Self::WebKit if env::var_os("DISPLAY").is_none() => {
                let mut command = Command::new("xvfb-run");
                command.args(["--auto-servernum", "WebKitWebDriver", &argument]);
                command
            }
            Self::WebKit => with_argument("WebKitWebDriver", &argument),
        }
    }

    fn capabilities(self) -> Result<Capabilities> {
        let wanted = match self {
            Self::Chromium => json!({ "browserName": "chrome", "goog:chromeOptions": { "args": [
                "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--window-size=1280,800",
            ] } }),
            Self::Firefox => json!({ "browserName": "firefox", "moz:firefoxOptions": {
                "args": ["-headless", "--width=1280", "--height=800"],
            } }),
            Self::WebKit => json!({ "webkitgtk:browserOptions": {
                "binary": mini_browser().context("MiniBrowser is not installed")?,
                "args": ["--automation"],
            } }),
        };
        let Value::Object(wanted) = wanted else {
            bail!("capabilities are an object");
        };
        Ok(wanted.into())
    }
}

fn with_argument(program: &str, argument: &str) -> Command {
    let mut command = Command::new(program);
    command.arg(argument);
    command
}

fn in_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file())
}

/// `WebKitGTK`'s browser for tests, which lies in a folder of its library.
fn mini_browser() -> Option<PathBuf> {
    let libraries = fs::read_dir("/usr/lib").ok()?.flatten();
    libraries
        .flat_map(|folder| {
            ["webkit2gtk-4.1", "webkitgtk-6.0", "webkit2gtk-4.0"]
                .map(|library| folder.path().join(library).join("MiniBrowser"))
        })
        .find(|path| path.is_file())
}

/// The driver's process, which leads a group of its own; all of the group ends with the value.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> std::io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        command.spawn().map(Self)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A driver may have been started by another program, which would leave it behind.
        if cfg!(unix) {
            let group = format!("-{}", self.0.id());
            let _ = Command::new("kill").args(["-TERM", "--", &group]).status();
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A browser with a page.
pub struct Session {
    pub browser: Browser,
    web: WebDriver,
    process: Process,
}

impl Session {
    /// Starts the browser; its profile and what it prints go below `folder`.
    pub async fn open(browser: Browser, folder: &Path) -> Result<Self> {
        let scratch = folder.join(browser.name());
        fs::create_dir_all(&scratch)
            .with_context(|| format!("cannot make the folder {}", scratch.display()))?;
        let log = fs::File::create(scratch.join("driver.log"))
            .context("cannot write the driver's log")?;
        let port = free_port()?;
        let mut driver = browser.driver(port);
        driver
            .env("TMPDIR", &scratch)
            .env("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1")
            .env("WEBKIT_DISABLE_COMPOSITING_MODE", "1")
            .stdin(Stdio::null())
            .stderr(log.try_clone().context("cannot write the driver's log")?)
            .stdout(log);
        let process = Process::start(&mut driver).context("cannot start the driver")?;
        wait_for_port(port)?;
        let web = WebDriver::new(format!("http://127.0.0.1:{port}"), browser.capabilities()?)
            .await
            .context("the driver cannot start the browser")?;
        web.set_script_timeout(PATIENCE).await?;
        Ok(Self {
            browser,
            web,
            process,
        })
    }

    pub async fn close(self) -> Result<()> {
        self.web.quit().await.context("cannot close the browser")
    }

    /// The driver's process, of which the browser's are children.
    pub fn process(&self) -> u32 {
        self.process.0.id()
    }

    pub async fn go(&self, address: &str) -> Result<()> {
        self.web
            .goto(address)
            .await
            .with_context(|| format!("cannot open {address}"))
    }

    /// The value of a JavaScript expression; promises are awaited.
    pub async fn value<T: DeserializeOwned>(&self, expression: &str) -> Result<T> {
        let returned = self
            .web
            .execute(format!("return ({expression});"), Vec::new())
            .await
            .with_context(|| format!("cannot evaluate {expression}"))?;
        serde_json::from_value(returned.json().clone())
            .with_context(|| format!("{expression} is {}", returned.json()))
    }

    /// Waits until an expression holds.
    pub async fn wait_until(&self, expression: &str) -> Result<()> {
        let started = Instant::now();
        while !self.value::<bool>(&format!("!!({expression})")).await? {
            ensure!(started.elapsed() < PATIENCE, "not so in time: {expression}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// Sends a key to the element that a selector names.
    pub async fn press(&self, selector: &str, key: thirtyfour::Key) -> Result<()> {
        let element = self
            .web
            .find(thirtyfour::By::Css(selector))
            .await
            .with_context(|| format!("no element is {selector}"))?;
        element
            .send_keys(key)
            .await
            .with_context(|| format!("{selector} takes no key"))
    }

    /// Gives the focus to an element, and presses keys one after the other. The driver does it all in one go, so that
    /// talking to it does not come between.
    pub async fn press_in_turns(
        &self,
        selector: &str,
        keys: [thirtyfour::Key; 2],
        times: usize,
        pause: Duration,
    ) -> Result<()> {
        let element = self.web.find(thirtyfour::By::Css(selector)).await?;
        element.focus().await?;
        let mut presses = self.web.action_chain_with_delay(Some(pause / 2), None);
        for key in keys.iter().cycle().take(times) {
            presses = presses.key_down(key.clone()).key_up(key.clone());
        }
        presses
            .perform()
            .await
            .with_context(|| format!("{selector} takes no keys"))
    }

    pub async fn click(&self, selector: &str) -> Result<()> {
        let element = self.web.find(thirtyfour::By::Css(selector)).await?;
        element
            .click()
            .await
            .with_context(|| format!("cannot click {selector}"))
    }

    /// The browser's version, as it calls itself.
    pub async fn version(&self) -> Result<String> {
        let agent: String = self.value("navigator.userAgent").await?;
        let version = ["Firefox/", "Chrome/", "Version/"]
            .iter()
            .find_map(|name| agent.split_once(name))
            .and_then(|(_, rest)| rest.split([' ', ';']).next());
        Ok(version.unwrap_or("unknown").to_owned())
    }
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port is free")?;
    Ok(listener.local_addr().context("no port is free")?.port())
}

fn wait_for_port(port: u16) -> Result<()> {
    let started = Instant::now();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        ensure!(
            started.elapsed() < PATIENCE,
            "the driver does not listen on port {port}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
