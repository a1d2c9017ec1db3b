//! Published rates and the events of the run.

use std::fmt::Write as _;

use subtable_model::preset::PublishedRate;
use subtable_model::snapshot::RunEvent;

use super::Throughput;
use super::curves::Rates;
use super::plot::Plot;
use crate::Theme;
use crate::axes::Faces;
use crate::format;
use crate::labels::{Labels, around};
use crate::scene::{Align, Dash, Face, Frame, Point, Scene, faded};

/// Half the height of the diamond of a published rate.
const DIAMOND: f64 = 4.5;

impl Throughput<'_> {
    /// Published rates: a diamond where so many records were written, a dashed line for a whole run.
    pub(super) fn draw_published(
        &self,
        scene: &mut Scene,
        plot: &Plot,
        run: &Rates,
        labels: &mut Labels,
        (faces, theme): (&Faces, &Theme),
    ) {
        let face = Face {
            ink: theme.published.into(),
            ..faces.plain
        };
        for rate in self.published() {
            let (texts, places) = match rate.at_records {
                None => self.draw_whole_run(scene, plot, *rate, theme),
                Some(records) => {
                    let Some(mark) =
                        self.draw_at(scene, plot, run, (records, *rate), labels, theme)
                    else {
                        continue;
                    };
                    mark
                }
            };
            let places: Vec<(Point, Align)> = match places {
                Places::Around(at) => around(at, DIAMOND + 3.0, faces.line),
                Places::Along(y) => along(plot, y, faces.line),
            };
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            if let Some(label) = labels.place(&texts, face, &places) {
                label.draw(scene, face);
            }
        }
    }

    fn draw_whole_run(
        &self,
        scene: &mut Scene,
        plot: &Plot,
        rate: PublishedRate,
        theme: &Theme,
    ) -> (Vec<String>, Places) {
        let y = plot.rate.place(rate.per_s);
        let line = [(plot.frame.left, y), (plot.frame.right, y)];
        scene.dashes(&line, theme.published, 1.5, Dash(4.0, 4.0));
        let published = format!("published {}/s", format::number(rate.per_s));
        let here = self.run.snapshot.replies_per_s();
        let long = format!("{published}, here {}/s on average", format::number(here));
        (vec![long, published], Places::Along(y))
    }

    /// A mark at the moment at which so many records were written; none when that moment is not in sight.
    fn draw_at(
        &self,
        scene: &mut Scene,
        plot: &Plot,
        run: &Rates,
        (records, rate): (u64, PublishedRate),
        labels: &mut Labels,
        theme: &Theme,
    ) -> Option<(Vec<String>, Places)> {
        let at_s = self.when(records)?;
        if !plot.time.holds(at_s) {
            return None;
        }
        let at = plot.point(at_s, rate.per_s);
        let mut long = format!("published {}/s", format::number(rate.per_s));
        let short = long.clone();
        if records == 0 {
            long.push_str(" at first");
        } else {
            let _ = write!(long, " at {}", format::grouped(records));
            if let Some(here) = run.nearest(at_s).and_then(|index| run.get(index)) {
                let on_curve = plot.point(here.at_s, here.writes);
                scene.path([at, on_curve], faded(theme.published, 0.6), 1.0);
                scene.disc(on_curve, 3.0, theme.published);
                let _ = write!(long, ", here {}/s", format::number(here.writes));
            }
        }
        scene.polygon(diamond(at, DIAMOND + 1.5), theme.surface);
        scene.polygon(diamond(at, DIAMOND), theme.published);
        labels.take(Frame::new(at.0, at.1, at.0, at.1).inset(-DIAMOND));
        Some((vec![long, short], Places::Around(at)))
    }

    /// When the writes of the run reached a number, in seconds.
    fn when(&self, records: u64) -> Option<f64> {
        let series = &self.run.snapshot.series;
        if records == 0 {
            return Some(0.0);
        }
        let mut before = 0_u64;
        for (index, bin) in series.bins().iter().enumerate() {
            let writes = u64::from(bin.writes);
            if before + writes >= records {
                let share = (records - before) as f64 / writes as f64;
                return Some((index as f64 + share) * series.width() as f64 / 1e9);
            }
            before += writes;
        }
        None
    }

    /// The moment that the reader has gone back to: a line, and what comes after it pale.
    pub(super) fn draw_now(
        &self,
        scene: &mut Scene,
        plot: &Plot,
        labels: &mut Labels,
        (faces, theme): (&Faces, &Theme),
    ) {
        let Some(now) = self.now else { return };
        let at_s = now as f64 / 1e9;
        if !plot.time.holds(at_s) {
            return;
        }
        let x = plot.time.place(at_s);
        let Frame {
            top, right, bottom, ..
        } = plot.frame;
        scene.fill(
            Frame::new(x, top - 2.0, right + 2.0, bottom),
            faded(theme.surface, 0.6),
        );
        scene.path([(x, top), (x, bottom)], theme.ink, 1.5);
        let y = top + faces.line * 0.5;
        let places = [
            ((x + 5.0, y), Align::Left),
            ((x - 5.0, y), Align::Right),
            ((x + 5.0, y + faces.line), Align::Left),
            ((x - 5.0, y + faces.line), Align::Right),
        ];
        let face = Face {
            bold: true,
            ..faces.plain
        };
        let long = format!("now: {}", format::duration(now as f64));
        if let Some(label) = labels.place(&[&long, "now"], face, &places) {
            label.draw(scene, face);
        }
    }

    /// What happened: a dotted line down the plot and a word at its top. The end of the curve says that it is the end.
    pub(super) fn draw_events(
        &self,
        scene: &mut Scene,
        plot: &Plot,
        labels: &mut Labels,
        (faces, theme): (&Faces, &Theme),
    ) {
        for &(at, event) in &self.run.snapshot.events {
            let at_s = at as f64 / 1e9;
            if event == RunEvent::Finished || !plot.time.holds(at_s) {
                continue;
            }
            let x = plot.time.place(at_s);
            let line = [(x, plot.frame.top), (x, plot.frame.bottom)];
            scene.dashes(&line, theme.muted, 1.0, Dash(1.0, 3.0));
            let long = format!("{} at {}", event.label(), format::duration(at as f64));
            // From the foot upwards: the top is where curves and published rates are.
            let mut places = Vec::new();
            for row in 0..12 {
                let y = plot.frame.bottom - faces.line * (0.7 + f64::from(row));
                places.push(((x + 5.0, y), Align::Left));
                places.push(((x - 5.0, y), Align::Right));
            }
            let face = faces.small;
            if let Some(label) = labels.place(&[&long, event.label()], face, &places) {
                label.draw(scene, face);
            }
        }
    }
}

enum Places {
    Around(Point),
    Along(f64),
}

/// Places above and below a horizontal line, at its right end first.
fn along(plot: &Plot, y: f64, line: f64) -> Vec<(Point, Align)> {
    let mut places = Vec::new();
    for gap in [0.8, 1.6, 2.4, 3.4] {
        for y in [y - gap * line, y + gap * line] {
            places.push(((plot.frame.right - 2.0, y), Align::Right));
            places.push(((plot.frame.left + 6.0, y), Align::Left));
        }
    }
    places
}

fn diamond((x, y): Point, half: f64) -> [Point; 4] {
    [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]
}
