//! The perceptron in its first form: weights of columns (Table 5.1).

use crate::data::{Items, Row, Vectors};
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
        let squared = |row: Row<'_>| {
            let mut sum = 0.0;
            row.for_each(|_, value| sum += value * value);
            sum
        };
        let squared_radius = (0..rows.len()).map(|i| squared(rows.get(i))).fold(0.0, f64::max);
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
            for (i, &y) in labels.iter().enumerate() {
                let row = rows.get(i);
                if y * machine.value(&row) <= 0.0 {
                    row.for_each(|column, value| machine.weights[column] += y * value);
                    machine.offset += y * squared_radius;
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
