//! How much room a text takes. There are no font metrics: an SVG is shown with whatever font the reader has, and a
//! canvas would have to be asked for every label of every frame.

use crate::scene::{Align, Face, Frame, Point};

/// The width of a text, in CSS pixels: never less than in the widest of the usual system fonts (`DejaVu` Sans, Verdana),
/// up to a fifth more than in narrower ones.
pub(crate) fn width(text: &str, face: Face) -> f64 {
    let em: f64 = text.chars().map(advance).sum();
    let weight = if face.bold { 1.11 } else { 1.0 };
    em * face.size * weight
}

/// The advance of a character in ems.
fn advance(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '\'' => 0.28,
        'f' | 't' | 'r' | 'I' | 'J' | '|' | '/' | '-' => 0.41,
        ' ' | '.' | ',' | ':' | ';' | '(' | ')' | '[' | ']' | '·' => 0.39,
        's' | 'c' | 'z' | 'k' | 'v' | 'x' | 'y' => 0.6,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 1.0,
        '→' | '←' | '×' | '+' | '<' | '>' | '=' | '~' | '≥' | '≤' | '–' | '…' => 0.85,
        'A'..='Z' | 'µ' => 0.78,
        ' '..='~' => 0.64,
        _ => 1.0,
    }
}

/// The height of a line of text, in CSS pixels.
pub(crate) const fn height(face: Face) -> f64 {
    face.size * 1.2
}

/// The room that a text takes when it is set at a place.
pub(crate) fn frame(text: &str, (x, y): Point, align: Align, face: Face) -> Frame {
    let (width, half) = (width(text, face), height(face) / 2.0);
    let left = match align {
        Align::Left => x,
        Align::Centre => x - width / 2.0,
        Align::Right => x - width,
    };
    Frame::new(left, y - half, left + width, y + half)
}
