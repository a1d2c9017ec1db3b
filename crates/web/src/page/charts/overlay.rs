//! What lies over a chart and moves with the pointer: the crosshair and the stretch that is being drawn. The chart itself
//! is not drawn again for it.

use subtable_charts::Marks;
use wasm_bindgen::JsCast;
use web_sys::{HtmlCanvasElement, HtmlElement};

use crate::dom;

/// The overlay of a canvas, right after it in the document; made when it is first wanted.
fn of(canvas: &HtmlCanvasElement) -> HtmlElement {
    if let Some(next) = canvas.next_element_sibling()
        && next.class_list().contains("overlay")
    {
        return next.unchecked_into();
    }
    let overlay = dom::create("div", &[("class", "overlay"), ("aria-hidden", "true")], "");
    let _ = canvas.after_with_node_1(&overlay);
    overlay
}

/// Puts a piece at a place, whatever it was before.
fn put(overlay: &HtmlElement, number: usize, class: &str, [left, top, right, bottom]: [f64; 4]) {
    let pieces = overlay.children();
    let present = u32::try_from(number).ok().and_then(|at| pieces.item(at));
    let piece: HtmlElement = present.map_or_else(
        || {
            let piece = dom::create("i", &[], "");
            dom::append(overlay, &[&piece]);
            piece
        },
        JsCast::unchecked_into,
    );
    if piece.class_name() != class {
        piece.set_class_name(class);
    }
    let style = piece.style();
    for (name, length) in [
        ("left", left),
        ("top", top),
        ("width", (right - left).max(1.0)),
        ("height", (bottom - top).max(1.0)),
    ] {
        let _ = style.set_property(name, &format!("{length:.1}px"));
    }
}

/// Shows a crosshair over a chart; returns the overlay, to be cleared.
pub fn show(canvas: &HtmlCanvasElement, marks: &Marks) -> HtmlElement {
    let overlay = of(canvas);
    let mut number = 0;
    let mut add = |class, frame| {
        put(&overlay, number, class, frame);
        number += 1;
    };
    for line in &marks.lines {
        add("line", line.map(|length| length - 0.5));
    }
    if let Some(frame) = marks.frame {
        add("frame", frame);
    }
    for (x, y) in &marks.spots {
        add("spot", [x - 4.5, y - 4.5, x + 4.5, y + 4.5]);
    }
    while overlay.child_element_count() as usize > number {
        let Some(last) = overlay.last_element_child() else {
            break;
        };
        last.remove();
    }
    overlay
}

/// Shows the stretch that is being drawn, over the whole height of a chart.
pub fn draw_stretch(
    canvas: &HtmlCanvasElement,
    (from, to): (f64, f64),
    height: f64,
) -> HtmlElement {
    let overlay = of(canvas);
    let frame = [from.min(to), 0.0, from.max(to), height];
    let number = overlay.child_element_count() as usize;
    put(&overlay, number, "stretch", frame);
    overlay
}
