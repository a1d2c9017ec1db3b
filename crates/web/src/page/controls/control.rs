//! One control: a name, a way to enter a value, a way back to the preset's value, a line of help, and why an entry is
//! refused.

use subtable_model::scenario::{Choice, Kind, Parameter};
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement};

use crate::scale::{PLACES, Scale};
use crate::{dom, words};

pub struct Control {
    parameter: &'static Parameter,
    root: HtmlElement,
    entry: Entry,
    back: HtmlElement,
    error: HtmlElement,
    refused: bool,
    shown: Option<(u64, u64)>,
}

enum Entry {
    Number {
        field: HtmlInputElement,
        slider: HtmlInputElement,
        scale: Scale,
    },
    Radios(Vec<HtmlInputElement>),
    Select(HtmlSelectElement),
}

/// Choices up to this many stand side by side.
const MANY_CHOICES: usize = 3;

impl Control {
    /// Makes the control of a parameter, without a value.
    pub fn build(parameter: &'static Parameter) -> Self {
        let id = parameter.id;
        let help_id = format!("{id}-help");
        let error_id = format!("{id}-error");
        let described = format!("{help_id} {error_id}");
        let back = back_button(parameter);
        let help = dom::create("p", &[("class", "help"), ("id", &help_id)], parameter.help);
        let error = dom::create("p", &[("class", "error"), ("id", &error_id)], "");
        error.set_hidden(true);
        let (root, entry) = match parameter.kind {
            Kind::Choice(options) if options.len() > MANY_CHOICES => {
                radios(parameter, options, &described, &back)
            }
            Kind::Choice(options) => select(parameter, options, &described, &back),
            _ => number(parameter, &described),
        };
        dom::set(&root, "data-parameter", id);
        dom::append(&root, &[&error, &help]);
        if let Entry::Number { slider, .. } = &entry {
            let slide = dom::create("div", &[("class", "slide")], "");
            dom::append(&slide, &[slider, &back]);
            dom::append(&root, &[&slide]);
        }
        Self {
            parameter,
            root,
            entry,
            back,
            error,
            refused: false,
            shown: None,
        }
    }

    /// The parameter's id.
    pub const fn id(&self) -> &'static str {
        self.parameter.id
    }

    /// The element to put on the page.
    pub const fn root(&self) -> &HtmlElement {
        &self.root
    }

    /// Shows the value in force, and whether it differs from the preset's. A refused text stays, to be mended.
    pub fn show(&mut self, stored: u64, base: u64) {
        let text = self.parameter.format(stored);
        if let Entry::Number {
            field,
            slider,
            scale,
        } = &self.entry
        {
            // The text is put right even when the value has not changed: `007` becomes `7` when the field is left.
            let says_it = is_focused(field) && self.parameter.parse(&field.value()) == Ok(stored);
            if !self.refused && !says_it {
                set_value(field, &text);
            }
            if scale.value(slider.value().parse().unwrap_or(0)) != stored {
                slider.set_value(&scale.place(stored).to_string());
            }
        }
        if self.shown.replace((stored, base)) == Some((stored, base)) {
            return;
        }
        match &self.entry {
            Entry::Number { slider, .. } => {
                dom::set(
                    slider,
                    "aria-valuetext",
                    &words::value(self.parameter, stored),
                );
                fill(slider);
            }
            Entry::Radios(radios) => {
                for (radio, index) in radios.iter().zip(0..) {
                    radio.set_checked(index == stored);
                }
            }
            Entry::Select(select) => select.set_value(&text),
        }
        dom::class(&self.root, "changed", stored != base);
        let words = format!(
            "{}: back to {}, the preset’s value",
            self.parameter.label,
            words::value(self.parameter, base)
        );
        dom::set(&self.back, "title", &words);
        dom::set(&self.back, "aria-label", &words);
    }

    /// Says why the text in the field is refused.
    pub fn refuse(&mut self, reason: &str) {
        self.refused = true;
        dom::set_text(
            &self.error,
            &format!("{reason}. In force: {}", self.in_force()),
        );
        self.error.set_hidden(false);
        if let Entry::Number { field, .. } = &self.entry {
            dom::set(field, "aria-invalid", "true");
        }
    }

    /// Takes the refusal away.
    pub fn accept(&mut self) {
        if std::mem::take(&mut self.refused) {
            self.error.set_hidden(true);
            if let Entry::Number { field, .. } = &self.entry {
                dom::set(field, "aria-invalid", "false");
            }
        }
    }

    /// Forgets what was shown, so that the next value is written even over a text that was being typed.
    pub fn forget(&mut self) {
        self.shown = None;
    }

    /// The value at a place of the slider.
    pub fn text_at(&self, place: u32) -> Option<String> {
        let Entry::Number { slider, scale, .. } = &self.entry else {
            return None;
        };
        fill(slider);
        Some(self.parameter.format(scale.value(place)))
    }

    /// The value of the slider next to a stored one.
    pub fn text_beside(&self, stored: u64, up: bool) -> Option<String> {
        let Entry::Number { scale, .. } = &self.entry else {
            return None;
        };
        Some(self.parameter.format(scale.value(scale.next(stored, up))))
    }

    fn in_force(&self) -> String {
        self.shown.map_or_else(String::new, |(stored, _)| {
            words::value(self.parameter, stored)
        })
    }
}

fn is_focused(field: &HtmlInputElement) -> bool {
    dom::document().active_element().as_deref() == Some(field)
}

fn set_value(field: &HtmlInputElement, text: &str) {
    if field.value() != text {
        field.set_value(text);
    }
}

/// The part of the track before the thumb, for the browsers that cannot colour it themselves.
pub fn fill(slider: &HtmlInputElement) {
    // Positions, which are whole. Reading fractions needs tables that weigh as much as this whole part of the page.
    let number = |text: String| text.parse::<u32>().map_or(0.0, f64::from);
    let share = number(slider.value()) / number(slider.max()).max(1.0);
    let _ = slider
        .style()
        .set_property("--filled", &format!("{:.1}%", share * 100.0));
}

fn back_button(parameter: &Parameter) -> HtmlElement {
    let back = dom::create(
        "button",
        &[
            ("type", "button"),
            ("class", "back"),
            ("data-back", parameter.id),
        ],
        "",
    );
    dom::append(&back, &[&dom::icon("reset")]);
    back
}

fn name(parameter: &Parameter, tag: &str, attributes: &[(&str, &str)]) -> HtmlElement {
    let name = dom::create(tag, attributes, parameter.label);
    dom::set(&name, "class", "name");
    let mark = dom::create("span", &[("class", "mark")], " ●");
    dom::append(
        &mark,
        &[&dom::create("span", &[("class", "unseen")], " changed")],
    );
    dom::append(&name, &[&mark]);
    name
}

fn number(parameter: &'static Parameter, described: &str) -> (HtmlElement, Entry) {
    let id = parameter.id;
    let field_id = format!("{id}-field");
    let decimal = matches!(parameter.kind, Kind::Decimal { .. });
    let root = dom::create("div", &[("class", "control")], "");
    let name = name(parameter, "label", &[("for", &field_id)]);
    let field: HtmlInputElement = dom::create_as(
        "input",
        &[
            ("id", &field_id),
            ("type", "text"),
            ("inputmode", if decimal { "decimal" } else { "numeric" }),
            ("autocomplete", "off"),
            ("spellcheck", "false"),
            ("aria-describedby", described),
            ("title", &parameter.range()),
        ],
        "",
    );
    let slider: HtmlInputElement = dom::create_as(
        "input",
        &[
            ("type", "range"),
            ("min", "0"),
            ("max", &PLACES.to_string()),
            ("aria-label", parameter.label),
        ],
        "",
    );
    let value = dom::create("div", &[("class", "value")], "");
    dom::append(&value, &[&field]);
    let unit = words::unit(parameter.unit);
    if !unit.is_empty() {
        // The unit stands inside the field; how much room it needs is one of two widths.
        let width = if unit.len() > 3 { "wide" } else { "narrow" };
        dom::set(&value, "data-unit", width);
        dom::append(&value, &[&dom::create("span", &[("class", "unit")], unit)]);
    }
    dom::append(&root, &[&name, &value]);
    let scale = Scale::of(parameter).expect("a number has a scale");
    (
        root,
        Entry::Number {
            field,
            slider,
            scale,
        },
    )
}

fn radios(
    parameter: &Parameter,
    options: &[Choice],
    described: &str,
    back: &HtmlElement,
) -> (HtmlElement, Entry) {
    let name_id = format!("{}-name", parameter.id);
    let root = dom::create(
        "div",
        &[
            ("class", "control"),
            ("role", "radiogroup"),
            ("aria-labelledby", &name_id),
            ("aria-describedby", described),
        ],
        "",
    );
    let name = name(
        parameter,
        "span",
        &[("id", &name_id), ("title", parameter.help)],
    );
    let value = dom::create("div", &[("class", "value")], "");
    dom::append(&value, &[back]);
    let choices = dom::create("div", &[("class", "choices")], "");
    let mut radios = Vec::new();
    for option in options {
        let radio: HtmlInputElement = dom::create_as(
            "input",
            &[
                ("type", "radio"),
                ("name", parameter.id),
                ("value", option.id),
            ],
            "",
        );
        let label = dom::create("label", &[("title", option.help)], "");
        dom::append(&label, &[&radio, &dom::create("span", &[], option.label)]);
        dom::append(&choices, &[&label]);
        radios.push(radio);
    }
    dom::append(&root, &[&name, &value, &choices]);
    (root, Entry::Radios(radios))
}

fn select(
    parameter: &Parameter,
    options: &[Choice],
    described: &str,
    back: &HtmlElement,
) -> (HtmlElement, Entry) {
    let field_id = format!("{}-field", parameter.id);
    let root = dom::create("div", &[("class", "control")], "");
    let name = name(parameter, "label", &[("for", &field_id)]);
    let select: HtmlSelectElement = dom::create_as(
        "select",
        &[("id", &field_id), ("aria-describedby", described)],
        "",
    );
    for option in options {
        let item = dom::create(
            "option",
            &[("value", option.id), ("title", option.help)],
            option.label,
        );
        dom::append(&select, &[&item]);
    }
    let value = dom::create("div", &[("class", "value")], "");
    dom::append(&value, &[back, &select]);
    dom::append(&root, &[&name, &value]);
    (root, Entry::Select(select))
}
