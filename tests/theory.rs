//! Agreement with queueing theory: single stations, many servers, and a closed network, inside 99 % confidence intervals
//! over independent seeds. A service time that is off by 2 % lies outside.

use subtable_model::naming::NAMES_PER_TMM;
use subtable_model::ownership::{AnyOwnership, Family, Ownership};
use subtable_model::results::Part;
use subtable_model::sampling::{Concern, Stream};
use subtable_model::scenario::{Naming, Scenario};
use subtable_model::statistics::BINS_PER_DECADE;
use subtable_model::{Budget, Simulation, Snapshot};

/// Mean work on a request, in microseconds.
const SERVICE_US: f64 = 100.0;

/// A queueing station and nothing else: no round trip, no client, no write, no count, no log.
fn bare(settings: &[(&str, &str)]) -> Scenario {
    let mut scenario = Scenario::default();
    let all = [
        ("workload", "whoami"),
        ("naming", "deterministic"),
        ("count", "none"),
        ("log-every", "0"),
        ("client-work", "0"),
        ("rtt", "0"),
        ("request-work", "100"),
    ];
    for (id, value) in all.iter().chain(settings) {
        scenario.set(id, value).expect("a setting of the table");
    }
    scenario
}

/// Mean and half width of a 99 % confidence interval of independent values.
fn interval(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0);
    // 99.5th percentile of Student's t with 39 degrees of freedom.
    (mean, 2.708 * (variance / n).sqrt())
}

const SEEDS: u64 = 40;

/// A value of each seed's run, from the moment when a tenth of its replies are there.
fn measured(scenario: &Scenario, value: impl Fn(&Snapshot, &Snapshot) -> f64) -> Vec<f64> {
    (1..=SEEDS)
        .map(|seed| {
            let mut simulation = Simulation::new(scenario, seed);
            simulation.advance(Budget::Replies(scenario.records() / 10));
            let warm = simulation.snapshot();
            simulation.advance(Budget::Unlimited);
            value(&warm, &simulation.snapshot())
        })
        .collect()
}

/// Mean time of a part for each request between two moments, in microseconds.
fn mean_us(part: Part) -> impl Fn(&Snapshot, &Snapshot) -> f64 {
    move |warm, end| {
        let spent = |snapshot: &Snapshot| -> u64 {
            snapshot
                .tmms
                .iter()
                .map(|tmm| tmm.parts[part as usize])
                .sum()
        };
        let requests = end.replies - warm.replies;
        (spent(end) - spent(warm)) as f64 / requests as f64 / 1000.0
    }
}

fn assert_agrees(values: &[f64], expected: f64, what: &str) {
    let (mean, half) = interval(values);
    assert!(
        (mean - expected).abs() < half,
        "{what}: {mean:.4} +- {half:.4}, theory says {expected:.4}"
    );
    // The interval must be narrow enough to mean something: 2 % of service time moves the waits below by more.
    assert!(
        half < 0.03 * expected,
        "{what}: +- {half:.4} of {expected:.4}"
    );
}

/// Utilisation of the single stations below.
const RHO: f64 = 0.7;

/// An open queue with one TMM, at random arrivals.
fn single_station(spread: &str) -> Scenario {
    bare(&[
        ("tmms", "1"),
        ("arrivals", "poisson"),
        ("rate", "7000"),
        ("workers", "65536"),
        ("records", "40000"),
        ("work-spread", spread),
    ])
}

#[test]
fn m_m_1_waits_as_erlang_says() {
    let waits = measured(&single_station("exponential"), mean_us(Part::AcceptorQueue));
    assert_agrees(&waits, SERVICE_US * RHO / (1.0 - RHO), "M/M/1");
}

#[test]
fn m_d_1_waits_half_as_long() {
    let waits = measured(&single_station("constant"), mean_us(Part::AcceptorQueue));
    assert_agrees(&waits, SERVICE_US * RHO / (2.0 * (1.0 - RHO)), "M/D/1");
}

/// Share of the requests whose latency is below the lower edge of a logarithmic bin, in each seed's run, with that edge as
/// the clock of whole microseconds sees it.
fn share_below(scenario: &Scenario, bin: usize) -> (Vec<f64>, f64) {
    let shares = measured(scenario, |warm, end| {
        let count = |snapshot: &Snapshot| -> f64 {
            snapshot.latency_bins[..bin]
                .iter()
                .copied()
                .map(f64::from)
                .sum()
        };
        let below = count(end) - count(warm);
        below / (end.replies - warm.replies) as f64
    });
    // Whole microseconds below the edge; half of one more, since both ends of a latency are rounded down.
    let edge = 10_f64.powf(bin as f64 / BINS_PER_DECADE as f64).ceil() - 0.5;
    (shares, edge)
}

#[test]
fn m_m_1_sojourn_times_are_exponential() {
    for bin in [34, 40, 45] {
        let (shares, t) = share_below(&single_station("exponential"), bin);
        let expected = 1.0 - (-(1.0 - RHO) / SERVICE_US * t).exp();
        assert_agrees(&shares, expected, &format!("M/M/1, share below {t} us"));
    }
}

/// Distribution of the wait in M/D/1 (Erlang 1909), for times and service in the same unit.
fn m_d_1_share_waiting_at_most(t: f64, service: f64, rho: f64) -> f64 {
    let lambda = rho / service;
    let mut sum = 0.0;
    for k in (0..).take_while(|&k| f64::from(k) * service <= t) {
        let x = lambda * (f64::from(k) * service - t);
        let factorial: f64 = (1..=k).map(f64::from).product();
        sum += x.powi(k) / factorial * (-x).exp();
    }
    (1.0 - rho) * sum
}

#[test]
fn m_d_1_waiting_times_follow_erlangs_distribution() {
    for bin in [34, 38, 42] {
        let (shares, t) = share_below(&single_station("constant"), bin);
        let expected = m_d_1_share_waiting_at_most(t - SERVICE_US, SERVICE_US, RHO);
        assert_agrees(&shares, expected, &format!("M/D/1, share below {t} us"));
    }
}

#[test]
fn m_m_c_waits_as_erlang_c_says() {
    // Each worker keeps its connection to a TMM of its own, so that the workers are the servers; who finds none free waits
    // at the client.
    for servers in [2_i32, 4] {
        let offered = RHO * f64::from(servers);
        let rate = format!("{}", 10_000.0 * offered);
        let count = servers.to_string();
        let scenario = bare(&[
            ("tmms", &count),
            ("workers", &count),
            ("connection", "kept-alive"),
            ("dag", "round-robin"),
            ("arrivals", "poisson"),
            ("rate", &rate),
            ("records", "60000"),
            ("work-spread", "exponential"),
        ]);
        let term = |k: i32| offered.powi(k) / (1..=k).map(f64::from).product::<f64>();
        let waiting = term(servers) / (1.0 - RHO);
        let erlang_c = waiting / (waiting + (0..servers).map(term).sum::<f64>());
        let expected = erlang_c * SERVICE_US / (f64::from(servers) - offered);
        let waits = measured(&scenario, mean_us(Part::Client));
        assert_agrees(&waits, expected, &format!("M/M/{servers}"));
    }
}

/// Throughput of a closed network of exponential first-in first-out stations and a delay, by exact mean-value analysis
/// (Reiser and Lavenberg 1980). Demands and delay in the same unit.
fn throughput_by_mva(demands: &[f64], delay: f64, customers: u32) -> f64 {
    let mut queues = vec![0.0; demands.len()];
    let mut throughput = 0.0;
    for n in 1..=customers {
        let residence: Vec<f64> = demands
            .iter()
            .zip(&queues)
            .map(|(demand, queue)| demand * (1.0 + queue))
            .collect();
        throughput = f64::from(n) / (delay + residence.iter().sum::<f64>());
        for (queue, time) in queues.iter_mut().zip(&residence) {
            *queue = throughput * time;
        }
    }
    throughput
}

#[test]
fn a_closed_network_has_the_throughput_of_mean_value_analysis() {
    for (tmms, workers) in [(1_u32, 4_u32), (2, 8), (4, 16)] {
        let scenario = bare(&[
            ("tmms", &tmms.to_string()),
            ("workers", &workers.to_string()),
            ("client-work", "30"),
            ("rtt", "150"),
            ("records", "40000"),
            ("work-spread", "exponential"),
        ]);
        // The client is visited by every request, each TMM by one in so many.
        let mut demands = vec![SERVICE_US / f64::from(tmms); tmms as usize];
        demands.push(30.0);
        let expected = throughput_by_mva(&demands, 150.0, workers);
        let rates = measured(&scenario, |warm, end| {
            (end.replies - warm.replies) as f64
                / ((end.last_reply - warm.last_reply) as f64 / 1000.0)
        });
        assert_agrees(&rates, expected, &format!("{tmms} TMMs, {workers} workers"));
    }
}

/// Whether so many of so many independent trials agree with a probability: inside 99 % of the normal approximation.
fn assert_share(hits: u64, trials: u64, probability: f64, what: &str) {
    let expected = trials as f64 * probability;
    let half = 2.576 * (expected * (1.0 - probability)).sqrt() + 0.5;
    assert!(
        (hits as f64 - expected).abs() < half,
        "{what}: {hits} of {trials}, theory says {expected:.1} +- {half:.1}"
    );
}

#[test]
fn a_search_finds_nothing_as_often_as_independent_tries_do() {
    for tmms in [4_u64, 8, 16, 32, 64, 128] {
        // As many tries as there are TMMs: about 37 % of the searches find nothing. One request for each TMM.
        let count = tmms.to_string();
        let mut scenario = Scenario::default();
        for (id, value) in [
            ("tmms", count.as_str()),
            ("max-tries", &count),
            ("records", &count),
            ("workers", &count),
            ("dag", "round-robin"),
        ] {
            scenario.set(id, value).expect("a setting of the table");
        }
        let seeds = 4000 / tmms;
        let (mut exhausted, mut searches) = (0, 0);
        for seed in 1..=seeds {
            let snapshot = subtable_model::run(&scenario, seed);
            searches += tmms;
            for (number, tmm) in (0_u32..).zip(&snapshot.tmms) {
                let subtable = tmm.subtable.expect("each TMM has had a request") as usize;
                exhausted += u64::from(snapshot.subtables[subtable].owner != number);
            }
        }
        let probability = (1.0 - 1.0 / tmms as f64).powf(tmms as f64);
        assert_share(
            exhausted,
            searches,
            probability,
            &format!("random-probe, N = {tmms}"),
        );
    }
}

#[test]
fn seven_names_a_tmm_miss_a_tmm_as_often_as_independent_names_do() {
    let mut luck = Stream::new(1, Concern::Name, 0);
    for tmms in [4_u32, 8, 16, 32, 64, 128] {
        let names = NAMES_PER_TMM * u64::from(tmms);
        let candidates: Vec<String> = (0..names)
            .map(|tries| Naming::MinimumOf.candidate(0, tries, &mut luck))
            .collect();
        let keys = 400_000 / names;
        let mut missed = 0;
        for key in 0..keys {
            let ownership = AnyOwnership::new(Family::Opaque, key, tmms);
            let mut owns = vec![false; tmms as usize];
            for name in &candidates {
                owns[ownership.owner(name.as_bytes()) as usize] = true;
            }
            missed += owns.iter().filter(|owns| !**owns).count() as u64;
        }
        let probability = (1.0 - 1.0 / f64::from(tmms)).powf(names as f64);
        assert_share(
            missed,
            keys * u64::from(tmms),
            probability,
            &format!("minimum-of, N = {tmms}"),
        );
    }
}
