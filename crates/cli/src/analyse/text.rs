//! The analysis as text: for people, and as rows for CSV.

use std::fmt::Write as _;

use subtable_logs::analysis::{Comparison, Ownership, Source, SubtableTimes, TmmChange};
use subtable_logs::{Analysis, SkippedLine, TmmTimes};

use super::AnalysisReport;
use crate::tables::Align::{Left, Right};
use crate::tables::{ABSENT, Table, grouped, or_absent, printable, wrapped};

/// Broken lines that are listed unasked.
const BROKEN_LISTED: usize = 5;

/// Everything, for people. With `skipped`, every line that is known not to have been used.
pub fn page(report: &AnalysisReport, skipped: bool) -> String {
    let analysis = &report.analysis;
    let mut parts = Vec::new();
    if !analysis.per_tmm.is_empty() {
        parts.push(times(analysis).to_text() + &basis(analysis));
    }
    if let Some(verdict) = &analysis.verdict {
        let mut text = wrapped("", &verdict.summary);
        for cause in &verdict.causes {
            text.push_str(&wrapped("- ", &cause.text));
        }
        parts.push(text);
    }
    if let Some(comparison) = &report.comparison {
        parts.push(changes(comparison).to_text() + &wrapped("", &comparison.summary));
    }
    if several_subtables(analysis) {
        parts.push(subtables(&analysis.subtables).to_text());
    }
    parts.extend(slow_lines(report));
    parts.extend(analysis.ownership.iter().map(owner));
    parts.extend(findings(analysis));
    if !analysis.bulk.is_empty() {
        parts.push(bulk(analysis).to_text());
    }
    if !analysis.notes.is_empty() {
        let notes = analysis.notes.iter();
        parts.push(notes.map(|note| wrapped("Note: ", &note.text)).collect());
    }
    parts.push(lines(report, skipped));
    parts.join("\n")
}

/// The table of the analyser that users know, and the subtables where there is one for each TMM.
fn times(analysis: &Analysis) -> Table {
    let mut columns = vec![
        ("TMM", Right),
        ("n", Right),
        ("FAST", Right),
        ("SLOW", Right),
    ];
    columns.extend(["min", "p50", "avg", "p95", "p99", "max"].map(|column| (column, Right)));
    columns.push(("subtable", Left));
    let mut table = Table::new(columns);
    let names = !several_subtables(analysis);
    for row in &analysis.per_tmm {
        let name = analysis
            .subtables
            .iter()
            .find(|subtable| names && subtable.tmm == row.tmm)
            .map_or("", |subtable| &subtable.subtable);
        table.push(time_cells(row.tmm.to_string(), row, name));
    }
    if let Some(total) = analysis.total.filter(|_| analysis.per_tmm.len() > 1) {
        let row = TmmTimes {
            tmm: 0,
            n: total.n,
            fast: total.fast,
            slow: total.slow,
            min: total.min,
            p50: total.p50,
            avg: total.avg,
            p95: total.p95,
            p99: total.p99,
            max: total.max,
        };
        table.push(time_cells("all".to_string(), &row, ""));
    }
    table
}

fn time_cells(label: String, row: &TmmTimes, name: &str) -> [String; 11] {
    let clicks = |value: u32| {
        if row.n == 0 {
            ABSENT.to_string()
        } else {
            value.to_string()
        }
    };
    let avg = if row.n == 0 {
        ABSENT.to_string()
    } else {
        format!("{:.1}", row.avg)
    };
    [
        label,
        row.n.to_string(),
        row.fast.to_string(),
        row.slow.to_string(),
        clicks(row.min),
        clicks(row.p50),
        avg,
        clicks(row.p95),
        clicks(row.p99),
        clicks(row.max),
        name.to_string(),
    ]
}

/// What the figures of the table are of.
fn basis(analysis: &Analysis) -> String {
    if analysis.source == Source::AnalyserTable {
        return "min to max in clicks, as the analyser's table in the input has them\n".to_string();
    }
    let rates: Vec<String> = analysis
        .lines_per_rate
        .iter()
        .map(|rate| {
            let lines = if rate.lines == 1 { "line" } else { "lines" };
            format!(
                "{} {lines} of one write in {}",
                grouped(rate.lines as f64, 0),
                grouped(f64::from(rate.one_in), 0)
            )
        })
        .collect();
    if rates.is_empty() {
        "min to max in clicks\n".to_string()
    } else {
        format!("min to max in clicks; {}\n", rates.join(", "))
    }
}

/// Whether the table of TMMs cannot name their subtables.
fn several_subtables(analysis: &Analysis) -> bool {
    analysis
        .subtables
        .windows(2)
        .any(|pair| pair[0].tmm == pair[1].tmm)
}

fn subtables(rows: &[SubtableTimes]) -> Table {
    let mut table = Table::new([
        ("TMM", Right),
        ("n", Right),
        ("min", Right),
        ("p50", Right),
        ("avg", Right),
        ("max", Right),
        ("subtable", Left),
    ]);
    for row in rows {
        table.push([
            row.tmm.to_string(),
            row.n.to_string(),
            row.min.to_string(),
            row.p50.to_string(),
            format!("{:.1}", row.avg),
            row.max.to_string(),
            row.subtable.clone(),
        ]);
    }
    table
}

fn slow_lines(report: &AnalysisReport) -> Option<String> {
    let slow = &report.slow_lines;
    if slow.first.is_empty() {
        return None;
    }
    let mut table = Table::new([
        ("line", Right),
        ("TMM", Right),
        ("clicks", Right),
        ("subtable", Left),
        ("key", Left),
    ]);
    for line in &slow.first {
        table.push([
            place(report, line.input, line.line),
            line.tmm.to_string(),
            line.clicks.to_string(),
            or_absent(line.subtable.as_deref()),
            or_absent(line.key.as_deref()),
        ]);
    }
    let more = slow.count - slow.first.len() as u64;
    let rest = match more {
        0 => String::new(),
        more => format!("and {} more slow writes\n", grouped(more as f64, 0)),
    };
    Some(table.to_text() + &rest)
}

/// A line's number, with its file where there are several.
fn place(report: &AnalysisReport, input: u32, line: u64) -> String {
    match report.inputs.get(input as usize) {
        Some(name) if report.inputs.len() > 1 => format!("{name}:{line}"),
        _ => line.to_string(),
    }
}

/// One name's owner and the evidence, in the layout of the client's probe report.
fn owner(name: &Ownership) -> String {
    let mut table = Table::new(
        [
            "TMM",
            "hits",
            "OWNER",
            "NON_OWNER",
            "min_clicks",
            "avg_clicks",
            "max_clicks",
        ]
        .map(|column| (column, Right)),
    );
    for row in &name.evidence {
        table.push([
            row.tmm.to_string(),
            row.hits.to_string(),
            row.owner.to_string(),
            row.non_owner.to_string(),
            row.min.to_string(),
            format!("{:.1}", row.avg),
            row.max.to_string(),
        ]);
    }
    wrapped("", &name.summary) + &table.to_text()
}

/// What the tests say, a sentence each.
fn findings(analysis: &Analysis) -> Option<String> {
    let mut text = String::new();
    if let Some(discovery) = &analysis.discovery {
        let gave_up = match discovery.exhausted {
            0 => "none gave up".to_string(),
            n => format!("{n} gave up"),
        };
        let found = discovery.found;
        text.push_str(&wrapped(
            "Discovery: ",
            &format!("{found} found a name, {gave_up}."),
        ));
        for test in &discovery.tests {
            text.push_str(&wrapped("Tries: ", &test.reading));
        }
    }
    if analysis.threshold_suggestion.local.is_some()
        || analysis.threshold_suggestion.remote.is_some()
    {
        text.push_str(&wrapped(
            "Threshold: ",
            &analysis.threshold_suggestion.reading,
        ));
    }
    for test in &analysis.dag {
        let hits: Vec<String> = test.hits.iter().map(|row| row.hits.to_string()).collect();
        let shown = if hits.len() <= 16 {
            format!("{} ({})", test.source, hits.join("/"))
        } else {
            test.source.clone()
        };
        text.push_str(&wrapped("DAG: ", &format!("{shown}: {}", test.reading)));
    }
    (!text.is_empty()).then_some(text)
}

fn bulk(analysis: &Analysis) -> Table {
    let mut table =
        Table::new(["TMM", "posts", "writes", "clicks per write"].map(|column| (column, Right)));
    for row in &analysis.bulk {
        table.push([
            row.tmm.to_string(),
            row.posts.to_string(),
            row.writes.to_string(),
            format!("{:.2}", row.clicks_per_write),
        ]);
    }
    table
}

fn lines(report: &AnalysisReport, skipped: bool) -> String {
    let lines = &report.analysis.lines;
    let foreign = lines.skipped - lines.blank - lines.malformed;
    let count = |n: u64| grouped(n as f64, 0);
    let mut text = format!(
        "{} lines read, {} used, {} skipped",
        count(lines.read),
        count(lines.used),
        count(lines.skipped)
    );
    let kinds: Vec<String> = [
        (lines.malformed, "broken"),
        (foreign, "not of the harness"),
        (lines.blank, "blank"),
    ]
    .into_iter()
    .filter(|(n, _)| *n > 0)
    .map(|(n, what)| format!("{} {what}", count(n)))
    .collect();
    if !kinds.is_empty() {
        let _ = write!(text, " ({})", kinds.join(", "));
    }
    text.push('\n');
    let broken = &lines.first_malformed;
    let shown = if skipped { broken.len() } else { BROKEN_LISTED };
    for line in broken.iter().take(shown) {
        text.push_str(&skipped_line(report, line));
    }
    let more = lines.malformed - broken.len().min(shown) as u64;
    if more > 0 {
        let how = if skipped {
            ""
        } else {
            " (--show-skipped lists a hundred)"
        };
        let _ = writeln!(text, "  and {} more broken lines{how}", count(more));
    }
    if skipped {
        for line in &lines.first_not_ours {
            text.push_str(&skipped_line(report, line));
        }
        let more = foreign - lines.first_not_ours.len() as u64;
        if more > 0 {
            let _ = writeln!(text, "  and {} more lines not of the harness", count(more));
        }
    }
    text
}

fn skipped_line(report: &AnalysisReport, line: &SkippedLine) -> String {
    format!(
        "  line {}: {}: {}\n",
        printable(&place(report, line.input, line.line)),
        line.reason,
        printable(&line.text)
    )
}

fn changes(comparison: &Comparison) -> Table {
    let mut columns = vec![("TMM", Right)];
    columns.extend(
        [
            "n before",
            "n after",
            "avg before",
            "avg after",
            "ratio",
            "p50 before",
            "p50 after",
            "p99 before",
            "p99 after",
            "max before",
            "max after",
        ]
        .map(|column| (column, Right)),
    );
    let mut table = Table::new(columns);
    for change in &comparison.per_tmm {
        let pair = |of: fn(&TmmTimes) -> String| {
            [change.before.as_ref(), change.after.as_ref()].map(|row| or_absent(row.map(of)))
        };
        let mut cells = vec![change.tmm.to_string()];
        cells.extend(pair(|row| row.n.to_string()));
        cells.extend(pair(|row| format!("{:.1}", row.avg)));
        cells.push(or_absent(change.avg_ratio.map(ratio)));
        cells.extend(pair(|row| row.p50.to_string()));
        cells.extend(pair(|row| row.p99.to_string()));
        cells.extend(pair(|row| row.max.to_string()));
        table.push(cells);
    }
    table
}

/// Large ratios as whole numbers, small ones with as many decimals as tell them from 0.
fn ratio(ratio: f64) -> String {
    match ratio {
        ratio if ratio >= 100.0 => format!("{ratio:.0}"),
        ratio if ratio >= 0.1 || ratio == 0.0 => format!("{ratio:.2}"),
        ratio => format!("{ratio:.5}"),
    }
}

/// The TMMs for CSV, with the names of the JSON; with a log from before, both sides of each figure.
pub fn rows(report: &AnalysisReport) -> Table {
    match &report.comparison {
        None => plain_rows(&report.analysis),
        Some(comparison) => compared_rows(&comparison.per_tmm),
    }
}

const FIGURES: [&str; 9] = [
    "n", "fast", "slow", "min", "p50", "avg", "p95", "p99", "max",
];

fn figures(row: &TmmTimes) -> [String; 9] {
    [
        row.n.to_string(),
        row.fast.to_string(),
        row.slow.to_string(),
        row.min.to_string(),
        row.p50.to_string(),
        row.avg.to_string(),
        row.p95.to_string(),
        row.p99.to_string(),
        row.max.to_string(),
    ]
}

fn plain_rows(analysis: &Analysis) -> Table {
    let columns = ["tmm"].into_iter().chain(FIGURES);
    let mut table = Table::new(columns.map(|column| (column, Left)));
    for row in &analysis.per_tmm {
        table.push(std::iter::once(row.tmm.to_string()).chain(figures(row)));
    }
    table
}

fn compared_rows(changes: &[TmmChange]) -> Table {
    let mut columns = vec!["tmm".to_string()];
    for side in ["before", "after"] {
        columns.extend(FIGURES.map(|figure| format!("{figure}_{side}")));
    }
    columns.extend(["avg_ratio", "p50_ratio", "p99_ratio"].map(str::to_string));
    let mut table = Table::new(columns.into_iter().map(|column| (column, Left)));
    for change in changes {
        let mut cells = vec![change.tmm.to_string()];
        for side in [&change.before, &change.after] {
            match side {
                Some(row) => cells.extend(figures(row)),
                None => cells.extend(FIGURES.map(|_| String::new())),
            }
        }
        let ratios = [change.avg_ratio, change.p50_ratio, change.p99_ratio];
        cells.extend(ratios.map(|ratio| ratio.map_or_else(String::new, |ratio| ratio.to_string())));
        table.push(cells);
    }
    table
}
