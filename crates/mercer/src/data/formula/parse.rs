//! Formulae from text, by two stacks in place of recursion (Dijkstra's shunting yard).

use std::collections::HashMap;
use std::str::FromStr;

use super::{Formula, Step};
use crate::data::read::{error_at_byte, excerpt};
use crate::error::{Error, Result};

/// A piece of the text.
#[derive(Clone, Copy, PartialEq)]
enum Token<'t> {
    Variable(&'t str),
    Step(Step),
    Open,
    Close,
}

/// Signs, longer ones before those that they begin with.
const SIGNS: [(&str, Token<'static>); 24] = [
    ("<->", Token::Step(Step::Iff)),
    ("<=>", Token::Step(Step::Iff)),
    ("->", Token::Step(Step::Implies)),
    ("=>", Token::Step(Step::Implies)),
    ("/\\", Token::Step(Step::And)),
    ("\\/", Token::Step(Step::Or)),
    ("&&", Token::Step(Step::And)),
    ("||", Token::Step(Step::Or)),
    ("&", Token::Step(Step::And)),
    ("|", Token::Step(Step::Or)),
    ("!", Token::Step(Step::Not)),
    ("~", Token::Step(Step::Not)),
    ("¬", Token::Step(Step::Not)),
    ("∧", Token::Step(Step::And)),
    ("∨", Token::Step(Step::Or)),
    ("→", Token::Step(Step::Implies)),
    ("⇒", Token::Step(Step::Implies)),
    ("↔", Token::Step(Step::Iff)),
    ("⇔", Token::Step(Step::Iff)),
    ("≡", Token::Step(Step::Iff)),
    ("⊤", Token::Step(Step::True)),
    ("⊥", Token::Step(Step::False)),
    ("(", Token::Open),
    (")", Token::Close),
];

const WORDS: [(&str, Step); 7] = [
    ("and", Step::And),
    ("or", Step::Or),
    ("not", Step::Not),
    ("implies", Step::Implies),
    ("iff", Step::Iff),
    ("true", Step::True),
    ("false", Step::False),
];

impl FromStr for Formula {
    type Err = Error;

    fn from_str(text: &str) -> Result<Formula> {
        let mut parser = Parser::default();
        let mut at = 0;
        loop {
            at += text[at..].len() - text[at..].trim_start().len();
            if at == text.len() {
                break;
            }
            let (token, length) =
                next_token(&text[at..]).map_err(|problem| error_at_byte(text.as_bytes(), at, problem))?;
            let piece = &text[at..at + length];
            parser
                .take(token, piece, at)
                .map_err(|(at, problem)| error_at_byte(text.as_bytes(), at, problem))?;
            at += length;
        }
        parser.finish(at).map_err(|(at, problem)| error_at_byte(text.as_bytes(), at, problem))
    }
}

fn next_token(rest: &str) -> Result<(Token<'_>, usize), String> {
    if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        return Ok((*token, sign.len()));
    }
    let first = rest.chars().next().unwrap_or(' ');
    if !(first.is_alphabetic() || first == '_') {
        return Err(format!("unexpected character {first:?}"));
    }
    let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let word = &rest[..rest.find(|c| !inside(c)).unwrap_or(rest.len())];
    let known = WORDS.iter().find(|(name, _)| word.eq_ignore_ascii_case(name));
    Ok((known.map_or(Token::Variable(word), |&(_, step)| Token::Step(step)), word.len()))
}

/// Where, and what is wrong there.
type Problem = (usize, String);

#[derive(Default)]
struct Parser {
    variables: Vec<String>,
    numbers: HashMap<String, u32>,
    steps: Vec<Step>,
    /// Operators and opening brackets (`None`) whose right side is not complete, and where they stand.
    waiting: Vec<(Option<Step>, usize)>,
    /// Whether an operand was the last that came.
    complete: bool,
}

impl Parser {
    fn take(&mut self, token: Token<'_>, piece: &str, at: usize) -> Result<(), Problem> {
        if self.complete {
            match token {
                Token::Close => {
                    while let Some((Some(step), _)) = self.waiting.last() {
                        self.steps.push(*step);
                        self.waiting.pop();
                    }
                    if self.waiting.pop().is_none() {
                        return Err((at, "this bracket was never opened".into()));
                    }
                }
                Token::Step(step @ (Step::And | Step::Or | Step::Implies | Step::Iff)) => {
                    // What binds more tightly is complete; so is what binds as tightly and groups to the left.
                    let done = |other: Step| {
                        other.strength() > step.strength()
                            || (other.strength() == step.strength() && step != Step::Implies)
                    };
                    while let Some((Some(other), _)) = self.waiting.last().filter(|w| w.0.is_some_and(done)) {
                        self.steps.push(*other);
                        self.waiting.pop();
                    }
                    self.waiting.push((Some(step), at));
                    self.complete = false;
                }
                _ => {
                    return Err((at, format!("expected an operator, found `{}`", excerpt(piece.as_bytes()))));
                }
            }
            return Ok(());
        }
        match token {
            Token::Open => self.waiting.push((None, at)),
            Token::Step(Step::Not) => self.waiting.push((Some(Step::Not), at)),
            Token::Step(constant @ (Step::True | Step::False)) => {
                self.steps.push(constant);
                self.complete = true;
            }
            Token::Variable(name) => {
                let number = match self.numbers.get(name) {
                    Some(&number) => number,
                    None => {
                        let number = u32::try_from(self.variables.len())
                            .map_err(|_| (at, "too many variables".to_string()))?;
                        self.variables.push(name.into());
                        self.numbers.insert(name.into(), number);
                        number
                    }
                };
                self.steps.push(Step::Variable(number));
                self.complete = true;
            }
            _ => {
                return Err((
                    at,
                    format!("expected a variable, `not` or `(`, found `{}`", excerpt(piece.as_bytes())),
                ));
            }
        }
        Ok(())
    }

    fn finish(mut self, end: usize) -> Result<Formula, Problem> {
        if !self.complete {
            return Err((end, "the formula ends where a variable is expected".into()));
        }
        while let Some((step, at)) = self.waiting.pop() {
            self.steps.push(step.ok_or_else(|| (at, "this bracket is never closed".to_string()))?);
        }
        Ok(Formula { variables: self.variables, steps: self.steps })
    }
}
