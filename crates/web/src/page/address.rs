//! The address holds the run: everything that differs from the preset, the seed, and the layout.

use subtable_model::scenario::link;
use wasm_bindgen::prelude::*;

use super::actions::Action;
use super::many::MOST;
use super::views::Layout;
use super::{Page, act, embed, header};
use crate::dom;

/// The key of the layout in a link.
const VIEW: &str = "view";
/// The key of the step of a lesson.
const LESSON: &str = "lesson";
/// The key of the number of seeds.
const SEEDS: &str = "seeds";
/// What the keys of the run that is compared with begin with.
const COMPARED: &str = "a.";
/// Shortest time between two changes of the address, in milliseconds: browsers refuse what comes too often.
const PAUSE_MS: i32 = 350;

/// What the address should be, and what it was when the page last read or wrote it.
#[derive(Default)]
pub struct Address {
    wanted: String,
    known: String,
    /// What the visit itself asks for, and whether anything has been changed since.
    visited: String,
    changed: bool,
    due: bool,
}

impl Address {
    /// Notes what the address is to be; it follows within a moment.
    fn note(&mut self, fragment: String) {
        if self.visited.is_empty() {
            self.visited.clone_from(&fragment);
        }
        self.wanted = fragment;
        if !self.due {
            self.due = true;
            let write = Closure::once_into_js(|| act(Action::AddressDue));
            let _ = dom::window().set_timeout_with_callback_and_timeout_and_arguments_0(
                write.unchecked_ref(),
                PAUSE_MS,
            );
        }
    }

    /// Writes the address, without a new entry in the history.
    pub fn write(&mut self) {
        self.due = false;
        // Another address that the browser has not told of yet must not be lost: what it asks for is about to be opened.
        if self.known == self.wanted || self.is_news() {
            return;
        }
        // What is kept of the last visit stays until something is changed.
        self.changed |= self.wanted != self.visited;
        if self.changed {
            keep_last(&self.wanted);
        }
        if let Ok(history) = dom::window().history() {
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&self.wanted));
        }
        self.learn();
        if embed::is_on() {
            embed::follow();
        }
    }

    /// Whether the address is another than the page last read or wrote.
    pub fn is_news(&self) -> bool {
        self.known != fragment()
    }

    /// Takes note that the address, as it is now, is read.
    pub fn learn(&mut self) {
        self.known = fragment();
    }

    /// Copies a link to the run.
    pub fn share(&mut self) {
        self.write();
        copy(
            &dom::window().location().href().unwrap_or_default(),
            "The link to this run is copied.",
        );
    }
}

impl Page {
    /// Notes the run, what it is compared with, and what is shown of it: the address follows within a moment.
    pub(super) fn note_address(&mut self) {
        let mut link = self.setting.clone();
        link.others = Vec::new();
        let layout = self.views.layout();
        if layout != Layout::Overview {
            link.others
                .push((VIEW.to_owned(), layout.word().to_owned()));
        }
        if self.many.seeds() > 1 {
            link.others
                .push((SEEDS.to_owned(), self.many.seeds().to_string()));
        }
        if let Some(step) = self.lessons.name() {
            link.others.push((LESSON.to_owned(), step.to_owned()));
        }
        if let Some(compared) = self.compared() {
            let mut compared = compared.clone();
            compared.others = Vec::new();
            let parts = link::encode(&compared);
            let pairs = parts.split('&').filter_map(|pair| pair.split_once('='));
            link.others.extend(
                pairs
                    .filter(|(key, _)| *key != "v")
                    .map(|(key, value)| (format!("{COMPARED}{key}"), value.to_owned())),
            );
        }
        self.address.note(format!("#{}", link::encode(&link)));
    }
}

fn fragment() -> String {
    dom::window().location().hash().unwrap_or_default()
}

/// Where the last state is kept.
const LAST: &str = "last";

fn keep_last(fragment: &str) {
    if !embed::is_on()
        && let Ok(Some(storage)) = dom::window().local_storage()
    {
        // A browser that keeps nothing loses only this convenience.
        let _ = storage.set_item(LAST, fragment);
    }
}

fn last() -> Option<String> {
    dom::window()
        .local_storage()
        .ok()
        .flatten()?
        .get_item(LAST)
        .ok()
        .flatten()
}

/// Offers the state of the last visit, when the address asks for nothing else.
pub fn offer_last() {
    let bare = fragment().len() <= 1;
    let begun = link::encode(&link::Run::default());
    if bare
        && !embed::is_on()
        && let Some(last) = last()
        && last.trim_start_matches('#') != begun
    {
        header::offer(
            "This is the beginning. The state of your last visit is kept.",
            "Go back to it",
            "back-to-last",
        );
    }
}

/// Goes to the state of the last visit.
pub fn go_to_last() {
    if let Some(last) = last() {
        let _ = dom::window().location().set_hash(&last);
    }
}

/// What an address says.
pub struct Opened {
    /// The run.
    pub setting: link::Run,
    /// A, the run that it is compared with.
    pub compared: Option<link::Run>,
    /// The layout.
    pub layout: Layout,
    /// How many seeds are run.
    pub seeds: u32,
    /// A step of a lesson.
    pub lesson: Option<String>,
}

/// Reads the address, and warns of what is wrong with it.
pub fn read() -> Opened {
    let (mut setting, errors) = link::decode(&fragment());
    let mut wrong: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let mut layout = Layout::Overview;
    let mut seeds = 1;
    let mut lesson = None;
    let mut compared = Vec::new();
    for (key, value) in std::mem::take(&mut setting.others) {
        if let Some(key) = key.strip_prefix(COMPARED) {
            compared.push(format!("{key}={value}"));
        } else if key == LESSON {
            lesson = Some(value);
        } else if key == SEEDS {
            match value.parse() {
                Ok(number) if (1..=MOST).contains(&number) => seeds = number,
                _ => wrong.push(format!("seeds: not a whole number from 1 to {MOST}")),
            }
        } else if key != VIEW {
            wrong.push("a part that this page does not know was left out".to_owned());
        } else if let Some(named) = Layout::of(&value) {
            layout = named;
        } else {
            wrong.push("there is no such view; this is the overview".to_owned());
        }
    }
    let compared = (!compared.is_empty()).then(|| {
        let (mut compared, errors) = link::decode(&compared.join("&"));
        compared.others = Vec::new();
        wrong.extend(errors.iter().map(|error| format!("A: {error}")));
        compared
    });
    header::clear_warnings();
    if !wrong.is_empty() {
        header::warn(&format!(
            "Not all of this link could be used:\n{}",
            wrong.join("\n")
        ));
    }
    Opened {
        setting,
        compared,
        layout,
        seeds,
        lesson,
    }
}

/// Copies a text, and says so.
pub fn copy(text: &str, said: &'static str) {
    let copied = dom::window().navigator().clipboard().write_text(text);
    let done = Closure::once_into_js(move |_: JsValue| header::mention(said));
    let refused = Closure::once_into_js(|_: JsValue| {
        header::mention("The browser does not let this page copy.");
    });
    let then: js_sys::Function = js_sys::Reflect::get(&copied, &"then".into())
        .unwrap_or_default()
        .unchecked_into();
    let _ = then.call2(&copied, &done, &refused);
}

/// A seed that nobody chose.
pub fn fresh_seed() -> u64 {
    // Six digits are easy to read aloud, and there are enough of them.
    getrandom::u64().map_or(1, |random| random % 1_000_000)
}
