//! Lines as they come. Somebody else waits for them, so that there is time for other things while none comes.

use std::io::{BufRead, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::Duration;

use mercer::{Error, Result};

/// Bytes that are read at a time, and how often they are read ahead.
const CHUNK: usize = 64 << 10;
const AHEAD: usize = 4;

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
    /// More bytes are no line: they would take the memory that a stream must not take.
    longest: usize,
    /// The line was longer, and what is left of it is passed over.
    is_passed_over: bool,
    /// From 1; 0 before the first.
    number: u64,
}

impl Lines {
    /// Lines of at most so many bytes.
    pub fn new(source: impl Read + Send + 'static, longest: usize) -> Self {
        let (sender, chunks) = sync_channel(AHEAD);
        std::thread::spawn(move || read(source, &sender));
        let (chunk, bytes) = (Vec::new(), Vec::new());
        Lines { chunks, chunk, at: 0, bytes, is_whole: true, longest, is_passed_over: false, number: 0 }
    }

    /// Goes to the next line, if it is there. Of a line that is too long the error is told once, as soon as it is known; the next call goes on after it.
    pub fn advance(&mut self) -> Result<Arrival> {
        if std::mem::take(&mut self.is_whole) {
            self.bytes.clear();
        }
        loop {
            let mut rest = &self.chunk[self.at..];
            self.at += rest.read_until(b'\n', &mut self.bytes)?;
            let is_ended = self.bytes.ends_with(b"\n");
            if self.is_passed_over {
                self.bytes.clear();
                self.is_passed_over = !is_ended;
                if is_ended {
                    continue;
                }
            } else if self.bytes.len() > self.longest.saturating_add(usize::from(is_ended)) {
                self.bytes = Vec::new();
                self.number += 1;
                self.is_passed_over = !is_ended;
                let longest = self.longest;
                let problem = format!("a line of more than {longest} bytes (--max-line-length)");
                return Err(Error::Parse { line: self.number, column: 1, problem });
            } else if is_ended {
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
        let (mut lines, mut found) = (Lines::new(source, 1 << 20), Vec::new());
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
        let mut lines = Lines::new(Later(receiver), 1 << 20);
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

    /// A line that is too long is one error, however it comes, and costs no more memory than the longest line.
    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let long = "x".repeat(300);
        for text in [format!("one\n{long}\nthree\n"), format!("one\n{long}\nthree")] {
            for count in [1, 7, 64, 1000] {
                let mut lines = Lines::new(Drops(text.clone().into_bytes(), count), 50);
                let mut found = Vec::new();
                loop {
                    match lines.advance() {
                        Ok(Arrival::Line) => found.push((lines.number(), lines.text().unwrap().to_string())),
                        Ok(Arrival::Nothing) => lines.wait(Duration::from_secs(60)).unwrap(),
                        Ok(Arrival::End) => break,
                        Err(error) => found.push((lines.number(), error.to_string())),
                    }
                    assert!(lines.bytes.capacity() < 1500, "{}", lines.bytes.capacity());
                }
                let words: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
                assert_eq!(found.iter().map(|&(number, _)| number).collect::<Vec<_>>(), [1, 2, 3]);
                assert!(words[0] == "one" && words[2] == "three", "{words:?}");
                assert!(words[1].contains("a line of more than 50 bytes"), "{words:?}");
            }
        }
        // One that never ends is told when it is too long, not when it ends.
        let mut lines = Lines::new(std::io::repeat(b'1'), 1000);
        let error = loop {
            match lines.advance() {
                Ok(Arrival::Nothing) => lines.wait(Duration::from_secs(60)).unwrap(),
                other => break other.unwrap_err(),
            }
        };
        assert!(error.to_string().contains("a line of more than 1000 bytes"), "{error}");
        // Exactly as long as a line may be.
        assert_eq!(all(Drops(b"12345\r\n".to_vec(), 3)), ["12345"]);
        let mut lines = Lines::new(std::io::Cursor::new(b"12345\n12345".to_vec()), 5);
        lines.wait(Duration::from_secs(60)).unwrap();
        assert_eq!(lines.advance().unwrap(), Arrival::Line);
        while lines.advance().unwrap() == Arrival::Nothing {
            lines.wait(Duration::from_secs(60)).unwrap();
        }
        assert_eq!(lines.text().unwrap(), "12345");
    }
}
