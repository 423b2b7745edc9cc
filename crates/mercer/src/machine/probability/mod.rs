//! Probabilities of classes from decision values.
//!
//! How sure a decision value makes one of a class is learned from rows that had no part in it: the training rows are
//! divided into folds, each fold gets its decision values from a machine trained without it (on the same Gram matrix),
//! and a rising function from decision values to probabilities is fitted to them. Many classes get theirs from those of
//! their pairs, see [`couple`].

mod coupling;
mod isotonic;
mod sigmoid;

pub use coupling::{couple, favour};
pub use isotonic::Isotonic;
pub use sigmoid::Sigmoid;

use serde::{Deserialize, Serialize};

use super::expansion::check_finite;
use super::one_against_one::highest;
use crate::error::{Error, Result};

/// How decision values become probabilities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Probability {
    /// Platt's sigmoid, moved to the nearest probabilities that agree with the prediction: where the sigmoid's more probable class
    /// is another one, both have ½. So the class with p > ½ is the predicted one, and of many classes the predicted one has the
    /// largest p ([`favour`]).
    #[default]
    Consistent,
    /// Platt's sigmoid with an offset of its own, as LIBSVM's `-b 1`: near the boundary its more probable class may be
    /// another than the predicted one.
    Platt,
    /// A rising step function that is ½ where the decision value is 0, and as consistent as the first. It wants some
    /// hundreds of rows.
    Isotonic,
}

impl std::fmt::Display for Probability {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Probability::Consistent => "consistent",
            Probability::Platt => "platt",
            Probability::Isotonic => "isotonic",
        })
    }
}

/// The decision value of a row that had no part in the machine, and the truth about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// f
    pub decision: f64,
    /// Whether it is of the later class of the pair, for which positive decision values speak.
    pub positive: bool,
    /// How often it counts.
    pub weight: f64,
}

/// What rows of the two classes are told to be: (n₊ + 1)/(n₊ + 2) and 1/(n₋ + 2), as if each class had one row more.
fn targets(rows: &[Held]) -> (f64, f64) {
    let mass = |positive: bool| -> f64 {
        rows.iter().filter(|row| row.positive == positive).map(|row| row.weight).sum()
    };
    let (above, below) = (mass(true), mass(false));
    ((above + 1.0) / (above + 2.0), 1.0 / (below + 2.0))
}

/// A function from the decision values of a pair to the probability of its later class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Map {
    /// A sigmoid.
    Sigmoid(Sigmoid),
    /// Steps.
    Isotonic(Isotonic),
}

/// How a classifier's decision values become probabilities: one function for each pair of classes.
///
/// ```
/// use mercer::machine::probability::{Calibration, Map, Probability, Sigmoid};
/// let map = Map::Sigmoid(Sigmoid { slope: -1.0, shift: 0.0 });
/// let calibration = Calibration { kind: Probability::Consistent, maps: vec![map] };
/// assert_eq!(calibration.probabilities(2, &[0.0], 0), [0.5, 0.5]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Which kind it is.
    pub kind: Probability,
    /// The function of each pair.
    pub maps: Vec<Map>,
}

impl Calibration {
    /// Fits a function to the rows of each pair that had no part in its machine.
    pub fn fit(kind: Probability, of_pairs: &[Vec<Held>]) -> Self {
        let map = |rows: &Vec<Held>| match kind {
            Probability::Consistent | Probability::Platt => Map::Sigmoid(Sigmoid::fit(rows, true)),
            Probability::Isotonic => Map::Isotonic(Isotonic::fit(rows)),
        };
        Calibration { kind, maps: of_pairs.iter().map(map).collect() }
    }

    /// Probabilities of the classes of an item, from the decision values of all pairs and the class that is predicted.
    ///
    /// # Panics
    /// If there is no such class, or not a decision value for each pair.
    pub fn probabilities(&self, classes: usize, decisions: &[f64], predicted: usize) -> Vec<f64> {
        let of_pairs: Vec<f64> = self
            .maps
            .iter()
            .zip(decisions)
            .map(|(map, &decision)| match map {
                Map::Sigmoid(sigmoid) => sigmoid.probability(decision),
                Map::Isotonic(isotonic) => isotonic.probability(decision),
            })
            .collect();
        match (classes, self.kind) {
            (2, kind) => {
                let mut p = vec![1.0 - of_pairs[0], of_pairs[0]];
                // Of two halves the first would be taken for the larger: the predicted one is ahead by the last digit.
                if kind != Probability::Platt && highest(&p) != predicted {
                    p[predicted] = 0.5f64.next_up();
                    p[1 - predicted] = 1.0 - p[predicted];
                }
                p
            }
            (_, Probability::Platt) => couple(classes, &of_pairs),
            (_, Probability::Consistent | Probability::Isotonic) => {
                favour(couple(classes, &of_pairs), predicted)
            }
        }
    }

    /// Checks that it is one that could have been fitted, for so many pairs.
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::Entry`].
    pub fn check(&self, pairs: usize) -> Result<()> {
        if self.maps.len() != pairs {
            let what = "calibrations (one per pair)";
            return Err(Error::Shape { what, expected: pairs, found: self.maps.len() });
        }
        for map in &self.maps {
            match map {
                Map::Sigmoid(Sigmoid { slope, shift }) => check_finite("sigmoid", &[*slope, *shift])?,
                Map::Isotonic(isotonic) => isotonic.check()?,
            }
        }
        Ok(())
    }
}
