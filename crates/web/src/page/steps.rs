//! The validated session: its five steps one by one, as the terminal shows them, beside what was published.

use web_sys::HtmlElement;

use super::crew::Client;
use super::{Page, address, header};
use crate::dom;
use crate::protocol::{Found, Want};
use crate::validated::STEPS;

/// What each step has printed.
#[derive(Default)]
pub struct Steps {
    printed: Vec<Option<String>>,
    /// The view has been filled.
    built: bool,
    /// The seed of what is printed.
    seed: u64,
}

impl Steps {
    /// Fills the view once with its steps, their words and the published reports.
    fn build(&mut self) {
        if std::mem::replace(&mut self.built, true) {
            return;
        }
        let list = dom::get("session-steps");
        for (number, step) in STEPS.iter().enumerate() {
            let item = dom::create("section", &[("class", "terminal")], "");
            let report = |kind: &str, caption: &str, text: &str| {
                let id = format!("{kind}-{number}");
                let label = format!("{caption}: {}", step.title);
                let figure = dom::create("figure", &[("class", kind)], "");
                let head = dom::create("figcaption", &[], caption);
                let copy = dom::create(
                    "button",
                    &[("type", "button"), ("data-copy-report", &id)],
                    "Copy",
                );
                dom::set(&copy, "aria-label", &format!("Copy, {label}"));
                let shown = dom::create(
                    "pre",
                    &[
                        ("id", &id),
                        ("tabindex", "0"),
                        ("role", "group"),
                        ("aria-label", &label),
                    ],
                    text,
                );
                dom::append(&head, &[&copy]);
                dom::append(&figure, &[&head, &shown]);
                figure
            };
            let title = dom::create("h3", &[], step.title);
            let says = dom::create("p", &[("class", "quiet")], step.says);
            let pair = dom::create("div", &[("class", "pair")], "");
            let simulated = report("simulated", "simulated", "");
            let published = report("published", "published", step.published);
            dom::append(&pair, &[&simulated, &published]);
            dom::append(&item, &[&title, &says, &pair]);
            dom::append(&list, &[&item]);
        }
    }
}

fn place(step: usize) -> HtmlElement {
    dom::get(&format!("simulated-{step}"))
}

impl Page {
    /// Fills the view of the session.
    #[inline(never)]
    pub(super) fn show_session(&mut self) {
        self.steps.build();
    }

    /// Begins the session under the present seed, or ends it.
    pub(super) fn run_session(&mut self) {
        self.steps.build();
        if self.crew.open(Client::Session) > 0 {
            self.crew.forget(Client::Session);
            self.steps.printed.clear();
            dom::set_text(&dom::get("session-note"), "Stopped.");
            return show_button(false);
        }
        self.steps.seed = self.setting.seed;
        self.steps.printed = vec![None; STEPS.len()];
        for step in 0..STEPS.len() {
            dom::set_text(&place(step), "");
        }
        show_button(true);
        self.ask_for_step(0);
    }

    /// One after the other, as a user at the terminal does it.
    fn ask_for_step(&mut self, step: usize) {
        if let Some(next) = STEPS.get(step) {
            dom::set_text(&place(step), "running…");
            dom::set_text(
                &dom::get("session-note"),
                &format!("Step {} of {}", step + 1, STEPS.len()),
            );
            let want = Want::Terminal(u8::try_from(step).unwrap_or(u8::MAX));
            self.crew
                .ask(Client::Session, step, &next.run(self.steps.seed), want);
            self.put_crew_to_work();
        } else {
            let text = format!(
                "All {} steps have run, seed {}.",
                STEPS.len(),
                self.steps.seed
            );
            dom::set_text(&dom::get("session-note"), &text);
            header::speak(&text);
            show_button(false);
        }
    }

    /// A step has printed its report.
    pub(super) fn take_step(&mut self, step: usize, found: Result<Found, String>) {
        let text = match found {
            Ok(Found::Terminal(text)) => text,
            Ok(_) => return,
            Err(text) => {
                header::warn(&format!("The session broke: {text}"));
                return show_button(false);
            }
        };
        dom::set_text(&place(step), &text);
        if let Some(printed) = self.steps.printed.get_mut(step) {
            *printed = Some(text);
            self.ask_for_step(step + 1);
        }
    }
}

fn show_button(running: bool) {
    let text = if running { "Stop" } else { "Run the session" };
    dom::set_text(&dom::get("session-run"), text);
}

/// Copies a report.
pub fn copy(id: &str) {
    let text = dom::get(id).text_content().unwrap_or_default();
    if text.is_empty() {
        header::mention("This step has not run yet.");
    } else {
        address::copy(&text, "The report is copied.");
    }
}
