//! The dialogs: help, and what is published, simulated and assumed.

use subtable_model::Scenario;
use subtable_model::preset::Preset;
use subtable_model::scenario::Group;
use web_sys::HtmlDialogElement;

use crate::{dom, words};

/// Opens the list of keys and words.
pub fn open_help() {
    open("help");
}

/// Opens the dialog on where figures come from, with what was fitted for a preset and the costs in force.
pub fn open_honesty(preset: &Preset, scenario: &Scenario) {
    dom::set_text(&dom::get("fitted"), preset.fitted);
    dom::get("fitted").set_hidden(preset.fitted.is_empty());
    let list = dom::get("assumed");
    list.set_text_content(None);
    let assumed = scenario.iter().filter(|(parameter, _)| {
        matches!(
            parameter.group,
            Group::Counting | Group::Client | Group::Logging | Group::Costs
        )
    });
    for (parameter, stored) in assumed {
        let name = format!("{}: {}", parameter.label, words::value(parameter, stored));
        dom::append(
            &list,
            &[
                &dom::create("dt", &[], &name),
                &dom::create("dd", &[], parameter.help),
            ],
        );
    }
    open("honesty");
}

/// Whether a dialog is open.
pub fn is_open(id: &str) -> bool {
    dom::get_as::<HtmlDialogElement>(id).open()
}

/// Closes a dialog.
pub fn close(id: &str) {
    dom::get_as::<HtmlDialogElement>(id).close();
}

/// Opens a dialog.
pub fn open(id: &str) {
    let dialog: HtmlDialogElement = dom::get_as(id);
    if !dialog.open() {
        // Refused only for a dialog that is open already or not on the page.
        let _ = dialog.show_modal();
    }
}
