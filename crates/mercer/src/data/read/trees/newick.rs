//! `(child,child,…)name:length;`
//!
//! J. Felsenstein, *The Newick tree format*, 1990.

use crate::data::read::problem::{error_at_byte, excerpt};
use crate::data::{Tree, TreeBuilder};
use crate::error::{Error, Result};

/// How much of the present node has been read.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Read {
    Nothing,
    Children,
    Name,
    Length,
}

pub(super) fn parse(text: &str) -> Result<Vec<Tree>> {
    let mut parser = Parser { text, at: 0 };
    let mut trees = Vec::new();
    loop {
        parser.skip_blanks()?;
        if parser.next().is_none() {
            return Ok(trees);
        }
        trees.push(parser.tree()?);
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    fn tree(&mut self) -> Result<Tree> {
        let mut builder = TreeBuilder::new();
        // The present node and those above it, and where their brackets stand.
        let mut node = builder.open("")?;
        let mut above: Vec<(usize, usize)> = Vec::new();
        let mut read = Read::Nothing;
        loop {
            self.skip_blanks()?;
            let start = self.at;
            match self.next() {
                Some(b'(') if read == Read::Nothing => {
                    self.at += 1;
                    above.push((node, start));
                    node = builder.open("")?;
                }
                Some(b'(') => {
                    return Err(self.error(
                        start,
                        "a bracket opens after the name of a node: a comma or a semicolon is missing",
                    ));
                }
                Some(b',') => {
                    self.at += 1;
                    if above.is_empty() {
                        return Err(self.error(start, "a comma outside of brackets"));
                    }
                    builder.close()?;
                    node = builder.open("")?;
                    read = Read::Nothing;
                }
                Some(b')') => {
                    self.at += 1;
                    let Some((parent, _)) = above.pop() else {
                        return Err(self.error(start, "this bracket was never opened"));
                    };
                    builder.close()?;
                    node = parent;
                    read = Read::Children;
                }
                Some(b':') if read < Read::Length => {
                    self.at += 1;
                    builder.set_length(node, self.length()?)?;
                    read = Read::Length;
                }
                Some(b':') => return Err(self.error(start, "a second length")),
                Some(b']') => return Err(self.error(start, "this comment was never opened")),
                Some(b';') | None => {
                    if let Some(&(_, place)) = above.last() {
                        return Err(self.error(place, "this bracket is never closed"));
                    }
                    if read == Read::Nothing {
                        return Err(self.error(start, "no tree before the semicolon"));
                    }
                    self.at = self.text.len().min(start + 1);
                    builder.close()?;
                    return builder.finish();
                }
                Some(_) => {
                    let name = self.name()?;
                    if read >= Read::Name {
                        let problem = format!(
                            "`{}` after the name or the length of a node: a comma or a semicolon is missing",
                            excerpt(name.as_bytes())
                        );
                        return Err(self.error(start, problem));
                    }
                    builder.relabel(node, &name)?;
                    read = Read::Name;
                }
            }
        }
    }

    fn next(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, at: usize, problem: impl Into<String>) -> Error {
        error_at_byte(self.text.as_bytes(), at, problem)
    }

    /// Blanks and comments.
    fn skip_blanks(&mut self) -> Result<()> {
        let mut comments = Vec::new();
        while let Some(byte) = self.next() {
            match byte {
                b'[' => comments.push(self.at),
                b']' if !comments.is_empty() => {
                    comments.pop();
                }
                byte if !comments.is_empty() || byte.is_ascii_whitespace() => {}
                _ => return Ok(()),
            }
            self.at += 1;
        }
        match comments.last() {
            Some(&place) => Err(self.error(place, "this comment is never closed")),
            None => Ok(()),
        }
    }

    fn name(&mut self) -> Result<String> {
        if self.next() == Some(b'\'') {
            return self.quoted();
        }
        let start = self.at;
        self.skip_word();
        Ok(self.text[start..self.at].into())
    }

    fn skip_word(&mut self) {
        while self.next().is_some_and(|byte| !is_special(byte)) {
            self.at += 1;
        }
    }

    fn quoted(&mut self) -> Result<String> {
        let (start, mut name) = (self.at, String::new());
        self.at += 1;
        loop {
            let rest = &self.text[self.at..];
            let Some(length) = rest.find('\'') else {
                return Err(self.error(start, "this quote is never closed"));
            };
            name.push_str(&rest[..length]);
            self.at += length + 1;
            if self.next() != Some(b'\'') {
                return Ok(name);
            }
            name.push('\'');
            self.at += 1;
        }
    }

    fn length(&mut self) -> Result<f64> {
        self.skip_blanks()?;
        let start = self.at;
        self.skip_word();
        let word = &self.text[start..self.at];
        match word.parse::<f64>() {
            Ok(length) if length.is_finite() && !word.is_empty() => Ok(length),
            _ => Err(self.error(start, format!("`{}` is not a length", excerpt(word.as_bytes())))),
        }
    }
}

/// What is part of a name only in quotes.
pub(in crate::data) fn is_special(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'[' | b']' | b':' | b';' | b',' | b'\'') || byte.is_ascii_whitespace()
}
