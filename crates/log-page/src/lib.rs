//! The page that reads a real log, in the browser of whoever has it: nothing leaves the machine.
//!
//! This is the module of its worker, beside that of the lab and not a part of it, so that the lab's first view stays
//! small. The worker's script hands a [`LogReader`] the file piece by piece, and puts the results on the page as they
//! come from [`results`]: markup in which every text from the log is escaped.

mod beside;
mod markup;
pub mod results;

use subtable_logs::{Observations, ReadOptions, Reader, Settings};
use wasm_bindgen::prelude::*;

/// A log that is being read, or has been.
#[wasm_bindgen]
#[derive(Default)]
pub struct LogReader {
    reader: Option<Reader>,
    seen: Observations,
}

#[wasm_bindgen]
impl LogReader {
    /// Nothing read yet. With `all_lines`, probes count as timed writes too.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(all_lines: bool) -> Self {
        Self {
            reader: Some(Reader::new(ReadOptions { all_lines })),
            seen: Observations::default(),
        }
    }

    /// Takes the next bytes. After [`finish`](Self::finish), none are taken.
    pub fn push(&mut self, chunk: &[u8]) {
        if let Some(reader) = &mut self.reader {
            reader.push(chunk);
        }
    }

    /// The file is at its end, and another one follows.
    pub fn next_file(&mut self) {
        if let Some(reader) = &mut self.reader {
            reader.next_input();
        }
    }

    /// The log is at its end.
    pub fn finish(&mut self) {
        if let Some(reader) = self.reader.take() {
            self.seen = reader.finish();
        }
    }

    /// The results, judged by a threshold in clicks; in the colours of a dark page or of a light one, with a picture that
    /// is so many CSS pixels wide.
    #[must_use]
    pub fn results(&self, threshold: u32, dark: bool, width: f64) -> String {
        results::markup(&self.seen, Settings { threshold }, dark, width)
    }
}
