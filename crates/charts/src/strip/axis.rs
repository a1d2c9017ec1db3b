//! The axis of clicks: round numbers, as many as have room.

use super::alignment;
use crate::axes::Faces;
use crate::scene::{Align, Frame, Scene};
use crate::ticks::Ticks;
use crate::{Span, format, text};

/// The numbers of the axis, centred on a height.
pub(super) fn draw(scene: &mut Scene, frame: &Frame, shown: Span, y: f64, faces: &Faces) {
    let widest = text::width("100k", faces.small) + 6.0;
    let marks = marks(shown, frame.width(), widest);
    let width = |words: &str| text::width(words, faces.small);
    let mut free = f64::NEG_INFINITY;
    for (index, clicks) in marks.iter().enumerate() {
        let label = format::short(*clicks);
        let share = ((*clicks as f64).log10() - shown.from) / shown.length();
        let (x, align) = alignment(
            frame.left + frame.width() * share,
            width(&label) / 2.0,
            frame,
        );
        let with_unit = format!("{label} clicks");
        let last = index + 1 == marks.len() && frame.width() > 500.0;
        let label = if last && align == Align::Right {
            with_unit
        } else {
            label
        };
        let left = text::frame(&label, (x, y), align, faces.small).left;
        if left >= free {
            free = left + width(&label) + 4.0;
            scene.text(label, (x, y), align, faces.small);
        }
    }
}

/// Round numbers of clicks in a stretch of the axis, as many as have room: powers of ten, every second of them when all
/// would touch, and what is between them when only a few are shown.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "at most 10^7, not negative"
)]
pub(super) fn marks(shown: Span, width: f64, widest: f64) -> Vec<u64> {
    const FINE: [&[u64]; 3] = [&[1, 2, 3, 4, 5, 6, 7, 8, 9], &[1, 2, 5], &[1]];
    let most = (width / widest).max(2.0);
    let of = |multiples: &[u64], every: usize| -> Vec<u64> {
        let exponents = (0..=shown.to.ceil().max(0.0) as u32).step_by(every);
        exponents
            .flat_map(|exponent| multiples.iter().map(move |by| by * 10_u64.pow(exponent)))
            .filter(|clicks| {
                let place = (*clicks as f64).log10();
                place >= shown.from - 1e-9 && place <= shown.to + 1e-9
            })
            .collect()
    };
    // Less than a decade has no room for numbers that are even on another axis.
    if shown.length() < 0.5 {
        let (from, to) = (10_f64.powf(shown.from), 10_f64.powf(shown.to));
        let mut values: Vec<u64> = Ticks::between(from, to, most as usize)
            .values()
            .map(|value| value.round() as u64)
            .filter(|value| *value > 0)
            .collect();
        values.dedup();
        return values;
    }
    // As fine as there is room for it; of a whole axis the powers of ten are enough.
    let fine = if shown.length() > 2.5 { 2 } else { 0 };
    let fitting = FINE[fine..]
        .iter()
        .map(|multiples| of(multiples, 1))
        .find(|values| values.len() as f64 <= most + 1.0);
    fitting.unwrap_or_else(|| of(&[1], 2))
}
