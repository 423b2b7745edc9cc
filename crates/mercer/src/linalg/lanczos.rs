//! The Lanczos method, for the smallest eigenvalue of a symmetric matrix that is known by its products.

use crate::error::{Error, Result};
use crate::linalg::{Matrix, symmetric_eigenvalues};

/// What is left of a vector below this share of its image is rounding: the Krylov space is complete.
const NOTHING: f64 = 1e-10;

/// The smallest and the largest Rayleigh quotient vᵀAv/vᵀv in the Krylov space of a vector.
///
/// ```text
/// span { b, Ab, A²b, …, Aˢ⁻¹b }
/// ```
///
/// The smallest eigenvalue of A is not above the first of them and the largest not below the second, and a few steps find those that are far
/// from the others. O(steps) products and O(n · steps²) time; every vector is made orthogonal to all others.
///
/// ```
/// use mercer::linalg::extreme_quotients;
/// // diag(-1, 2, 3)
/// let multiply = |v: &[f64]| Ok(vec![-v[0], 2.0 * v[1], 3.0 * v[2]]);
/// let (least, largest) = extreme_quotients(&[1.0, 1.0, 1.0], 3, &multiply)?;
/// assert!((least + 1.0).abs() < 1e-9 && (largest - 3.0).abs() < 1e-9);
/// # Ok::<(), mercer::Error>(())
/// ```
///
/// # Errors
/// [`Error::Empty`] if the vector is 0, those of `multiply`, and [`Error::NonFinite`] if products are not finite.
pub fn extreme_quotients(
    start: &[f64],
    steps: usize,
    multiply: &dyn Fn(&[f64]) -> Result<Vec<f64>>,
) -> Result<(f64, f64)> {
    let mut next = start.to_vec();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut images: Vec<Vec<f64>> = Vec::new();
    let mut before = dot(&next, &next).sqrt();
    while basis.len() < steps.min(start.len()) {
        // Twice is enough (Kahan and Parlett).
        for _ in 0..2 {
            for other in &basis {
                let share = dot(&next, other);
                next.iter_mut().zip(other).for_each(|(v, o)| *v -= share * o);
            }
        }
        let size = dot(&next, &next).sqrt();
        if !(size > NOTHING * before && size.is_finite()) {
            break;
        }
        next.iter_mut().for_each(|v| *v /= size);
        let image = multiply(&next)?;
        before = dot(&image, &image).sqrt();
        basis.push(std::mem::replace(&mut next, image.clone()));
        images.push(image);
    }
    let m = basis.len();
    let projected = Matrix::from_fn(m, m, |i, j| dot(&basis[i], &images[j]));
    let values = symmetric_eigenvalues(&projected)?;
    match (values.first(), values.last()) {
        (Some(least), Some(largest)) => Ok((*least, *largest)),
        _ => Err(Error::Empty { what: "vectors of the Krylov space" }),
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
