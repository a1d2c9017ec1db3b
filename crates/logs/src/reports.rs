//! Text reports: the tables and the progress that the harness's client prints, and its analyser's table.

mod load;
mod table;

use serde::{Deserialize, Serialize};

pub use self::load::{LoadPoint, LoadReport, Progress, Share};
use self::table::{Layout, TableKind};
use crate::faults::Fault;
use crate::limits::{MAX_REPORTS, MAX_TMM};
use crate::lines::Ending;
use crate::times::{TmmTimes, TotalTimes};

/// A row of the probe client's table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbeRow {
    /// The TMM.
    pub tmm: u16,
    /// Requests that it took.
    pub hits: u64,
    /// Probes tagged `OWNER`.
    pub owner: u64,
    /// Probes tagged `NON_OWNER`.
    pub non_owner: u64,
    /// The fewest clicks.
    pub min: u32,
    /// The mean clicks.
    pub avg: f64,
    /// The most clicks.
    pub max: u32,
}

/// A row of the reset client's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResetRow {
    /// The TMM.
    pub tmm: u16,
    /// Requests that it took.
    pub hits: u64,
    /// Entries that the first of them deleted.
    pub first_deleted: u64,
    /// Entries that all of them deleted.
    pub total_deleted: u64,
}

/// A row of the bulk client's table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BulkRow {
    /// The TMM.
    pub tmm: u16,
    /// Posts that it took.
    pub posts: u64,
    /// Keys that it wrote.
    pub writes: u64,
    /// Its share of the writes in percent, as printed.
    pub percent: Option<f64>,
    /// Mean clicks per write.
    pub avg: f64,
    /// The fewest, of its posts.
    pub min: f64,
    /// The most, of its posts.
    pub max: f64,
}

/// One report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Report {
    /// The analyser's table.
    Analyser {
        /// One row a TMM.
        rows: Vec<TmmTimes>,
        /// Its total line, where it has every column.
        total: Option<TotalTimes>,
    },
    /// The probe client's table.
    Probe {
        /// One row a TMM.
        rows: Vec<ProbeRow>,
    },
    /// The reset client's table.
    Reset {
        /// One row a TMM.
        rows: Vec<ResetRow>,
    },
    /// The bulk client's table.
    Bulk {
        /// One row a TMM.
        rows: Vec<BulkRow>,
        /// Posts a second, where printed.
        posts_per_s: Option<f64>,
        /// Writes a second, where printed.
        writes_per_s: Option<f64>,
    },
    /// The load client's progress and final distribution.
    Load(LoadReport),
}

impl Report {
    /// What each TMM took, in the report's own unit: its name and (TMM, count).
    pub(crate) fn hits(&self) -> (&'static str, Vec<(u16, u64)>) {
        match self {
            Self::Analyser { .. } => ("analyser table", Vec::new()),
            Self::Probe { rows } => (
                "probe table",
                rows.iter().map(|row| (row.tmm, row.hits)).collect(),
            ),
            Self::Reset { rows } => (
                "reset table",
                rows.iter().map(|row| (row.tmm, row.hits)).collect(),
            ),
            Self::Bulk { rows, .. } => (
                "bulk table",
                rows.iter().map(|row| (row.tmm, row.posts)).collect(),
            ),
            Self::Load(load) => (
                "load distribution",
                load.distribution
                    .iter()
                    .map(|share| (share.tmm, share.count))
                    .collect(),
            ),
        }
    }

    fn empty(kind: TableKind) -> Self {
        match kind {
            TableKind::Analyser => Self::Analyser {
                rows: Vec::new(),
                total: None,
            },
            TableKind::Probe => Self::Probe { rows: Vec::new() },
            TableKind::Reset => Self::Reset { rows: Vec::new() },
            TableKind::Bulk => Self::Bulk {
                rows: Vec::new(),
                posts_per_s: None,
                writes_per_s: None,
            },
            TableKind::Distribution => Self::Load(LoadReport::default()),
        }
    }

    /// Adds a row of a table; more rows than there can be TMMs are refused.
    fn add_row(&mut self, row: &table::Row<'_>) -> Result<(), Fault> {
        fn push<T>(rows: &mut Vec<T>, row: T) -> Result<(), Fault> {
            if rows.len() > usize::from(MAX_TMM) {
                return Err(Fault::TooMany);
            }
            rows.push(row);
            Ok(())
        }
        match self {
            Self::Analyser { rows, .. } => push(rows, row.times()?.for_tmm(row.tmm)),
            Self::Probe { rows } => push(rows, row.probe()?),
            Self::Reset { rows } => push(rows, row.reset()?),
            Self::Bulk { rows, .. } => push(rows, row.bulk()?),
            Self::Load(load) => push(&mut load.distribution, row.share()?),
        }
    }
}

/// Recognises reports line by line.
///
/// ```text
/// report   = table | progress | share | rates
/// table    = header *( rule | row | total )        ; described in `table`
/// progress, share                                  ; described in `load`
/// rates    = one line with "posts/s" and "writes/s", each beside its number, after a bulk table
/// ```
#[derive(Default)]
pub struct ReportReader {
    reports: Vec<Report>,
    /// The table whose rows are being read: the last report.
    open: Option<Layout>,
}

impl ReportReader {
    /// Reads one line that is not a log line, for the reason given.
    ///
    /// # Returns
    ///
    /// The number of TMMs where the line tells it.
    ///
    /// # Errors
    ///
    /// The given reason when the line belongs to no report, else the one for which it is broken.
    pub fn read(
        &mut self,
        line: &[u8],
        reason: Fault,
        ending: Ending,
    ) -> Result<Option<u16>, Fault> {
        if !matches!(reason, Fault::NotOurs | Fault::Unrecognised | Fault::CutOff) {
            return Err(reason);
        }
        let line = line
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(line)
            .trim_ascii();
        let Some(first) = line.first() else {
            return Err(Fault::Blank);
        };
        // Headers and shares begin with the word TMM, or with a bar before it.
        let may_be_tmm = matches!(first, b't' | b'T' | b'|');
        let result = match self.read_table_line(line, may_be_tmm) {
            Some(result) => result,
            None => self.read_free_line(line, may_be_tmm, reason),
        };
        result.map_err(|fault| match ending {
            Ending::EndOfInput if fault.is_malformed() => Fault::CutOff,
            _ => fault,
        })
    }

    /// The reports read.
    #[must_use]
    pub fn finish(self) -> Vec<Report> {
        self.reports
    }

    /// A header, or a line of the table that is open; nothing if it is neither.
    fn read_table_line(
        &mut self,
        line: &[u8],
        may_be_header: bool,
    ) -> Option<Result<Option<u16>, Fault>> {
        if may_be_header && let Some(layout) = Layout::of_header(line) {
            let empty = Report::empty(layout.kind());
            self.open = None;
            return Some(self.begin(empty).map(|()| {
                self.open = Some(layout);
                None
            }));
        }
        let layout = self.open.as_ref()?;
        let report = self.reports.last_mut()?;
        if table::is_rule(line) {
            return Some(Ok(None));
        }
        if let Some(row) = layout.row(line) {
            return Some(row.and_then(|row| report.add_row(&row)).map(|()| None));
        }
        if let Some(total_row) = layout.total(line) {
            if let (Report::Analyser { total, .. }, Ok(row)) = (report, total_row) {
                *total = row.times().ok();
            }
            return Some(Ok(None));
        }
        self.open = None;
        None
    }

    fn read_free_line(
        &mut self,
        line: &[u8],
        may_be_share: bool,
        reason: Fault,
    ) -> Result<Option<u16>, Fault> {
        if let Some(progress) = Progress::all_in(line) {
            let progress = progress?;
            let total = progress
                .last()
                .and_then(|last| last.coverage)
                .map(|(_, total)| total);
            let load =
                self.load_report(|load| load.distribution.is_empty() && load.continues(&progress))?;
            for point in progress {
                load.add(point);
            }
            return Ok(total);
        }
        if may_be_share && let Some(share) = Share::in_line(line) {
            let load = self
                .load_report(|load| load.distribution.iter().all(|other| other.tmm != share.tmm))?;
            load.distribution.push(share);
            return Ok(None);
        }
        if let Some(Report::Bulk {
            posts_per_s,
            writes_per_s,
            ..
        }) = self.reports.last_mut()
            && let Some(rates) = table::rates(line)
        {
            (*posts_per_s, *writes_per_s) = (Some(rates.0), Some(rates.1));
            return Ok(None);
        }
        Err(reason)
    }

    /// The load report that the line belongs to: the last report if it fits, else a new one.
    fn load_report(
        &mut self,
        fits: impl Fn(&LoadReport) -> bool,
    ) -> Result<&mut LoadReport, Fault> {
        let continues = matches!(self.reports.last(), Some(Report::Load(load)) if fits(load));
        if !continues {
            self.begin(Report::Load(LoadReport::default()))?;
        }
        match self.reports.last_mut() {
            Some(Report::Load(load)) => Ok(load),
            _ => Err(Fault::TooMany),
        }
    }

    fn begin(&mut self, report: Report) -> Result<(), Fault> {
        if self.reports.len() >= MAX_REPORTS {
            return Err(Fault::TooMany);
        }
        self.reports.push(report);
        Ok(())
    }
}
