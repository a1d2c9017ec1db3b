//! The controls, one for each row of the parameter table.

mod control;

use subtable_model::Scenario;
use subtable_model::scenario::{Group, PARAMETERS, link};
use web_sys::HtmlElement;

use crate::{dom, words};
use control::Control;
pub use control::fill;

pub struct Controls {
    controls: Vec<Control>,
    groups: Vec<Folded>,
}

/// A group that can be folded: its summary says what is inside.
struct Folded {
    root: HtmlElement,
    now: HtmlElement,
    ids: Vec<&'static str>,
}

impl Controls {
    /// Makes every control, in the order of the table: the four of the cluster always visible, the others folded.
    pub fn build() -> Self {
        let mut controls = Vec::new();
        let mut groups = Vec::new();
        for group in Group::ALL {
            let members: Vec<Control> = PARAMETERS
                .iter()
                .filter(|parameter| parameter.group == group)
                .map(Control::build)
                .collect();
            if members.is_empty() {
                continue;
            }
            if group == Group::Cluster {
                let main = dom::get("controls-main");
                dom::append(&main, &[&dom::create("h2", &[], group.title())]);
                for control in &members {
                    dom::append(&main, &[control.root()]);
                }
            } else {
                groups.push(Folded::build(group, &members));
            }
            controls.extend(members);
        }
        let more = dom::get("controls-more");
        for group in &groups {
            dom::append(&more, &[&group.root]);
        }
        Self { controls, groups }
    }

    /// Shows the values in force, and which of them differ from the preset's.
    pub fn show(&mut self, setting: &link::Run) {
        let base = setting.preset.scenario();
        for control in &mut self.controls {
            let of = |scenario: &Scenario| {
                scenario
                    .iter()
                    .find(|(parameter, _)| parameter.id == control.id())
                    .map(|(_, stored)| stored)
            };
            if let (Some(stored), Some(base)) = (of(&setting.scenario), of(&base)) {
                control.show(stored, base);
            }
        }
        for group in &self.groups {
            group.show(&setting.scenario, &base);
        }
    }

    /// The text in a control's field was refused: says why, and leaves the text for the reader to mend.
    pub fn refuse(&mut self, id: &str, reason: &str) {
        if let Some(control) = self.find(id) {
            control.refuse(reason);
        }
    }

    /// The text in a control's field is in force.
    pub fn accept(&mut self, id: &str) {
        if let Some(control) = self.find(id) {
            control.accept();
        }
    }

    /// Forgets every refused text.
    pub fn accept_all(&mut self) {
        for control in &mut self.controls {
            control.accept();
            control.forget();
        }
    }

    /// The value of a parameter at a place of its slider.
    pub fn text_at(&mut self, id: &str, place: u32) -> Option<String> {
        self.find(id)?.text_at(place)
    }

    /// The value of a parameter's slider next to the one in force.
    pub fn text_beside(&mut self, id: &str, scenario: &Scenario, up: bool) -> Option<String> {
        let (_, stored) = scenario.iter().find(|(parameter, _)| parameter.id == id)?;
        self.find(id)?.text_beside(stored, up)
    }

    fn find(&mut self, id: &str) -> Option<&mut Control> {
        self.controls.iter_mut().find(|control| control.id() == id)
    }
}

impl Folded {
    fn build(group: Group, members: &[Control]) -> Self {
        let root = dom::create("details", &[("class", "group")], "");
        let summary = dom::create("summary", &[], group.title());
        let mark = dom::create("span", &[("class", "mark")], "●");
        dom::append(
            &mark,
            &[&dom::create("span", &[("class", "unseen")], " changed")],
        );
        let now = dom::create("span", &[("class", "now")], "");
        dom::append(&summary, &[&mark, &now]);
        dom::append(&root, &[&summary]);
        let ids: Vec<&str> = members.iter().map(Control::id).collect();
        for control in members {
            dom::append(&root, &[control.root()]);
        }
        let back = dom::create(
            "button",
            &[
                ("type", "button"),
                ("class", "back-all"),
                ("data-back-all", &ids.join(" ")),
            ],
            "Back to the preset’s values",
        );
        dom::append(&root, &[&back]);
        Self { root, now, ids }
    }

    fn show(&self, scenario: &Scenario, base: &Scenario) {
        let members = scenario
            .iter()
            .zip(base.iter())
            .filter(|((parameter, _), _)| self.ids.contains(&parameter.id));
        let mut changed = false;
        let mut values = Vec::new();
        for ((parameter, stored), (_, base)) in members {
            changed |= stored != base;
            values.push(words::value(parameter, stored));
        }
        dom::class(&self.root, "changed", changed);
        dom::set_text(&self.now, &values.join(" · "));
    }
}
