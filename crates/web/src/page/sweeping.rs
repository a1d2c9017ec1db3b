//! A sweep: one parameter over a range, many seeds of each value, in as many workers as the machine has cores for.

use subtable_charts::sweep::{Point, Sweep};
use subtable_charts::{Chart, Scale, Size};
use subtable_model::scenario::{DECIMAL_SCALE, Kind, PARAMETERS, Parameter, link, parameter};
use web_sys::{HtmlCanvasElement, HtmlInputElement, HtmlSelectElement};

use super::charts::canvas::{Canvas, Paint};
use super::charts::fill;
use super::crew::{Client, Crew};
use super::looks::{Axis, Looks};
use super::{Page, ask_for_frame, header};
use crate::digest::Band;
use crate::measures::MEASURES;
use crate::protocol::{Found, Want};
use crate::{dom, words};

/// The most values, and the most seeds of each.
const MOST_POINTS: u64 = 100;
const MOST_SEEDS: u64 = 200;
/// Time between two pictures, in milliseconds.
const PAUSE_MS: f64 = 150.0;

/// The sweep that is running or has run.
#[derive(Default)]
pub struct Sweeping {
    plan: Option<Plan>,
    /// For each value, every measure of each seed.
    values: Vec<Vec<Vec<f64>>>,
    points: Vec<Point>,
    done: usize,
    began: f64,
    news: bool,
    drawn: f64,
    look: Option<u32>,
    canvas: Option<Canvas>,
}

#[derive(Clone)]
struct Plan {
    base: link::Run,
    parameter: &'static Parameter,
    /// Stored values of the parameter.
    values: Vec<u64>,
    seeds: u64,
    logarithmic: bool,
}

impl Plan {
    /// Reads the fields.
    fn read(base: &link::Run) -> Result<Self, String> {
        let text = |id: &str| dom::get_as::<HtmlInputElement>(id).value();
        let id = dom::get_as::<HtmlSelectElement>("sweep-parameter").value();
        let parameter = parameter(&id).map_err(|error| error.to_string())?;
        let of = |field: &str, name: &str| {
            parameter
                .parse(text(field).trim())
                .map_err(|error| format!("{name}: {error}"))
        };
        let (from, to) = (of("sweep-from", "from")?, of("sweep-to", "to")?);
        if from >= to {
            return Err("The range ends before it begins.".to_owned());
        }
        let whole = |field: &str, name: &str, least: u64, most: u64| {
            let number = text(field).trim().parse::<u64>().ok();
            number
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| format!("{name}: not a whole number from {least} to {most}"))
        };
        let count = whole("sweep-points", "values", 2, MOST_POINTS)?;
        let seeds = whole("sweep-seeds", "seeds of each", 1, MOST_SEEDS)?;
        let logarithmic = dom::get_as::<HtmlInputElement>("sweep-factors").checked();
        if logarithmic && from == 0 {
            return Err("from: equal factors cannot begin at 0".to_owned());
        }
        Ok(Self {
            base: base.clone(),
            parameter,
            values: spread(from, to, count, logarithmic),
            seeds,
            logarithmic,
        })
    }

    fn label(&self) -> String {
        match words::unit(self.parameter.unit) {
            "" => self.parameter.label.to_owned(),
            unit => format!("{}, {unit}", self.parameter.label),
        }
    }

    fn shown(&self, stored: u64) -> f64 {
        match self.parameter.kind {
            Kind::Decimal { .. } => stored as f64 / DECIMAL_SCALE as f64,
            _ => stored as f64,
        }
    }
}

/// So many whole numbers between two, evenly or by equal factors, none twice.
fn spread(from: u64, to: u64, count: u64, logarithmic: bool) -> Vec<u64> {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between `from` and `to`"
    )]
    let value = |step: u64| {
        let share = step as f64 / (count - 1) as f64;
        let value = if logarithmic {
            from as f64 * (to as f64 / from as f64).powf(share)
        } else {
            from as f64 + (to - from) as f64 * share
        };
        (value.round() as u64).clamp(from, to)
    };
    let mut values: Vec<u64> = (0..count).map(value).collect();
    values.dedup();
    values
}

/// Fills the lists of parameters and measures.
pub fn fill_lists() {
    let parameters = dom::get("sweep-parameter");
    for parameter in PARAMETERS {
        if !matches!(parameter.kind, Kind::Choice(_)) {
            let option = dom::create("option", &[("value", parameter.id)], parameter.label);
            dom::append(&parameters, &[&option]);
        }
    }
    let measures = dom::get("sweep-measure");
    for measure in MEASURES {
        let option = dom::create("option", &[("value", measure.id)], measure.label);
        dom::append(&measures, &[&option]);
    }
    dom::get_as::<HtmlSelectElement>("sweep-measure").set_value("tries");
    offer_range();
}

/// Puts a range into the fields that suits the chosen parameter.
pub fn offer_range() {
    let id = dom::get_as::<HtmlSelectElement>("sweep-parameter").value();
    let Ok(parameter) = parameter(&id) else {
        return;
    };
    if let Kind::Integer { min, slider, .. } | Kind::Decimal { min, slider, .. } = parameter.kind {
        let from = dom::get_as::<HtmlInputElement>("sweep-from");
        let to = dom::get_as::<HtmlInputElement>("sweep-to");
        from.set_value(&parameter.format(min));
        to.set_value(&parameter.format(slider));
        dom::get_as::<HtmlInputElement>("sweep-factors").set_checked(min > 0 && slider / min >= 16);
    }
}

fn chosen_measure() -> usize {
    let id = dom::get_as::<HtmlSelectElement>("sweep-measure").value();
    MEASURES
        .iter()
        .position(|measure| measure.id == id)
        .unwrap_or(0)
}

impl Page {
    /// Begins the sweep, or ends it.
    pub(super) fn sweep(&mut self) {
        if self.crew.open(Client::Sweep) > 0 {
            self.crew.forget(Client::Sweep);
            self.sweeping.news = true;
            return;
        }
        let error = dom::get("sweep-error");
        let plan = match Plan::read(&self.setting) {
            Ok(plan) => plan,
            Err(reason) => {
                dom::set_text(&error, &reason);
                return error.set_hidden(false);
            }
        };
        error.set_hidden(true);
        let sweeping = &mut self.sweeping;
        sweeping.values = vec![Vec::new(); plan.values.len()];
        (sweeping.done, sweeping.began, sweeping.news) = (0, dom::now(), true);
        // Seed by seed over the whole range: the shape is there early, and gets sharper.
        for seed in 0..plan.seeds {
            for (place, stored) in plan.values.iter().enumerate() {
                let mut setting = plan.base.clone();
                // A value of the parameter's own range is accepted.
                let _ = setting
                    .scenario
                    .set(plan.parameter.id, &plan.parameter.format(*stored));
                setting.seed = (setting.seed + seed) % (link::LARGEST_SEED + 1);
                self.crew
                    .ask(Client::Sweep, place, &setting, Want::Measures);
            }
        }
        self.sweeping.plan = Some(plan);
        self.looks.set_zoom(Axis::Parameter, None);
        self.put_crew_to_work();
    }

    /// A run of the sweep has been measured.
    pub(super) fn take_measures(&mut self, place: usize, found: Result<Found, String>) {
        match found {
            Ok(Found::Numbers(numbers)) => {
                if let Some(values) = self.sweeping.values.get_mut(place) {
                    values.push(numbers);
                }
                self.sweeping.done += 1;
                self.sweeping.news = true;
            }
            Ok(_) => {}
            Err(text) => {
                self.crew.forget(Client::Sweep);
                header::warn(&format!("The sweep broke: {text}"));
            }
        }
    }

    /// Another measure is to be seen.
    pub(super) fn show_measure(&mut self) {
        self.sweeping.news = true;
    }

    /// Draws the sweep when there is anything new.
    #[inline(never)]
    pub(super) fn draw_sweep(&mut self, paint: &Paint) {
        let open = self.crew.open(Client::Sweep);
        let sweeping = &mut self.sweeping;
        let looks_new = sweeping.look != Some(paint.look);
        if !sweeping.news && !looks_new {
            return;
        }
        if sweeping.news && open > 0 && dom::now() - sweeping.drawn < PAUSE_MS {
            return ask_for_frame();
        }
        sweeping.drawn = dom::now();
        let news = std::mem::take(&mut sweeping.news);
        sweeping.look = Some(paint.look);
        let measure = chosen_measure();
        if let Some(plan) = &sweeping.plan {
            let values = plan.values.iter().zip(&sweeping.values);
            sweeping.points = values
                .map(|(stored, runs)| {
                    let band = Band::of(runs.iter().filter_map(|run| run.get(measure).copied()));
                    Point {
                        at: plan.shown(*stored),
                        seeds: runs.len(),
                        low: band.low,
                        median: band.median,
                        high: band.high,
                    }
                })
                .collect();
        }
        let mut canvas = sweeping
            .canvas
            .take()
            .unwrap_or_else(|| Canvas::new(dom::get_as("c-sweep")));
        self.sweeping.with(&self.looks, |chart| {
            canvas.show(paint, |size, theme| chart.scene(size, theme));
            dom::set(canvas.element(), "aria-label", &chart.title());
            if let Some(size) = canvas.size(paint.look)
                && (news || looks_new)
                && open == 0
            {
                fill(&dom::get("sweep-data"), "sweep", chart, size);
            }
        });
        self.sweeping.canvas = Some(canvas);
        self.show_progress_of_sweep(open);
    }

    fn show_progress_of_sweep(&self, open: usize) {
        let sweeping = &self.sweeping;
        let Some(plan) = &sweeping.plan else { return };
        let all = plan.values.len() * usize::try_from(plan.seeds).unwrap_or(usize::MAX);
        let elapsed = (dom::now() - sweeping.began) / 1000.0;
        let note = if open > 0 {
            let left = elapsed / sweeping.done.max(1) as f64 * open as f64;
            format!(
                "{} of {} runs in {} workers, {}",
                words::whole(sweeping.done as u64),
                words::whole(all as u64),
                Crew::size(),
                if sweeping.done < 3 {
                    "beginning".to_owned()
                } else {
                    format!("about {left:.0} s left")
                }
            )
        } else if sweeping.done == all {
            format!("{} runs", words::whole(all as u64))
        } else {
            format!(
                "stopped after {} of {} runs",
                words::whole(sweeping.done as u64),
                words::whole(all as u64)
            )
        };
        dom::set_text(&dom::get("sweep-note"), &note);
        dom::set_text(
            &dom::get("sweep-run"),
            if open > 0 { "Stop" } else { "Sweep" },
        );
        let bar = dom::get("sweep-progress");
        dom::set(&bar, "value", &sweeping.done.to_string());
        dom::set(&bar, "max", &all.max(1).to_string());
        bar.set_hidden(open == 0);
        if open == 0 && sweeping.done == all {
            let _ = dom::root().dataset().set("sweep", "finished");
        } else {
            dom::root().dataset().delete("sweep");
        }
    }
}

impl Sweeping {
    /// Lends the chart.
    pub fn with<R>(&self, looks: &Looks, show: impl FnOnce(&dyn Chart) -> R) -> R {
        let measure = &MEASURES[chosen_measure()];
        let result = format!("{}, {}", measure.label, measure.unit);
        let label = self.plan.as_ref().map_or_else(String::new, Plan::label);
        show(&Sweep {
            points: &self.points,
            parameter: &label,
            result: &result,
            along: if self.plan.as_ref().is_some_and(|plan| plan.logarithmic) {
                Scale::Logarithmic
            } else {
                Scale::Linear
            },
            window: looks.zoom(Axis::Parameter),
            scale: looks.scale("sweep"),
            hidden: looks.hidden("sweep"),
        })
    }

    /// Lends the chart with its size and its canvas.
    pub fn lend(
        &mut self,
        looks: &Looks,
        look: u32,
        take: impl FnOnce(&dyn Chart, Size, &HtmlCanvasElement),
    ) {
        let Some(mut canvas) = self.canvas.take() else {
            return;
        };
        if let Some(size) = canvas.size(look) {
            self.with(looks, |chart| take(chart, size, canvas.element()));
        }
        self.canvas = Some(canvas);
    }

    /// The canvas has another size.
    pub fn resized(&mut self) {
        if let Some(canvas) = &mut self.canvas {
            canvas.measure_again();
        }
        self.look = None;
    }
}
