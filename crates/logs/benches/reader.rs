//! How fast logs are read: one where most lines are the harness's, one where few are, and the worst cases.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use subtable_logs::{ReadOptions, Reader, Settings, analyse};

/// As much as the page promises to read.
const BYTES: usize = 100_000_000;
/// As a file is read by the command line, and a `File` is sliced by the page.
const CHUNK: usize = 1 << 20;

/// A small generator, so that the logs are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A log of the given size in which `ours` lines of a hundred are the harness's.
fn log(ours: u64) -> Vec<u8> {
    let mut random = Random(7);
    let mut text = String::with_capacity(BYTES + 400);
    let mut writes = [0_u64; 4];
    while text.len() < BYTES {
        let second = random.below(60);
        if random.below(100) < ours {
            let tmm = usize::try_from(random.below(4)).expect("below 4");
            writes[tmm] += 1000;
            let (clicks, tag) = match random.below(50) {
                0 => (100 + random.below(300_000), "SLOW"),
                _ => (2 + random.below(18), "FAST_LOCAL"),
            };
            let key = random.below(u64::MAX);
            writeln!(
                text,
                "Nov 30 20:15:{second:02} bigip1.example.net info tmm{tmm}[12345]: Rule /Common/LOCALDB <HTTP_REQUEST>: \
                 tmm={tmm} subtable=localdb_tmm_{tmm}_{} writes={} key={key:08x}-5e7f-4a1b-9c3d-{key:012x} \
                 clicks={clicks} {tag} (sampled 1/1000)",
                865_802 + tmm,
                writes[tmm]
            )
            .expect("a string takes all");
        } else {
            writeln!(
                text,
                "Nov 30 20:15:{second:02} bigip1.example.net notice mcpd[5678]: 01070638:5: Pool /Common/pool_{} member \
                 /Common/10.1.{}.{}:80 monitor status up. [ /Common/http: up ] [ was down for 0hr:0min:{second}sec ]",
                random.below(40),
                random.below(250),
                random.below(250)
            )
            .expect("a string takes all");
        }
    }
    text.into_bytes()
}

/// Lines that share much with ours without being ours.
fn near_misses() -> Vec<u8> {
    let line = b"tmm=1 clicks=5 subtable=a key=b writes=12 of after using from SLOW but not timed by the sampler\n";
    line.iter().copied().cycle().take(BYTES).collect()
}

fn read(text: &[u8], options: ReadOptions) -> Reader {
    let mut reader = Reader::new(options);
    for chunk in text.chunks(CHUNK) {
        reader.push(chunk);
    }
    reader
}

fn reading(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read 100 MB");
    group
        .throughput(Throughput::Bytes(BYTES as u64))
        .sample_size(10)
        .measurement_time(Duration::from_secs(5));
    let cases = [
        ("few of ours", log(2), false),
        ("most of ours", log(95), false),
        ("near misses", near_misses(), false),
        ("all lines", near_misses(), true),
        ("one endless line", vec![b'x'; BYTES], false),
        ("empty lines", vec![b'\n'; BYTES], false),
    ];
    for (name, text, all_lines) in &cases {
        let options = ReadOptions {
            all_lines: *all_lines,
        };
        group.bench_function(*name, |bencher| {
            bencher.iter(|| read(black_box(text), options).finish());
        });
    }
    group.finish();
}

fn analysing(criterion: &mut Criterion) {
    let seen = read(&log(95), ReadOptions::default()).finish();
    criterion.bench_function("analyse 100 MB of ours, read", |bencher| {
        bencher.iter_batched(
            || &seen,
            |seen| analyse(black_box(seen), Settings::default()),
            BatchSize::LargeInput,
        );
    });
}

criterion_group!(benches, reading, analysing);
criterion_main!(benches);
