//! Going back and forth over what has run: the slider of time and its keys.

use web_sys::HtmlInputElement;

use super::controls::fill;
use super::{Page, Shown, State};
use crate::protocol::Place;
use crate::{dom, words};

/// Places on the slider, beside its first.
const PLACES: u64 = 1000;

impl Page {
    /// How far the run that is shown has been seen to go.
    pub(super) fn furthest(&self) -> Option<&Shown> {
        self.furthest.as_ref().or(self.shown.as_ref())
    }

    /// Takes a report of the run that is shown, and keeps the furthest one when this goes back.
    pub(super) fn show_report(&mut self, report: Shown) {
        let before = self.shown.replace(report);
        let Some(shown) = &self.shown else { return };
        self.furthest = self
            .furthest
            .take()
            .or(before)
            .filter(|far| far.run == shown.run && far.snapshot.now > shown.snapshot.now);
        self.news = true;
    }

    /// The slider was moved to a place: the run pauses there.
    pub(super) fn scrub(&mut self, place: u64) {
        let Some(reached) = self.furthest().map(|far| far.snapshot.now) else {
            return;
        };
        let place = place.min(PLACES);
        // In two parts: the product of the whole may not fit.
        let instant = reached / PLACES * place + reached % PLACES * place / PLACES;
        self.seek(Place::Instant(instant));
        show(instant, reached);
    }

    /// The slider is to move by that many hundredths.
    pub(super) fn scrub_by(&mut self, hundredths: i64) {
        let place: u64 = slider().value().parse().unwrap_or_default();
        let hundredth = (PLACES / 100).cast_signed();
        self.scrub(place.saturating_add_signed(hundredths * hundredth));
    }

    /// Back by one reply.
    pub(super) fn step_back(&mut self) {
        self.seek(Place::ReplyBefore);
    }

    fn seek(&mut self, to: Place) {
        let can = self.freezing.is_none() && self.state != State::Failed && self.shown.is_some();
        if can && self.session.seek(to) {
            self.set_state(State::Paused);
        }
    }

    /// Shows where in time the run is, unless the reader has just asked for another place.
    pub(super) fn show_time(&self) {
        if let (Some(shown), Some(far)) = (&self.shown, self.furthest())
            && self.session.is_latest()
        {
            show(shown.snapshot.now, far.snapshot.now);
        }
    }
}

fn slider() -> HtmlInputElement {
    dom::get_as("time")
}

fn show(now: u64, reached: u64) {
    let slider = slider();
    slider.set_disabled(reached == 0);
    let (all, places) = (u128::from(reached.max(1)), u128::from(PLACES));
    let nearest = (u128::from(now) * places + all / 2) / all;
    slider.set_value(&nearest.to_string());
    fill(&slider);
    let text = if now < reached {
        format!("{} of {}", words::time(now), words::time(reached))
    } else {
        words::time(now)
    };
    dom::set(&slider, "aria-valuetext", &text);
    dom::set_text(&dom::get("time-words"), &words::time(now));
}
