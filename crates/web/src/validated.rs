//! The validated session, step by step: what its client and its analyser print of the model's runs, beside what they
//! printed of the published ones.
//!
//! Each step is a run of its own under the same seed; what a step finds there before it (the names, the entries of the
//! step before) is set in its scenario.

use std::fmt::Write as _;

use subtable_model::preset::Preset;
use subtable_model::scenario::link;
use subtable_model::snapshot::TmmSnapshot;
use subtable_model::{Budget, Scenario, Simulation, Snapshot};

/// A step of the session.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What it is called.
    pub title: &'static str,
    /// What it does, and what to compare.
    pub says: &'static str,
    /// Its preset.
    preset: &'static str,
    /// What differs from that.
    settings: &'static [(&'static str, &'static str)],
    /// What was printed of the published session, in the same layout. Figures that were not published are dashes.
    pub published: &'static str,
    print: fn(&Snapshot) -> String,
}

/// The steps, in order.
pub const STEPS: [Step; 5] = [
    Step {
        title: "1. whoami: 30 requests reach all TMMs",
        says: "Each TMM has found a name that it owns itself. Other names than the published ones: they are random.",
        preset: "published-discovered",
        settings: &[("workload", "whoami"), ("records", "30"), ("workers", "1")],
        published: "\
tmm 0 subtable localdb_tmm_0_865802 total_tmms 4
tmm 1 subtable localdb_tmm_1_922743 total_tmms 4
tmm 2 subtable localdb_tmm_2_5946 total_tmms 4
tmm 3 subtable localdb_tmm_3_441563 total_tmms 4
",
        print: whoami,
    },
    Step {
        title: "2. reset: 200 requests, 32 workers",
        says: "Every TMM is reached many times, and deletes its entries once. What the published one deleted is not known; here each finds 25,000.",
        preset: "published-discovered",
        settings: &[
            ("workload", "reset"),
            ("records", "200"),
            ("workers", "32"),
            ("entries", "25000"),
        ],
        published: "\
TMM  hits  first_deleted  total_deleted
  0    50              -              -
  1    47              -              -
  2    55              -              -
  3    48              -              -
",
        print: reset,
    },
    Step {
        title: "3. load: 100,000 records, 64 workers",
        says: "A flat rate from the first record to the last, and a quarter of the writes on each TMM.",
        preset: "published-discovered",
        settings: &[],
        published: "\
completed=100000/100000 (100.0%) rate=4375.0/s coverage=4/4 missing=[] errors=0
TMM 0: 25198 (25.2%)
TMM 1: 24782 (24.8%)
TMM 2: 24914 (24.9%)
TMM 3: 25106 (25.1%)
",
        print: load,
    },
    Step {
        title: "4. timing: the analyser reads the log of that load",
        says: "98 lines, one write in 1,000, and not one of them SLOW.",
        preset: "published-discovered",
        settings: &[],
        published: "\
TMM    n  FAST  SLOW   min   p50       avg   p95   p99    max
  0   25    25     0     3     5       5.5    10    11     11
  1   24    24     0     3     5       6.1    11    18     18
  2   24    24     0     2     6       6.1    10    11     11
  3   25    25     0     2     6       6.5    12    13     13
total 98    98     0     2     -         -     -     -     18
Verdict: OK: every TMM averages below 100 clicks.
",
        print: timing,
    },
    Step {
        title: "5. probe: 200 requests time a write to one name",
        says: "One TMM is the owner, and a click count tells which. The published hits (55, 70, 8, 67) are the one figure that a fair DAG does not give.",
        preset: "probe",
        settings: &[],
        published: "\
TMM  hits  OWNER  NON_OWNER  min_clicks  avg_clicks  max_clicks
  0    55      0         55         286      5139.9       19814
  1    70      0         70         127     12475.3       52544
  2     8      8          0           3         8.6          20
  3    67      0         67         238      7126.6       51939
likely owner: TMM 2
",
        print: probe,
    },
];

impl Step {
    /// Its run under a seed.
    ///
    /// # Panics
    /// Never: a test makes the run of every step.
    #[must_use]
    pub fn run(&self, seed: u64) -> link::Run {
        let preset = Preset::find(self.preset).expect("the preset of a step");
        let mut scenario = preset.scenario();
        for (id, value) in self.settings {
            scenario.set(id, value).expect("a setting of a step");
        }
        link::Run {
            preset,
            scenario,
            seed,
            others: Vec::new(),
        }
    }

    /// Makes its run and prints what the terminal shows.
    #[must_use]
    pub fn report(&self, run: &link::Run) -> String {
        let mut text = String::new();
        let mut simulation = Simulation::new(&run.scenario, run.seed);
        let all = simulation.snapshot().requests;
        if all >= MANY {
            // A load tells its progress.
            for _ in 1..PROGRESS_LINES {
                simulation.advance(Budget::Replies(all / PROGRESS_LINES));
                text.push_str(&progress(&simulation.snapshot()));
            }
        }
        simulation.advance(Budget::Unlimited);
        text.push_str(&(self.print)(&simulation.snapshot()));
        text
    }
}

/// Requests from which progress is printed, and how many lines.
const MANY: u64 = 10_000;
const PROGRESS_LINES: u64 = 4;

fn numbered(snapshot: &Snapshot) -> impl Iterator<Item = (usize, &TmmSnapshot)> {
    snapshot.tmms.iter().enumerate()
}

fn whoami(snapshot: &Snapshot) -> String {
    let mut text = String::new();
    for (number, tmm) in numbered(snapshot) {
        let name = tmm
            .subtable
            .and_then(|index| snapshot.subtables.get(index as usize))
            .map_or("-", |subtable| subtable.name.as_str());
        let total = snapshot.tmms.len();
        let _ = writeln!(text, "tmm {number} subtable {name} total_tmms {total}");
    }
    text
}

fn reset(snapshot: &Snapshot) -> String {
    let mut text = String::from("TMM  hits  first_deleted  total_deleted\n");
    // Only the first reset of a TMM finds entries: those that its name had before.
    let reached = snapshot.tmms.iter().filter(|tmm| tmm.hits > 0).count() as u64;
    let each = snapshot.deleted / reached.max(1);
    for (number, tmm) in numbered(snapshot) {
        let deleted = if tmm.hits > 0 { each } else { 0 };
        let _ = writeln!(
            text,
            "{number:>3} {:>5} {deleted:>14} {deleted:>14}",
            tmm.hits
        );
    }
    text
}

fn progress(snapshot: &Snapshot) -> String {
    let missing: Vec<String> = numbered(snapshot)
        .filter(|(_, tmm)| tmm.writes == 0)
        .map(|(number, _)| number.to_string())
        .collect();
    let all = snapshot.tmms.len();
    format!(
        "completed={}/{} ({:.1}%) rate={:.1}/s coverage={}/{all} missing=[{}] errors={}\n",
        snapshot.replies,
        snapshot.requests,
        snapshot.replies as f64 / snapshot.requests.max(1) as f64 * 100.0,
        snapshot.replies_per_s(),
        all - missing.len(),
        missing.join(","),
        snapshot.refused + snapshot.given_up,
    )
}

fn load(snapshot: &Snapshot) -> String {
    let mut text = progress(snapshot);
    let all: u64 = snapshot.tmms.iter().map(|tmm| tmm.writes).sum();
    for (number, tmm) in numbered(snapshot) {
        let percent = tmm.writes as f64 / all.max(1) as f64 * 100.0;
        let _ = writeln!(text, "TMM {number}: {} ({percent:.1}%)", tmm.writes);
    }
    text
}

fn timing(snapshot: &Snapshot) -> String {
    let mut text = String::from("TMM    n  FAST  SLOW   min   p50       avg   p95   p99    max\n");
    let rows: Vec<_> = (0..snapshot.tmms.len())
        .map(|tmm| snapshot.row(tmm))
        .collect();
    for (number, row) in rows.iter().enumerate() {
        let _ = writeln!(
            text,
            "{number:>3} {:>4} {:>5} {:>5} {:>5} {:>5} {:>9.1} {:>5} {:>5} {:>6}",
            row.n, row.fast, row.slow, row.min, row.p50, row.avg, row.p95, row.p99, row.max
        );
    }
    let written = rows.iter().filter(|row| row.n > 0);
    let sum =
        |of: fn(&subtable_model::statistics::Summary) -> u64| rows.iter().map(of).sum::<u64>();
    let _ = writeln!(
        text,
        "total {:>2} {:>5} {:>5} {:>5}     -         -     -     - {:>6}",
        sum(|row| row.n),
        sum(|row| row.fast),
        sum(|row| row.slow),
        written.clone().map(|row| row.min).min().unwrap_or(0),
        written.map(|row| row.max).max().unwrap_or(0),
    );
    let verdict = snapshot.verdict();
    let _ = if verdict.ok {
        writeln!(
            text,
            "Verdict: OK: every TMM averages below {} clicks.",
            snapshot.threshold
        )
    } else {
        writeln!(
            text,
            "Verdict: locality issue: {}.",
            crate::words::tmms(&verdict.slow_tmms)
        )
    };
    text
}

fn probe(snapshot: &Snapshot) -> String {
    let mut text =
        String::from("TMM  hits  OWNER  NON_OWNER  min_clicks  avg_clicks  max_clicks\n");
    for (number, tmm) in numbered(snapshot) {
        let all = &tmm.all;
        let _ = writeln!(
            text,
            "{number:>3} {:>5} {:>6} {:>10} {:>11} {:>11.1} {:>11}",
            tmm.hits, all.fast, all.slow, all.min, all.avg, all.max
        );
    }
    // The rule of the client: the lowest average among those that were tagged as owner.
    let tagged = numbered(snapshot).filter(|(_, tmm)| tmm.all.fast > 0);
    match tagged.min_by(|(_, a), (_, b)| a.all.avg.total_cmp(&b.all.avg)) {
        Some((number, _)) => {
            let _ = writeln!(text, "likely owner: TMM {number}");
        }
        None => text.push_str("likely owner: none was tagged\n"),
    }
    text
}

/// Requests with which a name is probed: as many as the client sends unless told otherwise, and enough for many TMMs.
fn probes(tmms: u64) -> u64 {
    (25 * tmms).max(500)
}

/// What the probe client prints of a name, on a cluster set as a scenario says.
#[must_use]
pub fn probe_of(name: &str, scenario: &Scenario, seed: u64) -> String {
    let mut scenario = scenario.clone();
    let requests = probes(scenario.tmms()).to_string();
    for (id, value) in [
        ("workload", "probe"),
        ("records", &requests),
        ("workers", "32"),
        ("runs", "1"),
        ("arrivals", "closed"),
    ] {
        // All of them are inside their ranges.
        let set = scenario.set(id, value);
        debug_assert!(set.is_ok(), "{set:?}");
    }
    let mut simulation = Simulation::new(&scenario, seed);
    simulation.probe(name);
    simulation.advance(Budget::Unlimited);
    probe(&simulation.snapshot())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLISHED: &str = include_str!("../../../tests/published.toml");

    fn report(step: usize) -> String {
        let step = STEPS[step];
        step.report(&step.run(1))
    }

    #[test]
    fn every_published_figure_of_the_steps_stands_in_the_record() {
        for step in &STEPS {
            for line in step.published.lines() {
                for word in line.split([' ', '/', '=', '(', ')', ':']) {
                    let figure = word.parse::<f64>().is_ok() && word.len() >= 4;
                    let name = word.starts_with("localdb_");
                    // 4375.0 is written as a whole number there.
                    let word = word.trim_end_matches(".0");
                    let listed = PUBLISHED.contains(word);
                    assert!(listed || !(figure || name), "{}: {word}", step.title);
                }
            }
        }
    }

    #[test]
    fn all_tmms_are_found_and_own_their_names() {
        let text = report(0);
        assert_eq!(text.lines().count(), 4, "{text}");
        for (number, line) in text.lines().enumerate() {
            let expected = format!("tmm {number} subtable localdb_tmm_{number}_");
            assert!(line.starts_with(&expected), "{line}");
        }
    }

    #[test]
    fn what_the_resets_delete_is_what_was_there() {
        let text = report(1);
        let rows: Vec<Vec<u64>> = text
            .lines()
            .skip(1)
            .map(|line| {
                line.split_whitespace()
                    .map(|cell| cell.parse().unwrap())
                    .collect()
            })
            .collect();
        assert_eq!(rows.iter().map(|row| row[1]).sum::<u64>(), 200, "{text}");
        assert!(rows.iter().all(|row| row[2] == 25_000), "{text}");
    }

    #[test]
    fn the_load_tells_its_progress_and_ends_whole() {
        let text = report(2);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with("completed=25000/100000 (25.0%) rate="),
            "{text}"
        );
        assert!(
            lines[3].contains("(100.0%)") && lines[3].ends_with("errors=0"),
            "{text}"
        );
        let writes: u64 = lines[4..]
            .iter()
            .map(|line| line.split(' ').nth(2).unwrap().parse::<u64>().unwrap())
            .sum();
        assert_eq!(writes, 100_000);
    }

    #[test]
    fn the_timing_is_that_of_the_same_load_and_is_ok() {
        let text = report(3);
        let total = text.lines().find(|line| line.starts_with("total")).unwrap();
        let n: u64 = total.split_whitespace().nth(1).unwrap().parse().unwrap();
        // floor(writes / 1000) of four TMMs: 97 to 100.
        assert!((97..=100).contains(&n), "{text}");
        assert!(
            text.ends_with("Verdict: OK: every TMM averages below 100 clicks.\n"),
            "{text}"
        );
    }

    #[test]
    fn probing_any_name_finds_the_owner_that_the_hash_picks() {
        let scenario = Preset::find("published-deterministic").unwrap().scenario();
        for (name, owner) in [("localdb_tmm_0", 2), ("localdb_tmm_3", 3)] {
            let text = probe_of(name, &scenario, 1);
            assert!(
                text.ends_with(&format!("likely owner: TMM {owner}\n")),
                "{text}"
            );
        }
        let mut many = scenario.clone();
        many.set("tmms", "64").unwrap();
        let owner = crate::elsewhere::owner(&many, "any name");
        let told = probe_of("any name", &many, 1);
        let told = told
            .lines()
            .last()
            .unwrap()
            .trim_start_matches("likely owner: ");
        assert!(owner.starts_with(told), "{owner}, but {told}");
    }

    #[test]
    fn the_probe_tells_the_owner() {
        assert!(
            report(4).ends_with("likely owner: TMM 2\n"),
            "{}",
            report(4)
        );
    }
}
