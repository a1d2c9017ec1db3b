//! The crew: as many workers as the machine has cores for, each making whole runs for whoever asks.
//!
//! They are started when they are first needed. Each has one task at a time; what is no longer wanted is not begun, and
//! the answers of what has been begun are dropped.

use std::collections::VecDeque;

use subtable_model::scenario::link;
use wasm_bindgen::prelude::*;
use web_sys::Worker;

use super::actions::Action;
use super::{act, hands};
use crate::dom;
use crate::protocol::{Answer, Command, Found, Want};

/// Workers at most, whatever the machine has: each has a memory of its own.
const MOST: usize = 16;

/// Who asks. The order is that in which they are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Client {
    /// A log to be saved.
    Log,
    /// A step of the validated session.
    Session,
    /// The bands of the run that is shown.
    Bands,
    /// The table of published figures.
    Published,
    /// A sweep.
    Sweep,
}

pub struct Crew {
    module: JsValue,
    script: String,
    hands: Vec<Hand>,
    waiting: VecDeque<Task>,
    next: u32,
}

struct Hand {
    worker: Worker,
    busy: Option<Task>,
}

#[derive(Clone)]
struct Task {
    number: u32,
    client: Client,
    place: usize,
    link: String,
    want: Want,
    wanted: bool,
}

/// What came of a task.
pub struct Done {
    /// Who asked.
    pub client: Client,
    /// Which of what it asked.
    pub place: usize,
    /// What came of it; why nothing came of it.
    pub found: Result<Found, String>,
}

impl Crew {
    /// A crew without hands.
    pub fn new(module: JsValue, script: String) -> Self {
        Self {
            module,
            script,
            hands: Vec::new(),
            waiting: VecDeque::new(),
            next: 0,
        }
    }

    /// How many workers there can be.
    pub fn size() -> usize {
        let cores = dom::window().navigator().hardware_concurrency();
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small positive number, and the cast saturates"
        )]
        let cores = cores as usize;
        cores.clamp(1, MOST)
    }

    /// Asks for a run of a setting, under a seed.
    pub fn ask(&mut self, client: Client, place: usize, setting: &link::Run, want: Want) {
        self.next = self.next.wrapping_add(1);
        let mut setting = setting.clone();
        setting.others = Vec::new();
        let task = Task {
            number: self.next,
            client,
            place,
            link: link::encode(&setting),
            want,
            wanted: true,
        };
        let behind = self.waiting.partition_point(|other| other.client <= client);
        self.waiting.insert(behind, task);
    }

    /// Forgets everything that a client has asked.
    pub fn forget(&mut self, client: Client) {
        self.waiting.retain(|task| task.client != client);
        for task in self.hands.iter_mut().filter_map(|hand| hand.busy.as_mut()) {
            task.wanted &= task.client != client;
        }
    }

    /// How many tasks of a client are not yet answered.
    pub fn open(&self, client: Client) -> usize {
        let busy = self.hands.iter().filter_map(|hand| hand.busy.as_ref());
        busy.filter(|task| task.wanted)
            .chain(&self.waiting)
            .filter(|task| task.client == client)
            .count()
    }

    /// Gives what waits to hands that are free.
    pub fn go_on(&mut self) -> Result<(), JsValue> {
        while !self.waiting.is_empty() {
            let free = self.hands.iter().position(|hand| hand.busy.is_none());
            let place = match free {
                Some(place) => place,
                None if self.hands.len() < Self::size() => {
                    let place = self.hands.len();
                    let worker = self.start(place)?;
                    self.hands.push(Hand { worker, busy: None });
                    place
                }
                None => break,
            };
            if let (Some(task), Some(hand)) = (self.waiting.pop_front(), self.hands.get_mut(place))
            {
                hands::send(
                    &hand.worker,
                    &Command::Task {
                        task: task.number,
                        link: task.link.clone(),
                        want: task.want,
                    },
                );
                hand.busy = Some(task);
            }
        }
        Ok(())
    }

    fn start(&self, place: usize) -> Result<Worker, JsValue> {
        hands::start(&self.module, &self.script, move |heard| {
            act(match heard {
                hands::Heard::Bytes(bytes) => Action::Answered(place, bytes),
                hands::Heard::Broken(text) => Action::HandBroke(place, text),
            });
        })
    }

    /// A worker has answered: whom, and what; nothing when it is no longer wanted.
    pub fn answered(&mut self, place: usize, bytes: &[u8]) -> Option<Done> {
        let task = self.hands.get_mut(place)?.busy.take()?;
        let found = match postcard::from_bytes::<Answer>(bytes) {
            Ok(answer) if answer.task == task.number => Ok(answer.found),
            Ok(_) => Err("a worker answered something else".to_owned()),
            Err(error) => Err(format!("an answer could not be read: {error}")),
        };
        task.wanted.then_some(Done {
            client: task.client,
            place: task.place,
            found,
        })
    }

    /// A worker broke: another one takes its place, and whoever asked is told.
    pub fn broke(&mut self, place: usize, text: String) -> Option<Done> {
        let worker = self.start(place).ok()?;
        let hand = self.hands.get_mut(place)?;
        hand.worker.terminate();
        hand.worker = worker;
        let task = hand.busy.take()?;
        task.wanted.then_some(Done {
            client: task.client,
            place: task.place,
            found: Err(text),
        })
    }
}
