//! What pointers, wheels and keys on a picture mean.

use wasm_bindgen::prelude::*;
use web_sys::{
    AddEventListenerOptions, Element, Event, FocusEvent, HtmlElement, KeyboardEvent, PointerEvent,
    WheelEvent,
};

use super::act;
use super::actions::Action;
use super::events::{element, on};
use super::readings::{Ask, Picture};
use crate::dom;

/// What a pointer does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Press,
    Slide,
    Lift,
    Cancel,
}

/// How the stretch of an axis that is shown is to change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Zoom {
    /// So many times as long, about a place in CSS pixels, or about the crosshair.
    Scale(f64, Option<f64>),
    /// Further on by a share of its length.
    Move(f64),
    /// All of it.
    Out,
}

/// Puts the listeners in place.
pub fn listen() -> Result<(), JsValue> {
    let document = dom::document();
    for (kind, phase) in [
        ("pointerdown", Phase::Press),
        ("pointermove", Phase::Slide),
        ("pointerup", Phase::Lift),
        ("pointercancel", Phase::Cancel),
    ] {
        on(&document, kind, false, move |event| pointed(event, phase))?;
    }
    on(&document, "dblclick", false, |event| {
        let picture = picture(&element(event)?)?;
        Some(Action::Zoom(picture, Zoom::Out))
    })?;
    on(&document, "focusout", false, |event| {
        picture(&element(event)?)?;
        let event: &FocusEvent = event.dyn_ref()?;
        let next = event.related_target();
        let next = next.and_then(|next| picture(next.dyn_ref()?));
        // From one picture to another, the value goes along.
        next.is_none().then_some(Action::ReadNothing { keys: true })
    })
}

/// The picture that an element is.
pub fn picture(element: &Element) -> Option<Picture> {
    let canvas: &HtmlElement = element.dyn_ref()?;
    if let Some(tmm) = canvas.dataset().get("strip") {
        return Some(Picture::Strip(tmm.parse().ok()?));
    }
    let view = canvas.id();
    let view = view.strip_prefix("c-").filter(|view| *view != "axis")?;
    Some(Picture::Chart(view.to_owned()))
}

fn pointed(event: &Event, phase: Phase) -> Option<Action> {
    let event: &PointerEvent = event.dyn_ref()?;
    let element = element(event)?;
    let Some(picture) = picture(&element) else {
        return Some(Action::ReadNothing { keys: false });
    };
    // Other buttons than the first open menus and scroll.
    if phase == Phase::Press && event.button() != 0 {
        return None;
    }
    let id = event.pointer_id();
    if phase == Phase::Press {
        // What begins on a picture is followed wherever it goes.
        let _ = element.set_pointer_capture(id);
    }
    Some(Action::Point {
        picture,
        phase,
        id,
        at: (f64::from(event.offset_x()), f64::from(event.offset_y())),
        finger: event.pointer_type() == "touch",
    })
}

/// Has the wheel over a picture zoom in it: with Ctrl (as pads do when two fingers pinch), or once the picture has the
/// focus. Else the page scrolls.
pub fn zoom_by_wheel(canvas: &Element) {
    thread_local! {
        static WHEEL: js_sys::Function =
            Closure::<dyn FnMut(WheelEvent)>::new(|event: WheelEvent| {
                if let Some(action) = wheeled(&event) {
                    event.prevent_default();
                    act(action);
                }
            })
            .into_js_value()
            .unchecked_into();
    }
    let options = AddEventListenerOptions::new();
    // A listener on the document could not keep the page from scrolling.
    options.set_passive(false);
    let added = WHEEL.with(|wheel| {
        canvas.add_event_listener_with_callback_and_add_event_listener_options(
            "wheel", wheel, &options,
        )
    });
    debug_assert!(added.is_ok());
}

fn wheeled(event: &WheelEvent) -> Option<Action> {
    /// Pixels to a line, when the wheel counts lines.
    const LINE: f64 = 16.0;
    let element = element(event)?;
    let focused = dom::document().active_element().as_ref() == Some(&element);
    if !(event.ctrl_key() || event.meta_key() || focused) {
        return None;
    }
    let picture = picture(&element)?;
    let unit = match event.delta_mode() {
        WheelEvent::DOM_DELTA_PIXEL => 1.0,
        _ => LINE,
    };
    let (across, down) = (event.delta_x() * unit, event.delta_y() * unit);
    let zoom = if event.shift_key() || across.abs() > down.abs() {
        let way = if across == 0.0 { down } else { across };
        Zoom::Move((way / 600.0).clamp(-0.5, 0.5))
    } else {
        let factor = (down / 400.0).clamp(-1.0, 1.0).exp();
        Zoom::Scale(factor, Some(f64::from(event.offset_x())))
    };
    Some(Action::Zoom(picture, zoom))
}

/// Keys that walk along the values of a picture, and that zoom.
pub fn key(event: &KeyboardEvent, picture: &Picture) -> Option<Action> {
    if event.ctrl_key() || event.meta_key() || event.alt_key() {
        return None;
    }
    let strip = matches!(picture, Picture::Strip(_));
    let shift = event.shift_key();
    let zoom = |zoom| Some(Action::Zoom(picture.clone(), zoom));
    let read = |ask| Some(Action::Read(picture.clone(), ask));
    let action = match event.key().as_str() {
        "ArrowRight" if shift => zoom(Zoom::Move(0.25)),
        "ArrowLeft" if shift => zoom(Zoom::Move(-0.25)),
        "ArrowDown" if strip => Some(Action::OtherStrip(1)),
        "ArrowUp" if strip => Some(Action::OtherStrip(-1)),
        "ArrowRight" | "ArrowDown" => read(Ask::Step(1)),
        "ArrowLeft" | "ArrowUp" => read(Ask::Step(-1)),
        "PageDown" => read(Ask::Step(10)),
        "PageUp" => read(Ask::Step(-10)),
        "Home" => read(Ask::First),
        "End" => read(Ask::Last),
        "+" | "=" => zoom(Zoom::Scale(0.5, None)),
        "-" | "_" => zoom(Zoom::Scale(2.0, None)),
        "0" => zoom(Zoom::Out),
        "Escape" => Some(Action::ReadNothing { keys: true }),
        _ => None,
    }?;
    event.prevent_default();
    Some(action)
}
