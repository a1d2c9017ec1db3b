//! The dialog of what can be taken away and opened: a link, an iframe, the run as JSON, its log.

use web_sys::{HtmlInputElement, HtmlTextAreaElement};

use super::crew::Client;
use super::{Page, Shown, address, dialogs, embed, export, header};
use crate::protocol::{Found, Want};
use crate::{dom, report};

impl Page {
    pub(super) fn open_files(&mut self) {
        self.address.write();
        let href = dom::window().location().href().unwrap_or_default();
        dom::get_as::<HtmlInputElement>("files-link").set_value(&href);
        dom::get_as::<HtmlTextAreaElement>("files-embed").set_value(&embed::snippet(&href));
        dom::get("open-error").set_hidden(true);
        dialogs::open("files");
    }

    fn finished(&self) -> Option<&Shown> {
        let shown = self.shown.as_ref().filter(|shown| shown.snapshot.finished);
        if shown.is_none() {
            header::mention("The run is not over yet: its results come at the end.");
        }
        shown
    }

    pub(super) fn save_run(&self) {
        if let Some(shown) = self.finished() {
            export::save_report(shown, &report::write(&shown.setting, &shown.snapshot));
        }
    }

    pub(super) fn copy_run(&self) {
        if let Some(shown) = self.finished() {
            address::copy(
                &report::write(&shown.setting, &shown.snapshot),
                "The run is copied as JSON.",
            );
        }
    }

    /// Has the run made once more, keeping every line of its log.
    pub(super) fn save_log(&mut self) {
        let Some(shown) = &self.shown else { return };
        self.crew.forget(Client::Log);
        self.crew.ask(Client::Log, 0, &shown.setting, Want::Log);
        self.put_crew_to_work();
        header::mention("The log is being written.");
    }

    pub(super) fn take_log(&self, found: Result<Found, String>) {
        match (found, &self.shown) {
            (Ok(Found::Log(text)), Some(shown)) => export::save_log(shown, &text),
            (Err(text), _) => header::warn(&format!("The log could not be written: {text}")),
            _ => {}
        }
    }
}

/// Copies the text of a field of the dialog.
pub fn copy(id: &str) {
    match id {
        "files-embed" => address::copy(
            &dom::get_as::<HtmlTextAreaElement>(id).value(),
            "The iframe is copied.",
        ),
        _ => address::copy(
            &dom::get_as::<HtmlInputElement>("files-link").value(),
            "The link to this run is copied.",
        ),
    }
}
