//! The factor γ of many kernels: a number, or a rule that finds one from the data.

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};

use crate::data::{Items, Vectors};
use crate::error::{Error, Result};
use crate::kernel::check;
use crate::kernel::median::{median_of_pairs, sample};
use crate::kernel::syntax::Number;
use crate::kernel::vector::Measure;

/// Rows that [`Gamma::Median`] looks at, at most.
const MEDIAN_ROWS: usize = 1000;

/// The factor γ: a number, or a rule that finds one from the training rows.
///
/// With d columns:
/// - `scale`: 1 / (d · v), v the population variance of all entries, zeros included; 1/d if v = 0.
/// - `auto`: 1/d.
/// - `median`: with m the median of the distances above 0 between all pairs of the rows ⌊i·n/r⌋, i = 0 … r−1,
///   r = min(n, 1000) (the mean of the two middle ones where half of the pairs are on either side): 1/(2m²) with
///   Euclidean distances for the Gaussian kernel, which makes σ the median; 1/m with the kernel's own distances for
///   `laplacian` and `chi2`. As `scale` if no two rows differ.
///
/// A row of weight w counts as w rows: in the variance, and in the median w₁·w₂ times for a pair. Of more than 1000 rows
/// are looked at those that hold the shares i/1000 of the weight, in their order.
///
/// O(n·d) for `scale`, O(1) for `auto`, O(r²·d) for `median`.
///
/// ```
/// use mercer::data::Vectors;
/// use mercer::kernel::vector::{Gamma, Measure};
/// let rows = Vectors::from_rows(&[[0.0, 0.0], [3.0, 4.0]])?;
/// assert_eq!(Gamma::Auto.resolve(&rows, None, Measure::SquaredDistance)?, 0.5);
/// assert_eq!(Gamma::Median.resolve(&rows, None, Measure::SquaredDistance)?, 1.0 / 50.0);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Gamma {
    /// This number.
    Value(#[serde(deserialize_with = "check::serde_with::positive")] f64),
    /// 1 / (columns · variance)
    Scale,
    /// 1 / columns
    Auto,
    /// From the median of the distances.
    Median,
}

impl Gamma {
    /// The number, or NaN while it waits for data.
    pub fn value(self) -> f64 {
        match self {
            Gamma::Value(value) => value,
            _ => f64::NAN,
        }
    }

    /// Whether it is a number.
    pub fn is_resolved(self) -> bool {
        matches!(self, Gamma::Value(_))
    }

    /// The number for these rows and their weights, with the distance of the kernel that it belongs to.
    ///
    /// ```
    /// use mercer::data::Vectors;
    /// use mercer::kernel::vector::{Gamma, Measure};
    /// let rows = Vectors::from_rows(&[[1.0, 3.0], [5.0, 7.0]])?;
    /// // 1 / (columns · variance)
    /// assert_eq!(Gamma::Scale.resolve(&rows, None, Measure::Dot)?, 0.1);
    /// # Ok::<(), mercer::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Empty`] without rows, [`Error::Parameter`] if the data are so large or small that γ overflows.
    pub fn resolve(self, rows: &Vectors<'_>, weights: Option<&[f64]>, distance: Measure) -> Result<f64> {
        if let Gamma::Value(value) = self {
            return Ok(value);
        }
        if rows.is_empty() {
            return Err(Error::Empty { what: "rows" });
        }
        let columns = rows.columns().max(1) as f64;
        let scale = || match rows.mean_and_variance(weights).1 {
            variance if variance > 0.0 => 1.0 / (columns * variance),
            _ => 1.0 / columns,
        };
        let gamma = match self {
            Gamma::Value(value) => value,
            Gamma::Auto => 1.0 / columns,
            Gamma::Scale => scale(),
            Gamma::Median => match median(rows, weights, distance) {
                Some(middle) if middle > 0.0 && distance == Measure::SquaredDistance => {
                    0.5 / (middle * middle)
                }
                Some(middle) if middle > 0.0 => 1.0 / middle,
                _ => scale(),
            },
        };
        check::positive("gamma", gamma)
    }

    /// Refuses a number that is not finite and above 0.
    pub(crate) fn checked(self) -> Result<Self> {
        if let Gamma::Value(value) = self {
            check::positive("gamma", value)?;
        }
        Ok(self)
    }

    /// Another number, or the same if it is NaN.
    pub(crate) fn with_value(self, value: f64) -> Result<Self> {
        if value.is_nan() { Ok(self) } else { Gamma::Value(value).checked() }
    }
}

impl std::fmt::Display for Gamma {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Gamma::Value(value) => write!(f, "{}", Number(*value)),
            Gamma::Scale => f.write_str("scale"),
            Gamma::Auto => f.write_str("auto"),
            Gamma::Median => f.write_str("median"),
        }
    }
}

/// A number is a γ; it is checked by the kernel that takes it.
impl From<f64> for Gamma {
    fn from(value: f64) -> Self {
        Gamma::Value(value)
    }
}

/// Reads a γ for kernels of inner products, which have no median of distances.
pub(super) fn of_products<'de, D: Deserializer<'de>>(from: D) -> Result<Gamma, D::Error> {
    match Gamma::deserialize(from)? {
        Gamma::Median => Err(D::Error::custom("gamma = median: expected a number, scale or auto")),
        gamma => Ok(gamma),
    }
}

/// The weighted median of the distances above 0; `None` if there are none.
fn median(rows: &Vectors<'_>, weights: Option<&[f64]>, distance: Measure) -> Option<f64> {
    median_of_pairs(&sample(rows.len(), weights, MEDIAN_ROWS), |i, j| {
        let s = distance.sum(&rows.get(i), &rows.get(j), None);
        if distance == Measure::SquaredDistance { s.sqrt() } else { s }
    })
}
