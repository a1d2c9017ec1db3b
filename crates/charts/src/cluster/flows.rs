//! Traffic as the width of curves, and single messages on their way along them.

use subtable_model::snapshot::{Move, MoveKind};

use super::Cluster;
use super::boxes::Boxes;
use crate::Theme;
use crate::axes::Faces;
use crate::scene::{Align, Ink, Point, Scene, faded};
use crate::{format, text};

/// A way from one row of boxes down to the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    pub from: Point,
    pub to: Point,
}

/// Length of the pieces of a drawn curve, in CSS pixels.
const PIECE: f64 = 9.0;
/// Width of a flow of all writes, in CSS pixels.
const WHOLE_FLOW: f64 = 32.0;
const WIDEST: f64 = 10.0;
/// Messages that are drawn; beyond, the widths say more than a cloud of dots.
const MOST_MOVES: usize = 300;

impl Curve {
    /// The place at a share of the way: a cubic that leaves and arrives upright.
    pub fn at(&self, share: f64) -> Point {
        let (t, u) = (share, 1.0 - share);
        let middle = f64::midpoint(self.from.1, self.to.1);
        let blend = |a: f64, b: f64, c: f64, d: f64| {
            u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
        };
        (
            blend(self.from.0, self.from.0, self.to.0, self.to.0),
            blend(self.from.1, middle, middle, self.to.1),
        )
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small positive number"
    )]
    fn points(self) -> impl Iterator<Item = Point> {
        let length = (self.to.0 - self.from.0).hypot(self.to.1 - self.from.1);
        let pieces = (length / PIECE).clamp(8.0, 64.0) as u32;
        (0..=pieces).map(move |piece| self.at(f64::from(piece) / f64::from(pieces)))
    }
}

impl Cluster<'_> {
    /// Every pair between which there was a write; the thinnest first, so that none is hidden.
    pub(super) fn draw_flows(&self, scene: &mut Scene, boxes: &Boxes, theme: &Theme) {
        let all = self.snapshot.traffic.iter().sum::<u64>().max(1) as f64;
        let mut pairs: Vec<_> = self.pairs().collect();
        pairs.sort_by_key(|(_, _, writes)| core::cmp::Reverse(*writes));
        for (from, to, writes) in pairs {
            let share = writes as f64 / all;
            let width = (share * WHOLE_FLOW).clamp(1.0, WIDEST);
            let curve = boxes.flow(from, to);
            if from == to {
                scene.path([curve.from, curve.to], faded(theme.local, 0.75), width);
                continue;
            }
            let ink = faded(theme.remote, 0.6);
            let (x, y) = curve.to;
            let (head, half) = (4.0 + width * 0.7, 2.5 + width * 0.7);
            let shaft = Curve {
                to: (x, y - head),
                ..curve
            };
            scene.path(shaft.points(), ink, width);
            let corners = [(x - half, y - head), (x + half, y - head), (x, y)];
            scene.polygon(corners, theme.remote);
        }
    }

    /// Single messages: questions are filled, answers hollow.
    pub(super) fn draw_moves(&self, scene: &mut Scene, boxes: &Boxes, theme: &Theme) {
        let faces = Faces::new(boxes.width(), theme);
        let moves = &self.snapshot.moves;
        let every = moves.len().div_ceil(MOST_MOVES).max(1);
        for message in moves.iter().step_by(every) {
            self.draw_way(scene, boxes, message, theme);
        }
        for message in moves.iter().step_by(every) {
            if let Some((at, ink)) = self.place(boxes, message, theme) {
                dot(scene, message.kind, at, ink, (&faces, theme));
            }
        }
        if let Some(y) = boxes.foot(&faces) {
            draw_key(scene, boxes, y, &faces, theme);
        }
    }

    /// A hairline under a message on a way that no write has taken yet, and under those of the client.
    fn draw_way(&self, scene: &mut Scene, boxes: &Boxes, message: &Move, theme: &Theme) {
        let tmms = self.snapshot.tmms.len();
        let ink = theme.muted_line();
        match (message.from, message.to) {
            (Some(from), Some(to)) => {
                let (mut from, mut to) = (from as usize, to as usize);
                if comes_back(message.kind) {
                    (from, to) = (to, from);
                }
                if from < tmms && to < tmms && self.snapshot.traffic[from * tmms + to] == 0 {
                    scene.path(boxes.flow(from, to).points(), ink, 1.0);
                }
            }
            (None, Some(tmm)) if (tmm as usize) < tmms => {
                let (from, to) = boxes.request(tmm as usize);
                scene.path([from, to], ink, 1.0);
            }
            (Some(tmm), None) if (tmm as usize) < tmms => {
                let (from, to) = boxes.reply(tmm as usize);
                scene.path([from, to], ink, 1.0);
            }
            _ => {}
        }
    }

    /// Where a message is.
    pub(super) fn at(&self, boxes: &Boxes, message: &Move) -> Option<Point> {
        let (at, _) = self.place(boxes, message, &Theme::light())?;
        Some(at)
    }

    fn place(&self, boxes: &Boxes, message: &Move, theme: &Theme) -> Option<(Point, Ink)> {
        let tmms = self.snapshot.tmms.len();
        let number = |tmm: u32| Some(tmm as usize).filter(|tmm| *tmm < tmms);
        let progress = f64::from(message.progress).clamp(0.0, 1.0);
        let along = |(from, to): (Point, Point)| {
            (
                from.0 + (to.0 - from.0) * progress,
                from.1 + (to.1 - from.1) * progress,
            )
        };
        Some(match (message.from, message.to) {
            (None, Some(to)) => (along(boxes.request(number(to)?)), theme.ink.into()),
            (Some(from), None) => (along(boxes.reply(number(from)?)), theme.ink.into()),
            (Some(from), Some(to)) => {
                let (from, to) = (number(from)?, number(to)?);
                let ink = if from == to {
                    theme.local
                } else {
                    theme.remote
                };
                let at = if comes_back(message.kind) {
                    boxes.flow(to, from).at(1.0 - progress)
                } else {
                    boxes.flow(from, to).at(progress)
                };
                (at, ink.into())
            }
            (None, None) => return None,
        })
    }
}

/// Whether a message goes from an owner to an acceptor.
const fn comes_back(kind: MoveKind) -> bool {
    matches!(kind, MoveKind::Answer | MoveKind::Lost)
}

/// What a message is, and how far it has come.
pub(super) fn words(message: &Move) -> String {
    let end =
        |tmm: Option<u32>| tmm.map_or_else(|| "the client".to_owned(), |n| format!("TMM {n}"));
    let what = match message.kind {
        MoveKind::Request => "Request",
        MoveKind::Write => "Remote write",
        MoveKind::Trial => "Trial write",
        MoveKind::ListKeys => "Question about all keys",
        MoveKind::Answer if message.progress <= 0.0 => "Answer held by its owner",
        MoveKind::Answer => "Answer",
        MoveKind::Reply => "Reply",
        MoveKind::Lost => "Lost answer, its request parked",
    };
    let (from, to) = (end(message.from), end(message.to));
    let way = format::percent(message.progress.into());
    match message.kind {
        MoveKind::Lost => format!("{what}: from {from}, never to reach {to}"),
        _ => format!("{what} from {from} to {to}, {way} of its way"),
    }
}

/// A message: a disc for a request or a write, a diamond for a trial, a square for a list of keys, a ring for what comes
/// back, a cross for what is lost.
fn dot(scene: &mut Scene, kind: MoveKind, at: Point, ink: Ink, (faces, theme): (&Faces, &Theme)) {
    let radius = faces.small.size * 0.32;
    let (x, y) = at;
    let square = |half: f64| {
        [
            (x - half, y - half),
            (x + half, y - half),
            (x + half, y + half),
            (x - half, y + half),
        ]
    };
    let diamond = |half: f64| [(x, y - half), (x + half, y), (x, y + half), (x - half, y)];
    match kind {
        MoveKind::Request | MoveKind::Write => {
            scene.disc(at, radius + 1.0, theme.surface);
            scene.disc(at, radius, ink);
        }
        MoveKind::Trial => {
            scene.polygon(diamond(radius + 2.5), theme.surface);
            scene.polygon(diamond(radius + 1.0), ink);
        }
        MoveKind::ListKeys => {
            scene.polygon(square(radius + 1.0), theme.surface);
            scene.polygon(square(radius), ink);
        }
        MoveKind::Answer | MoveKind::Reply => {
            scene.disc(at, radius + 1.0, theme.surface);
            scene.ring(at, radius - 0.5, ink, 1.5);
        }
        MoveKind::Lost => {
            scene.disc(at, radius + 2.0, theme.surface);
            for rise in [-radius, radius] {
                scene.path([(x - radius, y - rise), (x + radius, y + rise)], ink, 1.5);
            }
        }
    }
}

/// What the dots are.
fn draw_key(scene: &mut Scene, boxes: &Boxes, y: f64, faces: &Faces, theme: &Theme) {
    let entries = [
        (MoveKind::Write, "request, write"),
        (MoveKind::Trial, "trial write"),
        (MoveKind::ListKeys, "list of keys"),
        (MoveKind::Answer, "answer, reply"),
    ];
    let width = |words: &str| 14.0 + text::width(words, faces.small) + 16.0;
    let all: f64 = entries.iter().map(|(_, words)| width(words)).sum();
    let mut x = boxes.acceptor(0).left.min(boxes.width() - all).max(0.0);
    for (kind, words) in entries {
        dot(
            scene,
            kind,
            (x + 5.0, y),
            theme.muted.into(),
            (faces, theme),
        );
        scene.text(words, (x + 14.0, y), Align::Left, faces.small);
        x += width(words);
    }
}
