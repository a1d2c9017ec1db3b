//! What the reader takes away: tables as CSV, charts as SVG and PNG, the run as JSON, its log as text.

use plotters::drawing::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use subtable_charts::{Scene, Size, Table, format};
use subtable_model::Snapshot;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlCanvasElement, Url};

use super::{Shown, header};
use crate::digest::Bands;
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

/// The pixels of a picture to those of the page: sharp on paper and on a projector.
const SHARPNESS: f64 = 2.0;

/// Saves a picture as PNG.
pub fn save_image(name: &str, shown: &Shown, scene: &Scene, size: Size) {
    let refused = || header::mention("The browser does not let this page save a picture.");
    let canvas: HtmlCanvasElement = dom::create_as("canvas", &[], "");
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a size on the screen: positive, and far below 2^32"
    )]
    let pixels = |length: f64| (length * SHARPNESS).round() as u32;
    canvas.set_width(pixels(size.width));
    canvas.set_height(pixels(size.height));
    let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) else {
        return refused();
    };
    if scene.draw(&backend.into_drawing_area(), SHARPNESS).is_err() {
        return refused();
    }
    let name = file_name(name, shown, "png");
    let save = Closure::once_into_js(move |blob: Option<Blob>| match blob {
        Some(blob) => save_blob(&name, &blob),
        None => header::mention("The browser does not let this page save a picture."),
    });
    if canvas.to_blob(save.unchecked_ref()).is_err() {
        refused();
    }
}

/// Saves the report of a run.
pub fn save_report(shown: &Shown, text: &str) {
    save(&file_name("run", shown, "json"), "application/json", text);
}

/// Saves a log.
pub fn save_log(shown: &Shown, text: &str) {
    save(
        &file_name("ltm", shown, "log"),
        "text/plain;charset=utf-8",
        text,
    );
}

/// A table as lines with tabs, which spreadsheets take from the clipboard.
pub fn tabs(table: &Table) -> String {
    let rows = std::iter::once(&table.headers).chain(&table.rows);
    let lines: Vec<String> = rows.map(|row| row.join("\t")).collect();
    lines.join("\n")
}

/// The table of the TMMs, as on the page, with every figure exact, and of many seeds the bands.
pub fn tmm_table(snapshot: &Snapshot, bands: Option<&Bands>) -> Table {
    let mut table = exact_table(snapshot);
    let Some(bands) = bands else { return table };
    let columns = [
        "n", "fast", "slow", "min", "p50", "avg", "p95", "p99", "max",
    ];
    for column in columns {
        let parts = ["5 %", "median", "95 %"];
        table
            .headers
            .extend(parts.map(|part| format!("{column}, {part} of {} seeds", bands.seeds)));
    }
    for (row, bands) in table.rows.iter_mut().zip(&bands.rows) {
        for band in bands {
            row.extend([band.low, band.median, band.high].map(|figure| {
                if figure.is_nan() {
                    String::new()
                } else {
                    figure.to_string()
                }
            }));
        }
    }
    table
}

fn exact_table(snapshot: &Snapshot) -> Table {
    let headers = [
        "tmm", "subtable", "owner", "hits", "writes", "n", "fast", "slow", "min", "p50", "avg",
        "p95", "p99", "max",
    ];
    let rows = snapshot.tmms.iter().enumerate().map(|(number, tmm)| {
        let row = snapshot.row(number);
        let subtable = tmm
            .subtable
            .and_then(|index| snapshot.subtables.get(index as usize));
        let mut cells = vec![
            number.to_string(),
            subtable.map_or_else(String::new, |subtable| subtable.name.clone()),
            subtable.map_or_else(String::new, |subtable| subtable.owner.to_string()),
        ];
        let counts = [tmm.hits, tmm.writes, row.n, row.fast, row.slow];
        cells.extend(counts.map(|count| count.to_string()));
        cells.extend(format::times(&row));
        cells
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
    match Blob::new_with_str_sequence_and_options(&js_sys::Array::of1(&text.into()), &options) {
        Ok(blob) => save_blob(name, &blob),
        Err(_) => header::mention("The browser does not let this page save a file."),
    }
}

fn save_blob(name: &str, blob: &Blob) {
    let Ok(address) = Url::create_object_url_with_blob(blob) else {
        return header::mention("The browser does not let this page save a file.");
    };
    let link: HtmlAnchorElement =
        dom::create_as("a", &[("href", &address), ("download", name)], "");
    link.unchecked_ref::<web_sys::HtmlElement>().click();
    // The browser has taken the content by the time the click returns.
    let _ = Url::revoke_object_url(&address);
    header::mention(&format!("Saved as {name}."));
}
