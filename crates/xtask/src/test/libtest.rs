use std::fmt;
use std::ops::AddAssign;

/// How many tests or checks had which end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Those that passed.
    pub passed: usize,
    /// Those that failed.
    pub failed: usize,
    /// Those that were left out by `#[ignore]`.
    pub ignored: usize,
}

impl Tally {
    /// A single check that ended as given.
    pub fn check(passed: bool) -> Self {
        if passed {
            Self {
                passed: 1,
                ..Self::default()
            }
        } else {
            Self::one_failed()
        }
    }

    /// A step that could not be carried out.
    pub fn one_failed() -> Self {
        Self {
            failed: 1,
            ..Self::default()
        }
    }

    /// A step in which nothing ran has shown nothing: it counts as failed.
    pub fn with_nothing_run_as_failure(self) -> Self {
        if self.passed + self.failed == 0 {
            Self { failed: 1, ..self }
        } else {
            self
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.ignored > 0 {
            write!(f, ", {} ignored", self.ignored)?;
        }
        Ok(())
    }
}

/// The counts in one line of a test program's output, if it is the line that sums up.
///
/// Both libtest and the wasm test runner print
/// `test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s`.
pub fn tally_of_line(line: &str) -> Option<Tally> {
    let (_, counts) = line
        .trim_start()
        .strip_prefix("test result: ")?
        .split_once(". ")?;
    let count = |what: &str| {
        counts.split(';').find_map(|part| {
            part.trim()
                .strip_suffix(what)?
                .trim_end()
                .parse::<usize>()
                .ok()
        })
    };
    Some(Tally {
        passed: count("passed")?,
        failed: count("failed")?,
        ignored: count("ignored")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summing_line_is_read() {
        let line = "test result: ok. 12 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out; finished in 0.05s";
        assert_eq!(
            tally_of_line(line),
            Some(Tally {
                passed: 12,
                failed: 0,
                ignored: 3
            })
        );
        let line = "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 7 filtered out; finished in 1.00s";
        assert_eq!(
            tally_of_line(line),
            Some(Tally {
                passed: 1,
                failed: 2,
                ignored: 0
            })
        );
        let line =
            "test result: ok. 4 passed; 0 failed; 0 ignored; 0 filtered out; finished in 0.02s\n";
        assert_eq!(
            tally_of_line(line),
            Some(Tally {
                passed: 4,
                failed: 0,
                ignored: 0
            })
        );
    }

    #[test]
    fn other_lines_are_not() {
        for line in [
            "running 5 tests",
            "test published::eight_ownerships ... ok",
            "test result: ok",
            "test result: ok. many passed; 0 failed; 0 ignored",
            "the test result: ok. 1 passed; 0 failed; 0 ignored",
            "",
        ] {
            assert_eq!(tally_of_line(line), None, "{line}");
        }
    }

    #[test]
    fn nothing_run_is_a_failure() {
        assert_eq!(
            Tally::default().with_nothing_run_as_failure(),
            Tally::one_failed()
        );
        assert_eq!(
            Tally {
                ignored: 9,
                ..Tally::default()
            }
            .with_nothing_run_as_failure()
            .failed,
            1
        );
        assert_eq!(
            Tally::check(true).with_nothing_run_as_failure(),
            Tally::check(true)
        );
    }
}
