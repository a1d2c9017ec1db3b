//! From the browser's events to the page's actions. Listeners stand on the document, once; what an event means is read
//! from the element that it happened to.

use wasm_bindgen::prelude::*;
use web_sys::{
    ClipboardEvent, DragEvent, Element, Event, File, HtmlElement, HtmlInputElement,
    HtmlSelectElement, KeyboardEvent,
};

use super::act;
use super::pointers::{self, Phase, Zoom};
use super::readings::{Ask, Picture};
use super::views::Layout;
use crate::dom;

/// What can happen on the page.
pub enum Action {
    /// The window is about to be drawn.
    Frame,
    /// A parameter was typed or chosen.
    Typed {
        id: String,
        text: String,
    },
    /// A field was left.
    Left,
    /// A slider was moved to a place.
    Slid {
        id: String,
        place: u32,
    },
    /// A slider is to move by one value.
    Nudged {
        id: String,
        up: bool,
    },
    /// One parameter back to its preset's value.
    BackToPreset(String),
    /// Some of them.
    GroupBackToPreset(Vec<String>),
    /// A preset was chosen.
    Preset(String),
    /// A seed was typed.
    Seed(String),
    /// A fresh seed.
    Dice,
    RunOrPause,
    Step,
    Reset,
    /// The slider of time was moved to a place.
    Scrub(u64),
    /// It is to move by that many hundredths.
    ScrubBy(i64),
    /// One reply less.
    StepBack,
    /// The speed slider was moved to a place.
    Speed(usize),
    Layout(Layout),
    /// The title of a view was pressed: that view alone, or back.
    Alone(String),
    NextTheme,
    /// Colours, sizes or what is open may have changed.
    Look,
    /// The browser has dropped what is drawn, or gives the canvases back.
    Pictures {
        lost: bool,
    },
    /// The page is about to be printed, or has been.
    Print {
        begins: bool,
    },
    /// Canvases and boxes have another size: which, and how high each is inside.
    Resized(Vec<(String, f64)>),
    /// A box was scrolled.
    Scrolled(String),
    /// A `<details>` was opened or closed.
    Opened,
    Drawer,
    CloseDrawer,
    /// The large histograms of the next TMMs, or of those before.
    TurnPage(bool),
    /// Keep this run as A, or stop comparing.
    Compare,
    /// A value of a picture is asked for.
    Read(Picture, Ask),
    /// No value is to be shown: the pointer has left the pictures, or keys say so.
    ReadNothing {
        keys: bool,
    },
    /// A pointer on a picture.
    Point {
        picture: Picture,
        phase: Phase,
        id: i32,
        at: (f64, f64),
        finger: bool,
    },
    /// The strip of a TMM further down, or up.
    OtherStrip(isize),
    /// Another stretch of a picture's axis.
    Zoom(Picture, Zoom),
    /// All of the axis of a view.
    Unzoom(String),
    /// Something of a view is to be left out, or put back: its number.
    Toggle(String, u8),
    /// The values of a view are to be spaced in the other way.
    TurnScale(String),
    /// The legend of a view is to be opened, or closed.
    Legend(String),
    /// A chart as a file, by the name of its view.
    SavePicture(String),
    /// A table as a file, by the name of its view.
    SaveTable(String),
    /// A chart as a picture in pixels, by the name of its view.
    SaveImage(String),
    /// A table to the clipboard, by the name of its view.
    CopyTable(String),
    /// The dialog of what can be saved and opened.
    Files,
    /// The text of a field to the clipboard.
    CopyText(String),
    SaveRun,
    CopyRun,
    SaveLog,
    /// The text in the dialog is to be opened.
    OpenTyped,
    OpenText(String),
    OpenFile(File),
    /// The state of the last visit.
    BackToLast,
    /// A number of seeds was typed.
    Seeds(String),
    ComparePublished,
    /// The list of lessons.
    Lessons,
    /// A step of a lesson, by its name in a link.
    OpenStep(String),
    TurnStep(bool),
    RunStep,
    RevealAnswer,
    CloseLesson,
    /// Whether answers wait for a key.
    Instructor(bool),
    /// The validated session, step by step.
    RunSession,
    /// A report of it to the clipboard, by the id of its place.
    CopyReport(String),
    Sweep,
    SweepParameter,
    SweepMeasure,
    /// A worker of the crew answers.
    Answered(usize, Vec<u8>),
    /// A worker of the crew broke.
    HandBroke(usize, String),
    Undo,
    Redo,
    /// A name to find the owner of.
    NameTyped(String),
    RevealOwner,
    /// That name is to be probed.
    ProbeName,
    /// Whether the owners of all tried names are shown.
    RevealOwners(bool),
    /// The tries of one TMM.
    ShowTries(usize),
    Help,
    Honesty,
    Share,
    FilterLog(String),
    HoldLog,
    CopyLog,
    /// The address was changed, by us or by the reader.
    AddressChanged,
    /// The address may be written now.
    AddressDue,
    /// The worker broke and is to be started anew.
    Restart,
    /// The worker reports.
    Report(Vec<u8>),
    /// The worker broke.
    WorkerFailed(String),
}

/// Puts the listeners in place.
pub fn listen() -> Result<(), JsValue> {
    let document = dom::document();
    on(&document, "click", false, clicked)?;
    on(&document, "input", false, input)?;
    on(&document, "change", false, changed)?;
    on(&document, "keydown", false, key)?;
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

fn clicked(event: &Event) -> Option<Action> {
    let button: HtmlElement = element(event)?.closest("button").ok()??.dyn_into().ok()?;
    let data = button.dataset();
    if let Some(id) = data.get("back") {
        return Some(Action::BackToPreset(id));
    }
    if let Some(ids) = data.get("backAll") {
        return Some(Action::GroupBackToPreset(
            ids.split(' ').map(str::to_owned).collect(),
        ));
    }
    if let Some(view) = data.get("alone") {
        return Some(Action::Alone(view));
    }
    if let Some(word) = data.get("layout") {
        return Layout::of(&word).map(Action::Layout);
    }
    if let Some(view) = data.get("unzoom") {
        return Some(Action::Unzoom(view));
    }
    if let Some(view) = data.get("legend") {
        return Some(Action::Legend(view));
    }
    if let Some(view) = data.get("scale") {
        return Some(Action::TurnScale(view));
    }
    if let Some(number) = data.get("series") {
        return Some(Action::Toggle(data.get("view")?, number.parse().ok()?));
    }
    if let Some(view) = data.get("saveImage") {
        return Some(Action::SaveImage(view));
    }
    if let Some(view) = data.get("copyTable") {
        return Some(Action::CopyTable(view));
    }
    if let Some(name) = data.get("begin") {
        return Some(Action::OpenStep(format!("{name}.1")));
    }
    if let Some(id) = data.get("copy") {
        return Some(Action::CopyText(id));
    }
    if let Some(view) = data.get("savePicture") {
        return Some(Action::SavePicture(view));
    }
    if let Some(view) = data.get("saveTable") {
        return Some(Action::SaveTable(view));
    }
    if let Some(tmm) = data.get("tries") {
        return Some(Action::ShowTries(tmm.parse().ok()?));
    }
    if let Some(id) = data.get("copyReport") {
        return Some(Action::CopyReport(id));
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
fn parameter_of(element: &Element) -> Option<String> {
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
        return Some(Action::OpenFile(field.files()?.get(0)?));
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

fn key(event: &Event) -> Option<Action> {
    let event: &KeyboardEvent = event.dyn_ref()?;
    let element = element(event)?;
    if element.matches("input[type=range]").unwrap_or(false)
        && let Some(action) = slider_key(event, &element)
    {
        return Some(action);
    }
    if let Some(picture) = pointers::picture(&element)
        && let Some(action) = pointers::key(event, &picture)
    {
        return Some(action);
    }
    // Keys that write, and keys that press what has the focus, are not ours.
    let writes = element
        .matches("input:not([type=radio], [type=checkbox], [type=range]), select, textarea")
        .unwrap_or(false);
    if writes
        || event.is_composing()
        || dom::document()
            .query_selector("dialog[open]")
            .ok()?
            .is_some()
    {
        return None;
    }
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return chord(event);
    }
    let presses = element
        .closest("button, summary, a, input[type=checkbox]")
        .ok()?
        .is_some();
    let action = match event.key().as_str() {
        " " if !presses => Action::RunOrPause,
        "." => Action::Step,
        "," => Action::StepBack,
        "[" => Action::ScrubBy(-1),
        "]" => Action::ScrubBy(1),
        "r" => Action::Reset,
        "d" => Action::Dice,
        "s" => Action::Share,
        "e" => Action::Files,
        "l" => Action::Lessons,
        "a" => Action::RevealAnswer,
        "c" => Action::Compare,
        "?" => Action::Help,
        "Escape" => Action::CloseDrawer,
        digit => Action::Layout(Layout::at(digit)?),
    };
    event.prevent_default();
    Some(action)
}

/// Keys that are pressed together.
fn chord(event: &KeyboardEvent) -> Option<Action> {
    if !(event.ctrl_key() || event.meta_key()) || event.alt_key() {
        return None;
    }
    let action = match (event.key().to_ascii_lowercase().as_str(), event.shift_key()) {
        ("z", false) => Action::Undo,
        ("z", true) | ("y", false) => Action::Redo,
        _ => return None,
    };
    event.prevent_default();
    Some(action)
}

/// The arrow keys move a parameter's slider by one value, not by one of its thousand places.
fn slider_key(event: &KeyboardEvent, slider: &Element) -> Option<Action> {
    let up = match event.key().as_str() {
        "ArrowUp" | "ArrowRight" => true,
        "ArrowDown" | "ArrowLeft" => false,
        _ => return None,
    };
    let id = parameter_of(slider)?;
    event.prevent_default();
    Some(Action::Nudged { id, up })
}
