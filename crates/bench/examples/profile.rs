//! One run and nothing else, to be looked at with a profiler:
//!
//! ```sh
//! export CARGO_PROFILE_RELEASE_DEBUG=line-tables-only
//! cargo build --release -p subtable-bench --example profile
//! valgrind --tool=callgrind target/release/examples/profile core load
//! ```

use std::hint::black_box;

use anyhow::{Result, bail};
use subtable_bench::{naive, native};

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let &[what, name] = &words[..] else {
        bail!("give `core` or `naive`, and `load`, `broken` or `bulk`");
    };
    let scenario = match name {
        "load" => native::load_run()?,
        "broken" => native::broken_run()?,
        "bulk" => native::bulk_run()?,
        other => bail!("there is no run `{other}`"),
    };
    match what {
        "core" => drop(black_box(native::run(&scenario))),
        "naive" => drop(black_box(naive::run(&scenario, native::SEED))),
        other => bail!("nothing is called `{other}`"),
    }
    Ok(())
}
