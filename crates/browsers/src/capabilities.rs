//! What the driver is asked for: the browser, its flags and preferences.

use serde_json::{Value, json};

use crate::{Browser, Proxy, Wishes};

/// Chromium without a window, alone, and silent on the network.
const CHROMIUM: [&str; 9] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];

/// The capabilities of a session with `browser`.
pub fn of(browser: Browser, wishes: &Wishes) -> Value {
    match browser {
        Browser::Chromium => chromium(wishes),
        Browser::Firefox => firefox(wishes),
        Browser::WebKit => webkit(wishes),
    }
}

fn chromium(wishes: &Wishes) -> Value {
    let (width, height) = wishes.window;
    let mut flags: Vec<String> = CHROMIUM.map(str::to_owned).to_vec();
    flags.push(format!("--window-size={width},{height}"));
    if wishes.still {
        flags.push("--force-prefers-reduced-motion".to_owned());
    }
    if let Some(Proxy { address, except }) = wishes.proxy {
        flags.push(format!("--proxy-server=http://{address}"));
        flags.push(format!(
            "--proxy-bypass-list=<-loopback>;127.0.0.1:{except}"
        ));
    }
    let mut options = json!({ "args": flags });
    if let Some(program) = Browser::Chromium.program() {
        options["binary"] = json!(program);
    }
    let mut wanted = json!({ "browserName": "chrome", "goog:chromeOptions": options });
    if wishes.logs {
        wanted["goog:loggingPrefs"] = json!({ "browser": "ALL", "performance": "ALL" });
    }
    wanted
}

fn firefox(wishes: &Wishes) -> Value {
    let mut preferences = json!({
        "ui.systemUsesDarkTheme": u8::from(wishes.dark),
        "ui.prefersReducedMotion": u8::from(wishes.still),
        // What it would fetch from its maker.
        "services.settings.server": "data:,#remote-settings-dummy/v1",
    });
    if wishes.logs {
        preferences["devtools.console.stdout.content"] = json!(true);
        preferences["browser.dom.window.dump.enabled"] = json!(true);
    }
    let mut wanted = json!({ "browserName": "firefox", "moz:firefoxOptions": {
        "args": ["-headless"],
        "prefs": preferences,
    } });
    if let Some(program) = Browser::Firefox.program() {
        wanted["moz:firefoxOptions"]["binary"] = json!(program);
    }
    if let Some(Proxy { address, except }) = wishes.proxy {
        let preferences = &mut wanted["moz:firefoxOptions"]["prefs"];
        for (name, value) in [
            ("network.proxy.type", json!(1)),
            ("network.proxy.http", json!(address.ip().to_string())),
            ("network.proxy.http_port", json!(address.port())),
            ("network.proxy.ssl", json!(address.ip().to_string())),
            ("network.proxy.ssl_port", json!(address.port())),
            (
                "network.proxy.no_proxies_on",
                json!(format!("127.0.0.1:{except}")),
            ),
            ("network.proxy.allow_hijacking_localhost", json!(true)),
        ] {
            preferences[name] = value;
        }
    }
    wanted
}

fn webkit(wishes: &Wishes) -> Value {
    let mut wanted = json!({ "webkitgtk:browserOptions": {
        "binary": Browser::WebKit.program(), "args": ["--automation"],
    } });
    if let Some(Proxy { address, .. }) = wishes.proxy {
        // It takes hosts without ports here: other ports of this machine go past the proxy.
        wanted["proxy"] = json!({
            "proxyType": "manual", "httpProxy": address.to_string(), "sslProxy": address.to_string(),
            "noProxy": ["127.0.0.1"],
        });
    }
    wanted
}
