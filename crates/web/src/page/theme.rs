//! Light or dark, by the system or by choice; and what else the system asks for.

use std::cell::Cell;

use subtable_charts::Theme;

use super::embed;
use crate::dom;

/// What the reader chose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// As the system is.
    System,
    Light,
    Dark,
}

/// Where the choice is kept; theme.js reads it before the first paint.
const KEY: &str = "theme";

impl Choice {
    /// The choice of the last visit.
    pub fn stored() -> Self {
        let kept = dom::window()
            .local_storage()
            .ok()
            .flatten()
            .and_then(|storage| storage.get_item(KEY).ok().flatten());
        let kept = if embed::is_on() { embed::theme() } else { kept };
        match kept.as_deref() {
            Some("light") => Self::Light,
            Some("dark") => Self::Dark,
            _ => Self::System,
        }
    }

    /// Keeps the choice, where the browser lets us.
    pub fn store(self) {
        if let Ok(Some(storage)) = dom::window().local_storage() {
            let _ = match self.word() {
                Some(word) => storage.set_item(KEY, word),
                None => storage.remove_item(KEY),
            };
        }
    }

    /// The choice after this one: first the one that looks different, at the end the system's again.
    pub fn next(self) -> Self {
        let dark_system = matches("(prefers-color-scheme: dark)");
        match (self, dark_system) {
            (Self::System, true) => Self::Light,
            (Self::System, false) => Self::Dark,
            (Self::Light, true) | (Self::Dark, false) => self.opposite(),
            (Self::Light, false) | (Self::Dark, true) => Self::System,
        }
    }

    const fn opposite(self) -> Self {
        match self {
            Self::Light => Self::Dark,
            _ => Self::Light,
        }
    }

    const fn word(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }

    /// Puts the choice in force, and says on its button what it is.
    pub fn show(self) {
        let data = dom::root().dataset();
        match self.word() {
            Some(word) => {
                let _ = data.set("theme", word);
            }
            None => data.delete("theme"),
        }
        let words = match self {
            Self::System => "Light or dark: by the system",
            Self::Light => "Light or dark: light",
            Self::Dark => "Light or dark: dark",
        };
        let button = dom::get("theme");
        dom::set(&button, "title", words);
        if let Ok(Some(text)) = button.query_selector("span") {
            dom::set_text(&text, words);
        }
    }

    /// The colours of the charts.
    pub fn colours(self) -> Theme {
        if ON_PAPER.get() {
            return Theme::light();
        }
        let dark = match self {
            Self::System => matches("(prefers-color-scheme: dark)"),
            Self::Light => false,
            Self::Dark => true,
        };
        if dark { Theme::dark() } else { Theme::light() }
    }
}

thread_local! {
    static ON_PAPER: Cell<bool> = const { Cell::new(false) };
}

/// Says whether what is drawn now is for paper.
pub fn set_paper(on: bool) {
    ON_PAPER.set(on);
}

/// Whether the system asks for as little motion as possible.
pub fn motion_is_reduced() -> bool {
    matches("(prefers-reduced-motion: reduce)")
}

fn matches(query: &str) -> bool {
    dom::window()
        .match_media(query)
        .ok()
        .flatten()
        .is_some_and(|list| list.matches())
}
