//! What keys do, wherever the focus is.

use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, KeyboardEvent};

use super::actions::Action;
use super::events::{element, parameter_of};
use super::pointers;
use super::views::Layout;
use crate::dom;

/// What a key that is pressed means; `None` where it belongs to what has the focus, or means nothing.
pub fn pressed(event: &Event) -> Option<Action> {
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
