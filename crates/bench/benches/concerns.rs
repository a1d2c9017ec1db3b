//! How long each concern of a run takes by itself: `cargo bench -p subtable-bench`.
//!
//! Each is timed per operation, so that the sum over the path of a write can be held against a whole run.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use subtable_bench::{naive, native};
use subtable_model::agenda::{Agenda, Lane};
use subtable_model::client::{Client, Stretch};
use subtable_model::dag::Dag;
use subtable_model::ownership::{AnyOwnership, Family, Ownership, PUBLISHED_KEY};
use subtable_model::sampling::{Concern, QuantileTable, Stream};
use subtable_model::series::Series;
use subtable_model::statistics::{Counts, Population};
use subtable_model::{Budget, Scenario, Simulation};

/// Operations of each timed stretch: enough that starting the clock does not count.
const OPERATIONS: u64 = 10_000;

/// The future: arrivals that go round over as many lanes as there are, eight to each.
fn agenda(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("agenda");
    group.throughput(Throughput::Elements(OPERATIONS));
    for lanes in [4_u32, 13, 193, 3073] {
        group.bench_function(BenchmarkId::new("pop and push", lanes), |bencher| {
            let mut agenda = Agenda::new(lanes as usize);
            for arrival in 0..8 * lanes {
                agenda.push(Lane(arrival % lanes), u64::from(arrival), arrival);
            }
            bencher.iter(|| {
                for _ in 0..OPERATIONS {
                    if let Some((at, arrival)) = agenda.pop() {
                        agenda.push(Lane(arrival % lanes), at + 1000, arrival);
                    }
                }
            });
        });
    }
    group.finish();
}

/// Random numbers and distributions.
fn sampling(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sampling");
    group.throughput(Throughput::Elements(OPERATIONS));
    let mut stream = Stream::new(1, Concern::Cost, 0);
    let local = QuantileTable::log_normal(2000, 3300, 0.55);
    let exponential = QuantileTable::exponential(1_000_000);
    group.bench_function("bits", |bencher| {
        bencher.iter(|| (0..OPERATIONS).fold(0, |sum, _| sum ^ stream.bits()));
    });
    group.bench_function("below 4", |bencher| {
        bencher.iter(|| (0..OPERATIONS).map(|_| stream.below(4)).sum::<u32>());
    });
    for (name, table) in [("log-normal", &local), ("exponential", &exponential)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                (0..OPERATIONS)
                    .map(|_| table.draw(&mut stream))
                    .sum::<u64>()
            });
        });
    }
    group.throughput(Throughput::Elements(1));
    group.bench_function("making the log-normal table", |bencher| {
        bencher.iter(|| QuantileTable::log_normal(black_box(2000), 3300, 0.55));
    });
    group.finish();
}

/// Names and their owners, family by family.
fn ownership(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ownership");
    let names: Vec<String> = (0..OPERATIONS)
        .map(|number| format!("localdb_tmm_{}_{number}", number % 64))
        .collect();
    group.throughput(Throughput::Elements(OPERATIONS));
    for (family, name) in Family::ALL.iter().zip(Family::OPTIONS) {
        let ownership = AnyOwnership::new(*family, PUBLISHED_KEY, 64);
        group.bench_function(name.id, |bencher| {
            bencher.iter(|| {
                names
                    .iter()
                    .map(|name| ownership.owner(name.as_bytes()))
                    .sum::<u32>()
            });
        });
    }
    group.finish();
}

/// Which TMM accepts a connection.
fn dag(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dag");
    group.throughput(Throughput::Elements(OPERATIONS));
    for settings in [
        &[("dag", "fair")][..],
        &[("dag", "ports")],
        &[("dag", "src-ip"), ("client-addresses", "64")],
        &[("dag", "fair"), ("connection", "kept-alive")],
    ] {
        let mut dag = Dag::new(&scenario(settings), 1);
        group.bench_function(
            BenchmarkId::from_parameter(format!("{settings:?}")),
            |bencher| {
                bencher.iter(|| {
                    (0..64)
                        .cycle()
                        .take(10_000)
                        .map(|worker| dag.accept(worker).tmm)
                        .sum::<u32>()
                });
            },
        );
    }
    group.finish();
}

/// The client, which sends a request whenever a worker has its reply.
fn client(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("client");
    group.throughput(Throughput::Elements(OPERATIONS));
    let scenario = scenario(&[("records", "100000000")]);
    group.bench_function("send", |bencher| {
        bencher.iter_batched_ref(
            || Client::new(&scenario, 1),
            |client| {
                for now in 0..OPERATIONS {
                    black_box(client.send(now * 1000, Stretch::NONE));
                }
            },
            criterion::BatchSize::SmallInput,
        );
    });
    group.finish();
}

/// Counting clicks and writes, and making the rows of the table.
fn statistics(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("statistics");
    group.throughput(Throughput::Elements(OPERATIONS));
    let (local, remote) = (4_u32..20, 100_u32..300_000);
    let clicks = |range: std::ops::Range<u32>| range.clone().cycle().step_by(7).take(10_000);
    for (name, range) in [("local", local), ("remote", remote)] {
        let values: Vec<u32> = clicks(range).collect();
        group.bench_function(BenchmarkId::new("population", name), |bencher| {
            let mut population = Population::default();
            bencher.iter(|| values.iter().for_each(|&value| population.add(value)));
        });
        group.bench_function(BenchmarkId::new("counts", name), |bencher| {
            let mut counts = Counts::default();
            bencher.iter(|| values.iter().for_each(|&value| counts.add(value)));
        });
        let mut population = Population::default();
        for &value in &values {
            population.add(value);
        }
        group.bench_function(
            BenchmarkId::new("summary of a population", name),
            |bencher| {
                bencher.iter(|| black_box(&population).summary(100));
            },
        );
    }
    group.bench_function("series", |bencher| {
        let mut series = Series::default();
        bencher.iter(|| (0..OPERATIONS).for_each(|write| series.at(write * 228_000).writes += 1));
    });
    group.finish();
}

/// Whole runs, and what of them does not depend on their length.
fn runs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("run");
    group
        .sample_size(20)
        .measurement_time(Duration::from_secs(3));
    let published = [
        ("load", native::load_run()),
        ("broken", native::broken_run()),
        ("bulk", native::bulk_run()),
    ];
    for (name, scenario) in published {
        let scenario = scenario.expect("a preset of the published run");
        group.throughput(Throughput::Elements(scenario.records()));
        group.bench_function(BenchmarkId::new("core", name), |bencher| {
            bencher.iter(|| native::run(&scenario));
        });
        if name != "bulk" {
            group.bench_function(BenchmarkId::new("naive loop", name), |bencher| {
                bencher.iter(|| naive::run(&scenario, native::SEED));
            });
        }
    }
    group.throughput(Throughput::Elements(1));
    let scenario = scenario(&[]);
    group.bench_function("beginning", |bencher| {
        bencher.iter(|| Simulation::new(&scenario, 1));
    });
    let mut simulation = Simulation::new(&scenario, 1);
    simulation.advance(Budget::Unlimited);
    group.bench_function("snapshot", |bencher| bencher.iter(|| simulation.snapshot()));
    let snapshot = simulation.snapshot();
    group.bench_function("hash of a snapshot", |bencher| {
        bencher.iter(|| snapshot.hash());
    });
    group.finish();
}

fn scenario(settings: &[(&str, &str)]) -> Scenario {
    let mut scenario = Scenario::default();
    for (id, value) in settings {
        scenario
            .set(id, value)
            .expect("a value that the parameter table allows");
    }
    scenario
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30);
    targets = agenda, sampling, ownership, dag, client, statistics, runs
}
criterion_main!(benches);
