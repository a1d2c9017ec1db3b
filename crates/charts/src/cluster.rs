//! Who accepts, who owns, and the messages between them.

mod boxes;
mod flows;
mod heat;

use subtable_model::Snapshot;
use subtable_model::snapshot::Move;

use crate::axes::Faces;
use crate::scene::{Frame, Point};
use crate::strip;
use crate::{Chart, Entry, Hidden, Marks, Reading, Scene, Series, Size, Table, Theme, format};
use boxes::Boxes;
use heat::Heat;

/// The cluster at one moment.
///
/// Up to [`MOST_BOXES`] TMMs are boxes, above as who accepts and below as who owns, with the share of all writes as the
/// width of the flow between them: local a straight line, remote a curve with an arrow. Single messages are dots on
/// their way. More TMMs make a map of acceptor by owner.
#[derive(Clone, Copy, Debug)]
pub struct Cluster<'a> {
    /// The run at that moment.
    pub snapshot: &'a Snapshot,
    /// Whether single messages are drawn; not when motion is to be reduced.
    pub moves: bool,
    /// What is left out: local writes, or remote ones.
    pub hidden: Hidden,
}

/// TMMs that are drawn as boxes.
pub const MOST_BOXES: usize = 16;
/// How far from a flow a pointer still finds it, in CSS pixels.
const REACH: f64 = 14.0;
/// How far from a message a pointer still finds it, in CSS pixels.
const TOUCH: f64 = 9.0;

impl<'a> Cluster<'a> {
    /// The cluster of a run, single messages included.
    #[must_use]
    pub const fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            moves: true,
            hidden: Hidden::NOTHING,
        }
    }

    fn is_map(&self) -> bool {
        self.snapshot.tmms.len() > MOST_BOXES
    }

    fn boxes(&self, size: Size) -> Boxes {
        let faces = Faces::new(size.width, &Theme::light());
        Boxes::new(self.snapshot.tmms.len(), size, &faces)
    }

    fn heat(&self, size: Size) -> Heat {
        let faces = Faces::new(size.width, &Theme::light());
        Heat::new(self, size, &faces)
    }

    /// Pairs of acceptor and owner between which there was a write.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize, u64)> + '_ {
        let tmms = self.snapshot.tmms.len().max(1);
        let traffic = self.snapshot.traffic.iter().enumerate();
        traffic
            .filter(|(_, writes)| **writes > 0)
            .map(move |(index, writes)| (index / tmms, index % tmms, *writes))
            .filter(|(from, to, _)| self.shows(*from, *to))
    }

    /// Whether writes from one TMM to another are shown.
    fn shows(&self, from: usize, to: usize) -> bool {
        let series = if from == to {
            Series::Local
        } else {
            Series::Remote
        };
        !self.hidden.hides(series)
    }

    fn accepts(&self, tmm: usize) -> String {
        let state = &self.snapshot.tmms[tmm];
        format!(
            "TMM {tmm} accepts: {} requests, {} in its queue, busy {}",
            format::grouped(state.hits),
            format::grouped(state.queue.into()),
            format::percent(boxes::busy(self.snapshot, tmm)),
        )
    }

    fn owns(&self, tmm: usize) -> String {
        let owned: Vec<_> = self
            .snapshot
            .subtables
            .iter()
            .filter(|subtable| subtable.owner as usize == tmm)
            .collect();
        let names = match owned.as_slice() {
            [] => "no name".to_owned(),
            few if few.len() <= 4 => {
                let names: Vec<&str> = few.iter().map(|subtable| subtable.name.as_str()).collect();
                names.join(", ")
            }
            many => format!("{} names", format::grouped(many.len() as u64)),
        };
        let entries = owned.iter().map(|subtable| subtable.entries).sum();
        format!(
            "TMM {tmm} owns {names}: {} entries",
            format::grouped(entries)
        )
    }

    fn flow(&self, (from, to, writes): (usize, usize, u64)) -> String {
        let all: u64 = self.snapshot.traffic.iter().sum();
        format!(
            "TMM {from} to TMM {to}: {} writes, {} of all, {}",
            format::grouped(writes),
            format::percent(writes as f64 / all.max(1) as f64),
            if from == to { "local" } else { "remote" },
        )
    }

    /// The messages that are drawn, where there are boxes to draw them between.
    fn messages(&self) -> &'a [Move] {
        if self.moves && !self.is_map() {
            &self.snapshot.moves
        } else {
            &[]
        }
    }

    /// The number of the message nearest to a place, within reach of a finger.
    fn nearest_message(&self, boxes: &Boxes, (x, y): Point) -> Option<usize> {
        let messages = self.messages().iter().enumerate();
        messages
            .filter_map(|(number, message)| Some((number, self.at(boxes, message)?)))
            .map(|(number, at)| (number, (at.0 - x).hypot(at.1 - y)))
            .filter(|(_, distance)| *distance <= TOUCH)
            .min_by(|(_, a), (_, b)| a.total_cmp(b))
            .map(|(number, _)| number)
    }

    /// The number of the flow that passes nearest to a place, within reach.
    fn nearest_flow(&self, boxes: &Boxes, (x, y): Point) -> Option<usize> {
        let distance = |(from, to, _): (usize, usize, u64)| {
            let curve = boxes.flow(from, to);
            (0..=16)
                .map(|step| curve.at(f64::from(step) / 16.0))
                .map(|(px, py)| (px - x).hypot(py - y))
                .fold(f64::INFINITY, f64::min)
        };
        self.pairs()
            .map(distance)
            .enumerate()
            .filter(|(_, distance)| *distance <= REACH)
            .min_by(|(_, a), (_, b)| a.total_cmp(b))
            .map(|(number, _)| number)
    }
}

impl Chart for Cluster<'_> {
    fn title(&self) -> String {
        let share = match self.snapshot.local_share() {
            Some(share) => format!("{} of the writes are local", format::percent(share)),
            None => "no writes yet".to_owned(),
        };
        format!(
            "Who accepts and who owns, {} TMMs: {share}",
            self.snapshot.tmms.len()
        )
    }

    fn scene(&self, size: Size, theme: &Theme) -> Scene {
        let mut scene = Scene::new(size, theme);
        let faces = Faces::new(size.width, theme);
        if self.is_map() {
            self.heat(size).draw(&mut scene, (&faces, theme));
        } else {
            let boxes = self.boxes(size);
            self.draw_flows(&mut scene, &boxes, theme);
            boxes.draw(&mut scene, self.snapshot, (&faces, theme));
            if self.moves {
                self.draw_moves(&mut scene, &boxes, theme);
            }
        }
        scene
    }

    fn len(&self, size: Size) -> usize {
        if self.is_map() {
            self.heat(size).cells()
        } else {
            2 * self.snapshot.tmms.len() + self.pairs().count() + self.messages().len()
        }
    }

    fn nearest(&self, size: Size, x: f64, y: f64) -> Option<usize> {
        if self.is_map() {
            return self.heat(size).cell_at((x, y));
        }
        let (tmms, boxes) = (self.snapshot.tmms.len(), self.boxes(size));
        if let Some(message) = self.nearest_message(&boxes, (x, y)) {
            return Some(2 * tmms + self.pairs().count() + message);
        }
        let frames = (0..tmms)
            .map(|tmm| boxes.acceptor(tmm))
            .chain((0..tmms).map(|tmm| boxes.owner(tmm)));
        let found = frames.enumerate().find(|(_, frame)| frame.contains((x, y)));
        match found {
            Some((number, _)) => Some(number),
            None => self
                .nearest_flow(&boxes, (x, y))
                .map(|flow| 2 * tmms + flow),
        }
    }

    fn reading(&self, size: Size, number: usize) -> Option<Reading> {
        if self.is_map() {
            return self.heat(size).reading(number);
        }
        let (tmms, boxes) = (self.snapshot.tmms.len(), self.boxes(size));
        let box_of = |frame: Frame, text| (frame.centre(), text, Marks::default().around(&frame));
        let ((x, y), text, marks) = if number < tmms {
            box_of(boxes.acceptor(number), self.accepts(number))
        } else if number < 2 * tmms {
            let tmm = number - tmms;
            box_of(boxes.owner(tmm), self.owns(tmm))
        } else if let Some(pair) = self.pairs().nth(number - 2 * tmms) {
            let at = boxes.flow(pair.0, pair.1).at(0.5);
            (at, self.flow(pair), Marks::default().spot(at))
        } else {
            let before = 2 * tmms + self.pairs().count();
            let message = self.messages().get(number - before)?;
            let at = self.at(&boxes, message)?;
            (at, flows::words(message), Marks::default().spot(at))
        };
        Some(Reading {
            x,
            y,
            text,
            position: None,
            marks,
        })
    }

    fn series(&self) -> Vec<Entry> {
        strip::series(false, false, false)
    }

    fn table(&self, _size: Size) -> Table {
        let all = self.snapshot.traffic.iter().sum::<u64>().max(1) as f64;
        let row = |(from, to, writes): (usize, usize, u64)| {
            vec![
                from.to_string(),
                to.to_string(),
                writes.to_string(),
                format!("{:.2}", writes as f64 / all * 100.0),
                if from == to { "local" } else { "remote" }.to_owned(),
            ]
        };
        Table {
            headers: [
                "acceptor",
                "owner",
                "writes",
                "share of all writes, %",
                "path",
            ]
            .map(str::to_owned)
            .into(),
            rows: self.pairs().map(row).collect(),
        }
    }
}
