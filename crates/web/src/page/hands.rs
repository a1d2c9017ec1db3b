//! Workers as the page starts them and hears of them.

use wasm_bindgen::prelude::*;
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::protocol::{self, Command};

/// What a worker says.
pub enum Heard {
    /// A message.
    Bytes(Vec<u8>),
    /// It broke, or could not be started: why.
    Broken(String),
}

/// Starts a worker, and tells `heard` what it says.
///
/// # Errors
/// The browser refuses a worker.
pub fn start(
    module: &JsValue,
    script: &str,
    heard: impl Fn(Heard) + Clone + 'static,
) -> Result<Worker, JsValue> {
    let options = WorkerOptions::new();
    // In the page that is one file the script is a blob, and no module.
    options.set_type(if script.starts_with("blob:") {
        WorkerType::Classic
    } else {
        WorkerType::Module
    });
    let worker = Worker::new_with_options(script, &options)?;
    employ(&worker, module, heard)?;
    Ok(worker)
}

/// Gives the module to a worker that has been started, and tells `heard` what it says.
///
/// # Errors
/// The browser cannot send it.
pub fn employ(
    worker: &Worker,
    module: &JsValue,
    heard: impl Fn(Heard) + Clone + 'static,
) -> Result<(), JsValue> {
    let told = heard.clone();
    let receive = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let data = event.data();
        told(match data.dyn_ref::<js_sys::ArrayBuffer>() {
            Some(buffer) => Heard::Bytes(js_sys::Uint8Array::new(buffer).to_vec()),
            None => Heard::Broken(data.as_string().unwrap_or_default()),
        });
    });
    worker.set_onmessage(Some(&receive.into_js_value().unchecked_into()));
    let failed = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
        // After a panic the trap follows its message, which says more.
        if !crate::failure::is_shown() {
            heard(Heard::Broken(reason(&event)));
        }
    });
    worker.set_onerror(Some(&failed.into_js_value().unchecked_into()));
    worker.post_message(module)
}

/// What an error event says. That of a script which could not be loaded says nothing.
fn reason(event: &JsValue) -> String {
    let part = |name: &str| js_sys::Reflect::get(event, &name.into()).ok();
    let text = |name| part(name).and_then(|value| value.as_string());
    match text("message") {
        Some(message) => format!(
            "{message} ({}:{})",
            text("filename").unwrap_or_default(),
            part("lineno").and_then(|line| line.as_f64()).unwrap_or(0.0)
        ),
        None => "The worker’s script could not be loaded.".to_owned(),
    }
}

/// Sends a command to a worker.
pub fn send(worker: &Worker, command: &Command) {
    let buffer = protocol::buffer(command);
    worker
        .post_message_with_transfer(&buffer, &js_sys::Array::of1(&buffer))
        .expect("a buffer can be sent");
}
