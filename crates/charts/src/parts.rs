//! Where a request's time goes, TMM by TMM.

mod bars;
mod fills;

use subtable_model::Snapshot;
use subtable_model::results::Part;

use crate::axes::{self, Faces};
use crate::scene::Frame;
use crate::{Chart, Entry, Hidden, Marks, Reading, Scene, Series, Size, Table, Theme, format};
use bars::Layout;

/// Stacked bars: the mean time of a request of each TMM, part by part.
///
/// The mean is over the requests that the TMM accepted so far, those still on their way included with the time they have
/// taken. When there are more TMMs than bars fit, the slowest are shown, and the fastest.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The run.
    pub snapshot: &'a Snapshot,
    /// The parts that are left out; without the client's, for instance, those of the cluster are larger.
    pub hidden: Hidden,
}

impl<'a> Parts<'a> {
    /// The parts of a run's requests.
    #[must_use]
    pub const fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            hidden: Hidden::NOTHING,
        }
    }

    /// Mean time per request of a TMM, part by part, in nanoseconds.
    fn means(&self, tmm: usize) -> [f64; Part::COUNT] {
        let state = &self.snapshot.tmms[tmm];
        let requests = state.hits.max(1) as f64;
        let mut means = state.parts.map(|time| time as f64 / requests);
        for (mean, part) in means.iter_mut().zip(0_u8..) {
            if self.hidden.hides(Series::Part(part)) {
                *mean = 0.0;
            }
        }
        means
    }

    fn total(&self, tmm: usize) -> f64 {
        self.means(tmm).iter().sum()
    }
}

impl Chart for Parts<'_> {
    fn title(&self) -> String {
        let totals = (0..self.snapshot.tmms.len()).map(|tmm| (tmm, self.total(tmm)));
        match totals.max_by(|(_, a), (_, b)| a.total_cmp(b)) {
            Some((tmm, total)) if total > 0.0 => {
                let means = self.means(tmm);
                let parts = Part::ALL.iter().zip(means);
                let largest = parts.max_by(|(_, a), (_, b)| a.total_cmp(b));
                format!(
                    "Where a request's time goes: {} on TMM {tmm}, most of it in '{}'",
                    format::duration(total),
                    largest.map_or("", |((_, words), _)| *words),
                )
            }
            _ => "Where a request's time goes: no requests yet".to_owned(),
        }
    }

    fn scene(&self, size: Size, theme: &Theme) -> Scene {
        let mut scene = Scene::new(size, theme);
        let faces = Faces::new(size.width, theme);
        let layout = Layout::new(self, size, &faces);
        if layout.longest <= 0.0 {
            let whole = Frame::new(0.0, 0.0, size.width, size.height);
            axes::nothing(&mut scene, &whole, "no requests yet", faces.small);
        } else {
            layout.draw(self, &mut scene, (&faces, theme));
        }
        scene
    }

    fn len(&self, size: Size) -> usize {
        let faces = Faces::new(size.width, &Theme::light());
        Layout::new(self, size, &faces).segments(self).len()
    }

    fn nearest(&self, size: Size, x: f64, y: f64) -> Option<usize> {
        let faces = Faces::new(size.width, &Theme::light());
        let segments = Layout::new(self, size, &faces).segments(self);
        let distance = |frame: &Frame| {
            let across = (frame.left - x).max(x - frame.right).max(0.0);
            let down = (frame.top - y).max(y - frame.bottom).max(0.0);
            // Another bar is further away than another part of the same.
            across + 100.0 * down
        };
        segments
            .iter()
            .enumerate()
            .min_by(|(_, a), (_, b)| distance(&a.frame).total_cmp(&distance(&b.frame)))
            .map(|(number, _)| number)
    }

    fn reading(&self, size: Size, number: usize) -> Option<Reading> {
        let faces = Faces::new(size.width, &Theme::light());
        let segments = Layout::new(self, size, &faces).segments(self);
        let segment = segments.get(number)?;
        let (x, y) = segment.frame.centre();
        let share = segment.mean / self.total(segment.tmm);
        let text = format!(
            "TMM {}, {}: {}, {} of {}",
            segment.tmm,
            Part::ALL[segment.part].1,
            format::duration(segment.mean),
            format::percent(share),
            format::duration(self.total(segment.tmm)),
        );
        Some(Reading {
            x,
            y,
            text,
            position: None,
            marks: Marks::default().around(&segment.frame),
        })
    }

    fn series(&self) -> Vec<Entry> {
        let tmms = &self.snapshot.tmms;
        let taken = |part: usize| tmms.iter().any(|tmm| tmm.parts[part] > 0);
        (0_u8..)
            .zip(&Part::ALL)
            .filter(|(part, _)| taken(usize::from(*part)))
            .map(|(part, (_, words))| {
                Series::Part(part).entry(*words, fills::colour_name(usize::from(part)))
            })
            .collect()
    }

    fn table(&self, _size: Size) -> Table {
        let mut headers = vec!["TMM".to_owned(), "requests".to_owned()];
        headers.extend(Part::ALL.map(|(_, words)| format!("{words}, µs")));
        headers.push("together, µs".to_owned());
        let microseconds = |time: f64| format!("{:.1}", time / 1e3);
        let row = |tmm: usize| {
            let mut row = vec![tmm.to_string(), self.snapshot.tmms[tmm].hits.to_string()];
            row.extend(self.means(tmm).map(microseconds));
            row.push(microseconds(self.total(tmm)));
            row
        };
        Table {
            headers,
            rows: (0..self.snapshot.tmms.len()).map(row).collect(),
        }
    }
}
