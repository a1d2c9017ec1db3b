//! One row of the strip table.

use subtable_charts::strip::Strip;
use subtable_charts::{Chart, Size};
use subtable_model::Snapshot;
use subtable_model::preset::PublishedRow;
use subtable_model::statistics::Summary;
use web_sys::{Element, HtmlCanvasElement, HtmlElement};

use super::super::charts::canvas::{Canvas, Paint};
use super::super::charts::strip_band;
use super::super::looks::Axis;
use super::super::{Runs, pointers};
use crate::digest::Band;
use crate::{dom, words};

/// The columns of figures.
const COLUMNS: [&str; 9] = [
    "n", "fast", "slow", "min", "p50", "avg", "p95", "p99", "max",
];

pub struct Row {
    root: HtmlElement,
    name: HtmlElement,
    canvas: Canvas,
    cells: Vec<Cell>,
    told: Option<u32>,
    painted: Option<Painted>,
    /// Whether the words of the picture are those of what it shows.
    titled: bool,
}

/// A figure, and the published one under it.
struct Cell {
    figure: HtmlElement,
    published: HtmlElement,
    texts: (String, String),
}

/// Everything that the picture of a row depends on.
#[derive(PartialEq)]
struct Painted {
    local: Vec<u32>,
    remote: Vec<u32>,
    all: Summary,
    sampled: Summary,
    frozen: Option<u32>,
    bands: usize,
    threshold: u64,
    decades: usize,
    look: u32,
}

/// What stands under the figures of a row.
pub enum Beside<'a> {
    Nothing,
    /// What was published of such a TMM.
    Published(&'a PublishedRow),
    /// The same TMM of the run that was kept to compare with.
    Frozen(Summary),
    /// The same TMM under many seeds: how many, and the band of each figure.
    Bands(usize, &'a [Band; COLUMNS.len()]),
}

impl Beside<'_> {
    fn figures(&self) -> [String; 9] {
        match self {
            Self::Nothing => Default::default(),
            Self::Published(row) => published_figures(row),
            Self::Frozen(row) => figures(row),
            Self::Bands(_, bands) => bands.map(|band| words::range(band.low, band.high)),
        }
    }
}

/// The histogram of a TMM, over that of the run to compare with.
pub fn strip(runs: Runs<'_>, number: usize, decades: usize) -> Option<Strip<'_>> {
    let mut strip = Strip::new(&runs.shown.snapshot, number, decades)?;
    strip.other = runs
        .frozen
        .and_then(|frozen| frozen.snapshot.tmms.get(number));
    strip.band = runs
        .bands
        .and_then(|bands| bands.histograms.get(number))
        .map(strip_band);
    strip.window = runs.looks.zoom(Axis::Clicks);
    strip.scale = runs.looks.scale("histograms");
    strip.hidden = runs.looks.hidden("histograms");
    Some(strip)
}

impl Row {
    /// The row of a TMM, empty.
    pub fn build(number: usize) -> Self {
        let text = number.to_string();
        let root = dom::create("tr", &[("role", "row"), ("data-tmm", &text)], "");
        let head = dom::create("td", &[("role", "cell")], "");
        dom::append(&head, &[&dom::create("span", &[("class", "badge")], &text)]);
        let name = dom::create("td", &[("role", "cell"), ("class", "name")], "");
        let strip = dom::create("td", &[("role", "cell"), ("class", "strip")], "");
        let canvas = Canvas::new(dom::create_as(
            "canvas",
            &[
                ("role", "application"),
                ("aria-roledescription", "chart"),
                ("aria-label", "no writes yet"),
                ("data-strip", &text),
            ],
            "",
        ));
        pointers::zoom_by_wheel(canvas.element());
        let plot = dom::create("div", &[("class", "plot")], "");
        dom::append(&plot, &[canvas.element()]);
        dom::append(&strip, &[&plot]);
        dom::append(&root, &[&head, &name, &strip]);
        let cells = COLUMNS
            .iter()
            .map(|column| {
                let cell = dom::create("td", &[("role", "cell"), ("data-column", column)], "");
                let figure = dom::create("span", &[], "");
                let published = dom::create("small", &[], "");
                published.set_hidden(true);
                dom::append(&cell, &[&figure, &published]);
                dom::append(&root, &[&cell]);
                Cell {
                    figure,
                    published,
                    texts: Default::default(),
                }
            })
            .collect();
        Self {
            root,
            name,
            canvas,
            cells,
            told: None,
            painted: None,
            titled: false,
        }
    }

    /// The element.
    pub const fn root(&self) -> &HtmlElement {
        &self.root
    }

    /// Whether an element is the picture of this row.
    pub fn is(&self, element: &Element) -> bool {
        element.is_same_node(Some(self.canvas.element()))
    }

    /// Gives the focus to the picture, which is then where the tab key stops.
    pub fn take_focus(&self) {
        self.be_stop(true);
        let _ = self.canvas.element().focus();
    }

    /// Whether the tab key stops at the picture.
    pub fn be_stop(&self, is_stop: bool) {
        self.canvas
            .element()
            .set_tab_index(if is_stop { 0 } else { -1 });
    }

    /// Takes the row from the page.
    pub fn remove(&self) {
        self.root.remove();
    }

    /// Whether the figures are of that version.
    pub fn is_told(&self, version: u32) -> bool {
        self.told == Some(version)
    }

    /// Writes name, owner and figures, unless they are of that version already.
    pub fn tell(&mut self, snapshot: &Snapshot, number: usize, beside: &Beside, version: u32) {
        if self.told.replace(version) == Some(version) {
            return;
        }
        let row = snapshot.row(number);
        let slow = row.n > 0 && row.avg >= snapshot.threshold as f64;
        dom::class(&self.root, "slow", slow);
        dom::class(&self.root, "fast", row.n > 0 && !slow);
        dom::class(&self.root, "compared", matches!(beside, Beside::Frozen(_)));
        dom::class(&self.root, "banded", matches!(beside, Beside::Bands(..)));
        self.tell_name(snapshot, number);
        for ((cell, text), beside_it) in self
            .cells
            .iter_mut()
            .zip(figures(&row))
            .zip(beside.figures())
        {
            cell.set(text, beside_it);
        }
        if let Beside::Bands(seeds, bands) = beside {
            for (cell, band) in self.cells.iter().zip(*bands) {
                let text = if band.median.is_nan() {
                    String::new()
                } else {
                    format!(
                        "median of {seeds} seeds: {}; 90 % of them from {} to {}",
                        words::mean(band.median),
                        words::mean(band.low),
                        words::mean(band.high)
                    )
                };
                dom::set(&cell.published, "title", &text);
            }
        }
    }

    fn tell_name(&self, snapshot: &Snapshot, number: usize) {
        let tmm = &snapshot.tmms[number];
        let subtable = tmm
            .subtable
            .and_then(|index| snapshot.subtables.get(index as usize));
        let text = match subtable {
            Some(subtable) => format!("{} → {}", subtable.name, subtable.owner),
            None if tmm.tried > 0 => format!("looking: {} tried", words::whole(tmm.tried)),
            // More subtables than TMMs, of which none is this TMM's: requests bring their names.
            None if snapshot.subtables.len() > snapshot.tmms.len() => {
                "with each request".to_owned()
            }
            None => "no name yet".to_owned(),
        };
        if self.name.get_attribute("title").as_deref() == Some(&text) {
            return;
        }
        let line = dom::create("div", &[], "");
        if let Some(subtable) = subtable {
            let owner = dom::create("b", &[], &subtable.owner.to_string());
            dom::append(
                &line,
                &[
                    &dom::create("i", &[], &subtable.name),
                    &dom::create("span", &[], "→"),
                    &owner,
                ],
            );
        } else {
            dom::set_text(&line, &text);
        }
        self.name.set_text_content(None);
        dom::append(&self.name, &[&line]);
        dom::set(&self.name, "title", &text);
    }

    /// Lends the size and the canvas of the histogram, if it is to be seen.
    pub fn lend(&mut self, look: u32, take: impl FnOnce(Size, &HtmlCanvasElement)) {
        if let Some(size) = self.canvas.size(look) {
            take(size, self.canvas.element());
        }
    }

    /// Draws the histogram, unless it is that already.
    pub fn paint(
        &mut self,
        runs: Runs,
        number: usize,
        decades: usize,
        paint: &Paint,
        settled: bool,
    ) {
        let Some(strip) = strip(runs, number, decades) else {
            return;
        };
        let painted = Painted {
            local: strip.tmm.local_bins.clone(),
            remote: strip.tmm.remote_bins.clone(),
            all: strip.tmm.all,
            sampled: strip.tmm.sampled,
            frozen: runs.frozen.map(|frozen| frozen.run),
            bands: runs.bands.map_or(0, |bands| bands.seeds),
            threshold: strip.threshold,
            decades,
            look: paint.look,
        };
        // Words that change thirty times a second are for nobody.
        let first = self.painted.is_none();
        let is_new = self.painted.as_ref() != Some(&painted);
        if is_new
            && self
                .canvas
                .show(paint, |size, theme| strip.scene(size, theme))
        {
            self.painted = Some(painted);
            self.titled = false;
        }
        if !self.titled && (settled || first) {
            dom::set(self.canvas.element(), "aria-label", &strip.title());
            self.titled = settled;
        }
    }
}

impl Cell {
    fn set(&mut self, text: String, published: String) {
        if self.texts.0 != text {
            self.figure.set_text_content(Some(&text));
            self.texts.0 = text;
        }
        if self.texts.1 != published {
            self.published.set_text_content(Some(&published));
            self.published.set_hidden(published.is_empty());
            self.texts.1 = published;
        }
    }
}

fn figures(row: &Summary) -> [String; 9] {
    let clicks = |clicks: u32| {
        if row.n == 0 {
            "–".to_owned()
        } else {
            words::whole(u64::from(clicks))
        }
    };
    [
        words::whole(row.n),
        words::whole(row.fast),
        words::whole(row.slow),
        clicks(row.min),
        clicks(row.p50),
        if row.n == 0 {
            "–".to_owned()
        } else {
            words::mean(row.avg)
        },
        clicks(row.p95),
        clicks(row.p99),
        clicks(row.max),
    ]
}

fn published_figures(row: &PublishedRow) -> [String; 9] {
    let whole = |clicks: u32| words::whole(u64::from(clicks));
    let maybe = |clicks: Option<u32>| clicks.map(whole).unwrap_or_default();
    [
        whole(row.n),
        String::new(),
        String::new(),
        whole(row.min),
        maybe(row.p50),
        words::published_mean(row.avg),
        maybe(row.p95),
        maybe(row.p99),
        whole(row.max),
    ]
}
