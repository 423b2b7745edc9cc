//! All that the theorems say about a trained model.
//!
//! The numbers come from what the model has kept of its training rows ([`PairSample`](crate::machine::PairSample),
//! [`RegressionSample`](crate::machine::RegressionSample), [`Found`](crate::machine::Found)). What cannot be computed is
//! listed too, with the reason.

mod classifier;
mod detector;
mod regression;
mod seen;

pub use classifier::{of_formulation, of_pair, of_pairs};
pub use detector::of_detector;
pub use regression::of_regression;
pub(crate) use seen::{of_margin_sample, of_residual_sample};
pub use seen::{of_margins, of_residuals};

use serde::Serialize;

use super::bound::{Bound, Theorem};
use super::check::{confidence, positive};
use crate::error::{Error, Result};

/// R is that of the rows that were seen.
const RADIUS: &str =
    "R is that of the training rows: the theorem asks for one that holds for all rows there can be";
/// Only orders are known.
const CONSTANT: &str =
    "the theorem has a constant that nobody names: this value compares models and promises nothing";

/// A model without a report.
const UNKNOWN: &str = "how it was trained is not known: files in LIBSVM's format, and of learners, keep support vectors and no account of \
                       the training rows; train it on all rows at once and save it as .mercer or .json";

/// What is wanted of bounds.
///
/// ```
/// use mercer::evaluation::bounds::Wishes;
/// assert!(Wishes { delta: 0.01, choices: 100, ..Wishes::default() }.check().is_ok());
/// let refused = Wishes { delta: 1.5, ..Wishes::default() }.check().unwrap_err();
/// assert_eq!(refused.to_string(), "delta = 1.5: expected a probability above 0 and below 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wishes {
    /// δ: how likely it may be that a bound fails; 0.05 unless said otherwise.
    pub delta: f64,
    /// k: how many values of γ, ν, B or C it was chosen from; 1, none, unless said otherwise.
    pub choices: usize,
    /// c, for theorems that do not name their constant; 1 unless said otherwise.
    pub constant: f64,
    /// γ: by how much a target may be missed, or what is added to the squared radius of a sphere. None means that which makes
    /// slack and complexity sum up to `share`.
    pub gamma: Option<f64>,
    /// The share of misses, or of false positives, for which γ is found; 0.1 unless said otherwise.
    pub share: f64,
}

impl Default for Wishes {
    fn default() -> Self {
        Wishes { delta: 0.05, choices: 1, constant: 1.0, gamma: None, share: 0.1 }
    }
}

impl Wishes {
    /// Refuses what makes no sense for any model.
    ///
    /// # Errors
    /// [`Error::Parameter`] with the name and value of the first.
    pub fn check(&self) -> Result<()> {
        confidence(self.delta)?;
        if self.choices == 0 {
            return Err(Error::Parameter { name: "choices", value: 0.0, expected: "1 or more" });
        }
        positive("constant", self.constant)?;
        if !(self.share > 0.0 && self.share <= 1.0) {
            let expected = "a share, above 0 and at most 1";
            return Err(Error::Parameter { name: "share", value: self.share, expected });
        }
        self.gamma.map_or(Ok(()), |gamma| positive("gamma", gamma).map(|_| ()))
    }

    /// The theorem for the best of the choices.
    fn apply(&self, theorem: &dyn Theorem) -> Result<Bound> {
        theorem.among(self.choices, self.delta)
    }
}

/// A number that bounds are made of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fact {
    /// What it is.
    pub name: &'static str,
    /// How much it is.
    #[serde(with = "crate::resources::number")]
    pub value: f64,
}

/// A theorem that says nothing here, and why.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Refusal {
    /// Where it stands.
    pub theorem: &'static str,
    /// Why it says nothing.
    pub because: String,
}

/// What the theorems say about a machine of two classes, a regression or a detector.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Applicable {
    /// What it is about, for example `"bad against good"`.
    pub of: String,
    /// The numbers that the bounds are made of.
    pub facts: Vec<Fact>,
    /// Quantiles of the margins of the training rows, for the shares [`MARGIN_SHARES`](crate::machine::MARGIN_SHARES); empty
    /// where there are none.
    pub margins: Vec<f64>,
    /// The bounds.
    pub bounds: Vec<Bound>,
    /// The theorems that say nothing, and why.
    pub refused: Vec<Refusal>,
}

impl Applicable {
    fn new(of: impl Into<String>) -> Self {
        Applicable { of: of.into(), ..Applicable::default() }
    }

    /// Nothing can be said at all.
    pub fn nothing(of: impl Into<String>, because: impl Into<String>) -> Self {
        let mut all = Applicable::new(of);
        all.refuse("all", because);
        all
    }

    fn fact(&mut self, name: &'static str, value: f64) {
        self.facts.push(Fact { name, value });
    }

    fn refuse(&mut self, theorem: &'static str, because: impl Into<String>) {
        self.refused.push(Refusal { theorem, because: because.into() });
    }

    /// Lists a bound with notes, or why there is none.
    fn list(&mut self, theorem: &'static str, bound: Result<Bound>, notes: &[&str]) {
        match bound {
            Ok(bound) => self.bounds.push(notes.iter().fold(bound, |bound, note| bound.noted(*note))),
            Err(error) => self.refuse(theorem, error.to_string()),
        }
    }

    /// The bound with the smallest value among those of errors, misses and false alarms that hold with the wanted
    /// confidence, name their constants, and say anything at all.
    ///
    /// ```
    /// use mercer::evaluation::bounds::Applicable;
    /// assert!(Applicable::nothing("a model", "its training is not known").best().is_none());
    /// ```
    pub fn best(&self) -> Option<&Bound> {
        let counts = |bound: &&Bound| {
            bound.confidence.is_some()
                && bound.constant.is_none()
                && bound.trivial == 1.0
                && !bound.is_vacuous()
        };
        self.bounds.iter().filter(counts).min_by(|a, b| a.value.total_cmp(&b.value))
    }
}
