//! Which views are on the page, and the short notes beside their titles.

use subtable_model::Snapshot;

use crate::{dom, outcome, words};

/// A choice of views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// The strip table in the middle, and something of everything around it.
    #[default]
    Overview,
    Charts,
    Table,
    /// The names that were tried, and who owns them.
    Names,
    Log,
    /// Published figures beside the model's.
    Published,
    /// One result over a range of one parameter.
    Sweep,
    /// What each TMM stores.
    Memory,
    /// The validated session as the terminal shows it.
    Session,
    /// One view of the others, alone.
    Alone(&'static str),
}

/// The views that no layout above shows alone.
const ALONE: [&str; 5] = ["cluster", "throughput", "histograms", "time", "latency"];

impl Layout {
    const ALL: [Self; 9] = [
        Self::Overview,
        Self::Charts,
        Self::Table,
        Self::Names,
        Self::Log,
        Self::Published,
        Self::Sweep,
        Self::Memory,
        Self::Session,
    ];

    /// The layout of that name.
    pub fn of(word: &str) -> Option<Self> {
        let alone = ALONE.into_iter().map(Self::Alone);
        Self::ALL
            .into_iter()
            .chain(alone)
            .find(|layout| layout.word() == word)
    }

    /// The layout at a digit key, from 1.
    pub fn at(key: &str) -> Option<Self> {
        let digit: usize = key.parse().ok()?;
        Self::ALL.get(digit.checked_sub(1)?).copied()
    }

    /// The name in links and in the document.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Overview => "overview",
            Self::Charts => "charts",
            Self::Table => "table",
            Self::Names => "names",
            Self::Log => "log",
            Self::Published => "published",
            Self::Sweep => "sweep",
            Self::Memory => "memory",
            Self::Session => "session",
            Self::Alone(view) => view,
        }
    }

    fn shows(self, view: &str) -> bool {
        match self {
            Self::Overview => matches!(view, "cluster" | "throughput" | "table" | "time" | "log"),
            Self::Charts => {
                matches!(
                    view,
                    "histograms" | "throughput" | "cluster" | "time" | "latency"
                )
            }
            Self::Table => view == "table",
            Self::Names => view == "names",
            Self::Log => view == "log",
            Self::Published => view == "published",
            Self::Sweep => view == "sweep",
            Self::Memory => view == "memory",
            Self::Session => view == "session",
            Self::Alone(only) => view == only,
        }
    }
}

/// The views in their present layout.
#[derive(Default)]
pub struct Views {
    layout: Layout,
    /// The layout before one view was shown alone.
    before: Layout,
}

impl Views {
    /// The layout.
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// What pressing the title of a view leads to: that view alone, and from there back.
    pub fn alone_or_back(&self, view: &str) -> Layout {
        match (self.layout, Layout::of(view)) {
            (Layout::Alone(only), _) if only == view => self.before,
            (_, Some(alone)) => alone,
            (present, None) => present,
        }
    }

    /// Shows some views in the place of a layout.
    pub fn choose_only(views: &[String]) {
        let main = dom::get("views");
        let _ = main.dataset().set("layout", "some");
        for view in dom::all(&main, "[data-view]") {
            let name = view.dataset().get("view").unwrap_or_default();
            view.set_hidden(!views.contains(&name));
        }
    }

    /// Shows the views of a layout, and no others.
    pub fn choose(&mut self, layout: Layout) {
        if !matches!(self.layout, Layout::Alone(_)) {
            self.before = self.layout;
        }
        self.layout = layout;
        let main = dom::get("views");
        let _ = main.dataset().set("layout", layout.word());
        for view in dom::all(&main, "[data-view]") {
            let name = view.dataset().get("view").unwrap_or_default();
            view.set_hidden(!layout.shows(&name));
        }
        for title in dom::all(&main, "[data-alone]") {
            let alone = title.dataset().get("alone").as_deref() == Some(layout.word());
            dom::set(&title, "aria-pressed", if alone { "true" } else { "false" });
        }
        for button in dom::all(&dom::get("layouts"), "button") {
            let pressed = button.dataset().get("layout").as_deref() == Some(layout.word());
            dom::set(
                &button,
                "aria-pressed",
                if pressed { "true" } else { "false" },
            );
        }
    }
}

/// The view that a preset's sentence speaks of, where the overview does not have it; and what to call it.
pub fn to_look_at(preset: &str) -> Option<(&'static str, &'static str)> {
    Some(match preset {
        "per-session" | "reload" | "entries-end" | "spread" | "store-once" => {
            ("memory", "Show the memory")
        }
        "late-starts" => ("latency", "Show the latencies"),
        "tmms-64" | "threshold-too-low" | "threshold-too-high" | "minimum-of" => {
            ("names", "Show the tries")
        }
        "redis" | "kafka" | "cassandra" => ("names", "Ask for owners"),
        _ => return None,
    })
}

/// Whether a view is on the page.
pub fn is_shown(view: &str) -> bool {
    let selector = format!("[data-view='{view}']:not([hidden])");
    let found = dom::document().query_selector(&selector);
    found.is_ok_and(|section| section.is_some())
}

/// Writes the notes beside the titles.
pub fn note(snapshot: &Snapshot) {
    let local = snapshot.local_share().map_or_else(
        || "no writes yet".to_owned(),
        |share| format!("{:.0} % of writes local", share * 100.0),
    );
    dom::set_text(&dom::get("cluster-note"), &local);
    dom::set_text(
        &dom::get("throughput-note"),
        &format!(
            "{} of {} in {}",
            words::whole(snapshot.replies),
            words::whole(snapshot.requests),
            words::time(snapshot.now)
        ),
    );
    let writes: u64 = snapshot.tmms.iter().map(|tmm| tmm.writes).sum();
    dom::set_text(
        &dom::get("histograms-note"),
        &format!("all {} writes", words::whole(writes)),
    );
    dom::set_text(&dom::get("time-note"), "mean of a request");
    dom::set_text(
        &dom::get("latency-note"),
        &format!("{} requests", words::whole(snapshot.latency.n)),
    );
    dom::set_text(&dom::get("outcome"), &outcome::of(snapshot));
}
