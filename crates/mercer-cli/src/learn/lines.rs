//! Lines as they come. Somebody else waits for them, so that there is time for other things while none comes.

use std::io::{BufRead, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::Duration;

use mercer::{Error, Result};

/// Bytes that are read at a time, and how often they are read ahead.
const CHUNK: usize = 64 << 10;
const AHEAD: usize = 4;

/// Longer lines are a mistake, and would take the memory that a stream must not take.
const LONGEST: usize = 64 << 20;

/// What there is at the moment.
#[derive(Debug, PartialEq, Eq)]
pub enum Arrival {
    Line,
    /// Nothing yet: whoever asks may do something else, and [`Lines::wait`].
    Nothing,
    End,
}

pub struct Lines {
    chunks: Receiver<std::io::Result<Vec<u8>>>,
    chunk: Vec<u8>,
    at: usize,
    /// The line, as far as it has come.
    bytes: Vec<u8>,
    is_whole: bool,
    /// From 1; 0 before the first.
    number: u64,
}

impl Lines {
    pub fn new(source: impl Read + Send + 'static) -> Self {
        let (sender, chunks) = sync_channel(AHEAD);
        std::thread::spawn(move || read(source, &sender));
        Lines { chunks, chunk: Vec::new(), at: 0, bytes: Vec::new(), is_whole: true, number: 0 }
    }

    /// Goes to the next line, if it is there.
    pub fn advance(&mut self) -> Result<Arrival> {
        if std::mem::take(&mut self.is_whole) {
            self.bytes.clear();
        }
        loop {
            let mut rest = &self.chunk[self.at..];
            self.at += rest.read_until(b'\n', &mut self.bytes)?;
            if self.bytes.len() > LONGEST {
                let problem = format!("a line of more than {LONGEST} bytes");
                return Err(Error::Parse { line: self.number + 1, column: 1, problem });
            }
            if self.bytes.ends_with(b"\n") {
                return Ok(self.whole());
            }
            match self.chunks.try_recv() {
                Ok(chunk) => (self.chunk, self.at) = (chunk?, 0),
                Err(TryRecvError::Empty) => return Ok(Arrival::Nothing),
                Err(TryRecvError::Disconnected) if self.bytes.is_empty() => return Ok(Arrival::End),
                Err(TryRecvError::Disconnected) => return Ok(self.whole()),
            }
        }
    }

    fn whole(&mut self) -> Arrival {
        (self.is_whole, self.number) = (true, self.number + 1);
        Arrival::Line
    }

    /// Waits until more has come, or for so long.
    pub fn wait(&mut self, most: Duration) -> Result<()> {
        if self.at < self.chunk.len() {
            return Ok(());
        }
        match self.chunks.recv_timeout(most) {
            Ok(chunk) => (self.chunk, self.at) = (chunk?, 0),
            // What there is not shows when it is asked for.
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        Ok(())
    }

    /// The line that has arrived, without its end.
    pub fn text(&self) -> Result<&str> {
        let text = std::str::from_utf8(&self.bytes).map_err(|_| {
            let problem = "this is no text in UTF-8".into();
            Error::Parse { line: self.number, column: 1, problem }
        })?;
        let text = if self.number == 1 { text.trim_start_matches('\u{feff}') } else { text };
        Ok(text.trim_end_matches(['\n', '\r']))
    }

    /// The number of the line that has arrived last.
    pub fn number(&self) -> u64 {
        self.number
    }
}

/// Reads until there is nothing more, or nobody to read for.
fn read(mut source: impl Read, sender: &SyncSender<std::io::Result<Vec<u8>>>) {
    loop {
        let mut chunk = vec![0; CHUNK];
        let read = source.read(&mut chunk);
        let sent = match read {
            Ok(0) => return,
            Ok(count) => {
                chunk.truncate(count);
                sender.send(Ok(chunk))
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                let _ = sender.send(Err(error));
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(source: impl Read + Send + 'static) -> Vec<String> {
        let (mut lines, mut found) = (Lines::new(source), Vec::new());
        loop {
            match lines.advance().unwrap() {
                Arrival::Line => found.push(lines.text().unwrap().to_string()),
                Arrival::Nothing => lines.wait(Duration::from_secs(60)).unwrap(),
                Arrival::End => return found,
            }
        }
    }

    /// Hands out a few bytes at a time.
    struct Drops(Vec<u8>, usize);

    impl Read for Drops {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let count = self.1.min(self.0.len()).min(into.len());
            into[..count].copy_from_slice(&self.0[..count]);
            self.0.drain(..count);
            Ok(count)
        }
    }

    #[test]
    fn lines_do_not_depend_on_how_they_come() {
        let text = "\u{feff}one\r\ntwo, längər\n\nfour";
        let expected: Vec<String> = ["one", "two, längər", "", "four"].map(String::from).to_vec();
        for count in [1, 2, 3, 7, 100] {
            assert_eq!(all(Drops(text.as_bytes().to_vec(), count)), expected, "{count}");
        }
        let long: String = (0..50_000).map(|number| format!("{number}\n")).collect();
        assert_eq!(all(std::io::Cursor::new(long.into_bytes())).len(), 50_000);
        assert!(all(std::io::empty()).is_empty());
    }

    #[test]
    fn half_a_line_is_waited_for() {
        let (sender, receiver) = std::sync::mpsc::channel::<Vec<u8>>();
        struct Later(Receiver<Vec<u8>>);
        impl Read for Later {
            fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
                let Ok(bytes) = self.0.recv() else { return Ok(0) };
                into[..bytes.len()].copy_from_slice(&bytes);
                Ok(bytes.len())
            }
        }
        let mut lines = Lines::new(Later(receiver));
        sender.send(b"a whole line\nhalf".to_vec()).unwrap();
        lines.wait(Duration::from_secs(60)).unwrap();
        assert_eq!(lines.advance().unwrap(), Arrival::Line);
        assert_eq!(lines.advance().unwrap(), Arrival::Nothing);
        lines.wait(Duration::from_millis(1)).unwrap();
        assert_eq!(lines.advance().unwrap(), Arrival::Nothing);
        sender.send(b" a line\n".to_vec()).unwrap();
        lines.wait(Duration::from_secs(60)).unwrap();
        assert_eq!(lines.advance().unwrap(), Arrival::Line);
        assert_eq!((lines.text().unwrap(), lines.number()), ("half a line", 2));
    }
}
