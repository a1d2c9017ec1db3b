//! Loads a stand-in with fresh connections, and tells how many requests a second it answers.
//!
//! `cargo run --profile quick -p subtable-stand-in --example load -- [RECORDS] [WORKERS] [real|fast] [PRESET]`

#[path = "../tests/client/mod.rs"]
mod client;

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};

use subtable_model::preset::{PRESETS, Preset};
use subtable_stand_in::{Pace, Settings, StandIn, Stop};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize| words.get(at).map(String::as_str);
    let records = word(0).unwrap_or("100000").parse()?;
    let workers = word(1).unwrap_or("64").parse()?;
    let preset = word(3).and_then(Preset::find).unwrap_or(&PRESETS[1]);
    let settings = Settings {
        scenario: preset.scenario(),
        seed: 1,
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        pace: match word(2) {
            Some("fast") => Pace::Fast,
            _ => Pace::Real,
        },
        lifetime: None,
        max_entries: 5_000_000,
    };
    let log = std::fs::File::create(std::env::temp_dir().join("stand-in-load.log"))?;
    let server = StandIn::bind(&settings, Box::new(log))?;
    let address = server.address();
    let (stop, stopped) = Stop::told();
    let serving = std::thread::spawn(move || server.serve(stopped));
    let (replies, took) = client::from_workers(workers, records, |number| {
        client::get(address, &format!("/load?key=loadkey_{number}&val=x"))
    });
    let errors = replies.iter().filter(|reply| reply.is_err()).count();
    println!(
        "{}: {records} requests from {workers} workers in {:.2} s: {:.0}/s, {errors} errors, hits {:?}",
        preset.id,
        took.as_secs_f64(),
        records as f64 / took.as_secs_f64(),
        client::hits(&replies)
    );
    drop(stop);
    println!("{:?}", serving.join().map_err(|_| "the server is gone")??);
    Ok(())
}
