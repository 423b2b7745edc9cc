//! The feature space of polynomial kernels, written out.

use crate::data::Row;
use crate::error::{Error, Result};
use crate::kernel::vector::{Polynomial, power};

/// Highest degree that is written out.
const HIGHEST: u32 = 100;

/// The explicit feature map φ of a polynomial kernel: ⟨φ(x), φ(z)⟩ = (γ⟨x, z⟩ + c)^p.
///
/// One feature per monomial x^a = Π xₖ^aₖ with |a| = Σ aₖ ≤ p (|a| = p if c = 0), of weight
/// √( p! / (a₁!⋯a_d! (p−|a|)!) · γ^|a| · c^(p−|a|) ). These are C(d+p, p) features, or C(d+p−1, p) if c = 0,
/// so that the map is for few columns; the kernel itself costs O(d) in any case.
///
/// The features stand in lexicographic order of their columns: for two columns, p = 2 and c = 1 they are
/// x², √2 xy, √2 x, y², √2 y, 1. O(features · min(p, d)) memory and time per row.
///
/// ```
/// use mercer::data::Row;
/// use mercer::kernel::vector::{Polynomial, PolynomialFeatures};
/// let map = PolynomialFeatures::new(&Polynomial::inhomogeneous(2)?, 2, 1000)?;
/// let phi = map.map(&Row::Dense64(&[3.0, 5.0]));
/// let root = 2f64.sqrt();
/// assert_eq!(phi, [9.0, root * 15.0, root * 3.0, 25.0, root * 5.0, 1.0]);
/// # Ok::<(), mercer::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PolynomialFeatures {
    columns: usize,
    weights: Vec<f64>,
    /// Feature i has the factors (column, exponent) from `ends[i − 1]` to `ends[i]`.
    factors: Vec<(usize, u32)>,
    ends: Vec<usize>,
}

impl PolynomialFeatures {
    /// Writes out the features of a kernel on this many columns, if they are no more than `limit`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] with the number of features if there are more, or if γ waits for data;
    /// [`Error::Parameter`] for a degree above 100 or a negative constant, with which there is no such map.
    pub fn new(kernel: &Polynomial, columns: usize, limit: usize) -> Result<Self> {
        let (degree, gamma, constant) = (kernel.degree(), kernel.gamma().value(), kernel.constant());
        if degree > HIGHEST {
            let (name, value) = ("degree", f64::from(degree));
            return Err(Error::Parameter {
                name,
                value,
                expected: "at most 100 for an explicit feature map",
            });
        }
        if constant < 0.0 {
            let expected = "at least 0 for an explicit feature map";
            return Err(Error::Parameter { name: "constant", value: constant, expected });
        }
        if gamma.is_nan() {
            return Err(Error::Unsupported {
                what: format!("the features of {kernel}: gamma waits for data; resolve the kernel first"),
            });
        }
        let count = Self::count(kernel, columns);
        if count.is_none_or(|count| count > limit as u128) {
            let number = count.map_or("more than 10^38".to_string(), |count| count.to_string());
            return Err(Error::Unsupported {
                what: format!(
                    "{kernel} on {columns} columns has {number} features and the limit is {limit}: use the kernel itself"
                ),
            });
        }
        let mut features =
            PolynomialFeatures { columns, weights: Vec::new(), factors: Vec::new(), ends: Vec::new() };
        // The constant is one column more, the last, in which every item has the value 1.
        let symbols = if constant > 0.0 { columns + 1 } else { columns };
        let mut monomial = vec![0; degree as usize];
        let mut more = symbols > 0;
        while more {
            features.push(&monomial, gamma, constant);
            more = advance(&mut monomial, symbols);
        }
        Ok(features)
    }

    /// The number of features of a kernel on this many columns, without writing them out; `None` if it is
    /// 2¹²⁸ or more.
    ///
    /// ```
    /// use mercer::kernel::vector::{Polynomial, PolynomialFeatures};
    /// // 1, x, y, x², xy and y²
    /// assert_eq!(PolynomialFeatures::count(&Polynomial::inhomogeneous(2)?, 2), Some(6));
    /// # Ok::<(), mercer::Error>(())
    /// ```
    pub fn count(kernel: &Polynomial, columns: usize) -> Option<u128> {
        let symbols = columns as u128 + u128::from(kernel.constant() != 0.0);
        if symbols == 0 {
            return Some(0);
        }
        // C(symbols − 1 + degree, degree); every step is itself a binomial coefficient, so it divides.
        let mut count = 1u128;
        for i in 1..=u128::from(kernel.degree()) {
            count = count.checked_mul(symbols - 1 + i)? / i;
        }
        Some(count)
    }

    /// Number of features.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there are none: a homogeneous kernel on no columns.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// φ(x); columns that the row has not are 0, those beyond the map's are left out.
    pub fn map(&self, x: &Row<'_>) -> Vec<f64> {
        let x = x.to_dense(self.columns);
        let mut start = 0;
        let mut features = Vec::with_capacity(self.len());
        for (&weight, &end) in self.weights.iter().zip(&self.ends) {
            let product: f64 = self.factors[start..end].iter().map(|&(k, a)| power(x[k], a)).product();
            features.push(weight * product);
            start = end;
        }
        features
    }

    /// Adds the feature of a sequence of `degree` ascending columns.
    fn push(&mut self, monomial: &[usize], gamma: f64, constant: f64) {
        let (mut square, mut used) = (1.0, 0u32);
        for run in monomial.chunk_by(|a, b| a == b) {
            let exponent = run.len() as u32;
            // The multinomial coefficient as a product of binomial coefficients.
            for i in 1..=exponent {
                square *= f64::from(used + i) / f64::from(i);
            }
            used += exponent;
            if run[0] < self.columns {
                square *= power(gamma, exponent);
                self.factors.push((run[0], exponent));
            } else {
                square *= power(constant, exponent);
            }
        }
        self.weights.push(square.sqrt());
        self.ends.push(self.factors.len());
    }
}

/// The next ascending sequence over 0 … symbols−1 in lexicographic order; false after the last.
fn advance(sequence: &mut [usize], symbols: usize) -> bool {
    let Some(at) = sequence.iter().rposition(|&symbol| symbol + 1 < symbols) else { return false };
    let next = sequence[at] + 1;
    sequence[at..].fill(next);
    true
}
