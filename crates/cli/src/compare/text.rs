//! A comparison as text: for people, and as rows for CSV.

use std::fmt::Write as _;

use super::{Change, Comparison, TmmChange};
use crate::parameters;
use crate::report::{Report, TmmRow};
use crate::tables::Align::{Left, Right};
use crate::tables::{Table, or_absent, printable};

/// Everything, for people.
pub fn page(comparison: &Comparison) -> String {
    let mut text = String::new();
    for (side, report) in [("A", &comparison.a), ("B", &comparison.b)] {
        let _ = writeln!(text, "{side}  {}", printable(&report.link));
    }
    let _ = write!(
        text,
        "\n{}\n{}avg to max in clicks\n\n{}\nA  {}\nB  {}\n",
        settings(comparison),
        tmms(comparison).to_text(),
        totals(comparison).to_text(),
        comparison.a.verdict_in_words(),
        comparison.b.verdict_in_words()
    );
    text
}

fn settings(comparison: &Comparison) -> String {
    if comparison.settings.is_empty() {
        return "The scenarios are the same.\n".to_string();
    }
    let mut table = Table::new([("parameter", Left), ("A", Right), ("B", Right)]);
    for setting in &comparison.settings {
        table.push([
            setting.id.to_string(),
            parameters::plain(&setting.a),
            parameters::plain(&setting.b),
        ]);
    }
    table.to_text()
}

fn tmms(comparison: &Comparison) -> Table {
    let mut table = Table::new([
        ("TMM", Right),
        ("owner A", Right),
        ("owner B", Right),
        ("n A", Right),
        ("n B", Right),
        ("avg A", Right),
        ("avg B", Right),
        ("B - A", Right),
        ("B / A", Right),
        ("p50 A", Right),
        ("p50 B", Right),
        ("p99 A", Right),
        ("p99 B", Right),
        ("max A", Right),
        ("max B", Right),
    ]);
    for change in &comparison.per_tmm {
        let [a, b] = rows_of(comparison, change);
        let n = |row: Option<&TmmRow>| or_absent(row.map(TmmRow::n));
        table.push([
            change.tmm.to_string(),
            owner(a),
            owner(b),
            n(a),
            n(b),
            number(change.avg.a, 1),
            number(change.avg.b, 1),
            or_absent(change.avg.difference.map(|value| format!("{value:+.1}"))),
            ratio(&change.avg),
            number(change.p50.a, 0),
            number(change.p50.b, 0),
            number(change.p99.a, 0),
            number(change.p99.b, 0),
            number(change.max.a, 0),
            number(change.max.b, 0),
        ]);
    }
    table
}

fn totals(comparison: &Comparison) -> Table {
    let mut table = Table::new([
        ("", Left),
        ("A", Right),
        ("B", Right),
        ("B - A", Right),
        ("B / A", Right),
    ]);
    let totals = &comparison.totals;
    let rows = [
        ("writes/s", &totals.writes_per_s, 1),
        ("simulated time, s", &totals.elapsed_s, 3),
        ("share of local writes", &totals.local_share, 3),
        ("names tried", &totals.probes, 0),
        ("log lines", &totals.log_lines, 0),
        ("log lines lost", &totals.log_dropped, 0),
    ];
    for (label, change, decimals) in rows {
        table.push([
            label.to_string(),
            number(change.a, decimals),
            number(change.b, decimals),
            or_absent(
                change
                    .difference
                    .map(|value| format!("{value:+.decimals$}")),
            ),
            ratio(change),
        ]);
    }
    table
}

fn rows_of<'a>(comparison: &'a Comparison, change: &TmmChange) -> [Option<&'a TmmRow>; 2] {
    let row = |report: &'a Report| report.per_tmm.get(change.tmm as usize);
    [row(&comparison.a), row(&comparison.b)]
}

fn owner(row: Option<&TmmRow>) -> String {
    or_absent(row.and_then(|row| row.owner))
}

fn number(value: Option<f64>, decimals: usize) -> String {
    or_absent(value.map(|value| format!("{value:.decimals$}")))
}

/// Large ratios as whole numbers, small ones with as many decimals as tell them from 0.
fn ratio(change: &Change) -> String {
    or_absent(change.ratio.map(|ratio| match ratio {
        ratio if ratio >= 100.0 => format!("{ratio:.0}"),
        ratio if ratio >= 0.1 || ratio == 0.0 => format!("{ratio:.2}"),
        ratio => format!("{ratio:.5}"),
    }))
}

/// The TMMs for CSV.
pub fn rows(comparison: &Comparison) -> Table {
    let parts = ["a", "b", "difference", "ratio"];
    let mut columns = vec!["tmm".to_string()];
    for measure in ["avg", "p50", "p99", "max"] {
        columns.extend(parts.map(|part| format!("{measure}_{part}")));
    }
    columns.extend(["owner_a", "owner_b"].map(str::to_string));
    let mut table = Table::new(columns.into_iter().map(|column| (column, Left)));
    let text = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    for change in &comparison.per_tmm {
        let mut cells = vec![change.tmm.to_string()];
        for measure in [change.avg, change.p50, change.p99, change.max] {
            cells.extend([measure.a, measure.b, measure.difference, measure.ratio].map(text));
        }
        let owners = rows_of(comparison, change).map(|row| row.and_then(|row| row.owner));
        cells.extend(owners.map(|owner| owner.map_or_else(String::new, |tmm| tmm.to_string())));
        table.push(cells);
    }
    table
}
