//! What a log shows, as markup.

use std::fmt::Write as _;

use subtable_charts::histograms::Histograms;
use subtable_charts::{Chart, Size, Theme};
use subtable_logs::analysis::{Ownership, Source};
use subtable_logs::fit::{Fit, fit};
use subtable_logs::{Analysis, LineCounts, Observations, Settings, analyse, picture};
use subtable_model::Snapshot;
use subtable_model::preset::{PRESETS, Preset};
use subtable_model::scenario::{link, parameter};

use crate::beside;
use crate::markup::{escaped, list, paragraph, section, table};

/// Least and greatest width of the picture, and height of a TMM's part of it, in CSS pixels.
const WIDTHS: (f64, f64) = (280.0, 1000.0);
const PANEL_HEIGHT: f64 = 104.0;
/// TMMs whose histograms are drawn.
const DRAWN: usize = 64;

/// All of it, from the verdict to the lines that were not understood.
#[must_use]
pub fn markup(seen: &Observations, settings: Settings, dark: bool, width: f64) -> String {
    let analysis = analyse(seen, settings);
    let fit = fit(seen, settings);
    let modelled = beside::modelled(&fit);
    let modelled = modelled.as_ref();
    [
        verdict(&analysis),
        section("times", "Clicks of the timed writes", &times(&analysis)),
        section(
            "picture",
            "Histograms, on the axes of the lab",
            &drawn(seen, settings, modelled, (dark, width)),
        ),
        section(
            "beside",
            "The model beside the log",
            &modelled.map_or_else(String::new, |modelled| {
                beside::table_of_both(&analysis, modelled)
            }),
        ),
        section("owners", "Who owns the probed names", &owners(&analysis)),
        section("tests", "What the tests say", &findings(&analysis)),
        section(
            "notes",
            "Before believing the figures",
            &list(analysis.notes.iter().map(|note| &*note.text)),
        ),
        section(
            "fit",
            "The model's parameters in this log",
            &fitted(seen, &fit),
        ),
        section("lines", "Lines", &lines(&analysis.lines)),
    ]
    .concat()
}

fn verdict(analysis: &Analysis) -> String {
    let Some(verdict) = &analysis.verdict else {
        let text = if analysis.lines.used == 0 {
            "Nothing here is a line of the harness or of its reports."
        } else {
            "No verdict: no line times a write. Probes count as writes when all lines are asked for."
        };
        return format!("<p class=\"verdict\" role=\"status\">{text}</p>");
    };
    let class = if verdict.ok { "ok" } else { "issue" };
    let causes = list(verdict.causes.iter().map(|cause| &*cause.text));
    format!(
        "<p class=\"verdict {class}\" role=\"status\">{}</p>{causes}",
        escaped(&verdict.summary)
    )
}

fn times(analysis: &Analysis) -> String {
    if analysis.per_tmm.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = analysis
        .per_tmm
        .iter()
        .map(|row| {
            let names: Vec<&str> = analysis
                .subtables
                .iter()
                .filter(|subtable| subtable.tmm == row.tmm && !subtable.subtable.is_empty())
                .map(|subtable| &*subtable.subtable)
                .collect();
            let name = match names.as_slice() {
                [] => String::new(),
                [one] => (*one).to_owned(),
                [first, rest @ ..] => format!("{first} and {} more", rest.len()),
            };
            vec![
                name,
                row.tmm.to_string(),
                row.n.to_string(),
                row.fast.to_string(),
                row.slow.to_string(),
                row.min.to_string(),
                row.p50.to_string(),
                format!("{:.1}", row.avg),
                row.p95.to_string(),
                row.p99.to_string(),
                row.max.to_string(),
            ]
        })
        .collect();
    let columns = [
        "subtable", "TMM", "n", "FAST", "SLOW", "min", "p50", "avg", "p95", "p99", "max",
    ];
    let rates: Vec<String> = analysis
        .sample_rates
        .iter()
        .map(|rate| format!("one write in {rate}"))
        .collect();
    let source = match analysis.source {
        Source::AnalyserTable => "As the analyser's table in the input has them.".to_owned(),
        _ if rates.is_empty() => String::new(),
        _ => format!("Sampled: {}.", rates.join(", ")),
    };
    table("Clicks of the timed writes, TMM by TMM", &columns, 1, &rows) + &paragraph(&source)
}

fn drawn(
    seen: &Observations,
    settings: Settings,
    modelled: Option<&Snapshot>,
    (dark, width): (bool, f64),
) -> String {
    let Some(mut snapshot) = picture::snapshot(seen, settings) else {
        return String::new();
    };
    let more = snapshot.tmms.len().saturating_sub(DRAWN);
    snapshot.tmms.truncate(DRAWN);
    let theme = if dark { Theme::dark() } else { Theme::light() };
    let width = width.clamp(WIDTHS.0, WIDTHS.1);
    // Two columns of panels, where there are many and they fit.
    let columns = if snapshot.tmms.len() > 8 && width >= 600.0 {
        2
    } else {
        1
    };
    let rows = snapshot.tmms.len().div_ceil(columns) as f64;
    let size = Size::new(width, rows * PANEL_HEIGHT + 20.0);
    let rest = match more {
        0 => String::new(),
        more => paragraph(&format!(
            "The first {DRAWN} TMMs; {more} more are in the table."
        )),
    };
    let histograms = Histograms {
        other: modelled,
        ..Histograms::new(&snapshot)
    };
    let outlines = modelled.map_or_else(String::new, |_| {
        paragraph("Bars: the log. Outlines: the model, with the parameters that the log tells.")
    });
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Histograms\">{}</div>{outlines}{rest}",
        histograms.svg(size, &theme)
    )
}

fn owners(analysis: &Analysis) -> String {
    analysis
        .ownership
        .iter()
        .take(100)
        .map(owner)
        .collect::<Vec<_>>()
        .concat()
}

fn owner(name: &Ownership) -> String {
    let rows: Vec<Vec<String>> = name
        .evidence
        .iter()
        .map(|row| {
            let counts = [
                u64::from(row.tmm),
                row.hits,
                row.owner,
                row.non_owner,
                u64::from(row.min),
            ];
            let mut cells = counts.map(|count| count.to_string()).to_vec();
            cells.extend([format!("{:.1}", row.avg), row.max.to_string()]);
            cells
        })
        .collect();
    let columns = ["TMM", "hits", "OWNER", "NON_OWNER", "min", "avg", "max"];
    paragraph(&name.summary) + &table("Probes, TMM by TMM", &columns, 0, &rows)
}

fn findings(analysis: &Analysis) -> String {
    let mut items = Vec::new();
    if let Some(discovery) = &analysis.discovery {
        items.push(format!(
            "Discovery: {} found a name, {} gave up.",
            discovery.found, discovery.exhausted
        ));
        items.extend(
            discovery
                .tests
                .iter()
                .map(|test| format!("Tries: {}", test.reading)),
        );
    }
    let threshold = &analysis.threshold_suggestion;
    if threshold.local.is_some() || threshold.remote.is_some() {
        items.push(format!("Threshold: {}", threshold.reading));
    }
    items.extend(
        analysis
            .dag
            .iter()
            .map(|test| format!("DAG, {}: {}", test.source, test.reading)),
    );
    list(items.iter().map(String::as_str))
}

fn fitted(seen: &Observations, fit: &Fit) -> String {
    if seen.lines.used == 0 {
        return String::new();
    }
    let label = |id: &str| {
        parameter(id)
            .map_or(id, |parameter| parameter.label)
            .to_owned()
    };
    let rows: Vec<Vec<String>> = fit
        .fitted
        .iter()
        .map(|fitted| {
            let unit = parameter(&fitted.id).map_or("", |parameter| parameter.unit);
            vec![
                label(&fitted.id),
                format!("{} {unit}", fitted.value).trim_end().to_owned(),
                fitted.method.clone(),
            ]
        })
        .collect();
    let mut text = String::new();
    if !rows.is_empty() {
        let columns = ["parameter", "value", "how it was found"];
        text.push_str(&table("Parameters that the log tells", &columns, 3, &rows));
    }
    if let Some(local) = &fit.local {
        text.push_str(&paragraph(&format!("Local writes: {}", local.reading)));
    }
    let refused: Vec<String> = fit
        .refused
        .iter()
        .map(|refused| {
            let labels: Vec<String> = refused.ids.iter().map(|id| label(id)).collect();
            format!("Not fitted: {}. {}", labels.join(", "), refused.reason)
        })
        .collect();
    text.push_str(&list(refused.iter().map(String::as_str)));
    text + &what_if(fit)
}

/// A link into the lab, with what the log tells in the place of the usual values.
fn what_if(fit: &Fit) -> String {
    if fit.fitted.is_empty() {
        return String::new();
    }
    let preset = Preset::find("published-discovered").unwrap_or(&PRESETS[0]);
    let run = link::Run {
        preset,
        scenario: fit.scenario(),
        ..link::Run::default()
    };
    format!(
        "<p><a class=\"button\" id=\"what-if\" href=\"index.html#{}\">What if? Open the lab with these values</a></p>",
        escaped(&link::encode(&run))
    )
}

fn lines(lines: &LineCounts) -> String {
    let foreign = lines.skipped - lines.blank - lines.malformed;
    let mut text = paragraph(&format!(
        "{} read, {} used, {} skipped: {} broken, {foreign} not of the harness, {} blank.",
        lines.read, lines.used, lines.skipped, lines.malformed, lines.blank
    ));
    for (title, list, all) in [
        ("Broken lines", &lines.first_malformed, lines.malformed),
        ("Lines not of the harness", &lines.first_not_ours, foreign),
    ] {
        if list.is_empty() {
            continue;
        }
        let rows: Vec<Vec<String>> = list
            .iter()
            .map(|line| {
                vec![
                    line.reason.clone(),
                    line.text.clone(),
                    line.line.to_string(),
                ]
            })
            .collect();
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "<details><summary>{title}: the first {} of {all}</summary>{}</details>",
            list.len(),
            table(title, &["reason", "text", "line"], 2, &rows)
        );
    }
    text
}

#[cfg(test)]
mod tests;
