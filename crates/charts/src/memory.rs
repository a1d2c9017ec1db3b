//! What each TMM stores.

use std::fmt::Write as _;

use subtable_model::Snapshot;
use subtable_model::snapshot::Stored;

use crate::axes::{self, Faces};
use crate::scene::{Align, Frame, Scene, faded};
use crate::{Chart, Marks, Reading, Size, Table, Theme, format, text};

/// Bars of the bytes that each TMM stores as the owner of subtables, entries that nothing will find any more hatched.
///
/// When there are more TMMs than bars fit, those that store most are shown, and the one that stores least.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'a> {
    /// The run at that moment.
    pub snapshot: &'a Snapshot,
}

impl<'a> Memory<'a> {
    /// The memory of a run.
    #[must_use]
    pub const fn new(snapshot: &'a Snapshot) -> Self {
        Self { snapshot }
    }

    fn stored(self, tmm: usize) -> Stored {
        self.snapshot.tmms[tmm].stored
    }

    /// Entries of each TMM's subtables that have gone because their time had come.
    fn expired(self) -> Vec<u64> {
        let mut expired = vec![0; self.snapshot.tmms.len()];
        for subtable in &self.snapshot.subtables {
            if let Some(sum) = expired.get_mut(subtable.owner as usize) {
                *sum += subtable.expired;
            }
        }
        expired
    }

    fn layout(self, size: Size, faces: &Faces) -> Layout {
        let all = self.snapshot.tmms.len();
        let name = text::width(&format!("TMM {}", all.saturating_sub(1)), faces.small);
        let left = name + 10.0;
        let (words, short) = if size.width >= WIDE {
            ("888,888,888 entries, 888.8 GiB", false)
        } else {
            ("888.8 GiB", true)
        };
        let right = (size.width - text::width(words, faces.plain) - 10.0).max(left + 10.0);
        let greatest = (0..all)
            .map(|tmm| self.stored(tmm).bytes)
            .max()
            .unwrap_or(0);
        let height = (size.height - 4.0 - faces.line * 1.4).max(faces.line);
        let (tmms, note) = self.choose(height, faces.line);
        let height = if note.is_some() {
            height - faces.line
        } else {
            height
        };
        let pitch = (height / tmms.len().max(1) as f64).min(faces.line * 3.4);
        Layout {
            tmms,
            note,
            left,
            right,
            pitch,
            greatest,
            short,
        }
    }

    /// The TMMs that get a bar, and a note when that is not all of them: those that store most, and the least.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "few bars, not negative"
    )]
    fn choose(self, height: f64, line: f64) -> (Vec<usize>, Option<String>) {
        let all = self.snapshot.tmms.len();
        let fit = |height: f64| (height / (line * 1.1)) as usize;
        if all <= fit(height).max(1) {
            return ((0..all).collect(), None);
        }
        let most = fit(height - line).max(2);
        let mut order: Vec<usize> = (0..all).collect();
        order.sort_by_key(|&tmm| std::cmp::Reverse(self.stored(tmm).bytes));
        let least = order.pop();
        order.truncate(most - 1);
        let fullest = order.len();
        order.extend(least);
        let note = format!("{fullest} fullest, 1 emptiest of {all} TMMs");
        (order, Some(note))
    }

    fn words(self, tmm: usize, expired: u64) -> String {
        let stored = self.stored(tmm);
        let mut words = format!(
            "TMM {tmm} stores {} entries in {} subtables, {}",
            format::grouped(stored.entries),
            format::grouped(stored.subtables),
            format::bytes(stored.bytes),
        );
        if stored.orphans > 0 {
            let _ = write!(
                words,
                "; {} of them are orphans",
                format::grouped(stored.orphans)
            );
        }
        if expired > 0 {
            let _ = write!(words, "; {} have expired", format::grouped(expired));
        }
        words
    }
}

/// Width from which entries stand beside the bytes.
const WIDE: f64 = 400.0;

/// Where the bars are.
struct Layout {
    /// The TMMs that have a bar, top to bottom.
    tmms: Vec<usize>,
    /// What is left out.
    note: Option<String>,
    left: f64,
    right: f64,
    /// From one bar to the next.
    pitch: f64,
    /// The most bytes of a TMM.
    greatest: u64,
    /// Only bytes stand beside the bars.
    short: bool,
}

impl Layout {
    fn bar(&self, row: usize, bytes: u64) -> Frame {
        let middle = 4.0 + self.pitch * (row as f64 + 0.5);
        let half = (self.pitch * 0.36).max(2.0);
        let share = bytes as f64 / self.greatest.max(1) as f64;
        let right = self.left + (self.right - self.left) * share;
        Frame::new(self.left, middle - half, right, middle + half)
    }
}

impl Chart for Memory<'_> {
    fn title(&self) -> String {
        let sum = |of: fn(&Stored) -> u64| -> u64 {
            self.snapshot.tmms.iter().map(|tmm| of(&tmm.stored)).sum()
        };
        let entries = sum(|stored| stored.entries);
        let expired: u64 = self.expired().iter().sum();
        let mut title = format!(
            "Memory of {} TMMs: {} entries, {}",
            self.snapshot.tmms.len(),
            format::grouped(entries),
            format::bytes(sum(|stored| stored.bytes)),
        );
        let orphans = sum(|stored| stored.orphans);
        if orphans > 0 {
            let _ = write!(title, "; {} of them orphans", format::grouped(orphans));
        }
        if expired > 0 {
            let _ = write!(title, "; {} expired", format::grouped(expired));
        }
        title
    }

    fn scene(&self, size: Size, theme: &Theme) -> Scene {
        let mut scene = Scene::new(size, theme);
        let faces = Faces::new(size.width, theme);
        let layout = self.layout(size, &faces);
        if layout.greatest == 0 {
            let whole = Frame::new(0.0, 0.0, size.width, size.height);
            axes::nothing(&mut scene, &whole, "nothing is stored", faces.small);
            return scene;
        }
        let mut orphans = 0;
        for (row, &tmm) in layout.tmms.iter().enumerate() {
            let stored = self.stored(tmm);
            orphans += stored.orphans;
            let bar = layout.bar(row, stored.bytes);
            let lost = stored.orphans as f64 / stored.entries.max(1) as f64;
            let seam = bar.right - bar.width() * lost;
            scene.fill(Frame { right: seam, ..bar }, faded(theme.muted, 0.6));
            if lost > 0.0 {
                hatched(&mut scene, Frame { left: seam, ..bar }, theme);
            }
            let (_, y) = bar.centre();
            scene.text(
                format!("TMM {tmm}"),
                (layout.left - 6.0, y),
                Align::Right,
                faces.small,
            );
            let mut words = format::bytes(stored.bytes);
            if !layout.short {
                words = format!("{} entries, {words}", format::grouped(stored.entries));
            }
            scene.text(words, (bar.right + 5.0, y), Align::Left, faces.plain);
        }
        let mut y = 4.0 + layout.pitch * layout.tmms.len() as f64 + faces.line * 0.5;
        if let Some(note) = &layout.note {
            scene.text(note.as_str(), (layout.left, y), Align::Left, faces.small);
            y += faces.line;
        }
        if orphans > 0 {
            let edge = faces.small.size * 0.85;
            let swatch = Frame::new(
                layout.left,
                y - edge / 2.0,
                layout.left + edge,
                y + edge / 2.0,
            );
            hatched(&mut scene, swatch, theme);
            let at = (swatch.right + 5.0, y);
            let meaning = if size.width >= WIDE {
                "orphans: entries that nothing will find or delete"
            } else {
                "orphans"
            };
            scene.text(meaning, at, Align::Left, faces.small);
        }
        scene
    }

    fn len(&self, size: Size) -> usize {
        let layout = self.layout(size, &Faces::new(size.width, &Theme::light()));
        if layout.greatest == 0 {
            0
        } else {
            layout.tmms.len()
        }
    }

    fn nearest(&self, size: Size, _x: f64, y: f64) -> Option<usize> {
        let layout = self.layout(size, &Faces::new(size.width, &Theme::light()));
        let distance = |row: usize| (layout.bar(row, 0).centre().1 - y).abs();
        (0..self.len(size)).min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
    }

    fn reading(&self, size: Size, number: usize) -> Option<Reading> {
        let layout = self.layout(size, &Faces::new(size.width, &Theme::light()));
        let tmm = *layout.tmms.get(number)?;
        if layout.greatest == 0 {
            return None;
        }
        let bar = layout.bar(number, self.stored(tmm).bytes);
        let (_, y) = bar.centre();
        Some(Reading {
            x: bar.right,
            y,
            text: self.words(tmm, self.expired()[tmm]),
            position: None,
            marks: Marks::default().around(&bar),
        })
    }

    fn table(&self, _size: Size) -> Table {
        let expired = self.expired();
        let row = |tmm: usize| {
            let stored = self.stored(tmm);
            [
                tmm as u64,
                stored.subtables,
                stored.entries,
                stored.orphans,
                expired[tmm],
                stored.bytes,
            ]
            .map(|figure| figure.to_string())
            .into()
        };
        Table {
            headers: [
                "TMM",
                "subtables",
                "entries",
                "of them orphans",
                "expired so far",
                "bytes",
            ]
            .map(str::to_owned)
            .into(),
            rows: (0..self.snapshot.tmms.len()).map(row).collect(),
        }
    }
}

/// A frame with slanted lines: what is in it is lost.
fn hatched(scene: &mut Scene, frame: Frame, theme: &Theme) {
    const SPACING: f64 = 5.0;
    scene.fill(frame, faded(theme.remote, 0.75));
    let lines = faded(theme.surface, 0.75);
    let mut start = frame.left - frame.height();
    while start < frame.right {
        let from = (frame.left - start).max(0.0);
        let to = (frame.right - start).min(frame.height());
        if to - from > 0.5 {
            let ends = [from, to].map(|along| (start + along, frame.bottom - along));
            scene.path(ends, lines, 1.0);
        }
        start += SPACING;
    }
}

#[cfg(test)]
mod tests {
    use subtable_model::preset::Preset;
    use subtable_model::{Budget, Simulation};

    use super::*;

    fn at_end(preset: &str) -> Snapshot {
        let mut simulation = Simulation::new(&Preset::find(preset).unwrap().scenario(), 1);
        simulation.advance(Budget::Unlimited);
        simulation.snapshot()
    }

    #[test]
    fn orphans_of_reloads_are_told_apart() {
        let snapshot = at_end("reload");
        let memory = Memory::new(&snapshot);
        assert!(
            memory.title().contains("of them orphans"),
            "{}",
            memory.title()
        );
        let svg = memory.svg(Size::new(600.0, 300.0), &Theme::light());
        assert!(svg.contains("nothing will find or delete"), "{svg}");
        let column = |number: usize| -> u64 {
            let rows = memory.table(Size::new(400.0, 190.0)).rows;
            rows.iter()
                .map(|row| row[number].parse::<u64>().unwrap())
                .sum()
        };
        let entries: u64 = snapshot.subtables.iter().map(|it| it.entries).sum();
        assert_eq!(column(2), entries);
        assert!(column(3) > 0 && column(3) < entries);
    }

    #[test]
    fn without_orphans_there_is_no_word_of_them() {
        let snapshot = at_end("per-session");
        let memory = Memory::new(&snapshot);
        assert!(!memory.title().contains("orphan"), "{}", memory.title());
        let reading = memory.reading(Size::new(600.0, 300.0), 0).unwrap();
        assert!(!reading.text.contains("orphan"), "{}", reading.text);
    }

    #[test]
    fn entries_that_have_ended_are_counted() {
        let snapshot = at_end("entries-end");
        let memory = Memory::new(&snapshot);
        assert!(memory.title().contains(" expired"), "{}", memory.title());
    }
}
