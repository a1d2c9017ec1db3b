//! The worker: owns the run, lets it go on in slices, and reports what can be seen of it.
//!
//! It does one thing per message, and between slices of a run it lets messages through, so that a new command is obeyed
//! within a slice whatever is running.

use std::cell::RefCell;

use subtable_model::fidelity::figures;
use subtable_model::results::LINES_KEPT;
use subtable_model::scenario::link;
use subtable_model::{Budget, Simulation};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

use crate::checkpoints::{self, Checkpoints, Gauge, Goal};
use crate::digest::Digest;
use crate::failure;
use crate::pace::Pace;
use crate::protocol::{Answer, Command, Found, Place, Report, Want};
use crate::validated::STEPS;
use crate::{measures, protocol};

/// Longest slice of a run, in milliseconds.
const SLICE_MS: f64 = 12.0;
/// Events between two looks at the clock.
const EVENTS: u64 = 20_000;
/// Time between reports, in milliseconds: on a long way to another place, of a run in slow motion, of one that plays, and
/// of one that hurries.
const SEEKING_MS: f64 = 120.0;
const SLOW_MOTION_MS: f64 = 15.0;
const PLAYING_MS: f64 = 30.0;
const HURRYING_MS: f64 = 60.0;
/// Time between the ticks of a run that plays, in milliseconds.
const TICK_MS: i32 = 15;
/// The longest stretch of real time that one tick makes up for, in milliseconds: a tab that slept does not rush.
const LONGEST_TICK_MS: f64 = 100.0;

thread_local! {
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

struct Worker {
    scope: DedicatedWorkerGlobalScope,
    /// Where a message to oneself is put in, to go on after those that wait.
    again: MessagePort,
    again_soon: bool,
    run: Option<Run>,
    /// The page has not read the last report yet.
    unseen: bool,
}

struct Run {
    number: u32,
    simulation: Simulation,
    checkpoints: Checkpoints,
    /// The number of the last place that was asked for and reached.
    seek: u32,
    /// The number of the place that it is on its way to, and the place.
    seeking: Option<(u32, Goal)>,
    pace: Pace,
    /// When it last went on, in milliseconds.
    went_on: f64,
    /// How far it should be, in nanoseconds of simulated time.
    due: f64,
    /// When it was last reported, in milliseconds.
    reported: f64,
    /// Whether it has changed since.
    news: bool,
}

/// Begins to answer messages. Called once, in the worker.
///
/// # Errors
/// The browser refuses a message channel, or this is no worker.
///
/// # Panics
/// Later, when a message is no command: the page is then told, and starts another worker.
#[wasm_bindgen]
pub fn start_worker() -> Result<(), JsValue> {
    failure::report_from_worker();
    let scope: DedicatedWorkerGlobalScope = js_sys::global().dyn_into()?;
    let channel = MessageChannel::new()?;
    let tick = Closure::<dyn FnMut()>::new(|| with_worker(Worker::tick));
    channel
        .port1()
        .set_onmessage(Some(tick.as_ref().unchecked_ref()));
    tick.forget();
    let receive = Closure::<dyn FnMut(MessageEvent)>::new(|event: MessageEvent| {
        let bytes = js_sys::Uint8Array::new(&event.data()).to_vec();
        match postcard::from_bytes(&bytes) {
            Ok(command) => with_worker(|worker| worker.obey(command)),
            Err(error) => panic!("the page sent no command: {error}"),
        }
    });
    scope.set_onmessage(Some(receive.as_ref().unchecked_ref()));
    receive.forget();
    WORKER.set(Some(Worker {
        scope,
        again: channel.port2(),
        again_soon: false,
        run: None,
        unseen: false,
    }));
    Ok(())
}

fn with_worker(action: impl FnOnce(&mut Worker)) {
    WORKER.with_borrow_mut(|worker| worker.as_mut().map(action));
}

impl Worker {
    fn obey(&mut self, command: Command) {
        let now = self.clock();
        match command {
            Command::Begin { run, link, pace } => {
                // What the page sends was validated there; a part that is wrong all the same keeps its default.
                let (setting, _) = link::decode(&link);
                self.run = Some(Run {
                    number: run,
                    simulation: Simulation::new(&setting.scenario, setting.seed),
                    checkpoints: Checkpoints::new(&self.scope),
                    seek: 0,
                    seeking: None,
                    pace,
                    went_on: now,
                    due: 0.0,
                    // One that plays is seen from its first tick on; one that hurries is seen whole, where that is soon.
                    reported: match pace {
                        Pace::Rate(_) => f64::NEG_INFINITY,
                        Pace::Full | Pace::Paused => now,
                    },
                    news: true,
                });
                if pace == Pace::Paused {
                    self.report();
                }
            }
            Command::Pace { pace } => {
                if let Some(run) = &mut self.run {
                    run.pace = pace;
                    run.went_on = now;
                    run.due = run.simulation.now() as f64;
                    if pace == Pace::Paused {
                        self.report();
                    }
                }
            }
            Command::Step => {
                if let Some(run) = &mut self.run {
                    run.arrive();
                    run.pace = Pace::Paused;
                    run.simulation.advance(Budget::Replies(1));
                    run.news = true;
                    self.report();
                }
            }
            Command::Seek { seek, to } => {
                if let Some(run) = &mut self.run {
                    run.pace = Pace::Paused;
                    run.head_for(seek, to);
                }
            }
            Command::Task { task, link, want } => {
                let found = find(&link, want);
                self.send(&Answer { task, found });
                return;
            }
            Command::Seen => {
                self.unseen = false;
                self.report_when_due();
            }
        }
        self.go_on_later();
    }

    /// One slice of the run.
    fn tick(&mut self) {
        self.again_soon = false;
        let now = self.clock();
        if let Some(run) = &mut self.run {
            match run.pace {
                _ if run.seeking.is_some() => {
                    run.seek_on(|| clock(&self.scope) - now < SLICE_MS);
                }
                Pace::Paused => return,
                Pace::Full => hurry(&mut run.simulation, || clock(&self.scope) - now < SLICE_MS),
                Pace::Rate(rate) => {
                    let elapsed = (now - run.went_on).min(LONGEST_TICK_MS);
                    run.due += elapsed * 1e6 * rate;
                    play(&mut run.simulation, run.due, || {
                        clock(&self.scope) - now < SLICE_MS
                    });
                    run.due = run.due.min(run.simulation.now() as f64 + 1e6 * rate);
                }
            }
            run.went_on = now;
            run.news = true;
            let work = clock(&self.scope) - now;
            run.checkpoints.note(&run.simulation, work, &self.scope);
        }
        self.report_when_due();
        self.go_on_later();
    }

    /// Reports unless the page is still busy with the last report or has just had one.
    fn report_when_due(&mut self) {
        let now = self.clock();
        let due = self.run.as_ref().is_some_and(|run| {
            let pause = match run.pace {
                _ if run.seeking.is_some() => SEEKING_MS,
                Pace::Full => HURRYING_MS,
                Pace::Rate(rate) if rate >= 0.1 => PLAYING_MS,
                Pace::Rate(_) => SLOW_MOTION_MS,
                // Nothing else will come.
                Pace::Paused => 0.0,
            };
            run.news && (run.simulation.is_finished() || now - run.reported >= pause)
        });
        if due && !self.unseen {
            self.report();
        }
    }

    /// Sends what can be seen now, in one buffer that is transferred.
    fn report(&mut self) {
        let now = self.clock();
        let Some(run) = &mut self.run else { return };
        run.news = false;
        run.reported = now;
        let snapshot = run.simulation.snapshot();
        let report = Report {
            run: run.number,
            seek: run.seek,
            hash: snapshot.finished.then(|| snapshot.hash_text()),
            snapshot,
        };
        self.send(&report);
        self.unseen = true;
    }

    /// Sends a message to the page, in one buffer that is transferred.
    fn send(&self, message: &impl serde::Serialize) {
        let buffer = protocol::buffer(message);
        if let Err(error) = self
            .scope
            .post_message_with_transfer(&buffer, &js_sys::Array::of1(&buffer))
        {
            panic!("a message cannot be sent: {error:?}");
        }
    }

    /// Arranges the next slice, if there is anything left to do.
    fn go_on_later(&mut self) {
        let Some(run) = &self.run else { return };
        if self.again_soon || (run.simulation.is_finished() && run.seeking.is_none()) {
            return;
        }
        let arranged = match run.pace {
            _ if run.seeking.is_some() => self.again.post_message(&JsValue::NULL),
            Pace::Paused => return,
            Pace::Full => self.again.post_message(&JsValue::NULL),
            Pace::Rate(_) => self.tick_after(TICK_MS),
        };
        if let Err(error) = arranged {
            panic!("the next slice cannot be arranged: {error:?}");
        }
        self.again_soon = true;
    }

    fn tick_after(&self, milliseconds: i32) -> Result<(), JsValue> {
        thread_local! {
            static TICK: js_sys::Function =
                Closure::<dyn FnMut()>::new(|| with_worker(Worker::tick)).into_js_value().unchecked_into();
        }
        TICK.with(|tick| {
            self.scope
                .set_timeout_with_callback_and_timeout_and_arguments_0(tick, milliseconds)
        })
        .map(drop)
    }

    fn clock(&self) -> f64 {
        clock(&self.scope)
    }
}

impl Run {
    /// Sets out for another place, from wherever the way to it is short.
    fn head_for(&mut self, seek: u32, to: Place) {
        let goal = match (to, self.seeking) {
            (Place::Instant(instant), _) => Goal::Instant(instant),
            (Place::ReplyBefore, Some((_, Goal::Replies(replies)))) => Goal::Replies(replies - 1),
            (Place::ReplyBefore, _) => {
                self.arrive();
                Goal::Replies(self.simulation.replies().saturating_sub(1))
            }
        };
        // Before the first reply there is the start.
        let goal = match goal {
            Goal::Replies(0) => Goal::Instant(0),
            other => other,
        };
        self.checkpoints.put_before(&mut self.simulation, goal);
        self.seeking = Some((seek, goal));
    }

    /// Goes on to where it is on its way to, as far as the time allows.
    fn seek_on(&mut self, time_left: impl FnMut() -> bool) {
        if let Some((seek, goal)) = self.seeking
            && checkpoints::go_on_to(&mut self.simulation, goal, time_left)
        {
            self.seeking = None;
            self.seek = seek;
            self.due = self.simulation.now() as f64;
        }
    }

    /// Goes all the way to where it is on its way to.
    fn arrive(&mut self) {
        self.seek_on(|| true);
    }
}

impl Gauge for DedicatedWorkerGlobalScope {
    fn clock(&self) -> f64 {
        clock(self)
    }

    fn memory(&self) -> usize {
        const PAGE: usize = 65_536;
        core::arch::wasm32::memory_size(0).saturating_mul(PAGE)
    }
}

fn clock(scope: &DedicatedWorkerGlobalScope) -> f64 {
    scope
        .performance()
        .map_or(0.0, |performance| performance.now())
}

/// A whole run, and what is wanted of it.
fn find(link: &str, want: Want) -> Found {
    let (setting, _) = link::decode(link);
    if want == Want::Log {
        return Found::Log(whole_log(&setting));
    }
    if let Want::Terminal(step) = want {
        let step = STEPS.get(usize::from(step));
        return Found::Terminal(step.map_or_else(String::new, |step| step.report(&setting)));
    }
    let snapshot = subtable_model::run(&setting.scenario, setting.seed);
    match want {
        Want::Figures => Found::Numbers(
            figures()
                .iter()
                .filter(|figure| figure.preset.id == setting.preset.id)
                .map(|figure| figure.measure(&snapshot))
                .collect(),
        ),
        Want::Measures => Found::Numbers(measures::all(&snapshot)),
        Want::Digest | Want::Log | Want::Terminal(_) => Found::Digest(Digest::of(&snapshot)),
    }
}

/// All lines of a run's log, up to a length that a browser can still save.
fn whole_log(setting: &link::Run) -> String {
    /// No event brings more than one line: this many between two looks miss none.
    const EVENTS: usize = 32_768;
    const LONGEST: usize = 64 << 20;
    let mut simulation = Simulation::new(&setting.scenario, setting.seed);
    simulation.keep_lines(LINES_KEPT + EVENTS);
    let (mut text, mut written) = (String::new(), 0);
    loop {
        let more = simulation.advance(Budget::Events(EVENTS as u64));
        let log = simulation.snapshot().log;
        let fresh = usize::try_from(log.lines - written).unwrap_or(usize::MAX);
        written = log.lines;
        for (_, line) in &log.tail[log.tail.len().saturating_sub(fresh)..] {
            text.push_str(line);
            text.push('\n');
        }
        if !more {
            return text;
        }
        if text.len() > LONGEST {
            text.push_str("# The log goes on; it is cut off here, at 64 MB.\n");
            return text;
        }
    }
}

/// As far as the time allows.
fn hurry(simulation: &mut Simulation, mut time_left: impl FnMut() -> bool) {
    while simulation.advance(Budget::Events(EVENTS)) && time_left() {}
}

/// Up to an instant, in steps between which the clock is looked at: a busy cluster may not keep up with its pace.
fn play(simulation: &mut Simulation, due: f64, mut time_left: impl FnMut() -> bool) {
    const STEPS: f64 = 40.0;
    let from = simulation.now() as f64;
    let mut step = 0.0;
    while step < STEPS {
        step += 1.0;
        let until = from + (due - from).max(0.0) * step / STEPS;
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a float to integer cast saturates, and time is not negative"
        )]
        let more = simulation.advance(Budget::Until(until as u64));
        if !more || !time_left() {
            return;
        }
    }
}
