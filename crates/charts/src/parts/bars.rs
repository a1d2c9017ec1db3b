//! Where the bars are and what stands beside, in and below them.

use subtable_model::results::Part;

use super::{Parts, fills};
use crate::axes::Faces;
use crate::scene::{Align, Face, Frame, Scene};
use crate::{Size, Theme, format, text};

/// A part of a bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    pub tmm: usize,
    /// Number of the part in [`Part::ALL`].
    pub part: usize,
    /// Mean time per request, in nanoseconds.
    pub mean: f64,
    pub frame: Frame,
}

/// A part that is named below the bars: its place, and its words.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    part: usize,
    left: f64,
    y: f64,
    words: &'static str,
}

/// The picture without its colours.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The TMMs that have a bar, top to bottom.
    tmms: Vec<usize>,
    bars: Frame,
    /// From one bar to the next, and the height of a bar.
    pitch: f64,
    thickness: f64,
    /// The greatest mean time of a request, in nanoseconds.
    pub longest: f64,
    legend: Vec<Entry>,
    /// What is left out.
    note: Option<String>,
    note_y: f64,
}

/// A part is named when it is this wide in some bar, in CSS pixels.
const NAMED: f64 = 1.5;

impl Layout {
    pub fn new(chart: &Parts, size: Size, faces: &Faces) -> Self {
        let line = faces.line;
        let all = chart.snapshot.tmms.len();
        let longest = (0..all).map(|tmm| chart.total(tmm)).fold(0.0, f64::max);
        let name = text::width(&format!("TMM {}", all.saturating_sub(1)), faces.small);
        let total = text::width("888.8 ms", faces.plain);
        let left = name + 10.0;
        let right = (size.width - total - 10.0).max(left + 10.0);
        let named = NAMED / (right - left) * longest;
        let (legend, lines) = legend(chart, named, size, faces);
        let foot = lines * line * 1.25 + 4.0;
        let height = (size.height - foot - 4.0).max(line);
        let (tmms, note) = choose(chart, height, line);
        let height = if note.is_some() {
            height - line
        } else {
            height
        };
        let pitch = (height / tmms.len().max(1) as f64).min(line * 4.6);
        let thickness = (pitch * 0.74).clamp(4.0, line * 2.8);
        let bottom = 4.0 + pitch * tmms.len() as f64;
        let note_y = bottom + line * 0.5;
        let legend_top = bottom + if note.is_some() { line } else { 0.0 };
        let legend = legend
            .into_iter()
            .map(|entry| Entry {
                y: entry.y + legend_top,
                ..entry
            })
            .collect();
        Self {
            tmms,
            bars: Frame::new(left, 4.0, right, bottom),
            pitch,
            thickness,
            longest,
            legend,
            note,
            note_y,
        }
    }

    fn bar(&self, row: usize) -> (f64, f64) {
        let middle = self.bars.top + self.pitch * (row as f64 + 0.5);
        (middle - self.thickness / 2.0, middle + self.thickness / 2.0)
    }

    /// Every part of every bar that takes any time, bar by bar.
    pub fn segments(&self, chart: &Parts) -> Vec<Segment> {
        let mut segments = Vec::new();
        if self.longest <= 0.0 {
            return segments;
        }
        for (row, &tmm) in self.tmms.iter().enumerate() {
            let (top, bottom) = self.bar(row);
            let mut left = self.bars.left;
            for (part, mean) in chart.means(tmm).into_iter().enumerate() {
                let right = left + mean / self.longest * self.bars.width();
                if mean > 0.0 {
                    segments.push(Segment {
                        tmm,
                        part,
                        mean,
                        frame: Frame::new(left, top, right, bottom),
                    });
                }
                left = right;
            }
        }
        segments
    }

    pub fn draw(&self, chart: &Parts, scene: &mut Scene, (faces, theme): (&Faces, &Theme)) {
        for segment in self.segments(chart) {
            draw_segment(scene, segment, faces, theme);
        }
        for (row, &tmm) in self.tmms.iter().enumerate() {
            let (top, bottom) = self.bar(row);
            let y = f64::midpoint(top, bottom);
            let at = (self.bars.left - 6.0, y);
            scene.text(format!("TMM {tmm}"), at, Align::Right, faces.small);
            let total = chart.total(tmm);
            let x = self.bars.left + total / self.longest * self.bars.width() + 5.0;
            scene.text(format::duration(total), (x, y), Align::Left, faces.plain);
        }
        if let Some(note) = &self.note {
            let at = (self.bars.left, self.note_y);
            scene.text(note.as_str(), at, Align::Left, faces.small);
        }
        let side = faces.small.size * 0.85;
        for entry in &self.legend {
            let (top, bottom) = (entry.y - side / 2.0, entry.y + side / 2.0);
            let swatch = Frame::new(entry.left, top, entry.left + side, bottom);
            fills::fill(scene, entry.part, swatch, theme);
            let at = (entry.left + side + 4.0, entry.y);
            scene.text(entry.words, at, Align::Left, faces.small);
        }
    }
}

fn draw_segment(scene: &mut Scene, segment: Segment, faces: &Faces, theme: &Theme) {
    // A hairline of the background parts neighbours, unless they are hairlines themselves.
    let gap = if segment.frame.width() > 3.0 {
        1.0
    } else {
        0.0
    };
    let frame = Frame {
        right: segment.frame.right - gap,
        ..segment.frame
    };
    if frame.width() < 0.25 {
        return;
    }
    fills::fill(scene, segment.part, frame, theme);
    let words = Part::ALL[segment.part].1;
    let face = Face {
        ink: fills::words(segment.part, theme),
        ..faces.plain
    };
    let fits = text::width(words, face) + 10.0 <= frame.width() && frame.height() >= faces.line;
    if fits && fills::takes_words(segment.part, theme) {
        let (_, y) = frame.centre();
        scene.text(words, (frame.left + 5.0, y), Align::Left, face);
    }
}

/// The TMMs that get a bar, and a note when that is not all of them: the slowest, and the fastest.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "few bars, not negative"
)]
fn choose(chart: &Parts, height: f64, line: f64) -> (Vec<usize>, Option<String>) {
    let all = chart.snapshot.tmms.len();
    let fit = |height: f64| (height / (line * 1.1)) as usize;
    if all <= fit(height).max(1) {
        return ((0..all).collect(), None);
    }
    let most = fit(height - line).max(1);
    let mut order: Vec<usize> = (0..all).collect();
    let totals: Vec<f64> = order.iter().map(|tmm| chart.total(*tmm)).collect();
    order.sort_by(|a, b| totals[*b].total_cmp(&totals[*a]));
    let fastest = order.pop();
    order.truncate(most - 1);
    let slowest = order.len();
    order.extend(fastest);
    let note = match slowest {
        0 => format!("fastest of {all} TMMs"),
        1 => format!("slowest and fastest of {all} TMMs"),
        _ => format!("{slowest} slowest, 1 fastest of {all} TMMs"),
    };
    (order, Some(note))
}

/// The parts that take at least so much time on some TMM, set in lines from 0 down; how many lines.
fn legend(chart: &Parts, named: f64, size: Size, faces: &Faces) -> (Vec<Entry>, f64) {
    if named <= 0.0 {
        return (Vec::new(), 0.0);
    }
    let mut greatest = [0.0_f64; Part::COUNT];
    for tmm in 0..chart.snapshot.tmms.len() {
        for (greatest, mean) in greatest.iter_mut().zip(chart.means(tmm)) {
            *greatest = greatest.max(mean);
        }
    }
    let pitch = faces.line * 1.25;
    let (mut x, mut lines) = (4.0, 1.0);
    let mut entries = Vec::with_capacity(Part::COUNT);
    for (part, (_, words)) in Part::ALL.iter().enumerate() {
        if greatest[part] < named {
            continue;
        }
        let width = faces.small.size * 0.85 + 4.0 + text::width(words, faces.small);
        if x > 4.0 && x + width > size.width - 2.0 {
            x = 4.0;
            lines += 1.0;
        }
        entries.push(Entry {
            part,
            left: x,
            y: (lines - 0.5) * pitch + 2.0,
            words,
        });
        x += width + 12.0;
    }
    (entries, lines)
}
