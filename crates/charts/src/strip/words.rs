//! The words in and over a histogram.

use super::{Histogram, Strip};
use crate::axes::Faces;
use crate::labels::Labels;
use crate::scene::{Align, Dash, Face, Frame, Point, Scene, faded};
use crate::{Series, Theme, format, text};

impl Strip<'_> {
    /// What is in the panel, and what was published of it.
    pub(super) fn draw_header(
        &self,
        scene: &mut Scene,
        frame: &Frame,
        bars: &Frame,
        labels: &mut Labels,
        (faces, theme): (&Faces, &Theme),
    ) {
        let all = &self.tmm.all;
        let y = frame.top + faces.line * 0.55;
        let name = format!("TMM {}", self.number);
        let after = frame.left + text::width(&name, faces.bold) + 8.0;
        scene.text(name, (frame.left, y), Align::Left, faces.bold);
        let long = match all.n {
            0 => "no writes yet".to_owned(),
            n => format!(
                "{} writes, average {}",
                format::grouped(n),
                format::number(all.avg)
            ),
        };
        let short = format!("avg {}", format::number(all.avg));
        let places = [((after, y), Align::Left)];
        if let Some(label) = labels.place(&[&long, &short], faces.small, &places) {
            label.draw(scene, faces.small);
        }
        let shown = !self.hidden.hides(Series::Published);
        let Some(published) = self.published.filter(|_| shown) else {
            return;
        };
        let face = Face {
            ink: theme.published.into(),
            ..faces.small
        };
        let average = format!("published average {}", format::number(published.avg));
        let short = format!("published {}", format::number(published.avg));
        let places = [((frame.right, y), Align::Right)];
        if let Some(label) = labels.place(&[&average, &short], face, &places) {
            label.draw(scene, face);
        }
        let decades = published.avg.max(1.0).log10();
        if !self.shown().holds(decades) {
            return;
        }
        let x = self.place(decades, bars);
        let line = [(x, bars.top), (x, bars.bottom)];
        // A strip of background keeps it apart from bars of whatever colour.
        let strip = Frame::new(x - 2.0, bars.top, x + 2.0, bars.bottom);
        scene.fill(strip, faded(theme.surface, 0.8));
        scene.dashes(&line, theme.published, 1.5, Dash(2.0, 2.0));
    }

    /// No words on bars.
    pub(super) fn take_bars(&self, histogram: &Histogram, bars: &Frame, labels: &mut Labels) {
        let tallest = self.tallest(histogram);
        for cell in histogram.cells().iter().filter(|cell| cell.count() > 0) {
            let (from, to) = cell.decades();
            let height = self.height(cell.density(cell.count() as f64), tallest, bars);
            let (left, right) = (self.place(from, bars), self.place(to, bars));
            let top = bars.bottom - height - 1.0;
            labels.take(Frame::new(left, top, right, bars.bottom));
        }
    }

    /// The words `local` and `remote` beside their bars, where there is room.
    pub(super) fn draw_places(
        &self,
        scene: &mut Scene,
        histogram: &Histogram,
        bars: &Frame,
        labels: &mut Labels,
        (faces, theme): (&Faces, &Theme),
    ) {
        let local: fn(&super::bins::Cell) -> u64 = |cell| cell.local;
        for (word, count, colour) in [
            ("local", local, theme.local),
            ("remote", |cell| cell.remote, theme.remote),
        ] {
            let share = histogram.cells().iter().map(count).sum::<u64>() as f64
                / histogram.total().max(1) as f64;
            // A word for what can hardly be seen would be larger than the thing.
            if share < 0.02 {
                continue;
            }
            let face = Face {
                ink: colour.into(),
                ..faces.plain
            };
            let places = self.beside(histogram, count, bars, faces);
            if let Some(label) = labels.place(&[word], face, &places) {
                label.draw(scene, face);
            }
        }
    }

    /// Places left and right of the median of what is counted, nearest first, at two heights.
    fn beside(
        &self,
        histogram: &Histogram,
        count: impl Fn(&super::bins::Cell) -> u64,
        bars: &Frame,
        faces: &Faces,
    ) -> Vec<(Point, Align)> {
        let half = histogram.cells().iter().map(&count).sum::<u64>() / 2;
        let mut before = 0;
        let middle = histogram.cells().iter().find(|cell| {
            before += count(cell);
            before > half
        });
        let middle = middle.map_or(0.0, |cell| {
            f64::midpoint(cell.decades().0, cell.decades().1)
        });
        let x = self.place(middle, bars);
        let mut places = Vec::with_capacity(64);
        for step in 1..24 {
            for y in [bars.top + faces.line * 0.5, bars.top + faces.line * 1.5] {
                let away = f64::from(step) * 6.0;
                places.push(((x + away, y), Align::Left));
                places.push(((x - away, y), Align::Right));
            }
        }
        places
    }
}
