//! The inverse of a positive definite matrix with a border of ones.

use crate::error::{Error, Result};
use crate::linalg::{Cholesky, Matrix};

/// What is added to a diagonal that rounding has made singular, relative to its largest value, one after the other.
const NUGGETS: [f64; 4] = [0.0, 1e-14, 1e-12, 1e-10];

/// H⁻¹ for H = [A 1; 1ᵀ 0], the system of a machine with an offset, or H = A for one without.
///
/// ```text
/// with u = A⁻¹1, s = 1ᵀu:   H⁻¹ = [A⁻¹ − uuᵀ/s   u/s ]
///                                  [uᵀ/s          −1/s]
/// ```
pub(super) struct Bordered {
    /// The block that belongs to A.
    block: Matrix,
    /// u/s and −1/s, where there is a border.
    border: Option<(Vec<f64>, f64)>,
}

impl Bordered {
    /// Inverts: O(m³) time for m rows, and [`Bordered::bytes`] of memory.
    ///
    /// # Errors
    /// [`Error::Pivot`] if A is not positive definite.
    pub fn new(matrix: &Matrix, has_border: bool) -> Result<Self> {
        let m = matrix.rows();
        let factor = Cholesky::new(matrix)?;
        let mut block = Matrix::zeros(m, m);
        for i in 0..m {
            let row = &mut block.values_mut()[i * m..][..m];
            row[i] = 1.0;
            factor.solve(row)?;
        }
        if !has_border {
            return Ok(Bordered { block, border: None });
        }
        let mut u = vec![1.0; m];
        factor.solve(&mut u)?;
        let s: f64 = u.iter().sum();
        for i in 0..m {
            for j in 0..m {
                block[(i, j)] -= u[i] * u[j] / s;
            }
        }
        Ok(Bordered { block, border: Some((u.iter().map(|value| value / s).collect(), -1.0 / s)) })
    }

    /// Inverts a matrix that is positive semi-definite but for rounding: as little as it takes is added to its diagonal.
    ///
    /// # Errors
    /// [`Error::Pivot`] if that is not enough.
    pub fn with_nugget(mut matrix: Matrix, has_border: bool) -> Result<Self> {
        let m = matrix.rows();
        let largest = (0..m).map(|i| matrix[(i, i)].abs()).fold(0.0, f64::max);
        let mut added = 0.0;
        for nugget in NUGGETS {
            (0..m).for_each(|i| matrix[(i, i)] += (nugget - added) * largest);
            added = nugget;
            match Bordered::new(&matrix, has_border) {
                Err(Error::Pivot { .. }) if nugget != NUGGETS[NUGGETS.len() - 1] => {}
                done => return done,
            }
        }
        unreachable!("the last nugget returns")
    }

    /// Bytes for m rows: the matrix, its factor and the inverse.
    pub fn bytes(m: usize) -> u64 {
        24 * (m as u64).saturating_mul(m as u64)
    }

    /// H⁻¹[i, j], without the border.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.block[(i, j)]
    }

    /// Column i of H⁻¹: what belongs to A, and what to the border (0 where there is none).
    pub fn column(&self, i: usize) -> (&[f64], f64) {
        (self.block.row(i), self.border.as_ref().map_or(0.0, |(border, _)| border[i]))
    }

    /// H⁻¹(v; t): what belongs to A, and what to the border. O(m²)
    pub fn times(&self, v: &[f64], t: f64) -> (Vec<f64>, f64) {
        let dot = |row: &[f64]| -> f64 { row.iter().zip(v).map(|(a, b)| a * b).sum() };
        let (border, corner) = match &self.border {
            Some((border, corner)) => (Some(border), corner * t + dot(border)),
            None => (None, 0.0),
        };
        let above = |i: usize| dot(self.block.row(i)) + border.map_or(0.0, |border| border[i] * t);
        ((0..v.len()).map(above).collect(), corner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_times_the_bordered_matrix_is_one() {
        let values = vec![4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        let matrix = Matrix::new(values, 3, 3).unwrap();
        for has_border in [false, true] {
            let inverse = Bordered::new(&matrix, has_border).unwrap();
            for j in 0..3 {
                // Column j of H.
                let t = if has_border { 1.0 } else { 0.0 };
                let (found, border) = inverse.times(matrix.row(j), t);
                for (i, value) in found.iter().enumerate() {
                    assert!((value - f64::from(u8::from(i == j))).abs() < 1e-14);
                }
                assert!(border.abs() < 1e-14);
                let (column, at_border) = inverse.column(j);
                let mut unit = vec![0.0; 3];
                unit[j] = 1.0;
                let (again, border) = inverse.times(&unit, 0.0);
                assert!(column.iter().zip(&again).all(|(a, b)| (a - b).abs() < 1e-15));
                assert!((at_border - border).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn what_is_singular_by_rounding_alone_is_inverted_and_the_rest_refused() {
        let ones = || Matrix::new(vec![1.0; 4], 2, 2).unwrap();
        assert!(Bordered::with_nugget(ones(), true).is_ok());
        let indefinite = Matrix::new(vec![1.0, 2.0, 2.0, 1.0], 2, 2).unwrap();
        assert!(matches!(Bordered::with_nugget(indefinite, true), Err(Error::Pivot { .. })));
    }
}
