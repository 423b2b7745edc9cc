//! What of a text is counted.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// What a text is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Runs of letters, digits and underscores, of two characters at least unless said otherwise.
    Words,
    /// Single characters. Several white ones in a row count as one space.
    Characters,
}

/// The terms of a text: its n-grams, runs of n neighbouring words or characters, for n from `shortest` to `longest`.
///
/// Capitals are made small unless said otherwise. Words, n-grams and small letters are those of scikit-learn's vectorisers
/// (which count some marks of Indic scripts as no part of a word). O(n · longest) for a text of n units.
///
/// ```
/// use mercer::kernel::text::Terms;
/// assert_eq!(Terms::words(1, 2)?.list("A kernel's margin"), ["kernel", "margin", "kernel margin"]);
/// assert_eq!(Terms::characters(2, 2)?.list("Né e"), ["né", "é ", " e"]);
/// let terms = Terms::words(1, 1)?.keep_case().with_shortest_word(1);
/// assert_eq!(terms.list("A kernel's"), ["A", "kernel", "s"]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Terms {
    unit: Unit,
    shortest: usize,
    longest: usize,
    lower_case: bool,
    shortest_word: usize,
}

#[derive(Deserialize)]
struct Raw {
    unit: Unit,
    shortest: usize,
    longest: usize,
    lower_case: bool,
    shortest_word: usize,
}

impl TryFrom<Raw> for Terms {
    type Error = Error;

    fn try_from(raw: Raw) -> Result<Self> {
        let Raw { unit, shortest, longest, lower_case, shortest_word } = raw;
        Ok(Terms { lower_case, shortest_word, ..Terms::new(unit, shortest, longest)? })
    }
}

impl Terms {
    /// N-grams of words.
    ///
    /// # Errors
    /// [`Error::Parameter`] for a shortest n of 0, or a longest one below it.
    pub fn words(shortest: usize, longest: usize) -> Result<Self> {
        Self::new(Unit::Words, shortest, longest)
    }

    /// N-grams of characters.
    ///
    /// # Errors
    /// As [`Terms::words`].
    pub fn characters(shortest: usize, longest: usize) -> Result<Self> {
        Self::new(Unit::Characters, shortest, longest)
    }

    fn new(unit: Unit, shortest: usize, longest: usize) -> Result<Self> {
        if shortest == 0 {
            let expected = "a whole number of at least 1";
            return Err(Error::Parameter { name: "shortest", value: 0.0, expected });
        }
        if longest < shortest {
            let expected = "at least the shortest length";
            return Err(Error::Parameter { name: "longest", value: longest as f64, expected });
        }
        Ok(Terms { unit, shortest, longest, lower_case: true, shortest_word: 2 })
    }

    /// Capitals stay as they are.
    #[must_use]
    pub fn keep_case(self) -> Self {
        Terms { lower_case: false, ..self }
    }

    /// Words of fewer characters are left out (2 unless said otherwise).
    #[must_use]
    pub fn with_shortest_word(self, characters: usize) -> Self {
        Terms { shortest_word: characters, ..self }
    }

    /// Words or characters.
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// The least n.
    pub fn shortest(&self) -> usize {
        self.shortest
    }

    /// The greatest n.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Whether capitals are made small.
    pub fn lower_case(&self) -> bool {
        self.lower_case
    }

    /// The fewest characters of a word.
    pub fn shortest_word(&self) -> usize {
        self.shortest_word
    }

    /// The terms of a text, each as often as it stands there: first the shortest n-grams, then the longer ones. Words of
    /// an n-gram are joined by a space.
    pub fn list(&self, text: &str) -> Vec<String> {
        let lowered;
        let text = if self.lower_case {
            lowered = text.to_lowercase();
            &lowered
        } else {
            text
        };
        match self.unit {
            Unit::Words => {
                let words: Vec<&str> = text
                    .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .filter(|word| !word.is_empty() && word.chars().count() >= self.shortest_word)
                    .collect();
                self.n_grams(&words, |words| words.join(" "))
            }
            Unit::Characters => self.n_grams(&single_spaced(text), |characters| characters.iter().collect()),
        }
    }

    fn n_grams<T>(&self, units: &[T], name: impl Fn(&[T]) -> String) -> Vec<String> {
        let longest = self.longest.min(units.len());
        (self.shortest..=longest).flat_map(|n| units.windows(n)).map(name).collect()
    }
}

/// The characters, several white ones in a row replaced by one space.
fn single_spaced(text: &str) -> Vec<char> {
    let mut characters: Vec<char> = Vec::with_capacity(text.len());
    let mut white = 0;
    for character in text.chars() {
        white = if character.is_whitespace() { white + 1 } else { 0 };
        match white {
            0 | 1 => characters.push(character),
            _ => {
                characters.pop();
                characters.push(' ');
            }
        }
    }
    characters
}
