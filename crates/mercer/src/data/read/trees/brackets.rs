//! `(label child child …)`

use crate::data::read::problem::{error_at_byte, excerpt};
use crate::data::{Tree, TreeBuilder};
use crate::error::Result;

pub(super) fn parse(text: &str) -> Result<Vec<Tree>> {
    let bytes = text.as_bytes();
    let mut trees = Vec::new();
    let mut builder = TreeBuilder::new();
    // Where the brackets stand that are open.
    let mut opened = Vec::new();
    let mut at = 0;
    loop {
        at = after_blanks(bytes, at);
        let start = at;
        match bytes.get(at) {
            None => break,
            Some(b'(') => {
                at = after_blanks(bytes, at + 1);
                let label = label(text, &mut at);
                builder.open(&label)?;
                opened.push(start);
            }
            Some(b')') => {
                at += 1;
                if opened.pop().is_none() {
                    return Err(error_at_byte(bytes, start, "this bracket was never opened"));
                }
                builder.close()?;
                if opened.is_empty() {
                    trees.push(std::mem::take(&mut builder).finish()?);
                }
            }
            Some(_) => {
                let word = label(text, &mut at);
                if opened.is_empty() {
                    let problem = format!("expected `(`, found `{}`", excerpt(word.as_bytes()));
                    return Err(error_at_byte(bytes, start, problem));
                }
                builder.open(&word)?;
                builder.close()?;
            }
        }
    }
    match opened.last() {
        Some(&place) => Err(error_at_byte(bytes, place, "this bracket is never closed")),
        None => Ok(trees),
    }
}

fn after_blanks(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// The label that begins here, which may be empty.
fn label(text: &str, at: &mut usize) -> String {
    let bytes = text.as_bytes();
    let (mut label, mut from) = (String::new(), *at);
    while let Some(&byte) = bytes.get(*at) {
        if is_special(byte) && byte != b'\\' {
            break;
        }
        if byte == b'\\' && bytes.get(*at + 1).copied().is_some_and(is_special) {
            label.push_str(&text[from..*at]);
            from = *at + 1;
            *at += 1;
        }
        *at += 1;
    }
    label.push_str(&text[from..*at]);
    label
}

/// What is part of a label only after a backslash.
pub(in crate::data) fn is_special(byte: u8) -> bool {
    matches!(byte, b'(' | b')' | b'\\') || byte.is_ascii_whitespace()
}
