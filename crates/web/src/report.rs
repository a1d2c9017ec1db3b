//! The report of a run as JSON: schema `subtable-lab/run`, version 1, the same that the command line prints and reads.

use std::fmt::Write as _;

use subtable_model::Snapshot;
use subtable_model::scenario::{Kind, link};
use subtable_model::snapshot::{Basis, TmmSnapshot};

/// Name of the schema.
pub const SCHEMA: &str = "subtable-lab/run";
/// Version of the schema.
pub const VERSION: u32 = 1;
/// Stretches of time that the rates are given in, at most.
const STRETCHES: usize = 100;

/// The report of a finished run.
#[must_use]
pub fn write(run: &link::Run, snapshot: &Snapshot) -> String {
    let mut own = run.clone();
    own.others = Vec::new();
    let verdict = snapshot.verdict();
    let basis = match verdict.basis {
        Basis::Sampled => "sampled",
        Basis::AllWrites => "all-writes",
        Basis::Nothing => "nothing",
    };
    let scenario = run.scenario.iter().map(|(parameter, stored)| {
        let text = parameter.format(stored);
        let value = match parameter.kind {
            Kind::Choice(_) => quoted(&text),
            Kind::Integer { .. } | Kind::Decimal { .. } => text,
        };
        format!("{}: {value}", quoted(parameter.id))
    });
    let samples: u64 = snapshot.tmms.iter().map(|tmm| tmm.sampled.n).sum();
    let totals = [
        ("requests", snapshot.replies.to_string()),
        ("elapsed_s", number(snapshot.last_reply as f64 / 1e9)),
        ("writes_per_s", number(snapshot.replies_per_s())),
        ("samples", samples.to_string()),
        ("log_lines", snapshot.log.lines.to_string()),
        ("log_dropped", snapshot.log.dropped.to_string()),
        ("probes", snapshot.probes().to_string()),
        ("local_share", maybe(snapshot.local_share().map(number))),
    ];
    let fields = [
        ("schema", quoted(SCHEMA)),
        ("version", VERSION.to_string()),
        ("preset", quoted(run.preset.id)),
        (
            "scenario",
            format!(
                "{{\n    {}\n  }}",
                scenario.collect::<Vec<_>>().join(",\n    ")
            ),
        ),
        ("seed", run.seed.to_string()),
        ("link", quoted(&link::encode(&own))),
        ("per_tmm", list(&rows(snapshot))),
        (
            "verdict",
            object(&[
                ("ok", verdict.ok.to_string()),
                ("slow_tmms", format!("{:?}", verdict.slow_tmms)),
                ("basis", quoted(basis)),
            ]),
        ),
        ("throughput", list(&rates(snapshot))),
        ("totals", object(&totals)),
        ("result_hash", quoted(&snapshot.hash_text())),
    ];
    let fields = fields.map(|(name, value)| format!("  {}: {value}", quoted(name)));
    format!("{{\n{}\n}}\n", fields.join(",\n"))
}

fn rows(snapshot: &Snapshot) -> Vec<String> {
    let mut owned = vec![Vec::new(); snapshot.tmms.len()];
    for subtable in &snapshot.subtables {
        if let Some(names) = owned.get_mut(subtable.owner as usize) {
            names.push(quoted(&subtable.name));
        }
    }
    (0..)
        .zip(&snapshot.tmms)
        .zip(owned)
        .map(|((number, tmm), owned)| row(snapshot, number, tmm, &owned))
        .collect()
}

fn row(snapshot: &Snapshot, tmm: usize, of: &TmmSnapshot, owned: &[String]) -> String {
    let clicks = snapshot.row(tmm);
    let some = |value: String| maybe((clicks.n > 0).then_some(value));
    let subtable = of
        .subtable
        .and_then(|index| snapshot.subtables.get(index as usize));
    object(&[
        ("tmm", tmm.to_string()),
        ("hits", of.hits.to_string()),
        ("writes", of.writes.to_string()),
        ("samples", of.sampled.n.to_string()),
        ("fast", clicks.fast.to_string()),
        ("slow", clicks.slow.to_string()),
        ("min", some(clicks.min.to_string())),
        ("p50", some(clicks.p50.to_string())),
        ("avg", some(number(clicks.avg))),
        ("p95", some(clicks.p95.to_string())),
        ("p99", some(clicks.p99.to_string())),
        ("max", some(clicks.max.to_string())),
        (
            "name",
            maybe(subtable.map(|subtable| quoted(&subtable.name))),
        ),
        (
            "owner",
            maybe(subtable.map(|subtable| subtable.owner.to_string())),
        ),
        ("owner_of", format!("[{}]", owned.join(", "))),
        ("tries", of.tried.to_string()),
    ])
}

fn rates(snapshot: &Snapshot) -> Vec<String> {
    let (length_s, bins) = snapshot.series.stretches(snapshot.last_reply, STRETCHES);
    (1_u32..)
        .zip(bins)
        .map(|(end, bin)| {
            let rate = |count: u32| number(f64::from(count) / length_s);
            object(&[
                ("t_s", number(f64::from(end) * length_s)),
                ("writes_per_s", rate(bin.writes)),
                ("lines_per_s", rate(bin.lines)),
                ("dropped_per_s", rate(bin.dropped)),
            ])
        })
        .collect()
}

fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{}: {value}", quoted(name)))
        .collect();
    format!("{{ {} }}", fields.join(", "))
}

fn list(items: &[String]) -> String {
    if items.is_empty() {
        return "[]".to_owned();
    }
    format!("[\n    {}\n  ]", items.join(",\n    "))
}

fn maybe(value: Option<String>) -> String {
    value.unwrap_or_else(|| "null".to_owned())
}

/// A number to its last digit; JSON has no infinities.
fn number(value: f64) -> String {
    if value.is_finite() {
        value.to_string()
    } else {
        "null".to_owned()
    }
}

fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(character);
            }
            control if control < ' ' => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04x}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_quoted_as_json_wants_it() {
        assert_eq!(quoted("a\"b\\c\nd"), "\"a\\\"b\\\\c\\u000ad\"");
        assert_eq!(
            (number(0.5), number(f64::INFINITY)),
            ("0.5".into(), "null".into())
        );
        assert_eq!(list(&[]), "[]");
    }
}
