//! `cargo xtask bench` builds this program and runs it; see `cargo xtask help`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use lexopt::prelude::*;
use subtable_bench::summary::Summary;
use subtable_bench::{growth, native, peers};

/// What is to be measured, and where the results go.
#[derive(Default)]
struct Options {
    native: bool,
    quick: bool,
    peers: bool,
    /// Folder of the published page, when browsers are to be measured.
    browser: Option<PathBuf>,
    /// Minutes for which memory is watched in the browser.
    minutes: u64,
    /// Instead of measuring: the page that records what it runs, the names of its functions, and the list to be written.
    first_view: Option<[PathBuf; 3]>,
    /// Folder for everything that is written.
    folder: PathBuf,
    readme: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some(growth::CHILD) {
        let numbers: Result<Vec<u64>, _> = arguments.map(|text| text.parse()).collect();
        return growth::child(&numbers.context("the child takes numbers")?);
    }
    let options = parse(lexopt::Parser::from_env())?;
    if let Some([page, names, list]) = &options.first_view {
        return first_view(page, names, list, &options.folder);
    }
    let file = options.folder.join("summary.json");
    let mut summary = Summary::read(&file);
    if options.native {
        native::measure(&mut summary)?;
        growth::measure(&mut summary, options.quick)?;
        summary.write(&file)?;
    }
    if let Some(page) = &options.browser {
        browser(&mut summary, page, &options)?;
        summary.write(&file)?;
    }
    if options.peers {
        peers::measure(&mut summary, &options.folder.join("peers"))?;
        summary.write(&file)?;
    }
    summary.check()?;
    println!("\n{}", summary.text());
    println!("{}", file.display());
    if let Some(readme) = &options.readme {
        summary.write_into(readme)?;
    }
    Ok(())
}

#[cfg(feature = "browser")]
fn browser(summary: &mut Summary, page: &Path, options: &Options) -> Result<()> {
    subtable_bench::browser::measure(
        summary,
        page,
        &options.folder.join("browser"),
        options.minutes,
    )
}

#[cfg(not(feature = "browser"))]
fn browser(_: &mut Summary, _: &Path, _: &Options) -> Result<()> {
    anyhow::bail!("this program was built without the feature `browser`")
}

#[cfg(feature = "browser")]
fn first_view(page: &Path, names: &Path, list: &Path, folder: &Path) -> Result<()> {
    subtable_bench::browser::record_first_view(page, names, list, folder)
}

#[cfg(not(feature = "browser"))]
fn first_view(_: &Path, _: &Path, _: &Path, _: &Path) -> Result<()> {
    anyhow::bail!("this program was built without the feature `browser`")
}

fn parse(mut parser: lexopt::Parser) -> Result<Options, lexopt::Error> {
    let mut options = Options::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("native") => options.native = true,
            Long("quick") => options.quick = true,
            Long("peers") => options.peers = true,
            Long("browser") => options.browser = Some(parser.value()?.into()),
            Long("first-view") => {
                let mut file = || parser.value().map(PathBuf::from);
                options.first_view = Some([file()?, file()?, file()?]);
            }
            Long("minutes") => options.minutes = parser.value()?.parse()?,
            Long("folder") => options.folder = parser.value()?.into(),
            Long("readme") => options.readme = Some(parser.value()?.into()),
            other => return Err(other.unexpected()),
        }
    }
    Ok(options)
}
