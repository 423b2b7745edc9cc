//! The unit that targets are measured in: what is relevant must not depend on it.

use crate::error::{Error, Result};

/// Targets that differ by less than this share of the largest are all the same but for rounding.
const SAME: f64 = 1e-14;

/// The standard deviation of the targets, or their size if they are all the same; as two factors, so that neither a square of a large
/// number nor one of a small number is computed on the way.
pub(super) struct Unit {
    /// The largest |y|.
    size: f64,
    /// The standard deviation of y/size.
    spread: f64,
}

impl Unit {
    /// By weight, if there are weights. O(n).
    ///
    /// # Errors
    /// [`Error::Entry`] for targets whose variance is beyond the largest number.
    pub fn of(targets: &[f64], weights: Option<&[f64]>) -> Result<Self> {
        let weight = |i: usize| weights.map_or(1.0, |weights| weights[i]);
        let counted = || (0..targets.len()).filter(|&i| weight(i) > 0.0);
        let largest = counted().reduce(|m, i| if targets[i].abs() > targets[m].abs() { i } else { m });
        let largest = largest.ok_or(Error::Empty { what: "rows with a weight above 0" })?;
        let size = if targets[largest] == 0.0 { 1.0 } else { targets[largest].abs() };
        let n = weights.map_or(targets.len() as f64, |weights| weights.iter().sum());
        let mean = counted().map(|i| weight(i) * (targets[i] / size)).sum::<f64>() / n;
        let variance = counted().map(|i| weight(i) * (targets[i] / size - mean).powi(2)).sum::<f64>() / n;
        let spread = if variance > SAME * SAME { variance.sqrt() } else { 1.0 };
        let unit = Unit { size, spread };
        if !unit.square().is_finite() {
            let (what, expected) = ("target", "a number whose square is finite");
            return Err(Error::Entry { what, index: largest, value: targets[largest], expected });
        }
        Ok(unit)
    }

    /// The targets in this unit: of variance 1, or all 1 or all 0.
    pub fn measured(&self, targets: &[f64]) -> Vec<f64> {
        targets.iter().map(|y| y / self.size / self.spread).collect()
    }

    /// A number in this unit, in that of the targets.
    pub fn restored(&self, value: f64) -> f64 {
        value * self.spread * self.size
    }

    /// What a variance in this unit is to be multiplied by.
    pub fn square(&self) -> f64 {
        self.restored(self.restored(1.0))
    }

    /// What the log likelihood of a target in this unit has too much.
    pub fn logarithm(&self) -> f64 {
        self.size.ln() + self.spread.ln()
    }
}
