//! A bound, term by term.

use serde::Serialize;

use crate::error::{Error, Result};

/// What a bound is a bound of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// The probability that a new row is given the wrong class.
    Error,
    /// The mean of that probability over training sets.
    ExpectedError,
    /// The same probability for the perceptron, trained on the rows of a machine with a margin.
    PerceptronError,
    /// Updates that the perceptron makes until it has no training row wrong.
    PerceptronUpdates,
    /// The probability that a new row, drawn as the training rows were, lies outside of the squared radius r² + γ.
    FalsePositives {
        /// γ
        gamma: f64,
    },
    /// The probability that a new target is missed by more than γ.
    Miss {
        /// γ
        gamma: f64,
    },
    /// The expected squared error of a regression, in squares of the unit of the targets.
    SquaredError,
}

/// A part of a bound.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Term {
    /// What it stands for, for example `"complexity"`.
    pub name: &'static str,
    /// How much of the bound it is.
    #[serde(with = "crate::resources::number")]
    pub value: f64,
    /// What would make it smaller.
    pub smaller_by: &'static str,
}

/// An upper bound of something that the training rows alone cannot tell, as the sum of its terms.
///
/// ```
/// use mercer::evaluation::bounds::{SoftMargin, Theorem};
/// let bound = SoftMargin { rows: 900, trace: 900.0, margin: 0.5, slack_sum: 45.0 }.bound(0.1)?;
/// let names: Vec<&str> = bound.terms.iter().map(|term| term.name).collect();
/// assert_eq!(names, ["slack", "complexity", "confidence"]);
/// assert_eq!(bound.value, bound.terms.iter().map(|term| term.value).sum::<f64>());
/// // 45/(900 · 0.5) and 4 · 30/(900 · 0.5): the margin is too small for so few rows.
/// assert!((bound.terms[0].value - 0.1).abs() < 1e-12 && bound.dominant().unwrap().name == "complexity");
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bound {
    /// A short name.
    pub name: &'static str,
    /// Where the theorem stands.
    pub theorem: &'static str,
    /// What is at most `value`.
    pub quantity: Quantity,
    /// 1 − δ: the probability, over training sets, that it is; none where it always is, or is so on average.
    pub confidence: Option<f64>,
    /// The parts.
    pub terms: Vec<Term>,
    /// Their sum.
    #[serde(with = "crate::resources::number")]
    pub value: f64,
    /// What is known without any theorem: 1 for a probability, 0 for that of what cannot be.
    #[serde(with = "crate::resources::number")]
    pub trivial: f64,
    /// The value that was taken for a constant which the theorem does not name; such a bound only compares models.
    pub constant: Option<f64>,
    /// What else is to be known about this value.
    pub notes: Vec<String>,
}

impl Bound {
    pub(super) fn new(
        name: &'static str,
        theorem: &'static str,
        quantity: Quantity,
        terms: Vec<Term>,
    ) -> Self {
        let value = terms.iter().map(|term| term.value).sum();
        let (confidence, constant, notes) = (None, None, Vec::new());
        Bound { name, theorem, quantity, confidence, terms, value, trivial: 1.0, constant, notes }
    }

    pub(super) fn with_delta(self, delta: f64) -> Self {
        Bound { confidence: Some(1.0 - delta), ..self }
    }

    /// The same bound with one more thing to be known about it.
    pub fn noted(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Whether it says no more than what is known without it: a probability of 1 or more.
    pub fn is_vacuous(&self) -> bool {
        // What is not a number says nothing either.
        self.value.is_nan() || self.value >= self.trivial
    }

    /// The largest term; none where there are none.
    pub fn dominant(&self) -> Option<&Term> {
        self.terms.iter().max_by(|a, b| a.value.total_cmp(&b.value))
    }

    /// One line: what would make it smaller, by its largest term.
    pub fn advice(&self) -> &'static str {
        self.dominant().map_or("", |term| term.smaller_by)
    }
}

/// A theorem with all its numbers but δ.
pub trait Theorem {
    /// What holds with probability 1 − δ, if nothing was chosen by looking at the rows. O(1).
    ///
    /// # Errors
    /// [`Error::Parameter`] or [`Error::Interval`] with the number that the theorem has no place for.
    fn bound(&self, delta: f64) -> Result<Bound>;

    /// What holds with probability 1 − δ for all of `choices` values of γ, ν, C or B at once, so that any of them may be
    /// taken after the rows were seen: the theorem with δ divided by their number.
    ///
    /// (Shawe-Taylor & Cristianini, Remarks 7.13, 7.17 and 7.34. Under the root of most theorems it adds ln k/(2ℓ).)
    ///
    /// ```
    /// use mercer::evaluation::bounds::{HardMargin, Theorem};
    /// let theorem = HardMargin { rows: 10_000, trace: 10_000.0, margin: 0.2 };
    /// let (one, best) = (theorem.bound(0.05)?, theorem.among(100, 0.05)?);
    /// // 3 √(ln(2·100/0.05)/20 000) in place of 3 √(ln 40/20 000)
    /// assert!((best.value - one.value - 0.020_350).abs() < 1e-6);
    /// assert_eq!(best.terms.last().unwrap().name, "choice");
    /// assert_eq!(best.confidence, Some(0.95));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Theorem::bound`]; no choices at all.
    fn among(&self, choices: usize, delta: f64) -> Result<Bound> {
        let one = self.bound(delta)?;
        match choices {
            0 => Err(Error::Parameter { name: "choices", value: 0.0, expected: "1 or more" }),
            1 => Ok(one),
            k => {
                let all = self.bound(delta / k as f64)?;
                let mut bound = Bound { value: all.value, ..one };
                bound.terms.push(Term {
                    name: "choice",
                    value: all.value - bound.terms.iter().map(|term| term.value).sum::<f64>(),
                    smaller_by: "fewer values to choose from",
                });
                Ok(bound)
            }
        }
    }
}
