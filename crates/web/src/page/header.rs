//! The header, the sentence under it, and the words that are spoken.

use subtable_model::preset::PRESETS;
use subtable_model::scenario::link::{self, LARGEST_SEED};
use web_sys::{HtmlButtonElement, HtmlInputElement, HtmlSelectElement};

use super::controls::fill;
use super::{State, views};
use crate::pace::Speed;
use crate::words::Verdict;
use crate::{dom, words};

/// The entry of the picker that is a layout and no preset: five runs, one after the other.
pub const SESSION: &str = "session";

/// Fills the preset picker.
pub fn fill_presets() {
    let picker = dom::get("preset");
    picker.set_text_content(None);
    for preset in PRESETS {
        let option = dom::create("option", &[("value", preset.id)], preset.title);
        dom::append(&picker, &[&option]);
    }
    let session = "Published: the validated session, step by step";
    let option = dom::create("option", &[("value", SESSION)], session);
    dom::append(&picker, &[&option]);
    let speed: HtmlInputElement = dom::get_as("speed");
    speed.set_max(&Speed::FULL.place().to_string());
}

/// Whether a setting is a preset as it was published, whatever the seed.
pub fn is_unchanged(setting: &link::Run) -> bool {
    setting.scenario == setting.preset.scenario()
}

/// Shows preset, seed, and the sentence that says what to look at.
pub fn show_setting(setting: &link::Run) {
    let picker: HtmlSelectElement = dom::get_as("preset");
    picker.set_value(setting.preset.id);
    let seed: HtmlInputElement = dom::get_as("seed");
    if link::parse_seed(seed.value().trim()) != Some(setting.seed) {
        seed.set_value(&setting.seed.to_string());
        accept_seed();
    }
    dom::set_text(&dom::get("says"), setting.preset.says);
    dom::set_text(&dom::get("look"), setting.preset.look);
    let preset = setting.preset;
    let there = dom::get("look-there");
    let view = views::to_look_at(preset.id);
    there.set_hidden(view.is_none());
    if let Some((view, words)) = view {
        dom::set_text(&there, words);
        let _ = there.dataset().set("alone", view);
    }
    let published = !preset.published.is_empty() || !preset.published_rates.is_empty();
    dom::get("published-mark").set_hidden(!published || !is_unchanged(setting));
}

/// Says what is compared with what, in place of the preset's sentence.
pub fn show_compared(compared: Option<&link::Run>, setting: &link::Run) {
    let button = dom::get("compare");
    dom::set(
        &button,
        "aria-pressed",
        if compared.is_some() { "true" } else { "false" },
    );
    let Some(compared) = compared else {
        return show_setting(setting);
    };
    dom::get("published-mark").set_hidden(true);
    let mut differences: Vec<String> = setting
        .scenario
        .iter()
        .zip(compared.scenario.iter())
        .filter(|((_, here), (_, there))| here != there)
        .map(|((parameter, here), (_, there))| {
            format!(
                "{}: {} (A: {})",
                parameter.label,
                words::value(parameter, here),
                words::value(parameter, there)
            )
        })
        .collect();
    if setting.seed != compared.seed {
        differences.push(format!("seed: {} (A: {})", setting.seed, compared.seed));
    }
    if differences.is_empty() {
        dom::set_text(&dom::get("says"), "This run is kept as A.");
        dom::set_text(&dom::get("look"), "Change a control: B is drawn over it.");
    } else {
        dom::set_text(
            &dom::get("says"),
            "A is the outline and the dashed curve. B differs:",
        );
        dom::set_text(&dom::get("look"), &differences.join(", "));
    }
}

/// The seed in the field is in force.
pub fn accept_seed() {
    dom::set(&dom::get("seed"), "aria-invalid", "false");
    dom::get("seed-error").set_hidden(true);
}

/// Says why the seed in the field is refused.
pub fn refuse_seed(text: &str) {
    dom::set(&dom::get("seed"), "aria-invalid", "true");
    let error = dom::get("seed-error");
    let short: String = text.chars().take(40).collect();
    dom::set_text(
        &error,
        &format!(
            "`{short}` is not a whole number from 0 to {LARGEST_SEED}. The last seed stays in force."
        ),
    );
    error.set_hidden(false);
}

/// Shows whether there is anything to undo and to redo.
pub fn show_ways((back, forward): (bool, bool)) {
    let button = |id| dom::get_as::<HtmlButtonElement>(id);
    button("undo").set_disabled(!back);
    button("redo").set_disabled(!forward);
}

/// Shows the speed, in words.
pub fn show_speed(speed: Speed) {
    let slider: HtmlInputElement = dom::get_as("speed");
    slider.set_value(&speed.place().to_string());
    fill(&slider);
    dom::set(&slider, "aria-valuetext", &speed.spoken());
    dom::set_text(&dom::get("speed-words"), &speed.words());
}

/// Shows what pressing the first button does.
pub fn show_state(state: State) {
    let (icon, word) = if state == State::Running {
        ("pause", "Pause")
    } else {
        ("run", "Run")
    };
    let button = dom::get("run");
    if let (Some(mark), Some(text)) = (
        button.query_selector("use").ok().flatten(),
        button.query_selector("span").ok().flatten(),
    ) {
        dom::set(&mark, "href", &format!("#i-{icon}"));
        dom::set_text(&text, word);
    }
}

/// Shows the sentence under the table.
pub fn show_verdict(verdict: &Verdict) {
    let place = dom::get("verdict");
    let text = verdict.text();
    if place.text_content().as_deref() == Some(text.as_str()) {
        return;
    }
    place.set_text_content(None);
    let data = place.dataset();
    if let Some(ok) = verdict.ok {
        let _ = data.set("ok", if ok { "true" } else { "false" });
    } else {
        data.delete("ok");
    }
    let finding = dom::create("strong", &[], &verdict.finding);
    dom::append(&place, &[&finding]);
    let _ = place.append_with_str_1(&format!(" {}", verdict.reason));
}

/// Speaks to those who do not see.
pub fn speak(text: &str) {
    dom::set_text(&dom::get("spoken"), text);
}

/// Says something in passing, such as that something was copied.
pub fn mention(text: &str) {
    use wasm_bindgen::prelude::*;

    let toast = dom::get("toast");
    dom::set_text(&toast, text);
    dom::class(&toast, "shown", true);
    speak(text);
    let away = Closure::once_into_js(|| dom::class(&dom::get("toast"), "shown", false));
    let _ = dom::window()
        .set_timeout_with_callback_and_timeout_and_arguments_0(away.unchecked_ref(), 1800);
}

/// Shows what is wrong with a link, until it is dismissed.
pub fn warn(text: &str) {
    let notice = dom::create("p", &[("class", "notice"), ("role", "alert")], "");
    let button = dom::create(
        "button",
        &[
            ("type", "button"),
            ("class", "icon"),
            ("data-dismiss", ""),
            ("aria-label", "Dismiss"),
        ],
        "",
    );
    dom::append(&button, &[&dom::icon("close")]);
    dom::append(&notice, &[&dom::create("span", &[], text), &button]);
    dom::append(&dom::get("notices"), &[&notice]);
}

/// Offers something that a button does, until it is done or dismissed.
pub fn offer(text: &str, button: &str, id: &str) {
    warn(text);
    if let Some(notice) = dom::get("notices").last_element_child() {
        dom::set(&notice, "role", "status");
        dom::class(&notice, "offer", true);
        let button = dom::create("button", &[("type", "button"), ("id", id)], button);
        let _ = notice.insert_before(&button, notice.last_element_child().as_deref());
    }
}

/// Takes all warnings away.
pub fn clear_warnings() {
    dom::get("notices").set_text_content(None);
}

/// Whether the drawer is open that holds the controls on a phone.
pub fn drawer_is_open() -> bool {
    dom::get("controls").class_list().contains("open")
}

/// Opens or closes the drawer. It closes to the button that opened it.
pub fn open_drawer(open: bool) {
    if open == drawer_is_open() {
        return;
    }
    dom::class(&dom::get("controls"), "open", open);
    let button = dom::get("drawer");
    dom::set(
        &button,
        "aria-expanded",
        if open { "true" } else { "false" },
    );
    if !open {
        let _ = button.focus();
    }
}
