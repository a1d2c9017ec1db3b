//! The page: one state, one place where actions are answered, and the parts of the document below it.

mod address;
mod charts;
mod controls;
mod dialogs;
mod events;
mod export;
mod header;
mod log;
mod names;
mod readings;
mod session;
mod strips;
mod theme;
mod views;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use subtable_charts::Chart;
use subtable_model::Snapshot;
use subtable_model::preset::Preset;
use subtable_model::scenario::link;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use crate::dom;
use crate::failure;
use crate::history::History;
use crate::pace::{Pace, Speed};
use crate::protocol::Report;
use crate::words::Verdict;
use events::Action;

thread_local! {
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
    static LATER: RefCell<VecDeque<Action>> = const { RefCell::new(VecDeque::new()) };
    static FRAME_ASKED: Cell<bool> = const { Cell::new(false) };
}

/// What the document says of itself in `data-state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Running,
    Paused,
    Finished,
    Failed,
}

impl State {
    const fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finished => "finished",
            Self::Failed => "failed",
        }
    }
}

/// A report, and the setting that it is about.
struct Shown {
    run: u32,
    setting: link::Run,
    hash: Option<String>,
    snapshot: Snapshot,
}

/// The run that is shown, and the one that was kept to compare it with.
#[derive(Clone, Copy)]
struct Runs<'a> {
    shown: &'a Shown,
    frozen: Option<&'a Shown>,
}

struct Page {
    /// What the controls say.
    setting: link::Run,
    state: State,
    speed: Speed,
    /// What the worker last reported.
    shown: Option<Shown>,
    /// A, the run that was kept to compare with.
    frozen: Option<Shown>,
    /// The worker is busy with A; what is shown then begins at this pace.
    freezing: Option<Pace>,
    /// Whether that has changed since it was drawn.
    news: bool,
    session: session::Session,
    controls: controls::Controls,
    strips: strips::Strips,
    charts: charts::Charts,
    log: log::Log,
    views: views::Views,
    names: names::Names,
    readings: readings::Readings,
    history: History,
    address: address::Address,
    theme: theme::Choice,
    /// Counts up whenever everything must be drawn again.
    look: u32,
}

/// Begins the page. Called once, with the compiled module and the address of the worker's script.
///
/// # Errors
/// The browser refuses a worker or a listener.
#[wasm_bindgen]
pub fn start_page(module: JsValue, worker: String) -> Result<(), JsValue> {
    failure::show_from_page();
    let mut page = Page::new(module, worker)?;
    events::listen()?;
    page.open_address();
    PAGE.set(Some(page));
    ask_for_frame();
    Ok(())
}

/// Answers an action. After a panic the page is left as it is.
fn act(action: Action) {
    if failure::has_happened() {
        return;
    }
    PAGE.with(|page| match page.try_borrow_mut() {
        Ok(mut page) => {
            let mut next = Some(action);
            while let (Some(page), Some(action)) = (page.as_mut(), next.take()) {
                page.act(action);
                next = LATER.with_borrow_mut(VecDeque::pop_front);
            }
        }
        // The browser tells of some events (a field that loses the focus) in the middle of what causes them.
        Err(_) => LATER.with_borrow_mut(|later| later.push_back(action)),
    });
}

/// Asks for one call of [`Page::draw`] before the next picture of the window.
fn ask_for_frame() {
    thread_local! {
        static DRAW: js_sys::Function = Closure::<dyn FnMut()>::new(|| {
            FRAME_ASKED.set(false);
            act(Action::Frame);
        })
        .into_js_value()
        .unchecked_into();
    }
    if !FRAME_ASKED.replace(true) {
        DRAW.with(|draw| dom::window().request_animation_frame(draw))
            .expect("a window draws");
    }
}

impl Page {
    fn new(module: JsValue, worker: String) -> Result<Self, JsValue> {
        header::fill_presets();
        let theme = theme::Choice::stored();
        theme.show();
        Ok(Self {
            setting: link::Run::default(),
            state: State::Paused,
            speed: if theme::motion_is_reduced() {
                Speed::FULL
            } else {
                Speed::DEFAULT
            },
            shown: None,
            frozen: None,
            freezing: None,
            news: false,
            session: session::Session::new(module, worker)?,
            controls: controls::Controls::build(),
            strips: strips::Strips::default(),
            charts: charts::Charts::find()?,
            log: log::Log::default(),
            views: views::Views::default(),
            names: names::Names::default(),
            readings: readings::Readings::default(),
            history: History::default(),
            address: address::Address::default(),
            theme,
            look: 0,
        })
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Frame => return self.draw(),
            Action::Typed { id, text } => self.set_parameter(&id, &text),
            Action::Left => self.controls.show(&self.setting),
            Action::Slid { id, place } => self.slide(&id, place),
            Action::Nudged { id, up } => self.nudge(&id, up),
            Action::BackToPreset(id) => self.back_to_preset(&[id]),
            Action::GroupBackToPreset(ids) => self.back_to_preset(&ids),
            Action::Preset(id) => self.choose_preset(&id),
            Action::Seed(text) => self.set_seed(&text),
            Action::Dice => self.set_seed(&address::fresh_seed().to_string()),
            Action::RunOrPause => self.run_or_pause(),
            Action::Step => self.step(),
            Action::Reset => self.begin(Pace::Paused),
            Action::Speed(place) => self.set_speed(Speed::at(place)),
            Action::Layout(layout) => self.set_layout(layout),
            Action::NextTheme => self.next_theme(),
            Action::Look => self.look_again(),
            Action::Opened => {
                self.readings.hide();
                self.look_again();
            }
            Action::Resized(ids) => self.resized(&ids),
            Action::Scrolled => {}
            Action::Drawer => header::toggle_drawer(),
            Action::Undo => self.undo_or_redo(History::undo),
            Action::Redo => self.undo_or_redo(History::redo),
            Action::NameTyped(name) => self.names.ask(&name),
            Action::RevealOwner => self.names.reveal(),
            Action::RevealOwners(on) => self.names.reveal_all(on),
            Action::ShowTries(tmm) => self.names.choose(tmm),
            Action::Read(picture, ask) => return self.read(picture, ask),
            Action::ReadNothing => return self.readings.hide(),
            Action::SavePicture(view) => self.save_picture(&view),
            Action::SaveTable(view) => self.save_table(&view),
            Action::Compare => self.compare(),
            Action::Help => dialogs::open_help(),
            Action::Honesty => dialogs::open_honesty(self.setting.preset, &self.setting.scenario),
            Action::Share => self.address.share(),
            Action::FilterLog(text) => self.log.filter(text),
            Action::HoldLog => self.log.hold(),
            Action::CopyLog => self.log.copy(),
            Action::AddressChanged => self.open_changed_address(),
            Action::AddressDue => self.address.write(),
            Action::Restart => self.restart(),
            Action::Report(bytes) => self.receive(&bytes),
            Action::WorkerFailed(text) => self.fail(&text),
        }
        ask_for_frame();
    }

    /// Begins the present setting anew.
    fn begin(&mut self, pace: Pace) {
        if self.freezing.is_some() {
            self.freezing = Some(pace);
        } else {
            self.session.begin(&self.setting, pace);
        }
        self.set_state(if pace == Pace::Paused {
            State::Paused
        } else {
            State::Running
        });
    }

    /// Another setting: the whole run, at once.
    fn change(&mut self, what: &str, setting: link::Run) {
        if setting == self.setting {
            self.controls.show(&self.setting);
            return;
        }
        self.history.note(what, &self.setting, dom::now());
        self.show_setting(setting);
        self.begin(Pace::Full);
    }

    /// Puts a setting in force and on the page.
    fn show_setting(&mut self, setting: link::Run) {
        self.setting = setting;
        self.controls.show(&self.setting);
        header::show_setting(&self.setting);
        header::show_ways(self.history.ways());
        header::show_compared(self.compared(), &self.setting);
        self.address.note(
            &self.setting,
            self.compared().cloned().as_ref(),
            self.views.layout(),
        );
    }

    fn undo_or_redo(&mut self, way: impl FnOnce(&mut History, &link::Run) -> Option<link::Run>) {
        if let Some(setting) = way(&mut self.history, &self.setting) {
            self.controls.accept_all();
            self.show_setting(setting);
            self.begin(Pace::Full);
        }
    }

    fn set_parameter(&mut self, id: &str, text: &str) {
        let mut setting = self.setting.clone();
        match setting.scenario.set(id, text) {
            Ok(()) => {
                self.controls.accept(id);
                self.change(id, setting);
            }
            Err(error) => self.controls.refuse(id, &error.to_string()),
        }
    }

    fn slide(&mut self, id: &str, place: u32) {
        if let Some(text) = self.controls.text_at(id, place) {
            self.set_parameter(id, &text);
        }
    }

    fn nudge(&mut self, id: &str, up: bool) {
        if let Some(text) = self.controls.text_beside(id, &self.setting.scenario, up) {
            self.set_parameter(id, &text);
        }
    }

    fn back_to_preset(&mut self, ids: &[String]) {
        let base = self.setting.preset.scenario();
        let mut setting = self.setting.clone();
        for id in ids {
            // The preset's own values are always accepted.
            let _ = setting.scenario.set(id, &base.get(id).unwrap_or_default());
            self.controls.accept(id);
        }
        self.change("back", setting);
    }

    fn choose_preset(&mut self, id: &str) {
        if let Some(preset) = Preset::find(id) {
            self.controls.accept_all();
            let setting = link::Run {
                preset,
                scenario: preset.scenario(),
                ..self.setting.clone()
            };
            self.change("preset", setting);
        }
    }

    fn set_seed(&mut self, text: &str) {
        match link::parse_seed(text.trim()) {
            Some(seed) => {
                header::accept_seed();
                let setting = link::Run {
                    seed,
                    ..self.setting.clone()
                };
                self.change("seed", setting);
            }
            None => header::refuse_seed(text),
        }
    }

    fn run_or_pause(&mut self) {
        match self.state {
            State::Running if self.freezing.is_some() => {}
            State::Running => {
                self.session.set_pace(Pace::Paused);
                self.set_state(State::Paused);
            }
            State::Paused => {
                self.session.set_pace(self.speed.pace());
                self.set_state(State::Running);
            }
            State::Finished => self.begin(self.speed.pace()),
            State::Failed => self.restart(),
        }
    }

    fn step(&mut self) {
        // There is nothing after the end: the first step of a finished run is that of the run from its start.
        if self.state == State::Finished {
            self.begin(Pace::Paused);
        }
        self.session.step();
        self.set_state(State::Paused);
    }

    fn set_speed(&mut self, speed: Speed) {
        self.speed = speed;
        header::show_speed(speed);
        if self.state == State::Running {
            self.session.set_pace(speed.pace());
        }
    }

    fn set_layout(&mut self, layout: views::Layout) {
        self.views.choose(layout);
        self.address
            .note(&self.setting, self.compared().cloned().as_ref(), layout);
        self.look_again();
    }

    fn next_theme(&mut self) {
        self.theme = self.theme.next();
        self.theme.store();
        self.theme.show();
        self.look_again();
    }

    /// Everything may look different now.
    fn look_again(&mut self) {
        self.look = self.look.wrapping_add(1);
        self.charts.look_again();
    }

    fn resized(&mut self, ids: &[String]) {
        self.charts.resized(ids);
        if ids.iter().any(|id| id == charts::AXIS) {
            self.look = self.look.wrapping_add(1);
        }
    }

    /// Reads the address and plays what it says from the start.
    fn open_address(&mut self) {
        let opened = address::read();
        self.views.choose(opened.layout);
        self.controls.accept_all();
        self.frozen = None;
        self.freezing = None;
        if let Some(compared) = &opened.compared {
            self.freeze(compared, self.speed.pace());
        }
        self.show_setting(opened.setting);
        header::show_speed(self.speed);
        self.begin(self.speed.pace());
    }

    fn open_changed_address(&mut self) {
        // Writing the address ourselves is no reason to begin anew.
        if !self.address.is_ours() {
            self.open_address();
        }
    }

    /// Keeps the present run as A and goes on with it as B, or stops comparing.
    fn compare(&mut self) {
        if self.frozen.take().is_none() && self.freezing.is_none() {
            self.freeze(&self.setting.clone(), Pace::Full);
        } else {
            self.freezing = None;
            self.begin(Pace::Full);
        }
        self.compare_changed();
    }

    /// Runs A to its end; what is shown begins after it.
    fn freeze(&mut self, setting: &link::Run, pace: Pace) {
        self.session.begin(setting, Pace::Full);
        self.freezing = Some(pace);
        self.set_state(State::Running);
    }

    fn compare_changed(&mut self) {
        header::show_compared(self.compared(), &self.setting);
        self.address.note(
            &self.setting,
            self.compared().cloned().as_ref(),
            self.views.layout(),
        );
        self.look_again();
    }

    /// The setting of A.
    fn compared(&self) -> Option<&link::Run> {
        match (&self.frozen, self.freezing) {
            (Some(frozen), _) => Some(&frozen.setting),
            (None, Some(_)) => Some(self.session.begun()),
            (None, None) => None,
        }
    }

    /// Shows a value of a picture.
    fn read(&mut self, picture: readings::Picture, ask: readings::Ask) {
        let Some(shown) = &self.shown else { return };
        let runs = Runs {
            shown,
            frozen: self.frozen.as_ref(),
        };
        let readings = &mut self.readings;
        let asked = picture.clone();
        let show = |chart: &dyn Chart, size, canvas: &HtmlCanvasElement| {
            readings.show(asked, ask, chart, size, canvas);
        };
        match &picture {
            readings::Picture::Chart(view) => self.charts.lend(view, runs, self.look, show),
            readings::Picture::Strip(tmm) => self.strips.lend(*tmm, runs, self.look, show),
        }
    }

    fn save_picture(&mut self, view: &str) {
        let Some(shown) = &self.shown else { return };
        let frozen = self.frozen.as_ref();
        let theme = self.theme.colours();
        self.charts
            .lend(view, Runs { shown, frozen }, self.look, |chart, size, _| {
                export::save_picture(view, shown, &chart.svg(size, &theme));
            });
    }

    fn save_table(&mut self, view: &str) {
        let Some(shown) = &self.shown else { return };
        if view == "table" {
            return export::save_table("tmms", shown, &export::tmm_table(&shown.snapshot));
        }
        let frozen = self.frozen.as_ref();
        self.charts
            .lend(view, Runs { shown, frozen }, self.look, |chart, _, _| {
                export::save_table(view, shown, &chart.table());
            });
    }

    fn receive(&mut self, bytes: &[u8]) {
        self.session.seen();
        let report: Report = match postcard::from_bytes(bytes) {
            Ok(report) => report,
            Err(error) => return self.fail(&format!("a report could not be read: {error}")),
        };
        let Some(setting) = self.session.reported(report.run) else {
            return;
        };
        let shown = Shown {
            run: report.run,
            setting,
            hash: report.hash,
            snapshot: report.snapshot,
        };
        match self.freezing {
            Some(pace) if shown.snapshot.finished => {
                self.frozen = Some(shown);
                self.freezing = None;
                self.begin(pace);
                self.compare_changed();
            }
            Some(_) => {}
            None => {
                self.shown = Some(shown);
                self.news = true;
            }
        }
    }

    fn fail(&mut self, text: &str) {
        self.session.stop();
        self.set_state(State::Failed);
        failure::show(
            "The worker broke. The controls hold their values; start again, or change one.",
            text,
        );
    }

    fn restart(&mut self) {
        failure::hide();
        match self.session.start_anew() {
            Ok(()) => self.begin(Pace::Full),
            Err(error) => failure::show("No worker can be started.", &format!("{error:?}")),
        }
    }

    fn set_state(&mut self, state: State) {
        self.state = state;
        header::show_state(state);
        let data = dom::root().dataset();
        let _ = data.set("state", state.word());
        if state != State::Finished {
            data.delete("resultHash");
        }
    }

    /// Draws what has changed.
    fn draw(&mut self) {
        let Some(shown) = &self.shown else { return };
        let layout = self.views.layout();
        if self.news {
            let verdict = Verdict::of(&shown.snapshot, &shown.setting.scenario);
            header::show_verdict(&verdict);
            self.views.note(&shown.snapshot);
            self.log.show(
                shown.run,
                &shown.snapshot,
                shown.setting.scenario.log_every(),
            );
        }
        self.log.catch_up();
        if layout == views::Layout::Names {
            self.names
                .show(shown.run, &shown.snapshot, &shown.setting.scenario);
        }
        let paint = charts::canvas::Paint {
            theme: self.theme.colours(),
            moves: !theme::motion_is_reduced(),
            look: self.look,
        };
        let settled = shown.snapshot.finished || self.state == State::Paused;
        let runs = Runs {
            shown,
            frozen: self.frozen.as_ref(),
        };
        self.strips.draw(runs, self.news, settled, &paint);
        self.charts.draw(runs, self.news, settled, &paint);
        if self.news
            && shown.snapshot.finished
            && self.session.is_latest()
            && self.state != State::Failed
        {
            let text = Verdict::of(&shown.snapshot, &shown.setting.scenario).text();
            if let Some(hash) = shown.hash.clone() {
                let _ = dom::root().dataset().set("resultHash", &hash);
            }
            if self.state != State::Finished {
                header::speak(&text);
            }
            self.set_state(State::Finished);
        }
        if std::mem::take(&mut self.news)
            && let Some((picture, ask)) = self.readings.present()
        {
            self.read(picture, ask);
        }
    }
}
