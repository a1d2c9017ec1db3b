//! Properties of all charts: nothing is cut off, no words lie on others, and every value is found where it is drawn.

use std::sync::LazyLock;

use subtable_model::preset::PRESETS;
use subtable_model::{Budget, Scenario, Simulation, Snapshot};

use crate::cluster::Cluster;
use crate::histograms::Histograms;
use crate::latency::Latency;
use crate::memory::Memory;
use crate::parts::Parts;
use crate::scene::Frame;
use crate::strip::{self, Strip};
use crate::sweep::{Point, Sweep};
use crate::throughput::{Band, Run, Throughput};
use crate::{Chart, Hidden, Scale, Series, Size, Span, Theme};

/// A picture of the usual size.
const SIZE: Size = Size::new(400.0, 190.0);

const SIZES: [(f64, f64); 9] = [
    (300.0, 180.0),
    (344.0, 190.0),
    (360.0, 400.0),
    (400.0, 190.0),
    (450.0, 200.0),
    (520.0, 320.0),
    (960.0, 420.0),
    (960.0, 500.0),
    (1600.0, 900.0),
];

/// What the presets and other situations look like at several moments.
static SNAPSHOTS: LazyLock<Vec<(String, Snapshot)>> = LazyLock::new(|| {
    let mut snapshots = Vec::new();
    let mut add = |name: &str, scenario: &Scenario, until: Budget| {
        let mut simulation = Simulation::new(scenario, 1);
        simulation.advance(until);
        snapshots.push((format!("{name} {until:?}"), simulation.snapshot()));
    };
    for preset in PRESETS {
        let scenario = preset.scenario();
        for until in [
            Budget::Events(0),
            Budget::Until(2_000_000),
            Budget::Replies(3000),
        ] {
            add(preset.id, &scenario, until);
        }
    }
    let namings = ["deterministic", "random-unprobed", "shared", "random-probe"];
    for tmms in [1, 2, 3, 5, 8, 12, 16, 17, 64, 300, 1024] {
        // Among many TMMs, a search for names would take most of the time of these tests.
        let tried = match tmms {
            0..=16 => namings.len(),
            17..=64 => 2,
            _ => 1,
        };
        for naming in &namings[..tried] {
            let mut scenario = Scenario::default();
            for (id, value) in [("tmms", tmms.to_string().as_str()), ("naming", naming)] {
                scenario.set(id, value).expect("allowed");
            }
            add(
                &format!("{tmms} {naming}"),
                &scenario,
                Budget::Replies(1500),
            );
        }
    }
    let mut scenario = Scenario::default();
    for (id, value) in [("records", "3000"), ("log-every", "1")] {
        scenario.set(id, value).expect("allowed");
    }
    add("all logged", &scenario, Budget::Unlimited);
    snapshots
});

/// Every chart of a snapshot.
fn each_chart(snapshot: &Snapshot, other: &Snapshot, mut check: impl FnMut(&str, &dyn Chart)) {
    check("cluster", &Cluster::new(snapshot));
    check("parts", &Parts::new(snapshot));
    check("latency", &Latency::new(snapshot));
    check("memory", &Memory::new(snapshot));
    let published = PRESETS.iter().find(|preset| !preset.published.is_empty());
    let mut histograms = Histograms::new(snapshot);
    check("histograms", &histograms);
    histograms.published = published.map_or(&[], |preset| preset.published);
    histograms.other = Some(other);
    histograms.scale = Scale::Logarithmic;
    check("histograms of two runs", &histograms);
    for window in [(0.4, 1.3), (1.9, 2.2), (0.7, 2.9)] {
        histograms.window = Some(Span::new(window.0, window.1));
        check("histograms, zoomed", &histograms);
    }
    let decades = strip::decades(&[snapshot]);
    check(
        "strip",
        &Strip::new(snapshot, 0, decades).expect("there is a TMM"),
    );
    let mut throughput = Throughput::new(snapshot);
    check("throughput", &throughput);
    for preset in PRESETS {
        throughput.published = preset.published_rates;
        check("throughput, published", &throughput);
    }
    throughput.other = Some(Run {
        label: "B: another run",
        snapshot: other,
    });
    check("throughput of two runs", &throughput);
    throughput.scale = Scale::Logarithmic;
    check("throughput of two runs, logarithmic", &throughput);
    throughput.window = Some(Span::new(0.1, 0.4));
    throughput.band = Some(Band {
        label: "90 % of 50 seeds",
        step_s: 0.05,
        low: &[2000.0, 2100.0, 2200.0, 2100.0],
        median: &[3000.0, 3100.0, 3200.0, 3100.0],
        high: &[4000.0, 4100.0, 4200.0, 4100.0],
    });
    check("throughput of many seeds", &throughput);
    throughput.hidden.toggle(Series::Writes);
    check("throughput without its writes", &throughput);
    let points =
        [(1.0, 3.0), (8.0, 30.0), (64.0, 250.0), (1024.0, 9000.0)].map(|(at, median)| Point {
            at,
            seeds: 20,
            low: median / 2.0,
            median,
            high: median * 1.5,
        });
    let mut sweep = Sweep {
        points: &points,
        parameter: "TMMs",
        result: "Names tried per TMM, names",
        along: Scale::Linear,
        window: None,
        scale: Scale::Linear,
        hidden: Hidden::NOTHING,
    };
    check("sweep", &sweep);
    sweep.window = Some(Span::new(4.0, 80.0));
    check("sweep, zoomed", &sweep);
    sweep.window = None;
    (sweep.along, sweep.scale) = (Scale::Logarithmic, Scale::Logarithmic);
    check("sweep, logarithmic", &sweep);
}

fn other() -> Snapshot {
    let mut simulation = Simulation::new(&PRESETS[1].scenario(), 2);
    simulation.advance(Budget::Replies(4000));
    simulation.snapshot()
}

#[test]
fn no_words_are_cut_off_or_lie_on_others() {
    let other = other();
    let mut wrong = Vec::new();
    for (name, snapshot) in SNAPSHOTS.iter() {
        each_chart(snapshot, &other, |kind, chart| {
            for (width, height) in SIZES {
                let scene = chart.scene(Size::new(width, height), &Theme::light());
                // Text boxes are estimated generously; half a pixel of them may be outside.
                let area = Frame::new(-0.5, -0.5, width + 0.5, height + 0.5);
                let boxes = scene.text_boxes();
                for (index, (text, frame)) in boxes.iter().enumerate() {
                    if !frame.is_within(&area) {
                        wrong.push(format!(
                            "{name}, {kind} {width}x{height}: `{text}` is cut off"
                        ));
                    }
                    for (under, there) in &boxes[..index] {
                        if frame.inset(0.5).overlaps(&there.inset(0.5)) {
                            wrong.push(format!(
                                "{name}, {kind} {width}x{height}: `{text}` lies on `{under}`"
                            ));
                        }
                    }
                }
            }
        });
    }
    let some: Vec<&String> = wrong
        .iter()
        .step_by(wrong.len().div_ceil(40).max(1))
        .collect();
    assert!(wrong.is_empty(), "{}: {some:#?}", wrong.len());
}

#[test]
fn every_value_is_inside_the_picture_and_found_where_it_is_drawn() {
    let other = other();
    for (name, snapshot) in SNAPSHOTS.iter() {
        each_chart(snapshot, &other, |kind, chart| {
            for (width, height) in [(400.0, 190.0), (960.0, 500.0)] {
                let size = Size::new(width, height);
                let count = chart.len(size);
                for number in (0..count).step_by(count.div_ceil(12).max(1)) {
                    let reading = chart.reading(size, number);
                    let reading = reading.unwrap_or_else(|| panic!("{name}, {kind}: no {number}"));
                    let (x, y) = (reading.x, reading.y);
                    let inside = x >= 0.0 && x <= width && y >= 0.0 && y <= height;
                    assert!(inside, "{name}, {kind} {width}x{height}: {reading:?}");
                    let found = chart.nearest(size, x, y);
                    // Flows may cross: then another one is as near.
                    if kind != "cluster" {
                        assert_eq!(found, Some(number), "{name}, {kind}: {reading:?}");
                    }
                    assert!(found.is_some(), "{name}, {kind}: {reading:?}");
                }
                assert_eq!(chart.reading(size, count), None, "{name}, {kind}");
            }
        });
    }
}

#[test]
fn every_row_of_every_table_is_as_long_as_its_headers() {
    let other = other();
    for (name, snapshot) in SNAPSHOTS.iter() {
        each_chart(snapshot, &other, |kind, chart| {
            let table = chart.table(SIZE);
            for row in &table.rows {
                assert_eq!(row.len(), table.headers.len(), "{name}, {kind}");
            }
        });
    }
}

#[test]
fn tables_hold_every_write() {
    for (name, snapshot) in SNAPSHOTS.iter() {
        let sum = |rows: &[Vec<String>], columns: &[usize]| -> u64 {
            let cells = rows
                .iter()
                .flat_map(|row| columns.iter().map(|column| &row[*column]));
            cells
                .map(|cell| cell.parse::<u64>().expect("a number"))
                .sum()
        };
        let all: u64 = snapshot.tmms.iter().map(|tmm| tmm.all.n).sum();
        let histograms = Histograms::new(snapshot).table(SIZE);
        assert_eq!(sum(&histograms.rows, &[3, 4]), all, "{name}");
        let traffic: u64 = snapshot.traffic.iter().sum();
        let cluster = Cluster::new(snapshot).table(SIZE);
        assert_eq!(sum(&cluster.rows, &[2]), traffic, "{name}");
    }
}

#[test]
fn a_picture_of_any_size_is_drawn() {
    let other = other();
    for (_, snapshot) in SNAPSHOTS.iter().step_by(7) {
        each_chart(snapshot, &other, |_, chart| {
            for (width, height) in [
                (0.0, 0.0),
                (1.0, 1.0),
                (20.0, 300.0),
                (900.0, 8.0),
                (60.0, 40.0),
            ] {
                let size = Size::new(width, height);
                let svg = chart.svg(size, &Theme::dark());
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                let _ = chart.nearest(size, width / 2.0, height / 2.0);
                let _ = chart.reading(size, 0);
            }
        });
    }
}
