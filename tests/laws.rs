//! Laws that the model must obey: geometric discovery, decay as 1/n, conservation, Little's law.

use subtable_model::scenario::{Scenario, ScenarioError};
use subtable_model::{Snapshot, run};

type Outcome = Result<(), ScenarioError>;

fn scenario(settings: &[(&str, &str)]) -> Result<Scenario, ScenarioError> {
    let mut scenario = Scenario::default();
    for (id, value) in settings {
        scenario.set(id, value)?;
    }
    Ok(scenario)
}

/// Upper 1 % point of chi-square (Wilson and Hilferty's approximation, good to a percent from one degree on).
fn chi_square_limit(degrees: f64) -> f64 {
    let a = 2.0 / (9.0 * degrees);
    degrees * (1.0 - a + 2.326 * a.sqrt()).powi(3)
}

#[test]
fn tries_are_geometric_with_mean_n() -> Outcome {
    for tmms in [4_u32, 16, 64] {
        let scenario = scenario(&[
            ("tmms", &tmms.to_string()),
            ("records", &(tmms * 40).to_string()),
            ("max-tries", "10000"),
        ])?;
        let mut tries: Vec<u64> = Vec::new();
        for seed in 0..u64::from(4000 / tmms) {
            tries.extend(
                run(&scenario, seed)
                    .tmms
                    .iter()
                    .filter(|tmm| tmm.tried > 0)
                    .map(|tmm| tmm.tried),
            );
        }
        let (n, p) = (tries.len() as f64, 1.0 / f64::from(tmms));
        let mean = tries.iter().sum::<u64>() as f64 / n;
        let deviation = ((1.0 - p) / (p * p) / n).sqrt();
        assert!(
            (mean - f64::from(tmms)).abs() < 2.576 * deviation,
            "{tmms} TMMs: {mean} tries on average"
        );
        // The whole distribution, in ten classes of about equal probability.
        let class = |tried: u64| {
            let below = 1.0 - (1.0 - p).powf(tried as f64);
            (1..10)
                .take_while(|&tenth| below >= f64::from(tenth) / 10.0)
                .count()
        };
        let (mut seen, mut expected) = ([0.0; 10], [0.0; 10]);
        for &tried in &tries {
            seen[class(tried)] += 1.0;
        }
        for tried in 1..20_000_u64 {
            expected[class(tried)] += n * p * (1.0 - p).powf(tried as f64 - 1.0);
        }
        let used = expected.iter().filter(|&&e| e > 0.0).count();
        let chi_square: f64 = seen
            .iter()
            .zip(expected)
            .filter(|(_, e)| *e > 0.0)
            .map(|(s, e)| (s - e).powi(2) / e)
            .sum();
        assert!(
            chi_square < chi_square_limit(used as f64 - 1.0),
            "{tmms} TMMs: chi-square {chi_square}"
        );
    }
    Ok(())
}

#[test]
fn exhaustion_follows_its_closed_form() -> Outcome {
    // P(no local name in k tries) = (1 - 1/N)^k: 0.316 for 8 TMMs and 9 names... computed, not typed in.
    let (tmms, tries) = (8, 9);
    let scenario = scenario(&[("tmms", "8"), ("max-tries", "9"), ("records", "400")])?;
    let (mut exhausted, mut searches) = (0, 0);
    for seed in 0..500 {
        for tmm in &run(&scenario, seed).tmms {
            searches += 1;
            exhausted += u32::from(
                tmm.tries
                    .last()
                    .is_some_and(|last| u64::from(last.clicks) >= 100),
            );
            assert!(tmm.tried <= tries);
        }
    }
    let p = (1.0 - 1.0 / f64::from(tmms)).powf(tries as f64);
    let deviation = (p * (1.0 - p) / f64::from(searches)).sqrt();
    let share = f64::from(exhausted) / f64::from(searches);
    assert!(
        (share - p).abs() < 2.576 * deviation,
        "{share} exhausted, {p} expected"
    );
    Ok(())
}

#[test]
fn enumeration_decays_as_one_over_n_and_a_counter_stays_flat() -> Outcome {
    let rates = |count: &str| -> Result<Vec<(f64, f64)>, ScenarioError> {
        let snapshot = run(
            &scenario(&[
                ("count", count),
                ("records", "60000"),
                ("client-work", "300"),
            ])?,
            1,
        );
        let (width, bins) = snapshot.series.stretches(snapshot.last_reply, 60);
        let mut written = 0.0;
        Ok(bins
            .iter()
            .map(|bin| {
                let middle = written + f64::from(bin.writes) / 2.0;
                written += f64::from(bin.writes);
                (middle, f64::from(bin.writes) / width)
            })
            .collect())
    };
    // The time of a request is linear in the entries once counting is what holds everybody up.
    let decaying: Vec<(f64, f64)> = rates("enumerate")?
        .into_iter()
        .filter(|(n, _)| *n > 10_000.0)
        .map(|(n, rate)| (n, 1.0 / rate))
        .collect();
    let (slope, intercept, r_squared) = line(&decaying);
    assert!(
        slope > 0.0 && r_squared > 0.99,
        "1/rate = {intercept} + {slope} n, r² = {r_squared}"
    );
    let flat = rates("incremental")?;
    let (first, last) = (flat[1].1, flat[flat.len() - 1].1);
    assert!(
        (last / first - 1.0).abs() < 0.02,
        "{first}/s at first, {last}/s at last"
    );
    Ok(())
}

/// Least squares: slope, intercept and the share of the variance explained.
fn line(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let n = points.len() as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (mx, my) = (mean(&|p| p.0), mean(&|p| p.1));
    let sxy = mean(&|p| (p.0 - mx) * (p.1 - my));
    let (sxx, syy) = (mean(&|p| (p.0 - mx).powi(2)), mean(&|p| (p.1 - my).powi(2)));
    let slope = sxy / sxx;
    (slope, my - slope * mx, sxy * sxy / (sxx * syy))
}

fn time_of_requests(snapshot: &Snapshot) -> f64 {
    snapshot.tmms.iter().flat_map(|tmm| tmm.parts).sum::<u64>() as f64
}

#[test]
fn the_parts_of_one_worker_s_requests_are_its_whole_time() -> Outcome {
    for naming in [
        "deterministic",
        "random-probe",
        "deterministic-probed",
        "shared",
    ] {
        for count in ["none", "incremental", "enumerate"] {
            let scenario = scenario(&[
                ("naming", naming),
                ("count", count),
                ("workers", "1"),
                ("records", "3000"),
                ("log-every", "7"),
                ("entries", "100"),
            ])?;
            let snapshot = run(&scenario, 5);
            let parts: u64 = snapshot.tmms.iter().flat_map(|tmm| tmm.parts).sum();
            assert_eq!(parts, snapshot.last_reply, "{naming}, {count}");
        }
    }
    Ok(())
}

#[test]
fn little_s_law_holds_for_every_closed_loop() -> Outcome {
    // Mean in flight = throughput × mean time of a request; in a closed loop every worker has one in flight.
    for (naming, count, workers) in [
        ("deterministic", "enumerate", 64_u32),
        ("random-probe", "incremental", 64),
        ("shared", "none", 500),
        ("random-unprobed", "enumerate", 7),
    ] {
        let scenario = scenario(&[
            ("naming", naming),
            ("count", count),
            ("workers", &workers.to_string()),
            ("records", "60000"),
            ("entries", "500"),
        ])?;
        let snapshot = run(&scenario, 2);
        let in_flight = time_of_requests(&snapshot) / snapshot.last_reply as f64;
        let error = in_flight / f64::from(workers) - 1.0;
        assert!(
            error.abs() < 0.01,
            "{naming}, {count}, {workers} workers: {in_flight} in flight"
        );
    }
    Ok(())
}
