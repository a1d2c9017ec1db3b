//! What is stored: the subtables one by one, beside the bars of the TMMs.

use std::cmp::Reverse;

use subtable_charts::Table;
use subtable_model::Snapshot;
use subtable_model::snapshot::SubtableSnapshot;
use web_sys::HtmlElement;

use crate::{dom, words};

/// Subtables that are listed on the page; a file has all of them.
const MOST: usize = 60;

/// The list of subtables.
#[derive(Default)]
pub struct Memory {
    /// The rows on the page, cell by cell.
    rows: Vec<Vec<HtmlElement>>,
    /// The run, and the moment of it, that they are of.
    told: Option<(u32, u64)>,
}

impl Memory {
    /// Shows the subtables of a run.
    #[inline(never)]
    pub fn show(&mut self, run: u32, snapshot: &Snapshot) {
        let told = Some((run, snapshot.now));
        if self.told == told {
            return;
        }
        self.told = told;
        let all = snapshot.subtables.len();
        let mut listed: Vec<&SubtableSnapshot> = snapshot.subtables.iter().collect();
        if all > MOST {
            listed.sort_by_key(|subtable| Reverse(subtable.entries));
            listed.truncate(MOST);
        }
        let body = dom::get("subtables");
        for row in self.rows.drain(listed.len().min(self.rows.len())..) {
            if let Some(row) = row.first().and_then(|cell| cell.parent_element()) {
                row.remove();
            }
        }
        while self.rows.len() < listed.len() {
            let row = dom::create("tr", &[], "");
            let cells: Vec<HtmlElement> = (0..COLUMNS.len())
                .map(|_| dom::create("td", &[], ""))
                .collect();
            for cell in &cells {
                dom::append(&row, &[cell]);
            }
            dom::append(&body, &[&row]);
            self.rows.push(cells);
        }
        for (cells, subtable) in self.rows.iter().zip(&listed) {
            for (cell, text) in cells.iter().zip(shown(subtable)) {
                dom::set_text(cell, &text);
            }
        }
        // Where entries do not end there is nothing to say of their ages.
        let endless = snapshot.subtables.iter().all(|it| it.oldest.is_none());
        dom::class(&dom::get("subtables-table"), "endless", endless);
        dom::set_text(&dom::get("subtables-note"), &note(snapshot));
    }
}

/// The columns, as in the file; index.html has them in fewer words.
const COLUMNS: [&str; 8] = [
    "subtable",
    "owner",
    "entries",
    "expired",
    "used by",
    "oldest entry created, s",
    "last touched, s",
    "ends in, s",
];

fn note(snapshot: &Snapshot) -> String {
    let all = snapshot.subtables.len();
    let lost = snapshot.subtables.iter().filter(|it| !it.in_use).count();
    let mut note = match all {
        0 => "No subtable is in use yet.".to_owned(),
        1 => "1 subtable".to_owned(),
        _ => format!("{} subtables", words::whole(all as u64)),
    };
    if all > MOST {
        note = format!("{note}; the {MOST} with the most entries are listed, the file has all");
    }
    if lost > 0 {
        note = format!(
            "{note}; {} that nothing uses any more",
            words::whole(lost as u64)
        );
    }
    note
}

/// Seconds until the first of its entries goes.
fn goes_in(subtable: &SubtableSnapshot) -> Option<u64> {
    let oldest = subtable.oldest?;
    match (oldest.lifetime_left, oldest.timeout_left) {
        (Some(lifetime), Some(timeout)) => Some(lifetime.min(timeout)),
        (one, other) => one.or(other),
    }
}

fn shown(subtable: &SubtableSnapshot) -> [String; 8] {
    let oldest = subtable.oldest;
    let ends = |seconds: Option<u64>| seconds.map_or_else(|| "–".to_owned(), words::whole);
    [
        subtable.name.clone(),
        format!("TMM {}", subtable.owner),
        words::whole(subtable.entries),
        words::whole(subtable.expired),
        if subtable.in_use {
            "requests"
        } else {
            "nothing: orphans"
        }
        .to_owned(),
        ends(oldest.and_then(|age| age.created)),
        ends(oldest.and_then(|age| age.touched)),
        goes_in(subtable).map_or_else(|| "never".to_owned(), words::whole),
    ]
}

/// All subtables, exact.
pub fn table(snapshot: &Snapshot) -> Table {
    let exact = |number: Option<u64>| number.map_or_else(String::new, |it| it.to_string());
    let row = |subtable: &SubtableSnapshot| {
        let oldest = subtable.oldest;
        vec![
            subtable.name.clone(),
            subtable.owner.to_string(),
            subtable.entries.to_string(),
            subtable.expired.to_string(),
            if subtable.in_use {
                "requests"
            } else {
                "nothing"
            }
            .to_owned(),
            exact(oldest.and_then(|age| age.created)),
            exact(oldest.and_then(|age| age.touched)),
            exact(goes_in(subtable)),
        ]
    };
    Table {
        headers: COLUMNS.map(str::to_owned).into(),
        rows: snapshot.subtables.iter().map(row).collect(),
    }
}
