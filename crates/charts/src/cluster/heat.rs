//! Many TMMs: a map of acceptor by owner, as fine as the picture allows.

use crate::axes::Faces;
use crate::scene::{Align, Dash, Frame, Ink, Point, Scene, faded};
use crate::ticks::Ticks;
use crate::{Marks, Reading, Size, Theme, format, text};

use super::Cluster;

/// Least side of a cell, in CSS pixels.
const LEAST_SIDE: f64 = 4.0;
/// Cells at most along one side: a map of more would take too long to draw many times a second.
const MOST_CELLS: usize = 64;
/// Steps of the ramp, so that neighbours of one shade are drawn as one.
const SHADES: f64 = 8.0;

/// The writes of one cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    local: u64,
    remote: u64,
}

/// The map.
#[derive(Debug)]
pub(super) struct Heat {
    frame: Frame,
    tmms: usize,
    /// TMMs to a column, and to a row.
    together: (usize, usize),
    columns: usize,
    rows: usize,
    cells: Vec<Cell>,
    /// Writes of each row.
    accepted: Vec<u64>,
}

impl Heat {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "few cells, not negative"
    )]
    pub fn new(cluster: &Cluster, size: Size, faces: &Faces) -> Self {
        let snapshot = cluster.snapshot;
        let tmms = snapshot.tmms.len().max(1);
        let widest = text::width(&tmms.to_string(), faces.small);
        let frame = Frame::new(
            widest + 10.0,
            faces.line * 1.3,
            (size.width - 6.0).max(widest + 30.0),
            (size.height - faces.line * 2.6).max(faces.line * 2.0),
        );
        let together = |length: f64| {
            let most = ((length / LEAST_SIDE) as usize).clamp(1, MOST_CELLS);
            tmms.div_ceil(most)
        };
        let together = (together(frame.width()), together(frame.height()));
        let (columns, rows) = (tmms.div_ceil(together.0), tmms.div_ceil(together.1));
        let mut heat = Self {
            frame,
            tmms,
            together,
            columns,
            rows,
            cells: vec![Cell::default(); columns * rows],
            accepted: vec![0; rows],
        };
        for (acceptor, owners) in snapshot.traffic.chunks(tmms).enumerate() {
            let row = acceptor / together.1;
            for (owner, &writes) in owners.iter().enumerate() {
                let cell = &mut heat.cells[row * columns + owner / together.0];
                heat.accepted[row] += writes;
                if !cluster.shows(acceptor, owner) {
                    continue;
                }
                if acceptor == owner {
                    cell.local += writes;
                } else {
                    cell.remote += writes;
                }
            }
        }
        heat
    }

    pub const fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The share of its acceptors' writes that a cell holds.
    fn share(&self, index: usize) -> f64 {
        let cell = self.cells[index];
        (cell.local + cell.remote) as f64 / self.accepted[index / self.columns].max(1) as f64
    }

    fn x(&self, tmm: usize) -> f64 {
        self.frame.left + self.frame.width() * tmm.min(self.tmms) as f64 / self.tmms as f64
    }

    fn y(&self, tmm: usize) -> f64 {
        self.frame.top + self.frame.height() * tmm.min(self.tmms) as f64 / self.tmms as f64
    }

    fn place(&self, row: usize, column: usize) -> Frame {
        Frame::new(
            self.x(column * self.together.0),
            self.y(row * self.together.1),
            self.x((column + 1) * self.together.0),
            self.y((row + 1) * self.together.1),
        )
    }

    pub fn cell_at(&self, (x, y): Point) -> Option<usize> {
        if !self.frame.contains((x, y)) {
            return None;
        }
        let find = |count: usize, before: &dyn Fn(usize) -> bool| {
            (0..count).rev().find(|index| before(*index)).unwrap_or(0)
        };
        let column = find(self.columns, &|column| {
            self.x(column * self.together.0) <= x
        });
        let row = find(self.rows, &|row| self.y(row * self.together.1) <= y);
        Some(row * self.columns + column)
    }

    pub fn reading(&self, index: usize) -> Option<Reading> {
        let cell = self.cells.get(index)?;
        let (row, column) = (index / self.columns, index % self.columns);
        let (x, y) = self.place(row, column).centre();
        let text = format!(
            "{} to {}: {} writes, {} of what the acceptors took; {} local",
            self.group(row, self.together.1),
            self.group(column, self.together.0),
            format::grouped(cell.local + cell.remote),
            format::percent(self.share(index)),
            format::grouped(cell.local),
        );
        let cell = self.place(row, column);
        let marks = Marks::default().around(&cell);
        Some(Reading {
            x,
            y,
            text,
            position: None,
            marks: marks.down(&self.frame, x).across(&self.frame, y),
        })
    }

    fn group(&self, index: usize, together: usize) -> String {
        let (first, last) = (
            index * together,
            ((index + 1) * together).min(self.tmms) - 1,
        );
        if first == last {
            format!("TMM {first}")
        } else {
            format!("TMMs {first} to {last}")
        }
    }

    pub fn draw(&self, scene: &mut Scene, (faces, theme): (&Faces, &Theme)) {
        let frame = self.frame.inset(-1.0);
        for side in [
            Frame::new(frame.left, frame.top, frame.right, frame.top + 1.0),
            Frame::new(frame.left, frame.bottom - 1.0, frame.right, frame.bottom),
            Frame::new(frame.left, frame.top, frame.left + 1.0, frame.bottom),
            Frame::new(frame.right - 1.0, frame.top, frame.right, frame.bottom),
        ] {
            scene.fill(side, theme.muted_line());
        }
        let most = (0..self.cells())
            .map(|index| self.share(index))
            .fold(0.0, f64::max);
        // Where acceptor and owner are the same.
        let diagonal = [
            (self.frame.left, self.frame.top),
            (self.frame.right, self.frame.bottom),
        ];
        scene.dashes(&diagonal, faded(theme.local, 0.7), 1.0, Dash(3.0, 3.0));
        self.draw_cells(scene, most, theme);
        self.draw_axes(scene, faces);
        self.draw_legend(scene, most, faces, theme);
    }

    /// A run of neighbours of one shade is one rectangle.
    fn draw_cells(&self, scene: &mut Scene, most: f64, theme: &Theme) {
        for row in 0..self.rows {
            let shade = |column: usize| self.shade(row * self.columns + column, most);
            let mut column = 0;
            while column < self.columns {
                let (from, here) = (column, shade(column));
                while column < self.columns && shade(column) == here {
                    column += 1;
                }
                let Some((local, shade)) = here else {
                    continue;
                };
                let place = Frame {
                    right: self.place(row, column - 1).right,
                    ..self.place(row, from)
                };
                scene.fill(place, ink(local, f64::from(shade), theme));
            }
        }
    }

    /// Whether most of a cell is local, and its shade; none when it is empty.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to the number of shades"
    )]
    fn shade(&self, index: usize, most: f64) -> Option<(bool, u8)> {
        let cell = self.cells[index];
        if cell.local + cell.remote == 0 {
            return None;
        }
        let shade = (self.share(index) / most * SHADES).ceil() as u8;
        Some((cell.local > cell.remote, shade))
    }

    fn draw_axes(&self, scene: &mut Scene, faces: &Faces) {
        let y = faces.line * 0.6;
        scene.text("acceptor", (2.0, y), Align::Left, faces.small);
        let last = self.tmms as f64 - 1.0;
        let half_row = self.frame.height() / self.tmms as f64 / 2.0;
        for tick in ticks(last, self.frame.height() / (faces.line * 1.5)) {
            // Not under the word above.
            let y = (self.y(tick) + half_row).max(self.frame.top + faces.line * 0.5);
            let at = (self.frame.left - 5.0, y);
            scene.text(tick.to_string(), at, Align::Right, faces.small);
        }
        let half_column = self.frame.width() / self.tmms as f64 / 2.0;
        let y = self.frame.bottom + faces.line * 0.75;
        let owner = text::width("owner", faces.small) + 8.0;
        for tick in ticks(last, self.frame.width() / (faces.small.size * 5.0)) {
            let label = tick.to_string();
            let x = self.x(tick) + half_column;
            if x + text::width(&label, faces.small) / 2.0 < self.frame.right - owner {
                scene.text(label, (x, y), Align::Centre, faces.small);
            }
        }
        scene.text("owner", (self.frame.right, y), Align::Right, faces.small);
    }

    /// The ramps of both colours, from a little to the most, and of what.
    fn draw_legend(&self, scene: &mut Scene, most: f64, faces: &Faces, theme: &Theme) {
        let y = self.frame.bottom + faces.line * 1.95;
        let side = faces.small.size * 0.8;
        let mut x = self.frame.left;
        for (local, word) in [(true, "local"), (false, "remote")] {
            for shade in [2.0, 4.0, 6.0, 8.0] {
                let frame = Frame::new(x, y - side / 2.0, x + side, y + side / 2.0);
                scene.fill(frame, ink(local, shade, theme));
                x += side;
            }
            scene.text(word, (x + 4.0, y), Align::Left, faces.small);
            x += text::width(word, faces.small) + 14.0;
        }
        let most = format::percent(most);
        for words in [
            format!("darkest: {most} of what the acceptor took"),
            format!("darkest: {most} of a row"),
            format!("up to {most}"),
        ] {
            if x + text::width(&words, faces.small) <= self.frame.right + 4.0 {
                scene.text(words, (x, y), Align::Left, faces.small);
                break;
            }
        }
    }
}

fn ink(local: bool, shade: f64, theme: &Theme) -> Ink {
    let colour = if local { theme.local } else { theme.remote };
    faded(colour, 0.15 + 0.85 * shade / SHADES)
}

/// Round numbers of TMMs, 0 included.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of TMMs"
)]
fn ticks(last: f64, most: f64) -> impl Iterator<Item = usize> {
    let ticks = Ticks::between(0.0, last, most.clamp(2.0, 17.0) as usize);
    ticks.values().map(|value| value.round() as usize)
}
