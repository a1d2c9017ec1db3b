//! Known parameters, recovered from the logs of runs that were made with them.

use std::error::Error;

use subtable_logs::fit::{Fit, fit};
use subtable_logs::{Observations, ReadOptions, Reader, Settings};
use subtable_model::{Budget, Scenario, Simulation};

type Tested = Result<(), Box<dyn Error>>;

/// What a log of a run with these settings tells.
fn log_of(settings: &[(&str, &str)], seed: u64) -> Result<Observations, Box<dyn Error>> {
    let mut scenario = Scenario::default();
    for (id, value) in settings {
        scenario.set(id, value)?;
    }
    let mut run = Simulation::new(&scenario, seed);
    run.keep_lines(1_000_000);
    run.advance(Budget::Unlimited);
    let mut reader = Reader::new(ReadOptions::default());
    for (_, line) in run.snapshot().log.tail {
        reader.push(line.as_bytes());
        reader.push(b"\n");
    }
    Ok(reader.finish())
}

fn value(fit: &Fit, id: &str) -> Result<f64, Box<dyn Error>> {
    let fitted = fit.fitted.iter().find(|fitted| fitted.id == id);
    Ok(fitted
        .ok_or_else(|| format!("{id} is not fitted"))?
        .value
        .parse()?)
}

fn near(fit: &Fit, id: &str, expected: f64, part: f64) -> Tested {
    let value = value(fit, id)?;
    assert!(
        (value / expected - 1.0).abs() <= part,
        "{id}: {value}, not {expected}"
    );
    Ok(())
}

#[test]
fn known_parameters_are_recovered() -> Tested {
    for (floor, median, sigma) in [
        ("2", "3.3", "0.55"),
        ("3", "10", "0.85"),
        ("5", "30", "0.3"),
    ] {
        let seen = log_of(
            &[
                ("local-floor", floor),
                ("local-median", median),
                ("local-sigma", sigma),
                ("log-every", "4"),
                ("records", "20000"),
                ("daemon-work", "0"),
                ("log-work", "0"),
                // Writes begin anywhere between two ticks, as on a real system.
                ("work-spread", "exponential"),
                ("tmms", "6"),
            ],
            3,
        )?;
        let fit = fit(&seen, Settings::default());
        let (floor, median, sigma): (f64, f64, f64) =
            (floor.parse()?, median.parse()?, sigma.parse()?);
        // 5,000 writes: floor and median trade against each other, their sum does not.
        near(&fit, "local-sigma", sigma, 0.12)?;
        let sum = value(&fit, "local-floor")? + value(&fit, "local-median")?;
        assert!((sum / (floor + median) - 1.0).abs() < 0.03, "{sum}");
        near(&fit, "local-median", median, 0.15)?;
        let local = fit.local.as_ref().ok_or("a fit")?;
        assert!(
            local.distance < 0.03 && local.p_value.is_none_or(|p| p > 1e-4),
            "{local:?}"
        );
        near(&fit, "tmms", 6.0, 0.0)?;
        near(&fit, "log-every", 4.0, 0.0)?;
        let scenario = fit.scenario();
        assert_eq!((scenario.tmms(), scenario.log_every()), (6, 4));
        assert_eq!(scenario.naming().id(), "random-probe");
        assert!(
            fit.refused
                .iter()
                .any(|refused| refused.ids.contains(&"hop".to_owned()))
        );
    }
    Ok(())
}

#[test]
fn the_hop_is_recovered_from_the_fastest_remote_write() -> Tested {
    let seen = log_of(
        &[
            ("naming", "deterministic"),
            ("hop", "80"),
            ("log-every", "10"),
            ("records", "20000"),
        ],
        1,
    )?;
    let fit = fit(&seen, Settings::default());
    near(&fit, "hop", 80.0, 0.02)?;
    assert_eq!(fit.scenario().naming().id(), "deterministic");
    Ok(())
}

#[test]
fn what_the_data_do_not_tell_is_refused_with_the_reason() -> Tested {
    let seen = log_of(&[("records", "20000"), ("log-every", "1000")], 1)?;
    let few = fit(&seen, Settings::default());
    let reason = |fit: &Fit, id: &str| {
        let refused = fit
            .refused
            .iter()
            .find(|refused| refused.ids.iter().any(|other| other == id));
        refused
            .map(|refused| refused.reason.clone())
            .unwrap_or_default()
    };
    assert!(
        reason(&few, "local-sigma").contains("50 are needed"),
        "{few:?}"
    );
    assert!(
        reason(&few, "hop").contains("0 remote accesses timed"),
        "{few:?}"
    );
    assert!(
        reason(&few, "enumerate-owner").contains("throughput"),
        "{few:?}"
    );

    let nothing = fit(&Reader::default().finish(), Settings::default());
    assert!(nothing.fitted.is_empty(), "{nothing:?}");
    assert_eq!(nothing.scenario(), Scenario::default());

    let mut reader = Reader::default();
    for write in 0..100 {
        reader.push(
            format!("tmm=0 subtable=a writes={write} key=k clicks=7 FAST_LOCAL (sampled 1/1)\n")
                .as_bytes(),
        );
    }
    let alike = fit(&reader.finish(), Settings::default());
    assert!(
        reason(&alike, "local-sigma").contains("the same time"),
        "{alike:?}"
    );
    Ok(())
}
