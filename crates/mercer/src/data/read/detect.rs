//! Telling the format of a file from its first bytes.

use super::number;
use super::options::Format;
use crate::error::{Error, Result};

/// How many bytes are looked at.
pub(super) const WINDOW: usize = 64 << 10;

/// LIBSVM if the first row with more than a label continues with `index:value`, or with anything like it where
/// nothing speaks for a table; otherwise a table with the delimiter that its first record has most of.
pub(super) fn format(head: &[u8]) -> Format {
    if looks_like_libsvm(head) { Format::Libsvm } else { most_frequent_delimiter(head) }
}

impl Format {
    /// The format of a text, told from its first lines as the readers do.
    ///
    /// ```
    /// use mercer::data::Format;
    /// assert_eq!(Format::of(b"size;weight\n1,5;2,5\n"), Format::Semicolons);
    /// assert_eq!(Format::of(b"+1 1:0.5 2:1\n"), Format::Libsvm);
    /// ```
    pub fn of(text: &[u8]) -> Format {
        format(&text[..text.len().min(WINDOW)])
    }
}

/// Refuses text whose lines end in a carriage return alone, as on computers of the last century: all of it would
/// be one line.
pub(super) fn check_line_ends(head: &[u8]) -> Result<()> {
    // Inside quotes a carriage return is a character like others.
    if head.iter().any(|byte| b"\n\"".contains(byte)) {
        return Ok(());
    }
    let blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\r');
    let within = |pair: &[u8]| pair[0] == b'\r' && !blank(pair[1]);
    match head.windows(2).position(within) {
        None => Ok(()),
        Some(at) => Err(Error::Parse {
            line: 1,
            column: at as u64 + 1,
            problem: "lines that end in CR alone: they must end in LF or CR LF".into(),
        }),
    }
}

fn looks_like_libsvm(head: &[u8]) -> bool {
    for line in head.split(|&byte| byte == b'\n') {
        let code = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        let mut tokens =
            code.split(|byte| matches!(byte, b' ' | b'\t' | b'\r')).filter(|token| !token.is_empty());
        let Some(label) = tokens.next() else { continue };
        let Some(second) = tokens.next() else {
            // A row without entries, unless it holds what separates fields.
            if label.iter().any(|byte| b",;\"".contains(byte)) {
                return false;
            }
            continue;
        };
        // A line without delimiters is no row of a table, and its colon is a misspelt entry: the reader says why.
        let no_table = !code.iter().any(|byte| b",;\t\"".contains(byte));
        return is_entry(second) || (no_table && second.contains(&b':'));
    }
    false
}

/// `index:value` or `qid:group`; a value cut off by the window's end counts.
fn is_entry(token: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', token) else { return false };
    let (name, value) = (&token[..colon], &token[colon + 1..]);
    let index = !name.is_empty() && name.iter().all(u8::is_ascii_digit);
    (index && number::parse(value) != Err(number::Refusal::NotANumber)) || name == b"qid"
}

pub(super) fn most_frequent_delimiter(head: &[u8]) -> Format {
    // Of equals the first: tabs and semicolons are rare in text and numbers, commas are not.
    let candidates = [Format::Tsv, Format::Semicolons, Format::Csv];
    let mut counts = [0usize; 3];
    let mut quoted = false;
    let mut content = false;
    for &byte in head {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted && content => break,
            _ if quoted => {}
            _ => {
                if let Some(which) = candidates.iter().position(|c| c.delimiter() == Some(byte)) {
                    counts[which] += 1;
                }
            }
        }
        content |= !byte.is_ascii_whitespace();
    }
    // A table of one column has none of them and is as good as comma-separated.
    let most = counts.iter().copied().max().filter(|&most| most > 0);
    let which = most.and_then(|most| counts.iter().position(|&count| count == most));
    which.map_or(Format::Csv, |which| candidates[which])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_tells_the_format() {
        let cases: [(&str, Format); 26] = [
            ("+1 1:0.5 2:1\n", Format::Libsvm),
            ("1\n\n# note\n-1 3:1\n", Format::Libsvm),
            ("2 qid:1 1:0\n", Format::Libsvm),
            ("red\t1:0.5\t2:1\r\n", Format::Libsvm),
            ("1,2 3:1\n", Format::Libsvm),
            ("1 1:nan\n", Format::Libsvm),
            ("1 0:1 1:2\n", Format::Libsvm),
            ("1 -1:1\n", Format::Libsvm),
            ("1 1:\n", Format::Libsvm),
            ("1 :1\n", Format::Libsvm),
            ("1 1.5:1\n", Format::Libsvm),
            ("1 1:x\n", Format::Libsvm),
            ("-1 # note, with a comma\n1 -1:1\n", Format::Libsvm),
            ("id\t10:30pm\n", Format::Tsv),
            ("late x:y,12\n", Format::Csv),
            ("a,b,label\n1,2,x\n", Format::Csv),
            ("a\tb\n1\t2\n", Format::Tsv),
            ("a;b\n1,5;2,5\n", Format::Semicolons),
            ("\"a;b;c;d\",e\n", Format::Csv),
            ("\n\na\tb\n", Format::Tsv),
            ("ham\tGo on, then\n", Format::Tsv),
            ("1,5;2\n", Format::Semicolons),
            ("x\n1\n2\n", Format::Csv),
            ("1,2,3\n4 5:6\n", Format::Csv),
            ("time of day,12:30\n", Format::Csv),
            ("", Format::Csv),
        ];
        for (text, expected) in cases {
            assert_eq!(format(text.as_bytes()), expected, "{text:?}");
        }
    }
}
