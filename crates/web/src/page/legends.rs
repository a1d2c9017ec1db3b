//! The legends: rows of buttons that leave something out of a chart or put it back, and that space its values.

use std::collections::HashMap;

use subtable_charts::{Entry, Scale, Series};
use web_sys::HtmlElement;

use super::looks::Looks;
use super::views::Layout;
use super::{Page, Runs, charts};
use crate::dom;

/// The views that have a legend.
const VIEWS: [&str; 6] = [
    "cluster",
    "throughput",
    "histograms",
    "time",
    "sweep",
    "table",
];

/// What each legend holds, so that it is made anew only when it is another.
#[derive(Default)]
pub struct Legends(HashMap<&'static str, String>);

fn row(view: &str) -> Option<HtmlElement> {
    let place = dom::all(&dom::get("views"), &format!("[data-view='{view}'] .legend"));
    place.into_iter().next()
}

/// Opens the legends where there is room for them, and closes them elsewhere.
pub fn suit(layout: Layout) {
    let roomy = !dom::is_narrow() && matches!(layout, Layout::Charts | Layout::Sweep);
    for view in VIEWS {
        open(view, roomy);
    }
}

/// Opens the legend of a view when it is closed, and closes it when it is open.
fn turn(view: &str) {
    let is_closed = row(view).is_some_and(|row| row.hidden());
    open(view, is_closed);
}

fn open(view: &str, open: bool) {
    let Some(row) = row(view) else { return };
    row.set_hidden(!open);
    let buttons = format!("[data-view='{view}'] [data-legend]");
    for button in dom::all(&dom::get("views"), &buttons) {
        dom::set(
            &button,
            "aria-expanded",
            if open { "true" } else { "false" },
        );
    }
}

const fn pressed(on: bool) -> &'static str {
    if on { "true" } else { "false" }
}

impl Legends {
    fn show(&mut self, view: &'static str, entries: &[Entry], looks: &Looks) {
        let Some(row) = row(view) else { return };
        let hidden = looks.hidden(view);
        let logarithmic = looks.scale(view) == Scale::Logarithmic;
        let told: String = entries
            .iter()
            .flat_map(|entry| [entry.name.as_str(), " ", entry.colour, "\n"])
            .collect();
        if self.0.get(view) != Some(&told) {
            row.set_text_content(None);
            for entry in entries {
                let number = entry.series.number().to_string();
                let button = dom::create(
                    "button",
                    &[
                        ("type", "button"),
                        ("data-view", view),
                        ("data-series", &number),
                    ],
                    "",
                );
                let swatch = dom::create("i", &[("aria-hidden", "true")], "");
                dom::class(&swatch, entry.colour, true);
                dom::append(&button, &[&swatch, &dom::create("span", &[], &entry.name)]);
                dom::append(&row, &[&button]);
            }
            if Looks::has_scale(view) {
                let title = match view {
                    "throughput" => "Rates by powers of ten",
                    "sweep" => "Results by powers of ten",
                    _ => "Counts on a logarithmic scale",
                };
                let button = dom::create(
                    "button",
                    &[("type", "button"), ("data-scale", view), ("title", title)],
                    "log scale",
                );
                dom::append(&row, &[&button]);
            }
            self.0.insert(view, told);
        }
        for (button, entry) in dom::all(&row, "[data-series]").iter().zip(entries) {
            dom::set(button, "aria-pressed", pressed(!hidden.hides(entry.series)));
        }
        for button in dom::all(&row, "[data-scale]") {
            dom::set(&button, "aria-pressed", pressed(logarithmic));
        }
    }
}

impl Page {
    /// Brings the open legends up to date.
    pub(super) fn draw_legends(&mut self) {
        let Some(shown) = &self.shown else { return };
        let runs = Runs::of(
            shown,
            self.frozen.as_ref(),
            self.furthest.as_ref(),
            &self.many,
            &self.looks,
        );
        for view in VIEWS {
            if row(view).is_none_or(|row| row.hidden()) {
                continue;
            }
            let entries = match view {
                "sweep" => self.sweeping.with(&self.looks, |chart| chart.series()),
                _ => charts::series(view, runs),
            };
            self.legends.show(view, &entries, &self.looks);
        }
    }

    /// Opens the legend of a view, or closes it.
    pub(super) fn turn_legend(&mut self, view: &str) {
        turn(view);
        self.look_again();
    }

    /// Leaves something out of a chart, or puts it back.
    pub(super) fn toggle(&mut self, view: &str, number: u8) {
        if let Some(series) = Series::of(number) {
            self.looks.toggle(view, series);
            self.look_again();
        }
    }

    /// Spaces the values of a chart in the other way.
    pub(super) fn turn_scale(&mut self, view: &str) {
        self.looks.turn_scale(view);
        self.look_again();
    }
}
