//! Builds, serves, tests and packages Subtable Lab: `cargo xtask help`.

#![forbid(unsafe_code)]

mod arguments;
mod axe;
mod bench;
mod browsers;
mod dist;
mod files;
mod offline;
mod serve;
mod site;
mod split;
mod test;
mod toolchain;
mod watch;
mod workspace;

use std::process::ExitCode;

use arguments::{HELP, Task};
use workspace::Workspace;

fn main() -> ExitCode {
    match arguments::parse(lexopt::Parser::from_env()) {
        Ok(task) => run(task).unwrap_or_else(|error| {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }),
        Err(error) => {
            eprintln!("xtask: {error}\n\n{HELP}");
            ExitCode::from(2)
        }
    }
}

fn run(task: Task) -> anyhow::Result<ExitCode> {
    if let Task::Help = task {
        println!("{HELP}");
        return Ok(ExitCode::SUCCESS);
    }
    let workspace = Workspace::find()?;
    match task {
        Task::Build => println!("{}", site::build(&workspace)?.display()),
        Task::Serve(options) => serve::serve(&workspace, &options)?,
        Task::Dist { single_file: false } => dist::make(&workspace)?,
        Task::Dist { single_file: true } => dist::make_one_file(&workspace)?,
        Task::Bench(options) => return bench::run(&workspace, options),
        Task::FirstView => return bench::record_first_view(&workspace),
        Task::Test { all_browsers } => return Ok(test::run(&workspace, all_browsers)),
        Task::Help => {}
    }
    Ok(ExitCode::SUCCESS)
}
