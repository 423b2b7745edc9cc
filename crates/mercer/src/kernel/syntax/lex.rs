//! Text cut into tokens, each with its place.

use crate::error::{Error, Result};
use crate::kernel::structure::is_begun;

/// A token, and the position of its first character, from 1.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) position: usize,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// `gaussian`
    Name(String),
    /// An unsigned number, with its spelling (`3` may be an exponent, `3.0` may not).
    Number(f64, String),
    /// `"acgt"`, in which a backslash takes the next character as it is.
    Text(String),
    /// One of `+ - * ^ ( ) [ ] , = :`
    Symbol(char),
    /// After the last character.
    End,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Name(name) => write!(f, "{name:?}"),
            Kind::Number(_, text) => write!(f, "{text:?}"),
            Kind::Text(text) => write!(f, "the text {text:?}"),
            Kind::Symbol(symbol) => write!(f, "{:?}", symbol.to_string()),
            Kind::End => f.write_str("the end"),
        }
    }
}

/// An [`Error::Expression`].
pub(crate) fn problem<T>(position: usize, problem: impl Into<String>) -> Result<T> {
    Err(Error::Expression { position, problem: problem.into() })
}

/// All tokens of a text; the last is [`Kind::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < characters.len() {
        let (first, position) = (characters[at], at + 1);
        let kind = if first.is_whitespace() {
            at += 1;
            continue;
        } else if first.is_ascii_digit() || first == '.' {
            number(&characters, &mut at, position)?
        } else if first.is_ascii_alphabetic() || first == '_' {
            let word = |at: &mut usize| run(&characters, at, |c| c.is_ascii_alphanumeric() || c == '_');
            let mut name = word(&mut at);
            // A dash belongs to a name that has one; to all others it is a minus.
            while characters.get(at) == Some(&'-')
                && characters.get(at + 1).is_some_and(char::is_ascii_alphabetic)
            {
                let mut end = at + 1;
                let longer = format!("{name}_{}", word(&mut end));
                if !is_begun(&longer) {
                    break;
                }
                (name, at) = (longer, end);
            }
            Kind::Name(name)
        } else if first == '"' {
            at += 1;
            quoted(&characters, &mut at, position)?
        } else if "+-*^()[],=:".contains(first) {
            at += 1;
            Kind::Symbol(first)
        } else {
            return problem(position, format!("unexpected character {first:?}"));
        };
        tokens.push(Token { kind, position });
    }
    tokens.push(Token { kind: Kind::End, position: characters.len() + 1 });
    Ok(tokens)
}

/// What stands in quotes.
fn quoted(characters: &[char], at: &mut usize, position: usize) -> Result<Kind> {
    let mut text = String::new();
    loop {
        match characters.get(*at) {
            None => return problem(position, "this quote is never closed"),
            Some('"') => {
                *at += 1;
                return Ok(Kind::Text(text));
            }
            Some('\\') if characters.get(*at + 1).is_some() => {
                text.push(characters[*at + 1]);
                *at += 2;
            }
            Some(&character) => {
                text.push(character);
                *at += 1;
            }
        }
    }
}

fn run(characters: &[char], at: &mut usize, belongs: impl Fn(char) -> bool) -> String {
    let start = *at;
    while characters.get(*at).is_some_and(|&c| belongs(c)) {
        *at += 1;
    }
    characters[start..*at].iter().collect()
}

fn number(characters: &[char], at: &mut usize, position: usize) -> Result<Kind> {
    let mut text = run(characters, at, |c| c.is_ascii_digit() || c == '.');
    if characters.get(*at).is_some_and(|c| matches!(c, 'e' | 'E')) {
        text.push('e');
        *at += 1;
        if let Some(&sign @ ('+' | '-')) = characters.get(*at) {
            text.push(sign);
            *at += 1;
        }
        text += &run(characters, at, |c| c.is_ascii_digit());
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Kind::Number(value, text)),
        Ok(_) => problem(position, format!("{text} is too large for a number")),
        Err(_) => problem(position, format!("{text:?} is not a number")),
    }
}
