//! Two rows of boxes, one TMM above the other as acceptor and owner, under the client.

use subtable_model::Snapshot;

use super::flows::Curve;
use crate::axes::Faces;
use crate::scene::{Align, Face, Frame, Point, Scene};
use crate::{Size, Theme, format, text};

/// Where everything stands.
#[derive(Clone, Debug)]
pub(super) struct Boxes {
    tmms: usize,
    size: Size,
    client: Frame,
    /// Left edge of the first box, width of a box, and from one box to the next.
    left: f64,
    width: f64,
    pitch: f64,
    acceptors: (f64, f64),
    owners: (f64, f64),
}

/// Padding inside a box.
const PADDING: f64 = 4.0;
/// Height of a bar of busy share.
const BAR: f64 = 4.0;
/// Width from which the rows have their words beside them.
const WIDE: f64 = 700.0;
const WIDEST_BOX: f64 = 200.0;
/// Width below which words stand in the middle of a box.
const CENTRED: f64 = 60.0;

impl Boxes {
    pub fn new(tmms: usize, size: Size, faces: &Faces) -> Self {
        let line = faces.line;
        let margin = 3.0;
        let words = if size.width >= WIDE {
            text::width("accepts", faces.small) + 12.0
        } else {
            0.0
        };
        let room = size.width - 2.0 * margin - words;
        let gap = (room / tmms.max(1) as f64 * 0.12).clamp(2.0, 24.0);
        let pitch = ((room + gap) / tmms.max(1) as f64).min(WIDEST_BOX + gap);
        let left = margin + words + (room + gap - pitch * tmms as f64) / 2.0;
        let (bar, acceptor, owner) = (
            line + 4.0,
            2.0 * line + BAR + 2.0 * PADDING + 2.0,
            2.0 * line + 2.0 * PADDING,
        );
        let foot = if has_key(size) { line * 1.6 } else { 0.0 };
        let free = (size.height - 2.0 * margin - bar - acceptor - owner - foot).max(8.0);
        let above = (free * 0.28).min(70.0);
        let first = margin + bar + above;
        let last = size.height - margin - foot;
        Self {
            tmms,
            size,
            client: Frame::new(left, margin, left + pitch * tmms as f64 - gap, margin + bar),
            left,
            width: pitch - gap,
            pitch,
            acceptors: (first, first + acceptor),
            owners: (last - owner, last),
        }
    }

    fn frame(&self, tmm: usize, (top, bottom): (f64, f64)) -> Frame {
        let left = self.left + self.pitch * tmm as f64;
        Frame::new(left, top, left + self.width, bottom)
    }

    /// The box of a TMM as acceptor.
    pub fn acceptor(&self, tmm: usize) -> Frame {
        self.frame(tmm, self.acceptors)
    }

    /// The box of a TMM as owner.
    pub fn owner(&self, tmm: usize) -> Frame {
        self.frame(tmm, self.owners)
    }

    /// The way from an acceptor to an owner. What goes to the left leaves on the left, so that flows cross little; the
    /// local one leaves in the middle and is straight.
    pub fn flow(&self, from: usize, to: usize) -> Curve {
        let port = |here: usize, there: usize, frame: Frame| {
            let away = there as f64 - here as f64;
            let beyond = (away.abs() - 1.0) / self.tmms.saturating_sub(2).max(1) as f64;
            // The neighbours keep clear of the middle.
            let share = if there == here {
                0.0
            } else {
                0.18 + 0.24 * beyond
            };
            frame.left + frame.width() * (0.5 + share.copysign(away))
        };
        Curve {
            from: (port(from, to, self.acceptor(from)), self.acceptors.1),
            to: (port(to, from, self.owner(to)), self.owners.0),
        }
    }

    /// The way of requests from the client to an acceptor.
    pub fn request(&self, tmm: usize) -> (Point, Point) {
        self.lane(tmm, 0.36)
    }

    /// The way of replies, up.
    pub fn reply(&self, tmm: usize) -> (Point, Point) {
        let (up, down) = self.lane(tmm, 0.64);
        (down, up)
    }

    fn lane(&self, tmm: usize, share: f64) -> (Point, Point) {
        let frame = self.acceptor(tmm);
        let x = frame.left + frame.width() * share;
        ((x, self.client.bottom), (x, frame.top))
    }

    /// What is left of a box for words: a little more air at the sides, when there is any.
    fn inside(&self, frame: Frame) -> Frame {
        let side = (self.width * 0.05).clamp(2.0, 8.0);
        Frame::new(
            frame.left + side,
            frame.top + PADDING,
            frame.right - side,
            frame.bottom - PADDING,
        )
    }

    /// The width of the picture.
    pub const fn width(&self) -> f64 {
        self.size.width
    }

    /// The height of the foot, when there is one: the middle of its line.
    pub fn foot(&self, faces: &Faces) -> Option<f64> {
        has_key(self.size).then_some(self.size.height - faces.line * 0.7)
    }

    /// Draws the client and both rows.
    pub fn draw(&self, scene: &mut Scene, snapshot: &Snapshot, (faces, theme): (&Faces, &Theme)) {
        self.draw_client(scene, snapshot, faces, theme);
        let owned = self.owned(snapshot, faces);
        for (tmm, owned) in owned.iter().enumerate() {
            self.draw_acceptor(scene, snapshot, tmm, faces, theme);
            self.draw_owner(scene, tmm, owned.as_deref(), faces, theme);
        }
        if self.size.width >= WIDE {
            let x = self.left - 10.0;
            for (word, row) in [("accepts", self.acceptors), ("owns", self.owners)] {
                let y = f64::midpoint(row.0, row.1);
                scene.text(word, (x, y), Align::Right, faces.small);
            }
        }
    }

    fn draw_client(&self, scene: &mut Scene, snapshot: &Snapshot, faces: &Faces, theme: &Theme) {
        panel(scene, self.client, theme);
        let inside = self.inside(self.client);
        let (_, y) = self.client.centre();
        let at_work = format!("client: {} at work", format::grouped(snapshot.at_client));
        let right = if self.is_narrow(faces) {
            [
                "boxes: TMM, queue, busy share; below, names owned",
                "TMM, queue, busy; names owned",
            ]
        } else {
            ["the DAG picks who accepts", "DAG"]
        };
        let room = inside.width();
        let client = fitting(&[&at_work, "client"], faces.small, room);
        let left = client.map_or(0.0, |words| text::width(words, faces.small) + 12.0);
        if let Some(words) = client {
            scene.text(words, (inside.left, y), Align::Left, faces.small);
        }
        if let Some(words) = fitting(&right, faces.small, room - left) {
            scene.text(words, (inside.right, y), Align::Right, faces.small);
        }
    }

    fn draw_acceptor(
        &self,
        scene: &mut Scene,
        snapshot: &Snapshot,
        tmm: usize,
        faces: &Faces,
        theme: &Theme,
    ) {
        let frame = self.acceptor(tmm);
        panel(scene, frame, theme);
        let inside = self.inside(frame);
        let busy = busy(snapshot, tmm);
        let queue = format::grouped(snapshot.tmms[tmm].queue.into());
        let name = self.draw_name(scene, tmm, inside, faces);
        let share = format::percent(busy);
        let room = if self.width < CENTRED {
            0.0
        } else {
            inside.width() - name - 8.0
        };
        if let Some(words) = fitting(&[&format!("busy {share}"), &share], faces.small, room) {
            let y = inside.top + faces.line * 0.5;
            scene.text(words, (inside.right, y), Align::Right, faces.small);
        }
        let y = inside.top + faces.line * 1.5;
        let long = format!("queue {queue}");
        let short = format::short(snapshot.tmms[tmm].queue.into());
        let options = if self.is_narrow(faces) {
            [&queue, &short]
        } else {
            [&long, &short]
        };
        if let Some(words) = fitting(&options.map(String::as_str), faces.small, inside.width()) {
            self.words(scene, words, inside, y, faces.small);
            if self.width >= CENTRED {
                let left = inside.left + text::width(words, faces.small) + 6.0;
                let waiting = snapshot.tmms[tmm].queue;
                draw_queue(scene, waiting, (left, inside.right, y), theme);
            }
        }
        let track = Frame::new(
            inside.left,
            inside.bottom - BAR,
            inside.right,
            inside.bottom,
        );
        scene.fill(track, theme.grid);
        if busy > 0.0 {
            let right = track.left + track.width() * busy.min(1.0);
            scene.fill(
                Frame::new(track.left, track.top, right, track.bottom),
                theme.muted,
            );
        }
    }

    fn draw_owner(
        &self,
        scene: &mut Scene,
        tmm: usize,
        owned: Option<&str>,
        faces: &Faces,
        theme: &Theme,
    ) {
        let frame = self.owner(tmm);
        panel(scene, frame, theme);
        let inside = self.inside(frame);
        self.draw_name(scene, tmm, inside, faces);
        if let Some(words) = owned {
            let y = inside.top + faces.line * 1.5;
            self.words(scene, words, inside, y, faces.small);
        }
    }

    /// What each TMM owns, all said in the first way that fits all.
    fn owned(&self, snapshot: &Snapshot, faces: &Faces) -> Vec<Option<String>> {
        let users = users(snapshot);
        let room = self.inside(self.owner(0)).width();
        let all: Vec<[Option<String>; WAYS]> = users
            .iter()
            .enumerate()
            .map(|(tmm, users)| owned(snapshot, tmm, users))
            .collect();
        let fits = |words: &Option<String>| {
            let words = words.as_deref();
            words.is_some_and(|words| text::width(words, faces.small) <= room)
        };
        let way = (0..WAYS).find(|way| all.iter().all(|ways| fits(&ways[*way])));
        all.into_iter()
            .map(|mut ways| way.and_then(|way| ways[way].take()))
            .collect()
    }

    /// Whether the boxes are so narrow that numbers stand in them without words.
    fn is_narrow(&self, faces: &Faces) -> bool {
        self.inside(self.acceptor(0)).width() < text::width("queue 88", faces.small)
    }

    /// Words in a box: at its left, in its middle when it is narrow.
    fn words(&self, scene: &mut Scene, words: &str, inside: Frame, y: f64, face: Face) {
        if self.width < CENTRED {
            scene.text(words, (inside.centre().0, y), Align::Centre, face);
        } else {
            scene.text(words, (inside.left, y), Align::Left, face);
        }
    }

    /// Writes the number of a TMM and returns how wide it is.
    fn draw_name(&self, scene: &mut Scene, tmm: usize, inside: Frame, faces: &Faces) -> f64 {
        let (long, short) = (format!("TMM {tmm}"), tmm.to_string());
        // All boxes say it in the same way.
        let widest = format!("TMM {}", self.tmms.saturating_sub(1));
        let name = if text::width(&widest, faces.bold) <= inside.width() {
            long
        } else {
            short
        };
        let width = text::width(&name, faces.bold);
        let y = inside.top + faces.line * 0.5;
        self.words(scene, &name, inside, y, faces.bold);
        width
    }
}

/// Pieces of work in a queue, one mark each as far as there is room: the one in hand filled, those that wait hollow.
fn draw_queue(scene: &mut Scene, waiting: u32, (left, right, y): (f64, f64, f64), theme: &Theme) {
    const PITCH: f64 = 7.0;
    const HALF: f64 = 2.5;
    let mut x = left + HALF;
    for place in 0..waiting {
        if x + HALF > right {
            break;
        }
        let mark = Frame::new(x - HALF, y - HALF, x + HALF, y + HALF);
        scene.fill(mark, theme.muted);
        if place > 0 {
            scene.fill(mark.inset(1.0), theme.surface);
        }
        x += PITCH;
    }
}

/// Whether there is room for a line that says what the dots are.
fn has_key(size: Size) -> bool {
    size.height >= 300.0 && size.width >= 500.0
}

/// The share of the time so far that a TMM was busy.
pub(super) fn busy(snapshot: &Snapshot, tmm: usize) -> f64 {
    if snapshot.now == 0 {
        0.0
    } else {
        (snapshot.tmms[tmm].busy as f64 / snapshot.now as f64).min(1.0)
    }
}

/// By owner, the TMMs whose subtable it owns.
fn users(snapshot: &Snapshot) -> Vec<Vec<usize>> {
    let mut users = vec![Vec::new(); snapshot.tmms.len()];
    for (number, tmm) in snapshot.tmms.iter().enumerate() {
        let subtable = tmm
            .subtable
            .and_then(|index| snapshot.subtables.get(index as usize));
        if let Some(users) = subtable.and_then(|subtable| users.get_mut(subtable.owner as usize)) {
            users.push(number);
        }
    }
    users
}

/// Ways of saying what a TMM owns, from many words to few.
const WAYS: usize = 7;

/// What a TMM owns, in each of the ways; none where it cannot be said in that way.
fn owned(snapshot: &Snapshot, tmm: usize, users: &[usize]) -> [Option<String>; WAYS] {
    let mine = || {
        let subtables = snapshot.subtables.iter();
        subtables.filter(|subtable| subtable.owner as usize == tmm)
    };
    let count = mine().count();
    let names = || {
        let names: Vec<&str> = mine().map(|subtable| subtable.name.as_str()).collect();
        names.join(", ")
    };
    let list = if users.len() == snapshot.tmms.len() && users.len() > 1 {
        "all".to_owned()
    } else {
        let numbers: Vec<String> = users.iter().map(usize::to_string).collect();
        numbers.join(", ")
    };
    // The names of nobody in particular can only be counted.
    let used = count > 0 && !users.is_empty();
    let noun = if count == 1 { "name" } else { "names" };
    let or_none = |words: Option<String>, none: &str| match count {
        0 => Some(none.to_owned()),
        _ => words,
    };
    [
        or_none(
            (count <= 3).then(|| format!("owns {}", names())),
            "owns no name",
        ),
        or_none((count <= 3).then(names), "no name"),
        or_none(
            used.then(|| format!("owns {noun} of {list}")),
            "owns no name",
        ),
        or_none(used.then(|| format!("{noun} of {list}")), "no name"),
        or_none(used.then(|| format!("of {list}")), "–"),
        or_none(
            Some(format!("{} {noun}", format::short(count as u64))),
            "no name",
        ),
        or_none(Some(format::short(count as u64)), "–"),
    ]
}

/// The first of the texts that fits.
fn fitting<'a>(texts: &[&'a str], face: Face, room: f64) -> Option<&'a str> {
    texts
        .iter()
        .find(|words| text::width(words, face) <= room)
        .copied()
}

/// A box with round corners and a hairline.
fn panel(scene: &mut Scene, frame: Frame, theme: &Theme) {
    let radius = 5.0_f64.min(frame.width() / 3.0);
    scene.polygon(rounded(frame, radius), theme.muted_line());
    scene.polygon(rounded(frame.inset(1.0), radius - 1.0), theme.surface);
}

/// The outline of a rectangle with round corners.
pub(super) fn rounded(frame: Frame, radius: f64) -> Vec<Point> {
    const STEPS: u32 = 4;
    let corners = [
        (frame.right - radius, frame.top + radius, -90.0),
        (frame.right - radius, frame.bottom - radius, 0.0),
        (frame.left + radius, frame.bottom - radius, 90.0),
        (frame.left + radius, frame.top + radius, 180.0),
    ];
    let mut points = Vec::with_capacity(4 * (STEPS as usize + 1));
    for (x, y, from) in corners {
        for step in 0..=STEPS {
            let angle: f64 = (from + 90.0 * f64::from(step) / f64::from(STEPS)).to_radians();
            points.push((x + radius * angle.cos(), y + radius * angle.sin()));
        }
    }
    points
}
