//! Finding room for words: beside what they name, inside the picture, on no other word, and off the curves.

use crate::scene::{Align, Face, Frame, Point, Scene};
use crate::text;

/// Places words one after the other; who comes first has the choice.
#[derive(Debug)]
pub(crate) struct Labels {
    within: Frame,
    taken: Vec<Frame>,
    lines: Vec<(Point, Point)>,
}

/// A text at a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Placed {
    pub text: String,
    pub at: Point,
    pub align: Align,
}

impl Placed {
    pub fn draw(self, scene: &mut Scene, face: Face) {
        scene.text(self.text, self.at, self.align, face);
    }
}

impl Labels {
    /// Room inside a frame.
    pub const fn within(frame: Frame) -> Self {
        Self {
            within: frame,
            taken: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// No word may lie there.
    pub fn take(&mut self, frame: Frame) {
        self.taken.push(frame);
    }

    /// Words had better not lie on this line.
    pub fn avoid(&mut self, line: &[Point]) {
        self.lines
            .extend(line.windows(2).map(|pair| (pair[0], pair[1])));
    }

    /// The first of the texts, longest first, that has a place clear of everything; else the one that crosses the fewest
    /// lines; none when every place is taken or outside.
    pub fn place(
        &mut self,
        texts: &[&str],
        face: Face,
        places: &[(Point, Align)],
    ) -> Option<Placed> {
        let mut best: Option<(usize, &str, Point, Align)> = None;
        'texts: for text in texts {
            for &(at, align) in places {
                let Some(crossings) = self.crossings(&text::frame(text, at, align, face)) else {
                    continue;
                };
                if best.is_none_or(|(fewest, ..)| crossings < fewest) {
                    best = Some((crossings, text, at, align));
                }
                if crossings == 0 {
                    break 'texts;
                }
            }
        }
        let (_, text, at, align) = best?;
        self.take(text::frame(text, at, align, face));
        Some(Placed {
            text: text.to_owned(),
            at,
            align,
        })
    }

    /// Lines that cross a frame; none when it is taken or outside.
    fn crossings(&self, frame: &Frame) -> Option<usize> {
        if !frame.is_within(&self.within) || self.taken.iter().any(|taken| taken.overlaps(frame)) {
            return None;
        }
        Some(
            self.lines
                .iter()
                .filter(|(from, to)| crosses(*from, *to, frame))
                .count(),
        )
    }
}

/// Whether a straight line meets a frame (Liang and Barsky's clipping).
fn crosses((x0, y0): Point, (x1, y1): Point, frame: &Frame) -> bool {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (toward, room) in [
        (-dx, x0 - frame.left),
        (dx, frame.right - x0),
        (-dy, y0 - frame.top),
        (dy, frame.bottom - y0),
    ] {
        if toward == 0.0 {
            if room < 0.0 {
                return false;
            }
        } else if toward < 0.0 {
            enter = enter.max(room / toward);
        } else {
            leave = leave.min(room / toward);
        }
    }
    enter <= leave
}

/// Places around a point, nearest first: right, left, above, below, each at a distance.
pub(crate) fn around((x, y): Point, gap: f64, line: f64) -> Vec<(Point, Align)> {
    let up = gap + line / 2.0;
    let mut places = Vec::with_capacity(24);
    for rise in [0.0, up, up + line, up + 2.0 * line, up + 4.0 * line] {
        for y in [y - rise, y + rise] {
            places.push(((x + gap, y), Align::Left));
            places.push(((x - gap, y), Align::Right));
            if rise > 0.0 {
                places.push(((x, y), Align::Centre));
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Theme;

    fn face() -> Face {
        Face {
            size: 11.0,
            bold: false,
            ink: Theme::light().ink.into(),
        }
    }

    #[test]
    fn a_line_meets_a_frame_or_not() {
        let frame = Frame::new(10.0, 10.0, 20.0, 20.0);
        assert!(crosses((0.0, 15.0), (30.0, 15.0), &frame));
        assert!(crosses((15.0, 15.0), (16.0, 16.0), &frame));
        assert!(crosses((0.0, 0.0), (30.0, 30.0), &frame));
        assert!(!crosses((0.0, 0.0), (30.0, 0.0), &frame));
        assert!(!crosses((0.0, 15.0), (9.0, 15.0), &frame));
        assert!(!crosses((0.0, 25.0), (8.0, 4.0), &frame));
    }

    #[test]
    fn words_keep_off_each_other_and_the_edge() {
        let mut labels = Labels::within(Frame::new(0.0, 0.0, 240.0, 120.0));
        let mut placed = Vec::new();
        for _ in 0..20 {
            let spots = around((120.0, 60.0), 4.0, 13.0);
            if let Some(label) = labels.place(&["a word", "word", "w"], face(), &spots) {
                placed.push(text::frame(&label.text, label.at, label.align, face()));
            }
        }
        assert!(placed.len() >= 3, "{}", placed.len());
        for (index, frame) in placed.iter().enumerate() {
            assert!(frame.is_within(&Frame::new(0.0, 0.0, 240.0, 120.0)));
            assert!(placed[..index].iter().all(|other| !other.overlaps(frame)));
        }
    }

    #[test]
    fn a_shorter_text_goes_where_the_longer_would_cross_a_line() {
        let mut labels = Labels::within(Frame::new(0.0, 0.0, 200.0, 20.0));
        labels.avoid(&[(60.0, 0.0), (60.0, 20.0)]);
        let spots = [((0.0, 10.0), Align::Left)];
        let placed = labels.place(&["a rather long text", "short"], face(), &spots);
        assert_eq!(placed.map(|placed| placed.text).as_deref(), Some("short"));
    }
}
