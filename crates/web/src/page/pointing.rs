//! Reading values, and zooming: what the page does about pointers, wheels and keys on its pictures.

use subtable_charts::{Along, Chart, Gesture, Meaning, Size, Span};
use web_sys::HtmlCanvasElement;

use super::charts::overlay;
use super::looks::Axis;
use super::pointers::{Phase, Zoom};
use super::readings::{self, Ask, Picture};
use super::{Page, Runs, ask_for_frame, header, theme};
use crate::dom;

/// Rows whose values are said beside the one that is read.
const SAID: usize = 8;

/// The pointers on a picture.
#[derive(Default)]
pub struct Pointing {
    on: Option<Picture>,
    gesture: Gesture,
    /// The axis as it was when the pinch began.
    pinched: Option<Along>,
}

impl Pointing {
    /// Whether pointers are down that mean more than reading.
    pub fn is_busy(&self) -> bool {
        self.gesture.is_busy()
    }
}

impl Page {
    /// Lends a picture, if it is to be seen.
    fn lend_picture(
        &mut self,
        picture: &Picture,
        take: impl FnOnce(&dyn Chart, Size, &HtmlCanvasElement),
    ) {
        let Some(shown) = &self.shown else { return };
        let runs = Runs::of(
            shown,
            self.frozen.as_ref(),
            self.furthest.as_ref(),
            &self.many,
            &self.looks,
        );
        match picture {
            Picture::Chart(view) if view == "sweep" => {
                self.sweeping.lend(&self.looks, self.look, take);
            }
            Picture::Chart(view) => {
                let moves = !theme::motion_is_reduced();
                self.charts.lend(view, runs, self.look, moves, take);
            }
            Picture::Strip(tmm) => {
                let mut take = Some(take);
                self.strips
                    .lend(*tmm..tmm + 1, runs, self.look, |_, chart, size, canvas| {
                        if let Some(take) = take.take() {
                            take(chart, size, canvas);
                        }
                    });
            }
        }
    }

    /// Shows a value of a picture, and the same position in the others of its axis.
    pub(super) fn read(&mut self, picture: &Picture, ask: Ask) {
        let mut readings = std::mem::take(&mut self.readings);
        readings.clear();
        let mut found = None;
        self.lend_picture(picture, |chart, size, canvas| {
            if let Some((reading, is_other)) = readings.find(picture, ask, chart, size, canvas) {
                found = Some((reading, is_other, canvas.clone()));
            }
        });
        self.readings = readings;
        let Some((reading, is_other, canvas)) = found else {
            return self.readings.hide();
        };
        let mut text = reading.text;
        if let (Some(axis), Some(position)) = (picture.axis(), reading.position) {
            let others = self.follow(picture, axis, position);
            if !others.is_empty() && others.len() < SAID {
                text = format!("{text}; {}", others.join(", "));
            }
        }
        readings::tell(&text, &canvas, matches!(picture, Picture::Strip(_)));
        // What a pointer finds is seen; what comes again with other data was heard before.
        if is_other && !matches!(ask, Ask::At(..) | Ask::Near(_)) {
            header::speak(&text);
        }
    }

    /// Shows a position in all pictures of an axis but one. Returns what the strips say of it.
    fn follow(&mut self, but: &Picture, axis: Axis, position: f64) -> Vec<String> {
        let mut said = Vec::new();
        let mut readings = std::mem::take(&mut self.readings);
        for view in ["throughput", "histograms", "sweep"] {
            let other = Picture::Chart(view.to_owned());
            if Axis::of(view) == Some(axis) && other != *but {
                self.lend_picture(&other, |chart, size, canvas| {
                    if let Some(there) = chart.follow(size, position) {
                        readings.mark(canvas, &there);
                    }
                });
            }
        }
        if let (Axis::Clicks, Some(shown)) = (axis, &self.shown) {
            let runs = Runs::of(
                shown,
                self.frozen.as_ref(),
                self.furthest.as_ref(),
                &self.many,
                &self.looks,
            );
            let rows = self.strips.seen();
            self.strips
                .lend(rows, runs, self.look, |tmm, chart, size, canvas| {
                    if *but == Picture::Strip(tmm) {
                        return;
                    }
                    if let Some(there) = chart.follow(size, position) {
                        readings.mark(canvas, &there);
                        if matches!(but, Picture::Strip(_)) {
                            said.push(there.text);
                        }
                    }
                });
        }
        self.readings = readings;
        said
    }

    /// Takes the value away; one that keys brought stays while a pointer passes elsewhere.
    pub(super) fn read_nothing(&mut self, keys: bool) {
        if keys || !self.readings.is_by_keys() {
            self.readings.hide();
            self.pointing.gesture.cancel();
        }
    }

    /// The strip of another TMM, at the same position.
    pub(super) fn other_strip(&mut self, by: isize) {
        let position = self.readings.position();
        if let Some(tmm) = self.strips.focus_other(by) {
            let ask = position.map_or(Ask::First, Ask::Near);
            self.read(&Picture::Strip(tmm), ask);
            let text = dom::get("reading").text_content();
            header::speak(&text.unwrap_or_default());
        }
    }

    /// A pointer on a picture.
    pub(super) fn point(
        &mut self,
        picture: &Picture,
        phase: Phase,
        (id, finger): (i32, bool),
        (x, y): (f64, f64),
    ) {
        if self.pointing.on.as_ref() != Some(picture) {
            self.pointing.gesture.cancel();
            self.pointing.on = Some(picture.clone());
        }
        let gesture = &mut self.pointing.gesture;
        let meaning = match phase {
            Phase::Press => gesture.press(id, x, finger),
            Phase::Slide => gesture.slide(id, x),
            Phase::Lift => gesture.lift(id, x),
            Phase::Cancel => {
                gesture.cancel();
                Meaning::Nothing
            }
        };
        if self.pointing.gesture.begins_pinch() {
            self.pointing.pinched = self.along(picture, x);
        }
        match meaning {
            Meaning::Read => self.read(picture, Ask::At(x, y)),
            Meaning::Drawing(from, to) => {
                self.read(picture, Ask::At(x, y));
                self.draw_stretch(picture, (from, to));
            }
            Meaning::Drawn(from, to) => {
                if let (Some(axis), Some(along)) = (picture.axis(), self.along(picture, from)) {
                    let span = Span::between(along.value(from), along.value(to), along.whole);
                    self.show_stretch(axis, span, along);
                }
                self.read(picture, Ask::At(x, y));
            }
            Meaning::Pinch(from, to) => {
                if let (Some(axis), Some(along)) = (picture.axis(), self.pointing.pinched) {
                    self.readings.hide();
                    self.show_stretch(axis, along.pinched(from, to), along);
                }
            }
            Meaning::Nothing => {}
        }
    }

    fn draw_stretch(&mut self, picture: &Picture, (from, to): (f64, f64)) {
        let mut overlay = None;
        self.lend_picture(picture, |chart, size, canvas| {
            if let Some(along) = chart.along(size, from) {
                let ends = (along.start, along.end);
                let places = (from.clamp(ends.0, ends.1), to.clamp(ends.0, ends.1));
                overlay = Some(overlay::draw_stretch(canvas, places, size.height));
            }
        });
        if let Some(overlay) = overlay {
            self.readings.keep(overlay);
        }
    }

    fn along(&mut self, picture: &Picture, x: f64) -> Option<Along> {
        let mut along = None;
        self.lend_picture(picture, |chart, size, _| along = chart.along(size, x));
        along
    }

    fn show_stretch(&mut self, axis: Axis, span: Span, along: Along) {
        let zoom = (!span.covers(along.whole)).then_some(span);
        if self.looks.zoom(axis) != zoom {
            self.looks.set_zoom(axis, zoom);
            self.look_again();
            ask_for_frame();
        }
    }

    /// Another stretch of a picture's axis.
    pub(super) fn zoom(&mut self, picture: &Picture, zoom: Zoom) {
        let Some(axis) = picture.axis() else { return };
        let place = match zoom {
            Zoom::Scale(_, place) => place,
            _ => None,
        };
        let Some(along) = self.along(picture, place.unwrap_or(0.0)) else {
            return;
        };
        let Along { shown, whole, .. } = along;
        let span = match zoom {
            Zoom::Scale(factor, place) => {
                let about = match (place, self.readings.position()) {
                    (Some(place), _) => along.value(place),
                    (None, Some(position)) => position,
                    (None, None) => f64::midpoint(shown.from, shown.to),
                };
                shown.scaled(about, factor, whole)
            }
            Zoom::Move(share) => shown.moved(share, whole),
            Zoom::Out => whole,
        };
        if place.is_none() {
            header::speak(&axis.words(span));
        }
        self.show_stretch(axis, span, along);
    }

    /// All of the axis of a view.
    pub(super) fn unzoom(&mut self, view: &str) {
        if let Some(axis) = Axis::of(view) {
            self.looks.set_zoom(axis, None);
            self.look_again();
            ask_for_frame();
        }
    }
}
