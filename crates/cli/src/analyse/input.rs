//! Files and standard input, read in chunks.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use subtable_logs::lines::{Line, Tag};
use subtable_logs::reader::Position;
use subtable_logs::{Observations, ReadOptions, Reader};

use super::report::SlowLine;
use crate::progress::Progress;
use crate::{Console, Failure};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 18;
const MEGABYTE: u64 = 1_000_000;

/// Slow writes, the first ones one by one and the others counted.
#[derive(Debug)]
pub struct Slow {
    threshold: u32,
    most: usize,
    /// The first ones.
    pub first: Vec<SlowLine>,
    /// All of them.
    pub count: u64,
}

impl Slow {
    /// Lists at most so many of the writes that are tagged SLOW or take so many clicks or more.
    pub fn new(threshold: u32, most: usize) -> Self {
        Self {
            threshold,
            most,
            first: Vec::new(),
            count: 0,
        }
    }

    fn see(&mut self, at: Position, line: &Line<'_>) {
        let Line::Write(write) = line else { return };
        if write.tag != Some(Tag::Slow) && write.clicks < self.threshold {
            return;
        }
        self.count += 1;
        if self.first.len() < self.most {
            let text = |bytes: Option<&[u8]>| {
                bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            };
            self.first.push(SlowLine {
                input: at.input,
                line: at.line,
                tmm: write.tmm,
                clicks: write.clicks,
                subtable: text(write.subtable),
                key: text(write.key),
            });
        }
    }
}

/// Reads all files as one log.
pub fn read(
    files: &[PathBuf],
    options: ReadOptions,
    slow: Option<&mut Slow>,
    console: &mut Console<'_>,
) -> Result<Observations, Failure> {
    let mut input = Input {
        reader: Reader::new(options),
        slow,
        progress: Progress::new(megabytes(files), "MB"),
        shown: 0,
    };
    for (index, file) in files.iter().enumerate() {
        if index > 0 {
            input.next();
        }
        input.read_file(file, console)?;
    }
    input.next();
    input.progress.clear(console);
    Ok(input.reader.finish())
}

/// What an input is called.
pub fn name(file: &Path) -> String {
    if is_standard_input(file) {
        "standard input".to_string()
    } else {
        file.display().to_string()
    }
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// The size of all files together; what has none, such as a pipe, adds nothing.
fn megabytes(files: &[PathBuf]) -> u64 {
    let size = |file: &PathBuf| std::fs::metadata(file).map_or(0, |metadata| metadata.len());
    files.iter().map(size).sum::<u64>() / MEGABYTE
}

struct Input<'a> {
    reader: Reader,
    slow: Option<&'a mut Slow>,
    progress: Progress,
    shown: u64,
}

impl Input<'_> {
    fn next(&mut self) {
        let Self { reader, slow, .. } = self;
        reader.next_input_each(|at, line| {
            if let Some(slow) = slow {
                slow.see(at, line);
            }
        });
    }

    fn read_file(&mut self, file: &Path, console: &mut Console<'_>) -> Result<(), Failure> {
        let name = name(file);
        let attempt = Failure::file(Path::new(&name), "read");
        if is_standard_input(file) {
            return match console.input.take() {
                Some(input) => self.read_all(input, console).map_err(attempt),
                None => Ok(()),
            };
        }
        let mut opened = File::open(file).map_err(&attempt)?;
        self.read_all(&mut opened, console).map_err(attempt)
    }

    fn read_all(&mut self, from: &mut dyn Read, console: &mut Console<'_>) -> io::Result<()> {
        let mut chunk = vec![0; CHUNK];
        loop {
            let length = match from.read(&mut chunk) {
                Ok(0) => return Ok(()),
                Ok(length) => length,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let Self { reader, slow, .. } = self;
            match slow {
                Some(slow) => reader.push_each(&chunk[..length], |at, line| slow.see(at, line)),
                None => reader.push(&chunk[..length]),
            }
            let read = self.reader.bytes_read() / MEGABYTE;
            self.progress.advance(read - self.shown, console);
            self.shown = read;
        }
    }
}
