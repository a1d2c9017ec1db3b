//! What the reader takes away: tables as CSV, charts as SVG.

use subtable_charts::Table;
use subtable_model::Snapshot;
use wasm_bindgen::JsCast;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

use super::{Shown, header};
use crate::{csv, dom};

/// Saves a table.
pub fn save_table(name: &str, shown: &Shown, table: &Table) {
    save(
        &file_name(name, shown, "csv"),
        "text/csv;charset=utf-8",
        &csv::write(table),
    );
}

/// Saves a picture.
pub fn save_picture(name: &str, shown: &Shown, svg: &str) {
    save(&file_name(name, shown, "svg"), "image/svg+xml", svg);
}

/// The table of the TMMs, as on the page, with every figure exact.
pub fn tmm_table(snapshot: &Snapshot) -> Table {
    let headers = [
        "tmm", "subtable", "owner", "hits", "writes", "n", "fast", "slow", "min", "p50", "avg",
        "p95", "p99", "max",
    ];
    let rows = snapshot.tmms.iter().enumerate().map(|(number, tmm)| {
        let row = snapshot.row(number);
        let subtable = tmm
            .subtable
            .and_then(|index| snapshot.subtables.get(index as usize));
        vec![
            number.to_string(),
            subtable.map_or_else(String::new, |subtable| subtable.name.clone()),
            subtable.map_or_else(String::new, |subtable| subtable.owner.to_string()),
            tmm.hits.to_string(),
            tmm.writes.to_string(),
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
    });
    Table {
        headers: headers.map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}

/// A name that says which run the file is of.
fn file_name(name: &str, shown: &Shown, extension: &str) -> String {
    let changed = if header::is_unchanged(&shown.setting) {
        ""
    } else {
        "-changed"
    };
    format!(
        "{name}-{}{changed}-seed-{}.{extension}",
        shown.setting.preset.id, shown.setting.seed
    )
}

fn save(name: &str, kind: &str, text: &str) {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let saved =
        Blob::new_with_str_sequence_and_options(&js_sys::Array::of1(&text.into()), &options)
            .and_then(|blob| Url::create_object_url_with_blob(&blob));
    let Ok(address) = saved else {
        return header::mention("The browser does not let this page save a file.");
    };
    let link: HtmlAnchorElement =
        dom::create_as("a", &[("href", &address), ("download", name)], "");
    link.unchecked_ref::<web_sys::HtmlElement>().click();
    // The browser has taken the content by the time the click returns.
    let _ = Url::revoke_object_url(&address);
    header::mention(&format!("Saved as {name}."));
}
