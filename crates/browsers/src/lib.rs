//! The browsers that test and measure the page: where they are, how each is started by its driver, and how it ends.
//!
//! | browser | driver | found |
//! |---|---|---|
//! | Chromium | chromedriver | in the `PATH`, or where `SUBTABLE_LAB_CHROMIUM` and `SUBTABLE_LAB_CHROMEDRIVER` say |
//! | Firefox | geckodriver | in the `PATH`, or where `SUBTABLE_LAB_FIREFOX` and `SUBTABLE_LAB_GECKODRIVER` say |
//! | WebKit | `WebKitWebDriver` | in the `PATH`; its `MiniBrowser` in the folder of its library |
//!
//! ```no_run
//! use subtable_browsers::{Browser, Driver, Wishes};
//!
//! let driver = Driver::start(Browser::Firefox, &Wishes::default(), "target/firefox".as_ref())?;
//! println!("{} wants a session with {}", driver.url(), driver.capabilities());
//! # anyhow::Ok(())
//! ```

#![forbid(unsafe_code)]

mod capabilities;
mod driver;
mod programs;

pub use driver::Driver;
pub use programs::{in_path, mini_browser};

use std::net::SocketAddr;
use std::path::PathBuf;

/// A browser that can be driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Browser {
    /// Chromium, with chromedriver of the same version.
    Chromium,
    /// Firefox, with geckodriver.
    Firefox,
    /// `WebKitGTK`'s `MiniBrowser`, with `WebKitWebDriver`.
    WebKit,
}

impl Browser {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Chromium, Self::Firefox, Self::WebKit];

    /// Its name in variables, files and the keys of figures.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
            Self::WebKit => "webkit",
        }
    }

    /// The browser of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|browser| browser.name() == name)
    }

    /// Whether its driver is there, and the browser itself where the driver does not find it alone.
    #[must_use]
    pub fn is_installed(self) -> bool {
        self.driver_program().is_some()
            && match self {
                Self::Chromium => true,
                Self::Firefox | Self::WebKit => self.program().is_some(),
            }
    }

    /// The browser's own program.
    #[must_use]
    pub fn program(self) -> Option<PathBuf> {
        match self {
            Self::Chromium => programs::named("SUBTABLE_LAB_CHROMIUM", &[]),
            Self::Firefox => programs::named("SUBTABLE_LAB_FIREFOX", &["firefox-esr", "firefox"]),
            Self::WebKit => mini_browser(),
        }
    }

    /// The program of its driver.
    #[must_use]
    pub fn driver_program(self) -> Option<PathBuf> {
        match self {
            Self::Chromium => programs::named("SUBTABLE_LAB_CHROMEDRIVER", &["chromedriver"]),
            Self::Firefox => programs::named("SUBTABLE_LAB_GECKODRIVER", &["geckodriver"]),
            Self::WebKit => in_path("WebKitWebDriver"),
        }
    }
}

/// How a browser is to be started.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// Width and height of the window in CSS pixels.
    pub window: (u32, u32),
    /// The user prefers dark. Chromium is told later, over its own protocol.
    pub dark: bool,
    /// The user wants things not to move.
    pub still: bool,
    /// What all requests go through.
    pub proxy: Option<Proxy>,
    /// Keep what the console and the network show, where the driver can.
    pub logs: bool,
}

impl Default for Wishes {
    /// A window of 1280 x 800, light, motion allowed, no proxy, no logs.
    fn default() -> Self {
        Self {
            window: (1280, 800),
            dark: false,
            still: false,
            proxy: None,
            logs: false,
        }
    }
}

/// A proxy for everything except one origin of this machine.
#[derive(Clone, Copy, Debug)]
pub struct Proxy {
    /// Where it listens.
    pub address: SocketAddr,
    /// The port of `127.0.0.1` whose requests go there directly.
    pub except: u16,
}
