//! XML as files of data need it: elements, attributes and text, with the place of what is wrong.
//!
//! Parsing is quick-xml's. This file adds what it leaves to its caller: one root element, a limit of depth, lines and columns. Document
//! type declarations are refused, so that no entity makes a text longer than the file.

use std::collections::HashSet;

use quick_xml::XmlVersion;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event as Parsed};
use quick_xml::reader::Reader as Parser;

use super::problem::{excerpt, not_text};
use crate::error::{Error, Result};

/// How line ends and spaces are normalized: as in XML 1.0, whatever the document declares.
const VERSION: XmlVersion = XmlVersion::Implicit1_0;

/// Elements within elements, at most.
const DEEPEST: usize = 100;

/// What comes next in a document.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    /// `<name key="value">`; an empty element is followed by its end.
    Start { name: String, attributes: Vec<(String, String)> },
    /// `</name>`
    End,
    /// Text between tags.
    Text(String),
}

/// A cursor over a document.
pub(super) struct Reader<'a> {
    text: &'a str,
    parser: Parser<&'a [u8]>,
    /// Where the cursor is, in bytes, and the number of lines that end before it.
    at: usize,
    newlines: u64,
    /// Names of the elements around the cursor.
    open: Vec<String>,
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
        let mut parser = Parser::from_str(text);
        parser.config_mut().expand_empty_elements = true;
        Ok(Reader { text, parser, at: 0, newlines: 0, open: Vec::new(), started: false })
    }

    /// An error at the cursor.
    pub(super) fn problem(&self, problem: impl Into<String>) -> Error {
        let start = self.text[..self.at].rfind('\n').map_or(0, |at| at + 1);
        Error::Parse { line: self.line(), column: (self.at - start) as u64 + 1, problem: problem.into() }
    }

    /// The line of the cursor, from 1.
    pub(super) fn line(&self) -> u64 {
        self.newlines + 1
    }

    /// The next event, `None` at the end of the document.
    pub(super) fn next(&mut self) -> Result<Option<Event>> {
        loop {
            let parsed = self.parser.read_event();
            if parsed.is_err() {
                self.advance(self.parser.error_position());
            }
            // The cursor stands where the event starts until all of it has been looked at.
            let event = match parsed.map_err(|error| self.refusal(&error))? {
                Parsed::Start(tag) => Some(self.start(&tag)?),
                Parsed::End(_) => {
                    self.open.pop();
                    Some(Event::End)
                }
                Parsed::Text(text) => self.inside(&text.xml_content(VERSION))?,
                Parsed::CData(text) => self.inside(&text.xml_content(VERSION))?,
                Parsed::GeneralRef(reference) => self.inside(&self.character(&reference)?)?,
                Parsed::DocType(_) => {
                    return Err(self.problem("document type declarations (<!DOCTYPE …>) are not supported"));
                }
                Parsed::Eof => return self.end(),
                Parsed::Empty(_) | Parsed::Comment(_) | Parsed::Decl(_) | Parsed::PI(_) => None,
            };
            self.advance(self.parser.buffer_position());
            if event.is_some() {
                return Ok(event);
            }
        }
    }

    fn advance(&mut self, to: u64) {
        let to = (to as usize).clamp(self.at, self.text.len());
        self.newlines +=
            self.text.as_bytes()[self.at..to].iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.at = to;
    }

    /// What the parser says of a document that is not well formed.
    fn refusal(&self, error: &quick_xml::Error) -> Error {
        let what = match error {
            quick_xml::Error::Syntax(error) => error.to_string(),
            quick_xml::Error::IllFormed(error) => error.to_string(),
            error => error.to_string(),
        };
        self.problem(format!("not well-formed XML: {}", shortened(&what)))
    }

    fn end(&self) -> Result<Option<Event>> {
        match self.open.last() {
            Some(name) => Err(self.problem(format!("the file ends within <{}>", excerpt(name.as_bytes())))),
            None if !self.started => Err(self.problem("no element")),
            None => Ok(None),
        }
    }

    fn start(&mut self, tag: &BytesStart) -> Result<Event> {
        if self.open.is_empty() && self.started {
            return Err(self.problem("a second root element"));
        }
        if self.open.len() >= DEEPEST {
            return Err(self.problem(format!("more than {DEEPEST} nested elements")));
        }
        let (mut attributes, mut known) = (Vec::new(), HashSet::new());
        // The parser's own check of repeated names compares each name with all before it.
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| self.refusal(&error.into()))?;
            let key = attribute.key.into_inner().to_string();
            let value = attribute.normalized_value(VERSION).map_err(|error| self.refusal(&error))?;
            if !known.insert(key.clone()) {
                return Err(self.problem(format!("attribute {} is repeated", excerpt(key.as_bytes()))));
            }
            attributes.push((key, value.into_owned()));
        }
        let name = tag.name().into_inner().to_string();
        self.open.push(name.clone());
        self.started = true;
        Ok(Event::Start { name, attributes })
    }

    /// Text, which belongs into an element; none where it is the space around the root.
    fn inside(&self, text: &str) -> Result<Option<Event>> {
        if !self.open.is_empty() {
            return Ok(Some(Event::Text(text.to_string())));
        }
        if text.trim().is_empty() {
            return Ok(None);
        }
        Err(self.problem(format!("text outside the root element: `{}`", excerpt(text.trim().as_bytes()))))
    }

    /// What `&lt;`, `&#65;` and their like stand for.
    fn character(&self, reference: &BytesRef) -> Result<String> {
        if let Some(character) = reference.resolve_char_ref().map_err(|error| self.refusal(&error))? {
            return Ok(character.to_string());
        }
        let name = reference.xml_content(VERSION);
        let known = resolve_xml_entity(&name).map(str::to_string);
        known.ok_or_else(|| self.problem(format!("unknown entity `&{};`", excerpt(name.as_bytes()))))
    }
}

/// A message of the parser, which may quote a name of any length.
fn shortened(message: &str) -> String {
    const LONGEST: usize = 200;
    let mut short: String =
        message.chars().take(LONGEST).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if message.len() > short.len() {
        short.push('…');
    }
    short
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
        let text = |text: &str| Event::Text(text.into());
        let expected = [
            start("a", &[("x", "1 & 2"), ("y", "A")]),
            start("b", &[]),
            Event::End,
            text("t"),
            text("<"),
            text("<&"),
            Event::End,
        ];
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn what_is_not_well_formed_is_refused_at_its_place() {
        let cases = [
            ("", "line 1, column 1: no element"),
            ("<a>\n<b></a>", "line 2, column 4: not well-formed XML: "),
            ("<a>", "line 1, column 4: the file ends within <a>"),
            ("</a>", "line 1, column 1: not well-formed XML: "),
            ("<a/><b/>", "line 1, column 5: a second root element"),
            ("<a x=1/>", "line 1, column 1: not well-formed XML: "),
            ("<a x=\"1/>", "line 1, column 1: not well-formed XML: "),
            ("<a x='1' x='2'/>", "line 1, column 1: attribute x is repeated"),
            ("<a>\n &b;</a>", "line 2, column 2: unknown entity `&b;`"),
            ("<a x='&b;'/>", "line 1, column 1: not well-formed XML: "),
            ("<a>a & b</a>", "line 1, column 6: not well-formed XML: "),
            ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "line 1, column 1: document type declarations"),
            ("<a><!-- </a>", "line 1, column 4: not well-formed XML: "),
            ("text", "line 1, column 1: text outside the root element: `text`"),
            ("<a/> &lt;", "line 1, column 6: text outside the root element: `<`"),
        ];
        for (text, expected) in cases {
            let error = events(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        let mismatch = events(&format!("<{}></b>", "a".repeat(100_000))).unwrap_err().to_string();
        assert!(mismatch.len() < 500, "{} bytes", mismatch.len());
        assert!(
            events(&"<a>".repeat(1000)).unwrap_err().to_string().contains("more than 100 nested elements")
        );
        assert!(Reader::new(b"<a>\n\xff</a>").is_err());
    }
}
