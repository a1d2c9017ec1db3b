//! The report of a run as text: for people, and as rows for CSV.

use std::fmt::Write as _;

use subtable_model::preset::Preset;

use crate::report::{Report, TmmRow};
use crate::tables::Align::{Left, Right};
use crate::tables::{ABSENT, Table, bar, grouped, or_absent};

/// Most values of a row for which the 99th percentile is the maximum: `floor(100 * 99 / 100)` is the last index.
const P99_IS_MAXIMUM: u64 = 100;

/// Everything, for people.
pub fn page(report: &Report) -> String {
    let mut text = heading(report);
    let _ = write!(
        text,
        "\n{}{}\n{}\n\n{}\n{}",
        table(report).to_text(),
        note_on_p99(report),
        report.verdict_in_words(),
        throughput(report),
        totals(report)
    );
    text
}

fn heading(report: &Report) -> String {
    let mut text = String::new();
    if let Some(preset) = Preset::find(&report.preset) {
        let _ = writeln!(text, "{}\n{} {}", preset.title, preset.says, preset.look);
    }
    let changes: Vec<String> = report
        .changes()
        .into_iter()
        .map(|(id, value)| format!("{id} {value}"))
        .collect();
    if !changes.is_empty() {
        let _ = writeln!(text, "Changed: {}", changes.join(", "));
    }
    text
}

/// The table of the analyser, with what only the model knows to the right of it.
fn table(report: &Report) -> Table {
    let mut table = Table::new([
        ("TMM", Right),
        ("hits", Right),
        ("n", Right),
        ("FAST", Right),
        ("SLOW", Right),
        ("min", Right),
        ("p50", Right),
        ("avg", Right),
        ("p95", Right),
        ("p99", Right),
        ("max", Right),
        ("owner", Right),
        ("subtable", Left),
    ]);
    for row in &report.per_tmm {
        table.push([
            row.tmm.to_string(),
            row.hits.to_string(),
            row.n().to_string(),
            row.fast.to_string(),
            row.slow.to_string(),
            or_absent(row.min),
            or_absent(row.p50),
            or_absent(row.avg.map(|avg| format!("{avg:.1}"))),
            or_absent(row.p95),
            or_absent(row.p99),
            or_absent(row.max),
            or_absent(row.owner),
            or_absent(row.name.as_deref()),
        ]);
    }
    if report.per_tmm.len() > 1 {
        table.push(total_row(&report.per_tmm));
    }
    table
}

/// All TMMs together. The percentiles of the parts do not tell that of the whole, so there are none.
fn total_row(rows: &[TmmRow]) -> [String; 13] {
    let sum = |of: fn(&TmmRow) -> u64| rows.iter().map(of).sum::<u64>();
    let n = sum(TmmRow::n);
    let weighted: f64 = rows
        .iter()
        .filter_map(|row| Some(row.avg? * row.n() as f64))
        .sum();
    let absent = || ABSENT.to_string();
    [
        "all".to_string(),
        sum(|row| row.hits).to_string(),
        n.to_string(),
        sum(|row| row.fast).to_string(),
        sum(|row| row.slow).to_string(),
        or_absent(rows.iter().filter_map(|row| row.min).min()),
        absent(),
        or_absent((n > 0).then(|| format!("{:.1}", weighted / n as f64))),
        absent(),
        absent(),
        or_absent(rows.iter().filter_map(|row| row.max).max()),
        String::new(),
        String::new(),
    ]
}

fn note_on_p99(report: &Report) -> &'static str {
    let few = |row: &TmmRow| row.n() > 0 && row.n() <= P99_IS_MAXIMUM;
    if report.per_tmm.iter().any(few) {
        "min to max in clicks; where n is 100 or less, p99 is the maximum\n"
    } else {
        "min to max in clicks\n"
    }
}

fn throughput(report: &Report) -> String {
    if report.throughput.is_empty() {
        return "The run is too short for a series of its throughput.\n".to_string();
    }
    let most = report
        .throughput
        .iter()
        .map(|rates| rates.writes_per_s)
        .fold(0.0, f64::max);
    let mut table = Table::new([
        ("until, s", Right),
        ("writes/s", Right),
        ("log lines/s", Right),
        ("dropped/s", Right),
        ("", Left),
    ]);
    for rates in &report.throughput {
        table.push([
            format!("{:.3}", rates.t_s),
            format!("{:.0}", rates.writes_per_s),
            format!("{:.1}", rates.lines_per_s),
            format!("{:.1}", rates.dropped_per_s),
            bar(rates.writes_per_s, most, 32),
        ]);
    }
    table.to_text()
}

fn totals(report: &Report) -> String {
    let totals = &report.totals;
    let local = totals.local_share.map_or_else(String::new, |share| {
        format!(", {:.1} % of them local", share * 100.0)
    });
    format!(
        "{} requests in {} s of simulated time: {} writes/s{local}\n\
         {} names tried, {} log lines, {} dropped\n\
         seed {}, result {}\n\
         link {}\n",
        grouped(totals.requests as f64, 0),
        grouped(totals.elapsed_s, 3),
        grouped(totals.writes_per_s, 1),
        grouped(totals.probes as f64, 0),
        grouped(totals.log_lines as f64, 0),
        grouped(totals.log_dropped as f64, 0),
        report.seed,
        report.result_hash,
        report.link,
    )
}

/// The TMMs with the names and values of the JSON; names of subtables that are owned stand side by side, parted by blanks.
pub fn tmm_rows(report: &Report) -> Table {
    let text = |value: Option<String>| value.unwrap_or_default();
    let clicks = |value: Option<u32>| value.map_or_else(String::new, |value| value.to_string());
    let columns = [
        "tmm", "hits", "writes", "samples", "fast", "slow", "min", "p50", "avg", "p95", "p99",
        "max", "name", "owner", "owner_of", "tries",
    ];
    let mut table = Table::new(columns.map(|column| (column, Left)));
    for row in &report.per_tmm {
        table.push([
            row.tmm.to_string(),
            row.hits.to_string(),
            row.writes.to_string(),
            row.samples.to_string(),
            row.fast.to_string(),
            row.slow.to_string(),
            clicks(row.min),
            clicks(row.p50),
            text(row.avg.map(|avg| avg.to_string())),
            clicks(row.p95),
            clicks(row.p99),
            clicks(row.max),
            text(row.name.clone()),
            clicks(row.owner),
            row.owner_of.join(" "),
            row.tries.to_string(),
        ]);
    }
    table
}

/// The rates with the names and values of the JSON.
pub fn throughput_rows(report: &Report) -> Table {
    let columns = ["t_s", "writes_per_s", "lines_per_s", "dropped_per_s"];
    let mut table = Table::new(columns.map(|column| (column, Right)));
    for rates in &report.throughput {
        table.push(
            [
                rates.t_s,
                rates.writes_per_s,
                rates.lines_per_s,
                rates.dropped_per_s,
            ]
            .map(|value| value.to_string()),
        );
    }
    table
}
