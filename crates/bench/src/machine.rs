//! The machine and the day on which something was measured.

use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// Where figures were measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Model of the processor.
    pub cpu: String,
    /// Cores that this process may use.
    pub cores: usize,
    /// Operating system.
    pub os: String,
}

impl Machine {
    /// This one. What the system does not tell is `unknown`.
    #[must_use]
    pub fn this() -> Self {
        let cpu = fs::read_to_string("/proc/cpuinfo")
            .ok()
            .and_then(|text| field(&text, "model name", ':').map(str::to_owned));
        let os = fs::read_to_string("/etc/os-release")
            .ok()
            .and_then(|text| field(&text, "PRETTY_NAME", '=').map(str::to_owned));
        Self {
            cpu: cpu.unwrap_or_else(|| "unknown".to_owned()),
            cores: cores(),
            os: os.unwrap_or_else(|| std::env::consts::OS.to_owned()),
        }
    }
}

/// Cores that this process may use.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The value after a name and a separator at the start of a line, without quotation marks.
fn field<'a>(text: &'a str, name: &str, separator: char) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(separator)?;
        (key.trim() == name).then(|| value.trim().trim_matches('"'))
    })
}

/// Processes that wanted a core, on average over the last minute; none where the system does not tell.
#[must_use]
pub fn load() -> Option<f64> {
    let text = fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next()?.parse().ok()
}

/// Most memory that this process has had resident so far, in KiB; none where the system does not tell.
#[must_use]
pub fn peak_resident_kib() -> Option<u64> {
    kib(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM")
}

/// A number of kibibytes in the status of a process.
pub(crate) fn kib(status: &str, name: &str) -> Option<u64> {
    field(status, name, ':')?
        .strip_suffix("kB")?
        .trim()
        .parse()
        .ok()
}

/// Today in UTC, as `2026-11-30`.
#[must_use]
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date(since.map_or(0, |time| time.as_secs() / 86_400))
}

/// The date of a day, counted from 1970-01-01.
fn date(day: u64) -> String {
    let (mut year, mut left) = (1970, day);
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    loop {
        let days = if is_leap(year) { 366 } else { 365 };
        if left < days {
            break;
        }
        left -= days;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if left < days {
            break;
        }
        left -= days;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_the_dates_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(11_017), "2000-03-01");
        assert_eq!(date(20_787), "2026-11-30");
        assert_eq!(date(20_788), "2026-12-01");
    }

    #[test]
    fn fields_are_found_in_what_the_system_tells() {
        let cpu = "processor\t: 0\nmodel name\t: Some CPU @ 2.00GHz\n";
        assert_eq!(field(cpu, "model name", ':'), Some("Some CPU @ 2.00GHz"));
        let os = "NAME=\"Some\"\nPRETTY_NAME=\"Some Linux 12\"\n";
        assert_eq!(field(os, "PRETTY_NAME", '='), Some("Some Linux 12"));
        assert_eq!(
            kib("VmPeak:\t 9 kB\nVmHWM:\t    5120 kB\n", "VmHWM"),
            Some(5120)
        );
        assert_eq!(field("", "model name", ':'), None);
    }
}
