//! `analyse`: logs of real systems, as their owners would give them.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;
use subtable_lab::Exit;

use crate::{Answer, Tested, lab, lab_fed, lab_with};

/// A file of the corpus of logs.
pub fn corpus(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/logs");
    folder.join(name).display().to_string()
}

/// All inputs of the corpus of logs.
pub fn inputs() -> Result<Vec<String>, Box<dyn Error>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(corpus(""))? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension != "expected")
        {
            files.push(path.display().to_string());
        }
    }
    files.sort();
    Ok(files)
}

fn report(answer: &Answer) -> Result<Value, Box<dyn Error>> {
    Ok(serde_json::from_str(&answer.out)?)
}

/// The reference's arithmetic, written down once more without anything of ours: all clicks of a TMM in a list, sorted.
struct Plain {
    clicks: Vec<u64>,
    fast: usize,
    slow: usize,
}

impl Plain {
    /// What stands in a log, by TMM: any line with `sampled`, wherever its fields are.
    fn read(log: &str) -> Vec<Self> {
        let number = |line: &str, field: &str| -> Option<u64> {
            let after = &line[line.find(field)? + field.len()..];
            let digits = after.split(|c: char| !c.is_ascii_digit()).next()?;
            digits.parse().ok()
        };
        let mut tmms: Vec<Self> = Vec::new();
        for line in log.lines().filter(|line| line.contains("sampled 1/")) {
            let (Some(tmm), Some(clicks)) = (number(line, "tmm="), number(line, "clicks=")) else {
                continue;
            };
            while tmms.len() as u64 <= tmm {
                tmms.push(Self {
                    clicks: Vec::new(),
                    fast: 0,
                    slow: 0,
                });
            }
            let Ok(tmm) = usize::try_from(tmm) else {
                continue;
            };
            tmms[tmm].clicks.push(clicks);
            tmms[tmm].fast += usize::from(line.contains("FAST_LOCAL"));
            tmms[tmm].slow += usize::from(line.contains("SLOW"));
        }
        for tmm in &mut tmms {
            tmm.clicks.sort_unstable();
        }
        tmms
    }

    fn percentile(&self, percent: usize) -> u64 {
        let n = self.clicks.len();
        self.clicks[(n - 1).min(n * percent / 100)]
    }

    /// The row as people see it, without its name.
    fn row(&self, label: &str) -> Vec<String> {
        let n = self.clicks.len();
        let average = self.clicks.iter().sum::<u64>() as f64 / n as f64;
        let mut row = vec![label.to_string()];
        row.extend([n, self.fast, self.slow].map(|count| count.to_string()));
        row.extend([0, 50].map(|p| self.percentile(p).to_string()));
        row.push(format!("{average:.1}"));
        row.extend([95, 99, 100].map(|p| self.percentile(p).to_string()));
        row
    }
}

/// A log of some TMMs under a plain generator of numbers: prefixes, orders of fields and line ends all mixed.
fn mixed_log(lines: u32, mut state: u64) -> String {
    let mut log = String::new();
    for line in 0..lines {
        let mut draw = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % below
        };
        let tmm = draw(5);
        let clicks = if tmm == 4 || draw(9) == 0 {
            100 + draw(300_000)
        } else {
            2 + draw(40)
        };
        let tag = if clicks < 100 { "FAST_LOCAL" } else { "SLOW" };
        let prefix = [
            "",
            "Nov 30 20:15:01 box tmm3[17]: Rule /Common/LOCALDB <HTTP_REQUEST>: ",
            "<134>1 2026-11-30T20:15:01.5Z box tmm - - - ",
        ][usize::try_from(draw(3)).unwrap_or(0)];
        let fields = if draw(2) == 0 {
            format!("tmm={tmm} subtable=s{tmm} writes={line} key=k{line} clicks={clicks} {tag}")
        } else {
            format!("clicks={clicks} {tag} key=k{line} writes={line} subtable=s{tmm} tmm={tmm}")
        };
        let end = if draw(2) == 0 { "\r\n" } else { "\n" };
        let _ = write!(
            log,
            "{prefix}{fields} (sampled 1/{}){end}",
            [500, 1000][usize::from(line > 700)]
        );
        if draw(7) == 0 {
            log.push_str("Nov 30 20:15:02 box sshd[1]: Accepted publickey for clicks and tmm\n");
        }
    }
    log
}

#[test]
fn tables_equal_the_reference_rule_to_the_digit() -> Tested {
    for (lines, seed) in [(1, 1), (40, 2), (1500, 3), (20_000, 4)] {
        let log = mixed_log(lines, seed);
        let expected = Plain::read(&log);
        let answer = lab_fed(log.as_bytes(), ["analyse"]);
        let mut rows = answer.out.lines().skip(1);
        for (tmm, plain) in expected.iter().enumerate() {
            if plain.clicks.is_empty() {
                continue;
            }
            let row = rows.next().ok_or("a row for each TMM")?;
            let mut cells: Vec<&str> = row.split_whitespace().collect();
            assert_eq!(cells.pop(), Some(&*format!("s{tmm}")));
            assert_eq!(cells, plain.row(&tmm.to_string()), "{lines} lines");
        }
        let slow: Vec<usize> = (0..expected.len())
            .filter(|tmm| {
                let clicks = &expected[*tmm].clicks;
                clicks.iter().sum::<u64>() >= 100 * clicks.len() as u64 && !clicks.is_empty()
            })
            .collect();
        let json = report(&lab_fed(log.as_bytes(), ["analyse", "--json"]))?;
        assert_eq!(json["verdict"]["slow_tmms"], serde_json::to_value(&slow)?);
        assert_eq!(answer.exit == Exit::LocalityIssue, !slow.is_empty());
        for row in json["per_tmm"].as_array().ok_or("a list")? {
            let tmm = usize::try_from(row["tmm"].as_u64().ok_or("a number")?)?;
            let plain = &expected[tmm];
            assert_eq!(row["n"], plain.clicks.len());
            assert_eq!(
                (&row["fast"], &row["slow"]),
                (&plain.fast.into(), &plain.slow.into())
            );
            for (key, percent) in [
                ("min", 0),
                ("p50", 50),
                ("p95", 95),
                ("p99", 99),
                ("max", 100),
            ] {
                assert_eq!(row[key], plain.percentile(percent), "TMM {tmm}: {key}");
            }
        }
    }
    Ok(())
}

#[test]
fn the_corpus_has_the_status_of_its_verdict() -> Tested {
    for file in inputs()? {
        let expected = fs::read_to_string(format!("{file}.expected"))?;
        let status = if expected.contains("\nverdict: OK") {
            Exit::Success
        } else if expected.contains("\nverdict: LOCALITY ISSUE") {
            Exit::LocalityIssue
        } else {
            Exit::Unusable
        };
        for format in ["table", "json", "csv"] {
            let answer = lab_with(["analyse", &file, "--format", format]);
            assert_eq!(answer.exit, status, "{file}: {}", answer.err);
            assert_eq!(answer.err.is_empty(), status != Exit::Unusable, "{file}");
        }
        // The same through a pipe.
        let piped = lab_fed(&fs::read(&file)?, ["analyse", "-"]);
        let named = lab_with(["analyse", &file]);
        assert_eq!((piped.exit, piped.out), (named.exit, named.out), "{file}");
    }
    Ok(())
}

#[test]
fn what_a_run_writes_is_read_as_the_run_reports_it() -> Tested {
    let folder = tempfile::tempdir()?;
    let log = folder.path().join("run.log").display().to_string();
    for (preset, status) in [
        ("published-deterministic", Exit::LocalityIssue),
        ("published-discovered", Exit::Success),
    ] {
        let run = lab_with(["run", "--preset", preset, "--log", &log, "--json"]);
        let run: Value = serde_json::from_str(&run.out)?;
        let answer = lab_with(["analyse", &log, "--json"]);
        assert_eq!(answer.exit, status);
        let analysis = report(&answer)?;
        assert_eq!(
            analysis["verdict"]["slow_tmms"],
            run["verdict"]["slow_tmms"]
        );
        let rows = [&run, &analysis].map(|report| report["per_tmm"].as_array());
        let [Some(ran), Some(read)] = rows else {
            return Err("two lists".into());
        };
        assert_eq!(ran.len(), read.len());
        for (ran, read) in ran.iter().zip(read) {
            for key in [
                "tmm", "fast", "slow", "min", "p50", "avg", "p95", "p99", "max",
            ] {
                assert_eq!(read[key], ran[key], "{preset}: {key}");
            }
        }
    }
    Ok(())
}

#[test]
fn input_that_tells_nothing_is_refused_with_the_reason() {
    for (input, words, said) in [
        (&b""[..], "analyse", "standard input: empty"),
        (
            b"hello\n\nworld\n",
            "analyse",
            "standard input: none of 3 lines",
        ),
        (
            b"PROBE tmm=1 subtable=a clicks=5 entries=3 OWNER\n",
            "analyse",
            "none of 1 understood line times a write (--all-lines takes probes for writes)",
        ),
        (
            b"tmm=1 CLIENT_ACCEPTED accepts=3 from 10.0.0.1:4000\n",
            "analyse --svg x.svg",
            "cannot draw x.svg: the input has no writes that are timed one by one",
        ),
        (
            b"",
            "analyse /nowhere/at.log",
            "cannot read /nowhere/at.log: ",
        ),
        (b"", "analyse --threshold 0", "a whole number from 1 to"),
    ] {
        let answer = lab_fed(input, words.split_whitespace());
        assert_eq!(answer.exit, Exit::Unusable, "{words}");
        assert!(answer.err.starts_with("error: "), "{}", answer.err);
        assert!(answer.err.contains(said), "{words}: {}", answer.err);
    }
    let probes = b"PROBE tmm=1 subtable=a clicks=5 entries=3 OWNER\n";
    let all = lab_fed(probes, ["analyse", "--all-lines"]);
    assert_eq!(all.exit, Exit::Success, "{}", all.err);
}

#[test]
fn slow_and_skipped_lines_are_listed_where_they_stand() {
    let log = "tmm=0 subtable=a writes=1 key=k1 clicks=4 FAST_LOCAL (sampled 1/1)\n\
               tmm=0 subtable=a writes=2 key=k2 clicks=900 SLOW (sampled 1/1)\n\
               tmm=0 subtable=a writes=3 key=k3 clicks=x SLOW (sampled 1/1)\n\
               tmm=0 subtable=a writes=4 key=\x1b[31mk4 clicks=901 SLOW (sampled 1/1)\n\
               somebody else's\n";
    let short = lab_fed(log.as_bytes(), ["analyse"]);
    assert!(!short.out.contains("k2") && !short.out.contains("somebody"));
    let listed = lab_fed(
        log.as_bytes(),
        ["analyse", "--show-slow=1", "--show-skipped"],
    );
    assert_eq!(listed.exit, Exit::LocalityIssue);
    for said in [
        "   2    0     900  a         k2",
        "and 1 more slow writes",
        "5 lines read, 3 used, 2 skipped (1 broken, 1 not of the harness)",
        "  line 3: clicks= is not a whole number: tmm=0 subtable=a writes=3",
        "  line 5: not a line of the harness: somebody else's",
    ] {
        assert!(listed.out.contains(said), "{said}: {}", listed.out);
    }
    let all = lab_fed(log.as_bytes(), ["analyse", "--show-slow"]);
    assert!(
        all.out.contains("k4") && !all.out.contains('\x1b'),
        "{}",
        all.out
    );
}

#[test]
fn a_change_is_told_by_two_logs_and_drawn() -> Tested {
    let folder = tempfile::tempdir()?;
    let picture = folder.path().join("after.svg").display().to_string();
    let (before, after) = (
        corpus("deterministic-names.log"),
        corpus("published-session.log"),
    );
    let words = ["analyse", "--before", &before, &after, "--svg", &picture];
    let answer = lab_with(words);
    assert_eq!(
        answer.exit,
        Exit::Success,
        "the status is that of the later log"
    );
    assert!(
        answer
            .out
            .contains("Fixed: a locality issue before, none after"),
        "{}",
        answer.out
    );
    let svg = fs::read_to_string(&picture)?;
    assert!(svg.starts_with("<svg") && svg.contains("TMM 3") && svg.contains("threshold 100"));
    let comparison = &report(&lab_with(words.into_iter().chain(["--json"])))?["comparison"];
    assert_eq!(comparison["verdict"], "fixed");
    assert_eq!(comparison["fixed_tmms"], serde_json::json!([0, 1, 2]));

    let turned = lab(&format!("analyse --before {after} {before} --format csv"));
    assert_eq!(turned.exit, Exit::LocalityIssue);
    let mut reader = csv::Reader::from_reader(turned.out.as_bytes());
    let heading = reader.headers()?.clone();
    assert_eq!(
        (&heading[0], &heading[1], &heading[10]),
        ("tmm", "n_before", "n_after")
    );
    assert_eq!(reader.records().count(), 4);
    Ok(())
}
