//! The perceptron in its first form: weights of columns (Table 5.1).

use crate::data::{Items, Row, Vectors, check_weights};
use crate::error::{Error, Result};

/// The perceptron in primal form: f(x) = ⟨w, x⟩ + b on numeric rows.
///
/// ```text
/// if yⱼ(⟨w, xⱼ⟩ + b) ≤ 0:   w ← w + yⱼ xⱼ,   b ← b + yⱼ R²,   R = max ‖xⱼ‖
/// ```
///
/// until a pass makes no mistake. On rows that a hyperplane separates by γ it makes (2R/γ)² updates at most. O(stored values) per pass.
/// It is the same machine as [`Online`](super::Online) with [`Rule::Perceptron`](super::Rule::Perceptron), the linear kernel and the bias
/// step R², in other coordinates.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::machine::online::PrimalPerceptron;
/// let rows = Vectors::from_rows(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])?;
/// let and = PrimalPerceptron::fit(&rows, &[-1.0, -1.0, -1.0, 1.0], 100)?;
/// assert!(and.settled);
/// assert!(and.value(&mercer::data::Row::Dense64(&[1.0, 1.0])) > 0.0);
/// assert!(and.value(&mercer::data::Row::Dense64(&[1.0, 0.0])) < 0.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PrimalPerceptron {
    /// w
    pub weights: Vec<f64>,
    /// b
    pub offset: f64,
    /// k: updates in all passes.
    pub updates: u64,
    /// Passes over all rows.
    pub passes: u64,
    /// Whether the last pass made no mistake; otherwise the limit came first.
    pub settled: bool,
    /// R²
    pub squared_radius: f64,
}

impl PrimalPerceptron {
    /// Goes over the rows until all are right, or so many times.
    ///
    /// # Errors
    /// [`Error::Empty`] for no rows, [`Error::Shape`] for another number of labels, [`Error::Entry`] for a label that is not ±1.
    pub fn fit(rows: &Vectors<'_>, labels: &[f64], most_passes: u64) -> Result<Self> {
        Self::fit_weighted(rows, labels, None, most_passes)
    }

    /// The same with a weight for each row, by which its updates are multiplied; one of weight 0 is not looked at.
    ///
    /// # Errors
    /// As [`PrimalPerceptron::fit`]; weights that are negative or all 0.
    pub fn fit_weighted(
        rows: &Vectors<'_>,
        labels: &[f64],
        weights: Option<&[f64]>,
        most_passes: u64,
    ) -> Result<Self> {
        if rows.is_empty() {
            return Err(Error::Empty { what: "rows" });
        }
        if labels.len() != rows.len() {
            let what = "labels (one per row)";
            return Err(Error::Shape { what, expected: rows.len(), found: labels.len() });
        }
        if let Some(index) = labels.iter().position(|y| y.abs() != 1.0) {
            return Err(Error::Entry { what: "label", index, value: labels[index], expected: "1 or -1" });
        }
        if let Some(weights) = weights {
            check_weights(weights, rows.len())?;
        }
        let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
        let counted = || (0..rows.len()).filter(|&i| weight(i) > 0.0);
        let squared = |row: Row<'_>| {
            let mut sum = 0.0;
            row.for_each(|_, value| sum += value * value);
            sum
        };
        let squared_radius = counted().map(|i| squared(rows.get(i))).fold(0.0, f64::max);
        let mut machine = PrimalPerceptron {
            weights: vec![0.0; rows.columns()],
            offset: 0.0,
            updates: 0,
            passes: 0,
            settled: false,
            squared_radius,
        };
        while !machine.settled && machine.passes < most_passes {
            let before = machine.updates;
            for i in counted() {
                let (row, y) = (rows.get(i), labels[i]);
                if y * machine.value(&row) <= 0.0 {
                    let step = weight(i) * y;
                    row.for_each(|column, value| machine.weights[column] += step * value);
                    machine.offset += step * squared_radius;
                    machine.updates += 1;
                }
            }
            machine.passes += 1;
            machine.settled = machine.updates == before;
        }
        Ok(machine)
    }

    /// f(x) = ⟨w, x⟩ + b; columns beyond those of training count nothing.
    pub fn value(&self, row: &Row<'_>) -> f64 {
        let mut sum = 0.0;
        row.for_each(|column, value| sum += self.weights.as_slice().get(column).map_or(0.0, |w| w * value));
        sum + self.offset
    }
}
