//! The same queueing network in other simulators: installed, run in turns with the core, and compared.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::measure::Sample;
use crate::network::{self, CUSTOMERS, DELAY, MEDIAN_AT_B, Rounds, SIGMA_AT_B, WORK_AT_A};
use crate::summary::Summary;

/// Rounds of the network in each run.
const ROUNDS: u64 = 20_000;
/// Runs of each peer, unless they take longer than [`LONGEST_S`] together.
const RUNS: usize = 20;
/// Fewest runs of a peer, however slow it is.
const FEWEST: usize = 5;
/// Seconds for the runs of one peer.
const LONGEST_S: f64 = 20.0;

/// How a peer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    /// A program of `peers/rust`.
    Rust,
    /// A script of `peers/`, with a package from `PyPI`.
    Python,
    /// A script of `peers/`, with a package from npm.
    JavaScript,
}

struct Peer {
    /// Its name in the keys of the figures.
    name: &'static str,
    language: Language,
    /// Its package and version.
    package: (&'static str, &'static str),
    /// Its program or script.
    program: &'static str,
}

const PEERS: [Peer; 6] = [
    Peer {
        name: "simu-des",
        language: Language::Rust,
        package: ("simu-des", "0.1.0"),
        program: "simu",
    },
    Peer {
        name: "nexosim",
        language: Language::Rust,
        package: ("nexosim", "1.0.0"),
        program: "nexo",
    },
    Peer {
        name: "simpy",
        language: Language::Python,
        package: ("simpy", "4.1.2"),
        program: "simpy_network.py",
    },
    Peer {
        name: "ciw",
        language: Language::Python,
        package: ("ciw", "3.2.7"),
        program: "ciw_network.py",
    },
    Peer {
        name: "salabim",
        language: Language::Python,
        package: ("salabim", "26.0.9"),
        program: "salabim_network.py",
    },
    Peer {
        name: "simjs",
        language: Language::JavaScript,
        package: ("simjs", "2.0.3"),
        program: "simjs_network.js",
    },
];

/// Where the sources of the peers are, and where they are installed.
struct Places {
    sources: PathBuf,
    installed: PathBuf,
}

/// Installs the peers below `folder`, runs them and notes how they compare. A peer whose language is not on this machine
/// is left out, with a word.
///
/// # Errors
/// An installation or a run fails, or results differ beyond reason.
pub fn measure(summary: &mut Summary, folder: &Path) -> Result<()> {
    let places = Places {
        sources: Path::new(env!("CARGO_MANIFEST_DIR")).join("peers"),
        installed: folder.to_owned(),
    };
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut present = Vec::new();
    for language in [Language::Rust, Language::Python, Language::JavaScript] {
        match places.install(language) {
            Ok(()) => present.extend(PEERS.iter().filter(|peer| peer.language == language)),
            Err(error) if language == Language::Rust => return Err(error),
            Err(error) => println!("The peers in {language:?} are left out: {error:#}"),
        }
    }
    let (mut core_ns, mut fastest_rust, mut disagreement) = (Vec::new(), None, 0.0_f64);
    for peer in present {
        let compared = compare(&places, peer)?;
        core_ns.extend(compared.core_ns);
        disagreement = disagreement.max(compared.disagreement);
        summary.note(
            &format!("peers.{}.over_core", peer.name),
            &compared.over_core,
        );
        summary
            .versions
            .insert(peer.name.to_owned(), peer.package.1.to_owned());
        let is_faster = |than: &Sample| compared.over_core.median() < than.median();
        if peer.language == Language::Rust && fastest_rust.as_ref().is_none_or(is_faster) {
            fastest_rust = Some(compared.over_core);
        }
    }
    summary.note("peers.core.ns_per_round", &Sample::new(core_ns));
    if let Some(fastest) = fastest_rust {
        summary.note("peers.fastest_rust.over_core", &fastest);
    }
    summary.note_value("peers.disagreement", disagreement, 1);
    Ok(())
}

/// What came out of running a peer and the core in turns.
struct Compared {
    /// How many times as long the peer took, run by run.
    over_core: Sample,
    /// Nanoseconds of the core for a round, run by run.
    core_ns: Vec<f64>,
    /// By how much throughput or time at station B differ over all runs, in per cent.
    disagreement: f64,
}

fn compare(places: &Places, peer: &Peer) -> Result<Compared> {
    let scenario = network::scenario(ROUNDS)?;
    // Warms the caches, as the peers' programs do before their clocks start.
    let _ = network::run(&scenario, 0);
    let (mut cores, mut peers) = (Vec::new(), Vec::new());
    let mut spent = 0.0;
    while peers.len() < FEWEST || (peers.len() < RUNS && spent < LONGEST_S) {
        let seed = 1 + peers.len() as u64;
        let core = network::run(&scenario, seed);
        let rounds = places
            .run(peer, seed, core.end)
            .with_context(|| format!("{} fails", peer.name))?;
        spent += rounds.seconds;
        cores.push(core);
        peers.push(rounds);
    }
    let per_round = |rounds: &Rounds| rounds.seconds / rounds.rounds as f64;
    let over_core = peers
        .iter()
        .zip(&cores)
        .map(|(peer, core)| per_round(peer) / per_round(core));
    let apart = |of: fn(&Rounds) -> f64| {
        let mean = |all: &[Rounds]| all.iter().map(of).sum::<f64>() / all.len() as f64;
        (mean(&peers) / mean(&cores) - 1.0).abs() * 100.0
    };
    Ok(Compared {
        over_core: Sample::new(over_core.collect()),
        core_ns: cores.iter().map(|core| per_round(core) * 1e9).collect(),
        disagreement: apart(Rounds::throughput).max(apart(|rounds| rounds.at_b)),
    })
}

impl Places {
    fn install(&self, language: Language) -> Result<()> {
        match language {
            Language::Rust => carry_out(
                Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
                    .args(["build", "--quiet", "--release", "--manifest-path"])
                    .arg(self.sources.join("rust/Cargo.toml"))
                    .arg("--target-dir")
                    .arg(self.installed.join("rust")),
            ),
            Language::Python => {
                if !self.python().is_file() {
                    carry_out(
                        Command::new("python3")
                            .args(["-m", "venv"])
                            .arg(self.installed.join("python")),
                    )?;
                }
                let packages = PEERS
                    .iter()
                    .filter(|peer| peer.language == language)
                    .map(|peer| format!("{}=={}", peer.package.0, peer.package.1));
                carry_out(
                    Command::new(self.python())
                        .args([
                            "-m",
                            "pip",
                            "install",
                            "--quiet",
                            "--disable-pip-version-check",
                        ])
                        .args(packages),
                )
            }
            Language::JavaScript => {
                let packages = PEERS
                    .iter()
                    .filter(|peer| peer.language == language)
                    .map(|peer| format!("{}@{}", peer.package.0, peer.package.1));
                carry_out(
                    Command::new("npm")
                        .args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"])
                        .arg(&self.installed)
                        .args(packages),
                )
            }
        }
    }

    fn python(&self) -> PathBuf {
        self.installed.join("python/bin/python")
    }

    fn run(&self, peer: &Peer, seed: u64, until: f64) -> Result<Rounds> {
        let script = self.sources.join(peer.program);
        let mut command = match peer.language {
            Language::Rust => Command::new(self.installed.join("rust/release").join(peer.program)),
            Language::Python => with_argument(&self.python().into_os_string(), &script),
            Language::JavaScript => {
                let mut node = with_argument(&"node".into(), &script);
                node.env("NODE_PATH", self.installed.join("node_modules"));
                node
            }
        };
        let output = command
            .args([CUSTOMERS, WORK_AT_A, DELAY, MEDIAN_AT_B].map(|number| number.to_string()))
            .args([
                SIGMA_AT_B.to_string(),
                ROUNDS.to_string(),
                seed.to_string(),
                until.to_string(),
            ])
            .output()
            .with_context(|| format!("cannot run {command:?}"))?;
        ensure!(
            output.status.success(),
            "{command:?} fails: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{command:?} prints no rounds"))
    }
}

fn with_argument(program: &OsString, script: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg(script);
    command
}

fn carry_out(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot run {command:?}"))?;
    if !status.success() {
        bail!("{command:?} fails: its messages are above");
    }
    Ok(())
}
