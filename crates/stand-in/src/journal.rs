//! The log's lines, written by a thread of its own so that no request waits for a disk.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::JoinHandle;

/// Where the log's lines go.
#[derive(Debug)]
pub struct Journal {
    lines: Option<Sender<String>>,
    writer: Option<JoinHandle<io::Result<()>>>,
}

impl Journal {
    /// Begins to write.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn begin(into: Box<dyn Write + Send>) -> io::Result<Self> {
        let (lines, written) = channel();
        let writer = std::thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || write_all(&written, into))?;
        Ok(Self {
            lines: Some(lines),
            writer: Some(writer),
        })
    }

    /// Adds a line. One that cannot be written any more is lost; [`end`](Self::end) tells why.
    pub fn line(&self, line: String) {
        if let Some(lines) = &self.lines {
            let _ = lines.send(line);
        }
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// Why lines could not be written.
    pub fn end(mut self) -> io::Result<()> {
        drop(self.lines.take());
        match self.writer.take().map(JoinHandle::join) {
            Some(Ok(written)) => written,
            _ => Ok(()),
        }
    }
}

/// Writes lines as they come, and flushes whenever none is waiting, so that a reader sees them at once.
fn write_all(lines: &Receiver<String>, mut into: Box<dyn Write + Send>) -> io::Result<()> {
    while let Ok(first) = lines.recv() {
        let mut text = first + "\n";
        loop {
            match lines.try_recv() {
                Ok(line) if text.len() < 1 << 16 => {
                    text.push_str(&line);
                    text.push('\n');
                }
                Ok(line) => {
                    into.write_all(text.as_bytes())?;
                    text = line + "\n";
                }
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
            }
        }
        into.write_all(text.as_bytes())?;
        into.flush()?;
    }
    into.flush()
}
