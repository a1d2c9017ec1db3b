use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail};
use subtable_site::{ServeError, Server};

use crate::arguments::ServeOptions;
use crate::site;
use crate::watch::Watcher;
use crate::workspace::Workspace;

/// How many ports after the wanted one are tried when it is taken.
const MORE_PORTS: u16 = 20;

/// Builds the page and serves it until the user interrupts.
///
/// # Errors
/// The first build fails, or no port can be had. A later build that fails is printed, and the last good one stays.
pub fn serve(workspace: &Workspace, options: &ServeOptions) -> Result<()> {
    // Before the build: a file saved while it runs is a change to build.
    let watcher = options.watch.then(|| Watcher::of(workspace));
    let site = site::build(workspace)?;
    let server = start(&site, options.port)?;
    println!("{}", server.url());
    if options.open {
        open(&server.url());
    }
    match watcher {
        Some(watcher) => rebuild_on_change(workspace, watcher),
        None => loop {
            thread::park();
        },
    }
}

fn start(site: &std::path::Path, wanted: u16) -> Result<Server> {
    for port in wanted..=wanted.saturating_add(MORE_PORTS) {
        match Server::start(site, port) {
            Ok(server) => {
                if port != wanted {
                    println!("Port {wanted} is taken: serving on {port}.");
                }
                return Ok(server);
            }
            Err(ServeError::PortTaken(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    bail!(
        "the ports {wanted} to {} of 127.0.0.1 are all taken: choose one with --port",
        wanted.saturating_add(MORE_PORTS)
    )
}

fn rebuild_on_change(workspace: &Workspace, mut watcher: Watcher) -> ! {
    println!("Watching crates/ and www/.");
    loop {
        let changed = watcher.wait();
        println!("{changed} changed: building.");
        let started = Instant::now();
        match site::build(workspace) {
            Ok(_) => println!(
                "Built in {:.1} s: reload the page.",
                started.elapsed().as_secs_f64()
            ),
            Err(error) => eprintln!("xtask: {error:#}\nThe last good build is still being served."),
        }
    }
}

fn open(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program)
        .args(arguments)
        .arg(url)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        eprintln!("Cannot open a browser with {program} ({error}): open {url} yourself.");
    }
}
