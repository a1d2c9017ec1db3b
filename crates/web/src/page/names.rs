//! Names and their owners: what each TMM tried, try by try, and who owns a name that the reader types.

use subtable_model::results::Try;
use subtable_model::{Scenario, Snapshot};

use crate::{dom, elsewhere, validated, words};

/// TMMs whose tries are drawn, and tries that are drawn of each.
const MOST_TMMS: usize = 64;
const MOST_TRIES: usize = 120;

/// The view of names.
#[derive(Default)]
pub struct Names {
    chosen: usize,
    owners_shown: bool,
    /// The run and the tries that are on the page.
    told: Option<(u32, u64, usize, bool)>,
    /// The setting whose ownership is asked.
    scenario: Option<Scenario>,
    /// The name whose owner is on the page.
    revealed: Option<String>,
}

impl Names {
    /// Shows the tries of a run.
    #[inline(never)]
    pub fn show(&mut self, run: u32, snapshot: &Snapshot, scenario: &Scenario) {
        let count = snapshot.tmms.len();
        self.chosen = self.chosen.min(count.saturating_sub(1));
        if self.scenario.as_ref() != Some(scenario) {
            self.scenario = Some(scenario.clone());
            dom::get("name-probe").set_hidden(true);
            match self.revealed.take() {
                Some(_) => self.reveal(),
                None => dom::set_text(&dom::get("name-owner"), &elsewhere::hint(scenario)),
            }
        }
        let told = Some((run, snapshot.probes(), self.chosen, self.owners_shown));
        if self.told == told {
            return;
        }
        self.told = told;
        self.show_searches(snapshot, count);
        self.show_tries(snapshot);
    }

    fn show_searches(&self, snapshot: &Snapshot, count: usize) {
        let probes = snapshot.probes();
        let note = if probes == 0 {
            "No name was tried: this strategy takes the first one unseen.".to_owned()
        } else {
            format!(
                "{} names tried, {:.1} for each TMM; {count} would be the mean of a geometric number of tries. A disc was fast, a square slow, an outline kept.",
                words::whole(probes),
                probes as f64 / count as f64
            )
        };
        dom::set_text(&dom::get("names-note"), &note);
        let list = dom::get("searches");
        list.set_text_content(None);
        for (number, tmm) in snapshot.tmms.iter().enumerate().take(MOST_TMMS) {
            let text = number.to_string();
            let pressed = if number == self.chosen {
                "true"
            } else {
                "false"
            };
            let button = dom::create(
                "button",
                &[
                    ("type", "button"),
                    ("data-tries", &text),
                    ("aria-pressed", pressed),
                ],
                &format!("TMM {text}"),
            );
            let row = dom::create("span", &[("class", "row"), ("aria-hidden", "true")], "");
            for tried in tmm.tries.iter().take(MOST_TRIES) {
                let mark = dom::create("span", &[("class", class(tried, snapshot.threshold))], "");
                dom::append(&row, &[&mark]);
            }
            let found = tmm.tries.iter().any(|tried| tried.kept);
            let outcome = match (tmm.tried, found) {
                (0, _) => "none".to_owned(),
                (1, true) => "kept the first".to_owned(),
                (tries, true) => format!("kept number {}", words::whole(tries)),
                (tries, false) => format!("{} tried", words::whole(tries)),
            };
            let item = dom::create("li", &[], "");
            dom::append(
                &item,
                &[
                    &button,
                    &row,
                    &dom::create("span", &[("class", "count")], &outcome),
                ],
            );
            dom::append(&list, &[&item]);
        }
        if count > MOST_TMMS {
            let more = format!("and {} more TMMs", count - MOST_TMMS);
            dom::append(&list, &[&dom::create("li", &[("class", "quiet")], &more)]);
        }
    }

    fn show_tries(&self, snapshot: &Snapshot) {
        let Some(tmm) = snapshot.tmms.get(self.chosen) else {
            return;
        };
        dom::set_text(
            &dom::get("t-tries"),
            &format!("Tries of TMM {}, one by one", self.chosen),
        );
        let body = dom::get("tries");
        body.set_text_content(None);
        for (number, tried) in tmm.tries.iter().enumerate() {
            let fast = u64::from(tried.clicks) < snapshot.threshold;
            let row = dom::create("tr", &[("class", if fast { "fast" } else { "slow" })], "");
            let taken = match (fast, tried.kept) {
                (true, true) => "local: kept",
                (true, false) => "local",
                (false, true) => "remote, yet kept: the last try",
                (false, false) => "remote",
            };
            let owner = if self.owners_shown {
                format!("TMM {}", tried.owner)
            } else {
                "hidden".to_owned()
            };
            let clicks = words::whole(u64::from(tried.clicks));
            for text in [
                &(number + 1).to_string(),
                &tried.name,
                &clicks,
                &taken.to_owned(),
                &owner,
            ] {
                dom::append(&row, &[&dom::create("td", &[], text)]);
            }
            dom::append(&body, &[&row]);
        }
        if tmm.tries.is_empty() {
            let row = dom::create("tr", &[], "");
            let cell = dom::create(
                "td",
                &[("colspan", "5"), ("class", "quiet")],
                "It tried no name.",
            );
            dom::append(&row, &[&cell]);
            dom::append(&body, &[&row]);
        }
    }

    /// Another name: its owner is not known until it is revealed.
    pub fn ask(&mut self, name: &str) {
        if self.revealed.as_deref() != Some(name) {
            self.revealed = None;
            dom::get("name-probe").set_hidden(true);
            if let Some(scenario) = &self.scenario {
                dom::set_text(&dom::get("name-owner"), &elsewhere::hint(scenario));
            }
        }
    }

    /// Says who owns the name in the field.
    pub fn reveal(&mut self) {
        let Some(scenario) = &self.scenario else {
            return;
        };
        let name = dom::get_as::<web_sys::HtmlInputElement>("name-typed").value();
        let place = dom::get("name-owner");
        if name.is_empty() {
            self.revealed = None;
            dom::set_text(&place, "Type a name first.");
            return;
        }
        let owner = elsewhere::owner(scenario, &name);
        let others = match scenario.tmms() {
            1 => "There is no other TMM.".to_owned(),
            2 => "Local there, remote for the other TMM.".to_owned(),
            tmms => format!("Local there, remote for the {} others.", tmms - 1),
        };
        dom::set_text(&place, &format!("{owner} {others}"));
        self.revealed = Some(name);
    }

    /// Probes the name in the field: times writes to it from every TMM, as the client on a box does.
    pub fn probe(&self, seed: u64) {
        let Some(scenario) = &self.scenario else {
            return;
        };
        let name = dom::get_as::<web_sys::HtmlInputElement>("name-typed").value();
        let report = dom::get("name-probe");
        if name.is_empty() {
            report.set_hidden(true);
            dom::set_text(&dom::get("name-owner"), "Type a name first.");
            return;
        }
        dom::set_text(&report, &validated::probe_of(&name, scenario, seed));
        report.set_hidden(false);
    }

    /// Shows or hides the owners of the names that were tried.
    pub const fn reveal_all(&mut self, on: bool) {
        self.owners_shown = on;
    }

    /// Shows the tries of a TMM.
    pub const fn choose(&mut self, tmm: usize) {
        self.chosen = tmm;
    }
}

fn class(tried: &Try, threshold: u64) -> &'static str {
    match (u64::from(tried.clicks) < threshold, tried.kept) {
        (true, true) => "try fast kept",
        (true, false) => "try fast",
        (false, true) => "try kept",
        (false, false) => "try",
    }
}
