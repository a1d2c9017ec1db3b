//! Changes of the setting: by a control, by a preset, by the dice, by going back. Each runs the whole run at once.

use subtable_model::preset::Preset;
use subtable_model::scenario::link;

use super::crew::Client;
use super::views::Layout;
use super::{Page, header};
use crate::dom;
use crate::history::History;
use crate::pace::Pace;

impl Page {
    /// Another setting: the whole run, at once.
    pub(super) fn change(&mut self, what: &str, setting: link::Run) {
        if setting == self.setting {
            self.controls.show(&self.setting);
            return;
        }
        self.history.note(what, &self.setting, dom::now());
        self.show_setting(setting);
        self.begin(Pace::Full);
    }

    /// Puts a setting in force and on the page.
    pub(super) fn show_setting(&mut self, setting: link::Run) {
        self.setting = setting;
        self.controls.show(&self.setting);
        header::show_setting(&self.setting);
        header::show_ways(self.history.ways());
        header::show_compared(self.compared(), &self.setting);
        self.note_address();
    }

    pub(super) fn undo_or_redo(
        &mut self,
        way: impl FnOnce(&mut History, &link::Run) -> Option<link::Run>,
    ) {
        if let Some(setting) = way(&mut self.history, &self.setting) {
            self.controls.accept_all();
            self.show_setting(setting);
            self.begin(Pace::Full);
        }
    }

    pub(super) fn set_parameter(&mut self, id: &str, text: &str) {
        let mut setting = self.setting.clone();
        match setting.scenario.set(id, text) {
            Ok(()) => {
                self.controls.accept(id);
                self.change(id, setting);
            }
            Err(error) => self.controls.refuse(id, &error.to_string()),
        }
    }

    pub(super) fn slide(&mut self, id: &str, place: u32) {
        if let Some(text) = self.controls.text_at(id, place) {
            self.set_parameter(id, &text);
        }
    }

    pub(super) fn nudge(&mut self, id: &str, up: bool) {
        if let Some(text) = self.controls.text_beside(id, &self.setting.scenario, up) {
            self.set_parameter(id, &text);
        }
    }

    pub(super) fn back_to_preset(&mut self, ids: &[String]) {
        let base = self.setting.preset.scenario();
        let mut setting = self.setting.clone();
        for id in ids {
            // The preset's own values are always accepted.
            let _ = setting.scenario.set(id, &base.get(id).unwrap_or_default());
            self.controls.accept(id);
        }
        self.change("back", setting);
    }

    pub(super) fn choose_preset(&mut self, id: &str) {
        if id == header::SESSION {
            header::show_setting(&self.setting);
            self.set_layout(Layout::Session);
            if self.crew.open(Client::Session) == 0 {
                self.run_session();
            }
            return;
        }
        if let Some(preset) = Preset::find(id) {
            self.controls.accept_all();
            let setting = link::Run {
                preset,
                scenario: preset.scenario(),
                ..self.setting.clone()
            };
            self.looks.zoom_out();
            self.change("preset", setting);
        }
    }

    pub(super) fn set_seed(&mut self, text: &str) {
        match link::parse_seed(text.trim()) {
            Some(seed) => {
                header::accept_seed();
                let setting = link::Run {
                    seed,
                    ..self.setting.clone()
                };
                self.change("seed", setting);
            }
            None => header::refuse_seed(text),
        }
    }
}
