//! The checks of the fuzz targets, a great many times, on mutated samples and without a fuzzer: stable Rust, no
//! instrumentation, so that ten million of each take minutes.
//!
//! `cargo run --profile quick -p subtable-lab --example hammer -- CHECK RUNS [SEED]`

#[path = "../../logs/fuzz/checks/analysis.rs"]
mod analysis;
#[path = "../../logs/fuzz/checks/line.rs"]
mod line;
#[path = "../fuzz/checks/link.rs"]
mod link;
#[path = "../../logs/fuzz/checks/log.rs"]
mod log;
#[path = "../../logs/fuzz/checks/prefix.rs"]
mod prefix;
#[path = "../../logs/fuzz/checks/report.rs"]
mod report;
#[path = "../fuzz/checks/request.rs"]
mod request;
#[path = "../fuzz/checks/run_json.rs"]
mod run_json;

use std::error::Error;
use std::path::Path;
use std::time::Instant;

/// Longest sample, in bytes: what a log is made of is in its lines, and a report of a run is long.
const LONGEST: usize = 2800;
/// Mutated samples that are kept to be mutated further.
const KEPT: usize = 4096;

type Check = fn(&[u8]);

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [name, runs, rest @ ..] = words.as_slice() else {
        return Err("CHECK RUNS [SEED]".into());
    };
    let checks: [(&str, Check); 8] = [
        ("line", line::check),
        ("prefix", prefix::check),
        ("report", report::check),
        ("log", log::check),
        ("analysis", analysis::check),
        ("link", link::check),
        ("run_json", run_json::check),
        ("request", request::check),
    ];
    let (_, check) = checks
        .iter()
        .find(|(known, _)| known == name)
        .ok_or("there is no such check")?;
    let runs: u64 = runs.parse()?;
    let mut luck = Luck(rest.first().map_or(Ok(1), |seed| seed.parse())?);
    let mut samples = samples(name)?;
    let seeds = samples.len();
    let began = Instant::now();
    for _ in 0..runs {
        let mut sample = samples[luck.below(samples.len())].clone();
        let other = &samples[luck.below(samples.len())];
        for _ in 0..=luck.below(4) {
            mutate(&mut sample, other, &mut luck);
        }
        sample.truncate(LONGEST);
        check(&sample);
        // A short walk away from the seeds, then back.
        if luck.below(8) == 0 {
            if samples.len() < KEPT {
                samples.push(sample);
            } else {
                let place = seeds + luck.below(KEPT - seeds);
                samples[place] = sample;
            }
        }
    }
    println!(
        "{name}: {runs} runs in {:.0} s",
        began.elapsed().as_secs_f64()
    );
    Ok(())
}

/// The corpus that the tests read, line by line or whole, or words of our own.
fn samples(name: &str) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let own: &[&str] = match name {
        "link" => &[
            "v=1&preset=published-deterministic&tmms=8&hop=1.5&naming=shared&seed=7",
            "https://example.org/lab/#v=1&preset=bulk&keys-per-post=9&view=log",
            "v=2&preset=&tmms=99999999999999999999&%20=&&==",
        ],
        "request" => &[
            "GET /load?key=a&val=b",
            "GET /whoami",
            "GET /dump",
            "GET /reset",
            "GET /info",
            "GET /probe?name=localdb_tmm_0",
            "POST /bulk_load 12\nabc\ndef\r\nghi\n",
        ],
        "run_json" => {
            let mut out = Vec::new();
            let mut err = Vec::new();
            let words =
                "subtable-lab run --records 300 --tmms 2 --log-every 7 --stretches 2 --json";
            subtable_lab::run(
                words.split(' '),
                &mut subtable_lab::Console::new(&mut out, &mut err),
            );
            return Ok(vec![out]);
        }
        _ => &[],
    };
    if !own.is_empty() {
        return Ok(own.iter().map(|text| text.as_bytes().to_vec()).collect());
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/logs");
    let mut samples = Vec::new();
    for entry in std::fs::read_dir(corpus)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "expected")
        {
            continue;
        }
        let text = std::fs::read(path)?;
        let pieces = text.chunks(if name == "line" || name == "prefix" {
            160
        } else {
            400
        });
        samples.extend(pieces.map(<[u8]>::to_vec));
        if name == "line" || name == "prefix" {
            samples.extend(text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec));
        }
    }
    Ok(samples)
}

fn mutate(sample: &mut Vec<u8>, other: &[u8], luck: &mut Luck) {
    const BYTES: &[u8] = b"0123456789=/()-.,:;\"{}[]&#?% \t\r\n\0\xff";
    let place = luck.below(sample.len() + 1);
    let end = (place + luck.below(16)).min(sample.len());
    match luck.below(7) {
        0 => sample.truncate(place),
        1 => drop(sample.drain(place..end)),
        2 => sample.insert(place, BYTES[luck.below(BYTES.len())]),
        3 => {
            if let Some(byte) = sample.get_mut(place) {
                *byte ^= 1 << luck.below(8);
            }
        }
        4 => {
            if let Some(byte) = sample.get_mut(place) {
                *byte = BYTES[luck.below(BYTES.len())];
            }
        }
        5 => {
            let again = sample[place..end].to_vec();
            sample.splice(place..place, again);
        }
        _ => {
            let from = luck.below(other.len() + 1);
            let to = (from + luck.below(64)).min(other.len());
            sample.splice(place..end, other[from..to].iter().copied());
        }
    }
}

/// `SplitMix64`.
struct Luck(u64);

impl Luck {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
        usize::try_from(bits % bound.max(1) as u64).unwrap_or(0)
    }
}
