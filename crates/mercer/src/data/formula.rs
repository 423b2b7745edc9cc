//! Propositional formulae.

mod parse;
mod print;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// A formula of propositional logic.
///
/// Written with words or symbols, in order of how tightly they bind: `not` (`!`, `~`, `¬`), `and` (`&`, `&&`, `/\`, `∧`), `or`
/// (`|`, `||`, `\/`, `∨`), `implies` (`->`, `=>`, `→`, `⇒`), which groups to the right, and `iff` (`<->`, `<=>`, `↔`, `⇔`, `≡`);
/// all others group to the left. `true` (`⊤`) and `false` (`⊥`) are constants; words in any case of letters. Any other word of
/// letters, digits, `_` and `'` that begins with a letter or `_` is a variable.
///
/// It prints in words, with the fewest parentheses. O(length) to read, print and evaluate, however deep it is.
///
/// ```
/// use mercer::data::Formula;
/// let formula: Formula = "(rain -> wet) & !wet".parse()?;
/// assert_eq!(formula.to_string(), "(rain implies wet) and not wet");
/// assert_eq!(formula.variables(), ["rain", "wet"]);
/// assert!(formula.holds(|_| false));
/// assert!(!formula.holds(|variable| variable == "rain"));
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Formula {
    /// In the order in which they first occur.
    variables: Vec<String>,
    /// Operands before their operators.
    steps: Vec<Step>,
}

/// A step of the evaluation: takes operands from a stack and puts one back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Variable(u32),
    True,
    False,
    Not,
    And,
    Or,
    Implies,
    Iff,
}

impl Formula {
    /// Its variables, in the order in which they first occur.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// Whether it is true where variables have these values.
    pub fn holds(&self, value: impl Fn(&str) -> bool) -> bool {
        let values: Vec<u64> = self.variables.iter().map(|name| if value(name) { !0 } else { 0 }).collect();
        self.evaluate(&values, &mut Vec::new()) != 0
    }

    /// Its models among all assignments to these variables, as bits: in assignment a, the k-th variable has the k-th bit
    /// of a. O(length · 2ⁿ / 64).
    ///
    /// ```
    /// use mercer::data::Formula;
    /// let formula: Formula = "p or q".parse()?;
    /// assert_eq!(formula.models(&["p".into(), "q".into()])?, [0b1110]);
    /// assert_eq!(formula.models(&["q".into()]).unwrap_err().to_string(), "the variable `p` is not among q");
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a variable that is not named, and for more than [`MOST_VARIABLES`](Formula::MOST_VARIABLES).
    pub fn models(&self, vocabulary: &[String]) -> Result<Vec<u64>> {
        Formula::check_vocabulary(vocabulary)?;
        let numbers: HashMap<&str, usize> =
            vocabulary.iter().enumerate().map(|(k, name)| (&**name, k)).collect();
        let place = |name: &String| {
            numbers.get(&**name).copied().ok_or_else(|| Error::Unsupported {
                what: format!("the variable `{name}` is not among {}", vocabulary.join(", ")),
            })
        };
        let places: Vec<usize> = self.variables.iter().map(place).collect::<Result<_>>()?;
        // Within a word of 64 assignments the first six variables alternate.
        const ALTERNATING: [u64; 6] = [
            0xAAAA_AAAA_AAAA_AAAA,
            0xCCCC_CCCC_CCCC_CCCC,
            0xF0F0_F0F0_F0F0_F0F0,
            0xFF00_FF00_FF00_FF00,
            0xFFFF_0000_FFFF_0000,
            0xFFFF_FFFF_0000_0000,
        ];
        let words = 1usize << vocabulary.len().saturating_sub(6);
        let all = if vocabulary.len() < 6 { (1u64 << (1 << vocabulary.len())) - 1 } else { !0 };
        let mut stack = Vec::new();
        let mut values = vec![0; places.len()];
        let word = |word: usize| {
            for (value, &k) in values.iter_mut().zip(&places) {
                *value = match ALTERNATING.get(k) {
                    Some(&pattern) => pattern,
                    None if word >> (k - 6) & 1 == 1 => !0,
                    None => 0,
                };
            }
            self.evaluate(&values, &mut stack) & all
        };
        Ok((0..words).map(word).collect())
    }

    /// Of more variables models are not listed.
    pub const MOST_VARIABLES: usize = 20;

    /// Refuses variables that stand twice and too many of them.
    pub(crate) fn check_vocabulary(vocabulary: &[String]) -> Result<()> {
        if vocabulary.len() > Formula::MOST_VARIABLES {
            return Err(Error::Unsupported {
                what: format!(
                    "formulae over {} variables: models are counted for {} at most",
                    vocabulary.len(),
                    Formula::MOST_VARIABLES
                ),
            });
        }
        match vocabulary.iter().enumerate().find(|(k, name)| vocabulary[..*k].contains(name)) {
            Some((_, name)) => {
                Err(Error::Unsupported { what: format!("the variable `{name}` is named twice") })
            }
            None => Ok(()),
        }
    }

    /// 64 assignments at once, one per bit.
    fn evaluate(&self, values: &[u64], stack: &mut Vec<u64>) -> u64 {
        stack.clear();
        for step in &self.steps {
            let result = match step {
                Step::Variable(k) => values[*k as usize],
                Step::True => !0,
                Step::False => 0,
                Step::Not => !stack.pop().unwrap_or(0),
                binary => {
                    let (right, left) = (stack.pop().unwrap_or(0), stack.pop().unwrap_or(0));
                    match binary {
                        Step::And => left & right,
                        Step::Or => left | right,
                        Step::Implies => !left | right,
                        _ => !(left ^ right),
                    }
                }
            };
            stack.push(result);
        }
        stack.pop().unwrap_or(0)
    }
}

impl TryFrom<String> for Formula {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<Formula> for String {
    fn from(formula: Formula) -> String {
        formula.to_string()
    }
}

impl Step {
    /// How tightly it binds.
    fn strength(self) -> u8 {
        match self {
            Step::Iff => 1,
            Step::Implies => 2,
            Step::Or => 3,
            Step::And => 4,
            Step::Not => 5,
            Step::Variable(_) | Step::True | Step::False => 6,
        }
    }
}
