//! Opening a run that was saved: the JSON of the page or the command line, or a link. All of it or nothing is put in
//! force, and what is wrong is said with its place.

use js_sys::{JSON, Object, Reflect};
use subtable_model::preset::Preset;
use subtable_model::scenario::Scenario;
use subtable_model::scenario::link::{self, LARGEST_SEED};
use wasm_bindgen::prelude::*;
use web_sys::{File, HtmlTextAreaElement};

use super::actions::Action;
use super::{Page, act, header};
use crate::dom;
use crate::report::{SCHEMA, VERSION};

/// Longest text that is read, in bytes: more than a run of 1,024 TMMs.
const LONGEST: f64 = 16.0 * 1024.0 * 1024.0;

/// What a text holds.
struct Opened {
    setting: link::Run,
    /// What the run came to when it was saved.
    hash: Option<String>,
}

impl Page {
    /// Opens a text: a run as JSON, or a link.
    pub(super) fn open_text(&mut self, text: &str) {
        match read(text) {
            Ok(opened) => {
                super::dialogs::close("files");
                header::clear_warnings();
                self.controls.accept_all();
                self.expected = opened.hash.map(|hash| (opened.setting.clone(), hash));
                let before = self.setting.clone();
                self.change("open", opened.setting);
                header::mention("The saved run is open.");
                if before == self.setting {
                    self.begin(crate::pace::Pace::Full);
                }
            }
            Err(reason) => say(&format!("{reason} Nothing was changed.")),
        }
    }

    /// Compares a run with what it came to when it was saved.
    pub(super) fn check_expected(&mut self) {
        let Some(shown) = &self.shown else { return };
        let (Some((setting, expected)), Some(hash)) = (&self.expected, &shown.hash) else {
            return;
        };
        if *setting == shown.setting {
            if expected != hash {
                header::warn(&format!(
                    "The run that was opened came to {expected} when it was saved, and comes to {hash} now: it was made \
                     by another version of the model."
                ));
            }
            self.expected = None;
        }
    }
}

/// Says in the dialog, or else on the page, why a text cannot be opened.
pub fn say(reason: &str) {
    if super::dialogs::is_open("files") {
        let error = dom::get("open-error");
        dom::set_text(&error, reason);
        error.set_hidden(false);
    } else {
        header::clear_warnings();
        header::warn(reason);
    }
}

fn read(text: &str) -> Result<Opened, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("There is no text.".to_owned());
    }
    if text.len() as f64 > LONGEST {
        return Err("This is longer than 16 MB: it is not a saved run.".to_owned());
    }
    if text.starts_with('{') || text.starts_with('[') {
        return read_json(text);
    }
    let fragment = text.split_once('#').map_or(text, |(_, fragment)| fragment);
    if !fragment.starts_with("v=") && !fragment.starts_with("preset=") {
        return Err("This is neither the JSON of a run nor a link to one.".to_owned());
    }
    let (mut setting, errors) = link::decode(fragment);
    setting.others = Vec::new();
    match errors.first() {
        Some(error) => Err(format!("The link: {error}.")),
        None => Ok(Opened {
            setting,
            hash: None,
        }),
    }
}

fn read_json(text: &str) -> Result<Opened, String> {
    let value = JSON::parse(text).map_err(|error| {
        let reason = error
            .dyn_ref::<js_sys::Error>()
            .map(|error| String::from(error.message()));
        format!("This is not JSON: {}.", reason.unwrap_or_default())
    })?;
    let schema = field(&value, "schema").as_string().unwrap_or_default();
    if schema != SCHEMA {
        return Err(format!("schema: `{}` is not `{SCHEMA}`.", short(&schema)));
    }
    let version = field(&value, "version").as_f64().unwrap_or(0.0);
    if !(version >= 1.0 && version <= f64::from(VERSION)) {
        return Err(format!(
            "version: {version} cannot be read here, only versions up to {VERSION}."
        ));
    }
    let preset = field(&value, "preset").as_string().unwrap_or_default();
    let preset = Preset::find(&preset)
        .ok_or_else(|| format!("preset: there is no preset `{}`.", short(&preset)))?;
    let seed = field(&value, "seed").as_f64().unwrap_or(f64::NAN);
    if seed.fract() != 0.0 || !(0.0..=LARGEST_SEED as f64).contains(&seed) {
        return Err(format!(
            "seed: not a whole number from 0 to {LARGEST_SEED}."
        ));
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number below 2^53"
    )]
    let seed = seed as u64;
    Ok(Opened {
        setting: link::Run {
            preset,
            scenario: scenario(&field(&value, "scenario"))?,
            seed,
            others: Vec::new(),
        },
        hash: field(&value, "result_hash").as_string(),
    })
}

fn scenario(value: &JsValue) -> Result<Scenario, String> {
    let map: &Object = value.dyn_ref().ok_or("scenario: it is not there.")?;
    let mut scenario = Scenario::default();
    for entry in Object::entries(map).iter() {
        let entry = js_sys::Array::from(&entry);
        let id = entry.get(0).as_string().unwrap_or_default();
        let value = entry.get(1);
        let text = match (value.as_string(), value.as_f64()) {
            (Some(word), _) => word,
            (None, Some(number)) => number.to_string(),
            (None, None) => {
                return Err(format!("scenario.{}: neither number nor word.", short(&id)));
            }
        };
        scenario
            .set(&id, &text)
            .map_err(|error| format!("scenario.{error}."))?;
    }
    Ok(scenario)
}

fn field(value: &JsValue, name: &str) -> JsValue {
    Reflect::get(value, &name.into()).unwrap_or_default()
}

fn short(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}

/// The text in the dialog.
pub fn typed() -> String {
    dom::get_as::<HtmlTextAreaElement>("open-text").value()
}

/// Reads a file, and then acts on its text.
pub fn read_file(file: &File) {
    if file.size() > LONGEST {
        return say(&format!(
            "{} is longer than 16 MB: it is not a saved run. Nothing was changed.",
            file.name()
        ));
    }
    let done = Closure::once_into_js(|text: JsValue| {
        act(Action::OpenText(text.as_string().unwrap_or_default()));
    });
    let failed =
        Closure::once_into_js(|_: JsValue| say("The file cannot be read. Nothing was changed."));
    let text = file.text();
    let then: js_sys::Function = Reflect::get(&text, &"then".into())
        .unwrap_or_default()
        .unchecked_into();
    let _ = then.call2(&text, &done, &failed);
}
