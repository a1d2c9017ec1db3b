//! Tables with a header line, read by the names of their columns.
//!
//! ```text
//! header  = "TMM" 1*( SEP column )
//!           ; analyser: n FAST SLOW min p50 avg p95 p99 max
//!           ; probe:    hits OWNER NON_OWNER min_clicks avg_clicks max_clicks
//!           ; reset:    hits first_deleted total_deleted
//!           ; bulk:     posts writes pct avg_per_write min max
//!           ; load:     (hits | requests | writes | records | count) (pct | percent | share | %)
//!           ; in any order and any case; columns of other names are passed over
//! row     = tmm 1*( SEP cell )          ; as many cells as the header has columns
//! total   = ("total" | "all" | "sum" | "overall") [":"] *( SEP cell )
//! tmm     = ["tmm"] INT [":"]
//! cell    = number ["%"] | "-"          ; "-" is 0; whole numbers may have commas between thousands
//! rule    = 1*( "-" | "=" | "+" | "|" | ":" | SEP )
//! SEP     = 1*( SP | TAB | "|" | "(" | ")" )
//! ```

use super::{BulkRow, ProbeRow, ResetRow, Share};
use crate::faults::Fault;
use crate::limits::MAX_TMM;
use crate::times::TotalTimes;

/// Columns that a header may have: far more than any of ours.
const MAX_COLUMNS: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TableKind {
    Analyser,
    Probe,
    Reset,
    Bulk,
    Distribution,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Tmm,
    N,
    Fast,
    Slow,
    Min,
    P50,
    Avg,
    P95,
    P99,
    Max,
    Hits,
    Owner,
    NonOwner,
    FirstDeleted,
    TotalDeleted,
    Posts,
    Writes,
    Percent,
}

impl Column {
    fn named(cell: &str) -> Option<Self> {
        Some(match cell.to_ascii_lowercase().as_str() {
            "tmm" => Self::Tmm,
            "n" => Self::N,
            "fast" | "fast_local" => Self::Fast,
            "slow" => Self::Slow,
            "min" | "min_clicks" => Self::Min,
            "p50" => Self::P50,
            "avg" | "avg_clicks" | "avg_per_write" => Self::Avg,
            "p95" => Self::P95,
            "p99" => Self::P99,
            "max" | "max_clicks" => Self::Max,
            "hits" | "requests" | "records" | "count" => Self::Hits,
            "owner" => Self::Owner,
            "non_owner" => Self::NonOwner,
            "first_deleted" => Self::FirstDeleted,
            "total_deleted" => Self::TotalDeleted,
            "posts" => Self::Posts,
            "writes" => Self::Writes,
            "pct" | "percent" | "share" | "%" => Self::Percent,
            _ => return None,
        })
    }
}

/// The columns of a table whose header was read.
pub(super) struct Layout {
    kind: TableKind,
    columns: Vec<Option<Column>>,
}

/// A row, taken apart.
pub(super) struct Row<'a> {
    pub(super) tmm: u16,
    columns: &'a [Option<Column>],
    cells: Vec<&'a str>,
}

impl Layout {
    pub(super) fn kind(&self) -> TableKind {
        self.kind
    }

    pub(super) fn of_header(line: &[u8]) -> Option<Self> {
        let mut cells = cells(line)?;
        if !cells.next()?.eq_ignore_ascii_case("tmm") {
            return None;
        }
        let mut columns = vec![Some(Column::Tmm)];
        for cell in cells {
            let column = Column::named(cell);
            if columns.len() >= MAX_COLUMNS || (column.is_some() && columns.contains(&column)) {
                return None;
            }
            columns.push(column);
        }
        let kind = kind_of(&columns)?;
        Some(Self { kind, columns })
    }

    /// The row on the line; nothing if the line does not begin like one.
    pub(super) fn row<'a>(&'a self, line: &'a [u8]) -> Option<Result<Row<'a>, Fault>> {
        let first = cells(line)?.next()?;
        let number = strip_word(first, "tmm").unwrap_or(first);
        let number = number.strip_suffix(':').unwrap_or(number);
        if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let tmm = number.parse().ok().filter(|&tmm| tmm <= MAX_TMM);
        Some(
            tmm.ok_or(Fault::RowNumber)
                .and_then(|tmm| self.take_apart(tmm, line)),
        )
    }

    /// The total line's cells, numbered as TMM 0; nothing if the line is not one.
    pub(super) fn total<'a>(&'a self, line: &'a [u8]) -> Option<Result<Row<'a>, Fault>> {
        let first = cells(line)?.next()?;
        let word = first.strip_suffix(':').unwrap_or(first);
        let is_total = ["total", "all", "sum", "overall"]
            .iter()
            .any(|total| word.eq_ignore_ascii_case(total));
        is_total.then(|| self.take_apart(0, line))
    }

    fn take_apart<'a>(&'a self, tmm: u16, line: &'a [u8]) -> Result<Row<'a>, Fault> {
        let cells: Vec<&str> = cells(line)
            .into_iter()
            .flatten()
            .take(MAX_COLUMNS + 1)
            .collect();
        if cells.len() == self.columns.len() {
            Ok(Row {
                tmm,
                columns: &self.columns,
                cells,
            })
        } else {
            Err(Fault::RowShape)
        }
    }
}

fn kind_of(columns: &[Option<Column>]) -> Option<TableKind> {
    use Column::{
        Avg, Fast, FirstDeleted, Hits, Max, Min, N, NonOwner, Owner, P50, P95, P99, Percent, Posts,
        Slow,
    };
    use Column::{TotalDeleted, Writes};
    let has = |needed: &[Column]| needed.iter().all(|&column| columns.contains(&Some(column)));
    if has(&[N, Fast, Slow, Min, P50, Avg, P95, P99, Max]) {
        Some(TableKind::Analyser)
    } else if has(&[Hits, Owner, NonOwner, Min, Avg, Max]) {
        Some(TableKind::Probe)
    } else if has(&[Hits, FirstDeleted, TotalDeleted]) {
        Some(TableKind::Reset)
    } else if has(&[Posts, Writes, Avg, Min, Max]) {
        Some(TableKind::Bulk)
    } else if has(&[Hits, Percent]) || has(&[Writes, Percent]) {
        Some(TableKind::Distribution)
    } else {
        None
    }
}

impl Row<'_> {
    /// The column's cell; a dash, which stands for a figure of nothing, as 0.
    fn cell(&self, column: Column) -> Option<&str> {
        let at = self
            .columns
            .iter()
            .position(|&other| other == Some(column))?;
        Some(if self.cells[at] == "-" {
            "0"
        } else {
            self.cells[at]
        })
    }

    fn whole<T: TryFrom<u64>>(&self, column: Column) -> Result<T, Fault> {
        let number = self.cell(column).and_then(whole).ok_or(Fault::RowNumber)?;
        T::try_from(number).map_err(|_| Fault::RowNumber)
    }

    fn real(&self, column: Column) -> Result<f64, Fault> {
        self.cell(column).and_then(real).ok_or(Fault::RowNumber)
    }

    pub(super) fn times(&self) -> Result<TotalTimes, Fault> {
        Ok(TotalTimes {
            n: self.whole(Column::N)?,
            fast: self.whole(Column::Fast)?,
            slow: self.whole(Column::Slow)?,
            min: self.whole(Column::Min)?,
            p50: self.whole(Column::P50)?,
            avg: self.real(Column::Avg)?,
            p95: self.whole(Column::P95)?,
            p99: self.whole(Column::P99)?,
            max: self.whole(Column::Max)?,
        })
    }

    pub(super) fn probe(&self) -> Result<ProbeRow, Fault> {
        Ok(ProbeRow {
            tmm: self.tmm,
            hits: self.whole(Column::Hits)?,
            owner: self.whole(Column::Owner)?,
            non_owner: self.whole(Column::NonOwner)?,
            min: self.whole(Column::Min)?,
            avg: self.real(Column::Avg)?,
            max: self.whole(Column::Max)?,
        })
    }

    pub(super) fn reset(&self) -> Result<ResetRow, Fault> {
        Ok(ResetRow {
            tmm: self.tmm,
            hits: self.whole(Column::Hits)?,
            first_deleted: self.whole(Column::FirstDeleted)?,
            total_deleted: self.whole(Column::TotalDeleted)?,
        })
    }

    pub(super) fn bulk(&self) -> Result<BulkRow, Fault> {
        Ok(BulkRow {
            tmm: self.tmm,
            posts: self.whole(Column::Posts)?,
            writes: self.whole(Column::Writes)?,
            percent: self.cell(Column::Percent).and_then(real),
            avg: self.real(Column::Avg)?,
            min: self.real(Column::Min)?,
            max: self.real(Column::Max)?,
        })
    }

    pub(super) fn share(&self) -> Result<Share, Fault> {
        let column = if self.cell(Column::Hits).is_some() {
            Column::Hits
        } else {
            Column::Writes
        };
        Ok(Share {
            tmm: self.tmm,
            count: self.whole(column)?,
            percent: self.real(Column::Percent)?,
        })
    }
}

/// Whether the line only draws a line.
pub(super) fn is_rule(line: &[u8]) -> bool {
    line.iter()
        .all(|&b| matches!(b, b'-' | b'=' | b'+' | b'|' | b':') || b.is_ascii_whitespace())
}

/// Posts and writes a second: `133000 writes/s` or `writes/s=133000`, alike for both.
pub(super) fn rates(line: &[u8]) -> Option<(f64, f64)> {
    memchr::memmem::find(line, b"writes/s")?;
    let text = std::str::from_utf8(line).ok()?;
    let separators =
        |c: char| c.is_ascii_whitespace() || matches!(c, '=' | ':' | '(' | ')' | ';' | '|');
    let words: Vec<&str> = text
        .split(separators)
        .filter(|word| !word.is_empty())
        .take(MAX_COLUMNS)
        .collect();
    let label = |name: &str| words.iter().position(|word| word.trim_matches(',') == name);
    let (posts, writes) = (label("posts/s")?, label("writes/s")?);
    let number = |at: Option<usize>| words.get(at?).and_then(|word| real(word.trim_matches(',')));
    let before = |label: usize| number(label.checked_sub(1));
    // Numbers stand before their labels if one stands before the label that comes first.
    if before(posts.min(writes)).is_some() {
        Some((before(posts)?, before(writes)?))
    } else {
        Some((number(Some(posts + 1))?, number(Some(writes + 1))?))
    }
}

fn cells(line: &[u8]) -> Option<impl Iterator<Item = &str>> {
    let text = std::str::from_utf8(line).ok()?;
    let separators = |c: char| c.is_ascii_whitespace() || matches!(c, '|' | '(' | ')');
    Some(text.split(separators).filter(|cell| !cell.is_empty()))
}

/// What follows the word, in any case.
pub(super) fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

/// A whole number, with or without commas between thousands.
pub(super) fn whole(cell: &str) -> Option<u64> {
    let digits: String = cell.chars().filter(|&c| c != ',').take(24).collect();
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !cell.starts_with(',');
    if plain { digits.parse().ok() } else { None }
}

/// A number that is not negative, with or without a percent sign.
pub(super) fn real(cell: &str) -> Option<f64> {
    let bare = cell.strip_suffix('%').unwrap_or(cell);
    let plain = bare.len() <= 32
        && bare
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','));
    let digits: String = bare.chars().filter(|&c| c != ',').collect();
    if plain { digits.parse().ok() } else { None }
}
