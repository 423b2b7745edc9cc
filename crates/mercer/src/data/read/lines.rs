//! Lines of bytes from a stream, held in one buffer that grows with the longest line and no further.

use std::io::{ErrorKind, Read};

use memchr::memchr;

use crate::error::{Error, Result};

/// Longest line (or quoted record of several lines) that is read: 256 MiB.
pub(super) const LONGEST_LINE: usize = 256 << 20;

/// What the buffer starts with: small enough for the second-level cache.
const FIRST_BUFFER: usize = 256 << 10;

/// A cursor over lines; the current record is one line, or several after [`Lines::extend`].
pub(super) struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    /// The current record in the buffer, without its line end.
    start: usize,
    end: usize,
    /// Where the next line starts, and where the bytes read so far end.
    next: usize,
    filled: usize,
    first_line: u64,
    last_line: u64,
    limit: usize,
}

impl<R: Read> Lines<R> {
    /// Starts before the first line; a byte order mark of UTF-8 is left out.
    pub(super) fn new(source: R) -> Result<Self> {
        Self::with_limit(source, LONGEST_LINE)
    }

    fn with_limit(source: R, limit: usize) -> Result<Self> {
        let mut lines = Lines {
            source,
            buffer: vec![0; FIRST_BUFFER.min(limit)],
            start: 0,
            end: 0,
            next: 0,
            filled: 0,
            first_line: 0,
            last_line: 0,
            limit,
        };
        if lines.peek(3)?.starts_with(b"\xEF\xBB\xBF") {
            lines.next = 3;
        }
        Ok(lines)
    }

    /// The bytes after the current record: at least `count` (of at most the first buffer), or all there are.
    pub(super) fn peek(&mut self, count: usize) -> Result<&[u8]> {
        self.start = self.next;
        self.end = self.next;
        while self.filled - self.next < count.min(FIRST_BUFFER.min(self.limit)) {
            if self.fill()? == 0 {
                break;
            }
        }
        Ok(&self.buffer[self.next..self.filled])
    }

    /// Goes to the next line; `false` at the end of the text.
    pub(super) fn advance(&mut self) -> Result<bool> {
        self.start = self.next;
        self.end = self.next;
        self.first_line = self.last_line + 1;
        self.take_line()
    }

    /// Adds the next line to the current record; `false` at the end of the text.
    pub(super) fn extend(&mut self) -> Result<bool> {
        self.take_line()
    }

    /// The current record without its line end (`\n` or `\r\n`).
    pub(super) fn current(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The number of the current record's first line, from 1.
    pub(super) fn number(&self) -> u64 {
        self.first_line
    }

    fn take_line(&mut self) -> Result<bool> {
        // Everything is counted from `start`, since filling may move the record to the front of the buffer.
        let begin = self.next - self.start;
        let mut searched = begin;
        let length = loop {
            if let Some(found) = memchr(b'\n', &self.buffer[self.start + searched..self.filled]) {
                break searched + found;
            }
            searched = self.filled - self.start;
            if self.fill()? == 0 {
                if searched == begin {
                    return Ok(false);
                }
                break searched;
            }
        };
        self.end = self.start + length;
        self.next = (self.end + 1).min(self.filled);
        self.last_line += 1;
        if length > begin && self.buffer[self.end - 1] == b'\r' {
            self.end -= 1;
        }
        Ok(true)
    }

    /// Reads more behind what is there; 0 at the end of the text.
    fn fill(&mut self) -> Result<usize> {
        if self.filled == self.buffer.len() && self.start > 0 {
            self.buffer.copy_within(self.start..self.filled, 0);
            self.end -= self.start;
            self.next -= self.start;
            self.filled -= self.start;
            self.start = 0;
        }
        if self.filled == self.buffer.len() {
            if self.filled >= self.limit {
                return Err(Error::Parse {
                    line: self.first_line.max(1),
                    column: self.limit as u64 + 1,
                    problem: format!("a line of more than {} bytes", self.limit),
                });
            }
            self.buffer.resize((2 * self.filled).min(self.limit), 0);
        }
        loop {
            match self.source.read(&mut self.buffer[self.filled..]) {
                // A reader that claims more than it was given room for is not believed.
                Ok(count) => {
                    let count = count.min(self.buffer.len() - self.filled);
                    self.filled += count;
                    return Ok(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, as a slow pipe may.
    struct Drip<'a>(&'a [u8]);

    impl Read for Drip<'_> {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
            out[0] = *first;
            self.0 = rest;
            Ok(1)
        }
    }

    fn all(text: &[u8], limit: usize) -> Result<Vec<String>> {
        let mut lines = Lines::with_limit(Drip(text), limit)?;
        let mut found = Vec::new();
        while lines.advance()? {
            assert_eq!(lines.number(), found.len() as u64 + 1);
            found.push(String::from_utf8_lossy(lines.current()).into_owned());
        }
        Ok(found)
    }

    #[test]
    fn lines_of_any_ending_come_whole_through_a_small_buffer() {
        let cases: [(&str, &[&str]); 7] = [
            ("", &[]),
            ("\n", &[""]),
            ("a", &["a"]),
            ("a\nbc\n", &["a", "bc"]),
            ("a\r\n\r\nbc", &["a", "", "bc"]),
            ("\u{feff}a\nb", &["a", "b"]),
            ("abcdefg\nabc\nabcdef", &["abcdefg", "abc", "abcdef"]),
        ];
        for (text, expected) in cases {
            assert_eq!(all(text.as_bytes(), 8).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn a_line_beyond_the_limit_is_refused_with_its_number() {
        let error = all(b"ab\nabcdefghij\n", 8).unwrap_err();
        assert!(matches!(error, Error::Parse { line: 2, column: 9, .. }), "{error}");
    }

    #[test]
    fn records_of_several_lines_keep_their_inner_line_ends() {
        let mut lines = Lines::with_limit(Drip(b"x\r\ny\nz"), 16).unwrap();
        assert!(lines.advance().unwrap() && lines.extend().unwrap());
        assert_eq!((lines.current(), lines.number()), (&b"x\r\ny"[..], 1));
        assert!(lines.advance().unwrap());
        assert_eq!((lines.current(), lines.number()), (&b"z"[..], 3));
        assert!(!lines.extend().unwrap() && !lines.advance().unwrap());
    }
}
