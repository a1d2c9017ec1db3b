//! Lessons: predict, run, reveal, explain. Their words stand in index.html, where they are read without this program, too.

use subtable_model::scenario::link;
use web_sys::{HtmlButtonElement, HtmlElement, HtmlInputElement};

use super::{Page, Shown, dialogs, header};
use crate::lesson::{self, Asked};
use crate::pace::Pace;
use crate::{dom, words};

/// Where the steps that were done are kept, and whether answers wait for a key.
const DONE: &str = "lessons";
const INSTRUCTOR: &str = "instructor";

/// The lesson that is open.
#[derive(Default)]
pub struct Lessons {
    open: Option<Step>,
}

/// A step of a lesson.
struct Step {
    /// Lesson and number, as in a link: `names.1`.
    name: String,
    setting: link::Run,
    asked: Asked,
    /// Whether the answer is chosen from a few.
    chosen: bool,
    /// The answer is to be told at the end of the run.
    wanted: bool,
    told: bool,
}

/// What index.html says of a step.
struct Words {
    title: String,
    place: HtmlElement,
    number: usize,
    count: usize,
}

impl Words {
    fn find(name: &str) -> Option<Self> {
        let (lesson, number) = name.split_once('.')?;
        let number: usize = number.parse().ok()?;
        let dialog = dom::get("lessons");
        let lesson = dom::all(&dialog, "[data-lesson]")
            .into_iter()
            .find(|place| place.dataset().get("lesson").as_deref() == Some(lesson))?;
        let steps = dom::all(&lesson, "[data-ask]");
        let title = dom::all(&lesson, "h3").first()?.text_content()?;
        let count = steps.len();
        let place = steps.into_iter().nth(number.checked_sub(1)?)?;
        Some(Self {
            title,
            place,
            number,
            count,
        })
    }

    fn text(&self, class: &str) -> String {
        dom::all(&self.place, class)
            .first()
            .and_then(|part| part.text_content())
            .unwrap_or_default()
    }

    fn data(&self, name: &str) -> String {
        self.place.dataset().get(name).unwrap_or_default()
    }
}

impl Lessons {
    /// The open step, as in a link.
    pub fn name(&self) -> Option<&str> {
        self.open.as_ref().map(|step| step.name.as_str())
    }
}

impl Page {
    /// Opens a step of a lesson with its run, at its start.
    pub(super) fn open_step(&mut self, name: &str) {
        dialogs::close("lessons");
        if !self.show_step(name) {
            return;
        }
        let Some(step) = &self.lessons.open else {
            return;
        };
        let setting = link::Run {
            others: self.setting.others.clone(),
            ..step.setting.clone()
        };
        self.history.note("lesson", &self.setting, dom::now());
        self.controls.accept_all();
        self.frozen = None;
        self.freezing = None;
        self.show_setting(setting);
        self.begin(Pace::Paused);
    }

    /// Shows the words of a step; whether there is such a step.
    pub(super) fn show_step(&mut self, name: &str) -> bool {
        let Some(words) = Words::find(name) else {
            self.close_lesson();
            return false;
        };
        let Some(asked) = Asked::read(&words.data("ask")) else {
            return false;
        };
        let (mut setting, _) = link::decode(&words.data("link"));
        setting.others = Vec::new();
        let choices = words.data("choices");
        self.lessons.open = Some(Step {
            name: name.to_owned(),
            setting,
            asked,
            chosen: !choices.is_empty(),
            wanted: false,
            told: false,
        });
        dom::set_text(&dom::get("lesson-title"), &words.title);
        dom::set_text(
            &dom::get("lesson-place"),
            &format!("{} of {}", words.number, words.count),
        );
        for (id, class) in [("lesson-tell", ".tell"), ("lesson-question", ".ask-for")] {
            dom::set_text(&dom::get(id), &words.text(class));
        }
        fill_choices(&choices, &words.text(".ask-for"));
        dom::set_text(&dom::get("lesson-answer"), "");
        dom::set_text(&dom::get("lesson-why"), "");
        dom::get_as::<HtmlButtonElement>("lesson-back").set_disabled(words.number == 1);
        let next = if words.number == words.count {
            "All lessons"
        } else {
            "Next"
        };
        dom::set_text(&dom::get("lesson-next"), next);
        dom::get_as::<HtmlInputElement>("instructor").set_checked(is_instructor());
        dom::get("lesson").set_hidden(false);
        self.note_address();
        true
    }

    pub(super) fn close_lesson(&mut self) {
        self.lessons.open = None;
        dom::get("lesson").set_hidden(true);
        self.note_address();
    }

    /// The step after the open one, or before it.
    pub(super) fn turn_step(&mut self, onward: bool) {
        let Some((lesson, number)) = self.lessons.name().and_then(|name| name.split_once('.'))
        else {
            return;
        };
        let number: usize = number.parse().unwrap_or(1);
        let next = if onward {
            number + 1
        } else {
            number.saturating_sub(1)
        };
        let name = format!("{lesson}.{next}");
        if Words::find(&name).is_some() {
            self.open_step(&name);
        } else if onward {
            open_list();
        }
    }

    /// Runs the step's run as it stands there; its end brings the answer, unless that waits for a key.
    pub(super) fn run_step(&mut self) {
        let Some(step) = &mut self.lessons.open else {
            return;
        };
        step.wanted = !is_instructor();
        self.put_step_in_force();
        if self.shown_finished() {
            self.begin(self.speed.pace());
        } else {
            self.session.set_pace(self.speed.pace());
            self.set_state(super::State::Running);
        }
    }

    /// Tells the answer: now, or as soon as the run is over.
    pub(super) fn reveal_answer(&mut self) {
        let Some(step) = &mut self.lessons.open else {
            return;
        };
        step.wanted = true;
        self.put_step_in_force();
        if self.shown_finished() {
            self.tell_answer();
        } else {
            self.session.set_pace(Pace::Full);
            self.set_state(super::State::Running);
        }
    }

    fn shown_finished(&self) -> bool {
        let step = self.lessons.open.as_ref();
        self.shown.as_ref().is_some_and(|shown| {
            shown.snapshot.finished && step.is_some_and(|step| is_of(step, shown))
        })
    }

    /// Goes back to the run of the step when something else has been set since.
    fn put_step_in_force(&mut self) {
        let Some(step) = &self.lessons.open else {
            return;
        };
        if step.setting.scenario != self.setting.scenario || step.setting.seed != self.setting.seed
        {
            let setting = step.setting.clone();
            self.history.note("lesson", &self.setting, dom::now());
            self.show_setting(setting);
            self.begin(Pace::Paused);
        }
    }

    /// Tells the answer when it is wanted and the run is over.
    pub(super) fn tell_answer(&mut self) {
        let (Some(step), Some(shown)) = (&mut self.lessons.open, &self.shown) else {
            return;
        };
        if !step.wanted || step.told || !shown.snapshot.finished || !is_of(step, shown) {
            return;
        }
        step.told = true;
        let answer = step.asked.answer(&shown.snapshot, &shown.setting.scenario);
        let mut text = step.asked.sentence(answer, shown.snapshot.tmms.len());
        if let Some(judged) = lesson::judged(&predicted(), answer, step.chosen) {
            text = format!("{text} {judged}");
        }
        dom::set_text(&dom::get("lesson-answer"), &text);
        if let Some(words) = Words::find(&step.name) {
            dom::set_text(&dom::get("lesson-why"), &words.text(".why"));
        }
        header::speak(&text);
        let done = stored(DONE);
        if !done.split(' ').any(|name| name == step.name) {
            store(DONE, format!("{done} {}", step.name).trim());
        }
    }
}

/// Opens the list of lessons.
pub fn open_list() {
    dom::get("lessons-kept").set_hidden(matches!(dom::window().local_storage(), Ok(Some(_))));
    let done = stored(DONE);
    for lesson in dom::all(&dom::get("lessons"), "[data-lesson]") {
        let name = lesson.dataset().get("lesson").unwrap_or_default();
        let steps = dom::all(&lesson, "[data-ask]").len();
        let finished = (1..=steps)
            .filter(|step| done.split(' ').any(|done| done == format!("{name}.{step}")))
            .count();
        if let Some(mark) = dom::all(&lesson, ".progress").first() {
            let text = match finished {
                0 => format!("{steps} {}", if steps == 1 { "step" } else { "steps" }),
                all if all == steps => "✓ done".to_owned(),
                some => format!("{some} of {steps} done"),
            };
            dom::set_text(mark, &text);
        }
    }
    dialogs::open("lessons");
}

/// Whether a run is that of a step.
fn is_of(step: &Step, shown: &Shown) -> bool {
    step.setting.scenario == shown.setting.scenario && step.setting.seed == shown.setting.seed
}

/// Puts the choices, or a field for a number, in place.
fn fill_choices(choices: &str, question: &str) {
    let place = dom::get("lesson-choices");
    place.set_text_content(None);
    if choices.is_empty() {
        let field = dom::create(
            "input",
            &[
                ("id", "lesson-number"),
                ("type", "text"),
                ("inputmode", "decimal"),
                ("autocomplete", "off"),
                ("aria-label", question),
                ("placeholder", "your prediction"),
            ],
            "",
        );
        dom::append(&place, &[&field]);
    }
    for choice in choices.split_whitespace() {
        let label = dom::create("label", &[], "");
        let radio = dom::create(
            "input",
            &[("type", "radio"), ("name", "prediction"), ("value", choice)],
            "",
        );
        dom::append(&label, &[&radio, &dom::create("span", &[], choice)]);
        dom::append(&place, &[&label]);
    }
}

fn predicted() -> String {
    let place = dom::get("lesson-choices");
    let fields = dom::all(&place, "input:checked, input[type=text]");
    fields
        .first()
        .and_then(|field| {
            wasm_bindgen::JsCast::dyn_ref::<HtmlInputElement>(field).map(HtmlInputElement::value)
        })
        .unwrap_or_default()
}

/// Whether answers wait until they are asked for.
fn is_instructor() -> bool {
    stored(INSTRUCTOR) == "yes"
}

/// Has answers wait, or not.
pub fn set_instructor(on: bool) {
    store(INSTRUCTOR, if on { "yes" } else { "" });
    header::mention(if on {
        "Answers wait until you press a."
    } else {
        "Answers come at the end of a run."
    });
}

fn stored(key: &str) -> String {
    let storage = dom::window().local_storage().ok().flatten();
    let kept = storage.and_then(|storage| storage.get_item(key).ok().flatten());
    kept.map_or_else(String::new, |kept| words::short(&kept, 2000))
}

fn store(key: &str, value: &str) {
    if let Ok(Some(storage)) = dom::window().local_storage() {
        // Where nothing can be kept, the lessons work all the same.
        let _ = storage.set_item(key, value);
    }
}
