//! The program around [`subtable_lab::run`]: real arguments, real streams.

#![forbid(unsafe_code)]

use std::io::{self, BufWriter, IsTerminal};
use std::process::ExitCode;

use subtable_lab::Console;

fn main() -> ExitCode {
    let mut out = BufWriter::new(io::stdout());
    let mut input = io::stdin();
    let mut err = io::stderr();
    let interactive = err.is_terminal();
    let mut console = Console::new(&mut out, &mut err)
        .interactive(interactive)
        .reading(&mut input);
    subtable_lab::run(std::env::args_os(), &mut console).into()
}
