//! Telling the format of a file from its first bytes.

use super::number;
use super::options::Format;
use super::quote::Quote;
use crate::error::{Error, Result};

/// How many bytes are looked at.
pub(super) const WINDOW: usize = 64 << 10;

/// LIBSVM if the first row with more than a label continues with `index:value`, or with anything like it where
/// nothing speaks for a table; otherwise a table with the delimiter that its first record has most of.
pub(super) fn format(head: &[u8], quote: Option<Quote>) -> Format {
    if looks_like_libsvm(head) { Format::Libsvm } else { most_frequent_delimiter(head, quote) }
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
        format(&text[..text.len().min(WINDOW)], None)
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

/// The delimiter that the first record has most of, outside quotes.
pub(super) fn most_frequent_delimiter(head: &[u8], quote: Option<Quote>) -> Format {
    let may_be_quoted = quote != Some(Quote::None);
    let quoted = may_be_quoted.then(|| counts(head, true)).flatten();
    // Quotes that are not those of fields are those of running text, in which commas are common and tabs are not.
    let is_text = may_be_quoted && quoted.is_none();
    let counts = quoted.or_else(|| counts(head, false)).unwrap_or_default();
    if is_text && counts[0] > 0 {
        return Format::Tsv;
    }
    // A table of one column has none of them and is as good as comma-separated.
    let most = counts.iter().copied().max().filter(|&most| most > 0);
    let which = most.and_then(|most| counts.iter().position(|&count| count == most));
    which.map_or(Format::Csv, |which| CANDIDATES[which])
}

/// Of equals the first: tabs and semicolons are rare in text and numbers, commas are not.
const CANDIDATES: [Format; 3] = [Format::Tsv, Format::Semicolons, Format::Csv];

/// How often each candidate stands in the first record; `None` if it has quotes that are not closed, or within a field.
fn counts(head: &[u8], quotes: bool) -> Option<[usize; 3]> {
    let which = |byte: u8| CANDIDATES.iter().position(|format| format.delimiter() == Some(byte));
    let blank = |byte: u8| matches!(byte, b' ' | b'\r');
    let mut counts = [0usize; 3];
    // Where fields begin, nothing but blanks has come; behind a closing quote nothing else may come.
    let (mut begins, mut closed, mut content) = (true, false, false);
    let mut at = 0;
    while let Some(&byte) = head.get(at) {
        at += 1;
        if byte == b'\n' && content {
            break;
        }
        content |= !byte.is_ascii_whitespace();
        if let Some(which) = which(byte) {
            counts[which] += 1;
            (begins, closed) = (true, false);
        } else if quotes && begins && byte == b'"' {
            at += end_of_quotes(&head[at..])?;
            (begins, closed) = (false, true);
        } else if !blank(byte) && byte != b'\n' {
            if closed {
                return None;
            }
            begins = false;
        }
    }
    Some(counts)
}

/// How many bytes there are up to the end of a quoted field, its closing quote included.
fn end_of_quotes(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr(b'"', &text[at..])? + 1;
        if text.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_tells_the_format() {
        let cases: [(&str, Format); 30] = [
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
            ("ham\t\"Wen, u, miss\" gdeve\n", Format::Tsv),
            ("ham\t\"never, closed\nspam\tx\n", Format::Tsv),
            ("say \"a;b\",c;d;e\n", Format::Semicolons),
            ("\"a\nb;c;d\",e\n", Format::Csv),
            ("", Format::Csv),
        ];
        for (text, expected) in cases {
            assert_eq!(format(text.as_bytes(), None), expected, "{text:?}");
        }
    }
}
