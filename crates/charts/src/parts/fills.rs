//! What each part looks like: colours that mean something where there are any, else greys told apart by their pattern.

use subtable_model::results::Part;

use crate::Theme;
use crate::scene::{Frame, Ink, Point, Scene, faded};

/// Lines over a fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pattern {
    Plain,
    Rising,
    Falling,
    Upright,
}

/// Distance of the lines of a pattern, in CSS pixels.
const SPACING: f64 = 5.0;

/// Fills a frame as a part is filled.
pub(super) fn fill(scene: &mut Scene, part: usize, frame: Frame, theme: &Theme) {
    let (ink, pattern) = look(part, theme);
    scene.fill(frame, ink);
    let lines = faded(theme.surface, 0.75);
    match pattern {
        Pattern::Plain => {}
        Pattern::Upright => {
            let mut x = frame.left + SPACING / 2.0;
            while x < frame.right - 1.0 {
                scene.fill(Frame::new(x, frame.top, x + 1.0, frame.bottom), lines);
                x += SPACING;
            }
        }
        Pattern::Rising | Pattern::Falling => {
            let mut start = frame.left - frame.height();
            while start < frame.right {
                if let Some(line) = slant(start, &frame, pattern == Pattern::Rising) {
                    scene.path(line, lines, 1.0);
                }
                start += SPACING;
            }
        }
    }
}

/// A line at 45 degrees that would start at `start` on the lower edge (upper, when it falls), cut to the frame.
fn slant(start: f64, frame: &Frame, rising: bool) -> Option<[Point; 2]> {
    let from = (frame.left - start).max(0.0);
    let to = (frame.right - start).min(frame.height());
    if to - from < 0.5 {
        return None;
    }
    let y = |along: f64| {
        if rising {
            frame.bottom - along
        } else {
            frame.top + along
        }
    };
    Some([(start + from, y(from)), (start + to, y(to))])
}

fn look(part: usize, theme: &Theme) -> (Ink, Pattern) {
    let Some((part, _)) = Part::ALL.get(part) else {
        return (faded(theme.muted, 0.3), Pattern::Plain);
    };
    match part {
        Part::Client => (faded(theme.muted, 0.3), Pattern::Plain),
        Part::Network => (faded(theme.muted, 0.45), Pattern::Upright),
        Part::AcceptorQueue => (theme.muted.into(), Pattern::Plain),
        Part::Work => (faded(theme.muted, 0.6), Pattern::Plain),
        Part::Hop => (faded(theme.remote, 0.6), Pattern::Upright),
        Part::OwnerQueue => (theme.remote.into(), Pattern::Plain),
        Part::Service => (theme.ink.into(), Pattern::Plain),
        Part::Enumeration => (theme.muted.into(), Pattern::Rising),
        Part::Log => (theme.log.into(), Pattern::Plain),
        Part::Discovery => (faded(theme.muted, 0.6), Pattern::Falling),
    }
}

/// The colour of words on a part.
pub(super) fn words(part: usize, theme: &Theme) -> Ink {
    match Part::ALL.get(part).map(|(part, _)| part) {
        Some(Part::Client | Part::Network | Part::Work | Part::Hop | Part::Discovery) | None => {
            theme.ink.into()
        }
        Some(_) => theme.surface.into(),
    }
}

/// Whether words on a part can be read: not over lines.
pub(super) fn takes_words(part: usize, theme: &Theme) -> bool {
    look(part, theme).1 == Pattern::Plain
}

/// The name of the colour of a part.
pub(super) fn colour_name(part: usize) -> &'static str {
    let theme = Theme::light();
    let (ink, _) = look(part, &theme);
    let named = [
        (theme.local, "local"),
        (theme.remote, "remote"),
        (theme.log, "log"),
    ];
    named
        .into_iter()
        .find(|(colour, _)| ink.colour == *colour)
        .map_or("other", |(_, name)| name)
}
