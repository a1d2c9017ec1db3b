//! The charts on their canvases: sized in device pixels, drawn only when what they show has changed.

pub mod canvas;
pub mod overlay;

use subtable_charts::cluster::Cluster;
use subtable_charts::histograms::Histograms;
use subtable_charts::latency::Latency;
use subtable_charts::memory::Memory;
use subtable_charts::parts::Parts;
use subtable_charts::strip;
use subtable_charts::throughput::{self, Throughput};
use subtable_charts::{Chart, Entry, Size};
use subtable_model::Snapshot;
use wasm_bindgen::prelude::*;
use web_sys::{
    HtmlCanvasElement, HtmlDetailsElement, HtmlElement, ResizeObserver, ResizeObserverEntry,
};

use super::actions::Action;
use super::looks::Axis;
use super::{Runs, act, header, log, pointers, strips};
use crate::dom;
use canvas::{Canvas, Paint};

/// The canvas of the axis over the strips: when its width changes, so do theirs.
pub const AXIS: &str = "c-axis";

/// The large charts.
pub struct Charts {
    hosts: Vec<Host>,
    /// The TMM of the first large histogram.
    first: usize,
}

/// A chart's place on the page: its canvas, and the table of its values.
struct Host {
    kind: Kind,
    canvas: Canvas,
    data: HtmlDetailsElement,
    table: HtmlElement,
    /// What the canvas shows is not what it should show.
    stale: bool,
    /// What it shows depended on these.
    told: Option<[u64; 7]>,
    /// The table is not of the present values.
    table_stale: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Cluster,
    Throughput,
    Histograms,
    Time,
    Latency,
    Memory,
}

impl Kind {
    const ALL: [Self; 6] = [
        Self::Cluster,
        Self::Throughput,
        Self::Histograms,
        Self::Time,
        Self::Latency,
        Self::Memory,
    ];

    const fn view(self) -> &'static str {
        match self {
            Self::Cluster => "cluster",
            Self::Throughput => "throughput",
            Self::Histograms => "histograms",
            Self::Time => "time",
            Self::Latency => "latency",
            Self::Memory => "memory",
        }
    }

    /// What a chart depends on, in a few numbers: when they are as before, so is the chart. While a run goes on, what has
    /// no mark of its own (the clock, the queues) moves only the cluster.
    fn depends_on(self, runs: Runs, settled: bool) -> [u64; 7] {
        let snapshot = &runs.shown.snapshot;
        let writes = snapshot.tmms.iter().map(|tmm| tmm.writes).sum();
        let moving = settled || self == Self::Cluster;
        // Entries end and are deleted without a write.
        let gone = snapshot.subtables.iter().map(|it| it.expired).sum::<u64>() + snapshot.deleted;
        [
            u64::from(runs.shown.run),
            runs.frozen.map_or(0, |frozen| 1 + u64::from(frozen.run)),
            snapshot.replies,
            writes,
            snapshot.log.lines + snapshot.log.dropped + gone,
            if moving { snapshot.now } else { 0 },
            runs.bands.map_or(0, |bands| bands.seeds as u64),
        ]
    }

    /// Lends the chart of a run to `show`.
    fn with<R>(
        self,
        runs: Runs,
        moves: bool,
        first: usize,
        show: impl FnOnce(&dyn Chart) -> R,
    ) -> R {
        let Runs {
            shown,
            frozen,
            furthest,
            bands,
            looks,
        } = runs;
        let (hidden, scale) = (looks.hidden(self.view()), looks.scale(self.view()));
        let snapshot = &shown.snapshot;
        let preset = shown.setting.preset;
        // Two runs and the published figures would be one thing too many.
        let unchanged = frozen.is_none() && header::is_unchanged(&shown.setting);
        match self {
            Self::Cluster => {
                let mut chart = Cluster::new(snapshot);
                chart.moves = moves;
                chart.hidden = hidden;
                show(&chart)
            }
            Self::Throughput => {
                let mut chart = Throughput::new(furthest.map_or(snapshot, |far| &far.snapshot));
                chart.now = furthest.map(|_| snapshot.now);
                (chart.hidden, chart.scale) = (hidden, scale);
                chart.window = looks.zoom(Axis::Time);
                if let Some(frozen) = frozen {
                    chart.run.label = "B: this run";
                    chart.other = Some(throughput::Run {
                        label: "A",
                        snapshot: &frozen.snapshot,
                    });
                }
                if unchanged {
                    chart.published = preset.published_rates;
                }
                chart.band = bands.map(|bands| throughput::Band {
                    label: &bands.label,
                    step_s: bands.step_s,
                    low: &bands.rates[0],
                    median: &bands.rates[1],
                    high: &bands.rates[2],
                });
                show(&chart)
            }
            Self::Histograms => {
                let mut chart = Histograms::new(snapshot);
                chart.other = frozen.map(|frozen| &frozen.snapshot);
                (chart.hidden, chart.scale) = (hidden, scale);
                chart.window = looks.zoom(Axis::Clicks);
                chart.first = first.min(snapshot.tmms.len().saturating_sub(1));
                if unchanged {
                    chart.published = preset.published;
                }
                let histograms = bands.map_or(&[][..], |bands| &bands.histograms);
                let histograms: Vec<strip::Band> = histograms.iter().map(strip_band).collect();
                chart.bands = &histograms;
                show(&chart)
            }
            Self::Time => {
                let mut chart = Parts::new(snapshot);
                chart.hidden = hidden;
                show(&chart)
            }
            Self::Latency => show(&Latency::new(snapshot)),
            Self::Memory => show(&Memory::new(snapshot)),
        }
    }
}

impl Charts {
    /// Finds the places in the document, and watches their sizes.
    pub fn find() -> Result<Self, JsValue> {
        let observer = observer()?;
        let mut hosts = Vec::new();
        for kind in Kind::ALL {
            let canvas = Canvas::new(dom::get_as(&format!("c-{}", kind.view())));
            observer.observe(canvas.element());
            if Axis::of(kind.view()).is_some() {
                pointers::zoom_by_wheel(canvas.element());
            }
            let find = |selector: &str| {
                dom::document()
                    .query_selector(&format!("[data-view='{}'] {selector}", kind.view()))
                    .ok()
                    .flatten()
                    .ok_or_else(|| JsValue::from_str("index.html lacks a place for a chart's data"))
            };
            hosts.push(Host {
                kind,
                canvas,
                data: find("details")?.unchecked_into(),
                table: find("details > div")?.unchecked_into(),
                stale: true,
                told: None,
                table_stale: true,
            });
        }
        observer.observe(&dom::get(AXIS));
        pointers::zoom_by_wheel(&dom::get("c-sweep"));
        for id in ["c-sweep", strips::BOX, log::BOX] {
            observer.observe(&dom::get(id));
        }
        Ok(Self { hosts, first: 0 })
    }

    /// Everything may look different now.
    pub fn look_again(&mut self) {
        for host in &mut self.hosts {
            host.stale = true;
            host.table_stale = true;
        }
    }

    /// Some canvases have another size.
    pub fn resized(&mut self, boxes: &[(String, f64)]) {
        for host in &mut self.hosts {
            let own = host.canvas.element().id();
            if boxes.iter().any(|(id, _)| *id == own) {
                host.canvas.measure_again();
                host.stale = true;
            }
        }
    }

    /// Shows the TMMs after those in the large histograms, or before them.
    pub fn turn_page(&mut self, snapshot: &Snapshot, look: u32, onward: bool) {
        let count = snapshot.tmms.len();
        for host in &mut self.hosts {
            if host.kind == Kind::Histograms
                && let Some(size) = host.canvas.size(look)
            {
                let panels = Histograms::new(snapshot).panels(size).max(1);
                let first = if onward {
                    self.first + panels
                } else {
                    self.first.saturating_sub(panels)
                };
                // The last page is full, too.
                self.first = first.min(count.saturating_sub(panels));
                host.stale = true;
            }
        }
    }

    /// Lends the chart of a view, with its size and its canvas; with or without single messages.
    pub fn lend(
        &mut self,
        view: &str,
        runs: Runs,
        look: u32,
        moves: bool,
        take: impl FnOnce(&dyn Chart, Size, &HtmlCanvasElement),
    ) {
        let host = self.hosts.iter_mut().find(|host| host.kind.view() == view);
        if let Some(host) = host
            && let Some(size) = host.canvas.size(look)
        {
            let canvas = host.canvas.element();
            host.kind
                .with(runs, moves, self.first, |chart| take(chart, size, canvas));
        }
    }

    /// Draws what has changed. `settled` says that the run does not go on by itself.
    pub fn draw(&mut self, runs: Runs, news: bool, settled: bool, paint: &Paint) {
        for host in &mut self.hosts {
            if news {
                let told = host.kind.depends_on(runs, settled);
                host.stale |= host.told.replace(told) != Some(told);
                host.table_stale = true;
            }
            if host.stale && host.kind == Kind::Histograms {
                let count = runs.shown.snapshot.tmms.len();
                let all_fit = host
                    .canvas
                    .size(paint.look)
                    .is_none_or(|size| Histograms::new(&runs.shown.snapshot).panels(size) >= count);
                dom::get("histograms-pages").set_hidden(all_fit);
            }
            if host.stale {
                let (kind, canvas) = (host.kind, &mut host.canvas);
                host.stale = !kind.with(runs, paint.moves, self.first, |chart| {
                    let drawn = canvas.show(paint, |size, theme| chart.scene(size, theme));
                    if drawn && settled {
                        dom::set(canvas.element(), "aria-label", &chart.title());
                    }
                    drawn
                });
            }
            let empty = host.table.first_element_child().is_none();
            if host.data.open() && host.table_stale && (settled || empty) {
                host.table_stale = false;
                if let Some(size) = host.canvas.size(paint.look) {
                    host.kind.with(runs, false, self.first, |chart| {
                        fill(&host.table, host.kind.view(), chart, size);
                    });
                }
            }
        }
    }
}

/// What can be left out of a view; the strips of the table are as the large histograms.
pub fn series(view: &str, runs: Runs) -> Vec<Entry> {
    let view = if view == "table" { "histograms" } else { view };
    let kind = Kind::ALL.into_iter().find(|kind| kind.view() == view);
    kind.map_or_else(Vec::new, |kind| {
        kind.with(runs, false, 0, |chart| chart.series())
    })
}

/// The edges of a histogram over many seeds.
pub fn strip_band(histogram: &[Vec<f64>; 2]) -> strip::Band<'_> {
    strip::Band {
        low: &histogram[0],
        high: &histogram[1],
    }
}

/// Fills a place with a chart's values as a table.
pub fn fill(place: &HtmlElement, view: &str, chart: &dyn Chart, size: Size) {
    let data = chart.table(size);
    let table = dom::create("table", &[], "");
    dom::append(&table, &[&dom::create("caption", &[], &chart.title())]);
    let row = |cells: &[String], tag: &str| {
        let row = dom::create("tr", &[], "");
        for cell in cells {
            dom::append(&row, &[&dom::create(tag, &[], cell)]);
        }
        row
    };
    dom::append(&table, &[&row(&data.headers, "th")]);
    for cells in &data.rows {
        dom::append(&table, &[&row(cells, "td")]);
    }
    let take = dom::create("div", &[("class", "take")], "");
    let button =
        |attribute, text| dom::create("button", &[("type", "button"), (attribute, view)], text);
    dom::append(
        &take,
        &[
            &button("data-copy-table", "Copy"),
            &button("data-save-table", "Save as CSV"),
            &button("data-save-picture", "Picture as SVG"),
            &button("data-save-image", "Picture as PNG"),
        ],
    );
    place.set_text_content(None);
    dom::append(place, &[&take, &table]);
}

fn observer() -> Result<ResizeObserver, JsValue> {
    let resized = Closure::<dyn FnMut(js_sys::Array)>::new(|entries: js_sys::Array| {
        let boxes = entries
            .iter()
            .map(|entry| {
                let entry: ResizeObserverEntry = entry.unchecked_into();
                (entry.target().id(), entry.content_rect().height())
            })
            .collect();
        act(Action::Resized(boxes));
    });
    ResizeObserver::new(&resized.into_js_value().unchecked_into())
}
