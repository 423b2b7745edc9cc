//! Costs of classes and rows.

use crate::data::{Labels, check_weights};
use crate::error::{Error, Result};

/// Factors of the cost C by class.
///
/// ```
/// use mercer::data::Labels;
/// use mercer::machine::ClassWeights;
/// let labels = Labels::from_text(["a", "b", "b", "b"]);
/// assert_eq!(ClassWeights::Balanced.factors(&labels, None)?, [2.0, 4.0 / 6.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ClassWeights {
    /// Every class counts the same: factor 1.
    #[default]
    Equal,
    /// n / (k · nᶜ): every class has the same total weight, whatever its size.
    Balanced,
    /// Factors by class label; classes not named get 1.
    Given(Vec<(String, f64)>),
}

impl ClassWeights {
    /// The factor of each class, in the order of [`Labels::classes`].
    ///
    /// # Errors
    /// [`Error::UnknownClass`], [`Error::TwiceWeighted`], or [`Error::Parameter`] for a factor that is negative or not finite.
    pub fn factors(&self, labels: &Labels, weights: Option<&[f64]>) -> Result<Vec<f64>> {
        let classes = labels.classes();
        match self {
            ClassWeights::Equal => Ok(vec![1.0; classes.len()]),
            ClassWeights::Balanced => {
                let mut mass = vec![0.0; classes.len()];
                for (i, &code) in labels.codes().iter().enumerate() {
                    mass[code as usize] += weights.map_or(1.0, |w| w[i]);
                }
                let present = mass.iter().filter(|&&m| m > 0.0).count() as f64;
                let total: f64 = mass.iter().sum();
                Ok(mass.iter().map(|&m| if m > 0.0 { total / (present * m) } else { 1.0 }).collect())
            }
            ClassWeights::Given(given) => {
                let mut factors = vec![1.0; classes.len()];
                for (label, factor) in given {
                    let Some(class) = classes.iter().position(|c| c == label) else {
                        return Err(Error::UnknownClass { label: label.clone() });
                    };
                    if !(factor.is_finite() && *factor >= 0.0) {
                        let expected = "a finite number of at least 0";
                        return Err(Error::Parameter { name: "class weight", value: *factor, expected });
                    }
                    if given.iter().filter(|(other, _)| other == label).count() > 1 {
                        return Err(Error::TwiceWeighted { label: label.clone() });
                    }
                    factors[class] = *factor;
                }
                Ok(factors)
            }
        }
    }
}

/// The cost Cᵢ = C · (factor of the class) · (weight of the row), checked.
///
/// # Errors
/// Labels and weights of wrong length or value, fewer than two classes, or a class whose costs are all 0.
pub(super) fn costs(
    labels: &Labels,
    rows: usize,
    cost: f64,
    class_weights: &ClassWeights,
    weights: Option<&[f64]>,
) -> Result<Vec<f64>> {
    if rows == 0 {
        return Err(Error::Empty { what: "rows" });
    }
    if labels.len() != rows {
        return Err(Error::Shape { what: "labels (one per row)", expected: rows, found: labels.len() });
    }
    if let Some(weights) = weights {
        check_weights(weights, rows)?;
    }
    let counts = labels.counts();
    if counts.iter().filter(|&&c| c > 0).count() < 2 {
        return Err(Error::OneClass { label: labels.text(0).to_string() });
    }
    let factors = class_weights.factors(labels, weights)?;
    let costs: Vec<f64> = (0..rows)
        .map(|i| cost * factors[labels.codes()[i] as usize] * weights.map_or(1.0, |w| w[i]))
        .collect();
    let mut mass = vec![0.0; counts.len()];
    for (i, c) in costs.iter().enumerate() {
        if !c.is_finite() {
            return Err(Error::Entry {
                what: "cost of row",
                index: i,
                value: *c,
                expected: "a finite number",
            });
        }
        mass[labels.codes()[i] as usize] += c;
    }
    match (0..mass.len()).find(|&c| counts[c] > 0 && mass[c] == 0.0) {
        Some(class) => Err(Error::ClassWithoutWeight { label: labels.classes()[class].clone() }),
        None => Ok(costs),
    }
}
