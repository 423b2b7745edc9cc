//! Several functions f(x) = Σᵢ βᵢ k(xᵢ, x) + b over the same training items.

use serde::{Deserialize, Serialize};

use super::expansion::check_finite;
use crate::data::Items;
use crate::error::{Error, Result};
use crate::gram::{Columns, Combinations, Gram};
use crate::resources::Workers;

/// fₒ(x) = Σᵢ βᵢₒ k(xᵢ, x) + bₒ for every output o, over all training items.
///
/// ```
/// use mercer::gram::PrecomputedGram;
/// use mercer::machine::Functions;
/// use mercer::resources::Workers;
/// let functions = Functions { coefficients: vec![1.0, 0.0, 0.0, 2.0], offsets: vec![0.0, 0.5] };
/// let gram = PrecomputedGram::rectangular(vec![3.0, 4.0], 2, 1)?;
/// // f₀ = 1 · 3, f₁ = 2 · 4 + 0.5.
/// assert_eq!(functions.values(&gram, &Workers::serial())?, [3.0, 8.5]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Functions {
    /// `coefficients[i * m + o]`: β of item i in function o of m.
    pub coefficients: Vec<f64>,
    /// b of each function.
    pub offsets: Vec<f64>,
}

impl Functions {
    /// m: number of functions.
    pub fn outputs(&self) -> usize {
        self.offsets.len()
    }

    /// The values at all columns of `gram`, whose rows are the training items: for each column those of all functions.
    /// O(items · columns) kernel values and O(items · columns · m) additions.
    ///
    /// # Errors
    /// A kernel that fails; [`Error::Shape`] for another number of rows.
    pub fn values(&self, gram: &dyn Gram, workers: &Workers) -> Result<Vec<f64>> {
        let (m, (items, columns)) = (self.outputs(), gram.shape());
        if self.coefficients.len() != items * m {
            let what = "coefficients (one per item and output)";
            return Err(Error::Shape { what, expected: items * m, found: self.coefficients.len() });
        }
        let rows: Vec<usize> = (0..items).collect();
        let mut values = self.offsets.repeat(columns);
        if m == 1 {
            gram.accumulate(&rows, &self.coefficients, Columns::Range(0..columns), &mut values)?;
            return Ok(values);
        }
        let mut sums = Combinations::new();
        for o in 0..m {
            let of_output = self.coefficients.chunks_exact(m).map(|beta| beta[o]).enumerate();
            sums.push(of_output.filter(|&(_, beta)| beta != 0.0));
        }
        gram.combine(&rows, &sums, Columns::Range(0..columns), &mut values, workers)?;
        Ok(values)
    }

    /// Checks that all parts fit together, as those of a model that was trained do.
    ///
    /// # Errors
    /// [`Error::Shape`] or [`Error::Entry`] naming the part.
    pub fn check(&self, items: &impl Items) -> Result<()> {
        let (expected, found) = (items.len().saturating_mul(self.outputs()), self.coefficients.len());
        if expected != found {
            let what = "coefficients (one per item and output)";
            return Err(Error::Shape { what, expected, found });
        }
        check_finite("coefficient", &self.coefficients)?;
        check_finite("offset", &self.offsets)
    }
}
