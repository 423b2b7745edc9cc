//! As much of XML as files of data need: elements, attributes, text and the five named characters.
//!
//! Declarations of entities are refused, so that no text is longer than the file.

use std::collections::HashSet;

use super::problem::{excerpt, not_text};
use crate::error::{Error, Result};

/// Elements within elements, at most.
const DEEPEST: usize = 100;

/// What comes next in a document.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    /// `<name key="value">`; an element that is closed at once is followed by its end.
    Start { name: String, attributes: Vec<(String, String)> },
    /// `</name>`
    End { name: String },
    /// Text between tags.
    Text(String),
}

/// A cursor over a document.
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: u64,
    open: Vec<String>,
    /// Whether the element that was opened last is closed already.
    closed: bool,
    started: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count() as u64;
            let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let problem = not_text(bytes).map(|(_, problem)| problem).unwrap_or_default();
            Error::Parse { line, column: (before.len() - start) as u64 + 1, problem }
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Ok(Reader { text, at: 0, line: 1, open: Vec::new(), closed: false, started: false })
    }

    /// The place where the cursor is, for messages.
    pub(super) fn problem(&self, problem: impl Into<String>) -> Error {
        let start = self.text[..self.at].rfind('\n').map_or(0, |at| at + 1);
        Error::Parse { line: self.line, column: (self.at - start) as u64 + 1, problem: problem.into() }
    }

    /// The line where the cursor is, from 1.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The next event, `None` at the end of the document.
    pub(super) fn next(&mut self) -> Result<Option<Event>> {
        if self.closed {
            self.closed = false;
            return Ok(self.open.pop().map(|name| Event::End { name }));
        }
        loop {
            let rest = &self.text[self.at..];
            if rest.is_empty() {
                return match self.open.last() {
                    Some(name) => {
                        Err(self.problem(format!("the file ends within <{}>", excerpt(name.as_bytes()))))
                    }
                    None if !self.started => Err(self.problem("no element")),
                    None => Ok(None),
                };
            }
            if rest.starts_with("<!--") {
                self.skip(4, "-->", "a comment")?;
            } else if rest.starts_with("<?") {
                self.skip(2, "?>", "an instruction")?;
            } else if rest.starts_with("<![CDATA[") && !self.open.is_empty() {
                let text = self.skip(9, "]]>", "CDATA")?.to_string();
                return Ok(Some(Event::Text(text)));
            } else if rest.starts_with("<!") {
                return Err(self.problem("declarations (<!…>) are not read"));
            } else if rest.starts_with("</") {
                return self.end().map(Some);
            } else if rest.starts_with('<') {
                return self.start().map(Some);
            } else {
                let length = rest.find('<').unwrap_or(rest.len());
                let text = self.unescaped(&rest[..length])?;
                if self.open.is_empty() && !text.trim().is_empty() {
                    return Err(self.problem(format!(
                        "text outside of elements: `{}`",
                        excerpt(text.trim().as_bytes())
                    )));
                }
                self.advance(length);
                if !self.open.is_empty() {
                    return Ok(Some(Event::Text(text)));
                }
            }
        }
    }

    fn advance(&mut self, bytes: usize) {
        let passed = &self.text[self.at..self.at + bytes];
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count() as u64;
        self.at += bytes;
    }

    /// Passes what starts with so many bytes and stops at a mark; gives what is between.
    fn skip(&mut self, head: usize, mark: &str, what: &str) -> Result<&'a str> {
        let text = self.text;
        let inside = &text[self.at + head..];
        let Some(length) = inside.find(mark) else {
            return Err(self.problem(format!("{what} without an end")));
        };
        self.advance(head + length + mark.len());
        Ok(&inside[..length])
    }

    fn end(&mut self) -> Result<Event> {
        let found = self.text[self.at + 2..].split('>').next().unwrap_or("").trim_end();
        match self.open.last() {
            Some(name) if name == found => {}
            Some(name) => {
                let (found, name) = (excerpt(found.as_bytes()), excerpt(name.as_bytes()));
                return Err(self.problem(format!("</{found}> closes <{name}>")));
            }
            None => return Err(self.problem(format!("</{}> closes nothing", excerpt(found.as_bytes())))),
        }
        self.skip(2, ">", "a tag")?;
        Ok(Event::End { name: self.open.pop().unwrap_or_default() })
    }

    fn start(&mut self) -> Result<Event> {
        if self.open.is_empty() && self.started {
            return Err(self.problem("a second element after the first"));
        }
        if self.open.len() >= DEEPEST {
            return Err(self.problem(format!("more than {DEEPEST} elements within each other")));
        }
        self.advance(1);
        let name = self.name()?;
        let mut attributes: Vec<(String, String)> = Vec::new();
        let mut known = HashSet::new();
        loop {
            self.skip_spaces();
            let rest = &self.text[self.at..];
            if rest.starts_with("/>") || rest.starts_with('>') {
                self.closed = rest.starts_with('/');
                self.advance(1 + usize::from(self.closed));
                self.open.push(name.clone());
                self.started = true;
                return Ok(Event::Start { name, attributes });
            }
            let key = self.name()?;
            if !known.insert(key.clone()) {
                return Err(self.problem(format!("{} stands there twice", excerpt(key.as_bytes()))));
            }
            attributes.push((key, self.value()?));
        }
    }

    /// The name of an element or an attribute.
    fn name(&mut self) -> Result<String> {
        let rest = &self.text[self.at..];
        let ends = |c: char| c.is_whitespace() || "<>/=\"'&".contains(c);
        let length = rest.find(ends).unwrap_or(rest.len());
        if length == 0 {
            return Err(self.problem("expected a name"));
        }
        let name = rest[..length].to_string();
        self.advance(length);
        Ok(name)
    }

    /// `= "value"`
    fn value(&mut self) -> Result<String> {
        self.skip_spaces();
        if !self.text[self.at..].starts_with('=') {
            return Err(self.problem("expected ="));
        }
        self.advance(1);
        self.skip_spaces();
        let quote = self.text[self.at..].chars().next().filter(|c| "\"'".contains(*c));
        let Some(quote) = quote else { return Err(self.problem("expected a value in quotes")) };
        let rest = &self.text[self.at + 1..];
        let Some(length) = rest.find([quote, '<']).filter(|&at| rest[at..].starts_with(quote)) else {
            return Err(self.problem("a value without an end"));
        };
        let value = self.unescaped(&rest[..length])?;
        self.advance(length + 2);
        Ok(value)
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text[self.at..];
        self.advance(rest.len() - rest.trim_start().len());
    }

    /// Text with `&lt;` and its like replaced.
    fn unescaped(&self, text: &str) -> Result<String> {
        let mut parts = text.split('&');
        let mut result = parts.next().unwrap_or("").to_string();
        for part in parts {
            let character = part.split_once(';').and_then(|(name, rest)| Some((character(name)?, rest)));
            let Some((character, rest)) = character else {
                return Err(
                    self.problem(format!("`&{}` is no character that is known", excerpt(part.as_bytes())))
                );
            };
            result.push(character);
            result.push_str(rest);
        }
        Ok(result)
    }
}

/// The character of `&name;`.
fn character(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Result<Vec<Event>> {
        let mut reader = Reader::new(text.as_bytes())?;
        let mut events = Vec::new();
        while let Some(event) = reader.next()? {
            events.push(event);
        }
        Ok(events)
    }

    #[test]
    fn elements_attributes_and_text() {
        let found = events(
            "<?xml version='1.0'?>\n<!-- a --><a x=\"1 &amp; 2\" y = '&#x41;'><b/>t&lt;<![CDATA[<&]]></a>\n",
        );
        let start = |name: &str, attributes: &[(&str, &str)]| Event::Start {
            name: name.into(),
            attributes: attributes.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect(),
        };
        let end = |name: &str| Event::End { name: name.into() };
        let expected = [
            start("a", &[("x", "1 & 2"), ("y", "A")]),
            start("b", &[]),
            end("b"),
            Event::Text("t<".into()),
            Event::Text("<&".into()),
            end("a"),
        ];
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn what_is_not_well_formed_is_refused_at_its_place() {
        let cases = [
            ("", "line 1, column 1: no element"),
            ("<a>\n<b></a>", "line 2, column 4: </a> closes <b>"),
            ("<a>", "line 1, column 4: the file ends within <a>"),
            ("</a>", "line 1, column 1: </a> closes nothing"),
            ("<a/><b/>", "line 1, column 5: a second element after the first"),
            ("<a x=1/>", "line 1, column 6: expected a value in quotes"),
            ("<a x=\"1/>", "line 1, column 6: a value without an end"),
            ("<a x='1' x='2'/>", "line 1, column 11: x stands there twice"),
            ("<a>&b;</a>", "line 1, column 4: `&b;` is no character that is known"),
            ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "line 1, column 1: declarations (<!…>) are not read"),
            ("<a><!-- </a>", "line 1, column 4: a comment without an end"),
            ("text", "line 1, column 1: text outside of elements: `text`"),
        ];
        for (text, expected) in cases {
            assert_eq!(events(text).unwrap_err().to_string(), expected, "{text}");
        }
        assert!(events(&"<a>".repeat(1000)).unwrap_err().to_string().contains("more than 100 elements"));
        assert!(Reader::new(b"<a>\n\xff</a>").is_err());
    }
}
