//! The page: one state, one place where actions are answered, and the parts of the document below it.

mod actions;
mod address;
mod changes;
mod charts;
mod comparing;
mod controls;
mod crew;
mod dialogs;
mod drawing;
mod embed;
mod events;
mod export;
mod files;
mod hands;
mod header;
mod keys;
mod legends;
mod lessons;
mod log;
mod looks;
mod many;
mod memory;
mod names;
mod opening;
mod playing;
mod pointers;
mod pointing;
mod published;
mod readings;
mod scrubbing;
mod session;
mod steps;
mod strips;
mod sweeping;
mod theme;
mod views;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use subtable_model::Snapshot;
use subtable_model::scenario::link;
use wasm_bindgen::prelude::*;

use crate::digest::Bands;
use crate::dom;
use crate::failure;
use crate::history::History;
use crate::pace::{Pace, Speed};
use actions::Action;

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
    /// The shown run where it has gone furthest, when what is shown is before that.
    furthest: Option<&'a Shown>,
    /// Many seeds of the shown run.
    bands: Option<&'a Bands>,
    /// How the reader has set the charts.
    looks: &'a looks::Looks,
}

impl<'a> Runs<'a> {
    /// The parts of the page that they are made of: a page that is being drawn is borrowed part by part.
    fn of(
        shown: &'a Shown,
        frozen: Option<&'a Shown>,
        furthest: Option<&'a Shown>,
        many: &'a many::Many,
        looks: &'a looks::Looks,
    ) -> Self {
        Self {
            shown,
            frozen,
            furthest,
            bands: many.bands(shown),
            looks,
        }
    }
}

struct Page {
    /// What the controls say.
    setting: link::Run,
    state: State,
    speed: Speed,
    /// What the worker last reported.
    shown: Option<Shown>,
    /// What it reported when the same run was furthest, if that is later.
    furthest: Option<Shown>,
    /// A, the run that was kept to compare with.
    frozen: Option<Shown>,
    /// The worker is busy with A; what is shown then begins at this pace.
    freezing: Option<Pace>,
    /// Whether that has changed since it was drawn.
    news: bool,
    session: session::Session,
    crew: crew::Crew,
    many: many::Many,
    published: published::Published,
    sweeping: sweeping::Sweeping,
    lessons: lessons::Lessons,
    /// A run that was opened, and what it came to when it was saved.
    expected: Option<(link::Run, String)>,
    controls: controls::Controls,
    strips: strips::Strips,
    charts: charts::Charts,
    log: log::Log,
    views: views::Views,
    names: names::Names,
    memory: memory::Memory,
    steps: steps::Steps,
    readings: readings::Readings,
    pointing: pointing::Pointing,
    looks: looks::Looks,
    legends: legends::Legends,
    history: History,
    address: address::Address,
    theme: theme::Choice,
    /// Counts up whenever everything must be drawn again.
    look: u32,
    /// What that was when the page was last drawn.
    drawn_look: Option<u32>,
}

/// Begins the page. Called once, with what workers are sent (the compiled module), the address of the worker's script and, when it has been started
/// already, a worker.
///
/// # Errors
/// The browser refuses a worker or a listener.
#[wasm_bindgen]
pub fn start_page(
    module: JsValue,
    script: String,
    started: Option<web_sys::Worker>,
) -> Result<(), JsValue> {
    failure::show_from_page();
    let mut page = Page::new(module, script, started)?;
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
    fn new(
        module: JsValue,
        script: String,
        started: Option<web_sys::Worker>,
    ) -> Result<Self, JsValue> {
        header::fill_presets();
        sweeping::fill_lists();
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
            furthest: None,
            frozen: None,
            freezing: None,
            news: false,
            crew: crew::Crew::new(module.clone(), script.clone()),
            many: many::Many::default(),
            published: published::Published::default(),
            sweeping: sweeping::Sweeping::default(),
            lessons: lessons::Lessons::default(),
            expected: None,
            session: session::Session::new(module, script, started)?,
            controls: controls::Controls::build(),
            strips: strips::Strips::default(),
            charts: charts::Charts::find()?,
            log: log::Log::default(),
            views: views::Views::default(),
            names: names::Names::default(),
            memory: memory::Memory::default(),
            steps: steps::Steps::default(),
            readings: readings::Readings::default(),
            pointing: pointing::Pointing::default(),
            looks: looks::Looks::default(),
            legends: legends::Legends::default(),
            history: History::default(),
            address: address::Address::default(),
            theme,
            look: 0,
            drawn_look: None,
        })
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Frame => return self.draw(),
            Action::Look => self.look_again(),
            Action::Resized(ids) => self.resized(&ids),
            Action::Report(bytes) => self.receive(&bytes),
            Action::Opened => {
                self.readings.hide();
                self.look_again();
            }
            Action::AddressDue => self.address.write(),
            asked => return self.answer(asked),
        }
        ask_for_frame();
    }

    /// Answers what a reader does, and what comes of it: later than the first view, of which it must not become a part.
    #[inline(never)]
    fn answer(&mut self, action: Action) {
        match action {
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
            Action::Scrub(place) => self.scrub(place),
            Action::ScrubBy(hundredths) => self.scrub_by(hundredths),
            Action::StepBack => self.step_back(),
            Action::Speed(place) => self.set_speed(Speed::at(place)),
            Action::Layout(layout) => self.set_layout(layout),
            Action::Alone(view) => self.set_layout(self.views.alone_or_back(&view)),
            Action::NextTheme => self.next_theme(),
            Action::Pictures { lost } => self.pictures(lost),
            Action::Print { begins } => self.print(begins),
            Action::Scrolled(id) if id == strips::BOX => self.strips.scrolled(),
            Action::Scrolled(_) => return,
            Action::Drawer => header::open_drawer(!header::drawer_is_open()),
            Action::CloseDrawer => header::open_drawer(false),
            Action::Undo => self.undo_or_redo(History::undo),
            Action::Redo => self.undo_or_redo(History::redo),
            Action::NameTyped(name) => self.names.ask(&name),
            Action::RevealOwner => self.names.reveal(),
            Action::ProbeName => self.names.probe(self.setting.seed),
            Action::RevealOwners(on) => self.names.reveal_all(on),
            Action::ShowTries(tmm) => self.names.choose(tmm),
            Action::Read(picture, ask) => return self.read(&picture, ask),
            Action::ReadNothing { keys } => return self.read_nothing(keys),
            Action::Point {
                picture,
                phase,
                id,
                at,
                finger,
            } => return self.point(&picture, phase, (id, finger), at),
            Action::OtherStrip(by) => return self.other_strip(by),
            Action::Zoom(picture, zoom) => return self.zoom(&picture, zoom),
            Action::Unzoom(view) => self.unzoom(&view),
            Action::Toggle(view, number) => self.toggle(&view, number),
            Action::TurnScale(view) => self.turn_scale(&view),
            Action::Legend(view) => self.turn_legend(&view),
            Action::SavePicture(view) => self.save_picture(&view),
            Action::SaveTable(view) => self.save_table(&view),
            Action::TurnPage(onward) => self.turn_page(onward),
            Action::Compare => self.compare(),
            Action::Help => dialogs::open_help(),
            Action::Seeds(text) => self.set_seeds(&text),
            Action::ComparePublished => self.compare_published(),
            Action::Sweep => self.sweep(),
            Action::RunSession => self.run_session(),
            Action::CopyReport(id) => steps::copy(&id),
            Action::Lessons => lessons::open_list(),
            Action::OpenStep(name) => self.open_step(&name),
            Action::TurnStep(onward) => self.turn_step(onward),
            Action::RunStep => self.run_step(),
            Action::RevealAnswer => self.reveal_answer(),
            Action::CloseLesson => self.close_lesson(),
            Action::Instructor(on) => lessons::set_instructor(on),
            Action::SweepParameter => sweeping::offer_range(),
            Action::SweepMeasure => self.show_measure(),
            Action::Answered(hand, bytes) => self.answered(hand, &bytes),
            Action::HandBroke(hand, text) => self.hand_broke(hand, text),
            Action::Files => self.open_files(),
            Action::CopyText(id) => files::copy(&id),
            Action::SaveRun => self.save_run(),
            Action::CopyRun => self.copy_run(),
            Action::SaveLog => self.save_log(),
            Action::OpenTyped => self.open_text(&opening::typed()),
            Action::OpenText(text) => self.open_text(&text),
            Action::OpenFile(file) => opening::read_file(&file),
            Action::SaveImage(view) => self.save_image(&view),
            Action::CopyTable(view) => self.copy_table(&view),
            Action::BackToLast => address::go_to_last(),
            Action::Honesty => dialogs::open_honesty(self.setting.preset, &self.setting.scenario),
            Action::Share => self.address.share(),
            Action::FilterLog(text) => self.log.filter(&text),
            Action::HoldLog => self.log.hold(),
            Action::CopyLog => self.log.copy(),
            Action::AddressChanged => self.open_changed_address(),
            Action::Restart => self.restart(),
            Action::WorkerFailed(text) => self.fail(&text),
            Action::Frame
            | Action::Look
            | Action::Resized(_)
            | Action::Report(_)
            | Action::Opened
            | Action::AddressDue => self.act(action),
        }
        ask_for_frame();
    }

    /// Reads the address and plays what it says from the start.
    fn open_address(&mut self) {
        self.address.learn();
        let opened = address::read();
        address::offer_last();
        self.views.choose(opened.layout);
        legends::suit(opened.layout);
        embed::show();
        self.controls.accept_all();
        self.frozen = None;
        self.freezing = None;
        if let Some(compared) = &opened.compared {
            self.freeze(compared, self.speed.pace());
        }
        self.looks.zoom_out();
        self.show_setting(opened.setting);
        self.put_seeds(opened.seeds);
        header::show_speed(self.speed);
        let lesson = opened.lesson.is_some_and(|name| self.show_step(&name));
        self.begin(if lesson {
            Pace::Paused
        } else {
            self.speed.pace()
        });
    }

    /// Gives the crew what waits for it.
    fn put_crew_to_work(&mut self) {
        if let Err(error) = self.crew.go_on() {
            header::warn(&format!("No more workers can be started: {error:?}"));
        }
    }

    fn answered(&mut self, hand: usize, bytes: &[u8]) {
        let done = self.crew.answered(hand, bytes);
        self.take(done);
    }

    fn hand_broke(&mut self, hand: usize, text: String) {
        let done = self.crew.broke(hand, text);
        self.take(done);
    }

    /// Gives a result of the crew to whoever asked for it.
    fn take(&mut self, done: Option<crew::Done>) {
        self.put_crew_to_work();
        let Some(crew::Done {
            client,
            place,
            found,
        }) = done
        else {
            return;
        };
        match client {
            crew::Client::Log => self.take_log(found),
            crew::Client::Session => self.take_step(place, found),
            crew::Client::Bands => self.take_seed(found),
            crew::Client::Published => self.take_figures(place, found),
            crew::Client::Sweep => self.take_measures(place, found),
        }
    }

    fn open_changed_address(&mut self) {
        // Writing the address ourselves is no reason to begin anew.
        if self.address.is_news() {
            self.open_address();
        }
    }
}
