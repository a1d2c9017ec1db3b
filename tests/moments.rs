//! A run looked at in its middle, as slow motion does it: the messages on their way, whatever the steps.

use std::collections::BTreeSet;

use subtable_model::preset::Preset;
use subtable_model::scenario::ScenarioError;
use subtable_model::snapshot::MoveKind;
use subtable_model::{Budget, Scenario, Simulation, Snapshot};

const MICROSECOND: u64 = 1_000;

fn scenario(preset: &str, settings: &[(&str, &str)]) -> Result<Scenario, ScenarioError> {
    let mut scenario = Preset::find(preset).expect("a preset").scenario();
    for (id, value) in settings {
        scenario.set(id, value)?;
    }
    Ok(scenario)
}

/// Every snapshot of a run at so many instants, so many microseconds apart.
fn watch(mut run: Simulation, instants: u64, step: u64, mut see: impl FnMut(&Snapshot)) {
    for instant in 1..=instants {
        run.advance(Budget::Until(instant * step * MICROSECOND));
        see(&run.snapshot());
    }
}

#[test]
fn what_is_seen_does_not_depend_on_shortcuts() -> Result<(), ScenarioError> {
    for preset in ["published-discovered", "published-deterministic", "bulk"] {
        let scenario = scenario(preset, &[])?;
        let mut seen = Vec::new();
        watch(Simulation::new(&scenario, 3), 60, 700, |snapshot| {
            seen.push(snapshot.clone());
        });
        let plainly = Simulation::new(&scenario, 3).without_shortcuts();
        let mut seen = seen.iter();
        watch(plainly, 60, 700, |snapshot| {
            let other = seen.next().expect("as many");
            assert_eq!(snapshot.moves, other.moves, "{preset} at {}", snapshot.now);
            assert_eq!(snapshot, other, "{preset} at {}", snapshot.now);
        });
    }
    Ok(())
}

#[test]
fn every_kind_of_message_is_seen_in_slow_motion() -> Result<(), ScenarioError> {
    let mut kinds = BTreeSet::new();
    let runs = [
        ("published-discovered", &[][..]),
        (
            "published-deterministic",
            &[("lost-answers", "0.05"), ("records", "500")][..],
        ),
        ("stall", &[("entries", "200")][..]),
    ];
    let mut held = 0;
    let mut waiting = 0;
    for (preset, settings) in runs {
        let run = Simulation::new(&scenario(preset, settings)?, 1);
        watch(run, 4000, 25, |snapshot| {
            for message in &snapshot.moves {
                kinds.insert(format!("{:?}", message.kind));
                assert!((0.0..=1.0).contains(&message.progress), "{message:?}");
                held += u32::from(message.kind == MoveKind::Answer && message.progress <= 0.0);
            }
            waiting = waiting.max(snapshot.tmms.iter().map(|tmm| tmm.queue).max().unwrap_or(0));
        });
    }
    let expected = [
        "Answer", "ListKeys", "Lost", "Reply", "Request", "Trial", "Write",
    ];
    assert_eq!(kinds, expected.map(str::to_owned).into());
    assert!(held > 0, "no answer was seen that stalls at its owner");
    assert!(waiting > 2, "nothing queues");
    Ok(())
}
