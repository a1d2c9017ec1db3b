//! The file of a sweep: JSON lines, the first of which says what the points are of.
//!
//! ```text
//! {"schema":"subtable-lab/sweep-points","version":1,"parameter":"tmms","scenario":{…}}
//! {"value":"4","seed":1,"result_hash":"…","measures":{"throughput":4374.9,…}}
//! ```
//!
//! `scenario` has every parameter but the one that varies. A sweep that was cut off leaves at most its last line
//! unfinished, and that one is dropped. Points that the present sweep does not ask for are left where they are.

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::measures::MEASURES;
use super::plan::{Job, Plan};
use super::{SweepError, engine};
use crate::{Failure, parameters};

/// Name of the schema.
pub const SCHEMA: &str = "subtable-lab/sweep-points";
/// Version of the schema.
pub const VERSION: u32 = 1;

/// Longest line that is read, in bytes.
const LONGEST_LINE: u64 = 64 << 10;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The [`VERSION`] of the schema.
    pub version: u32,
    /// Id of the parameter that varies.
    pub parameter: String,
    /// Every other parameter by id.
    pub scenario: Map<String, Value>,
}

/// One value under one seed, computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// The value, in text.
    pub value: String,
    /// The seed.
    pub seed: u64,
    /// Stands for everything that can be seen of the run, as in the run's report.
    pub result_hash: String,
    /// Every measure by id; `null` when the run has none.
    pub measures: BTreeMap<String, Option<f64>>,
}

impl Point {
    /// The job that it is the answer to.
    #[must_use]
    pub(super) fn job(&self) -> Job {
        Job {
            value: self.value.clone(),
            seed: self.seed,
        }
    }
}

impl Header {
    fn of(plan: &Plan) -> Self {
        let others = plan
            .base
            .scenario
            .iter()
            .filter(|(parameter, _)| parameter.id != plan.parameter.id);
        Self {
            schema: SCHEMA.to_string(),
            version: VERSION,
            parameter: plan.parameter.id.to_string(),
            scenario: others
                .map(|(parameter, stored)| {
                    (
                        parameter.id.to_string(),
                        parameters::value(parameter, stored),
                    )
                })
                .collect(),
        }
    }

    /// What differs from another header, in words.
    fn difference(&self, there: &Self) -> Option<String> {
        if there.version != self.version {
            return Some(format!(
                "it has version {} of the format, not {}",
                there.version, self.version
            ));
        }
        if there.parameter != self.parameter {
            return Some(format!(
                "it varies `{}`, not `{}`",
                there.parameter.escape_debug(),
                self.parameter
            ));
        }
        let ids: HashSet<&String> = self.scenario.keys().chain(there.scenario.keys()).collect();
        let mut differing: Vec<&String> = ids
            .into_iter()
            .filter(|id| self.scenario.get(*id) != there.scenario.get(*id))
            .collect();
        differing.sort_unstable();
        let id = differing.first()?;
        let said =
            |value: Option<&Value>| value.map_or_else(|| "absent".to_string(), Value::to_string);
        Some(format!(
            "{} is {} there and {} here",
            id.escape_debug(),
            said(there.scenario.get(*id)),
            said(self.scenario.get(*id))
        ))
    }
}

/// The file, open for more points.
#[derive(Debug)]
pub struct PointsFile {
    path: PathBuf,
    file: File,
    points: Vec<Point>,
}

impl PointsFile {
    /// Opens or creates the file, reads what is there, and holds it for this sweep alone.
    pub(super) fn open(path: &Path, plan: &Plan) -> Result<Self, Failure> {
        let attempt = Failure::file(path, "keep the sweep in");
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(&attempt)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(SweepError::InUse {
                    path: path.to_path_buf(),
                }
                .into());
            }
            // Some file systems have no locks; the sweep works there all the same.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut opened = Self {
            path: path.to_path_buf(),
            file,
            points: Vec::new(),
        };
        let header = Header::of(plan);
        let end = opened.read(&header)?;
        // Everything is checked before anything is changed: a refused file stays as it was.
        opened.check_model(plan)?;
        opened.file.set_len(end).map_err(&attempt)?;
        opened.file.seek(SeekFrom::End(0)).map_err(&attempt)?;
        if end == 0 {
            opened.write_line(&header)?;
        }
        Ok(opened)
    }

    /// Reads header and points; returns where the last whole line ends.
    fn read(&mut self, header: &Header) -> Result<u64, Failure> {
        let attempt = Failure::file(&self.path, "read");
        let mut reader = BufReader::new(&self.file);
        let (mut end, mut number, mut line) = (0, 0, Vec::new());
        let mut points = Vec::new();
        loop {
            line.clear();
            let length = reader
                .by_ref()
                .take(LONGEST_LINE)
                .read_until(b'\n', &mut line)
                .map_err(&attempt)? as u64;
            number += 1;
            if line.last() != Some(&b'\n') {
                self.check_rest(&line, number, header)?;
                break;
            }
            if number == 1 {
                self.check_header(&line, header)?;
            } else {
                let point = serde_json::from_slice(&line)
                    .map_err(|error| self.not_points(number, error.to_string()))?;
                points.push(point);
            }
            end += length;
        }
        self.points = points;
        Ok(end)
    }

    fn check_header(&self, line: &[u8], header: &Header) -> Result<(), Failure> {
        let there: Header =
            serde_json::from_slice(line).map_err(|error| self.not_points(1, error.to_string()))?;
        if there.schema != SCHEMA {
            return Err(self.not_points(1, format!("the schema is not `{SCHEMA}`")));
        }
        match header.difference(&there) {
            Some(difference) => Err(SweepError::OtherSweep {
                path: self.path.clone(),
                difference,
            }
            .into()),
            None => Ok(()),
        }
    }

    /// What follows the last line end may be dropped only when it is the beginning of a line of ours.
    fn check_rest(&self, rest: &[u8], number: u64, header: &Header) -> Result<(), Failure> {
        if rest.len() as u64 == LONGEST_LINE {
            return Err(self.not_points(number, format!("longer than {LONGEST_LINE} bytes")));
        }
        if number == 1 && !serde_json::to_vec(header)?.starts_with(rest) {
            return Err(self.not_points(1, "the first line has no end".to_string()));
        }
        Ok(())
    }

    /// The first point that is there is computed again: when the model has changed since, old and new points must not be
    /// mixed.
    fn check_model(&self, plan: &Plan) -> Result<(), Failure> {
        let Some(there) = self.points.first() else {
            return Ok(());
        };
        let here = engine::point(plan, &there.job())
            .map_err(|error| self.not_points(2, error.to_string()))?;
        if here.result_hash == there.result_hash {
            return Ok(());
        }
        Err(SweepError::OtherModel {
            path: self.path.clone(),
            value: there.value.clone(),
            seed: there.seed,
        }
        .into())
    }

    fn not_points(&self, line: u64, reason: String) -> Failure {
        SweepError::NotPoints {
            path: self.path.clone(),
            line,
            reason,
        }
        .into()
    }

    /// The points of the plan that the file held, each once and with every measure.
    pub(super) fn take_points(&mut self, plan: &Plan) -> Vec<Point> {
        let mut wanted: HashSet<Job> = plan.jobs().collect();
        let whole = |point: &Point| {
            MEASURES
                .iter()
                .all(|measure| point.measures.contains_key(measure.id))
        };
        let points = std::mem::take(&mut self.points).into_iter();
        points
            .filter(|point| whole(point) && wanted.remove(&point.job()))
            .collect()
    }

    /// Adds a point, which is in the file when this returns.
    pub(super) fn append(&mut self, point: &Point) -> Result<(), Failure> {
        self.write_line(point)
    }

    fn write_line(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(value)?;
        line.push(b'\n');
        let attempt = Failure::file(&self.path, "keep the sweep in");
        self.file.write_all(&line).map_err(attempt)
    }
}
