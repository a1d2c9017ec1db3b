//! The address holds the run: everything that differs from the preset, the seed, and the layout.

use subtable_model::scenario::link;
use wasm_bindgen::prelude::*;

use super::events::Action;
use super::views::Layout;
use super::{act, header};
use crate::dom;

/// The key of the layout in a link.
const VIEW: &str = "view";
/// What the keys of the run that is compared with begin with.
const COMPARED: &str = "a.";
/// Shortest time between two changes of the address, in milliseconds: browsers refuse what comes too often.
const PAUSE_MS: i32 = 350;

/// What the address should be, and what it was last set to.
#[derive(Default)]
pub struct Address {
    wanted: String,
    written: String,
    due: bool,
}

impl Address {
    /// Notes the run, and the one it is compared with; the address follows within a moment.
    pub fn note(&mut self, setting: &link::Run, compared: Option<&link::Run>, layout: Layout) {
        self.wanted = fragment(setting, compared, layout);
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
        if self.written == self.wanted {
            return;
        }
        self.written.clone_from(&self.wanted);
        if let Ok(history) = dom::window().history() {
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&self.wanted));
        }
    }

    /// Whether the address is as we wrote it.
    pub fn is_ours(&self) -> bool {
        dom::window()
            .location()
            .hash()
            .is_ok_and(|hash| hash == self.written)
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

fn fragment(setting: &link::Run, compared: Option<&link::Run>, layout: Layout) -> String {
    let mut link = setting.clone();
    link.others = Vec::new();
    if layout != Layout::Overview {
        link.others
            .push((VIEW.to_owned(), layout.word().to_owned()));
    }
    if let Some(compared) = compared {
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
    format!("#{}", link::encode(&link))
}

/// What an address says.
pub struct Opened {
    /// The run.
    pub setting: link::Run,
    /// A, the run that it is compared with.
    pub compared: Option<link::Run>,
    /// The layout.
    pub layout: Layout,
}

/// Reads the address, and warns of what is wrong with it.
pub fn read() -> Opened {
    let hash = dom::window().location().hash().unwrap_or_default();
    let (mut setting, errors) = link::decode(&hash);
    let mut wrong: Vec<String> = errors.iter().map(ToString::to_string).collect();
    let mut layout = Layout::Overview;
    let mut compared = Vec::new();
    for (key, value) in std::mem::take(&mut setting.others) {
        if let Some(key) = key.strip_prefix(COMPARED) {
            compared.push(format!("{key}={value}"));
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
