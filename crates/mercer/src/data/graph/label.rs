//! What a node or an edge is called.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::data::word::without_zeros;

/// The label of a node or an edge: a whole number or a word. Labels are alike if they are equal, and a number is never
/// equal to a word.
///
/// ```
/// use mercer::data::GraphLabel;
/// assert_ne!(GraphLabel::from(6), GraphLabel::from("C"));
/// assert_eq!(GraphLabel::read("6"), GraphLabel::Number(6));
/// assert_eq!(GraphLabel::read("C").to_string(), "C");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GraphLabel {
    /// A whole number.
    Number(i64),
    /// Anything else.
    Word(Box<str>),
}

impl GraphLabel {
    /// A number where the text is one, else a word. `007`, `+7` and `7.0` are the number 7.
    pub fn read(text: &str) -> Self {
        without_zeros(text).parse().map_or_else(|_| GraphLabel::Word(text.into()), GraphLabel::Number)
    }
}

impl From<i64> for GraphLabel {
    fn from(number: i64) -> Self {
        GraphLabel::Number(number)
    }
}

impl From<&str> for GraphLabel {
    fn from(word: &str) -> Self {
        GraphLabel::Word(word.into())
    }
}

impl From<String> for GraphLabel {
    fn from(word: String) -> Self {
        GraphLabel::Word(word.into())
    }
}

impl fmt::Display for GraphLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphLabel::Number(number) => number.fmt(f),
            GraphLabel::Word(word) => word.fmt(f),
        }
    }
}
