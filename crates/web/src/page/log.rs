//! The log as the box would write it: the last lines, filtered, held, copied.

use std::collections::VecDeque;

use subtable_model::Snapshot;
use web_sys::{Element, HtmlElement};

use super::address;
use crate::{dom, words};

/// The place of the list: its size is watched.
pub const BOX: &str = "log-box";
/// Height of a line, in CSS pixels.
const LINE: f64 = 17.0;

/// The log view.
///
/// While a run goes on, only as many lines are on the page as can be seen at once: at full speed all of them are others
/// with every report.
#[derive(Default)]
pub struct Log {
    /// The lines on the page, oldest first.
    shown: VecDeque<(u64, String)>,
    /// The newest lines of the run, for when they are not shown yet.
    newest: Vec<(u64, String)>,
    filter: String,
    held: bool,
    /// The list is to be made anew.
    stale: bool,
    note: String,
    /// The run, how many lines it had, and whether it stood still.
    told: Option<(u32, u64, u64, bool)>,
    /// The height of its place, in CSS pixels; none before it is known.
    height: Option<f64>,
    settled: bool,
}

impl Log {
    /// Shows the lines of a run, which goes on by itself unless it has `settled`.
    pub fn show(&mut self, run: u32, snapshot: &Snapshot, every: u64, settled: bool) {
        let told = (run, snapshot.log.lines, snapshot.log.dropped, settled);
        if self.told.replace(told) == Some(told) {
            return;
        }
        self.settled = settled;
        self.newest.clone_from(&snapshot.log.tail);
        self.note = match every {
            0 => "nothing is logged".to_owned(),
            1 => "every write".to_owned(),
            n => format!("one line in {}", words::whole(n)),
        };
        if every > 0 || snapshot.log.lines > 0 {
            let (lines, dropped) = (
                words::whole(snapshot.log.lines),
                words::whole(snapshot.log.dropped),
            );
            self.note = format!("{} · {lines} lines · {dropped} dropped", self.note);
        }
        self.draw();
    }

    /// Shows only lines with this text.
    pub fn filter(&mut self, text: &str) {
        self.filter = text.trim().to_ascii_lowercase();
        self.stale = true;
        self.draw();
    }

    /// Its place has another height.
    pub fn resized(&mut self, height: f64) {
        self.height = Some(height);
        self.draw();
    }

    /// Holds the lines, or lets them go on.
    pub fn hold(&mut self) {
        self.held = !self.held;
        // What is held can be read back as far as it goes.
        self.stale |= self.held;
        dom::set(
            &dom::get("log-pause"),
            "aria-pressed",
            if self.held { "true" } else { "false" },
        );
        self.draw();
    }

    /// Copies the lines: those on the page when they are held, else all that there are.
    pub fn copy(&self) {
        let lines: Vec<&str> = if self.held {
            self.shown.iter().map(|(_, line)| line.as_str()).collect()
        } else {
            self.filtered().map(|(_, line)| line.as_str()).collect()
        };
        address::copy(&lines.join("\n"), "The lines of the log are copied.");
    }

    fn filtered(&self) -> impl DoubleEndedIterator<Item = &(u64, String)> {
        let all = self.newest.iter();
        // The lines of the model are ASCII.
        let lower = |line: &String| line.to_ascii_lowercase();
        all.filter(move |(_, line)| self.filter.is_empty() || lower(line).contains(&self.filter))
    }

    /// How many lines are worth having on the page.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a height: positive and small"
    )]
    fn most(&self) -> usize {
        match self.height {
            Some(height) if !self.settled && !self.held => (height / LINE) as usize + 2,
            _ => usize::MAX,
        }
    }

    /// Draws what could not be drawn while the log was not to be seen.
    pub fn catch_up(&mut self) {
        if self.stale && !self.held && self.height != Some(0.0) {
            self.draw();
        }
    }

    fn draw(&mut self) {
        dom::set_text(&dom::get("log-note"), &self.note);
        let list = dom::get("log");
        let seen = match self.height {
            Some(height) => height > 0.0,
            None => dom::get(BOX).client_height() > 0,
        };
        if (self.held && !self.stale) || !seen {
            self.stale |= !self.held;
            return;
        }
        let mut lines: Vec<(u64, String)> =
            self.filtered().rev().take(self.most()).cloned().collect();
        lines.reverse();
        let kept = if std::mem::take(&mut self.stale) {
            None
        } else {
            overlap(&self.shown, &lines)
        };
        if let Some((gone, kept)) = kept {
            for _ in 0..gone {
                if let Some(first) = list.first_element_child() {
                    first.remove();
                }
            }
            for (_, line) in &lines[kept..] {
                dom::append(&list, &[&item(line)]);
            }
        } else {
            list.set_text_content(None);
            for (_, line) in &lines {
                dom::append(&list, &[&item(line)]);
            }
        }
        if lines.is_empty() {
            list.set_text_content(None);
            let words = if self.newest.is_empty() {
                "No lines yet."
            } else {
                "No line has this text."
            };
            dom::append(&list, &[&dom::create("li", &[("class", "none")], words)]);
        }
        self.shown = lines.into();
    }
}

/// When `new` goes on where `old` ends: how many of `old` have gone, and how many of `new` are there already.
fn overlap(old: &VecDeque<(u64, String)>, new: &[(u64, String)]) -> Option<(usize, usize)> {
    let first = new.first()?;
    let gone = old.iter().position(|line| line == first)?;
    let kept = old.len() - gone;
    (kept <= new.len() && old.iter().skip(gone).eq(&new[..kept])).then_some((gone, kept))
}

/// One line, with what matters in it marked.
fn item(line: &str) -> HtmlElement {
    let item = dom::create("li", &[], "");
    let kind = if line.contains(" WARNING ") {
        Some("warning")
    } else if line.contains(" initialized after ") {
        Some("found")
    } else {
        None
    };
    if let Some(kind) = kind {
        dom::set(&item, "class", kind);
        dom::set_text(&item, line);
        return item;
    }
    let Some((head, tail)) = line.split_once(" clicks=") else {
        dom::set_text(&item, line);
        return item;
    };
    let (clicks, rest) = tail.split_once(' ').unwrap_or((tail, ""));
    let (tag, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let class = if tag == "SLOW" { "slow" } else { "fast" };
    let element: &Element = &item;
    let _ = element.append_with_str_1(&format!("{head} clicks="));
    dom::append(
        element,
        &[&dom::create(
            "span",
            &[("class", class)],
            &format!("{clicks} {tag}"),
        )],
    );
    let _ = element.append_with_str_1(&format!(" {rest}"));
    item
}
