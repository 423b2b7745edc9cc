//! Collects the labels of a file: numbers as long as all are numbers, interned words from then on.

use super::number::{self, LONGEST_TOKEN, Refusal};
use super::problem::not_text;
use crate::data::Targets;
use crate::data::targets::Interner;

/// A target column that grows by one label per row.
///
/// In a column that has words, a number is spelled in its shortest form, so that `1`, `+1` and `1.0` stay the
/// one class that they are in a column of numbers.
#[derive(Default)]
pub(super) struct TargetColumn {
    numbers: Vec<f64>,
    words: Option<Interner>,
}

/// A label that cannot be used: where in it (bytes from 0) and why.
pub(super) struct BadLabel {
    pub(super) offset: usize,
    pub(super) problem: String,
}

impl TargetColumn {
    /// Takes the label of the next row.
    pub(super) fn push(&mut self, token: &[u8]) -> Result<(), BadLabel> {
        match number::parse(token) {
            Ok(value) => {
                match &mut self.words {
                    None => self.numbers.push(value),
                    Some(words) => words.push(&spelled(value)),
                }
                Ok(())
            }
            Err(Refusal::NotANumber) => self.push_word(token),
            Err(refusal) => Err(BadLabel { offset: 0, problem: refusal.problem(token) }),
        }
    }

    fn push_word(&mut self, token: &[u8]) -> Result<(), BadLabel> {
        if token.len() > LONGEST_TOKEN {
            return Err(BadLabel { offset: 0, problem: Refusal::TooLong.problem(token) });
        }
        let word = std::str::from_utf8(token).map_err(|_| {
            let (offset, problem) = not_text(token).unwrap_or_default();
            BadLabel { offset, problem }
        })?;
        let numbers = &mut self.numbers;
        let words = self.words.get_or_insert_with(|| {
            let mut words = Interner::default();
            std::mem::take(numbers).into_iter().for_each(|value| words.push(&spelled(value)));
            words
        });
        words.push(word);
        Ok(())
    }

    /// The column as targets.
    pub(super) fn finish(mut self) -> Targets {
        match self.words {
            None => {
                self.numbers.shrink_to_fit();
                Targets::Numbers(self.numbers)
            }
            Some(words) => Targets::Words(words.finish()),
        }
    }
}

/// As `Labels::from_numbers` spells a class: -0 and 0 are one.
pub(super) fn spelled(value: f64) -> String {
    (value + 0.0).to_string()
}
