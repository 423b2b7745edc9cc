//! Interactions of a given number of columns.

use serde::{Deserialize, Serialize};

use crate::data::{Row, Vectors};
use crate::error::{Error, Result};
use crate::kernel::syntax::Number;
use crate::kernel::vector::form::for_each_pair;
use crate::kernel::{Kernel, Parameter, check};

/// The ANOVA kernel: all interactions of `degree` different columns.
///
/// k(x, z) = Σ k₁(x_a, z_a) k₁(x_b, z_b) … over all sets {a, b, …} of `degree` columns, where k₁ compares numbers: their product xz,
/// or exp(−gamma (x − z)²) where a gamma is given. Unlike a polynomial kernel it has no powers of one column. Sums of
/// several degrees have all interactions up to the largest: `1 + anova(degree=1) + anova(degree=2)`. With fewer columns than the
/// degree it is 0.
///
/// Written `anova(degree=2)` or `anova(degree=2, gamma=0.5)`. With a gamma the number of columns matters, since columns in
/// which both rows are 0 count 1: it is taken from the training rows, and printed as `columns=13`.
///
/// O(degree × columns) per pair, for columns 1, 2, … by K_s ← K_s + k₁ K_{s−1} from the largest s down; evaluated pair by pair.
/// Columns in which either row is 0 are passed over if there is no gamma.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::{Kernel, vector::Anova};
/// let (x, z) = (Row::Dense64(&[1.0, 2.0, 3.0]), Row::Dense64(&[1.0, 1.0, 2.0]));
/// // 1·2 + 1·6 + 2·6
/// assert_eq!(Anova::new(2)?.eval(&x, &z), 20.0);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # References
/// C. Burges & V. Vapnik, *A new method for constructing artificial neural networks*, AT&T Bell Laboratories, 1995. J. Shawe-Taylor
/// & N. Cristianini, *Kernel methods for pattern analysis*, 2004, section 9.2.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Anova {
    #[serde(deserialize_with = "check::serde_with::degree")]
    degree: u32,
    #[serde(deserialize_with = "check::serde_with::optional_positive")]
    gamma: Option<f64>,
    columns: Option<u32>,
}

impl Anova {
    /// Interactions of so many columns, by products.
    ///
    /// # Errors
    /// [`Error::Parameter`] if that is 0.
    pub fn new(degree: u32) -> Result<Self> {
        if degree == 0 {
            let expected = "a whole number of at least 1";
            return Err(Error::Parameter { name: "degree", value: 0.0, expected });
        }
        Ok(Anova { degree, gamma: None, columns: None })
    }

    /// Numbers compared by exp(−gamma (x − z)²).
    ///
    /// # Errors
    /// [`Error::Parameter`] unless gamma is a finite number above 0.
    pub fn gaussian(self, gamma: f64) -> Result<Self> {
        Ok(Anova { gamma: Some(check::positive("gamma", gamma)?), ..self })
    }

    /// On rows of so many columns. Without a gamma that makes no difference, and nothing is kept.
    ///
    /// # Errors
    /// [`Error::Parameter`] if they are more than 4 bytes can count.
    pub fn on_columns(self, columns: usize) -> Result<Self> {
        if self.gamma.is_none() {
            return Ok(self);
        }
        let expected = "a whole number of 4 bytes";
        let count = u32::try_from(columns).map_err(|_| Error::Parameter {
            name: "columns",
            value: columns as f64,
            expected,
        })?;
        Ok(Anova { columns: Some(count), ..self })
    }

    /// The number of columns that interact.
    pub fn degree(&self) -> u32 {
        self.degree
    }

    /// The gamma, if numbers are compared by a Gaussian.
    pub fn gamma(&self) -> Option<f64> {
        self.gamma
    }

    pub(crate) fn is_resolved(&self) -> bool {
        self.gamma.is_none() || self.columns.is_some()
    }

    pub(crate) fn resolve(&self, rows: &Vectors<'_>) -> Result<Self> {
        self.clone().on_columns(rows.columns())
    }

    pub(crate) fn check(&self, rows: &Vectors<'_>) -> Result<()> {
        let found = rows.columns();
        match self.columns {
            Some(columns) if columns as usize != found => {
                let what = "columns of the rows (as many as the anova kernel counts)";
                Err(Error::Shape { what, expected: columns as usize, found })
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn parameters(&self) -> Vec<Parameter> {
        self.gamma.map(|gamma| Parameter::positive("gamma", gamma)).into_iter().collect()
    }

    pub(crate) fn with_parameters(&self, values: &[f64]) -> Result<Self> {
        check::count(self.parameters().len(), values.len())?;
        match (self.gamma, values) {
            (Some(gamma), &[value]) => self.clone().gaussian(check::or(value, gamma)),
            _ => Ok(self.clone()),
        }
    }

    /// The number of columns with a gamma; unknown if it was not said and a row is sparse.
    fn count(&self, x: &Row<'_>, z: &Row<'_>) -> Option<usize> {
        let own = || x.columns().filter(|_| x.columns() == z.columns());
        self.columns.map(|columns| columns as usize).or_else(own)
    }
}

impl<'a> Kernel<Row<'a>> for Anova {
    fn eval(&self, x: &Row<'a>, z: &Row<'a>) -> f64 {
        // Sums of 0, 1, …, degree columns among those that have been seen.
        let degree = self.degree as usize;
        let mut sums = vec![1.0];
        let mut take = |term: f64| {
            if sums.len() <= degree {
                sums.push(0.0);
            }
            for s in (1..sums.len()).rev() {
                sums[s] += term * sums[s - 1];
            }
        };
        match self.gamma {
            None => for_each_pair(x, z, |_, a, b| {
                if a * b != 0.0 {
                    take(a * b);
                }
            }),
            Some(gamma) => {
                let Some(columns) = self.count(x, z) else { return f64::NAN };
                let mut stored = 0;
                for_each_pair(x, z, |_, a, b| {
                    stored += 1;
                    take((-gamma * (a - b) * (a - b)).exp());
                });
                if stored > columns {
                    return f64::NAN;
                }
                (stored..columns).for_each(|_| take(1.0));
            }
        }
        // With fewer columns than the degree there is no such set.
        sums.get(degree).copied().unwrap_or(0.0)
    }
}

impl std::fmt::Display for Anova {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut arguments = vec![("degree", self.degree.to_string())];
        arguments.extend(self.gamma.map(|gamma| ("gamma", Number(gamma).to_string())));
        arguments.extend(self.columns.map(|columns| ("columns", columns.to_string())));
        crate::kernel::syntax::write_call(f, "anova", &arguments)
    }
}

crate::kernel::operators::kernel_operators!(Anova);
