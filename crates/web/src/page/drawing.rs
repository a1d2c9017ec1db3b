//! Drawing: what has changed, before the next picture of the window; and what is read off or taken away.

use subtable_charts::Chart;
use web_sys::HtmlCanvasElement;

use super::charts::{self, canvas::Paint};
use super::views::Layout;
use super::{Page, Runs, State, ask_for_frame, export, header, readings, theme, views};
use crate::dom;
use crate::words::Verdict;

impl Page {
    pub(super) fn set_layout(&mut self, layout: Layout) {
        self.views.choose(layout);
        self.address
            .note(&self.setting, self.compared().cloned().as_ref(), layout);
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

    pub(super) fn resized(&mut self, ids: &[String]) {
        self.charts.resized(ids);
        if ids.iter().any(|id| id == charts::AXIS) {
            self.look = self.look.wrapping_add(1);
        }
    }

    /// Draws what has changed.
    pub(super) fn draw(&mut self) {
        let Some(shown) = &self.shown else { return };
        let layout = self.views.layout();
        if self.news {
            let verdict = Verdict::of(&shown.snapshot, &shown.setting.scenario);
            header::show_verdict(&verdict);
            views::note(&shown.snapshot);
            self.log.show(
                shown.run,
                &shown.snapshot,
                shown.setting.scenario.log_every(),
            );
        }
        self.log.catch_up();
        if layout == Layout::Names {
            self.names
                .show(shown.run, &shown.snapshot, &shown.setting.scenario);
        }
        let paint = Paint {
            theme: self.theme.colours(),
            moves: !theme::motion_is_reduced(),
            look: self.look,
        };
        let settled = shown.snapshot.finished || self.state == State::Paused;
        let runs = Runs {
            shown,
            frozen: self.frozen.as_ref(),
        };
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
        }
        if std::mem::take(&mut self.news)
            && let Some((picture, ask)) = self.readings.present()
        {
            self.read(&picture, ask);
        }
    }

    /// Shows a value of a picture.
    pub(super) fn read(&mut self, picture: &readings::Picture, ask: readings::Ask) {
        let Some(shown) = &self.shown else { return };
        let runs = Runs {
            shown,
            frozen: self.frozen.as_ref(),
        };
        let readings = &mut self.readings;
        let asked = picture.clone();
        let show = |chart: &dyn Chart, size, canvas: &HtmlCanvasElement| {
            readings.show(asked, ask, chart, size, canvas);
        };
        match picture {
            readings::Picture::Chart(view) => self.charts.lend(view, runs, self.look, show),
            readings::Picture::Strip(tmm) => self.strips.lend(*tmm, runs, self.look, show),
        }
    }

    pub(super) fn save_picture(&mut self, view: &str) {
        let Some(shown) = &self.shown else { return };
        let frozen = self.frozen.as_ref();
        let theme = self.theme.colours();
        self.charts
            .lend(view, Runs { shown, frozen }, self.look, |chart, size, _| {
                export::save_picture(view, shown, &chart.svg(size, &theme));
            });
    }

    pub(super) fn save_table(&mut self, view: &str) {
        let Some(shown) = &self.shown else { return };
        if view == "table" {
            return export::save_table("tmms", shown, &export::tmm_table(&shown.snapshot));
        }
        let frozen = self.frozen.as_ref();
        self.charts
            .lend(view, Runs { shown, frozen }, self.look, |chart, _, _| {
                export::save_table(view, shown, &chart.table());
            });
    }
}
