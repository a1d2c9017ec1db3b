//! Every published figure beside the model's, over many seeds.

use subtable_model::fidelity::{self, Figure, Kind};
use subtable_model::preset::Preset;
use subtable_model::scenario::link;
use web_sys::HtmlInputElement;

use super::crew::Client;
use super::{Page, ask_for_frame, header};
use crate::protocol::{Found, Want};
use crate::{dom, words};

/// The most seeds.
const MOST: usize = 200;
/// Time between two pictures of the table, in milliseconds.
const PAUSE_MS: f64 = 250.0;

/// The table of published figures.
#[derive(Default)]
pub struct Published {
    presets: Vec<OfPreset>,
    seeds: usize,
    done: usize,
    news: bool,
    drawn: f64,
}

struct OfPreset {
    preset: &'static Preset,
    figures: Vec<Figure>,
    /// Seed by seed, every figure.
    values: Vec<Vec<f64>>,
}

impl Published {
    /// Presets with published figures, in the order of the picker.
    fn begin(&mut self, seeds: usize) {
        self.presets.clear();
        for figure in fidelity::figures() {
            match self
                .presets
                .iter_mut()
                .find(|of| of.preset.id == figure.preset.id)
            {
                Some(of) => of.figures.push(figure),
                None => self.presets.push(OfPreset {
                    preset: figure.preset,
                    figures: vec![figure],
                    values: Vec::new(),
                }),
            }
        }
        (self.seeds, self.done, self.news) = (seeds, 0, true);
    }

    const fn all(&self) -> usize {
        self.seeds * self.presets.len()
    }
}

impl Page {
    /// Begins the comparison, or ends it.
    pub(super) fn compare_published(&mut self) {
        if self.crew.open(Client::Published) > 0 {
            self.crew.forget(Client::Published);
            self.published.news = true;
            return;
        }
        let field: HtmlInputElement = dom::get_as("published-seeds");
        let seeds = field.value().trim().parse().unwrap_or(0);
        let error = dom::get("published-error");
        error.set_hidden((1..=MOST).contains(&seeds));
        if !(1..=MOST).contains(&seeds) {
            let short: String = field.value().chars().take(40).collect();
            return dom::set_text(
                &error,
                &format!("`{short}` is not a whole number from 1 to {MOST}"),
            );
        }
        self.published.begin(seeds);
        // Seed by seed, so that every row fills from the beginning.
        for seed in 1..=seeds {
            for (place, of) in self.published.presets.iter().enumerate() {
                let setting = link::Run {
                    preset: of.preset,
                    scenario: of.preset.scenario(),
                    seed: seed as u64,
                    others: Vec::new(),
                };
                self.crew
                    .ask(Client::Published, place, &setting, Want::Figures);
            }
        }
        self.put_crew_to_work();
    }

    /// A run of a preset has been measured.
    pub(super) fn take_figures(&mut self, place: usize, found: Result<Found, String>) {
        match found {
            Ok(Found::Numbers(values)) => {
                if let Some(of) = self.published.presets.get_mut(place) {
                    of.values.push(values);
                }
                self.published.done += 1;
                self.published.news = true;
            }
            Ok(_) => {}
            Err(text) => {
                self.crew.forget(Client::Published);
                header::warn(&format!("The comparison broke: {text}"));
            }
        }
    }

    /// Draws the table when there is anything new.
    #[inline(never)]
    pub(super) fn draw_published(&mut self) {
        if !self.published.news {
            return;
        }
        let open = self.crew.open(Client::Published);
        if open > 0 && dom::now() - self.published.drawn < PAUSE_MS {
            return ask_for_frame();
        }
        self.published.drawn = dom::now();
        self.published.news = false;
        let (inside, compared, all) = fill(&self.published);
        let published = &self.published;
        let note = match (open, published.done) {
            (0, done) if done == published.all() => {
                let text = format!(
                    "{inside} of {all} figures inside, over {} seeds.",
                    published.seeds
                );
                header::speak(&text);
                text
            }
            (0, _) => format!("Stopped: {inside} of {compared} figures inside so far."),
            (_, done) => format!(
                "{done} of {} runs; {inside} of {compared} figures inside so far.",
                published.all()
            ),
        };
        dom::set_text(&dom::get("published-note"), &note);
        dom::set_text(
            &dom::get("published-run"),
            if open > 0 { "Stop" } else { "Compare" },
        );
    }
}

/// Fills the table. Returns how many figures are inside, how many have been compared, and how many there are.
fn fill(published: &Published) -> (usize, usize, usize) {
    let body = dom::get("figures");
    body.set_text_content(None);
    let (mut inside, mut compared, mut all) = (0, 0, 0);
    for of in &published.presets {
        let head = dom::create("tr", &[("class", "of")], "");
        let title = dom::create(
            "th",
            &[("colspan", "6"), ("scope", "rowgroup")],
            of.preset.title,
        );
        dom::append(&head, &[&title]);
        dom::append(&body, &[&head]);
        let mut reasons = Vec::new();
        for (place, figure) in of.figures.iter().enumerate() {
            all += 1;
            let values: Vec<f64> = of
                .values
                .iter()
                .filter_map(|run| run.get(place).copied())
                .collect();
            let result = (!values.is_empty()).then(|| figure.compare(&values));
            compared += usize::from(result.is_some());
            inside += usize::from(result.is_some_and(|result| result.inside));
            let name = figure.id.split_once('.').map_or("", |(_, name)| name);
            let cells = [
                name.replace("tmm", "TMM ").replace(['.', '-'], " "),
                kind(figure.kind).to_owned(),
                number(figure.published),
                result.map_or_else(String::new, |result| number(result.median)),
                result.map_or_else(String::new, |result| {
                    format!("{} to {}", number(result.low), number(result.high))
                }),
                match result {
                    None => String::new(),
                    Some(result) if result.inside => "✓ inside".to_owned(),
                    Some(_) => "✗ outside".to_owned(),
                },
            ];
            let outside = result.is_some_and(|result| !result.inside);
            if let Some(reason) = figure.not_explained
                && outside
                && !reasons.contains(&reason)
            {
                reasons.push(reason);
            }
            let row = dom::create("tr", &[("class", if outside { "outside" } else { "" })], "");
            for (column, cell) in cells.iter().enumerate() {
                let class = if column == 2 { "violet" } else { "" };
                dom::append(&row, &[&dom::create("td", &[("class", class)], cell)]);
            }
            dom::append(&body, &[&row]);
        }
        for reason in reasons {
            let row = dom::create("tr", &[("class", "of")], "");
            let cell = dom::create("td", &[("colspan", "6")], "");
            dom::append(&cell, &[&dom::create("p", &[], reason)]);
            dom::append(&row, &[&cell]);
            dom::append(&body, &[&row]);
        }
    }
    (inside, compared, all)
}

const fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Statistical => "in the central 95 %",
        Kind::HeavyTail => "within a factor of 2",
        Kind::Range(..) => "median in the range",
    }
}

fn number(value: f64) -> String {
    if value.is_finite() {
        words::published_mean(value)
    } else {
        "–".to_owned()
    }
}
