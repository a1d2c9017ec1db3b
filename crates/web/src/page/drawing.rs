//! Drawing: what has changed, before the next picture of the window; and what is read off or taken away.

use subtable_charts::{Chart, Size};

use super::charts::{self, canvas::Paint};
use super::views::Layout;
use super::{
    Page, Runs, Shown, State, address, ask_for_frame, export, header, legends, log, memory, strips,
    theme, views,
};
use crate::dom;
use crate::words::Verdict;

impl Page {
    pub(super) fn set_layout(&mut self, layout: Layout) {
        self.views.choose(layout);
        legends::suit(layout);
        self.readings.hide();
        self.note_address();
        self.look_again();
    }

    pub(super) fn next_theme(&mut self) {
        self.theme = self.theme.next();
        self.theme.store();
        self.theme.show();
        self.look_again();
    }

    /// Other TMMs in the large histograms.
    pub(super) fn turn_page(&mut self, onward: bool) {
        if let Some(shown) = &self.shown {
            self.charts.turn_page(&shown.snapshot, self.look, onward);
        }
    }

    /// Everything may look different now.
    pub(super) fn look_again(&mut self) {
        self.look = self.look.wrapping_add(1);
        self.charts.look_again();
    }

    /// The browser drops drawings when it is short of memory, and tells when there is room again.
    pub(super) fn pictures(&mut self, lost: bool) {
        header::clear_warnings();
        if lost {
            header::warn(
                "The browser has dropped the drawings of the charts, as it does when it is short of memory. They come back \
                 by themselves or when the page is loaded anew: the address holds the run. The tables hold all values.",
            );
        } else {
            self.look_again();
        }
    }

    /// Paper is light whatever the theme, and there is no later frame: the drawings change at once.
    pub(super) fn print(&mut self, begins: bool) {
        theme::set_paper(begins);
        self.look_again();
        self.draw();
    }

    pub(super) fn resized(&mut self, boxes: &[(String, f64)]) {
        self.charts.resized(boxes);
        for (id, height) in boxes {
            match id.as_str() {
                "c-sweep" => self.sweeping.resized(),
                charts::AXIS => self.look = self.look.wrapping_add(1),
                strips::BOX => self.strips.resized(*height),
                log::BOX => self.log.resized(*height),
                _ => {}
            }
        }
    }

    /// How charts are to look at the moment.
    fn paint(&self) -> Paint {
        Paint {
            theme: self.theme.colours(),
            moves: !theme::motion_is_reduced(),
            look: self.look,
        }
    }

    /// Draws what has changed.
    pub(super) fn draw(&mut self) {
        let banded = self.make_bands();
        if banded {
            self.news = true;
        }
        if views::is_shown("published") {
            self.draw_published();
        }
        if views::is_shown("session") {
            self.show_session();
        }
        if views::is_shown("sweep") {
            let paint = self.paint();
            self.draw_sweep(&paint);
        }
        let paint = self.paint();
        let Some(shown) = &self.shown else { return };
        let settled = shown.snapshot.finished || self.state == State::Paused;
        if self.news {
            let verdict = Verdict::of(&shown.snapshot, &shown.setting.scenario);
            header::show_verdict(&verdict);
            views::note(&shown.snapshot);
            self.show_time();
            self.log.show(
                shown.run,
                &shown.snapshot,
                shown.setting.scenario.log_every(),
                settled,
            );
        }
        self.log.catch_up();
        if views::is_shown("names") {
            self.names
                .show(shown.run, &shown.snapshot, &shown.setting.scenario);
        }
        if views::is_shown("memory") {
            self.memory.show(shown.run, &shown.snapshot);
        }
        let runs = Runs::of(
            shown,
            self.frozen.as_ref(),
            self.furthest.as_ref(),
            &self.many,
            &self.looks,
        );
        if self.strips.draw(runs, self.news, settled, &paint) {
            ask_for_frame();
        }
        self.charts.draw(runs, self.news, settled, &paint);
        if self.news
            && shown.snapshot.finished
            && self.session.is_latest()
            && self.state != State::Failed
        {
            let text = Verdict::of(&shown.snapshot, &shown.setting.scenario).text();
            if let Some(hash) = shown.hash.clone() {
                let _ = dom::root().dataset().set("resultHash", &hash);
            }
            if self.state != State::Finished {
                header::speak(&text);
            }
            self.set_state(State::Finished);
            self.check_expected();
            self.tell_answer();
        }
        let looks_new = self.drawn_look.replace(self.look) != Some(self.look);
        let news = std::mem::take(&mut self.news);
        if news || looks_new {
            self.draw_legends();
        }
        if (news || looks_new)
            && !self.pointing.is_busy()
            && let Some((picture, ask)) = self.readings.present()
        {
            self.read(&picture, ask);
        }
    }

    /// Lends a chart of a view, with its size.
    pub(super) fn lend(&mut self, view: &str, take: impl FnOnce(&dyn Chart, Size, &Shown)) {
        let Some(shown) = &self.shown else { return };
        let runs = Runs::of(
            shown,
            self.frozen.as_ref(),
            self.furthest.as_ref(),
            &self.many,
            &self.looks,
        );
        if view == "sweep" {
            self.sweeping
                .lend(&self.looks, self.look, |chart, size, _| {
                    take(chart, size, shown);
                });
        } else {
            self.charts
                .lend(view, runs, self.look, false, |chart, size, _| {
                    take(chart, size, shown);
                });
        }
    }

    pub(super) fn save_picture(&mut self, view: &str) {
        let theme = self.theme.colours();
        self.lend(view, |chart, size, shown| {
            export::save_picture(view, shown, &chart.svg(size, &theme));
        });
    }

    pub(super) fn save_image(&mut self, view: &str) {
        let theme = self.theme.colours();
        self.lend(view, |chart, size, shown| {
            export::save_image(view, shown, &chart.scene(size, &theme), size);
        });
    }

    pub(super) fn save_table(&mut self, view: &str) {
        let bands = self.shown.as_ref().and_then(|shown| self.many.bands(shown));
        match (&self.shown, view) {
            (Some(shown), "table") => {
                export::save_table("tmms", shown, &export::tmm_table(&shown.snapshot, bands));
            }
            (Some(shown), "subtables") => {
                export::save_table("subtables", shown, &memory::table(&shown.snapshot));
            }
            _ => self.lend(view, |chart, size, shown| {
                export::save_table(view, shown, &chart.table(size));
            }),
        }
    }

    pub(super) fn copy_table(&mut self, view: &str) {
        self.lend(view, |chart, size, _| {
            address::copy(&export::tabs(&chart.table(size)), "The table is copied.");
        });
    }
}
