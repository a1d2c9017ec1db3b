//! The document, in the few words in which the page speaks of it. All text goes in as text, never as markup.

use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlElement, Window};

/// The window.
pub fn window() -> Window {
    web_sys::window().expect("the page runs in a window")
}

/// The document.
pub fn document() -> Document {
    window().document().expect("a window has a document")
}

/// The root of the document.
pub fn root() -> HtmlElement {
    document()
        .document_element()
        .and_then(|element| element.dyn_into().ok())
        .expect("a document has a root")
}

/// Milliseconds since the page was opened.
pub fn now() -> f64 {
    window()
        .performance()
        .map_or(0.0, |performance| performance.now())
}

/// Whether the window is as narrow as a phone's.
pub fn is_narrow() -> bool {
    window()
        .match_media("(max-width: 760px)")
        .ok()
        .flatten()
        .is_some_and(|query| query.matches())
}

/// The element with an id that index.html has.
pub fn get(id: &str) -> HtmlElement {
    get_as(id)
}

/// The element with an id that index.html has, as what it is.
pub fn get_as<T: JsCast>(id: &str) -> T {
    document()
        .get_element_by_id(id)
        .and_then(|element| element.dyn_into().ok())
        .unwrap_or_else(|| panic!("index.html has no fitting element #{id}"))
}

/// All elements that a selector of our own finds under an element.
pub fn all(under: &Element, selector: &str) -> Vec<HtmlElement> {
    let Ok(list) = under.query_selector_all(selector) else {
        return Vec::new();
    };
    (0..list.length())
        .filter_map(|index| list.get(index)?.dyn_into().ok())
        .collect()
}

/// A new element with attributes and text.
pub fn create(tag: &str, attributes: &[(&str, &str)], text: &str) -> HtmlElement {
    create_as(tag, attributes, text)
}

/// A new element with attributes and text, as what it is.
pub fn create_as<T: JsCast + AsRef<Element> + AsRef<web_sys::Node>>(
    tag: &str,
    attributes: &[(&str, &str)],
    text: &str,
) -> T {
    let element: T = document()
        .create_element(tag)
        .ok()
        .and_then(|element| element.dyn_into().ok())
        .unwrap_or_else(|| panic!("cannot create <{tag}>"));
    for (name, value) in attributes {
        set(element.as_ref(), name, value);
    }
    if !text.is_empty() {
        let node: &web_sys::Node = element.as_ref();
        node.set_text_content(Some(text));
    }
    element
}

/// Sets an attribute.
pub fn set(element: &Element, name: &str, value: &str) {
    // Fails only for names that are no names; ours are.
    let _ = element.set_attribute(name, value);
}

/// Sets the text of an element unless it is that already.
pub fn set_text(element: &web_sys::Node, text: &str) {
    if element.text_content().as_deref() != Some(text) {
        element.set_text_content(Some(text));
    }
}

/// Puts children at the end of an element.
pub fn append(parent: &Element, children: &[&Element]) {
    for child in children {
        let _ = parent.append_child(child);
    }
}

/// Adds or removes a class.
pub fn class(element: &Element, name: &str, on: bool) {
    let _ = element.class_list().toggle_with_force(name, on);
}

/// An icon of the sprite in index.html.
pub fn icon(id: &str) -> Element {
    const SVG: &str = "http://www.w3.org/2000/svg";
    let create = |tag| {
        document()
            .create_element_ns(Some(SVG), tag)
            .unwrap_or_else(|_| panic!("cannot create <{tag}>"))
    };
    let (svg, mark) = (create("svg"), create("use"));
    set(&svg, "aria-hidden", "true");
    set(&mark, "href", &format!("#i-{id}"));
    append(&svg, &[&mark]);
    svg
}
