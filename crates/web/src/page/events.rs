//! From the browser's events to the page's actions. Listeners stand on the document, once; what an event means is read
//! from the element that it happened to.

use wasm_bindgen::prelude::*;
use web_sys::{
    ClipboardEvent, DragEvent, Element, Event, HtmlElement, HtmlInputElement, HtmlSelectElement,
};

use super::actions::Action;
use super::views::Layout;
use super::{act, keys, pointers};
use crate::dom;

/// Puts the listeners in place.
pub fn listen() -> Result<(), JsValue> {
    let document = dom::document();
    on(&document, "click", false, clicked)?;
    on(&document, "input", false, input)?;
    on(&document, "change", false, changed)?;
    on(&document, "keydown", false, keys::pressed)?;
    pointers::listen()?;
    on(&document, "paste", false, pasted)?;
    on(&document, "drop", false, dropped)?;
    on(&document, "dragover", false, |event| {
        // Only so does the browser let something be dropped.
        event.prevent_default();
        None
    })?;
    // These do not bubble: they are caught on their way down.
    for (kind, lost) in [("contextlost", true), ("contextrestored", false)] {
        on(&document, kind, true, move |_| {
            Some(Action::Pictures { lost })
        })?;
    }
    on(&document, "toggle", true, |_| Some(Action::Opened))?;
    on(&document, "scroll", true, |event| {
        Some(Action::Scrolled(element(event)?.id()))
    })?;
    let window = dom::window();
    on(&window, "hashchange", false, |_| {
        Some(Action::AddressChanged)
    })?;
    on(&window, "resize", false, |_| Some(Action::Look))?;
    for (kind, begins) in [("beforeprint", true), ("afterprint", false)] {
        on(&window, kind, false, move |_| {
            Some(Action::Print { begins })
        })?;
    }
    for query in ["(prefers-color-scheme: dark)", "(forced-colors: active)"] {
        if let Some(list) = window.match_media(query)? {
            on(&list, "change", false, |_| Some(Action::Look))?;
        }
    }
    Ok(())
}

/// Listens, and acts on what an event means.
pub fn on(
    target: &web_sys::EventTarget,
    kind: &str,
    capture: bool,
    meaning: impl Fn(&Event) -> Option<Action> + 'static,
) -> Result<(), JsValue> {
    let listener = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
        if let Some(action) = meaning(&event) {
            act(action);
        }
    });
    target.add_event_listener_with_callback_and_bool(
        kind,
        &listener.into_js_value().unchecked_into(),
        capture,
    )
}

/// What an event happened to.
pub fn element(event: &Event) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// What a button with a data attribute does, given the attribute's value.
type Meaning = fn(String) -> Option<Action>;

const MEANINGS: [(&str, Meaning); 15] = [
    ("back", |id| Some(Action::BackToPreset(id))),
    ("backAll", |ids| {
        let ids = ids.split(' ').map(str::to_owned);
        Some(Action::GroupBackToPreset(ids.collect()))
    }),
    ("alone", |view| Some(Action::Alone(view))),
    ("layout", |word| Layout::of(&word).map(Action::Layout)),
    ("unzoom", |view| Some(Action::Unzoom(view))),
    ("legend", |view| Some(Action::Legend(view))),
    ("scale", |view| Some(Action::TurnScale(view))),
    ("saveImage", |view| Some(Action::SaveImage(view))),
    ("savePicture", |view| Some(Action::SavePicture(view))),
    ("saveTable", |view| Some(Action::SaveTable(view))),
    ("copyTable", |view| Some(Action::CopyTable(view))),
    ("copyReport", |id| Some(Action::CopyReport(id))),
    ("copy", |id| Some(Action::CopyText(id))),
    ("begin", |name| Some(Action::OpenStep(format!("{name}.1")))),
    ("tries", |tmm| Some(Action::ShowTries(tmm.parse().ok()?))),
];

fn clicked(event: &Event) -> Option<Action> {
    let button: HtmlElement = element(event)?.closest("button").ok()??.dyn_into().ok()?;
    let data = button.dataset();
    for (attribute, meaning) in MEANINGS {
        if let Some(value) = data.get(attribute) {
            return meaning(value);
        }
    }
    if let Some(number) = data.get("series") {
        return Some(Action::Toggle(data.get("view")?, number.parse().ok()?));
    }
    if data.get("dismiss").is_some() {
        button.closest(".notice").ok()??.remove();
        return None;
    }
    Some(match button.id().as_str() {
        "run" => Action::RunOrPause,
        "step" => Action::Step,
        "reset" => Action::Reset,
        "dice" => Action::Dice,
        "theme" => Action::NextTheme,
        "histograms-before" => Action::TurnPage(false),
        "histograms-after" => Action::TurnPage(true),
        "compare" => Action::Compare,
        "undo" => Action::Undo,
        "redo" => Action::Redo,
        "name-reveal" => Action::RevealOwner,
        "name-probe-run" => Action::ProbeName,
        "drawer" => Action::Drawer,
        "help-open" => Action::Help,
        "honesty-open" => Action::Honesty,
        "files-open" => Action::Files,
        "run-save" => Action::SaveRun,
        "run-copy" => Action::CopyRun,
        "log-save" => Action::SaveLog,
        "open-typed" => Action::OpenTyped,
        "back-to-last" => {
            button.closest(".notice").ok()??.remove();
            Action::BackToLast
        }
        "published-run" => Action::ComparePublished,
        "sweep-run" => Action::Sweep,
        "session-run" => Action::RunSession,
        "lessons-open" => Action::Lessons,
        "lesson-run" => Action::RunStep,
        "lesson-reveal" => Action::RevealAnswer,
        "lesson-back" => Action::TurnStep(false),
        "lesson-next" => Action::TurnStep(true),
        "lesson-close" => Action::CloseLesson,
        "share" => Action::Share,
        "log-pause" => Action::HoldLog,
        "log-copy" => Action::CopyLog,
        "failure-reset" => Action::Restart,
        _ => return None,
    })
}

/// The parameter whose control an element is part of.
pub fn parameter_of(element: &Element) -> Option<String> {
    let control: HtmlElement = element.closest("[data-parameter]").ok()??.dyn_into().ok()?;
    control.dataset().get("parameter")
}

fn input(event: &Event) -> Option<Action> {
    let element = element(event)?;
    let field: &HtmlInputElement = element.dyn_ref()?;
    match field.id().as_str() {
        "speed" => return Some(Action::Speed(field.value().parse().ok()?)),
        "time" => return Some(Action::Scrub(field.value().parse().ok()?)),
        "name-typed" => return Some(Action::NameTyped(field.value())),
        "names-reveal" => return Some(Action::RevealOwners(field.checked())),
        "instructor" => return Some(Action::Instructor(field.checked())),
        "log-filter" => return Some(Action::FilterLog(field.value())),
        "seed" => return Some(Action::Seed(field.value())),
        "seeds" | "seeds-slider" => return Some(Action::Seeds(field.value())),
        _ => {}
    }
    let id = parameter_of(&element)?;
    Some(if field.type_() == "range" {
        Action::Slid {
            id,
            place: field.value().parse().ok()?,
        }
    } else {
        Action::Typed {
            id,
            text: field.value(),
        }
    })
}

fn changed(event: &Event) -> Option<Action> {
    let element = element(event)?;
    if let Some(select) = element.dyn_ref::<HtmlSelectElement>() {
        return Some(match parameter_of(&element) {
            Some(id) => Action::Typed {
                id,
                text: select.value(),
            },
            None if select.id() == "preset" => Action::Preset(select.value()),
            None if select.id() == "sweep-parameter" => Action::SweepParameter,
            None if select.id() == "sweep-measure" => Action::SweepMeasure,
            None => return None,
        });
    }
    if element.id() == "open-file" {
        let field: &HtmlInputElement = element.dyn_ref()?;
        let file = field.files()?.get(0)?;
        // Else a file that has changed could not be chosen again: the browser would see no change.
        field.set_value("");
        return Some(Action::OpenFile(file));
    }
    parameter_of(&element).map(|_| Action::Left)
}

/// A text that was pasted where nothing is being written is a run to open.
fn pasted(event: &Event) -> Option<Action> {
    let element = element(event)?;
    if element.closest("input, textarea, select").ok()?.is_some() {
        return None;
    }
    let event: &ClipboardEvent = event.dyn_ref()?;
    let text = event.clipboard_data()?.get_data("text").ok()?;
    (!text.trim().is_empty()).then_some(Action::OpenText(text))
}

/// A file or a text that was dropped anywhere is a run to open.
fn dropped(event: &Event) -> Option<Action> {
    event.prevent_default();
    let event: &DragEvent = event.dyn_ref()?;
    let data = event.data_transfer()?;
    if let Some(file) = data.files().and_then(|files| files.get(0)) {
        return Some(Action::OpenFile(file));
    }
    data.get_data("text").ok().map(Action::OpenText)
}
