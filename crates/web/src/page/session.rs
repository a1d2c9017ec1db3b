//! The worker as the page sees it: runs that are begun, paces that are changed, reports that come back.
//!
//! At most one run is begun that has not yet been reported on. A newer setting waits until then and replaces any that
//! waits already: while a slider is dragged only the newest counts, and yet something new is always seen.

use subtable_model::scenario::link;
use wasm_bindgen::prelude::*;
use web_sys::Worker;

use super::actions::Action;
use super::{act, hands};
use crate::pace::Pace;
use crate::protocol::{Command, Place};

pub struct Session {
    module: JsValue,
    script: String,
    worker: Worker,
    /// Number of the last run that the worker was told to begin.
    number: u32,
    begun: link::Run,
    reported: bool,
    /// Number of the last place in this run that the worker was told to go to, and of the last it reported from.
    seek: u32,
    sought: u32,
    waiting: Option<(link::Run, Pace)>,
}

impl Session {
    /// Takes on the worker that has been started, or starts one.
    pub fn new(module: JsValue, script: String, started: Option<Worker>) -> Result<Self, JsValue> {
        Ok(Self {
            worker: match started {
                Some(worker) => hands::employ(&worker, &module, report).map(|()| worker)?,
                None => hands::start(&module, &script, report)?,
            },
            module,
            script,
            number: 0,
            begun: link::Run::default(),
            reported: true,
            seek: 0,
            sought: 0,
            waiting: None,
        })
    }

    /// Ends the worker and starts another.
    pub fn start_anew(&mut self) -> Result<(), JsValue> {
        self.stop();
        self.worker = hands::start(&self.module, &self.script, report)?;
        self.reported = true;
        self.sought = self.seek;
        self.waiting = None;
        Ok(())
    }

    /// Ends the worker.
    pub fn stop(&self) {
        self.worker.terminate();
    }

    /// Begins a run as soon as the one before has been reported on.
    pub fn begin(&mut self, setting: &link::Run, pace: Pace) {
        if self.reported {
            self.begin_now(setting.clone(), pace);
        } else {
            self.waiting = Some((setting.clone(), pace));
        }
    }

    fn begin_now(&mut self, setting: link::Run, pace: Pace) {
        self.number = self.number.wrapping_add(1);
        self.send(&Command::Begin {
            run: self.number,
            link: link::encode(&setting),
            pace,
        });
        self.begun = setting;
        self.reported = false;
        (self.seek, self.sought) = (0, 0);
    }

    /// Goes on at another pace.
    pub fn set_pace(&mut self, pace: Pace) {
        match &mut self.waiting {
            Some((_, waiting)) => *waiting = pace,
            None => self.send(&Command::Pace { pace }),
        }
    }

    /// One more reply, in the newest run.
    pub fn step(&mut self) {
        if let Some((setting, _)) = self.waiting.take() {
            self.begin_now(setting, Pace::Paused);
        }
        self.send(&Command::Step);
    }

    /// Goes to another place in the newest run and pauses there. Returns whether that run is what has been reported on.
    pub fn seek(&mut self, to: Place) -> bool {
        let can = self.reported && self.waiting.is_none();
        if can {
            self.seek += 1;
            self.send(&Command::Seek {
                seek: self.seek,
                to,
            });
        }
        can
    }

    /// The page can take another report.
    pub fn seen(&self) {
        self.send(&Command::Seen);
    }

    /// A run was reported on. Returns its setting, unless it is one that has been left behind.
    pub fn reported(&mut self, run: u32, seek: u32) -> Option<link::Run> {
        if run != self.number {
            return None;
        }
        let setting = self.begun.clone();
        self.reported = true;
        self.sought = seek;
        if let Some((next, pace)) = self.waiting.take() {
            self.begin_now(next, pace);
        }
        Some(setting)
    }

    /// The setting of the run that was last asked for.
    pub fn begun(&self) -> &link::Run {
        self.waiting
            .as_ref()
            .map_or(&self.begun, |(setting, _)| setting)
    }

    /// Whether what was last reported is the newest run, at the place that was last asked for.
    pub fn is_latest(&self) -> bool {
        self.reported && self.waiting.is_none() && self.sought == self.seek
    }

    fn send(&self, command: &Command) {
        hands::send(&self.worker, command);
    }
}

fn report(heard: hands::Heard) {
    act(match heard {
        hands::Heard::Bytes(bytes) => Action::Report(bytes),
        hands::Heard::Broken(text) => Action::WorkerFailed(text),
    });
}
