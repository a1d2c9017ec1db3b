//! What happens when something breaks: a message, a report to copy, and a way to start again.

use std::cell::Cell;

use wasm_bindgen::{JsCast, JsValue};

use crate::dom;

/// In the worker: a panic is told to the page.
pub fn report_from_worker() {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        if let Ok(scope) = js_sys::global().dyn_into::<web_sys::DedicatedWorkerGlobalScope>() {
            let _ = scope.post_message(&JsValue::from_str(&panic.to_string()));
        }
    }));
}

thread_local! {
    static PAGE_BROKE: Cell<bool> = const { Cell::new(false) };
}

/// On the page: a panic is shown at once. The page's own state cannot be trusted after it, so that the way to start again
/// is to load the page anew, which the few lines of boot.js do.
pub fn show_from_page() {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        if !PAGE_BROKE.replace(true) {
            show(
                "The page broke. The address holds the run: starting again loses nothing.",
                &panic.to_string(),
            );
            let _ = dom::get("failure").dataset().set("reload", "");
        }
    }));
}

/// Whether the page itself has broken.
pub fn has_happened() -> bool {
    PAGE_BROKE.get()
}

/// Whether a failure is on the page.
pub fn is_shown() -> bool {
    !dom::get("failure").hidden()
}

/// Shows what happened.
pub fn show(words: &str, report: &str) {
    let text = format!(
        "Subtable Lab {}\n{report}\n{}\n{}",
        env!("CARGO_PKG_VERSION"),
        dom::window().location().hash().unwrap_or_default(),
        dom::window().navigator().user_agent().unwrap_or_default(),
    );
    dom::get("failure-words").set_text_content(Some(words));
    dom::get("failure-report").set_text_content(Some(&text));
    dom::get("failure").set_hidden(false);
    let _ = dom::root().dataset().set("state", "failed");
    dom::root().dataset().delete("resultHash");
}

/// Takes the message away.
pub fn hide() {
    dom::get("failure").set_hidden(true);
}
